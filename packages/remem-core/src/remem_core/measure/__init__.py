"""Whether the memory helps, measured on the owner's own sessions: rates, arms, predictions, offers.

`given` holds what is measured on, as plain values; the functions beside it are pure: `course`
(before a lesson was in mind, and with it), `arms` (told and held out), `accuracy` (what came true)
and `offers` (asked or acted). `interval` says how sure a number is, `sections` and `page` tell it
all. Nothing in here knows a store, or how hooks keep their log.
"""

from remem_core.measure.given import Shown
from remem_core.measure.measured import Measured, measure

__all__ = ["Measured", "Shown", "measure"]
