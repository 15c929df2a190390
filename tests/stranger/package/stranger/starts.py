"""A matcher."""

from dataclasses import dataclass
from typing import ClassVar

from botattack.model import Verdict
from botattack.protocols import Matcher


@dataclass(frozen=True)
class Starts(Matcher):
    """Right if the reply starts with a gold answer."""

    name: ClassVar[str] = "starts"

    def judge(self, prompt, reply, gold, baseline):
        right = any(reply.text.startswith(answer.text) for answer in gold)
        return Verdict("correct" if right else "wrong", float(right), self.name, "", (0, len(reply.text)))
