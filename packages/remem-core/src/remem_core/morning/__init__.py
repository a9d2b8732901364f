"""The morning report: what a night changed, told to the owner in a minute.

`gather` reads the store and the night's ledger rows into a `Morning`; `markdown` and `page` render
it and know no store; `files` writes both, `latest` tells the last night again.
"""

from remem_core.morning.files import clear, last_night, page_path, write
from remem_core.morning.gather import gather
from remem_core.morning.latest import latest, refresh
from remem_core.morning.report import Morning

__all__ = ["Morning", "clear", "gather", "last_night", "latest", "page_path", "refresh", "write"]
