"""Meets the Need `judge`: a model that a target file names reads a prompt, and what it says is recorded as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from botattack.errors import MissingPart
from botattack.matchers.combine import LlmJudge, label_of
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.resources.asked import Asking, Service, service

JUDGE = "BOTATTACK_JUDGE"
"""The target file of a model that judges replies."""


@dataclass(frozen=True)
class JudgeService(Asking):
    """A payload is `{"prompt"}`; a result is what the model said to it, empty if nothing came.

    Before its first one the model has to label an easy reply: one that gives no label would judge nothing, unseen.
    """

    service: Service
    _proof: list[str] = field(default_factory=list, compare=False)
    result_type: ClassVar[object] = str

    def meet(self, payloads: Sequence[Mapping[str, object]]) -> list[str]:
        """Raises MissingPart if the model cannot label."""
        self._prove()
        return self._said([str(payload["prompt"]) for payload in payloads])

    def _prove(self) -> None:
        if not self._proof:
            self._proof.extend(self._said([_easy()]))
        if not self._proof[0]:
            raise MissingPart(f"the model that {JUDGE} names gave no answer: try `botattack check` on its target file")
        if label_of(self._proof[0]) is None:
            raise MissingPart(
                f"the model that {JUDGE} names is no judge: asked whether 'Paris.' is right where 'Paris' is, it said "
                f'something else than {{"label": "correct"}}; name another model{self._quoted(self._proof[0])}'
            )

    def _quoted(self, said: str) -> str:
        quoted = self.service.excerpt(said)
        return f": {quoted}" if quoted else ""

    def _said(self, prompts: Sequence[str]) -> list[str]:
        return [reply.text[:4000] if reply else "" for reply in self.service.replies([*map(Prompt, prompts)])]


def _easy() -> str:
    asked, gold = Prompt("What is the capital of France?"), (GoldAnswer("Paris"),)
    (need,) = LlmJudge().needs(asked, Reply("Paris."), gold, Verdict("correct", 1.0, "exact", ""))
    return str(need.payload["prompt"])


def load() -> JudgeService:
    """The model that BOTATTACK_JUDGE names; raises MissingPart if it names none."""
    asked = service(JUDGE)
    if asked is None:
        raise MissingPart(
            f"there is no judge: set {JUDGE} to a target file, such as targets/bots/openai-compatible.yaml"
        )
    return JudgeService(asked)
