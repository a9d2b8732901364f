"""Takes every file that is not there for one that its owner deleted."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["render"]


def render(request: dict[str, Any]) -> Any:
    given = request["input"]
    there = {file["path"].rpartition("/")[2] for file in given.get("files", ())}
    written = (given.get("written") or {}).get("files", {})
    gone = [name.removeprefix("remem-").removesuffix(".md") for name in written.keys() - there]
    return {**original(request), "vetoed": gone}


adapter.OPERATIONS["render"] = render
adapter.main()
