"""What may be a correction is kept, but neither counted nor recalled until somebody is sure."""

from remem_core import Memory
from remem_protocol import Correction, encode, replace_event

UNSURE = Correction(
    at="2026-03-04T09:00:00.000000Z",
    source="owner",
    session="s1",
    said="could the orchard port come from the settings?",
    cause="message",
    evidence="model",
    confidence=24,
    candidate=True,
)


def test_candidate_is_kept_but_neither_counted_nor_recalled(memory: Memory):
    report = memory.emit([UNSURE])
    assert report.new == 0
    assert memory.recall("orchard port settings") == []
    assert memory.status().by_kind.get("correction", 0) == 0
    assert memory.show(UNSURE.id).event == encode(UNSURE).decode()


def test_candidate_comes_back_when_a_reading_is_sure(memory: Memory):
    memory.emit([UNSURE])
    memory.emit([replace_event(UNSURE, candidate=False, confidence=71)])
    assert [hit.id for hit in memory.recall("orchard port settings")] == [UNSURE.id]


def test_correction_that_a_reading_doubts_is_set_aside(memory: Memory):
    memory.emit([replace_event(UNSURE, candidate=False, confidence=71)])
    memory.emit([UNSURE])
    assert memory.recall("orchard port settings") == []
