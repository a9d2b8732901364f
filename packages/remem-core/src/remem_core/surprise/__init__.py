"""The detectors: the only code that judges what was a surprise.

Pure functions of a stream of turns. They hold no more than the run of agent turns since the
person last spoke, and of that only ends and counts, and a few events that wait for what fixed a
failure, so a session of any size costs the same memory.
"""

from remem_core.surprise.detect import detect

VERSION = 4  # raised when a judgement changes; episodes of an older version are then replaced

__all__ = ["VERSION", "detect"]
