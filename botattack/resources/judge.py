"""Meets the Need `judge`: a model that a target file names reads a prompt, and what it says is recorded as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from botattack.errors import MissingPart
from botattack.model import Prompt
from botattack.protocols import PartInfo
from botattack.resources.asked import Service, service

JUDGE = "BOTATTACK_JUDGE"
"""The target file of a model that judges replies."""


@dataclass(frozen=True)
class Judging:
    """A payload is `{"prompt"}`; a result is what the model said to it, empty where nothing came."""

    service: Service
    result_type: ClassVar[Any] = str

    @property
    def info(self) -> PartInfo:
        return self.service.info

    def meet(self, payloads: Sequence[Mapping[str, Any]]) -> list[str]:
        replies = self.service.replies([Prompt(str(payload["prompt"])) for payload in payloads])
        return [reply.text[:4000] if reply else "" for reply in replies]


def load() -> Judging:
    """The model that BOTATTACK_JUDGE names; raises MissingPart where it names none."""
    asked = service(JUDGE)
    if asked is None:
        raise MissingPart(f"there is no judge: set {JUDGE} to a target file, such as targets/openai-compatible.yaml")
    return Judging(asked)
