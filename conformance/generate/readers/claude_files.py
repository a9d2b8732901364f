"""Claude Code: damage, copies, and the files of subagents."""

from conformance.generate.readers.claude_rows import SESSION, Log, session_file, text, uses
from conformance.generate.readers.shapes import (
    agent,
    call,
    compact,
    file,
    large_file,
    person,
    read,
    session,
    spelled,
)
from conformance.generate.shapes import Cases

FOLDER = "projects/-home-ana-orchard"


def cases() -> Cases:
    """Yield the cases."""
    yield from _damage()
    yield from _long_rows()
    yield from _trees()
    yield from _copies()
    yield from _subagents()
    yield from _no_sessions()


def _damage() -> Cases:
    log = Log()
    rows = log.user("first"), b"\x00" * 300, log.user("second")
    turns = person("first"), person("second")
    yield read(
        "claude-code/damage-line-of-nuls",
        "A crash leaves a line of NULs between two rows.",
        "SES-041 RDR-004",
        session_file(*rows),
        session(*turns),
        damaged=1,
    )
    log = Log()
    yield read(
        "claude-code/damage-nuls-before-a-row",
        "NULs directly before a row: the row is whole.",
        "SES-041 RDR-004",
        session_file(log.user("first"), b"\x00" * 40 + compact(log.user("second"))),
        session(*turns),
    )
    log = Log()
    ends = spelled(log.user("first"), log.user("second"))
    yield read(
        "claude-code/damage-nuls-at-the-end",
        "A file that ends in 140 KB of NULs.",
        "SES-041 RDR-004",
        large_file(f"{FOLDER}/{SESSION}.jsonl", (ends, 1), (b"\x00", 140_000)),
        session(*turns),
        damaged=1,
    )
    log = Log()
    good = [log.user(f"row {n}") for n in range(7)]
    cut = compact(good[3])[:90]
    yield read(
        "claude-code/damage-row-cut",
        "A row that is cut in the middle costs itself and nothing after it.",
        "SES-041 RDR-004",
        session_file(*good[:3], cut, *good[4:]),
        session(*[person(f"row {n}") for n in (0, 1, 2, 4, 5, 6)]),
        damaged=1,
    )
    row = compact(Log().user("see MARK")).replace(b"MARK", b"\\ud83d")
    yield read(
        "claude-code/damage-half-an-emoji",
        "A cut through a surrogate pair: the row is kept.",
        "SES-013 SES-041 RDR-004",
        session_file(row),
        session(person("see")),
    )
    last = spelled(Log().user("first"))[:-1]
    yield read(
        "claude-code/no-end-of-the-last-line",
        "The last line may lack its end.",
        "SES-041 RDR-004",
        file(f"{FOLDER}/{SESSION}.jsonl", last),
        session(person("first")),
        damaged=0,
    )


def _long_rows() -> Cases:
    for name, why, count in (
        ("picture-of-70-kb", "A row with a picture of 70 KB.", 70 * 1024),
        ("output-of-11-mb", "A row of 11 MB.", 11 << 20),
    ):
        log = Log()
        before = log.says(uses("t1"), reply="msg_a")
        long = compact(log.result("t1", "MARK")).split(b"MARK")
        after = log.user("and now?")
        path = f"{FOLDER}/{SESSION}.jsonl"
        pieces = (spelled(before) + long[0], 1), (b"a", count), (long[1] + b"\n", 1)
        yield read(
            f"claude-code/long-row-{name}",
            f"{why} No small limit on a line may cost it or the rest.",
            "SES-041 RDR-004",
            large_file(path, *pieces, (spelled(after), 1)),
            session(agent(None, call("ok")), person("and now?")),
            damaged=0,
        )


