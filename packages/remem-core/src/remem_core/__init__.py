"""A local memory of what surprised: store, detectors, recall. Importing it loads no model."""

from remem_core.errors import BusyError, ForeignHomeError, NewerStoreError, StoreError
from remem_core.memory import Memory
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
