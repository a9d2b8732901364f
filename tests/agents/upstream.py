"""A model provider on loopback that agents take for theirs: it answers what it was told to.

It speaks Anthropic Messages, OpenAI Responses and Gemini generateContent over a real socket, and
keeps every request, so that a test can look at what would have reached the model.
"""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import dialects
from dialects import Reply, Say


@dataclass(frozen=True)
class Request:
    """What one call of the model's API brought."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All that the model would read, as JSON."""
        return json.dumps(self.body, ensure_ascii=False)


class Upstream:
    """The provider: `script` says what the next turns are answered, `turns` what they brought."""

    def __init__(self) -> None:
        self._replies: list[Reply] = []
        self._lock = threading.Lock()
        self.before_reply: Callable[[], None] = lambda: None  # as a model takes its time
        self.turns: list[Request] = []
        self.others: list[Request] = []  # titles, routing, token counts
        handler = type("Handler", (_Handler,), {"upstream": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *replies: Reply) -> None:
        """Say what the next requests of a turn are answered; afterwards it is `Done.`"""
        with self._lock:
            self._replies = list(replies)

    def take(self) -> list[Request]:
        """Return the requests of turns since the last time, in order."""
        with self._lock:
            taken, self.turns = self.turns, []
        return taken

    def reply_to(self, request: Request) -> Reply:
        """Keep a request, and return what to answer."""
        with self._lock:
            if not dialects.is_turn(request.path, request.body):
                self.others.append(request)
                return Say(dialects.aside(request.body))
            self.turns.append(request)
            return self._replies.pop(0) if self._replies else Say("Done.")

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One connection; HTTP/1.1 with chunks, as the providers do."""

    protocol_version = "HTTP/1.1"
    upstream: Upstream

    def log_message(self, *args: object) -> None:
        """Say nothing: the requests are kept."""

    def do_HEAD(self) -> None:
        self._send(200, "text/plain", [])

    def do_GET(self) -> None:
        if self.headers.get("upgrade"):  # Codex tries a web socket first, and takes this for a no
            self._send(426, "text/plain", [])
            return
        self._send(200, "application/json", [b'{"object":"list","data":[],"models":[]}'])

    def do_POST(self) -> None:
        body = self._body()
        path = self.path.partition("?")[0]
        if dialects.is_count(path):
            self._send(200, "application/json", [dialects.COUNT])
            return
        request = Request(self.path, dict(self.headers), body)
        reply = self.upstream.reply_to(request)
        self.upstream.before_reply()
        kind, parts = dialects.answer(path, body, reply)
        self._send(200, kind, parts)

    def _body(self) -> dict[str, Any]:
        raw = b""
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            while size := int(self.rfile.readline(), 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        found = json.loads(raw or b"{}")
        return found if isinstance(found, dict) else {}

    def _send(self, status: int, kind: str, parts: Sequence[bytes]) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if not parts:
            self.send_header("content-length", "0")
            self.end_headers()
            return
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for part in (*parts, b""):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()
