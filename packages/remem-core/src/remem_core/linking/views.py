"""What is looked at of an item: the person's words, what the agent did or said, and both. Each
alone says too little: the same wish is said in words that share nothing, after acts that do.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remem_core.embed import Embedder

Item = tuple[str, str]
"""The person's words, and what the agent did or said; for failures and surprises, the text of the
failure or statement, and tool, description and call."""

Vectors = NDArray[np.float32]
VIEWS = 3
# A rambling reply drowns what it was answered for; its end is what a person answers.
WORDS, AGENT = 1000, 700


def texts_of(item: Item) -> tuple[str, str, str]:
    """Return the texts of the three views."""
    words, agent = item[0][:WORDS], item[1][-AGENT:]
    return words, agent, f"{agent}\n{words}" if agent else words


def embed_views(items: Sequence[Item], embedder: Embedder) -> Vectors:
    """Return the vectors of the views, side by side: shape (n, VIEWS × dimensions).

    Each text is embedded once, however many items share it.
    """
    wanted = [text for item in items for text in texts_of(item)]
    place = {text: at for at, text in enumerate(dict.fromkeys(wanted))}
    if not place:
        return np.zeros((0, VIEWS * embedder.dimensions), dtype=np.float32)
    rows = embedder.embed(list(place))
    return rows[[place[text] for text in wanted]].reshape(len(items), -1)
