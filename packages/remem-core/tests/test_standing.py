"""Which corrections carry a wish that holds another day, and which pass with their task."""

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from remem_core.embed import Embedder, open_embedder
from remem_core.lessons.sources import Source
from remem_core.lessons.standing import CUT, Vector, load_weights, pack, standing, unpack
from remem_core.lessons.standing_signs import is_empty, sign_names, signs_of

STANDING = [
    "please never rewrite the release notes, our editors own them",
    "we always pin the toolchain in this project",
    "I didn't ask you to open a ticket, ask me before you do such things",
    "stop asking me about every import, just sort them",
    "don't hide the failure, find the cause",
    "don't edit the vendored headers by hand",
    "wir schreiben Fehlermeldungen immer auf Deutsch",
    "chez nous on ne fusionne jamais sans relecture",
    "u nas nigdy nie wdrażamy bez przeglądu",
    "у нас логи всегда только на английском",
    "у нас ніхто не видаляє таблиці без дозволу",
    "我们的接口一律用复数名,以后别改",
    "うちでは勝手にAPIを変えないでください",
    "우리는 항상 리뷰 후에만 배포합니다",
    "عندنا لا تحذف أي جدول بدون إذن",
    "हमारे यहाँ बिना पूछे कोई टेबल मत हटाओ",
]
PASSING = [
    "the chart is still empty",
    "can we move this label above the slider?",
    "i meant the other dropdown",
    "why is that row grey?",
    "der Knopf fehlt immer noch",
    "no, el otro botón",
    "le menu ne marche plus",
    "questo grafico è ancora vuoto",
    "esse botão ainda não aparece",
    "die knop werkt nog steeds niet",
    "ten przycisk dalej nie działa",
    "bu düğme hâlâ görünmüyor",
    "кнопка не работает",
    "ця кнопка досі не працює",
    "这个图还是不对",
    "まだこのボタンが動きません",
    "이 버튼이 아직 안 보여요",
    "الزر ما زال لا يظهر",
    "ये बटन अभी भी काम नहीं कर रहा",
]
REFUSALS = ["no", "nope", "stop", "wait!", "nein", "нет", "不", "いや", "아니", "لا", "नहीं", "undo"]
EMPTY = ["", "   ", "?!", "```\nnever push to main\n```", "[image]", "> always lint first"]


def source(said: str, did: str = "") -> Source:
    return Source("e1", "correction", "2026-03-04T05:06:07.000000Z", None, None, said, did)


@pytest.fixture(scope="module")
def vector_of() -> Callable[[str], Vector]:
    embedder: Embedder = open_embedder({})
    return lambda text: embedder.embed([text])[0]


@pytest.mark.parametrize("said", STANDING)
def test_standing_wish_is_told_by_its_words_alone(said: str) -> None:
    assert standing(source(said)) >= CUT


@pytest.mark.parametrize("said", STANDING)
def test_standing_wish_is_told_with_its_vector(
    said: str, vector_of: Callable[[str], Vector]
) -> None:
    assert standing(source(said), vector_of(said)) >= CUT


@pytest.mark.parametrize("said", PASSING + REFUSALS)
def test_passing_correction_stays_below_the_cut(
    said: str, vector_of: Callable[[str], Vector]
) -> None:
    assert standing(source(said)) < CUT / 2
    assert standing(source(said), vector_of(said)) < CUT / 2 + 0.05


@pytest.mark.parametrize("said", EMPTY)
def test_words_with_nothing_to_read_carry_no_wish(said: str) -> None:
    assert is_empty(source(said))
    assert standing(source(said), np.ones(384, dtype=np.float32)) == 0.0


def test_wish_counts_outside_of_what_was_pasted_with_it() -> None:
    wish = "never print a customer's address in the logs"
    pasted = f"{wish}\n```\nINFO address=12 Mill Lane\n```"
    assert standing(source(pasted)) >= CUT


def test_generality_is_what_raises_a_wish_over_its_twin() -> None:
    pairs = [
        ("we never name branches after people", "the branch is named after the wrong person"),
        ("always run the migration on a copy first", "run that migration on the copy now"),
        ("nobody asked for a redesign, only fix what i name", "the redesign moved the name field"),
    ]
    for general, particular in pairs:
        assert standing(source(general)) > standing(source(particular)) + 0.3


def test_vector_moves_the_judgement_both_ways() -> None:
    words = source("could you keep the tests small")
    towards = load_weights().vector
    pulled = standing(words, towards / np.linalg.norm(towards))
    pushed = standing(words, -towards / np.linalg.norm(towards))
    assert pushed < pulled


@pytest.mark.parametrize("vector", [np.zeros(384), np.ones(256)])
def test_vector_of_another_space_or_of_nothing_is_left_out(vector: NDArray[np.float64]) -> None:
    words = source("we always squash before merging here")
    assert standing(words, vector) == standing(words)


def test_same_words_get_the_same_probability() -> None:
    words = source("never again without a backup, please", "I dropped the table.")
    assert standing(words) == standing(words)
    assert 0.0 < standing(words) < 1.0


def test_unmarked_words_of_any_language_are_read_for_cues() -> None:
    signs = dict(zip(sign_names(), signs_of(source("nunca")), strict=True))
    assert signs["always"] == 1.0


def test_english_words_are_not_read_by_another_languages_cues() -> None:
    # "sin" forbids in Spanish, "die" and "hier" mean something else in German and Dutch.
    signs = dict(zip(sign_names(), signs_of(source("the sin function will die")), strict=True))
    assert signs["forbid"] == 0.0


def test_weights_for_other_signs_are_refused() -> None:
    weights = load_weights()
    packed = pack(weights.mean, weights.vector)
    older = msgspec.structs.replace(weights.facts, features=0)
    with pytest.raises(ValueError, match="signs 0"):
        unpack(packed, older)


def test_packing_keeps_the_weights() -> None:
    weights = load_weights()
    again = unpack(pack(weights.mean, weights.vector), weights.facts)
    assert np.array_equal(again.vector, weights.vector)
    assert np.array_equal(again.mean, weights.mean)


@pytest.mark.parametrize(
    "said",
    [
        "no, use uv, not pip",
        "pnpm statt npm bitte",
        "podman au lieu de docker",
        "不要用npm,用 pnpm",
        "tabs, not spaces",
    ],
)
def test_one_tool_rather_than_another_is_a_habit(said: str) -> None:
    assert standing(source(said)) >= CUT


def test_two_tools_without_a_preference_are_none_by_that() -> None:
    assert standing(source("git and docker are both installed now")) < CUT
