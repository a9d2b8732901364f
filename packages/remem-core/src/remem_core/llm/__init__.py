"""A language model, only when the owner names one in `REMEM_LLM`: to drop and order candidates, and
to word what failed. It is never asked about anything else, and what it says is checked.
"""

from remem_core.llm.client import FORMS, VARIABLE, Client, open_client
from remem_core.llm.reviewing import CANDIDATES, Reviewer, open_reviewer
from remem_core.llm.wording import Worder, open_worder

__all__ = [
    "CANDIDATES",
    "FORMS",
    "VARIABLE",
    "Client",
    "Reviewer",
    "Worder",
    "open_client",
    "open_reviewer",
    "open_worder",
]
