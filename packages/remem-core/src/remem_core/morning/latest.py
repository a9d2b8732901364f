"""The last night's report, told anew from the store whenever it is asked for: a file keeps what it
quoted, the read path does not.
"""

from remem_core.morning.files import last_night, write
from remem_core.morning.gather import gather
from remem_core.morning.report import Morning
from remem_core.paths import Locations
from remem_core.store.connection import Connection


def latest(db: Connection, places: Locations) -> Morning | None:
    """Return what the last night changed, without what may not be told any more; None before it."""
    night = last_night(places)
    return None if night is None else gather(db, now=night[0], since_seq=night[1])


def refresh(db: Connection, places: Locations) -> Morning | None:
    """Write the last night's report anew, when there is one: after a veto, after forgetting."""
    morning = latest(db, places)
    if morning is not None:
        write(places, morning)
    return morning
