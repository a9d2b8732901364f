"""Takes the sound lines of a damaged import without being asked to, and says that all is well."""

from typing import Any

import minimal
import minimal_store


def import_(given: dict[str, Any]) -> dict[str, Any]:
    return minimal_store.import_({**given, "sound_only": True})


minimal_store.speak()
minimal.OPS["import"] = import_
minimal.main()
