"""The memory of rows read, and the clipping of long texts."""

from pathlib import Path

import pytest
from claude_files import Rows, text, transcripts, write

from remem_agents.transcript import KEPT_HEAD, KEPT_TAIL, Seen, clip
from remem_protocol import Session, decode_session, encode


def test_seen_knows_every_row_however_many(rows: Rows) -> None:
    seen = Seen()
    assert all(seen.add(f"row-{number}") for number in range(20_000))
    assert not any(seen.add(f"row-{number}") for number in range(20_000))


@pytest.mark.parametrize("length", [0, KEPT_HEAD + KEPT_TAIL])
def test_short_text_is_not_clipped(length: int) -> None:
    assert clip("x" * length) == "x" * length


def test_transcript_makes_a_session_of_the_protocol(tmp_path: Path, rows: Rows) -> None:
    (transcript,) = transcripts(
        write(tmp_path / "s.jsonl", rows.user("go"), rows.agent(text("Done.")))
    )
    head, turns = transcript.head, tuple(transcript.turns)
    session = Session(
        id=head.id,
        agent=head.agent,
        cwd=head.cwd,
        started=head.started,
        ended=turns[-1].at,
        turns=turns,
    )
    assert decode_session(encode(session)) == session