def _trees() -> Cases:
    log = Log()
    first = log.user("first")
    snapshot = {"type": "file-history-snapshot", "messageId": first["uuid"], "snapshot": {}}
    yield read(
        "claude-code/snapshot-with-the-uuid-of-a-row",
        "A snapshot names a message by its uuid, and is no message.",
        "SES-016 RDR-005 RDR-104",
        session_file(first, snapshot, log.user("second")),
        session(person("first"), person("second")),
        damaged=0,
    )
    for name, why, changes in (
        ("parent-never-written", "A parent that stands nowhere.", {1: "no-such-row"}),
        ("parents-in-a-circle", "Two rows are each other's parents.", {0: "B", 1: "A"}),
    ):
        log = Log()
        rows = [log.user("first"), log.user("second"), log.user("third")]
        names = {"A": rows[0]["uuid"], "B": rows[1]["uuid"]}
        for place, parent in changes.items():
            rows[place]["parentUuid"] = names.get(parent, parent)
        yield read(
            f"claude-code/{name}",
            f"{why} The order of the file holds, and nothing is lost.",
            "SES-005 SES-041 RDR-104",
            session_file(*rows),
            session(person("first"), person("second"), person("third")),
        )
    log = Log()
    strange = log.beside("mood-ring", colour="teal"), log.row("hologram", message={"x": 1})
    yield read(
        "claude-code/rows-of-unknown-types",
        "New types of rows come every few weeks; they are no damage.",
        "SES-041 RDR-005",
        session_file(log.user("first"), *strange, log.user("second", novelty=[1])),
        session(person("first"), person("second")),
        damaged=0,
    )


def _copies() -> Cases:
    log = Log()
    old = [log.user("first"), log.says("One.", reply="msg_a")]
    other = SESSION.replace("1", "2")
    copied = [{**row, "sessionId": other} for row in old]
    new = Log(other, start=50)
    yield read(
        "claude-code/resumed-into-a-new-file",
        "A resume copies the rows before it: they are given out once, with the earlier file.",
        "SES-040 RDR-002 RDR-105 ADP-030 ADP-031",
        [session_file(*old), session_file(*copied, new.user("second"), session=other)],
        session(person("first"), agent("One."), id=SESSION),
        session(person("second"), id=other),
    )
    row = Log().user("first")
    yield read(
        "claude-code/row-twice-in-a-file",
        "A host may write the first row twice.",
        "SES-016 SES-040 RDR-105",
        session_file(row, row),
        session(person("first")),
    )


def _subagents() -> Cases:
    log = Log()
    main = session_file(log.user("Look around."), log.says("I have.", reply="msg_a"))
    told = session(person("Look around."), agent("I have."), id=SESSION, parent=None)
    path = f"{FOLDER}/{SESSION}/subagents"
    found = session(agent("Found."), parent=SESSION)
    inner = [_subagent(f"{path}/agent-ab1.jsonl", "ab1", 100)]
    deeper = _subagent(f"{path}/workflows/wf_1/agent-ab2.jsonl", "ab2", 200)
    journal = file(f"{path}/workflows/wf_1/journal.jsonl", spelled({"type": "step", "n": 1}))
    yield read(
        "claude-code/subagents-in-files",
        "Subagents bear the parent's name in their rows, and are sessions of their own. A journal "
        "beside them is no transcript.",
        "SES-008 SES-011 SES-042 RDR-106",
        [main, *inner, deeper, journal],
        told,
        found,
        found,
        damaged=0,
        failed=[],
    )
    yield read(
        "claude-code/subagent-without-its-parents-file",
        "The parent's file is gone.",
        "SES-008 SES-042 RDR-106",
        inner,
        found,
    )
    log, side = Log(), Log(start=100, isSidechain=True)
    rows = [log.user("Look around."), side.user("Find a.py"), side.says("Found.", reply="msg_s")]
    yield read(
        "claude-code/subagent-among-the-rows",
        "Old versions wrote the subagent's rows between the others.",
        "SES-008 SES-011 SES-042 RDR-106",
        session_file(*rows, log.says("I have.", reply="msg_a")),
        told,
        found,
    )


def _subagent(path: str, name: str, start: int) -> dict[str, object]:
    log = Log(start=start, isSidechain=True, agentId=name)
    return file(path, spelled(log.user("Find a.py"), log.says("Found.", reply=f"msg_{name}")))


def _no_sessions() -> Cases:
    log = Log()
    yield read(
        "claude-code/no-session-in-a-file",
        "An empty file, and one of notes alone, are no sessions, and no failure.",
        "SES-041 RDR-002",
        [
            file(f"{FOLDER}/empty.jsonl", b""),
            session_file({"type": "summary", "summary": "Pins", "leafUuid": "x"}),
            session_file(log.user([text("first")]), session="other"),
        ],
        session(person("first")),
        damaged=0,
        failed=[],
    )
    windows = Log(cwd="C:\\Users\\ana\\Orchard")
    yield read(
        "claude-code/folder-of-windows",
        "A folder is given as the host recorded it.",
        "SES-007",
        file("projects/C--Users-ana-Orchard/s-1.jsonl", spelled(windows.user("first"))),
        session(person("first"), cwd="C:\\Users\\ana\\Orchard"),
    )
