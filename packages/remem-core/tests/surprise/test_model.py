"""The model beside the rules: what it finds, how sure it says it is, and what it needs."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from remem_core.surprise import detect
from remem_core.surprise.judging import CuesAlone, Heard, Opinion
from remem_core.surprise.model import open_judge
from remem_core.surprise.model.features import BAGS, CUE_SIGNS, features_of, sign_names
from remem_core.surprise.model.verdicts import load_small
from remem_core.surprise.model.verdicts import pack as pack_small
from remem_core.surprise.model.verdicts import unpack as unpack_small
from remem_core.surprise.model.weights import load_weights, pack, unpack
from remem_protocol import (
    AgentTurn,
    Call,
    CallResult,
    Correction,
    Event,
    Handback,
    PersonTurn,
    SessionHead,
    SessionSummary,
)

AT = "2026-03-04T05:06:07.000000Z"
HEAD = SessionHead(id="s1", agent="claude-code", started=AT)
REPLY = "Done. I've put the price in a float, and all 12 tests pass."


def heard(text: str, **fields: Any) -> Heard:
    plain: dict[str, Any] = {"via": "prompt", "reply": REPLY, "act": None, "cue": False}
    return Heard(text=text, **{**plain, **fields})


class Says(CuesAlone):
    """A judge that always says the same of a message."""

    def __init__(self, opinion: Opinion) -> None:
        self.opinion = opinion

    def judge(self, heard: Heard) -> Opinion:
        return self.opinion


class Elsewhere:
    """An embedder of a space that no weights were trained in."""

    space, dimensions = "elsewhere", 4

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError("not needed")


def events(opinion: Opinion, via: Any = "prompt", candidates: bool = False) -> list[Event]:
    said = PersonTurn(at=AT, text="prices are whole cents", via=via)
    turns = (AgentTurn(at=AT, text=REPLY), said)
    return list(detect(HEAD, turns, Says(opinion), candidates=candidates))


@pytest.mark.parametrize(
    "text",
    [
        "hm, prices should never be floats here, use whole cents",
        "that still fails on the second page though",
        "I'd rather we keep the old parser",
    ],
)
def test_model_finds_a_correction_that_it_was_not_told(text):
    opinion = open_judge().judge(heard(text))
    assert opinion.corrects
    assert opinion.percent >= load_weights("words").facts.threshold


@pytest.mark.parametrize("text", ["thanks, please commit it", "what does the second test check?"])
def test_model_leaves_consent_and_questions_alone(text):
    assert not open_judge().judge(heard(text)).corrects


def test_words_with_a_refusal_are_likelier_to_correct():
    judge = open_judge()
    asked = "can it not be whole cents?"
    prompt, refusal = (judge.judge(heard(asked, via=via)) for via in ("prompt", "refusal"))
    assert refusal.percent > prompt.percent


def test_cue_that_the_model_doubts_stays_a_candidate():
    opinion = open_judge().judge(heard("go ahead, thanks", cue=True))
    assert not opinion.corrects
    assert opinion.candidate


def test_embedder_of_another_space_is_not_asked():
    text = "prices are whole cents"
    assert open_judge(Elsewhere()).judge(heard(text)) == open_judge().judge(heard(text))


def test_correction_says_that_the_model_decided_and_how_sure_it_is():
    found, _ = events(Opinion(64, corrects=True))
    assert isinstance(found, Correction)
    assert (found.evidence, found.confidence, found.candidate) == ("model", 64, False)


def test_refusal_is_evidence_of_its_own():
    found, _ = events(Opinion(0), via="refusal")
    assert isinstance(found, Correction)
    assert found.evidence == "refusal"


def test_candidate_comes_out_only_when_asked_for_and_is_no_surprise():
    unsure = Opinion(24, candidate=True)
    (summary,) = events(unsure)
    found, counted = events(unsure, candidates=True)
    assert isinstance(found, Correction)
    assert found.candidate
    assert counted == summary
    assert isinstance(summary, SessionSummary)
    assert "0 surprises" in summary.gist


def test_candidate_and_correction_are_one_event_to_the_hash():
    first, _ = events(Opinion(24, candidate=True), candidates=True)
    later, _ = events(Opinion(90, corrects=True))
    assert first.id == later.id


def test_answer_of_a_hand_back_agrees_with_the_judge():
    turns = (
        AgentTurn(at=AT, text="Shall I also label the shelves?"),
        PersonTurn(at=AT, text="the shelves are labelled by hand in this house", via="prompt"),
    )
    for opinion, answer in ((Opinion(80, corrects=True), "corrected"), (Opinion(3), "other")):
        found = [e for e in detect(HEAD, turns, Says(opinion)) if isinstance(e, Handback)]
        assert [e.answer for e in found] == [answer]


def test_features_do_not_depend_on_the_order_of_a_set():
    first, second = features_of(heard("no floats, ever")), features_of(heard("no floats, ever"))
    assert all((first.bags[name] == second.bags[name]).all() for name in BAGS)
    assert all((np.diff(first.bags[name]) > 0).all() for name in BAGS)
    assert len(first.signs) == len(sign_names())
    assert set(sign_names()) >= CUE_SIGNS


@pytest.mark.parametrize("text", ["", " ", "🍏", "\ud800", "no " * 5000, "```\ncode\n```"])
def test_odd_message_is_judged_too(text):
    assert 0 <= open_judge().judge(heard(text)).percent <= 100


def test_weights_survive_packing_byte_for_byte():
    weights = load_weights("vectors")
    packed = pack(weights)
    assert pack(unpack(packed, weights.facts)) == packed
    assert len(packed) < 1_000_000


def test_weights_for_other_features_are_refused():
    weights = load_weights("words")
    facts = type(weights.facts)(**{**_fields(weights.facts), "features": 99})
    with pytest.raises(ValueError, match="features 99"):
        unpack(pack(weights), facts)


def test_weights_say_where_they_come_from():
    facts = load_weights("vectors").facts
    assert facts.space is not None
    assert sum(facts.data.values()) > 2_000
    assert set(facts.figures) >= {"invented", "real"}
    assert 0 < facts.candidate < facts.threshold < 100


def _fields(struct: Any) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def test_small_models_come_back_from_their_files_as_they_went():
    for name in ("admissions", "blame", "fine"):
        shipped = load_small(name)
        again = unpack_small(pack_small(shipped), name, shipped.facts)
        assert pack_small(again) == pack_small(shipped)
        assert len(again.rules) + len(again.signs) > 10


def test_small_model_for_other_features_is_not_used():
    shipped = load_small("blame")
    foreign = msgspec.structs.replace(shipped.facts, features=shipped.facts.features + 1)
    with pytest.raises(ValueError, match="features"):
        unpack_small(pack_small(shipped), "blame", foreign)


def test_model_blames_by_what_an_output_reads_like():
    judge = open_judge()

    def blamed(given: str, text: str) -> str:
        result = CallResult(status="failed", text=text)
        return judge.blames(Call(id="c1", tool="Bash", input=given, result=result), text)

    assert blamed("scp stock.db attic:", "lost connection") == "environment"
    assert blamed("python stock.py", "TypeError: expected int, got str at line 4") == "error"
