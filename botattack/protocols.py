"""The plug points. A plug subclasses one of these and is named in `registry` or by an entry point; nothing else is
asked of it. What a base class does not make abstract has a default that every plug can live with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import msgspec

from botattack.errors import BotattackError
from botattack.limits import Limits
from botattack.model import (
    Exchange,
    Expect,
    GoldAnswer,
    Need,
    Played,
    Prompt,
    Question,
    Reply,
    Turns,
    Unit,
    Variant,
    Verdict,
)
from botattack.options import File
from botattack.places import EVERYWHERE, PlaceKind


@dataclass(frozen=True)
class PartInfo:
    """Where a language part comes from; `digest` is the SHA-256 of its data, and enters the run's record."""

    name: str
    version: str
    licence: str
    digest: str


class Part(Protocol):
    """A language part: a dictionary, a typo corpus, a parser. Pure data, or something that meets Needs."""

    @property
    def info(self) -> PartInfo: ...


class NeedHandler(ABC):
    """A language part that meets Needs of one kind in batches. A result never depends on the rest of its batch."""

    result_type: ClassVar[Any]
    """What msgspec rebuilds a recorded result into."""

    if TYPE_CHECKING:  # a property here would be in the way of a dataclass that has it as a field

        @property
        def info(self) -> PartInfo: ...

    @abstractmethod
    def meet(self, payloads: Sequence[Any]) -> Sequence[Any]:
        """A result for each payload, in the same order."""

    @property
    def asks(self) -> Any | None:
        """The target file (`config.target.TargetConfig`) of the service that it asks; None if it asks none."""
        return None

    def pay_from(self, purse: Any) -> Any | None:
        """From now on all that it asks is paid from a part of this `engine.purse.Purse`, which is returned."""
        del purse
        return None


@dataclass(frozen=True)
class Context:
    """What an attack knows of a question: the question, the bot's replies to it, the parts the attack declared, and,
    where it searches, what the run has learnt by then (`attacks.roles.PART`)."""

    question: Question
    replies: tuple[Reply, ...] = ()
    parts: Mapping[str, Any] = field(default_factory=dict)
    carried: frozenset[PlaceKind] = EVERYWHERE
    """The places that reach the bot. An attack on several kinds of place leaves out those that do not."""


Proposals = Generator[Sequence[Variant] | Sequence[Need], Sequence[Any], int | None]
"""Yields a batch of variants and is sent their `Outcome`s in the same order, or a batch of Needs and is sent their
results. Returns how many variants existed under the attack's constraints, or None for as many as it yielded."""


@dataclass(frozen=True)
class SearchLimits:
    """How far an attack may go that chooses each variant by the replies before: `requests` a question, until
    `successes` were found. One that `learns` also uses what came of the questions before."""

    requests: int
    successes: int
    learns: bool


ENGLISH: frozenset[str] | None = frozenset({"en"})


class Attack(ABC):
    """A pure generator of variants. An attack is a frozen dataclass whose fields are its options.

    No I/O, no async, no clock, no printing; all randomness comes from `rng`. What it raises ends it for that question
    alone, but for a BotattackError, which says what the user can do and ends the run.
    """

    name: ClassVar[str]
    expect: ClassVar[Expect] = "same"
    languages: ClassVar[frozenset[str] | None] = None
    """The languages it works in, as codes of two letters; None for all. Questions in others are never given to it."""
    per_question: int | None = None
    """How many variants of a question it makes at most; None if its options do not say."""

    def works_in(self, language: str) -> bool:
        return self.languages is None or language in self.languages

    @property
    def links(self) -> tuple[Attack, ...]:
        """The attacks it is made of."""
        return ()

    @property
    def search_limits(self) -> SearchLimits | None:
        """Its limits, where it searches by replies."""
        return None

    @property
    def edits(self) -> frozenset[PlaceKind]:
        """The places that it may edit."""
        return frozenset({"question"})

    @property
    def must_reach(self) -> frozenset[PlaceKind]:
        """The places without which it is pointless: a run against a bot that one of them never reaches is refused."""
        return self.edits

    def parts(self) -> tuple[str, ...]:
        """Names of the language parts and kinds of Need it uses with these options."""
        return ()

    def with_passages(self, passages: Callable[[File | None], Sequence[str]]) -> Attack:
        """The attack with the passages that it takes from elsewhere: those of a file that an option names, or, for
        None, those of the question set. Asked for once, when a campaign is read; most attacks take none."""
        del passages
        return self

    def with_questions(self, questions: Callable[[File | None], Sequence[Question]]) -> Attack:
        """The attack with the questions that it asks beside the one it attacks: those of a file that an option names,
        or, for None, those of the question set. Asked for once, when a campaign is read; most attacks ask none."""
        del questions
        return self

    def check_parts(self, parts: Mapping[str, Any]) -> None:  # noqa: B027  # most attacks ask nothing special
        """Raises MissingPart if a part is there, but cannot do what these options ask of it."""

    @abstractmethod
    def propose(self, context: Context, rng: Random) -> Proposals:
        """The variants of a question, in batches."""


