"""JSON Schema of the records: `python -m remem_protocol.schema [--check] [DIR]`.

Writes one file a record type to `spec/v1/schema`; with --check writes nothing and exits with 1
when a file is stale, missing or left over.
"""

import argparse
import json
import pathlib
import sys
from typing import Any

import msgspec

from remem_protocol.events import Event
from remem_protocol.memory import Record
from remem_protocol.session import Session

RECORDS: dict[str, Any] = {"session": Session, "event": Event, "record": Record}


def schemas() -> dict[str, str]:
    """Return file name → JSON text, the same bytes at each call."""
    out = {}
    for name, record in RECORDS.items():
        schema = msgspec.json.schema(record)
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
        out[f"{name}.json"] = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    return out


def main(argv: list[str] | None = None) -> int:
    """Write the schema files, or check that they are what they would be."""
    parser = argparse.ArgumentParser(prog="python -m remem_protocol.schema", description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("dir", nargs="?", type=pathlib.Path, default=pathlib.Path("spec/v1/schema"))
    args = parser.parse_args(argv)
    fresh = schemas()
    if not args.check:
        args.dir.mkdir(parents=True, exist_ok=True)
        for name, text in fresh.items():
            (args.dir / name).write_text(text, "utf-8")
        return 0
    there = {p.name: p.read_text("utf-8") for p in sorted(args.dir.glob("*.json"))}
    stale = sorted(n for n in fresh.keys() | there.keys() if fresh.get(n) != there.get(n))
    for name in stale:
        print(f"stale: {args.dir / name} (run python -m remem_protocol.schema)", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
