"""The little of protocol buffers that reading a model takes, so that no library is needed for it.

A message is a sequence of tag, length and content; a model has its graph in field 7, a graph its
nodes in field 1 and its tensors in field 5; a node has its inputs, outputs, operator and attributes
in fields 1, 2, 4 and 5 (https://protobuf.dev/programming-guides/encoding, onnx.proto).
"""

from collections.abc import Iterator

GRAPH, NODE, TENSOR = 7, 1, 5
INPUT, OUTPUT, OPERATOR = 1, 2, 4
VARINT, LENGTH = 0, 2


def fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Yield each field's number, all of its bytes, and its content (empty for a number).

    Views, because most of the model is one field, and a copy of it costs more than the rest.
    """
    at = 0
    while at < len(message):
        start = at
        tag, at = read_varint(message, at)
        value, after = read_varint(message, at)
        if tag & 7 == LENGTH:
            at, after = after, after + value
        elif tag & 7 == VARINT:
            at = after
        else:
            raise ValueError(f"a field of a kind that such models don't have at byte {start}")
        yield tag >> 3, message[start:after], message[at:after]
        at = after


def read_varint(message: memoryview, at: int) -> tuple[int, int]:
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
