"""How events are named to a person: quoted, one line, and about something."""

import pytest

from remem_core import telling
from remem_protocol import Correction, Event, Failure, Handback, Note

AT = "2026-05-01T10:00:00.000000Z"


def failed(call: str, description: str | None = None) -> Failure:
    return Failure(
        tool="Edit", call=call, description=description, failure="not found", at=AT, source="tool"
    )


@pytest.mark.parametrize(
    ("event", "heading"),
    [
        (failed('{"replace_all":false,"file_path":"/src/app.py","old'), "Edit: /src/app.py"),
        (failed('{"pattern":"a\\"b","path":""}'), 'Edit: a\\"b'),
        (failed("make test\nmake lint"), "Edit: make test"),
        (failed("make test", "Run the tests"), "Edit: Run the tests"),
        (failed(""), "Edit: not found"),
        (Note(text="\n  first   line\nsecond", at=AT, source="owner"), "first line"),
        (
            Correction(said="", cause="refusal", agent_did="Bash(rm -r x)", at=AT, source="owner"),
            "refused: Bash(rm -r x)",
        ),
        (
            Handback(act="offer", answer="approved", action="Shall I?", at=AT, source="owner"),
            "offer, approved: Shall I?",
        ),
    ],
)
def test_heading_names_what_it_is_about(event: Event, heading: str) -> None:
    assert telling.heading(event) == heading


def test_long_heading_is_cut_visibly() -> None:
    heading = telling.heading(Note(text="word " * 80, at=AT, source="owner"))
    assert len(heading) == 100
    assert heading.endswith("…")


def test_vector_of_a_correction_is_of_the_words_alone() -> None:
    event = Correction(
        said="use uv", agent_did="ran pip install", cause="message", at=AT, source="owner"
    )
    assert telling.embedded(event) == "use uv"
    assert "ran pip install" in telling.searched(event)
