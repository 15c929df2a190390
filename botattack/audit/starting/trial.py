"""One real message to a bot that a drafted target describes, and where in its reply the answer may be."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from msgspec.structs import replace as with_

from botattack.audit.secrets import quoting, redactor_of
from botattack.audit.starting.call import BadStart, Place, leaves
from botattack.audit.starting.draft import plain_name
from botattack.closing import IN_ALL, Bounded, in_time
from botattack.config.target import TargetConfig, load_target
from botattack.errors import ConfigError, TargetDown, TrustRefused
from botattack.model import Prompt, Reply, Unit, Variant
from botattack.protocols import Unpaced
from botattack.targets.http.streams import unpack
from botattack.targets.messages.selectors import Body, stream_format

ANSWER_NAMES = (
    *("answer", "reply", "response", "text", "message", "content", "output", "outputtext", "generatedtext", "result"),
    *("completion", "utterance", "botresponse", "assistant", "speech", "say", "body", "delta", "data", "value"),
)
"""What an answer is usually called."""
_BESIDE = frozenset(
    (
        *("documents", "docs", "sources", "source", "context", "contexts", "passages", "citations", "references"),
        *("history", "metadata", "meta", "debug", "suggestions", "quickreplies", "buttons", "error", "usage"),
        *("query", "question"),
    )
)
"""Names of what stands beside an answer: sources, what was asked, what may be asked next."""
_SCORES = frozenset({"score", "confidence", "probability", "rank", "similarity"})
_TOKEN = re.compile(r"[\w.:/+=-]*[\d_:/-][\w.:/+=-]*|[a-z]+|")
"""An id, a time, an address, or a word of a program."""
_MARKUP = re.compile(r"</?(?:p|br|b|i|a|div|span|ul|li|strong|em)\b[^>]{0,200}>", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
MOST = 10_000
"""Texts of a reply that are looked at."""
SHOWN = 5


@dataclass(frozen=True)
class AnswerPlace:
    """A place to propose. `stream` is the format of a reply that comes in pieces, `html` says that it has markup."""

    at: str
    text: str
    stream: str = ""
    html: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options of a target file below `connect`."""
        extract: dict[str, Any] = {"answer": self.at} | ({"html": True} if self.html else {})
        stream = {"stream": {"format": self.stream, "pieces": "incremental"}} if self.stream else {}
        return {"extract": extract} | stream


def answer_places(raw: str, asked: str) -> list[AnswerPlace]:
    """Where the answer to what was asked may be in a raw reply; the whole text where that is no JSON."""
    try:
        return _likeliest([json.loads(raw)], asked)
    except (ValueError, RecursionError):
        stream = stream_format(raw)
    if stream and (bodies := list(_pieces(raw.splitlines()))):
        return _likeliest(bodies, asked, stream)
    markup = bool(_MARKUP.search(raw)) or raw.lstrip().startswith("<")
    return [AnswerPlace("body", raw, html=markup)] if raw.strip() else []


def places_in_messages(messages: Iterable[str], asked: str) -> list[AnswerPlace]:
    """The same for the messages of a socket; the whole message where they are no JSON."""
    texts = list(messages)
    return _likeliest(list(_pieces(texts)), asked) or answer_places("\n".join(texts), asked)


def _likeliest(bodies: list[Any], asked: str, stream: str = "") -> list[AnswerPlace]:
    found: dict[str, list[str]] = {}
    weights: dict[str, float] = {}
    for body in bodies:
        for place, text in islice(_texts(body), MOST):
            if text.strip() == asked.strip() or (path := _path(body, place, asked)) is None:
                continue
            found.setdefault(path, []).append(text)
            weights[path] = _named(place)
    joined = {path: ("" if stream else "\n").join(texts) for path, texts in found.items()}
    best = sorted(joined, key=lambda path: weights[path] + _worded(joined[path]), reverse=True)
    return [AnswerPlace(path, joined[path], stream, bool(_MARKUP.search(joined[path]))) for path in best[:SHOWN]]


def _pieces(lines: Iterable[str]) -> Iterator[Any]:
    """The JSON of each piece of a stream."""
    for line in islice(lines, MOST):
        text = line.removeprefix("data:").strip()
        if text[:1] in ("{", "["):
            try:
                yield json.loads(text)
            except (ValueError, RecursionError):
                continue


def _texts(body: Any) -> Iterator[tuple[Place, str]]:
    return ((place, text) for place, text in leaves(body) if isinstance(text, str) and text.strip())


def _named(place: Place) -> float:
    """How telling the names on the way are."""
    names = [plain_name(part) for part in place if isinstance(part, str)]
    beside = 8.0 * any(name in _BESIDE for name in names)
    told = [4 - 0.1 * ANSWER_NAMES.index(name) for name in names if name in ANSWER_NAMES]
    return (max(told) if told and names[-1] in ANSWER_NAMES else 0.5 * bool(told)) - beside - 0.1 * len(place)


