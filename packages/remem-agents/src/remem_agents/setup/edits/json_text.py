"""Putting an entry into the text of a JSON file and taking one out, in the file's own layout."""

import json
from typing import Any

from remem_agents.setup.edits.jsonc import Element, Node, last_comment, read
from remem_agents.setup.edits.style import Style, indent_at, style_of
from remem_agents.setup.entries import Path, nested
from remem_agents.setup.errors import SetupError


class JsonText:
    """The editor of JSON and JSONC files."""

    name = "json"

    def load(self, text: str) -> Any:
        """Return the value of a text, an empty object for an empty file."""
        node = read(text)
        return {} if node is None else node.plain()

    def add(self, text: str, path: tuple[str, ...], value: Any, *, is_item: bool = False) -> str:
        """Add a member at a path, or an item to the list there; what is missing above is made."""
        root = read(text)
        if root is None:
            document = nested(path, [value] if is_item else value)
            newline = style_of(text).newline
            lines = json.dumps(document, indent=2, ensure_ascii=False).split("\n")
            before = text if text.strip() else ""  # comments stay, blanks alone are nobody's
            before += newline if before and not before.endswith("\n") else ""
            return before + newline.join(lines) + newline
        node, at = root, 0
        while at < len(path) and (element := _object(node, path[:at]).member(path[at])):
            node, at = element.value, at + 1
        if at < len(path):
            value = [value] if is_item else value
            return _append(text, root, node, nested(path[at + 1 :], value), key=path[at])
        if not is_item or node.kind != "array":
            raise SetupError("shape", f"{'.'.join(path)} is there and can not be added to")
        return _append(text, root, node, value)

    def replace(self, text: str, path: Path, value: Any) -> str:
        """Put another value in the place of one that is there."""
        root = _there(read(text))
        container, at = _reach(root, path)
        old = container.elements[at].value
        new = _dump(text, root, value, indent_at(text, old.start))
        return text[: old.start] + new + text[old.end :]

    def delete(self, text: str, path: Path) -> str:
        """Take one member or item out, with its comma; comments beside it stay."""
        container, at = _reach(_there(read(text)), path)
        element = container.elements[at]
        cuts = [(_cut(text, container, at), element.end)]
        if element.comma is not None:
            cuts.append((element.comma, element.comma + 1))
        elif at > 0 and (comma := container.elements[at - 1].comma) is not None:
            cuts.insert(0, (comma, comma + 1))
        if len(container.elements) == 1 and _is_bare(text, container, element):
            cuts = [(container.start + 1, container.end - 1)]
        for start, end in reversed(cuts):
            text = text[:start] + text[end:]
        return text


def _there(root: Node | None) -> Node:
    if root is None:
        raise SetupError("shape", "the file is empty")
    return root


def _object(node: Node, path: Path) -> Node:
    if node.kind != "object":
        raise SetupError("shape", f"{'.'.join(map(str, path)) or 'the whole'} is no object")
    return node


def _reach(root: Node, path: Path) -> tuple[Node, int]:
    """Return the container of what stands at a path, and its number there."""
    node = root
    for depth, key in enumerate(path):
        if isinstance(key, str):
            element = _object(node, path[:depth]).member(key)
            at = node.elements.index(element) if element else len(node.elements)
        else:
            at = key
        if at >= len(node.elements):
            raise SetupError("shape", f"nothing stands at {'.'.join(map(str, path))}")
        if depth == len(path) - 1:
            return node, at
        node = node.elements[at].value
    raise SetupError("shape", "the whole can not be taken out")


def _append(text: str, root: Node, node: Node, value: Any, key: str | None = None) -> str:
    """Add the last element of a container."""
    style = _style(text, root)
    if not node.elements:
        return _fill(text, root, node, value, key)
    last = node.elements[-1]
    is_spread = "\n" in text[node.start : node.end]
    indent = indent_at(text, last.start) if is_spread else ""
    if (
        is_spread and "\n" not in text[node.start : last.start]
    ):  # `{"a": 1,⏎ …}`: no line is its own
        indent = indent_at(text, node.start) + style.indent
    added = (style.newline + indent if is_spread else _gap(text)) + _member(
        text, root, value, key, indent
    )
    if last.comma is not None:  # the file's trailing comma stays one
        at = _end_of_elements(text, node, last.comma + 1)
        return text[:at] + added + "," + text[at:]
    at = _end_of_elements(text, node, last.end)
    return text[: last.end] + "," + text[last.end : at] + added + text[at:]


def _fill(text: str, root: Node, node: Node, value: Any, key: str | None) -> str:
    """Add the first element of an empty container; what is blank in it stays."""
    style = _style(text, root)
    at = _end_of_elements(text, node, node.start + 1)
    if _is_compact(text, root):
        return text[:at] + _member(text, root, value, key, "") + text[at:]
    indent = indent_at(text, node.start)
    inner = indent + style.indent
    added = style.newline + inner + _member(text, root, value, key, inner)
    closing = "" if "\n" in text[at : node.end] else style.newline + indent
    return text[:at] + added + closing + text[at:]


def _end_of_elements(text: str, node: Node, at: int) -> int:
    """Return where the last comment before a container's end ends, `at` if there is none."""
    comment = last_comment(text, at, node.end - 1)
    return at if comment is None else comment.end()


def _cut(text: str, container: Node, at: int) -> int:
    """Return where the cut of an element begins: after the bracket, comma or comment before it."""
    element = container.elements[at]
    before = container.start + 1
    if at > 0:
        previous = container.elements[at - 1]
        before = previous.end if previous.comma is None else previous.comma + 1
    comment = last_comment(text, before, element.start)
    if comment is None:
        return before
    end = element.end if element.comma is None else element.comma + 1
    ends_line = text[end:].lstrip(" \t")[:1] in ("\r", "\n")
    # A comment to the end of its line would swallow what follows on ours.
    return element.start if comment[0].startswith("//") and not ends_line else comment.end()


def _is_bare(text: str, container: Node, element: Element) -> bool:
    """Whether nothing but blanks and a comma stands beside the only element."""
    beside = text[container.start + 1 : element.start] + text[element.end : container.end - 1]
    return not beside.strip(" \t\r\n,")


def _member(text: str, root: Node, value: Any, key: str | None, indent: str) -> str:
    dumped = _dump(text, root, value, indent)
    if key is None:
        return dumped
    colon = ":" if _is_compact(text, root) and '": ' not in text else ": "
    return json.dumps(key, ensure_ascii=False) + colon + dumped


def _dump(text: str, root: Node, value: Any, indent: str) -> str:
    if _is_compact(text, root):
        separators = (", ", ": ") if '": ' in text else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators)
    style = _style(text, root)
    lines = json.dumps(value, indent=style.indent, ensure_ascii=False).split("\n")
    return (style.newline + indent).join(lines)


def _style(text: str, root: Node) -> Style:
    step = indent_at(text, root.elements[0].start) if root.elements else ""
    return Style(style_of(text).newline, step or "  ")


def _is_compact(text: str, root: Node) -> bool:
    """Whether the file is written on one line."""
    return bool(root.elements) and "\n" not in text[root.start : root.end]


def _gap(text: str) -> str:
    return " " if ", " in text or '": ' in text else ""
