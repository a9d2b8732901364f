"""Vectors from a model in an ONNX file, on this machine's processor: the default, and any folder
that holds model.onnx and tokenizer.json. The only module that knows onnxruntime.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from remem_core.embed.errors import EmbedderError
from remem_core.embed.tokens import Tokens, tokens_of_json

# Read once, when the library is loaded. Without it some builds keep an id of the machine in the
# owner's cache folder, count what is run and send that to their maker: nothing leaves the machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

onnxruntime.disable_telemetry_events()

# A batch's size with padding: a few short texts share one, a long text is alone. Of 1, 128, 256
# and 512 this took the least time a text; 16 mixed texts at once took twice as long, because
# their attention no longer fits the processor's caches.
BATCH_TOKENS = 128
# On two cores, 2 threads halve a text of 64 tokens and a batch; that they don't spin while they
# wait keeps them from being slower than 1 when another program has the second core.
THREADS = 2


class OnnxEmbedder:
    """A sentence encoder: tokens, the model, the mean over a text's tokens, length 1.

    A text's vector doesn't depend on what it is embedded together with, so it may be kept.
    """

    def __init__(self, model: bytes | Path, tokens: Tokens, space: str) -> None:
        self.space = space
        self._session = _open_session(model)
        self._inputs = {port.name for port in self._session.get_inputs()}
        self._tokens = tokens
        self.dimensions = int(self._forward([tokens.of("a")]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text; see `Embedder.embed`."""
        tokens = [self._tokens.of(text) for text in texts]
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        worded = [i for i, ids in enumerate(tokens) if len(ids) > self._tokens.special]
        for batch in batches({i: len(tokens[i]) for i in worded}):
            rows[batch] = self._forward([tokens[i] for i in batch])
        return rows

    def _forward(self, tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Run one batch of token ids, padded to its longest, and return unit rows."""
        ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(tokens):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(
            None, {name: value for name, value in feeds.items() if name in self._inputs}
        )[0]
        # Each text's own tokens are summed alone: a padded sum could round differently.
        mean = np.stack([hidden[row, : len(text)].mean(axis=0) for row, text in enumerate(tokens)])
        unit: NDArray[np.float32] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit


def batches(lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield the keys of texts to run together, given their lengths in tokens, shortest first.

    Texts of about one length share a batch, so that none is padded far; a batch has at most
    BATCH_TOKENS with its padding, or is a single text.
    """
    batch: list[int] = []
    for key in sorted(lengths, key=lambda key: lengths[key]):
        if batch and (len(batch) + 1) * lengths[key] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(key)
    if batch:
        yield batch


def open_folder(folder: str) -> OnnxEmbedder:
    """Load model.onnx and tokenizer.json from a folder; `~` is the home directory.

    The model's first output is its tokens' vectors, whose mean is taken, or the text's own
    vector. Raises EmbedderError when either file is missing or cannot be used.
    """
    model = Path(folder).expanduser() / "model.onnx"
    tokenizer = model.with_name("tokenizer.json")
    try:
        with model.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        # By path: a large model keeps its weights in files beside it.
        tokens = tokens_of_json(tokenizer.read_text("utf-8"))
        return OnnxEmbedder(model, tokens, f"onnx:{digest[:8]}")
    # onnxruntime and tokenizers raise classes of their own, some of them plain Exception.
    except Exception as error:
        raise EmbedderError(
            f"the embedding model in {folder} cannot be loaded ({error})",
            "REMEM_EMBED=onnx:DIR needs DIR/model.onnx and DIR/tokenizer.json.",
        ) from error


def _open_session(model: bytes | Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_mem_pattern = False  # one plan is kept a shape; ours nearly all differ
    options.log_severity_level = 3  # errors; a warning on stderr would be noise in every command
    return onnxruntime.InferenceSession(
        model if isinstance(model, bytes) else str(model),
        options,
        providers=["CPUExecutionProvider"],
    )
