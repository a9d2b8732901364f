"""Does not know what a session was told."""

from typing import Any

from remem_cli import adapter, adapter_prime

original = adapter.OPERATIONS["prime"]


def prime(request: dict[str, Any]) -> Any:
    adapter_prime.TOLD.reset()
    return original(request)


adapter.OPERATIONS["prime"] = prime
adapter.main()
