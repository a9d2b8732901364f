"""Putting an entry into the text of a YAML file and taking one out.

ruamel.yaml reads and tells where things stand; it would lay out anew what it writes, so the text is
cut and joined here.
"""

import io
import json
import re
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode

from remem_agents.setup.edits.style import style_of
from remem_agents.setup.entries import Path, nested
from remem_agents.setup.errors import SetupError

STEP: Final = "  "
_REST_OF_LINE: Final = re.compile(r"[^\r\n]*(?:\r?\n|$)")


class YamlText:
    """The editor of YAML files: one document, its top a block mapping."""

    name = "yaml"

    def load(self, text: str) -> Any:
        """Return the value of a text, an empty mapping for an empty file."""
        try:
            found = YAML(typ="safe", pure=True).load(text)
        except (YAMLError, ValueError, RecursionError) as error:
            problem = str(error).splitlines()
            raise SetupError("unreadable", f"not YAML: {' '.join(problem[:2])[:200]}") from None
        return {} if found is None else found

    def add(self, text: str, path: tuple[str, ...], value: Any, *, is_item: bool = False) -> str:
        """Add a mapping at a path of two keys, the first of them at the top."""
        if is_item or len(path) != 2:
            raise SetupError("shape", "only members of a mapping at the top are added to YAML")
        newline = style_of(text).newline
        root = _compose(text)
        if root is None:
            return _ended(text, newline) + _block(nested(path, value), "", newline)
        top = _mapping(root, "the whole")
        found = _pair(top, path[0])
        if found is None:
            indent = " " * top.value[0][0].start_mark.column if top.value else ""
            if top.flow_style:
                raise SetupError("shape", "it is written in one line; write it in block style")
            block = _block(nested(path, value), indent, newline)
            # A line end that is missing may be missing from a text's value: then ours comes first.
            at = len(text) if text.endswith("\n") else _start_of_line(text, top)
            return text[:at] + block + text[at:]
        return _add_below(text, found, path[1], value, newline)

    def replace(self, text: str, path: Path, value: Any) -> str:
        """Put another value in the place of one that is there."""
        return self.add(self.delete(text, path), tuple(map(str, path)), value)

    def delete(self, text: str, path: Path) -> str:
        """Take out the lines of what stands at a path."""
        node: Node | None = _compose(text)
        for key in path[:-1]:
            pair = _pair(_mapping(node, str(key)), str(key))
            node = pair[1] if pair else None
        mapping = _mapping(node, str(path[-1]))
        pair = _pair(mapping, str(path[-1]))
        if pair is None:
            raise SetupError("shape", f"nothing stands at {'.'.join(map(str, path))}")
        if mapping.flow_style:
            return _cut_from_line(text, mapping, pair)
        start = text.rfind("\n", 0, pair[0].start_mark.index) + 1
        return text[:start] + text[_end_of_line(text, _last(_told(pair))) :]


def _compose(text: str) -> Node | None:
    root: Node | None = YAML(typ="rt", pure=True).compose(text)
    return root


def _mapping(node: Node | None, name: str) -> MappingNode:
    if not isinstance(node, MappingNode):
        raise SetupError("shape", f"{name} is no mapping")
    return node


def _pair(mapping: MappingNode, key: str) -> tuple[Node, Node] | None:
    pairs = (pair for pair in mapping.value if pair[0].value == key)
    return next(pairs, None)


def _add_below(text: str, pair: tuple[Node, Node], key: str, value: Any, newline: str) -> str:
    """Add the first member of a mapping: where the last one ends, no mark of YAML tells well."""
    name, node = pair
    outer = " " * name.start_mark.column
    if isinstance(node, ScalarNode) and node.value in ("", "null", "~"):
        at = _end_of_line(text, name.end_mark.index)
        if node.value:  # `extensions: null`: the word goes
            text = text[: node.start_mark.index] + text[node.end_mark.index :]
            at -= len(node.value)
        head = _ended(text[:at], newline)
        return head + _block({key: value}, outer + STEP, newline) + text[at:]
    mapping = _mapping(node, str(name.value))
    if mapping.flow_style:
        at = mapping.start_mark.index + 1
        member = f"{key}: {json.dumps(value, ensure_ascii=False)}"
        return text[:at] + member + (", " if mapping.value else "") + text[at:]
    at = _end_of_line(text, name.end_mark.index)
    inner = " " * mapping.value[0][0].start_mark.column
    return text[:at] + _block({key: value}, inner, newline) + text[at:]


def _cut_from_line(text: str, mapping: MappingNode, pair: tuple[Node, Node]) -> str:
    """Take a member out of a mapping on one line, with the comma before or after it."""
    at = mapping.value.index(pair)
    start, end = pair[0].start_mark.index, pair[1].end_mark.index
    if at + 1 < len(mapping.value):
        end = mapping.value[at + 1][0].start_mark.index
    elif at > 0:
        start = mapping.value[at - 1][1].end_mark.index
    return text[:start] + text[end:]


def _block(value: Any, indent: str, newline: str) -> str:
    out = io.StringIO()
    yaml = YAML(typ="rt", pure=True)
    yaml.default_flow_style = False
    yaml.width = 100_000  # a path is never folded
    yaml.indent(mapping=2, sequence=2, offset=0)
    yaml.dump(value, out)
    return "".join(indent + line + newline for line in out.getvalue().splitlines())


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline


def _last(node: Any) -> int:
    """Return where the last scalar of a value ends; a block's own mark ends after the blanks."""
    while not isinstance(node, ScalarNode) and node.value and not node.flow_style:
        last = node.value[-1]
        node = _told(last) if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _told(pair: tuple[Node, Node]) -> Node:
    """Return the value, or its key where none is written: such a value's mark is the next key's."""
    name, node = pair
    is_written = not isinstance(node, ScalarNode) or node.value or node.style
    return node if is_written else name


def _start_of_line(text: str, mapping: MappingNode) -> int:
    """Return where the line of a mapping's first key starts."""
    return text.rfind("\n", 0, int(mapping.start_mark.index)) + 1


def _end_of_line(text: str, at: int) -> int:
    found = _REST_OF_LINE.match(text, at)
    return at if found is None else found.end()
