"""The contracts of bots that can be asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from botattack.errors import BotattackError
from botattack.limits import Limits
from botattack.model import Prompt, Reply, Unit
from botattack.places import PlaceKind


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
Explained = Iterator[tuple[str, str, Sequence[object]]]
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

    def pieces(self, texts: Sequence[str]) -> list[str]:
        """Pieces that make one text, in order."""


class Session(Protocol):
    """One conversation with a bot."""

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError if no reply comes."""


class Target(ABC):
    """A bot that can be asked. Nothing leaks from one session into the next."""

    name: str
    signs: Any = None
    """Those of its target file (`targets.messages.signs.Signs`), whose words the engine heeds."""

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

    @property
    def may_remember(self) -> bool:
        """Whether the bot can know, as far as was seen by now, what was said before in its conversation."""
        return True

    def notes(self) -> Sequence[str]:
        """What is worth knowing once it was asked, a sentence each."""
        return ()

    def confide(self, learn: Learn) -> None:  # noqa: B027  # most know none but those of their file
        """Passes on the secrets it knows that are not in its file, and from now on each that it comes to know."""

    def literals(self) -> Iterator[object]:
        """What it sends that the target file does not show, as requests read from files: secrets may be in it."""
        return iter(())

    def library(self, run: str) -> Any | None:
        """Its knowledge base (`doors.Library`), where its file says how documents are added and removed; it is changed
        in sessions of this run."""
        return None


class TargetKind(ABC):
    """A kind of bot: a frozen dataclass whose fields are the options below `connect:` of a target file."""

    signs: ClassVar[Any] = None
    """Those of the target file, which are no option of the kind: set by `heeding`."""
    sign_types: ClassVar[tuple[type, ...]] = (str,)
    """What signs its replies can show: words, which the engine heeds, and whatever else it looks for itself."""

    def heeding(self, signs: Any) -> Self:
        """The same bot, whose replies are read with these signs."""
        made = replace(self)  # type: ignore[type-var]  # every kind is a dataclass
        object.__setattr__(made, "signs", signs)
        return made

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

    def completed(self, read: Callable[[type[object], object, str], Any]) -> TargetKind | None:
        """The options once those are read whose form depends on others: `read(class, value, key)` reads the value of
        one key, and gives None if that has mistakes."""
        return self

    @property
    def extra(self) -> str:
        """The extra of botattack that brings what the bot needs; empty for none."""
        return ""

    @property
    def install(self) -> tuple[str, ...]:
        """The commands that install what else it needs on another machine."""
        return ()

    def reach(self) -> Iterator[str]:
        """What else `check` says before anything is sent: a line each, such as `starts     …`."""
        return iter(())

    def unasked(self) -> str:
        """The option that should place the question but does not; empty if all is well."""
        return ""

    @property
    def unproven(self) -> str:
        """The option that says that nobody has seen this file work; empty if none does."""
        return ""

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        """The places that reach the bot. A further turn always does: each is asked in the session. Raises what `target`
        does."""
        return frozenset({"question", "turn", "added turn"})

    @property
    def requests_a_document(self) -> int:
        """How many requests it takes at least to add a document to its knowledge base, find it there and remove it; 0
        if its file does not say how."""
        return 0

    @property
    def holds_passages(self) -> bool:
        """Whether its knowledge base contains the passages of the questions anyway."""
        return False

    @property
    def tools(self) -> tuple[str, ...] | None:
        """The names of the tools that the file declares; None if its replies show no tool calls."""
        return None

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
        return None

    def masked(self, raw: str, masks: Masks) -> str | None:
        """`Reply.raw` with secrets masked, if it is made of pieces that may split one; None if it is one text."""
        return None

    def explain(self, raw: str) -> Explained:
        """How a recorded reply is read, step by step; nothing if there are no steps."""
        return iter(())

    def advice(self, limits: Limits, raw: str) -> Iterator[str]:
        """What `check` should say about the options, a sentence each; `raw` is the first reply."""
        return iter(())
