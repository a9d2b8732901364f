"""Which files are rollouts, in which shapes they come, and what damage costs."""

import json
from pathlib import Path

import pytest
from backports import zstd
from claude_files import Json, calls, line, said, write
from codex_files import SESSION, Rollout, flat, rollout, transcripts, turns_of, unified

from remem_agents.codex import CodexReader
from remem_agents.registry import reader_for
from remem_agents.transcript import Seen

NAME = f"rollout-2026-03-04T06-00-00-{SESSION}"


def lines(*rows: Json | list[Json]) -> bytes:
    return b"".join(line(row) for row in flat(*rows))


def small() -> bytes:
    r = Rollout()
    return lines(r.meta(), r.user("use tabs"), r.agent("ok"))


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_roots_are_the_homes_of_live_and_archived_sessions(tmp_path: Path) -> None:
    (tmp_path / ".codex" / "sessions").mkdir(parents=True)
    (tmp_path / "other" / "archived_sessions").mkdir(parents=True)
    reader = CodexReader()
    assert reader.roots({"HOME": str(tmp_path)}) == [tmp_path / ".codex" / "sessions"]
    other = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "other")}
    assert reader.roots(other) == [tmp_path / "other" / "archived_sessions"]


def test_packed_rollout_is_read_when_the_plain_one_is_gone(tmp_path: Path) -> None:
    packed = put(tmp_path / "2026" / "03" / "04" / f"{NAME}.jsonl.zst", zstd.compress(small()))
    put(tmp_path / "history.jsonl", b"{}\n")
    put(tmp_path / "2026" / f"{NAME}.jsonl.zst.tmp", b"x")
    assert list(CodexReader().files(tmp_path)) == [packed]
    assert isinstance(reader_for(packed), CodexReader)
    (transcript,) = transcripts(packed)
    assert transcript.head.id == SESSION
    assert said(list(transcript.turns)) == [("prompt", "use tabs")]


def test_plain_rollout_wins_over_its_packed_copy(tmp_path: Path) -> None:
    plain = put(tmp_path / f"{NAME}.jsonl", small())
    put(tmp_path / f"{NAME}.jsonl.zst", zstd.compress(small()))
    assert list(CodexReader().files(tmp_path)) == [plain]


def test_session_is_named_alike_packed_or_not(tmp_path: Path) -> None:
    r = Rollout()
    without_meta = lines(r.user("use tabs"))
    plain = put(tmp_path / f"{NAME}.jsonl", without_meta)
    packed = put(tmp_path / f"{NAME}.jsonl.zst", zstd.compress(without_meta))
    assert [transcripts(path)[0].head.id for path in (plain, packed)] == [SESSION, SESSION]


def test_packed_copy_of_a_file_that_was_read_is_no_news(tmp_path: Path) -> None:
    seen = Seen()
    plain = put(tmp_path / f"{NAME}.jsonl", small())
    packed = put(tmp_path / "x" / f"{NAME}.jsonl.zst", zstd.compress(small()))
    assert len(turns_of(plain, seen)) == 2
    assert turns_of(packed, seen) == []


@pytest.mark.parametrize("kept", [0.5, 0.95])
def test_cut_packed_file_gives_what_it_has(tmp_path: Path, kept: float) -> None:
    r = Rollout()
    said_before = lines(r.meta(), r.user("use tabs"))
    noise = lines(*(r.user(f"{number} {hash(str(number))}") for number in range(3_000)))
    packed = zstd.compress(said_before) + zstd.compress(noise)
    path = put(tmp_path / f"{NAME}.jsonl.zst", packed[: int(len(packed) * kept)])
    (transcript,) = transcripts(path)
    assert next(transcript.turns).text == "use tabs"
    list(transcript.turns)
    assert transcript.notes.damaged >= 1


def test_packed_noise_is_no_session(tmp_path: Path) -> None:
    path = put(tmp_path / f"{NAME}.jsonl.zst", b"\x28\xb5\x2f\xfd" + b"\xff" * 200)
    assert reader_for(path) is None
    assert transcripts(path) == []


def test_bare_rows_of_the_first_months_are_read(tmp_path: Path) -> None:
    r = Rollout()
    meta = {"id": SESSION, "timestamp": "2025-08-20T10:00:00.000Z", "instructions": None}
    environment = "<environment_context>\n  <cwd>/srv/work/shop</cwd>\n</environment_context>"
    items = [r.user_item(environment), r.user_item("use tabs"), r.item("reasoning", summary=[])]
    output = '{"output":"x","metadata":{"exit_code":1}}'
    items += [*r.ran("a", output, name="shell", command=["ls"]), r.agent("ok")[1]]
    rows = [meta, {"record_type": "state"}, *(item["payload"] for item in items)]
    path = write(tmp_path / f"{NAME}.jsonl", *rows)
    assert isinstance(reader_for(path), CodexReader)
    (transcript,) = transcripts(path)
    turns = list(transcript.turns)
    assert (transcript.head.id, transcript.head.cwd) == (SESSION, "/srv/work/shop")
    assert said(turns) == [("prompt", "use tabs")]
    assert (calls(turns)[0].result.status, turns[-1].text) == ("failed", "ok")
    assert {turn.at for turn in turns} == {"2025-08-20T10:00:00.000000Z"}


