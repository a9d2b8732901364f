"""The score of a hit from its relevance, its age and its strength."""

from typing import Any

from conformance.generate.shapes import Case, Cases
from conformance.generate.store.shapes import SHOULD, story

WHY = "0.6 · relevance + 0.25 · 2^(−age / 30) + 0.15 · min(strength, 2) / 2."


def cases() -> Cases:
    """Yield the family's cases; the scores are worked out by hand."""
    for name, relevance, age, strength, score in (
        ("nothing-but-relevance", 1.0, 1e6, 0.0, 0.6),
        ("nothing-but-recency", 0.0, 0.0, 0.0, 0.25),
        ("nothing-but-strength", 0.0, 1e6, 2.0, 0.15),
        ("everything", 1.0, 0.0, 2.0, 1.0),
        ("nothing", 0.0, 1e6, 0.0, 0.0),
        ("new-episode", 0.5, 0.0, 1.0, 0.625),
        ("half-life", 0.0, 30.0, 0.0, 0.125),
        ("two-half-lives", 0.0, 60.0, 0.0, 0.0625),
        ("half-a-half-life", 0.0, 15.0, 0.0, 0.1767766953),
        ("strength-of-one", 0.0, 1e6, 1.0, 0.075),
        ("strength-above-two", 0.0, 1e6, 7.5, 0.15),
        ("weak", 0.25, 30.0, 0.5, 0.3125),
        ("from-the-future", 0.0, -3.0, 0.0, 0.25),
    ):
        given = {"relevance": relevance, "age_days": age, "strength": strength}
        yield _score(name, WHY, "MEM-015", given, score)
    why = "Relevance is 0.55 · cosine + 0.45 · keyword."
    for name, cosine, keyword, score in (
        ("cosine-alone", 1.0, 0.0, 0.33),
        ("keyword-alone", 0.0, 1.0, 0.27),
        ("cosine-and-keyword", 0.8, 0.4, 0.372),
    ):
        given = {"cosine": cosine, "keyword": keyword, "age_days": 1e6, "strength": 0.0}
        yield _score(name, why, "MEM-015 MEM-016", given, score)


def _score(name: str, why: str, req: str, given: dict[str, Any], score: float) -> Case:
    step = {"op": "score", "input": given, "expect": {"near": {"score": score}}}
    return story(f"scoring/{name}", why, req, step, level=SHOULD)
