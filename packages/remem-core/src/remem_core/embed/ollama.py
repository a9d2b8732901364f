"""Vectors from an Ollama that runs on this machine (`/api/embed`), for owners who have one."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from remem_core.embed.errors import EmbedderError

DEFAULT_HOST = "http://127.0.0.1:11434"
DEFAULT_MODEL = "nomic-embed-text"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
TIMEOUT = 60.0  # seconds; the first request also loads the model
BATCH = 32
REMEDY = "Start Ollama and pull the model, or choose REMEM_EMBED=onnx."


class OllamaEmbedder:
    """A model served by Ollama. Every text goes to the server; nothing else does."""

    def __init__(self, host: str, model: str) -> None:
        self.space = f"ollama:{model}"
        self._url = f"{host}/api/embed"
        self._model = model
        # No proxy: a proxy from the environment would carry the owner's words off the machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.dimensions = self._request(["a"]).shape[1]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text; see `Embedder.embed`.

        Raises EmbedderError when the server stops answering. It doesn't go on with another
        embedder then: vectors of two spaces can't be mixed.
        """
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        for start in range(0, len(filled), BATCH):
            batch = filled[start : start + BATCH]
            vectors = self._request([texts[i] for i in batch])
            if vectors.shape[1] != self.dimensions:
                raise EmbedderError(f"the model {self._model} changed meanwhile", REMEDY)
            rows[batch] = vectors
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(lengths > 0, lengths, 1)
        return rows

    def _request(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Ask for the vectors of a few texts, shape (len(texts), what the model has)."""
        body = json.dumps({"model": self._model, "input": list(texts), "truncate": True})
        request = urllib.request.Request(
            self._url, body.encode("utf-8"), {"Content-Type": "application/json"}
        )
        try:
            with self._opener.open(request, timeout=TIMEOUT) as reply:
                rows = np.asarray(json.load(reply)["embeddings"], dtype=np.float32)
        except urllib.error.HTTPError as error:
            with error:
                reason = error.read(300).decode("utf-8", "replace").strip()
            raise EmbedderError(f"Ollama answered {error.code}: {reason}", REMEDY) from error
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
            raise EmbedderError(
                f"Ollama does not answer at {self._url} ({error})", REMEDY
            ) from error
        if (
            rows.ndim != 2
            or len(rows) != len(texts)
            or not rows.size
            or not np.isfinite(rows).all()
        ):
            raise EmbedderError(f"Ollama's answer for {self._model} is no list of vectors", REMEDY)
        return rows


def open_ollama(model: str | None, env: Mapping[str, str]) -> OllamaEmbedder:
    """Connect to `OLLAMA_HOST` (default 127.0.0.1:11434), which must be this machine.

    Raises EmbedderError when nothing answers there, or when it is another machine: nothing that
    was said leaves this one.
    """
    return OllamaEmbedder(host_of(env), model or DEFAULT_MODEL)


def host_of(env: Mapping[str, str]) -> str:
    """Return the server's base address, from the spellings that Ollama allows.

    0.0.0.0 is what a server listens on; a client reaches it on the loopback.
    """
    value = env.get("OLLAMA_HOST", "").strip().rstrip("/") or DEFAULT_HOST
    parts = urlsplit(value if "://" in value else f"http://{value}")
    try:
        name, port = parts.hostname or "127.0.0.1", parts.port or 11434
    except ValueError as error:
        raise EmbedderError(f"OLLAMA_HOST={value!r} is no address", REMEDY) from error
    name = "127.0.0.1" if name in {"0.0.0.0", "::"} else name
    if name not in LOOPBACK or parts.scheme not in {"http", "https"}:
        raise EmbedderError(
            f"OLLAMA_HOST={value!r} is not on this machine, and what was said stays on it",
            "Use an Ollama on 127.0.0.1, or choose REMEM_EMBED=onnx.",
        )
    return f"{parts.scheme}://[{name}]:{port}" if ":" in name else f"{parts.scheme}://{name}:{port}"
