"""A review made from a run: which units are read, what each screen shows, and which items check the readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from pathlib import Path

from botattack.audit.reviewing.candidates import Asking, Candidate, Shown, candidates, drawn, shown
from botattack.cases import cases
from botattack.errors import BotattackError
from botattack.events import LABELS, AskedOf, Label
from botattack.recordings import manifest, reviews
from botattack.recordings.reviews import Block, Item, Review, Text
from botattack.recordings.triage import marked_events

REPEATS = 10
"""One item of so many is shown a second time."""
KNOWN = 25
"""One item for each so many has a known answer."""
FEWEST_KNOWN = 2
CHOICES = 4
"""Questions of which a reader chooses the one that a variant asks."""
_WORD = re.compile(r"\w+")
Choices = Callable[[str], Sequence[str]]
"""A question among others, in a drawn order."""


@dataclass(frozen=True)
class ReviewSettings:
    """What a review shall be like."""

    ask: AskedOf
    readers: tuple[str, ...]
    items: int = 150
    seed: int = 0
    group: str = ""


def planned(folder: Path, settings: ReviewSettings) -> Review:
    """The review of a run; the same settings of the same run give the same review. Raises BotattackError."""
    run = manifest.read(folder).run
    # What readers called another question is not graded any more; whoever reads for its meaning reads the same items as
    # those before her.
    heed = settings.ask == "verdict"
    found = list(_candidates(folder, settings.ask))
    if not found:
        others = [ask for ask in LABELS if any(_candidates(folder, ask))]
        why = "no variant of a question that the bot gets right was asked; choose another run"
        why = f"it can be read for --ask {' or '.join(others)}" if others else why
        raise BotattackError(f"{folder}: nothing in it can be read for --ask {settings.ask}: {why}")
    chances = dict(drawn(found, settings.ask, settings.items, settings.seed))
    units, pool = shown(cases(marked_events(folder, heed_readers=heed)), frozenset(chances))
    making = _Making(settings, reviews.secret_of(folder), pool, list(chances))
    items = [making.item(units[unit], chance) for unit, chance in chances.items()]
    again = sorted(chances, key=making.rank)[: -(-len(items) // REPEATS)]
    repeats = [making.item(units[unit], chances[unit], "repeat") for unit in again]
    known = making.known(max(FEWEST_KNOWN, len(items) // KNOWN))
    return Review(run, settings.ask, settings.seed, settings.readers, (*items, *repeats, *known), settings.group)


def _candidates(folder: Path, ask: AskedOf) -> Iterator[Candidate]:
    return candidates(cases(marked_events(folder, heed_readers=ask == "verdict")), ask)


class _Making:
    """Makes screens of what was asked."""

    def __init__(self, settings: ReviewSettings, secret: bytes, pool: Sequence[Asking], units: Sequence[str]) -> None:
        self._settings = settings
        self._secret = secret
        self._pool = pool
        self._screen = _SCREENS[settings.ask]
        # Of half of the units, the second of two things is shown first.
        self._swapped = frozenset(sorted(units, key=lambda unit: self._id("swapped", settings.seed, unit))[::2])
        self._words = {asking.text: _words(asking.text) for asking in pool}
        if settings.ask == "comprehension" and len(self._words) < 2:
            raise BotattackError(
                "--ask comprehension lets readers choose which question a variant asks, but the run has only one that "
                "the bot gets right; choose another run"
            )

    def item(self, one: Shown, chance: float, role: reviews.Role = "item") -> Item:
        return self._made(one, role, chance=chance, unit=one.unit)

    def rank(self, unit: str) -> str:
        return self._id("again", self._settings.seed, unit)

    def known(self, number: int) -> list[Item]:
        """Items whose answer is known: an original beside itself, and beside another question."""
        settings, pool = self._settings, self._pool
        chosen = sorted(pool, key=lambda asking: self._id("known", settings.seed, asking.text))
        made = []
        for at in range(min(number, len(chosen))):
            one, other = chosen[at], chosen[(at + 1) % len(chosen)]
            odd = at % 2 == 1 and one.text != other.text and set(one.right).isdisjoint(other.right)
            item = _KNOWN[settings.ask](one, other, odd)
            if item is not None:
                made.append(self._made(item[0], "known", expected=item[1], unit=f"known {at}"))
        return made

    def _made(self, one: Shown, role: reviews.Role, *, unit: str, chance: float = 1.0, expected: str = "") -> Item:
        number = self._id(role, self._settings.seed, self._settings.group, self._settings.ask, unit)
        screen = self._screen(one, unit in self._swapped, lambda text: self._choices(unit, text))
        return Item(
            number,
            role,
            screen.blocks,
            screen.means,
            unit="" if role == "known" else unit,
            chance=chance,
            expected=expected,
            options=screen.options,
            lang=one.lang,
        )

    def _choices(self, unit: str, text: str) -> list[str]:
        """A question among those with the most words in common with it: what a reader may take it for."""
        words = _words(text)

        def shared(other: str) -> float:
            return len(words & self._words[other]) / max(1, len(words | self._words[other]))

        others = self._words.keys() - {text}
        near = nsmallest(CHOICES - 1, others, key=lambda other: (-shared(other), other))
        return sorted([text, *near], key=lambda each: self._id("choice", self._settings.seed, unit, each))

    def _id(self, *named: object) -> str:
        return reviews.opaque(self._secret, *named)


@dataclass(frozen=True)
class _Screen:
    blocks: tuple[Block, ...]
    means: dict[str, Label]
    options: tuple[str, ...] = ()


def _as_said(ask: AskedOf) -> dict[str, Label]:
    """Answers that are labels themselves."""
    return {label: label for label in LABELS[ask]}


def _meaning(one: Shown, swapped: bool, _: Choices) -> _Screen:
    first, second = (one.altered, one.original) if swapped else (one.original, one.altered)
    return _Screen((Block("First", first), Block("Second", second)), _as_said("meaning"))


def _scale(one: Shown, _: bool, __: Choices) -> _Screen:
    return _Screen((Block("Original", one.original), Block("Reworded", one.altered)), _as_said("scale"))


def _verdict(one: Shown, _: bool, __: Choices) -> _Screen:
    right = tuple(Text("passage", answer) for answer in one.right)
    reply = (Text("bot", one.altered_reply),)
    return _Screen(
        (Block("Question", one.original), Block("Right answers", right), Block("Reply", reply)), _as_said("verdict")
    )


def _preference(one: Shown, swapped: bool, _: Choices) -> _Screen:
    replies = {"original": one.reply, "altered": one.altered_reply}
    labels: tuple[Label, Label] = ("altered", "original") if swapped else ("original", "altered")
    first, second = (
        Block(f"{name} reply", (Text("bot", replies[label]),))
        for name, label in zip(("First", "Second"), labels, strict=True)
    )
    means: dict[str, Label] = {"first": labels[0], "second": labels[1], "equal": "equal"}
    return _Screen((Block("Question", one.original), first, second), means)


def _comprehension(one: Shown, _: bool, choices: Choices) -> _Screen:
    own = one.original[-1].text
    offered = choices(own)
    means: dict[str, Label] = {
        letter: "right" if text == own else "wrong" for letter, text in zip("abcd", offered, strict=False)
    }
    return _Screen((Block("Question", one.altered),), {**means, "none": "unclear"}, tuple(offered))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


_SCREENS: dict[AskedOf, Callable[[Shown, bool, Choices], _Screen]] = {
    "meaning": _meaning,
    "comprehension": _comprehension,
    "verdict": _verdict,
    "preference": _preference,
    "scale": _scale,
}


def _pair(one: Asking, other: Asking, reply: str, altered_reply: str) -> Shown:
    return Shown("", one.lang, one.texts, other.texts, one.right, reply, altered_reply)


def _known_wording(same: Label, different: Label) -> Callable[[Asking, Asking, bool], tuple[Shown, Label]]:
    return lambda one, other, odd: (_pair(one, other if odd else one, "", ""), different if odd else same)


def _known_verdict(one: Asking, other: Asking, odd: bool) -> tuple[Shown, Label] | None:
    """A right answer is the reply, or that to another question; None where none can be read out."""
    said = (other if odd else one).said
    return (_pair(one, one, "", said), "wrong" if odd else "correct") if said else None


_KNOWN: dict[AskedOf, Callable[[Asking, Asking, bool], tuple[Shown, Label] | None]] = {
    "meaning": _known_wording("same", "different"),
    "comprehension": lambda one, _, __: (_pair(one, one, "", ""), "right"),
    "verdict": _known_verdict,
    "preference": lambda one, _, __: (_pair(one, one, one.reply, one.reply), "equal"),
    "scale": _known_wording("5", "1"),
}
