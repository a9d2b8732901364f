"""What holds for any input: round trips, stable ids, and no error but ours."""

import contextlib
import datetime
import json

from hypothesis import given
from hypothesis import strategies as st

from remem_protocol import (
    AgentTurn,
    Call,
    CallResult,
    Correction,
    Failure,
    Handback,
    MalformedError,
    Note,
    PersonTurn,
    RememError,
    Session,
    UnknownEvent,
    decode_event,
    decode_events,
    decode_object,
    decode_record,
    decode_session,
    encode,
    encode_stream,
    event_id,
    format_time,
    normalise_time,
    parse_time,
    preimage,
)

moments = st.datetimes(timezones=st.just(datetime.UTC))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
filled = texts.filter(bool)
maybe = st.none() | texts
common = {
    "at": moments.map(format_time),
    "source": st.sampled_from(["owner", "tool", "agent", "external"]),
    "session": maybe,
    "project": maybe,
    "cwd": maybe,
    "ref": maybe,
}
events = st.one_of(
    st.builds(
        Correction,
        said=texts,
        cause=st.sampled_from(["message", "refusal", "steering", "comment"]),
        agent_did=maybe,
        ended=st.none() | st.sampled_from(["offer", "waiting", "question"]),
        **common,
    ),
    st.builds(Failure, tool=filled, failure=filled, description=maybe, call=maybe, **common),
    st.builds(Note, text=filled, trigger=maybe, **common),
    st.builds(
        Handback,
        act=st.sampled_from(["offer", "waiting", "question"]),
        answer=st.sampled_from(["corrected", "declined", "approved", "other"]),
        action=maybe,
        **common,
    ),
)
results = st.builds(CallResult, status=st.sampled_from(["ok", "failed", "missing"]), text=texts)
calls = st.builds(Call, id=texts, tool=filled, result=results, description=texts, input=texts)
turns = st.one_of(
    st.builds(PersonTurn, at=common["at"], text=texts, via=st.sampled_from(["prompt", "refusal"])),
    st.builds(AgentTurn, at=common["at"], text=texts, calls=st.lists(calls, max_size=3).map(tuple)),
)
sessions = st.builds(
    Session,
    id=filled,
    agent=filled,
    project=maybe,
    started=st.just("2026-03-04T09:00:00.000000Z"),
    ended=st.just("2026-03-04T10:00:00.000000Z"),
    turns=st.lists(turns, max_size=5).map(tuple),
)
trees = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=6,
)
# Objects that look like ours reach further into the decoders than noise does.
likely = st.fixed_dictionaries(
    {"v": st.sampled_from(["1.0", "1.5", "2.0", "x"]) | trees},
    optional={
        "kind": st.sampled_from(["note", "correction", "session", "dream"]) | trees,
        "type": st.sampled_from(["session", "episode", "ledger", "dream"]) | trees,
        "at": st.sampled_from(["2026-02-30T00:00:00.000000Z"]) | common["at"] | trees,
        "id": trees,
        "source": st.sampled_from(["owner", "x"]) | trees,
        "text": trees,
        "turns": st.lists(trees, max_size=2),
        "started": common["at"] | trees,
    },
)
lines = st.binary(max_size=80) | (trees | likely).map(
    lambda tree: json.dumps(tree, ensure_ascii=True).encode()
)


@given(events)
def test_an_event_comes_back_as_it_was(event):
    assert decode_event(encode(event)) == event
    assert event_id(event) == event.id


@given(sessions)
def test_a_session_comes_back_as_it_was(session):
    assert decode_session(encode(session)) == session


@given(st.lists(events, max_size=6))
def test_a_stream_comes_back_as_it_was(many):
    data = b"".join(encode_stream(many))
    assert [event for _, event in decode_events(data)] == many


@given(lines)
def test_decoding_raises_no_error_but_ours(line):
    for decode in (decode_object, decode_event, decode_session, decode_record):
        with contextlib.suppress(RememError):
            decode(line)


@given(lines)
def test_what_is_read_can_be_written_and_read_again(line):
    for decode in (decode_event, decode_session, decode_record):
        try:
            record = decode(line)
        except RememError:
            continue
        assert decode(encode(record)) == record
        assert not isinstance(record, UnknownEvent) or encode(record) == line


@given(st.lists(maybe, max_size=4), st.lists(maybe, max_size=4))
def test_different_fields_have_different_bytes(one, other):
    assert (preimage("d", one) == preimage("d", other)) == (one == other)


@given(moments, moments)
def test_order_of_texts_is_order_of_times(one, other):
    assert (format_time(one) < format_time(other)) == (one < other)
    assert parse_time(format_time(one)) == one
    assert normalise_time(format_time(one)) == format_time(one)


@given(st.dictionaries(texts, st.integers(), min_size=1), st.data())
def test_a_repeated_key_is_always_found(tree, data):
    key = data.draw(st.sampled_from(sorted(tree)))
    line = json.dumps(tree)[:-1] + f", {json.dumps(key)}: 0}}"
    try:
        decode_object(line.encode())
    except MalformedError:
        return
    raise AssertionError(line)
