import pytest

from remem_core.recall.score import floor_of, parts, rescale


def test_score_is_the_stated_sum() -> None:
    got = parts(keyword=0.5, cosine=0.75, typical=0.0, age_days=30, strength=1.0)
    assert got.relevance == pytest.approx(0.55 * 0.75 + 0.45 * 0.5)
    assert got.score == pytest.approx(0.6 * got.relevance + 0.25 * 0.5 + 0.15 * 0.5)


def test_age_in_the_future_counts_as_now() -> None:
    assert parts(keyword=1, cosine=1, typical=1, age_days=-5, strength=1).recency == 1.0


def test_strength_is_capped_so_that_early_memories_do_not_win_for_ever() -> None:
    at_cap = parts(keyword=0, cosine=0, typical=0, age_days=0, strength=2)
    beyond = parts(keyword=0, cosine=0, typical=0, age_days=0, strength=50)
    assert at_cap.score == beyond.score


def test_missing_vector_takes_the_typical_place_and_no_bonus() -> None:
    waiting = parts(keyword=1, cosine=None, typical=0.4, age_days=0, strength=1)
    embedded = parts(keyword=1, cosine=0.4, typical=0.4, age_days=0, strength=1)
    assert waiting.score == embedded.score
    assert waiting.cosine is None


def test_cosine_below_the_floor_says_nothing() -> None:
    assert rescale(0.1, 0.16) == 0.0
    assert rescale(1.0, 0.16) == 1.0
    assert floor_of("minilm-l6-v2-int8@8199be6f") == 0.16
    assert floor_of("some-other-space") == 0.0
