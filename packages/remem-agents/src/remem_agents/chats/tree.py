"""Conversations are trees: an edited prompt or a reply made anew begins another branch."""

from collections.abc import Mapping


def active_branch(parents: Mapping[str, str | None], leaf: str) -> list[str]:
    """Walk from a leaf up the parents; give the branch from its root down.

    A parent that is missing ends the walk, and so does one that was met before.
    """
    branch: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in branch:
        branch[node] = None
        node = parents[node]
    return list(reversed(branch))


def newest_leaf(parents: Mapping[str, str | None], times: Mapping[str, float]) -> str | None:
    """Choose the node that no other one hangs from, by its time and else by its place.

    Only nodes with a time hold a message. None when there are none.
    """
    inner = set(parents.values())
    said = [node for node in parents if node in times]
    leaves = [node for node in said if node not in inner] or said  # a cycle has no leaf
    places = {node: place for place, node in enumerate(said)}
    return max(leaves, key=lambda node: (times[node], places[node]), default=None)


def siblings(parents: Mapping[str, str | None], branch: list[str]) -> dict[str, list[str]]:
    """List for each node of a branch the nodes beside it, which were left for it."""
    on_branch = set(branch)
    beside: dict[str | None, list[str]] = {}
    for node, parent in parents.items():
        if node not in on_branch:
            beside.setdefault(parent, []).append(node)
    return {node: beside[parents[node]] for node in branch if parents[node] in beside}
