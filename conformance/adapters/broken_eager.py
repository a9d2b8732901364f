"""Takes whatever a person says for a correction."""

import json
from typing import Any

from remem_cli import adapter
from remem_core.surprise import detect as original
from remem_protocol import Correction, PersonTurn, decode_session, encode


def detect(request: dict[str, Any]) -> Any:
    session = decode_session(json.dumps(request["input"]["value"]).encode("ascii"))
    head = session.head
    heard = [
        Correction(
            at=turn.at,
            source="owner",
            said=turn.text,
            cause="message",
            session=head.id,
            agent=head.agent,
            project=head.project,
            cwd=head.cwd,
        )
        for turn in session.turns
        if isinstance(turn, PersonTurn)
    ]
    events = [*heard, *original(head, session.turns)]
    return [json.loads(encode(event)) for event in events]


adapter.OPERATIONS["detect"] = detect
adapter.main()
