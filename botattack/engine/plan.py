"""Everything a run needs to know before it begins: plain values and pure objects, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from botattack.config.run_keys import RunKeys
from botattack.events import NOBODY, JudgedBy, Reading, Shrinks, StopRule, Whys
from botattack.limits import Limits
from botattack.matchers.own import OwnReference
from botattack.model import CONTROL, Question
from botattack.places import EVERYWHERE, PlaceKind
from botattack.protocols import Attack, Matcher, NeedHandler, PartsByName
from botattack.text.boilerplate import Boilerplate

ASKED_OF_ITSELF = 3
"""Askings of a question whose answer is judged against the bot's own: fewer cannot show that it agrees with itself."""
WRONG_RUNNING = 3
"""Wrong askings in a row after which an answer that was right before is believed to be lost."""
BASELINE_ASKINGS = 2
"""Askings of an older run from which what the bot said there was no luck: all right, or all with one reply."""
OPEN_IF_STOPPING = 16
"""Questions under way at most in a run that may stop early."""


def randomness(seed: int, label: str, question: Question) -> Random:
    """The random numbers of an attack for a question: the same whatever else the run asks, through every door."""
    return Random(f"{seed}/{label}/{question.base}")


class Questions(Protocol):
    """Distinct questions in seeded order, each with how many more records asked the same."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[tuple[Question, int]]: ...

    def lacks(self, ids: Iterable[str]) -> int:
        """How many of these ids are of none of them."""
        ...


@dataclass(frozen=True, kw_only=True)
class Plan(RunKeys):
    """One run over one target. `attacks` maps the label shown in reports to the attack.

    `pinned` are the ids of the questions that a suite attacks, whatever becomes of their originals; `watched` are those
    that were right before, or that the judge was unsure of: if the original is wrong now, it is asked again before that
    is believed. `known` is how many
    askings the suite comes to, and `readings` what people said of its texts, which the run records as its own.
    `weaker`, `judged_by`, `shrinks` and `whys` are what the start of the run says of itself.
    `preflight` is whether a bot that answers none of its first units is taken not to be there.
    `carried` are the places that reach the bot; `holds_passages` is whether its knowledge base contains the passages of
    questions anyway, and `tools` those that the target file declares.
    `stops` is the rule by which the run stops when it is sure; a bot that breaks rings an alarm if it `is_night`.
    `conversing` are the attacks that mean nothing to a bot without memory.
    `reuses_conversations` is whether the target file lets one conversation change the next.
    `where` tells of a place such as `connect.extract.answer` where in the target file it is.
    """

    run: str
    target: str
    started: str
    attacks: Mapping[str, Attack]
    judge: Matcher
    own: OwnReference
    limits: Limits = field(default_factory=Limits)
    fail_fast: bool = False
    parts: PartsByName = field(default_factory=dict)
    handlers: Mapping[str, NeedHandler] = field(default_factory=dict)
    learned_rate: float | None = None
    pinned: frozenset[str] | None = None
    watched: frozenset[str] = frozenset()
    known: int = 0
    readings: tuple[Reading, ...] = ()
    weaker: tuple[str, ...] = ()
    judged_by: JudgedBy = NOBODY
    shrinks: Shrinks | None = None
    whys: Whys | None = None
    preflight: bool = True
    carried: frozenset[PlaceKind] = EVERYWHERE
    tools: tuple[str, ...] = ()
    boilerplate: Boilerplate = field(default_factory=Boilerplate)
    holds_passages: bool = False
    conversing: tuple[str, ...] = ()
    reuses_conversations: bool = False
    campaign: str = ""
    flags: tuple[str, ...] = ()
    where: Callable[[str], str] = str
    stops: StopRule | None = None
    is_night: bool = False

    @property
    def open_at_once(self) -> int:
        """How many questions are. A run that may stop early has few open: what is
        under way when it stops was asked in vain. As many at any concurrency."""
        return min(self.window, OPEN_IF_STOPPING) if self.stops else self.window

    @property
    def has_control(self) -> bool:
        return any(attack.name == CONTROL for attack in self.attacks.values())

    @property
    def start(self) -> dict[str, object]:
        """What the start of the run says of it, as `RunStarted` has it. A diagnosis is no attack with a rate."""
        return {
            "run": self.run,
            "target": self.target,
            "started": self.started,
            "seed": self.seed,
            "filter": self.filter,
            "attacks": {label: attack.expect for label, attack in self.attacks.items() if not attack.diagnosis},
            "weaker": self.weaker,
            "judge": self.judged_by,
            "carriers": self.carrier,
            "stops": self.stops,
            "shrinks": self.shrinks,
            "whys": self.whys,
            "campaign": self.campaign,
            "flags": self.flags,
        }

    def askings(self, *, gold: bool) -> int:
        """How often an original is asked: more than once where the bot's own reply is the reference."""
        own = not gold or any(attack.expect == "different" for attack in self.attacks.values())
        return max(self.repeat, ASKED_OF_ITSELF if own else 1)
