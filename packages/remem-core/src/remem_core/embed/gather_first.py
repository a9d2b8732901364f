"""The default model looks its tokens up in a table of int8 rows, but says "make the whole table
float, then take some rows", so that loading it builds a table of 47 MB. Said the other way round
(take the rows, then make them float) the numbers are the same to the last bit and loading takes
half the time. The file stays as its authors published it; it is said differently in memory only.
"""

from collections.abc import Iterator

from remem_core.embed.protobuf import GRAPH, INPUT, LENGTH, NODE, OPERATOR, OUTPUT, fields

Buffer = bytes | memoryview

TABLE = b"inner.embeddings.word_embeddings.weight"
TOKENS = b"input_ids"
ROWS = b"embedding"  # what the rest of the model reads

_ATTRIBUTE = 5
_TO_FLOAT = b"\n\x02to\x18\x01\xa0\x01\x02"  # the attribute {name: "to", i: 1 (float), type: int}


def gather_first(model: bytes) -> bytes:
    """Return the model with the rows of its table taken before they are made float.

    Raises ValueError when the bytes are not a model that has this table.
    """
    parts: list[Buffer] = []
    graph: list[Buffer] = []
    for number, whole, content in fields(memoryview(model)):
        if number == GRAPH:
            graph = list(_rewrite(content))
            parts += [_head(GRAPH, sum(map(len, graph))), *graph]
        else:
            parts.append(whole)
    if not graph:
        raise ValueError("no graph, so no table of tokens")
    return b"".join(parts)


def _rewrite(graph: memoryview) -> Iterator[Buffer]:
    """Yield the graph's fields, with other nodes where the table is made and read."""
    found = 0
    for number, whole, content in fields(graph):
        told = fields(content) if number == NODE else ()
        outputs = [bytes(name) for field, _, name in told if field == OUTPUT]
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
    body = b"".join(_field(INPUT, name) for name in inputs)
    body += _field(OUTPUT, output) + _field(OPERATOR, operator)
    return _field(NODE, body + (_field(_ATTRIBUTE, attribute) if attribute else b""))


def _field(number: int, content: bytes) -> bytes:
    return _head(number, len(content)) + content


def _head(number: int, length: int) -> bytes:
    return _varint(number << 3 | LENGTH) + _varint(length)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
