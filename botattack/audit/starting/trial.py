"""One real message to a bot that a drafted target describes, and what its reply shows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from msgspec.structs import replace as with_

from botattack.audit.secrets import quoting, redactor_of
from botattack.audit.starting.answer_place import AnswerPlace, answer_places, places_in_messages
from botattack.audit.starting.call import BadStart
from botattack.closing import IN_ALL, Bounded, in_time
from botattack.config.target import TargetConfig, load_target
from botattack.errors import ConfigError, TargetDown, TrustRefused
from botattack.model import Prompt, Reply, Unit, Variant
from botattack.protocols import Unpaced
from botattack.targets.http.streams import unpack
from botattack.targets.messages.selectors import Body


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
