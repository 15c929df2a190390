"""Bots in this process: any Python callable."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from botattack.errors import BotattackError, BrokenReply, ExtractionFailed, RequestRefused
from botattack.model import Prompt, Reply, Turn, Unit
from botattack.options import CodeName
from botattack.protocols import Pace
from botattack.targets.code import load, said
from botattack.targets.selectors import clean
from botattack.targets.values import place_values, session_id

OFFERED = ("text", "passages", "history", "session", "seed", "prompt")
"""What a bot's parameters may be called; the first without one of these names gets the text."""


@dataclass(frozen=True)
class Local:
    """A bot that is a Python callable in this process."""

    call: CodeName
    """`module:attribute` or `file://x.py:function`. Parameters named text, passages, history, session, seed or prompt
    are given by name. It returns a text, or a mapping {text, ranked, fields}; `async def` is awaited."""
    per: Literal["auto", "question", "session"] = "auto"
    """`session`: called once a conversation, with session and seed, to get what is then asked; `question`: asked
    itself; `auto`: session for a class, or for what is marked `per_session = True`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Given by name to a class or factory."""

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> LocalTarget:
        """Imports the code; raises ConfigError where that fails, MissingPart where the code says so."""
        del env
        bot = load(self.call, folder, "connect.call")
        marked = inspect.isclass(bot) or getattr(bot, "per_session", False)
        each = self.per == "session" or (self.per == "auto" and marked)
        return LocalTarget(name, self.call.text, bot, each, self.options)

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """A callable's reply is its own text."""
        del folder
        return lambda raw: Reply(raw, raw=raw)


class LocalTarget:
    """Gives each conversation its own callable, or the one callable to all."""

    def __init__(self, name: str, source: str, bot: Any, each: bool, options: Mapping[str, Any]) -> None:
        self.name = name
        self.source = source
        self._bot = bot
        self._each = each
        self._options = options
        self._shapes: dict[Any, Callable[[Mapping[str, Any]], tuple[list[Any], dict[str, Any]]]] = {}

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[LocalSession]:
        bot = self._bot
        if self._each:
            known = {**self._options, "session": session_id(unit), "seed": unit.seed}
            taken = _parameters(bot)
            given = known if taken is None else {name: value for name, value in known.items() if name in taken}
            bot = await self.run(bot, [], given)
        try:
            yield LocalSession(self, bot, unit, pace)
        finally:
            if self._each and hasattr(bot, "close"):
                await self.run(bot.close, [], {})

    async def run(self, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Calls foreign code; whatever it raises becomes a BrokenReply."""
        try:
            if _is_async(function):
                return await function(*args, **kwargs)
            result = await in_thread(partial(function, *args, **kwargs))
            return await result if inspect.isawaitable(result) else result
        except (BotattackError, asyncio.CancelledError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise BrokenReply(f"{self.source} failed: {said(error)}", delivered=True, place="connect.call") from error

    async def close(self) -> None:
        """Nothing is held."""


class LocalSession:
    """One conversation with a callable."""

    def __init__(self, target: LocalTarget, bot: Any, unit: Unit, pace: Pace) -> None:
        self._target = target
        self._bot = bot
        self._unit = unit
        self._id = session_id(unit)
        self._pace = pace
        self._turns: tuple[Turn, ...] = ()

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises BrokenReply where the code fails, ExtractionFailed where it returns no text."""
        if not callable(self._bot):
            sentence = f"{self._target.source} is not callable but {type(self._bot).__name__}"
            raise RequestRefused(sentence, delivered=False, place="connect.call")
        await self._pace.leave()
        loop = asyncio.get_running_loop()
        began = loop.time()
        args, kwargs = self._arguments(prompt)
        result = await self._target.run(self._bot, args, kwargs)
        reply = read(result, self._target.source)
        self._turns += (Turn("user", prompt.text), Turn("bot", reply.text))
        return Reply(reply.text, reply.ranked, reply.fields, loop.time() - began, None, reply.raw or reply.text)

    def _arguments(self, prompt: Prompt) -> tuple[list[Any], dict[str, Any]]:
        taken = _parameters(self._bot)
        if not taken:
            return [prompt.text], {}
        named = [name for name in taken if name in OFFERED]
        if not named:
            return [prompt.text], {}
        values = place_values(self._id, self._unit.seed, prompt, self._turns, named)
        offered = {**values, "text": prompt.text, "prompt": prompt, "seed": self._unit.seed}
        first = [prompt.text] if taken[0] not in OFFERED else []
        return first, {name: offered[name] for name in named}


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _parameters(function: Any) -> list[str] | None:
    """Names of the parameters of a callable; None where it takes any name."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY, p.POSITIONAL_ONLY)]


def read(result: Any, source: str) -> Reply:
    """What a callable returned, as a Reply; raises ExtractionFailed."""
    if isinstance(result, str):
        return Reply(clean(result, html=False))
    if isinstance(result, Reply):
        return result
    if isinstance(result, Mapping) and isinstance(result.get("text"), str):
        ranked = tuple(clean(str(item), html=False) for item in result.get("ranked", ()))
        return Reply(clean(result["text"], html=False), ranked, dict(result.get("fields", {})))
    sentence = f"{source} returned {type(result).__name__}, not a text or a mapping with a text"
    raise ExtractionFailed(sentence, delivered=True, place="connect.call")


async def in_thread(work: Callable[[], Any]) -> Any:
    """Runs work in a daemon thread of its own, so that code that never returns cannot keep the process alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error if not isinstance(error, StopIteration) else RuntimeError("StopIteration"))

    def run() -> None:
        result, failure = None, None
        try:
            result = context.run(work)
        except BaseException as error:
            failure = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, daemon=True, name="botattack-bot").start()
    return await done
