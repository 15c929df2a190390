"""Bots in this process: any Python callable."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from botattack.model import Prompt, Reply, Unit
from botattack.options import BadValue, CodeName, JsonObject, Read, shown
from botattack.places import PlaceKind
from botattack.protocols import Pace, Target, TargetKind
from botattack.targets.local.callables import Bot
from botattack.targets.local.own_bots import OWN, OwnOptions
from botattack.targets.messages.chat_messages import Conversation
from botattack.targets.messages.placed_values import session_id, small_seed


def read_options(value: object) -> Mapping[str, object]:
    """Options by name."""
    if isinstance(value, Mapping):
        return value
    raise BadValue(f"expected a mapping, found {shown(value)}", hint="write {name: value}")


@dataclass(frozen=True)
class Local(TargetKind):
    """A bot that is a Python callable in this process: `async def` runs on the event loop, all else in a thread of its
    own. What blocks for long, or is to be ended, is better asked as a program (kind `process`)."""

    call: CodeName
    """`module:attribute` or `file://x.py:function`. Parameters named text, passages, history, session, seed or prompt
    are given by name. It returns a text, or a mapping {text, ranked, fields} with all else (tools, sources)
    in fields; `async def` is awaited."""
    per: Literal["auto", "question", "session"] = "auto"
    """`session`: called once a conversation, with session and seed, to get what is then asked; `question`: asked
    itself; `auto`: session for a class, or for what is marked `per_session = True`. If that is no class, its return
    annotation says which class it makes: attacks on passages or history need to know what the bot takes."""
    options: Annotated[Mapping[str, Any] | OwnOptions, Read(read_options, {"type": "object"})] = field(
        default_factory=dict
    )
    """Given by name to a class or factory."""

    @property
    def declared(self) -> type[OwnOptions] | None:
        """What `options` are read into where the code is botattack's own; only other code says by itself what it
        takes."""
        return OWN.get(self.call.text)

    def completed(self, read: Callable[[type[object], object, str], Any]) -> Local | None:
        if self.declared is None:
            return self
        own = read(self.declared, self.options, "options")
        return own and replace(self, options=own)

    @property
    def extra(self) -> str:
        return self.options.extra if isinstance(self.options, OwnOptions) else ""

    @property
    def install(self) -> tuple[str, ...]:
        return self.options.install if isinstance(self.options, OwnOptions) else ()

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> Target:
        """Imports the code; raises ConfigError if that fails, MissingPart if the code says so."""
        return LocalTarget(name, Bot.load(self.call, self.per, self._given(folder), folder))

    def hosts(self, env: Mapping[str, str]) -> Mapping[tuple[str | int, ...], str]:
        """None that botattack asks: what the code itself asks is up to whoever allowed it to run."""
        return {}

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        """What the callable has parameters for. Imports the code, as `target` does, but reads no weights."""
        return Bot.load(self.call, self.per, {}, folder).carries

    @property
    def tools(self) -> tuple[str, ...] | None:
        """Code may return `fields: {tools: [...]}`; whether it does is seen when it is asked."""
        return ()

    def _given(self, folder: Path) -> JsonObject:
        """What the code is given by name; code of botattack's own only what it declares."""
        if isinstance(self.options, OwnOptions):
            return self.options.given(folder)
        if self.declared is not None:
            raise TypeError(f"the options of {self.call.text} were not read into {self.declared.__name__}")
        return dict(self.options)

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """A callable's reply is its own text."""
        return lambda raw: Reply(raw, raw=raw)


class LocalTarget(Target):
    """Asks in this process."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self._bot = bot

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[LocalSession]:
        asked = await self._bot.begin(session_id(unit), small_seed(unit.seed))
        try:
            yield LocalSession(self._bot, asked, unit, pace)
        finally:
            await self._bot.end(asked)


class LocalSession(Conversation):
    """One conversation with a callable."""

    def __init__(self, bot: Bot, asked: object, unit: Unit, pace: Pace) -> None:
        super().__init__(unit, pace)
        self._bot = bot
        self._asked = asked

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises BrokenReply if the code fails, ExtractionFailed if it returns no text."""
        await self._pace.leave()
        loop = asyncio.get_running_loop()
        began = loop.time()
        reply = await self._bot.ask(self._asked, self._id, small_seed(self._seed), prompt, self._turns)
        self._heard(prompt, reply)
        return Reply(reply.text, reply.ranked, reply.fields, loop.time() - began, None, reply.raw or reply.text)
