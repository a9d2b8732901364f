"""A server on the loopback that answers as an OpenAI-compatible one does, over a real socket."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest


class Model(ThreadingHTTPServer):
    """Keeps what it was asked; says `content`, or `body` as it is, with `status`.

    With `hangs` it says nothing until the test is over.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.raw = b""
        self.paths: list[str] = []
        self.content = "not json"
        self.body: bytes | None = None
        self.status = 200
        self.headers: dict[str, str] = {}
        self.hangs = False
        self.over = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def says(self, none: Any, order: Any) -> None:
        """Give this verdict from now on."""
        self.content = json.dumps({"none": none, "order": order})

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The messages that the last request showed."""
        return list(json.loads(self.asked[-1]["messages"][1]["content"]))


class Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        model = self.server
        model.raw = self.rfile.read(int(self.headers["Content-Length"]))
        model.asked.append(json.loads(model.raw))
        model.paths.append(self.path)
        if model.hangs:
            model.over.wait()
            return
        choices = [{"index": 0, "message": {"role": "assistant", "content": model.content}}]
        reply = {"id": "1", "object": "chat.completion", "choices": choices}
        body = json.dumps(reply).encode() if model.body is None else model.body
        self.send_response(model.status)
        for name, value in {"Content-Length": str(len(body)), **model.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Keep the test's output quiet."""


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()