def _worded(text: str) -> float:
    """How much a text looks like something that is said."""
    if _TOKEN.fullmatch(text.strip()):
        return -3.0
    return min(len(text.split()), 20) / 10 + (0.5 if text.rstrip()[-1:] in ".!?。؟" else 0)


def _path(body: Any, place: Place, asked: str) -> str | None:
    """The JSONPath of a place: of a list all members, of what is said in turn the last, of ranked ones the first."""
    path, here = "$", body
    for part in place:
        if isinstance(part, int):
            path += f"[{_member(here, asked)}]"
        elif _IDENTIFIER.fullmatch(part):
            path += f".{part}"
        elif "'" in part or "\\" in part:
            return None
        else:
            path += f"['{part}']"
        here = here[part]
    return path


def _member(members: list[Any], asked: str) -> str:
    if len(members) > 1 and any(text.strip() == asked.strip() for _, text in _texts(members)):
        return "-1"
    ranked = all(isinstance(each, Mapping) and _SCORES & {plain_name(name) for name in each} for each in members)
    choices = all(isinstance(each, Mapping) and "index" in each for each in members)
    return "0" if ranked or choices else "*"


@dataclass(frozen=True)
class StartedTarget:
    """A target file in the making: what it says, and the environment that it is read in."""

    name: str
    value: Mapping[str, Any]
    environ: Mapping[str, str]
    comment: str = ""

    @property
    def text(self) -> str:
        """The file as it will be written; no value of the environment is in it."""
        dumped = yaml.safe_dump(dict(self.value), sort_keys=False, allow_unicode=True, width=110)
        return f"# {self.comment}\n{dumped}" if self.comment else dumped

    def loaded(self) -> TargetConfig:
        """Raises what `load_target` raises; problems name no file, as there is none yet."""
        with TemporaryDirectory(prefix="botattack-") as folder:
            path = Path(folder) / f"{self.name}-target.yaml"
            path.write_text(self.text, "utf-8")
            try:
                return load_target(path, environ=self.environ)
            except ConfigError as error:
                said = [
                    f"{each.path}: {each.message}" + (f" ({each.hint})" if each.hint else "") for each in error.problems
                ]
                raise BadStart("no target file can be made of this:\n" + "\n".join(said)) from None
            except (TrustRefused, TargetDown) as error:
                raise type(error)(str(error).replace(str(path), path.name)) from None

    def reading(self, options: Mapping[str, Any]) -> StartedTarget:
        """The same with other options below `connect`."""
        connect = {**self.value["connect"], **options}
        return StartedTarget(self.name, {**self.value, "connect": connect}, self.environ, self.comment)


@dataclass(frozen=True)
class Tried:
    """What came back: the raw reply, masked where it is shown, and the places where the answer may be."""

    raw: str
    places: tuple[AnswerPlace, ...]
    shown: str


def tried(started: StartedTarget, message: str) -> Tried:
    """Sends one message. Raises a TargetError that shows what was said, with secrets masked."""
    config = started.loaded()
    target = config.open()
    redactor = redactor_of(config, target)
    with quoting(redactor.mask.excerpt):
        reply = asyncio.run(_asked(config, target, message))
    text = Body.of_raw(reply.raw).text if reply.raw else reply.text
    texts = [piece.data for piece in unpack(text)] if config.kind == "websocket" else [text]
    places = places_in_messages(texts, message) if config.kind == "websocket" else answer_places(text, message)
    masked = tuple(replace(place, text=redactor.text(place.text)) for place in places)
    return Tried(reply.raw, masked, redactor.text("\n".join(texts)))


async def _asked(config: TargetConfig, target: Any, message: str) -> Reply:
    unit: Unit = Unit.of(Variant((Prompt(message),), "init"), 0, 0)
    try:
        async with (
            asyncio.timeout(config.limits.timeout),
            Bounded(target.session(with_(unit, run="init"), Unpaced())) as session,
        ):
            reply: Reply = await session.ask(Prompt(message))
            return reply
    except TimeoutError:
        late = f"the bot gave no complete answer within {config.limits.timeout:g} s"
        raise BadStart(f"{late}; try again, or give --answer and --no-send") from None
    finally:
        await in_time(target.close(), IN_ALL)


def answer_of(started: StartedTarget, raw: str) -> str:
    """What the finished target takes out of a raw reply; raises ExtractionFailed."""
    config = started.loaded()
    extractor = config.options.extractor(Path())
    return redactor_of(config).text(extractor(raw).text) if extractor else ""
