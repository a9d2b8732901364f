"""The id that an event shares with its copies in resumed and forked sessions (MEM-003)."""

from remem_protocol import Event, SessionSummary, content_id, event_words

TWIN_DOMAIN = "remem/1/twin"


def twin_id(event: Event) -> str:
    """Return the id that an event shares with its copies in other sessions.

    A session's summary has no copy: two sessions that begin alike are two sessions.
    """
    if isinstance(event, SessionSummary):
        return event.id
    return content_id(TWIN_DOMAIN, [event.kind, event.project, event.at, *event_words(event)])
