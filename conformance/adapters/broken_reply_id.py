"""Answers another request than the one it was asked."""

import json
import sys

import minimal
import tiny_codec


def negotiate(offered: list[str]) -> str:
    print(json.dumps({"id": 0, "ok": {"version": "1.0"}}), flush=True)
    sys.exit(0)


tiny_codec.negotiate = negotiate
minimal.main()
