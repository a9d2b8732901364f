"""A language model behind an OpenAI-compatible server that the owner names in `REMEM_LLM`: one
question, one answer in JSON, and nothing is connected to until it is asked.
"""

import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from remem_core.errors import ModelError, ModelSettingError

VARIABLE = "REMEM_LLM"
FORMS = "0, or URL#MODEL such as http://localhost:11434/v1#qwen3:4b (no user, no query)"
TIMEOUT = 30.0  # seconds; a model may have to be loaded first
ANSWER = 65_536  # bytes that an answer has at most

T = TypeVar("T")


class Client:
    """Asks one model of one server."""

    def __init__(self, server: str, model: str, *, timeout: float = TIMEOUT) -> None:
        self._url = f"{server}/chat/completions"
        self._model = model
        self._timeout = timeout
        # Only the server that was named: no proxy of the environment, no redirect elsewhere.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)

    def __str__(self) -> str:
        """Name the model and where it is asked."""
        return f"{self._model} at {self._url}"

    def ask(self, task: str, shown: Any, answer: type[T], form: dict[str, Any]) -> T:
        """Return what the model answers to `shown`, as the JSON object that the task describes.

        `form` is the JSON Schema of the answer, for servers that hold a model to one. Raises
        ModelError, which never quotes the answer.
        """
        try:
            reply = msgspec.json.decode(self._send(self._question(task, shown, form)), type=_Reply)
            return msgspec.json.decode(reply.choices[0].message.content, type=answer)
        except urllib.error.HTTPError as error:
            error.close()
            raise ModelError(f"{self} answered {error.code}") from error
        except OSError as error:
            raise ModelError(f"{self} does not answer ({error})") from error
        except (HTTPException, msgspec.MsgspecError, ValueError, RecursionError) as error:
            name = answer.__name__.strip("_").lower()
            raise ModelError(f"{self} gave no {name}") from error

    def _question(self, task: str, shown: Any, form: dict[str, Any]) -> bytes:
        schema = {"name": "answer", "strict": True, "schema": form}
        return msgspec.json.encode(
            {
                "model": self._model,
                "temperature": 0,
                "stream": False,
                "response_format": {"type": "json_schema", "json_schema": schema},
                "messages": [
                    {"role": "system", "content": task},
                    {"role": "user", "content": msgspec.json.encode(shown).decode()},
                ],
            }
        )

    def _send(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._url, body, headers)
        with self._opener.open(request, timeout=self._timeout) as reply:
            answer: bytes = reply.read(ANSWER + 1)
        if len(answer) > ANSWER:
            raise ValueError(f"more than {ANSWER} bytes")
        return answer


def open_client(env: Mapping[str, str] = os.environ) -> Client | None:
    """Return the model that `REMEM_LLM` names, None without one; nothing is connected to yet.

    Raises ModelSettingError, which does not repeat the value: there may be a password in it.
    """
    value = env.get(VARIABLE, "").strip()
    if value in ("", "0"):
        return None
    server, _, model = value.partition("#")
    if not model.strip() or not _is_server(server):
        raise ModelSettingError(f"{VARIABLE} must be {FORMS}")
    return Client(server.rstrip("/"), model.strip())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Takes a redirect for the failure that it is here."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Message(msgspec.Struct):
    content: str


class _Choice(msgspec.Struct):
    message: _Message


class _Reply(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1)]


def _is_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises when it is no number
    except ValueError:
        return False
    plain = not parts.query and "@" not in parts.netloc and url.split() == [url]
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain
