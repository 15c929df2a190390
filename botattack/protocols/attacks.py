"""The contracts of attacks and of plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import msgspec

from botattack.model import Exchange, Expect, Need, Played, Prompt, Question, Reply, Turns, Variant
from botattack.options import File
from botattack.places import EVERYWHERE, PlaceKind

if TYPE_CHECKING:
    from typing_extensions import TypeIs

T = TypeVar("T")

PartsByName = Mapping[str, Any]
"""Language parts by name. A part is what its `load()` gives, which only those that declare the part know."""

Needing = Generator[Sequence[Need], Sequence[Any], T]
"""Yields batches of Needs, is sent their results, and returns a value."""


@dataclass(frozen=True)
class Context:
    """What an attack knows of a question: the question, the bot's replies to it, and the parts the attack declared."""

    question: Question
    replies: tuple[Reply, ...] = ()
    parts: PartsByName = field(default_factory=dict)
    carried: frozenset[PlaceKind] = EVERYWHERE
    """The places that reach the bot. An attack on several kinds of place leaves out those that do not."""
    tools: tuple[str, ...] = ()
    """The names of the tools that the target file declares."""
    depends: bool = False
    """Whether the right answer is said to change with what the text says, which then may be a statement."""
    right: bool = True
    """Whether the bot's answer to the question, unchanged, is right."""


Proposals = Generator[Sequence[Variant] | Sequence[Need], Sequence[Any], int | None]
"""Yields a batch of variants and is sent their `Outcome`s in the same order, or a batch of Needs and is sent their
results. Returns how many variants existed under the attack's constraints, or None for as many as it yielded."""


def are_needs(batch: Sequence[Variant] | Sequence[Need]) -> TypeIs[Sequence[Need]]:
    """Whether a batch that an attack yields is of Needs. An empty one is of variants."""
    return bool(batch) and isinstance(batch[0], Need)


ENGLISH: frozenset[str] | None = frozenset({"en"})


class OtherQuestions(Protocol):
    """Gives the questions of a file, or, for None, of the question set; notes a mistake if there are fewer than
    `least`, one of which is that of the attack itself."""

    def __call__(self, named: File | None, /, least: int = 2) -> Sequence[Question]: ...


class Attack(ABC):
    """A pure generator of variants. An attack is a frozen dataclass whose fields are its options.

    No I/O, no async, no clock, no printing; all randomness comes from `rng`. An exception ends it for that question
    only; a BotattackError, which says what the user can do, ends the run.
    """

    name: ClassVar[str]
    plain: ClassVar[str] = ""
    """Its name in reports, in everyday words: "Typing mistakes", as in "Typing mistakes break 38 % of the answers". By
    default `name`. The first sentence of the docstring is shown next to it."""
    advice: ClassVar[str] = ""
    """A sentence on what to do about a bot that it breaks, which reports show; none by default."""
    planted: ClassVar[str] = "planted answer"
    """What reports call its decoy."""
    uses: ClassVar[tuple[str, ...]] = ()
    """Names of the language parts and kinds of Need it uses, whatever its options."""
    typed: ClassVar[bool] = True
    """Whether a person might type its variants so; where two language models that read 60 said of most that nobody
    would, reports say it."""
    one_of_each: ClassVar[str] = ""
    """The option that lists kinds of variants, if a question gets one of each at most."""
    separates: ClassVar[bool] = False
    """Whether it compares conversations, so that a target file that continues one for all is refused."""
    diagnosis: ClassVar[bool] = False
    """Whether all its variants are probes: it finds out about the bot, and has no rate and no row among the attacks."""

    @property
    def teaches_all(self) -> bool:
        """Whether it tells the bot what is meant to stay for all its users, which their owner must allow."""
        return False

    @property
    def wants_tool(self) -> str | None:
        """The tool that its variants tell the bot to call; empty for any that the target file declares, None for
        none."""
        return None

    @property
    def expect(self) -> Expect:
        """What a right bot does with its variants: give the same answer, another, or none."""
        return "same"

    @property
    def per_question(self) -> int | None:
        """How many variants of a question it makes at most; None if its options do not say."""
        return len(getattr(self, self.one_of_each)) if self.one_of_each else None

    @property
    def controls(self) -> int:
        """How many askings of a question it compares its variants with; no rate has them."""
        return 0

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages it works in, as codes of two letters; None for all. It is given no question in another."""
        return None

    def works_in(self, language: str) -> bool:
        return self.languages is None or language in self.languages

    @property
    def links(self) -> tuple[Attack, ...]:
        """The attacks it is made of."""
        return ()

    @property
    def within(self) -> Iterator[Attack]:
        """All that these are made of, at any depth."""
        for link in self.links:
            yield link
            yield from link.within

    @property
    def counts_questions(self) -> bool:
        """Whether it tries until the bot breaks, so that its rate counts questions, and what it asked is cost: its
        variants are asked one after the other, at most `per_question`. What breaks the bot is asked again before it
        counts (`attacks.building.settling`)."""
        return False

    @property
    def asks_on(self) -> bool:
        """Whether one that counts questions goes on to its own end when a variant has broken the bot."""
        return False

    @property
    def edits(self) -> frozenset[PlaceKind]:
        """The places that it may edit."""
        return frozenset({"question"})

    @property
    def must_reach(self) -> frozenset[PlaceKind]:
        """The places without which it is pointless: a run against a bot that one of them never reaches is refused."""
        return self.edits

    def parts(self) -> tuple[str, ...]:
        """Names of the language parts and kinds of Need it uses with these options; by default `uses`."""
        return self.uses

    def with_questions(self, questions: OtherQuestions) -> Attack:
        """The attack with the questions that it asks in addition to the one it attacks: those of a file that an option
        names, or, for None, those of the question set. Asked for once, when a campaign is read; most attacks ask
        none."""
        return self

    def check_parts(self, parts: PartsByName) -> None:  # noqa: B027  # most attacks ask nothing special
        """Raises MissingPart if a part is installed but cannot do what these options require."""

    @abstractmethod
    def propose(self, context: Context, rng: Random) -> Proposals:
        """The variants of a question, in batches."""


class Play(ABC):
    """Makes the turns of a conversation while it is going on: a frozen dataclass whose fields are its options, of plain
    data. `name` is its name among the `plays` of the registry.

    It is pure and quick: the same options, beginning, replies and `rng` give the same turn. What it raises ends that
    conversation as an error. It is never run again but to ask a bot: everything else reads what was said.
    """

    name: ClassVar[str]

    @abstractmethod
    def next(self, first: Turns, said: Sequence[Exchange], rng: Random) -> Prompt | None:
        """The turn after what was said; None once the conversation is over, which it is after `limits.turns` turns in
        any case. `first` are the turns of its variant, `rng` is its own for each turn.

        The reply to a prompt is judged if the prompt says which turn of the question it `asks`, as those of `first` do
        if the question is a dialogue. If none says so, the last reply is judged as that to the question.
        """

    def played(self, seed: int = 0) -> Played:
        """What a `Variant` stores of it."""
        return Played(self.name, msgspec.json.decode(msgspec.json.encode(self)), seed)
