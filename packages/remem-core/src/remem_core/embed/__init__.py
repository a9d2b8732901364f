"""Text to vectors. Which space is used is the owner's choice, `REMEM_EMBED`; without a choice it
is a small model on this machine. Nothing is downloaded, and importing this package loads no model
and no numpy: whoever only reads keywords or lists episodes doesn't pay for vectors.
"""

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from remem_core.embed.errors import EmbedderError, EmbedderSettingError, EmbedderWarning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Embedder",
    "EmbedderError",
    "EmbedderSettingError",
    "EmbedderWarning",
    "embed_question",
    "open_embedder",
]

VARIABLE = "REMEM_EMBED"
FORMS = "onnx, onnx:DIR, ollama, ollama:MODEL or hashed"


class Embedder(Protocol):
    """Something that turns texts into vectors of one space."""

    @property
    def space(self) -> str:
        """The space's name. Only vectors of one space may be compared."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector a text, in the order given: float32, shape (len(texts), dimensions).

        Rows have length 1. A text in which there is nothing to embed (empty, blank, for `hashed`
        only stop words) has a row of zeros, so its cosine with everything is 0.
        """


def embed_question(embedder: Embedder, text: str) -> "NDArray[np.float32]":
    """Return the vector of one question, by the embedder's own way for these where it has one."""
    own = getattr(embedder, "embed_question", None)
    vector: NDArray[np.float32] = embedder.embed([text])[0] if own is None else own(text)
    return vector


def open_embedder(env: Mapping[str, str] = os.environ) -> Embedder:
    """Return the embedder that `REMEM_EMBED` names, by default the model that is installed.

    One that cannot be loaded is replaced by `hashed`, with one `EmbedderWarning` that says why:
    a memory that finds less is better than none. A value of no known form is the owner's slip
    and raises `EmbedderSettingError`.
    """
    choice = env.get(VARIABLE, "").strip() or "onnx"
    try:
        return _open(choice, env)
    except EmbedderError as error:
        warnings.warn(
            f"{error.message}; using word counts instead, which find the same words but not the "
            f"same meaning. {error.remedy}",
            EmbedderWarning,
            stacklevel=2,
        )
    return _open("hashed", env)


def _open(choice: str, env: Mapping[str, str]) -> Embedder:
    """Import one embedder's module, and only that one."""
    name, colon, rest = choice.partition(":")
    if choice == "hashed":
        from remem_core.embed.hashed import HashedEmbedder

        return HashedEmbedder()
    if choice == "onnx":
        from remem_core.embed.minilm import open_default

        return open_default()
    if name == "onnx" and rest:
        from remem_core.embed.onnx import open_folder

        return open_folder(rest)
    if name == "ollama" and bool(colon) == bool(rest):
        from remem_core.embed.ollama import open_ollama

        return open_ollama(rest or None, env)
    raise EmbedderSettingError(f"{VARIABLE}={choice!r} is none of: {FORMS}")
