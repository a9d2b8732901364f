"""A Codex rollout for the benchmarks, with rows of the sizes and kinds that real ones have."""

import itertools
import json
import random
from collections.abc import Callable, Iterator

Prose = Callable[[random.Random, int], str]
_REPLIES = 6


def rows(rng: random.Random, prose: Prose) -> Iterator[dict[str, object]]:
    """Give rows without end: prompts on both channels, replies with a command and its output."""
    clock = itertools.count()
    start = {"id": "019cb72d-f200-7000-8000-00000000000a", "cwd": "/srv/work/sample"}
    yield _row(clock, "session_meta", {**start, "source": "cli", "originator": "codex-tui"})
    for number in itertools.count():
        words = prose(rng, 30)
        yield _item(clock, _message("user", "input_text", words))
        yield _row(clock, "event_msg", {"type": "user_message", "message": words, "images": []})
        for reply in range(_REPLIES):
            yield from _reply(clock, rng, prose, f"call_{number}_{reply}")


def _reply(
    clock: Iterator[int], rng: random.Random, prose: Prose, call: str
) -> Iterator[dict[str, object]]:
    text = prose(rng, 40)
    yield _item(clock, {"type": "reasoning", "summary": [], "encrypted_content": prose(rng, 150)})
    yield _row(clock, "event_msg", {"type": "agent_message", "message": text})
    yield _item(clock, _message("assistant", "output_text", text))
    arguments = json.dumps({"cmd": prose(rng, 12), "workdir": "/srv/work/sample"})
    function = {"type": "function_call", "name": "exec_command", "arguments": arguments}
    yield _item(clock, {**function, "call_id": call})
    length = 60_000 if rng.random() < 0.002 else int(rng.paretovariate(1.1) * 150)
    head = (
        f"Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code {length % 20 == 0:d}"
    )
    output = f"{head}\nOriginal token count: 9\nOutput:\n{prose(rng, min(length, 60_000))}"
    yield _item(clock, {"type": "function_call_output", "call_id": call, "output": output})
    usage = {"input_tokens": 18_089, "cached_input_tokens": 2_432, "output_tokens": 639}
    info = {"total_token_usage": usage, "last_token_usage": usage, "model_context_window": 258_400}
    yield _row(clock, "event_msg", {"type": "token_count", "info": info, "rate_limits": {}})


def _message(role: str, kind: str, text: str) -> dict[str, object]:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _item(clock: Iterator[int], payload: dict[str, object]) -> dict[str, object]:
    return _row(clock, "response_item", payload)


def _row(clock: Iterator[int], kind: str, payload: dict[str, object]) -> dict[str, object]:
    tick = next(clock)  # a quarter of a second
    hours, rest = divmod(tick // 4, 3600)
    at = f"2026-03-{4 + hours // 24:02}T{hours % 24:02}:{rest // 60:02}:{rest % 60:02}"
    return {"timestamp": f"{at}.{tick % 4 * 250:03}Z", "type": kind, "payload": payload}
