"""Which step of a bot fails, decided from outside: what to ask next about a failure, and what the replies show. Pure.

It walks down the steps of `STEPS`. A step fails if the message is wrong with everything before it fixed (the letters as
the file spells them, neutral words in place of what was put in, the supporting passage in the message), so that a
second failing step shows behind the first. What a failure `has` (see `failures.Failure`) says which probes can be made
of it; those that cannot fall away. Simulated replies decide just as a bot's do.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple, get_args

import yaml

from botattack.model import Result

MOST = 6
"""Askings of one failure, unless somebody says how many."""
# In the order in which a message passes the steps of a bot; the first three are of no step.
# fmt: off
CauseName = Literal[
    "chance", "carry-over", "outage", "input", "understanding", "memory", "retrieval", "ranking", "reading", "by-heart",
    "policy", "unclear",
]
# fmt: on
STEPS: tuple[CauseName, ...] = get_args(CauseName)
PARTS = ("letters", "words", "added", "passages", "turns")
"""What of a question a failure changes. Each is asked alone if there are several."""


class Answer(NamedTuple):
    """What came of a probe. `took`: the reply says the answer of the easy question, or the fake, that this probe is
    about. `same`: it is what the bot said to the failing variant. `listed` is the place of the supporting passage among
    its sources, -1 if it is not there, None if the reply names none."""

    result: Result
    took: bool = False
    same: bool = False
    refused: bool = False
    listed: int | None = None

    @property
    def right(self) -> bool:
        return self.result == "robust"


class Named(NamedTuple):
    """A cause, what fails after it (of `unclear`: what could not be distinguished), and why."""

    cause: CauseName
    told: str
    also: tuple[CauseName, ...] = ()
    sure: bool = False


Deciding = Generator[str, Answer, Named]
Asking = Generator[str, Answer, Answer]
Walking = Generator[str, Answer, None]
Perhaps = Generator[str, Answer, bool]


class _Spent(Exception):
    """No request is left."""


def diagnose(has: Iterable[str], most: int = MOST) -> Deciding:
    """Yields the names of probes (`probes.PROBES`), is sent what came of each, and returns the cause."""
    return _Diagnosis(frozenset(has), most).run()


@cache
def _causes() -> Mapping[str, Named]:
    """What can be named, by the name of what shows it."""
    text = files(__package__).joinpath("causes.yaml").read_text("utf-8")
    return {
        name: Named(cause, *((told, ()) if isinstance(told, str) else (told[0], tuple(told[1:]))), sure=how == "sure")
        for how, causes in yaml.safe_load(text).items()
        for cause, shown in causes.items()
        for name, told in shown.items()
    }


class _Diagnosis:
    """`failing` is what came of the message once everything that was found to fail before is fixed."""

    def __init__(self, has: frozenset[str], most: int) -> None:
        self.has, self.left = has, most
        self.found, self.tried = list[Named](), list[str]()
        self.failing = Answer("success")
        self.library, self.given = (has >= {"gold", where} for where in ("library", "given"))

    def run(self) -> Deciding:
        try:
            yield from self._walk()
        except _Spent:
            self.found = self.found or [_causes()["spent"]]
        found = _joined(self.found)
        wanted = "input" in (found.cause, *found.also) and "normalisable" in self.has
        if wanted and self.left and "normalised" not in self.tried:
            yield "normalised"
        return found

    def _ask(self, probe: str) -> Asking:
        if not self.left:
            raise _Spent
        self.left -= 1
        self.tried.append(probe)
        return (yield probe)

    def _name(self, *names: str) -> None:
        self.found += [_causes()[name] for name in names]

    def _walk(self) -> Walking:
        self.failing = first = yield from self._ask("original")
        # What failed in the run has to fail again: of a noisy bot twice.
        for _ in range(("was right" in self.has) + ("noisy" in self.has)):
            self.failing = yield from self._ask("again")
            if self.failing.right:
                break
        if self.failing.right:
            return (yield from self._passing())
        if self.failing.result == "error":
            return self._name("silent")
        if "was right" not in self.has:
            return (yield from self._never())
        # One wrong reply to the original may be noise; two mean that the bot is not what it was.
        if not first.right:
            shown = self.library and first.listed not in (None, 0)
            plain = first if shown else (yield from self._ask("plain"))
            if not plain.right:
                return (yield from self._changed(plain))
        return (yield from self._parts())

    def _passing(self) -> Walking:
        """Asked again in a session of its own, the same words are right."""
        if not self.has.isdisjoint(("leaked", "burst")):
            return self._name("leaked" if "leaked" in self.has else "burst")
        noisy = "noisy" in self.has
        if "before" not in self.has:
            return self._name("again" if noisy or (yield from self._ask("again")).right else "varies")
        for _ in range(1 + noisy):
            if self.left < 2:
                break
            yield from self._ask("before")
            if (yield from self._ask("after")).right:
                break
        else:
            return self._name("left over")
        self._name("again")

    def _changed(self, plain: Answer) -> Walking:
        """The unchanged question was right in the run, and is wrong now."""
        # A bot that lists sources is at work: only one that lists none may be down.
        if plain.listed is None and "easy" in self.has:
            easy = yield from self._ask("easy")
            if not easy.took and (easy.same or easy.refused or not self.library):
                return self._name("down")
        if not self.library:
            return self._name("changed")
        again, self.failing = self.failing, plain
        yield from self._looked_up()
        self.failing = again
        if again.refused and self.left > 1:
            yield from self._stopped("quoted")

    def _parts(self) -> Walking:
        """The unchanged question is right: one of the changed parts breaks the bot, or several do."""
        parts = [part for part in PARTS if part in self.has]
        # A misspelt word that is not in the unchanged question cannot be asked about alone.
        if "misspelt" in self.has:
            normalised = yield from self._ask("normalised")
            if normalised.right or ("easy" in self.has and not (yield from self._ask("typo")).took):
                self._name("letters")
            if normalised.right:
                return
        alone = dict[str, Answer]()
        for part in parts if len(parts) > 1 else ():
            if not self.left:
                break
            if not (answer := (yield from self._ask(f"only {part}"))).right:
                alone[part] = answer
        if not parts:
            return self._name(*("equal",) * (not self.found))
        # If only all of them together break the bot, it is right without the first.
        for part, failing in (alone or {parts[0]: self.failing}).items():
            self.failing, before = failing, len(self.found)
            try:
                yield from self._part(part, alone)
            except _Spent:
                if len(self.found) == before:
                    self._name("not found" if self.library and part in ("words", "added") else part)

    def _part(self, part: str, alone: Mapping[str, Answer]) -> Walking:
        # Of several parts, that which gets the reply of the whole message is what a filter stops, if others get another.
        replies = {answer.same for answer in alone.values()}
        filtered = self.failing.same if len(replies) > 1 else part != "letters" or len(alone) < 2
        if part == "letters":
            yield from self._letters(filtered=filtered, single=not alone)
        elif part != "passages" and "changes" in self.has:
            self._name("stayed")
        elif self.has.isdisjoint(("changes", "declines")):
            looks = {"words": self._words, "added": self._added, "passages": self._passages, "turns": self._turns}
            yield from looks[part](filtered=filtered)
        else:  # the answer had to change, or to be declined, and was given all the same
            bare = "given" in self.has and not (yield from self._ask("bare")).right
            self._name("bare" if bare else "passages")

    def _stopped(self, quoted: str, *, neutral: bool = False) -> Perhaps:
        """Whether the words that were put in stop the bot from answering an easy question, as other words do not. A bot
        that does not know an answer declines, too, and does so with other words beside the question as well, unless it
        is known to say something else with `neutral` ones."""
        # What names sources has been searched for: no filter stopped it.
        if not self.has >= {"easy", "refused"} or self.failing.listed is not None:
            return False
        shown = yield from self._ask(quoted)
        if shown.took or not (shown.refused or shown.same):
            return False
        if not neutral and (self.left or "padding" not in self.tried):
            other = yield from self._ask("neutral")
            if not other.took and (other.same or other.refused):
                if shown.same and not other.same:  # it declines in other words than it refuses in
                    declines = not self.library and not self.has.isdisjoint(("words", "added"))
                    self._name("stopped", *("any words",) * declines)
                    return True
                if not (yield from self._ask("easy")).took:
                    self._name("down")
                    return True
                return False
        self._name("stopped")
        return True

    def _letters(self, *, filtered: bool, single: bool) -> Walking:
        if filtered and (yield from self._stopped("quoted letters")):
            # A little of it may pass the filter: what comes after it shows.
            some = yield from self._ask("some letters")
            return None if some.right or some.same else self._name("letters")
        # A bot may know the exact words of a question and no others: then a mark more breaks it, too.
        if single and self.library and self.failing.listed not in (None, 0):
            marked = yield from self._ask("marked")
            if not marked.right and marked.listed != 0:
                self._name("not listed" if marked.listed == -1 else "not first")
                sent = (yield from self._ask("gold as sent")).right
                return None if sent or not (yield from self._ask("gold")).right else self._name("letters")
        return self._name("letters")

    def _words(self, *, filtered: bool) -> Walking:
        if filtered and (yield from self._stopped("quoted")):
            return None
        if self.library:
            return (yield from self._looked_up(reworded=True))
        return self._name("crowded" if self.given and (yield from self._ask("alone")).right else "words")

    def _added(self, *, filtered: bool) -> Walking:
        if self.failing.took and not (self.library and self.failing.listed):
            return self._name("believed")
        refused = filtered and self.failing.refused and self.failing.listed is None and "easy" in self.has
        if refused or ("long" in self.has and self.failing.listed is None):
            padded = yield from self._ask("padding")
            if padded.took:  # it answers the question that the words are of: they are no obstacle
                padded = padded._replace(result="robust")
            stopped = refused and not padded.same and (yield from self._stopped("quoted", neutral=not padded.right))
            if stopped and padded.right:
                return None
            if not padded.right and not (self.library and (padded.same or "long" not in self.has)):
                return self._name("long" if "long" in self.has else "any words")
            if not padded.right and not padded.same:
                self.failing = padded
                return (yield from self._looked_up(padded="padded ", reworded=True))
        if self.library:
            return (yield from self._looked_up(reworded=True))
        return self._name("added")

    def _passages(self, *, filtered: bool) -> Walking:
        if "order" in self.has and (yield from self._ask("order")).right:
            return self._name("order")
        if self.failing.took or ("faked" in self.has and self.given):
            self._name("believed")
            # Its own library would tell it better.
            if self.given and self.failing.listed is not None and (yield from self._ask("bare")).listed == -1:
                self._name("lacks it")
            return None
        if filtered and (yield from self._stopped("quoted")):
            return None
        if "gold" not in self.has:
            return self._name("unknown")
        return (yield from self._in_hand("gold" if self.library else "alone"))

    def _in_hand(self, probe: str) -> Walking:
        """The bot is right with the supporting passage in hand, or it cannot read it, or it does not."""
        if (yield from self._ask(probe)).right:
            return self._name("crowded")
        fake = (yield from self._ask("fake")) if "fake" in self.has else None
        return self._name("unread" if fake and fake.same and not fake.took else "misread")

    def _turns(self, *, filtered: bool) -> Walking:
        if (yield from self._ask("joined")).right:
            return self._name("several")
        if "misspelt turns" in self.has:
            if (yield from self._ask("spelled")).right:
                return self._name("misspelt")
            if (yield from self._ask("joined, spelled")).right:
                return self._name("several", "misspelt")
        if filtered and (yield from self._stopped("quoted")):
            return None
        return self._name("believed" if self.failing.took and "stated" in self.has else "turns")

    def _never(self) -> Walking:
        """The question was wrong in the run, unchanged."""
        if not self.library and (yield from self._stopped("quoted")):
            return None
        if "earlier" in self.has and (yield from self._ask("joined")).right:
            return self._name("several")
        if self.library:
            return (yield from self._looked_up())
        if self.given:
            return (yield from self._in_hand("alone"))
        asked = not {"easy", "quoted"}.isdisjoint(self.tried)
        down = "easy" in self.has and not asked and not (yield from self._ask("easy")).took
        return self._name("down" if down else "unsupported")

    def _looked_up(self, *, padded: str = "", reworded: bool = False) -> Walking:
        """The bot has a library of its own: it is right with the supporting passage in hand, or it cannot read it."""
        listed = self.failing.listed
        if listed == 0:
            return self._name("listed")
        if listed is not None:
            self._name("not first" if listed > 0 else "not listed")
        gold = yield from self._ask(f"{padded}gold")
        if listed is not None:
            # In hand it has the passage only if the message made it come first.
            return None if gold.right or gold.listed != 0 else self._name("misread")
        if not gold.right and (yield from self._stopped("quoted")):
            return None
        # A whole passage in a message may be too much for a bot that would read the one sentence.
        if gold.right or (yield from self._ask("sentence")).right:
            return self._name("helped")
        if reworded:
            return self._name("these words")
        if (yield from self._ask("fact")).right:
            return self._name("own words")
        return self._name("nothing" if "refused" in self.has else "whatever")


def _joined(found: Iterable[Named]) -> Named:
    """The earliest of several causes, with the others behind it."""
    first, *others = sorted(found, key=lambda one: STEPS.index(one.cause))
    also = dict.fromkeys([*first.also, *(one.cause for one in others)])
    return first._replace(also=tuple(cause for cause in also if cause != first.cause))
