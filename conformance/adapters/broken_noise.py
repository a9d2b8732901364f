"""Prints a word to stdout, where only replies belong."""

import minimal
import tiny_codec

original = tiny_codec.negotiate


def negotiate(offered: list[str]) -> str:
    print("negotiating", offered)
    return original(offered)


tiny_codec.negotiate = negotiate
minimal.main()
