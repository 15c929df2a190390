"""Everything a run needs to know before it begins: plain values and pure objects, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from botattack.attacks.building.search import learns
from botattack.config.campaign import RunKeys
from botattack.events import JudgedBy, Shrinks
from botattack.limits import Limits
from botattack.model import GoldAnswer, Prompt, Question, Reply, Verdict
from botattack.places import EVERYWHERE, PlaceKind
from botattack.protocols import Attack, Matcher, NeedHandler
from botattack.text.boilerplate import Boilerplate

ASKED_OF_ITSELF = 3
"""Askings of a question whose answer is judged against the bot's own: fewer cannot show that it agrees with itself."""
WRONG_RUNNING = 3
"""Wrong askings in a row after which an answer that was right before is believed to be lost."""


def randomness(seed: int, label: str, question: Question) -> Random:
    """What an attack draws from for a question, whatever else the run asks, and through whatever door."""
    return Random(f"{seed}/{label}/{question.base}")


class OwnMatcher(Protocol):
    """Judges a reply against the bot's own replies to the unchanged question."""

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """As `Matcher.judge`."""
        ...

    def agree(self, prompt: Prompt, replies: tuple[Reply, ...]) -> bool:
        """Whether the bot agrees with itself."""
        ...

    def declines(self, prompt: Prompt, reply: Reply) -> bool:
        """Whether a reply refuses, whatever would have been right."""
        ...


@dataclass(frozen=True, kw_only=True)
class Plan(RunKeys):
    """One run over one target. `attacks` maps the label shown in reports to the attack.

    `pinned` are the ids of the questions that a suite attacks, whatever becomes of their originals; `steady` those that
    were right before: if the original is wrong now, it is asked again before that is believed. `known` is how many
    askings the suite comes to.
    `weaker`, `judged_by` and `shrinks` are what the start of the run says of itself.
    `preflight` is whether a bot that answers none of its first units is taken not to be there.
    `carried` are the places that reach the bot; `holds_passages` is whether its knowledge base contains the passages of
    questions anyway.
    `where` tells of a place such as `connect.extract.answer` where in the target file it is.
    """

    run: str
    target: str
    started: str
    attacks: Mapping[str, Attack]
    judge: Matcher
    own: OwnMatcher
    limits: Limits = field(default_factory=Limits)
    fail_fast: bool = False
    parts: Mapping[str, Any] = field(default_factory=dict)
    handlers: Mapping[str, NeedHandler] = field(default_factory=dict)
    learned_rate: float | None = None
    pinned: frozenset[str] | None = None
    steady: frozenset[str] = frozenset()
    known: int = 0
    weaker: tuple[str, ...] = ()
    judged_by: JudgedBy | None = None
    shrinks: Shrinks | None = None
    preflight: bool = True
    carried: frozenset[PlaceKind] = EVERYWHERE
    boilerplate: Boilerplate = field(default_factory=Boilerplate)
    holds_passages: bool = False
    where: Callable[[str], str] = str

    @property
    def searches(self) -> tuple[str, ...]:
        """Labels of the attacks that are guided by what broke the bot before."""
        return tuple(label for label, attack in self.attacks.items() if learns(attack))

    @property
    def until_success(self) -> tuple[str, ...]:
        """Labels of the attacks that end at their first success with a question."""
        limits = {label: attack.search_limits for label, attack in self.attacks.items()}
        return tuple(label for label, limit in limits.items() if limit and limit.successes == 1)

    def askings(self, *, gold: bool) -> int:
        """How often an original is asked: more than once where the bot's own reply is the reference."""
        own = not gold or any(attack.expect == "different" for attack in self.attacks.values())
        return max(self.repeat, ASKED_OF_ITSELF if own else 1)
