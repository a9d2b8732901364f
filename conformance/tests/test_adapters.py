"""Whole runs: ours and the minimal adapter pass, and each broken one fails where it is broken."""

import fnmatch
import pathlib
import sys

import pytest
from test_shown import SHOWN

ADAPTERS = pathlib.Path(__file__).resolve().parents[1] / "adapters"

NEGOTIATE = "codec/*/negotiate-*"
# Adapter: what is selected, then what fails of it – all of these and nothing else.
BROKEN = {
    "duplicate_names": (["codec/*"], ["codec/invalid/duplicate-*"]),
    "numbers": (
        ["codec/*"],
        [
            "codec/invalid/*nan",
            "codec/invalid/*infinity",
            "codec/invalid/*beyond-double",
            "codec/invalid/integer-*",
            "codec/invalid/malformed-before-version",
        ],
    ),
    "strictness": (
        ["codec/*"],
        [
            "codec/invalid/*byte-order-mark*",
            "codec/invalid/*not-utf-8-*",
            "codec/invalid/*surrogate*",
            "codec/invalid/halves-apart",
            "codec/invalid/raw-*-in-string",
            "codec/invalid/depth-100000",
        ],
    ),
    "limits": (
        ["codec/*"],
        [
            "codec/invalid/*over-1-mib*",
            "codec/invalid/*oversize*",
            "codec/valid/depth-64-*",
            "codec/valid/brackets-inside-string",
            "codec/valid/many-siblings",
        ],
    ),
    "line_ends": (
        ["codec/*/stream-*"],
        [
            "codec/valid/stream-*-in-string",
            "codec/invalid/stream-*-tab-between",
            "codec/invalid/stream-form-feed-between",
            "codec/invalid/stream-lone-carriage-return-between",
            "codec/invalid/stream-line-separator-between",
            "codec/invalid/stream-next-line-between",
        ],
    ),
    "major": (
        ["codec/*"],
        [
            "codec/invalid/*er-major*",
            "codec/invalid/major-*",
            "codec/invalid/version-before-*",
            "codec/invalid/stream-unsupported-version-between",
        ],
    ),
    "minor": (
        ["codec/*"],
        [
            "codec/valid/*newer-m*",
            "codec/valid/largest-minor",
            "codec/invalid/negotiate-*",
        ],
    ),
    "unknown_kind": (
        ["codec/*", "event/valid/id-of-unknown-kind"],
        [
            "codec/valid/stream-unknown-kind-between",
            "codec/valid/unknown-kind*",
            "codec/valid/unknown-record-type",
            "event/valid/id-of-unknown-kind",
        ],
    ),
    "unknown_fields": (
        ["session/*", "event/valid/*"],
        [
            "session/valid/unknown-fields-everywhere",
            "event/valid/field-of-another-kind",
            "*/optional-fields-null",
        ],
    ),
    "id": (
        ["event/*"],
        [
            "event/valid/*-full",
            "event/valid/id-given-right",
            "event/valid/id-of-project-*",
            "event/valid/id-of-many-scripts",
        ],
    ),
    "given_id": (
        ["event/*/id-*"],
        [
            "event/invalid/id-of-*",
            "event/invalid/id-op-*",
            "event/invalid/id-in-*",
            "event/invalid/id-random",
            "event/invalid/id-too-short",
            "event/invalid/id-with-line-end",
        ],
    ),
    "times": (
        ["event/*", "session/*"],
        [
            "event/invalid/at-of-*",
            "event/invalid/at-as-date",
            "event/invalid/at-without-*",
            "event/invalid/at-with-[!l]*",
            "event/invalid/at-with-lower-case-t",
            "session/invalid/started-without-zone",
            "session/invalid/person-at-of-3-digits",
        ],
    ),
    "order": (
        ["event/*", "session/*"],
        ["*/*ends-before-it-starts", "event/invalid/note-valid-until-before-from"],
    ),
    "crash": (["codec/invalid/*"], ["codec/invalid/depth-100000"]),
    "noise": ([NEGOTIATE, "event/valid/id-*"], [NEGOTIATE]),
    "reply_id": ([NEGOTIATE, "event/valid/id-*"], [NEGOTIATE]),
    "operation": ([NEGOTIATE, "event/valid/id-*"], [NEGOTIATE]),
    "encode": (
        ["codec/*/encode-*"],
        [
            "codec/valid/encode-awkward-characters",
            "codec/valid/encode-empty-and-absent",
            "codec/valid/encode-largest-integer",
        ],
    ),
    "damage": (
        ["readers/claude-code/*", "readers/gemini-cli/*"],
        [
            "readers/claude-code/damage-line-of-nuls",
            "readers/claude-code/damage-nuls-at-the-end",
            "readers/claude-code/damage-row-cut",
            "readers/gemini-cli/line-cut",
        ],
    ),
    "isolation": (
        ["readers/codex/*"],
        ["readers/codex/empty-file-beside-a-session"],
    ),
    "parent": (
        ["readers/*"],
        [
            "readers/*/subagent*",
            "readers/codex/spawned",
        ],
    ),
    "channel": (
        ["readers/copilot/*", "readers/claude-code/refusal-*", "readers/claude-code/steering-*"],
        [
            "readers/copilot/prompt-and-reply",
            "readers/copilot/refusal-with-words",
            "readers/claude-code/refusal-*",
            "readers/claude-code/steering-in-*",
        ],
    ),
    "eager": (
        ["surprise/no-correction-*", "surprise/refusal-that-asks", "surprise/session-*"],
        [
            "surprise/no-correction-thanks",
            "surprise/no-correction-next-request",
            "surprise/no-correction-pasted-words",
            "surprise/no-correction-words-of-remem",
            "surprise/no-correction-by-the-agent",
            "surprise/refusal-that-asks",
        ],
    ),
    "quiet": (
        ["surprise/refusal-*", "surprise/failure-*", "surprise/no-*"],
        [
            "surprise/refusal-bare",
            "surprise/refusal-with-words",
            "surprise/refusal-of-a-batch",
            "surprise/failure-*",
            "surprise/no-fix-*",
        ],
    ),
    "summary": (
        ["surprise/failure-*", "surprise/no-failure-interrupted", "surprise/no-failure-missing"],
        ["surprise/failure-*"],
    ),
    "tombstone": (
        ["store/forgetting/*"],
        [
            "store/forgetting/*again",
            "store/forgetting/copy-in-a-fork",
            "store/forgetting/in-another-home",
            "store/forgetting/project*",
            "store/forgetting/session*",
            "store/forgetting/since",
            "store/forgetting/tombstones-of-*",
        ],
    ),
    "scope": (
        ["store/scope/*"],
        [
            "store/scope/after-an-import",
            "store/scope/beside-it-in-a-session",
            "store/scope/*of-*-project",
            "store/scope/other-*",
            "store/scope/*name",
            "store/scope/pattern",
            "store/scope/quote",
            "store/scope/star",
            "store/scope/empty",
            "store/scope/unknown",
            "store/scope/work-trees-share-a-project",
        ],
    ),
    "validity": (
        ["store/validity/*", "store/forgetting/what-*"],
        [
            "store/forgetting/what-*",
            "store/validity/the-present-counts",
            "store/validity/chain",
            "store/validity/expired*",
            "store/validity/last-moment",
            "store/validity/not-yet",
            "store/validity/replaced-in-*",
            "store/validity/replaced-from-a-later-day",
        ],
    ),
    "reset": (
        ["store/folding/copy-of-*", "store/scoring/*"],
        ["store/folding/copy-of-error", "store/folding/copy-of-surprise"],
    ),
    "export": (
        ["store/copies/export-*", "store/copies/round-trip-of-nothing"],
        ["store/copies/export-*"],
    ),
    "import": (
        ["store/imports/*"],
        [
            "store/imports/cut-line",
            "store/imports/no-json",
            "store/imports/two-damaged-lines",
            "store/imports/*of-another-event",
            "store/imports/event-that-is-none",
            "store/imports/lesson-with-*",
            "store/imports/newer-major-of-a-record",
        ],
    ),
    "touch": (
        ["store/validity/recall-*"],
        ["store/validity/recall-strengthens*", "store/validity/recall-weakens-nothing"],
    ),
    "fading": (
        ["sleep/decay/*"],
        [
            "sleep/decay/[!a]*-the-threshold",
            "sleep/decay/above-the-threshold",
            "sleep/decay/*half*",
            "sleep/decay/of-a-strong-lesson",
        ],
    ),
    "occasions": (["sleep/lessons/none-*"], ["sleep/lessons/none-of-one-session"]),
    "foresight": (["sleep/lessons/none-*"], ["sleep/lessons/none-of-what-is-to-come"]),
    "survivor": (
        ["sleep/merging/*"],
        [
            "sleep/merging/in-the-ledger",
            "sleep/merging/o*-names-of-both",
            "sleep/merging/open-*",
            "sleep/merging/owner-*",
            "sleep/merging/strongest-*",
        ],
    ),
    "holiday": (
        ["sleep/predictions/failed*"],
        ["sleep/predictions/failed-after-*", "sleep/predictions/failed-while-*"],
    ),
    "verbs": (
        ["sleep/verbs/*"],
        [
            "sleep/verbs/archive-[pr]*",
            "sleep/verbs/archive-alters-*",
            "sleep/verbs/archive-of-an-episode-by-*",
            "sleep/verbs/correct-[adw]*",
            "sleep/verbs/correct-by-itself",
            "sleep/verbs/corroborate-*",
            "sleep/verbs/create-*",
            "sleep/verbs/merge-*",
            "sleep/verbs/path-record-twice",
            "sleep/verbs/predict-that-*",
            "sleep/verbs/predict-with-*",
            "sleep/verbs/refine-*",
            "sleep/verbs/resolve-[abw]*",
            "sleep/verbs/resolve-strengthens-alone",
            "sleep/verbs/reword-*",
            "sleep/verbs/split-*",
            "sleep/verbs/verb-forget",
            "sleep/verbs/verb-without-a-change",
        ],
    ),
    "stale": (
        ["sleep/verbs/archive-*", "sleep/verbs/path-*"],
        [
            "sleep/verbs/archive-of-an-episode-that-*",
            "sleep/verbs/path-not-there-any-more",
            "sleep/verbs/path-stale",
        ],
    ),
    "whisper": (["sleep/verbs/path-*"], ["sleep/verbs/path-secret-*"]),
    "veto": (
        ["sleep/vetoes/*", "sleep/verbs/path-*"],
        [
            "sleep/verbs/path-vetoed-by-a-source",
            "sleep/verbs/path-vetoed-by-hash",
            "sleep/vetoes/not-relearned-said-*",
            "sleep/vetoes/words-in-another-project",
        ],
    ),
    "stubborn": (["sleep/undo/*"], ["sleep/undo/*-is-not-made-again"]),
    "undo": (["sleep/undo/*"], ["sleep/undo/not-before-a-later-change"]),
    "ledger": (["sleep/undo/*"], ["sleep/undo/[!n]*", "sleep/undo/not-*"]),
    "leftovers": (
        ["sleep/forgetting/*"],
        [
            "sleep/forgetting/no-word-in-a-ledger",
            "sleep/forgetting/prediction-under-an-old-name",
            "sleep/forgetting/project",
        ],
    ),
    "lesson_id": (
        ["sleep/ids/*"],
        ["sleep/ids/lesson-of-a-project*", "sleep/ids/lesson-of-an-*"],
    ),
    "hang": (["codec/invalid/empty", "codec/invalid/t*"], ["codec/invalid/empty"]),
    "stop": ([NEGOTIATE], ["adapter/stop"]),
}


