"""Ids of lessons and predictions: content hashes, so that the same night twice is one night."""

import unicodedata

from remem_protocol import content_id

LESSON_DOMAIN, WORDS_DOMAIN, PREDICTION_DOMAIN = (
    "remem/1/lesson",
    "remem/1/lesson-words",
    "remem/1/prediction",
)


def lesson_id(kind: str, project: str | None, founder: str) -> str:
    """Return the id of a lesson: its kind, its project (MEM-023), and its earliest source.

    Not its words: they may be told better one day, and its sources grow.
    """
    return content_id(LESSON_DOMAIN, [kind, project, founder])


def words_hash(kind: str, text: str) -> str:
    """Return what identifies a lesson's words across memories, whatever their case and spacing."""
    plain = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    return content_id(WORDS_DOMAIN, [kind, plain])


def prediction_id(lesson: str, made: str) -> str:
    """Return the id of what a lesson predicted at a time."""
    return content_id(PREDICTION_DOMAIN, [lesson, made])
