"""A local memory of what surprised: store, detectors, recall. Importing it loads no model."""

from typing import TYPE_CHECKING, Any

from remem_core.memory import Memory

if TYPE_CHECKING:
    from remem_core.errors import BusyError, ForeignHomeError, NewerStoreError, StoreError
    from remem_core.recall.hits import Hit
    from remem_core.recall.score import Parts
    from remem_core.reports import EmitReport, IngestReport, Status

__version__ = "0.1.0"

__all__ = [
    "BusyError",
    "EmitReport",
    "ForeignHomeError",
    "Hit",
    "IngestReport",
    "Memory",
    "NewerStoreError",
    "Parts",
    "Status",
    "StoreError",
]

# What only some programs name is imported when it is named: a hook has little time to start.
_HOME_OF = {
    **dict.fromkeys(("BusyError", "ForeignHomeError", "NewerStoreError", "StoreError"), "errors"),
    **dict.fromkeys(("EmitReport", "IngestReport", "Status"), "reports"),
    "Hit": "recall.hits",
    "Parts": "recall.score",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
