"""Meets the Need `translate` with Apertium, as a program: rules and dictionaries, no model, the same every time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from botattack.errors import MissingPart
from botattack.protocols import NeedHandler, PartInfo
from botattack.text.parts.installed import digest_of
from botattack.text.parts.programs import answer_of, package_version, program

MISSING = (
    "there is no translator: apt-get install apertium apertium-eo-en apertium-eng-spa "
    "(or set BOTATTACK_TRANSLATOR to a target file that asks one)"
)
MODES = Path("/usr/share/apertium/modes")
FIRST = "Yes."
"""Stands before all texts: some pairs treat the first sentence of a text otherwise, and what a text becomes must not
depend on what it was sent with."""


@dataclass(frozen=True)
class Apertium(NeedHandler):
    """A payload is `{"text", "from", "to"}` with two-letter codes; a result is the translation.

    Unknown words stay as they are. Raises MissingPart for a pair that is not installed.
    """

    info: PartInfo
    command: str
    pairs: Mapping[str, str]
    """Apertium's name of a direction by ours: `en-es` is `eng-spa`."""
    result_type: ClassVar[object] = str

    def meet(self, payloads: Sequence[Mapping[str, object]]) -> list[str]:
        directions = [f"{payload['from']}-{payload['to']}" for payload in payloads]
        texts = [" ".join(str(payload["text"]).split()) for payload in payloads]
        met = [""] * len(payloads)
        for direction in dict.fromkeys(directions):
            places = [i for i, other in enumerate(directions) if other == direction]
            for i, text in zip(places, self._translated(direction, [texts[i] for i in places]), strict=True):
                met[i] = text
        return met

    def _translated(self, direction: str, texts: Sequence[str]) -> list[str]:
        if direction not in self.pairs:
            known = ", ".join(sorted(self.pairs)) or "none"
            raise MissingPart(f"Apertium has no pair {direction} here, only {known}: apt-get install apertium-…")
        command = [self.command, "-u", self.pairs[direction]]
        parts = answer_of(command, "\n\n".join([FIRST, *texts]) + "\n").rstrip("\n").split("\n\n")
        if len(parts) == len(texts) + 1:
            return [" ".join(part.split()) for part in parts[1:]]
        if len(texts) == 1:
            return [" ".join(" ".join(parts[1:]).split())]
        # A text of its own blank lines or none at all: ask for each alone.
        return [self._translated(direction, [text])[0] for text in texts]


def load() -> Apertium:
    """Raises MissingPart if Apertium or every pair of it is missing."""
    command = program("apertium", MISSING)
    modes = sorted(MODES.glob("*.mode"))
    if not modes:
        raise MissingPart(MISSING)
    pairs = dict(_named(path.stem for path in modes))
    packages = sorted({path.name for path in MODES.parent.glob("apertium-*-*")})
    versions = [f"{name} {package_version(name)}" for name in packages]
    info = PartInfo("Apertium", ", ".join(versions), "GPL-2.0", digest_of(modes))
    return Apertium(info, command, pairs)


def _named(modes: Iterable[str]) -> Iterable[tuple[str, str]]:
    from babel.core import get_global

    short = get_global("language_aliases")  # Apertium's newer pairs call English "eng"
    for mode in modes:
        ends = mode.split("-")
        if len(ends) == 2 and not any("_" in end for end in ends):
            yield "-".join(short.get(end, end) if len(end) > 2 else end for end in ends), mode
