"""Which embedder `REMEM_EMBED` opens, and what opening costs."""

import subprocess
import sys

import pytest

from remem_core.embed import EmbedderSettingError, open_embedder
from remem_protocol import RememError


@pytest.mark.parametrize("env", [{}, {"REMEM_EMBED": ""}, {"REMEM_EMBED": "onnx"}])
def test_default_is_the_installed_model(env: dict[str, str]) -> None:
    assert open_embedder(env).space == "minilm-l6-v2-int8@8199be6f"


def test_hashed_is_opened_without_a_warning() -> None:
    assert open_embedder({"REMEM_EMBED": "hashed"}).space == "hashed-256@1"


@pytest.mark.parametrize("value", ["openai", "onnx:", "ollama:", "hashed:512", "ONNX", "onnx DIR"])
def test_unknown_value_is_refused_with_the_known_ones(value: str) -> None:
    with pytest.raises(ValueError, match=r"onnx:DIR, ollama") as caught:
        open_embedder({"REMEM_EMBED": value})
    assert isinstance(caught.value, EmbedderSettingError)
    assert isinstance(caught.value, RememError)
    assert value in caught.value.message


def test_importing_loads_no_model_and_no_numpy() -> None:
    code = (
        "import sys, remem_core.embed; "
        "print({'numpy', 'onnxruntime', 'tokenizers', 'urllib.request'} & set(sys.modules))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert out.stdout.strip() == "set()"


def test_hashed_loads_no_model() -> None:
    code = (
        "import sys; from remem_core.embed import open_embedder; "
        "open_embedder({'REMEM_EMBED': 'hashed'}).embed(['words']); "
        "print({'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert out.stdout.strip() == "set()"
