"""Which corrections mean the same wish, said in other words, and how a later wish relates to an
earlier one. What was learned from labelled wishes is shipped as small files of numbers; nothing
here asks a language model. Importing this package loads numpy, but no embedder.
"""

from remem_core.linking.linker import Linker
from remem_core.linking.relation import Relation
from remem_core.linking.views import Item

__all__ = ["Item", "Linker", "Relation"]