class Play(ABC):
    """Makes the turns of a conversation while it goes on: a frozen dataclass whose fields are its options, of plain
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
        """What a `Variant` holds of it."""
        return Played(self.name, msgspec.json.decode(msgspec.json.encode(self)), seed)


class Opinion(ABC):
    """What is asked after a verdict, such as a model. A frozen dataclass whose fields are its options; it is pure: it
    says what it needs, and what the results mean. What it raises costs that one verdict."""

    name: ClassVar[str]
    uses: ClassVar[tuple[str, ...]]
    """The kinds of Need it has, which are the names of the parts that meet them."""

    @abstractmethod
    def needs(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], verdict: Verdict) -> tuple[Need, ...]:
        """Empty if the verdict is final without it."""

    @abstractmethod
    def settle(self, reply: Reply, verdict: Verdict, results: tuple[Any, ...]) -> Verdict:
        """The verdict, given the results of all its Needs."""


class Matcher(ABC):
    """Decides what a reply means. A matcher is a frozen dataclass whose fields are its options; it is pure.

    What it raises costs that one verdict, which is unsure and says why.
    """

    name: ClassVar[str]

    @abstractmethod
    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """`baseline` holds the bot's replies to the unchanged question, oldest first."""

    @property
    def cost(self) -> int:
        """Several matchers are asked in the order of their costs; those of botattack are below 10."""
        return 1000

    def of(self, kind: str) -> Matcher:
        """What judges questions of this kind."""
        del kind
        return self

    def knowing(self, refusals: tuple[str, ...]) -> Matcher:
        """The matcher for a bot whose fallback sentences are known."""
        del refusals
        return self

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """What is asked after its verdict."""
        return ()

    def parts(self) -> frozenset[str]:
        """The kinds of Need that its opinions on questions of any kind use."""
        return frozenset(kind for opinion in self.opinions for kind in opinion.uses)


class Pace(Protocol):
    """The engine's side of a conversation: every request asks for leave before it leaves."""

    async def leave(self) -> None:
        """Returns when one more request may leave, and counts it; raises RunStopped if none may any more."""

    def shut(self, seconds: float | None) -> None:
        """The bot asked everybody to wait (None: it did not say how long)."""


class Unpaced:
    """The pace of a handful of requests that belong to no run: each leaves at once."""

    async def leave(self) -> None:
        return

    def shut(self, seconds: float | None) -> None:
        del seconds


Tell = Callable[[str, str], None]
"""Hears what passes between a target and its bot, and its text: `sent`, `came`, `body` (a piece of one), or `note`
(what looks wrong). Secrets are not masked: whoever shows it does that."""
Explained = Iterator[tuple[str, str, Sequence[Any]]]
"""How a reply was read: each option, where it looked, and what it took."""
Learn = Callable[[Iterable[str]], None]
"""Takes secrets, which from then on are masked wherever something is recorded or shown."""


class Mask(Protocol):
    """What keeps secrets out of everything that is recorded or shown."""

    def learn(self, secrets: Iterable[str]) -> None: ...

    def excerpt(self, said: str, *, last: bool = False) -> str:
        """An `errors.Excerpt`."""


class Masks(Protocol):
    """What masks the parts of a raw reply that came in pieces."""

    def text(self, text: str) -> str:
        """One text."""

    def growing(self, texts: Sequence[str]) -> list[str]:
        """Looks at one text while it grew."""

    def pieces(self, texts: Sequence[str]) -> list[str]:
        """Pieces that make one text, in order."""


