"""The default model's arithmetic in numpy, for the one question that most processes ask.

A session of onnxruntime takes a quarter of a second to open and then half the time a text, which
pays from the second question on. The weights are the same int8 tensors of the same file, and the
vectors differ in the seventh digit.

The model is BERT (https://arxiv.org/abs/1810.04805, section 3) with six layers of twelve heads.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remem_core.embed.protobuf import (
    GRAPH,
    INPUT,
    NODE,
    OPERATOR,
    OUTPUT,
    TENSOR,
    fields,
    read_varint,
)

Floats = NDArray[np.float32]
LAYERS, HEADS = 6, 12
_TYPES = {1: np.float32, 3: np.int8}  # of onnx.proto's TensorProto.DataType, what is read here
_DIMENSION, _TYPE, _NAME, _RAW = 1, 2, 8, 9
_ATTENDED = ("query", "key", "value")
_EMBEDDINGS = "inner.embeddings."
_EPSILON = np.float32(1e-12)
# OpenBLAS gives a product of more multiplications than this to several threads, which wait for
# one another by spinning: with another program on the second core that took 45 times as long.
_ONE_THREAD = 1 << 18


class ForwardModel:
    """The model as it lies in its file: a weight is made float when it is multiplied with."""

    def __init__(self, model: bytes) -> None:
        """Raises ValueError or KeyError when the bytes are another model."""
        self._tensors, self._weight_at = _read(memoryview(model))
        # One for all weights: memory that the processor has at hand, and no 42 MB to be touched.
        sizes = (self._tensors[f"{weight}_q"].size for weight in self._weight_at.values())
        self._room = np.empty(max(sizes), np.float32)

    def embed(self, tokens: Sequence[int]) -> Floats:
        """Return the unit vector of one text's tokens: the mean of theirs."""
        tensors, ids = self._tensors, np.asarray(tokens)
        x = self._rows("word", ids) + self._rows("position", np.arange(len(ids)))
        x = self._normed(x + tensors[f"{_EMBEDDINGS}token_type_embeddings.weight"][0], _EMBEDDINGS)
        for i in range(LAYERS):
            layer = f"inner.encoder.layer.{i}."
            of_heads = [self._dense(x, f"{layer}attention.self.{part}") for part in _ATTENDED]
            mixed = self._dense(_attend(*of_heads), f"{layer}attention.output.dense")
            x = self._normed(x + mixed, f"{layer}attention.output.")
            up = _gelu(self._dense(x, f"{layer}intermediate.dense"))
            x = self._normed(x + self._dense(up, f"{layer}output.dense"), f"{layer}output.")
        mean: Floats = x.mean(axis=0)
        unit: Floats = mean / np.linalg.norm(mean)
        return unit

    def _dense(self, x: Floats, name: str) -> Floats:
        """Return (x · weight) · scale + bias: a scale a column, so the weights stay integers."""
        weight, bias = self._weight_at[f"{name}.bias"], self._tensors[f"{name}.bias"]
        integers = self._tensors[f"{weight}_q"]
        floats = self._room[: integers.size].reshape(integers.shape)
        floats[:] = integers
        columns = integers.shape[1]
        out = np.empty((len(x), columns), np.float32)
        step = max(1, _ONE_THREAD // x.size)
        for start in range(0, columns, step):
            part = slice(start, start + step)
            np.matmul(x, floats[:, part], out=out[:, part])
        scaled: Floats = out * self._tensors[f"{weight}_scale"] + bias
        return scaled

    def _rows(self, table: str, places: NDArray[np.int64]) -> Floats:
        name = f"{_EMBEDDINGS}{table}_embeddings.weight"
        rows: Floats = self._tensors[f"{name}_q"][places] * self._tensors[f"{name}_scale"][places]
        return rows

    def _normed(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
        gain = self._tensors[f"{name}LayerNorm.weight"]
        normed: Floats = centred / deviation * gain + self._tensors[f"{name}LayerNorm.bias"]
        return normed


def _attend(*of_heads: Floats) -> Floats:
    """Mix the tokens' values by how well queries and keys agree, head by head."""
    length, width = of_heads[0].shape
    query, key, value = (x.reshape(length, HEADS, -1).transpose(1, 0, 2) for x in of_heads)
    agree = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width // HEADS))
    weight = np.exp(agree - agree.max(axis=-1, keepdims=True))
    weight /= weight.sum(axis=-1, keepdims=True)
    mixed: Floats = (weight @ value).transpose(1, 0, 2).reshape(length, width)
    return mixed


def _gelu(x: Floats) -> Floats:
    """Return x·Φ(x), by formula 7.1.26 of Abramowitz and Stegun: within 2e-7."""
    size = np.abs(x)
    z = size * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))
    erf = 1 - t * (0.254829592 + t * (-0.284496736 + series)) * np.exp(-z * z)
    half: Floats = np.float32(0.5) * (x + size * erf)
    return half


def _read(model: memoryview) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return a model's tensors, and which weight is multiplied before which bias is added."""
    graph = next((content for n, _, content in fields(model) if n == GRAPH), model[:0])
    tensors, products, weight_at = dict[str, NDArray[Any]](), dict[str, str](), dict[str, str]()
    for number, _, content in fields(graph):
        if number == TENSOR and (found := _tensor(content)) is not None:
            tensors[found[0]] = found[1]
        elif number == NODE:
            operator, inputs, output = _node(content)
            if operator == "MatMul":
                products[output] = inputs[1]
            elif operator == "Add" and inputs[0] in products:
                weight_at[inputs[1]] = products[inputs[0]]
    return tensors, {bias: weight for bias, weight in weight_at.items() if bias in tensors}


def _tensor(content: memoryview) -> tuple[str, NDArray[Any]] | None:
    shape, kind, name, raw = [], 0, "", content[:0]
    for number, whole, value in fields(content):
        if number == _DIMENSION:
            shape.append(read_varint(whole, 1)[0])
        elif number == _TYPE:
            kind = read_varint(whole, 1)[0]
        elif number == _NAME:
            name = bytes(value).decode()
        elif number == _RAW:
            raw = value
    if kind not in _TYPES:
        return None
    return name, np.frombuffer(raw, _TYPES[kind]).reshape(shape)


def _node(content: memoryview) -> tuple[str, list[str], str]:
    """Return a node's operator, its inputs and its output."""
    told: dict[int, list[str]] = {INPUT: [], OUTPUT: [], OPERATOR: []}
    for number, _, value in fields(content):
        if number in told:
            told[number].append(bytes(value).decode())
    return told[OPERATOR][0], told[INPUT], told[OUTPUT][0]
