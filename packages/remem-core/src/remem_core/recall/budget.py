"""Fitting answers into what their reader has room for."""

from dataclasses import replace

from remem_core.recall.hits import Hit

_CUT = "…"


def within_budget(hits: list[tuple[int, Hit]], budget: int) -> list[tuple[int, Hit]]:
    """Return the best hits whose texts together have at most `budget` bytes of UTF-8.

    The first is cut to fit, so that a small budget still gets an answer.
    """
    kept: list[tuple[int, Hit]] = []
    left = budget
    for row, hit in hits:
        size = len(hit.text.encode())
        if size > left and not kept:
            # The title of words that were said is their beginning.
            kept.append((row, replace(hit, text=_cut(hit.text, left), title=_cut(hit.title, left))))
            break
        if size > left:
            break
        kept.append((row, hit))
        left -= size
    return kept


def _cut(text: str, size: int) -> str:
    if len(text.encode()) <= size:
        return text
    room = size - len(_CUT.encode())
    return text.encode()[: max(0, room)].decode("utf-8", "ignore") + _CUT if room >= 0 else ""
