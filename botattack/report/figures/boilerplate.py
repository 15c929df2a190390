"""What a bot says around its answers, whatever it is asked: greetings, and offers to help with anything else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from botattack.cases import QuestionCase

SHARE = 0.25
"""The share of right replies that a sentence begins or ends to be boilerplate."""
LEAST = 5
"""Different questions in whose replies it must be."""
KEPT = 10_000
"""Different sentences that are counted."""
_END = re.compile(r"(?<=[.!?…])\s+")


class Boilerplate:
    """Counts the first and the last sentence of right replies that say more than that. `add` takes them as they are to
    be shown."""

    def __init__(self) -> None:
        self._replies = 0
        self._found: Counter[str] = Counter()

    def add(self, question: QuestionCase, reply: str) -> None:
        if not question.right:
            return
        self._replies += 1
        sentences = _END.split(reply.strip())
        for sentence in {sentences[0], sentences[-1]} if len(sentences) > 1 else ():
            if sentence in self._found or len(self._found) < KEPT:
                self._found[sentence] += 1

    def value(self) -> tuple[str, ...]:
        """The longest first."""
        least = max(LEAST, SHARE * self._replies)
        return tuple(sorted((one for one, times in self._found.items() if times >= least), key=lambda one: -len(one)))


def parted(reply: str, known: Sequence[str]) -> tuple[str, str, str]:
    """A reply as the boilerplate before it, what it says, and the boilerplate behind it, which make up the reply."""
    before = next((one for one in known if reply.startswith(f"{one} ")), "")
    behind = next((one for one in known if reply.endswith(f" {one}") and len(reply) > len(before) + len(one) + 1), "")
    return before, reply[len(before) : len(reply) - len(behind)], behind