def test_ours_passes_everything(suite) -> None:
    outcome = suite(f"'{sys.executable}' -m remem_cli.adapter", "--strict")
    assert outcome.code == 0
    assert set(outcome.verdicts().values()) == {"pass"}


def test_minimal_passes_everything_of_its_role_in_a_page_to_copy(suite, capsys) -> None:
    assert len((ADAPTERS / "minimal.py").read_text("utf-8").splitlines()) <= 100
    outcome = suite("minimal.py", "--strict")
    assert outcome.code == 0
    unclaimed = outcome.having("not claimed")
    others = ("readers/", "surprise/", "store/", "sleep/", "files/", "prime/")
    assert all(case.startswith(others) for case in unclaimed)
    assert len(outcome.having("pass")) + len(unclaimed) == len(outcome.verdicts())
    assert capsys.readouterr().out in (ADAPTERS.parent / "README.md").read_text("utf-8")


def test_minimal_store_fails_only_what_it_says_it_leaves_out(suite, capsys) -> None:
    outcome = suite("minimal_store.py", "--expected", str(ADAPTERS / "minimal_store.expected"))
    assert outcome.code == 0
    assert {outcome.why(case) for case in outcome.having("skip")} == {"reads no sessions"}
    assert len(outcome.having("pass")) > 150
    assert capsys.readouterr().out.splitlines()[-1] in (ADAPTERS.parent / "README.md").read_text()


