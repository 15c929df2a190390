"""A second opinion."""

from dataclasses import dataclass
from typing import ClassVar

from botattack.model import Need, Verdict
from botattack.protocols import Opinion


@dataclass(frozen=True)
class Calm(Opinion):
    """Unsure of a reply with more exclamation marks than `at_most`."""

    name: ClassVar[str] = "calm"
    uses: ClassVar[tuple[str, ...]] = ("marks",)
    at_most: int = 0
    """How many do no harm."""

    def needs(self, prompt, reply, gold, verdict):
        return (Need("marks", reply.text),)

    def settle(self, reply, verdict, results):
        return verdict if results[0] <= self.at_most else Verdict("unsure", 0.5, self.name, "it shouts")
