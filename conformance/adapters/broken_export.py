"""Exports episodes as they came in, not in order."""

import minimal
import minimal_store
import tiny_store

original = tiny_store.place
tiny_store.place = lambda record, fields: (
    [] if record["type"] == "episode" else original(record, fields)
)
minimal_store.speak()
minimal.main()