@pytest.mark.parametrize("name", BROKEN)
def test_broken_adapter_fails_where_it_is_broken_and_nowhere_else(suite, name) -> None:
    chosen, failing = BROKEN[name]
    options = [word for glob in chosen for word in ("--select", glob)]
    outcome = suite(f"broken_{name}.py", *options, "--timeout", "1" if name == "hang" else "30")
    expected = {case for glob in failing for case in fnmatch.filter(outcome.verdicts(), glob)}
    assert outcome.code == 1
    assert set(outcome.having("fail")) == expected
    assert len(outcome.having("pass")) > 0


@pytest.mark.parametrize(
    ("name", "case", "why"),
    [
        ("crash", "codec/invalid/depth-100000", "died (exit 134)"),
        ("hang", "codec/invalid/empty", "no reply within 1 s"),
        ("noise", "codec/valid/negotiate-same", 'not a JSON object on stdout: b"negotiating'),
        ("reply_id", "codec/valid/negotiate-same", "answered 0, asked 2"),
        ("operation", "codec/valid/negotiate-same", "without its operation negotiate"),
        ("stop", "adapter/stop", "left with 7 after stop"),
    ],
)
def test_breach_of_the_contract_fails_with_its_reason(suite, name, case, why) -> None:
    chosen = "codec/valid/negotiate-same" if case == "adapter/stop" else case
    timeout = "1" if name == "hang" else "30"
    outcome = suite(f"broken_{name}.py", "--select", chosen, "--timeout", timeout)
    assert outcome.code == 1
    assert outcome.verdicts()[case] == "fail"
    assert why in outcome.why(case)


