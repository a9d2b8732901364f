"""The default model looks its tokens up in a table of int8 rows, but says "make the whole table
float, then take some rows", so that loading it builds a table of 47 MB. Said the other way round
(take the rows, then make them float) the numbers are the same to the last bit and loading takes
half the time. The file stays as its authors published it; it is said differently in memory only.

What is used of the format: a message is a sequence of tag, length and content; a model has its
graph in field 7, a graph its nodes in field 1; a node has its inputs, outputs, operator and
attributes in fields 1, 2, 4 and 5 (https://protobuf.dev/programming-guides/encoding, onnx.proto).
"""

from collections.abc import Iterator

Buffer = bytes | memoryview

TABLE = b"inner.embeddings.word_embeddings.weight"
TOKENS = b"input_ids"
ROWS = b"embedding"  # what the rest of the model reads

_GRAPH, _NODE = 7, 1
_INPUT, _OUTPUT, _OPERATOR, _ATTRIBUTE = 1, 2, 4, 5
_VARINT, _LENGTH = 0, 2
_TO_FLOAT = b"\n\x02to\x18\x01\xa0\x01\x02"  # the attribute {name: "to", i: 1 (float), type: int}


def gather_first(model: bytes) -> bytes:
    """Return the model with the rows of its table taken before they are made float.

    Raises ValueError when the bytes are not a model that has this table.
    """
    parts: list[Buffer] = []
    graph: list[Buffer] = []
    for number, whole, content in _fields(memoryview(model)):
        if number == _GRAPH:
            graph = list(_rewrite(content))
            parts += [_head(_GRAPH, sum(map(len, graph))), *graph]
        else:
            parts.append(whole)
    if not graph:
        raise ValueError("no graph, so no table of tokens")
    return b"".join(parts)


def _rewrite(graph: memoryview) -> Iterator[Buffer]:
    """Yield the graph's fields, with other nodes where the table is made and read."""
    found = 0
    for number, whole, content in _fields(graph):
        fields = _fields(content) if number == _NODE else ()
        outputs = [bytes(name) for field, _, name in fields if field == _OUTPUT]
        if outputs == [ROWS]:
            found += 1
            yield _take_rows()
        elif outputs not in ([TABLE], [TABLE + b"_f"]):
            yield whole
    if found != 1:
        raise ValueError(f"expected one table of tokens, found {found}")


def _take_rows() -> bytes:
    """Return the four nodes that take the rows and their scales, and multiply them."""
    return (
        _node(b"Gather", [TABLE + b"_q", TOKENS], b"rows_q")
        + _node(b"Gather", [TABLE + b"_scale", TOKENS], b"rows_scale")
        + _node(b"Cast", [b"rows_q"], b"rows_f", _TO_FLOAT)
        + _node(b"Mul", [b"rows_f", b"rows_scale"], ROWS)
    )


def _node(operator: bytes, inputs: list[bytes], output: bytes, attribute: bytes = b"") -> bytes:
    body = b"".join(_field(_INPUT, name) for name in inputs)
    body += _field(_OUTPUT, output) + _field(_OPERATOR, operator)
    return _field(_NODE, body + (_field(_ATTRIBUTE, attribute) if attribute else b""))


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Yield each field's number, all of its bytes, and its content (empty for a number).

    Views, because most of the model is one field, and a copy of it costs more than the rest.
    """
    at = 0
    while at < len(message):
        start = at
        tag, at = _read_varint(message, at)
        value, after = _read_varint(message, at)
        if tag & 7 == _LENGTH:
            at, after = after, after + value
        elif tag & 7 == _VARINT:
            at = after
        else:
            raise ValueError(f"a field of a kind that such models don't have at byte {start}")
        yield tag >> 3, message[start:after], message[at:after]
        at = after


def _field(number: int, content: bytes) -> bytes:
    return _head(number, len(content)) + content


def _head(number: int, length: int) -> bytes:
    return _varint(number << 3 | _LENGTH) + _varint(length)


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    """Return the number of 7 bits a byte, lowest first, and where it ends."""
    value = shift = 0
    while True:
        if at >= len(message):
            raise ValueError("the message ends inside a number")
        byte, at = message[at], at + 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
