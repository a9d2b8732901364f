import pytest

from remem_core.recall.query import parse_query


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("where is amber-raven-00123", ("amber", "raven", "00123")),
        ("src/app/main.py fails", ("src", "app", "main", "py")),
        ("what about v1.2.3?", ("v1", "2", "3")),
        ("error E_CONN_RESET again", ("E", "CONN", "RESET")),
        ('he said "use the staging bucket" twice', ("use", "the", "staging", "bucket")),
        ("почему падает сборка-42", ("сборка", "42")),
    ],
)
def test_identifier_becomes_a_phrase(text: str, phrase: tuple[str, ...]) -> None:
    assert phrase in parse_query(text).names


def test_compound_word_is_a_phrase_but_demands_nothing() -> None:
    query = parse_query("my self-made router")
    assert query.compounds == (("self", "made"),)
    assert query.exact is None


def test_stop_words_are_dropped_beside_others() -> None:
    assert parse_query("what is the verification pin").words == ("verification", "pin")


def test_stop_words_are_kept_when_nothing_else_is_left() -> None:
    assert parse_query("who will be there").words == ("who", "will", "be", "there")


@pytest.mark.parametrize("text", ["", "   ", "?!", "—", "'\"*()"])
def test_question_without_words_has_no_expression(text: str) -> None:
    assert parse_query(text).any_word is None


def test_question_of_a_thousand_words_stays_bounded() -> None:
    query = parse_query(" ".join(f"word{i}" for i in range(1000)))
    assert len(query.words) == 64


def test_share_of_words_in_a_text_bridges_endings_and_whole_words_only() -> None:
    query = parse_query("which records of build-42 were deployed")
    assert query.names == (("build", "42"),)
    assert query.words == ("records", "deployed")
    assert query.share_in("The record was deploying.") == 1.0
    assert query.share_in("undeployed recs") == 0.0
    assert parse_query("build-42").share_in("anything") == 0.0
