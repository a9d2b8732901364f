"""Ollama over a real socket: a server on the loopback that answers as Ollama's /api/embed does."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from remem_core.embed import EmbedderError, EmbedderWarning, open_embedder
from remem_core.embed.ollama import host_of


class Ollama(ThreadingHTTPServer):
    """Answers with [length, words, 2] a text, not normalised; `reply` replaces the next answers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, object]] = []
        self.reply: tuple[int, str] | None = None

    @property
    def env(self) -> dict[str, str]:
        return {"REMEM_EMBED": "ollama", "OLLAMA_HOST": f"127.0.0.1:{self.server_port}"}


class Handler(BaseHTTPRequestHandler):
    server: Ollama

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        vectors = [[len(text), text.count(" ") + 1, 2] for text in asked["input"]]
        known = self.path == "/api/embed" and asked["model"] != "missing"
        answer = (200, {"embeddings": vectors}) if known else (404, {"error": "model not found"})
        status, body = self.server.reply or (answer[0], json.dumps(answer[1]))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Keep the test's output quiet."""


@pytest.fixture
def ollama() -> Iterator[Ollama]:
    with Ollama() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_rows_are_of_length_one_and_in_order(ollama: Ollama) -> None:
    embedder = open_embedder(ollama.env)
    rows = embedder.embed(["one two", "", "three"])
    assert (embedder.space, embedder.dimensions) == ("ollama:nomic-embed-text", 3)
    expected = np.array([[7, 2, 2], [0, 0, 0], [5, 1, 2]], dtype=np.float32)
    expected[[0, 2]] /= np.linalg.norm(expected[[0, 2]], axis=1, keepdims=True)
    np.testing.assert_allclose(rows, expected, rtol=1e-6)
    assert rows.dtype == np.float32


def test_many_texts_are_asked_in_parts(ollama: Ollama) -> None:
    embedder = open_embedder(ollama.env)
    texts = ["x" * n for n in range(1, 80)]
    rows = embedder.embed(texts)
    assert len(ollama.asked) == 1 + 3
    np.testing.assert_allclose(rows[:, 0] / rows[:, 1], range(1, 80), rtol=1e-5)


def test_model_may_be_named_with_its_tag(ollama: Ollama) -> None:
    embedder = open_embedder({**ollama.env, "REMEM_EMBED": "ollama:all-minilm:22m"})
    assert embedder.space == "ollama:all-minilm:22m"
    assert ollama.asked[0]["model"] == "all-minilm:22m"


def test_proxy_of_the_environment_is_not_used(
    ollama: Ollama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert open_embedder(ollama.env).dimensions == 3


def test_missing_model_falls_back_to_word_counts(ollama: Ollama) -> None:
    with pytest.warns(EmbedderWarning, match="404.*model not found.*pull the model"):
        embedder = open_embedder({**ollama.env, "REMEM_EMBED": "ollama:missing"})
    assert embedder.space == "hashed-256@1"


@pytest.mark.parametrize(
    "body", ["not json", "[]", "{}", '{"embeddings": [[]]}', '{"embeddings": [["a"]]}']
)
def test_answer_of_another_program_falls_back_to_word_counts(ollama: Ollama, body: str) -> None:
    ollama.reply = (200, body)
    with pytest.warns(EmbedderWarning):
        assert open_embedder(ollama.env).space == "hashed-256@1"


def test_no_server_falls_back_to_word_counts(ollama: Ollama) -> None:
    env = ollama.env
    ollama.socket.close()
    with pytest.warns(EmbedderWarning, match="does not answer"):
        assert open_embedder(env).space == "hashed-256@1"


def test_server_that_stops_answering_is_an_error_not_other_vectors(ollama: Ollama) -> None:
    embedder = open_embedder(ollama.env)
    ollama.reply = (500, "out of memory")
    with pytest.raises(EmbedderError, match="out of memory"):
        embedder.embed(["words"])


def test_server_that_changes_its_model_is_an_error(ollama: Ollama) -> None:
    embedder = open_embedder(ollama.env)
    ollama.reply = (200, '{"embeddings": [[1, 2]]}')
    with pytest.raises(EmbedderError, match="changed"):
        embedder.embed(["words"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "http://127.0.0.1:11434"),
        ("localhost", "http://localhost:11434"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ],
)
def test_host_has_the_spellings_of_ollama(value: str, expected: str) -> None:
    assert host_of({"OLLAMA_HOST": value}) == expected


@pytest.mark.parametrize("value", ["192.0.2.7", "https://embed.example", "file:///x", "x:y"])
def test_host_elsewhere_is_refused(value: str) -> None:
    with pytest.warns(EmbedderWarning, match="OLLAMA_HOST"):
        embedder = open_embedder({"REMEM_EMBED": "ollama", "OLLAMA_HOST": value})
    assert embedder.space == "hashed-256@1"
