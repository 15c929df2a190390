"""Python callables as bots: what they are given, what they may return, and where they run."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

from botattack.errors import BotattackError, BrokenReply, ConfigError, ExtractionFailed, Problem, RequestRefused
from botattack.model import Prompt, Reply, Turn
from botattack.options import Code
from botattack.places import EVERYWHERE, PlaceKind, carried_by
from botattack.targets.foreign_code import imported
from botattack.targets.messages.placed_values import place_values
from botattack.targets.messages.selectors import MAX_DEPTH, clean, is_deep

OFFERED = ("text", "passages", "history", "session", "seed", "prompt")
"""What a bot's parameters may be called; the first without one of these names gets the text."""
GIVEN = ("session", "seed")
"""What a class or factory gets besides its options."""


def _check_options(source: str, options: Mapping[str, object], taken: list[str] | None, folder: Path) -> None:
    """Raises ConfigError for options that would be left out; `taken` None takes any."""
    known = sorted(set(taken or ()) - {"self", *GIVEN})
    hint = f"known: {', '.join(known)}" if known else "it takes none"
    wrong = [name for name in options if name in GIVEN or (taken is not None and name not in known)]
    if wrong:
        sentence = f"{source} takes no such option"
        raise ConfigError(
            tuple(Problem(str(folder), 1, 1, f"connect.options.{name}", sentence, hint) for name in wrong)
        )


class Bot:
    """A callable, or what makes one for each conversation; failures of its code become a BrokenReply."""

    def __init__(self, source: str, call: Any, each: bool, options: Mapping[str, object]) -> None:
        self.source = source
        self._call = call
        self._each = each
        self._options = options

    @classmethod
    def load(cls, code: Code, per: str, options: Mapping[str, object], folder: Path) -> Bot:
        """Raises ConfigError if the code cannot be loaded, or does not take an option. `per` is auto, question or
        session."""
        call = imported(code, folder, "connect.call")
        marked = inspect.isclass(call) or getattr(call, "per_session", False)
        each = per == "session" or (per == "auto" and marked)
        _check_options(code.text, options, _parameters(call) if each else [], folder)
        return cls(code.text, call, each, options)

    @property
    def carries(self) -> frozenset[PlaceKind]:
        """The places that its parameters take. What makes a bot for each conversation is a class, or says by its return
        annotation what it makes; if it does not, the bot counts as taking the question alone."""
        asked = _made_by(self._call).__call__ if self._each else self._call
        taken = _parameters(asked) or []
        return EVERYWHERE if "prompt" in taken else carried_by(taken)

    async def begin(self, session: str, seed: int) -> object:
        """What is asked in a conversation."""
        if not self._each:
            return self._call
        known = {**self._options, "session": session, "seed": seed}
        taken = _parameters(self._call)
        given = known if taken is None else {name: value for name, value in known.items() if name in taken}
        return await self.run(self._call, [], given)

    async def end(self, asked: object) -> None:
        if self._each and hasattr(asked, "close"):
            await self.run(asked.close, [], {})

    async def ask(self, asked: object, session: str, seed: int, prompt: Prompt, before: tuple[Turn, ...]) -> Reply:
        """Raises BrokenReply if the code fails, ExtractionFailed if it returns no text."""
        if not callable(asked):
            sentence = f"{self.source} is not callable but {type(asked).__name__}"
            raise RequestRefused(sentence, delivered=False, place="connect.call")
        taken = _parameters(asked) or []
        named = [name for name in taken if name in OFFERED]
        first = [] if named and taken[0] in OFFERED else [prompt.text]
        offered = place_values(session, seed, prompt, before, named) | {"prompt": prompt, "text": prompt.text}
        return read(await self.run(asked, first, {name: offered[name] for name in named}), self.source)

    async def run(self, function: Callable[..., Any], args: list[Any], kwargs: dict[str, object]) -> object:
        """Calls foreign code; whatever it raises becomes a BrokenReply."""
        try:
            if _is_async(function):
                return await function(*args, **kwargs)
            result = await in_thread(partial(function, *args, **kwargs))
            return await result if inspect.isawaitable(result) else result
        except (BotattackError, asyncio.CancelledError, KeyboardInterrupt):
            raise
        except BaseException as error:
            sentence = f"{self.source} failed: {type(error).__name__}"
            raise BrokenReply(sentence, said=str(error), delivered=True, place="connect.call") from error


def _made_by(call: object) -> Any:
    """What a class or a factory makes, as a class; `object` where it does not say."""
    if inspect.isclass(call):
        return call
    try:
        made = get_type_hints(call).get("return")
    except Exception:  # an annotation of foreign code may be any expression
        return object
    return made if inspect.isclass(made) else object


def _is_async(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _parameters(function: Any) -> list[str] | None:
    """Names of the parameters of a callable; None if it takes any name."""
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
    if not isinstance(result, Mapping) or not isinstance(result.get("text"), str):
        raise _odd(source, f"{type(result).__name__}, not a text or a mapping with a text")
    if others := sorted(map(str, result.keys() - {"text", "ranked", "fields"})):
        raise _odd(source, "a mapping with keys that nothing reads; put them into its fields", ", ".join(others))
    ranked, fields = result.get("ranked") or (), result.get("fields") or {}
    if not isinstance(ranked, list | tuple) or not isinstance(fields, Mapping):
        raise _odd(source, "a mapping whose ranked is not a list, or whose fields are not a mapping")
    if is_deep([fields]):
        raise _odd(source, f"fields that are nested deeper than {MAX_DEPTH} levels")
    return Reply(
        clean(result["text"], html=False), tuple(clean(str(item), html=False) for item in ranked), dict(fields)
    )


def _odd(source: str, what: str, said: str = "") -> ExtractionFailed:
    return ExtractionFailed(f"{source} returned {what}", said=said, delivered=True, place="connect.call")


async def in_thread(work: Callable[[], object]) -> Any:
    """Runs work in a daemon thread of its own, so that code that never returns cannot keep the process alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: object, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            # A future takes no StopIteration: it would end the coroutine that awaits it.
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