class Session(Protocol):
    """One conversation with a bot."""

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError if no reply comes."""


class Target(ABC):
    """A bot that can be asked. Nothing leaks from one session into the next."""

    name: str

    @abstractmethod
    def session(self, unit: Unit, pace: Pace) -> AbstractAsyncContextManager[Session]:
        """A new conversation, which asks `pace` for leave before each request."""

    async def close(self) -> None:  # noqa: B027  # many hold nothing
        """Lets go of all that it holds."""

    def stay_here(self) -> None:
        """From now on it connects to loopback addresses only, whatever address a name has by then.

        Called for each bot that names hosts and whose owner allowed nothing more. What cannot promise that refuses.
        """
        raise BotattackError(
            f"{self.name} cannot be kept to this machine, as its kind does not implement stay_here(): "
            "add consent: {authorised_by: WHO, until: DATE} to its target file"
        )

    def watch(self, tell: Tell) -> None:  # noqa: B027  # it may have nothing to show
        """Shows from now on what passes between it and its bot, for `check`."""

    def notes(self) -> Sequence[str]:
        """What is worth knowing once it was asked, a sentence each."""
        return ()

    def confide(self, learn: Learn) -> None:  # noqa: B027  # most know none but those of their file
        """Passes on the secrets it knows that are not in its file, and from now on each that it comes to know."""

    def literals(self) -> Iterator[Any]:
        """What it sends that the target file does not show, as requests read from files: secrets may be in it."""
        return iter(())

    @property
    def library(self) -> Any | None:
        """Its knowledge base (`doors.Library`), where its file says how documents are added and removed."""
        return None

    def trace(self, folder: Path) -> None:
        """Keeps traces of its pages in the folder; raises BotattackError if it has none."""
        del folder
        raise BotattackError(f"--trace is for web pages: {self.name} is of another kind; leave --trace out")


class TargetKind(ABC):
    """A kind of bot: a frozen dataclass whose fields are the options below `connect:` of a target file."""

    @abstractmethod
    def target(self, name: str, env: Mapping[str, str], folder: Path) -> Target:
        """The bot, ready to be asked; `env` holds the declared environment names, `folder` is the target file's.

        Raises ConfigError with a place below `connect`, or MissingPart.
        """

    @abstractmethod
    def hosts(self, env: Mapping[str, str]) -> Mapping[tuple[str | int, ...], str]:
        """Each host that requests may go to, by the place below `connect` that names it; a bot on this machine that is
        asked without a network has none. Consent is decided on these."""

    def address(self, env: Mapping[str, str]) -> str:
        """The URL that identifies the bot: runs over bots of one address share its pace. Empty for a local bot."""
        hosts = sorted(set(self.hosts(env).values()))
        return "//" + ",".join(hosts) if hosts else ""

    def completed(self, read: Callable[[type[Any], Any, str], Any]) -> TargetKind | None:
        """The options once those are read whose form depends on others: `read(class, value, key)` reads the value of
        one key, and gives None if that has mistakes."""
        del read
        return self

    @property
    def extra(self) -> str:
        """The extra of botattack that brings what the bot needs; empty for none."""
        return ""

    @property
    def install(self) -> tuple[str, ...]:
        """The commands that install what else it needs on another machine."""
        return ()

    @property
    def passes_environment(self) -> bool:
        """Whether it starts programs that see the declared environment names, without an option that names them."""
        return False

    def reach(self) -> Iterator[str]:
        """What else `check` says before anything is sent: a line each, such as `starts     …`."""
        return iter(())

    def unasked(self) -> str:
        """The option that should place the question but does not; empty if all is well."""
        return ""

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        """The places that reach the bot. A further turn always does: each is asked in the session. Raises what `target`
        does."""
        del folder
        return frozenset({"question", "turn", "added turn"})

    @property
    def takes_documents(self) -> bool:
        """Whether its file says how documents are added to its knowledge base and removed from it."""
        return False

    @property
    def holds_passages(self) -> bool:
        """Whether its knowledge base contains the passages of the questions anyway."""
        return False

    @property
    def requests_each(self) -> int:
        """How many requests an asking takes."""
        return 1

    @property
    def polls(self) -> bool:
        """Whether an asking may take more than `requests_each`, as far as can be known before."""
        return False

    @property
    def reuses_conversations(self) -> bool:
        """Whether the file says that one question may change the next."""
        return False

    def extractor(self, folder: Path) -> Callable[[str], Reply] | None:
        """What reads `Reply.raw` of a recording again; None if this kind keeps no raw replies."""
        del folder
        return None

    def masked(self, raw: str, masks: Masks) -> str | None:
        """`Reply.raw` with secrets masked, if it is made of pieces that may split one; None if it is one text."""
        del raw, masks
        return None

    def explain(self, raw: str) -> Explained:
        """How a recorded reply is read, step by step; nothing if there are no steps."""
        del raw
        return iter(())

    def advice(self, limits: Limits, raw: str) -> Iterator[str]:
        """What `check` should say about the options, a sentence each; `raw` is the first reply."""
        del limits, raw
        return iter(())


@dataclass(frozen=True)
class BadRecord:
    """A record of a question file that could not be read: its line (from 1) and why, in one sentence."""

    line: int
    why: str


class QuestionReader(Protocol):
    """Reads a question file as a stream; a bad record is yielded, never dropped."""

    def __call__(self, path: Path) -> Iterator[Question | BadRecord]: ...


@dataclass(frozen=True)
class Report:
    """A kind of report: its name is the one it is registered under."""

    suffixes: tuple[str, ...]
    """File names that ask for it, such as `.html`; the first is the usual one."""
    write: Callable[[Path, Any], None]
    """Writes the file from a `report.writers.material.Material`; raises ReportError."""
