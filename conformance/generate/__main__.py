"""Write the vectors: `python -m conformance.generate [--check] [--freeze]`.

It is run in the root of the repository, and running it twice leaves no difference. With --check it
writes nothing and exits with 1 when a file is stale, missing or left over; with --freeze it also
writes `required.json`, the cases that the revision requires with the SHA-256 of each.
"""

import argparse
import hashlib
import json
import pathlib
import sys

from conformance.generate import (
    event,
    files,
    identity,
    lines,
    prime,
    readers,
    records,
    session,
    sleep,
    store,
    stream,
    surprise,
)

from remem_conformance.cases import REVISION, schema

ROOT = pathlib.Path(__file__).resolve().parents[1] / "vectors" / "v1"
SCHEMA, REQUIRED = "case.schema.json", "required.json"


def vectors() -> dict[str, bytes]:
    """Return path below ROOT → bytes, the same at each call."""
    out = {SCHEMA: _spell(schema())}
    for family in (
        lines, records, stream, session, event, identity, readers, surprise, store, sleep,
        files, prime,
    ):  # fmt: skip
        for name, content in family.cases():
            if f"{name}.json" in out:
                raise ValueError(f"two cases are called {name}")
            out[f"{name}.json"] = _spell(content)
    return out


def frozen(fresh: dict[str, bytes]) -> bytes:
    """Return `required.json` for these files."""
    digests = {
        name.removesuffix(".json"): hashlib.sha256(data).hexdigest()
        for name, data in sorted(fresh.items())
        if name != SCHEMA
    }
    return _spell({REVISION: digests})


def main(argv: list[str] | None = None) -> int:
    """Write the files, or check that they are what they would be."""
    parser = argparse.ArgumentParser(prog="python -m conformance.generate", description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--freeze", action="store_true")
    args = parser.parse_args(argv)
    fresh = vectors()
    if args.freeze:
        fresh[REQUIRED] = frozen(fresh)
    there = {p.relative_to(ROOT).as_posix(): p for p in ROOT.rglob("*.json")}
    left_over = there.keys() - fresh.keys() - {REQUIRED}
    stale = [n for n, data in fresh.items() if n not in there or there[n].read_bytes() != data]
    if args.check:
        for name in sorted([*left_over, *stale]):
            print(f"stale: {name} (run python -m conformance.generate)", file=sys.stderr)
        return 1 if left_over or stale else 0
    for name in left_over:
        there[name].unlink()
    for name in stale:
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fresh[name])
    print(f"{len(fresh)} files, {len(stale)} written, {len(left_over)} removed")
    return 0


def _spell(content: object) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


if __name__ == "__main__":
    sys.exit(main())
