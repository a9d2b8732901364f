"""Adapters that are broken in what they show: each is noticed, and for nothing else."""

import fnmatch
from typing import Final

import pytest

OF = "files/limits/of-*"
ARM = "prime/arm/uuid"
# Adapter: what is selected, then what of it is not passed – all of these and nothing else.
FILES: Final = {
    "restless": (["files/lessons/[flow]*"], ["files/lessons/faded"]),
    "budget": (
        ["files/limits/*"],
        [
            "files/limits/*-file",
            "files/limits/more-*",
            "files/limits/room-again",
        ],
    ),
    "revenant": (
        ["files/owner/*deleted*", "files/owner/never-written"],
        ["files/owner/deleted-*", "files/owner/all-deleted"],
    ),
    "suspicious": (
        ["files/owner/*gone", "files/owner/taken-away-*", "files/lessons/one-less"],
        ["files/owner/everything-gone"],
    ),
    "overwriting": (
        ["files/owner/reworded*", "files/owner/out-keeps-*", "files/lessons/front-matter-*"],
        ["files/owner/reworded*", "files/owner/out-keeps-*"],
    ),
    "traces": (
        ["files/owner/out-of-*", "files/section/last-*"],
        ["files/owner/out-of-*-open-*", "files/section/last-lesson-goes"],
    ),
    "raw_words": (
        ["files/words/*", "prime/saying/*"],
        [
            "files/words/*marker*",
            "files/words/comment",
            "files/words/comment-in-a-line",
            "files/words/comment-after-*",
            "files/words/bell-*",
            "files/words/escape",
            "files/words/nul",
            "prime/saying/*-marker",
            "prime/saying/comment*",
            "prime/saying/escape",
        ],
    ),
    "candidate": (
        ["files/limits/*candidate", OF, "prime/choosing/candidate"],
        ["files/limits/*candidate", "prime/choosing/candidate"],
    ),
    "neighbour": (
        ["files/limits/*project*", "prime/choosing/*project*"],
        [
            "files/limits/of-another-project",
            "files/limits/project-of-a-like-name",
            "files/limits/read-in-every-project",
            "prime/choosing/*project*",
        ],
    ),
    "unix": (
        ["files/section/[abc]*", "files/section/windows-*", "files/owner/out-of-files-*"],
        [
            "files/section/*windows-*",
            "files/section/byte-order-mark",
            "files/owner/out-of-*windows*",
        ],
    ),
    "tidy": (["files/owner/out-of-*"], ["files/owner/out-of-*-blank-lines"]),
    "anonymous": ([OF, "files/limits/read-*"], [OF]),
    "orphan": ([OF, "files/limits/read-*"], [OF]),
    "inside_git": (["files/section/be*-git*"], ["files/section/below-git-*"]),
    "guessing": (
        ["files/section/damaged-*", "files/section/not-text-*", "files/section/no-*"],
        ["files/section/damaged-*", "files/section/not-text-*"],
    ),
}
PRIMED: Final = {
    "mute": (
        ["prime/choosing/same-*", "prime/choosing/other-*", "prime/saying/observation-*"],
        ["prime/choosing/same-*", "prime/saying/observation-*"],
    ),
    "talkative": (
        ["prime/choosing/other-*", "prime/choosing/no-lessons*", "prime/choosing/own-words"],
        ["prime/choosing/other-*", "prime/choosing/own-words"],
    ),
    "forgetful": (
        ["prime/choosing/again-*", "prime/choosing/another-*", "prime/arm/*-alike"],
        [
            "prime/choosing/again-*",
            "prime/choosing/another-lesson-*",
            "prime/arm/once-alike",
        ],
    ),
    "bit": (
        ["prime/arm/*"],
        [
            "prime/arm/digits",
            "prime/arm/judged-alike",
            "prime/arm/nul",
            "prime/arm/one-letter",
            "prime/arm/path",
            "prime/arm/told",
            "prime/arm/umlaut*",
            "prime/arm/uuid-of-another",
        ],
    ),
    "blabbing": (
        ["prime/arm/*-alike", "prime/arm/silent-*", ARM],
        ["prime/arm/*-alike", "prime/arm/silent-*"],
    ),
    "unmarked": (["prime/saying/observation-*", ARM], ["prime/saying/observation-*"]),
    "imperious": (["prime/saying/observation-*", ARM], ["prime/saying/observation-*"]),
    "strange": (["prime/choosing/same-*", ARM], ["prime/choosing/same-*"]),
    "endless": (
        ["prime/saying/three-*", "prime/saying/observation-*"],
        ["prime/saying/three-long-ones"],
    ),
}
SHOWN: Final = FILES | PRIMED


@pytest.mark.parametrize("name", SHOWN)
def test_broken_adapter_is_noticed_where_it_is_broken(suite, monkeypatch, name) -> None:
    chosen, failing = SHOWN[name]
    if not any(glob.startswith("prime/") for glob in chosen):
        monkeypatch.setenv("REMEM_EMBED", "hashed")  # no model is asked what is written
    options = [word for glob in chosen for word in ("--select", glob)]
    outcome = suite(f"broken_{name}.py", *options, "--strict", "--timeout", "60")
    expected = {case for glob in failing for case in fnmatch.filter(outcome.verdicts(), glob)}
    assert outcome.code == 1
    assert {*outcome.having("fail"), *outcome.having("warn")} == expected
    assert len(outcome.having("pass")) > 0


def test_who_never_says_anything_is_only_warned(suite) -> None:
    outcome = suite("broken_mute.py", "--select", "prime/choosing/*")
    assert outcome.code == 0
    assert len(outcome.having("warn")) > 10
