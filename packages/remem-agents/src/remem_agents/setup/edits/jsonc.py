"""JSON as agents keep it, read with the place of every part: comments and trailing commas are fine.

Python's json forgets where things stood, and the JSONC packages there are rewrite the file, need
Node, or have nobody who keeps them; an editor that must touch only its own entry needs places.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from remem_agents.setup.errors import SetupError

DEEPEST: Final = 100
_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMENT: Final = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_CLOSERS: Final = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Element:
    """One member of an object or one item of an array: `comma` is where its comma stands."""

    start: int
    value: "Node"
    key: str | None = None
    comma: int | None = None

    @property
    def end(self) -> int:
        """Where its value ends."""
        return self.value.end


@dataclass(frozen=True)
class Node:
    """One value: from `start` to `end` (exclusive), in characters."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    elements: tuple[Element, ...] = ()
    scalar: Any = None

    def plain(self) -> Any:
        """Return the value; of a key that stands twice the last, as JSON's readers do."""
        if self.kind == "object":
            return {element.key: element.value.plain() for element in self.elements}
        if self.kind == "array":
            return [element.value.plain() for element in self.elements]
        return self.scalar

    def member(self, key: str) -> Element | None:
        """Return the member of a key; raise SetupError (ambiguous) if there are several."""
        found = [element for element in self.elements if element.key == key]
        if len(found) > 1:
            raise SetupError("ambiguous", f"the key {json.dumps(key)} stands there twice")
        return found[0] if found else None


def read(text: str) -> Node | None:
    """Return the one value of a text, None if it has none; raise SetupError (unreadable)."""
    start = end_of_blank(text, 0)
    if start == len(text):
        return None
    node = _value(text, start, 0)
    rest = end_of_blank(text, node.end)
    if rest != len(text):
        raise _unreadable(text, rest, "something follows the value")
    return node


def end_of_blank(text: str, at: int) -> int:
    """Return where the whitespace and comments that begin at `at` end."""
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def last_comment(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the last comment in a stretch that holds nothing but blanks, comments and commas."""
    comments = list(_COMMENT.finditer(text, start, end))
    return comments[-1] if comments else None


def _value(text: str, at: int, depth: int) -> Node:
    opener = text[at : at + 1]
    if opener in _CLOSERS:
        if depth == DEEPEST:
            raise _unreadable(text, at, f"more than {DEEPEST} levels deep")
        return _container(text, at, depth)
    if opener == '"':
        string, end = _string(text, at)
        return Node("scalar", at, end, scalar=string)
    found = _SCALAR.match(text, at)
    if found is None:
        raise _unreadable(text, at, "no value")
    return Node("scalar", at, found.end(), scalar=json.loads(found[0]))


def _string(text: str, at: int) -> tuple[str, int]:
    found = _STRING.match(text, at)
    if found is None:
        raise _unreadable(text, at, "no string")
    string: str = json.loads(found[0])
    return string, found.end()


def _container(text: str, start: int, depth: int) -> Node:
    is_object = text[start] == "{"
    closer = _CLOSERS[text[start]]
    elements: list[Element] = []
    at = end_of_blank(text, start + 1)
    while text[at : at + 1] != closer:
        if elements and elements[-1].comma is None:
            raise _unreadable(text, at, f"no comma or {closer}")
        element = _element(text, at, is_object, depth)
        elements.append(element)
        at = end_of_blank(text, element.end if element.comma is None else element.comma + 1)
    return Node("object" if is_object else "array", start, at + 1, tuple(elements))


def _element(text: str, start: int, is_object: bool, depth: int) -> Element:
    key, at = None, start
    if is_object:
        key, at = _string(text, start)
        at = end_of_blank(text, at)
        if text[at : at + 1] != ":":
            raise _unreadable(text, at, "no colon")
        at = end_of_blank(text, at + 1)
    value = _value(text, at, depth + 1)
    after = end_of_blank(text, value.end)
    return Element(start, value, key, after if text[after : after + 1] == "," else None)


def _unreadable(text: str, at: int, why: str) -> SetupError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return SetupError("unreadable", f"not JSON at line {line}, column {column}: {why}")