@pytest.mark.parametrize(
    ("name", "area"),
    [("code", "codec"), ("place", "session"), ("fields", "event"), ("types", "session")],
)
def test_broken_adapter_fails_many_invalid_cases_and_no_valid_one(suite, name, area) -> None:
    outcome = suite(f"broken_{name}.py", "--select", f"{area}/*")
    assert outcome.code == 1
    failed = outcome.having("fail")
    assert len(failed) >= 8
    assert [case for case in failed if "/invalid/" not in case] == []


@pytest.mark.parametrize(
    ("name", "area", "why"),
    [
        ("session", "readers/chatgpt", "invalid-session"),
        ("copies", "readers/chatgpt", "two sessions of one id (SES-002)"),
        ("origin", "surprise", "not of its session (EVT-051)"),
        ("seen", "sleep/scope", "not the number of its sources (MEM-030)"),
    ],
)
def test_unsound_reply_fails_whatever_its_case_is_about(suite, name, area, why) -> None:
    outcome = suite(f"broken_{name}.py", "--select", f"{area}/*")
    assert outcome.code == 1
    cases = [case for case in outcome.verdicts() if case.startswith(area)]
    assert {outcome.verdicts()[case] for case in cases} <= {"fail", "warn"}
    assert all(why in outcome.why(case) for case in cases)


def test_what_should_be_so_and_is_not_is_a_warning(suite) -> None:
    outcome = suite("broken_linkage.py", "--select", "sleep/grouping/*")
    assert outcome.code == 0
    names = {case.removeprefix("sleep/grouping/") for case in outcome.having("warn")}
    ties = {"tie", "tie-with-a-group"}
    assert names == {"best-first", "by-the-mean", "weight-of-the-far-one-below"} | ties


def test_every_broken_adapter_is_tried() -> None:
    names = {path.stem.removeprefix("broken_") for path in ADAPTERS.glob("broken_*.py")}
    others = {"session", "copies", "origin", "seen", "linkage"}
    others |= {"code", "place", "fields", "types", "start"}
    assert names == BROKEN.keys() | SHOWN.keys() | others


def test_adapter_of_another_major_does_not_start(suite, capsys) -> None:
    assert suite("broken_start.py").code == 3
    assert "speaks 2.0, not 1.0" in capsys.readouterr().err
