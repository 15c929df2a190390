"""Bots that are asked over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from botattack.errors import ConfigError, HostRefused, Problem, RequestRefused, TargetError
from botattack.model import Prompt, Reply, Turn, Unit
from botattack.options import Count, FileName
from botattack.protocols import Pace
from botattack.targets.calls import Caller, Request
from botattack.targets.extraction import Body, Extract, decoded, find
from botattack.targets.values import place_values, session_id


@dataclass(frozen=True)
class TlsFiles:
    """PEM files in the folder of the target file. Certificates are always verified."""

    ca: FileName | None = None
    """Authorities trusted beside the system's."""
    cert: FileName | None = None
    """What is shown to the bot (mutual TLS)."""
    key: FileName | None = None
    """The key of `cert`, where it is not in the same file."""


@dataclass(frozen=True)
class Http:
    """A bot that is asked by HTTP requests."""

    request: Request
    """Asks the question."""
    extract: Extract = field(default_factory=Extract)
    """Where in the reply the answer stands."""
    open: Request | None = None
    """Makes a conversation, before its first question."""
    close: Request | None = None
    """Ends the conversation; its failure is ignored."""
    tls: TlsFiles | None = None
    """Certificate files."""
    proxy: str = ""
    """The URL of a proxy; none is taken from the environment."""
    hosts_: tuple[str, ...] = ()
    """Names (or name:port) that may be asked beside those in the URLs here."""
    max_body: Count = 1_000_000
    """Bytes that a reply may have, after decompression."""

    def steps(self) -> dict[str, Request]:
        """The calls of a conversation, by name."""
        steps = {"open": self.open, "request": self.request, "close": self.close}
        return {name: request for name, request in steps.items() if request is not None}

    def urls(self, env: Mapping[str, str]) -> dict[tuple[str, ...], str]:
        """Every URL that is known before the run, by its place under `connect`."""
        known = {(step, "url"): request.known_url(env) for step, request in self.steps().items()}
        return {place: url for place, url in known.items() if url}

    def hosts(self, env: Mapping[str, str]) -> dict[tuple[str | int, ...], str]:
        """Each host that requests may go to, by its place under `connect`."""
        found: dict[tuple[str | int, ...], str] = {}
        for place, url in self.urls(env).items():
            found[place] = urlsplit(url).hostname or ""
        for index, host in enumerate(self.hosts_):
            found["hosts", index] = host.rpartition(":")[0] or host
        return found

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> HttpTarget:
        """Raises ConfigError where an environment name holds no URL, or a file cannot be used."""
        try:
            return HttpTarget(name, self, env, folder)
        except (ValueError, OSError) as error:
            raise ConfigError((Problem(name, 1, 1, "connect", str(error)),)) from error

    def extractor(self, folder: Path) -> Callable[[str], Reply]:
        """Reads `Reply.raw` of a recording again; raises what `Extract.reply` raises."""
        del folder
        return lambda raw: self.extract.reply(Body.of_raw(raw))


class HttpTarget:
    """Asks over one pool of connections; every conversation has cookies and values of its own."""

    def __init__(self, name: str, options: Http, env: Mapping[str, str], folder: Path) -> None:
        from botattack.net import Client, Hosts

        self.name = name
        self.options = options
        self.env = env
        self.callers = {
            step: Caller(request, env, folder, f"connect.{step}") for step, request in options.steps().items()
        }
        self.client = Client(
            Hosts.of(options.urls(env).values(), options.hosts_),
            tls=_tls(options.tls, folder),
            proxy=options.proxy,
            max_body=options.max_body,
        )

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[Conversation]:
        conversation = Conversation(self, unit, pace)
        await conversation.open()
        try:
            yield conversation
        finally:
            with suppress(TargetError):
                await conversation.close()

    async def close(self) -> None:
        await self.client.close()


def _tls(files: TlsFiles | None, folder: Path) -> Any:
    from botattack.net import Tls

    if files is None:
        return None
    return Tls(*(str(file.under(folder)) if file else "" for file in (files.ca, files.cert, files.key)))


class _Watch:
    """Passes on a pace and notes when the first request left, by the loop's clock."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self.left: float | None = None

    async def leave(self) -> None:
        await self._pace.leave()
        if self.left is None:
            self.left = asyncio.get_running_loop().time()

    def shut(self, seconds: float | None) -> None:
        self._pace.shut(seconds)

    def since(self) -> float:
        return asyncio.get_running_loop().time() - (self.left or 0.0)


class Conversation:
    """One conversation with a bot behind HTTP."""

    def __init__(self, target: HttpTarget, unit: Unit, pace: Pace) -> None:
        from botattack.net import Cookies

        self._target = target
        self._pace = pace
        self._unit = unit
        self._id = session_id(unit)
        self._turns: tuple[Turn, ...] = ()
        self._carried: dict[str, Mapping[str, Any]] = {}
        self._cookies = Cookies()

    async def open(self) -> None:
        if "open" in self._target.callers:
            await self._step("open", self._unit.turns[0], self._pace)

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError that names the place in the target file, where one is to blame."""
        watch = _Watch(self._pace)
        body = await self._step("request", prompt, watch)
        latency = watch.since()
        found = self._target.options.extract.reply(body)
        self._turns += (Turn("user", prompt.text), Turn("bot", found.text))
        return Reply(found.text, found.ranked, found.fields, latency, None, body.raw)

    async def close(self) -> None:
        if "close" in self._target.callers and "open" in self._carried:
            await self._step("close", self._unit.turns[-1], self._pace)

    async def _step(self, step: str, prompt: Prompt, pace: Pace) -> Body:
        """Makes one call and keeps what it takes."""
        caller = self._target.callers[step]
        call = caller.call(self._values(prompt, caller))
        try:
            response, content = await self._target.client.fetch(call, pace, self._cookies)
        except (RequestRefused, HostRefused) as error:
            error.place = error.place or f"connect.{step}"
            raise
        text = decoded(content, response.headers.get("content-type", ""), self._target.options.extract.charset)
        body = Body(text, self._carried)
        if caller.request.take or step == "open":
            self._carried = {**self._carried, step: taken(caller.request, body, f"connect.{step}.take")}
            body = Body(text, self._carried)
        return body

    def _values(self, prompt: Prompt, caller: Caller) -> dict[str, Any]:
        values = place_values(self._id, self._unit.seed, prompt, self._turns, caller.names)
        return {**values, "env": self._target.env, **self._carried}


def taken(request: Request, body: Body, place: str) -> dict[str, Any]:
    """The values that a call keeps of its reply; those that are not there are left out."""
    found = {name: find(where, f"{place}.{name}", body) for name, where in request.take.items()}
    return {name: values[0] for name, values in found.items() if values}