def test_oldest_file_of_one_object_is_read(tmp_path: Path) -> None:
    words = [{"type": "input_text", "text": "use tabs"}]
    whole = {
        "session": {"timestamp": "2025-05-01T10:00:00.000Z", "id": SESSION, "instructions": ""},
        "items": [{"type": "message", "role": "user", "content": words}],
    }
    path = put(tmp_path / f"{NAME}.json", json.dumps(whole, indent=2).encode())
    assert list(CodexReader().files(tmp_path)) == [path]
    assert isinstance(reader_for(path), CodexReader)
    assert said(turns_of(path)) == [("prompt", "use tabs")]


@pytest.mark.parametrize("content", [b"", b"\n", b'{"session": {"id": "x", "timest', b"no\n"])
def test_file_without_rows_is_no_session(tmp_path: Path, content: bytes) -> None:
    assert transcripts(put(tmp_path / f"{NAME}.jsonl", content)) == []


def test_file_with_nothing_but_its_meta_is_no_session(tmp_path: Path) -> None:
    assert transcripts(rollout(tmp_path, Rollout().meta())) == []


def test_file_without_a_meta_row_is_read(tmp_path: Path) -> None:
    r = Rollout()
    path = put(tmp_path / f"{NAME}.jsonl", lines(r.context(), r.user("use tabs")))
    (transcript,) = transcripts(path)
    assert (transcript.head.id, transcript.head.cwd) == (SESSION, "/srv/work/shop")
    assert said(list(transcript.turns)) == [("prompt", "use tabs")]


@pytest.mark.parametrize(
    "stamp",
    [1772600400.25, 1772600400250, "2026-03-04T05:00:00.250Z", "2026-03-04T06:00:00.25+01:00"],
)
def test_times_may_be_numbers(tmp_path: Path, stamp: object) -> None:
    r = Rollout()
    meta = r.meta(timestamp=stamp) | {"timestamp": stamp}
    words = r.event("user_message", message="use tabs") | {"timestamp": stamp}
    (transcript,) = transcripts(rollout(tmp_path, meta, words))
    assert transcript.head.started == "2026-03-04T05:00:00.250000Z"
    assert next(transcript.turns).at == "2026-03-04T05:00:00.250000Z"


def test_rows_of_unknown_kinds_are_skipped_and_counted(tmp_path: Path) -> None:
    r = Rollout()
    odd = [
        r.row("world_state", {"full": True}),
        r.row("of_next_month", {"type": "x"}),
        r.event("of_next_month", message={"a": 1}),
        r.item("of_next_month", content="x"),
        r.done("OfNextMonth", content="x"),
    ]
    (transcript,) = transcripts(rollout(tmp_path, r.meta(), odd, r.user("use tabs")))
    assert said(list(transcript.turns)) == [("prompt", "use tabs")]
    assert (transcript.notes.skipped, transcript.notes.damaged) == (6, 0)


def raw(words: str) -> bytes:
    return line(Rollout(start=len(words)).event("user_message", message=words))


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (b"\0" * 300 + raw("two"), ["one", "two", "three"]),
        (raw("two")[:-30] + b"\n", ["one", "three"]),
        (raw("two")[:60] + raw("2nd"), ["one", "2nd", "three"]),
        (raw("two").strip() + raw("second"), ["one", "two", "second", "three"]),
        (b"no json at all\n", ["one", "three"]),
        (b'{"cut": {"type":["message"]}\n', ["one", "three"]),
        (raw("t?o").replace(b"?", b"\xff"), ["one", "t\ufffdo", "three"]),
    ],
)
def test_damaged_line_is_counted_and_the_rest_is_read(
    tmp_path: Path, damaged: bytes, words: list[str]
) -> None:
    path = rollout(tmp_path, Rollout().meta(), raw("one"), damaged, raw("three"))
    (transcript,) = transcripts(path)
    assert [turn.text for turn in transcript.turns] == words
    assert transcript.notes.damaged == 1


def test_cut_last_line_is_counted(tmp_path: Path) -> None:
    (transcript,) = transcripts(rollout(tmp_path, Rollout().meta(), raw("one"), raw("two")[:50]))
    assert [turn.text for turn in transcript.turns] == ["one"]
    assert transcript.notes.damaged == 1


def test_half_an_emoji_and_odd_fields_cost_only_themselves(tmp_path: Path) -> None:
    r = Rollout()
    half = line(r.event("user_message", message="CUT")).replace(b"CUT", rb"cut \ud83d")
    odd = r.event("user_message", message="kept") | {"ordinal": "seven"}
    odd["payload"]["call_id"] = {"a": 1}
    (transcript,) = transcripts(rollout(tmp_path, r.meta(), half, odd))
    assert [turn.text for turn in transcript.turns] == ["cut \ufffd", "kept"]
    assert transcript.notes.damaged == 0


def test_resumed_session_is_one_session(tmp_path: Path) -> None:
    r = Rollout()
    again = [r.meta(cwd="/elsewhere"), *r.user("go on"), *r.ran("b", unified("fine"))]
    path = rollout(tmp_path, r.meta(), r.user("go"), r.call("a"), again)
    (transcript,) = transcripts(path)
    turns = list(transcript.turns)
    assert (transcript.head.id, transcript.head.cwd) == (SESSION, "/srv/work/shop")
    assert said(turns) == [("prompt", "go"), ("prompt", "go on")]
    assert [call.result.status for call in calls(turns)] == ["missing", "ok"]
