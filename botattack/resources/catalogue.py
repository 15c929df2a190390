"""Every language part: whether it is there, where it comes from, what it unlocks, and the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from botattack import registry
from botattack.errors import BotattackError, MissingPart
from botattack.protocols import PartInfo
from botattack.version import pip_install


@dataclass(frozen=True)
class Download:
    """A file that its publisher puts on the open web, and what it must be.

    `sha256` is empty if it was never computed from the published file. `address` must then name a commit, whose
    content does not change, and `get` prints the digest of what came; `size` is about right.
    """

    address: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]


@dataclass(frozen=True)
class Fetchable:
    """A resource that `botattack resources get` fetches; `use` is how it comes into use, "" where by itself."""

    name: str
    what: str
    licence: str
    downloads: tuple[Download, ...]
    use: str = ""


@cache
def fetchables() -> Mapping[str, Fetchable]:
    """What can be fetched, by name."""
    data = files("botattack.resources").joinpath("fetchable.json").read_bytes()
    return {item.name: item for item in msgspec.json.decode(data, type=tuple[Fetchable, ...])}


@dataclass(frozen=True)
class Way:
    """How a part gets onto a machine: an extra of botattack, a resource to fetch, packages of Debian, another command,
    or a variable that names a target file."""

    extra: str = ""
    fetch: str = ""
    apt: str = ""
    command: str = ""
    variable: str = ""
    value: str = ""

    @property
    def commands(self) -> tuple[str, ...]:
        """What is run once after the extra was installed."""
        fetch = self.fetch and f"botattack resources get {self.fetch}"
        return tuple(filter(None, (fetch, self.apt and f"apt-get install {self.apt}", self.command)))

    def __str__(self) -> str:
        extra = self.extra and pip_install(self.extra)
        export = self.variable and f"export {self.variable}={self.value}"
        return " && ".join(filter(None, (extra, *self.commands, export)))


@cache
def ways() -> Mapping[str, Way]:
    """How each of our parts is brought, by the name of the part."""
    data = files("botattack.resources").joinpath("parts.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Way])


@dataclass(frozen=True)
class PartEntry:
    """A part as it is here: `info` where it is there, else `missing` says why not."""

    name: str
    info: PartInfo | None
    missing: str
    unlocks: tuple[str, ...]
    install: str


def entries() -> Iterator[PartEntry]:
    """Every part, those of third parties too, by name; each is loaded to see whether it is there."""
    users = _users()
    for name in sorted(registry.names("parts")):
        info, missing = _loaded(name)
        yield PartEntry(name, info, missing, tuple(users.get(name, ())), str(ways().get(name, "")))


def _loaded(name: str) -> tuple[PartInfo | None, str]:
    try:
        return registry.find("parts", name)().info, ""
    except BotattackError as error:
        return None, str(error)


def _users() -> dict[str, list[str]]:
    """The attacks that need each part as they are by default."""
    users: dict[str, list[str]] = {}
    for attack in _attacks():
        with suppress(registry.BrokenPlugin):
            for part in _parts_of(attack):
                users.setdefault(part, []).append(attack)
    return users


def lacking() -> dict[str, tuple[str, ...]]:
    """What each attack lacks that cannot run here as it is by default, each with the way to get it."""
    missing = {
        name: f"needs {name}, which is not here: {ways().get(name, why)}"
        for name in sorted(registry.names("parts"))
        if (why := _loaded(name)[1])
    }
    found = {name: _lacked(name, missing) for name in _attacks()}
    return {name: lines for name, lines in found.items() if lines}


def _lacked(attack: str, missing: Mapping[str, str]) -> tuple[str, ...]:
    try:
        return tuple(missing[part] for part in _parts_of(attack) if part in missing)
    except registry.BrokenPlugin as error:
        return (str(error),)


def _attacks() -> list[str]:
    return sorted(registry.names("attacks"))


def _parts_of(attack: str) -> tuple[str, ...]:
    try:
        return tuple(registry.find("attacks", attack)().parts())
    except TypeError:  # an attack that must be given something, as a chain its links
        return ()


def fetchable(name: str) -> Fetchable:
    """Raises MissingPart for a name that cannot be fetched, with what can or with the command that brings it."""
    known, way = fetchables(), ways().get(name, Way())
    if found := known.get(name) or known.get(way.fetch):
        return found
    if name in ways():
        raise MissingPart(f"{name} is not fetched but installed: {way}")
    raise MissingPart(f"there is no resource {name!r}; known: {', '.join(sorted(known))}")
