"""Which step of a bot fails, decided from outside: what to ask next about a failure, and what the replies show. Pure.

It walks down the steps of `STEPS`. A step fails if the message is wrong with everything before it fixed (the letters as
the file spells them, neutral words in place of what was put in, the supporting passage in the message), so that a
second failing step shows behind the first. What a failure `has` (see `combined.failures`) says which probes can be
made of it; those that cannot fall away. Simulated replies decide just as a bot's do.
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
_REWORDED = "these words"
_TWICE = 2
"""How often what may be left over is asked after the conversation before it: one wrong reply may be chance."""


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
    """Yields the names of probes (`combined.why.PROBES`), is sent what came of each, and returns the cause."""
    return _Diagnosis(frozenset(has), most).run()


@cache
def _causes() -> Mapping[str, Named]:
    """What can be named, by the name of what shows it."""
    named = yaml.safe_load(files(__package__).joinpath("causes.yaml").read_text("utf-8"))
    perhaps = named.pop("perhaps")
    return {
        name: Named(cause, told, tuple(perhaps.get(name, ())), how == "sure")
        for how, causes in named.items()
        for cause, shown in causes.items()
        for name, told in shown.items()
    }


class _Diagnosis:
    """`failing` is what came of the message once everything that was found to fail before is fixed."""

    def __init__(self, has: frozenset[str], most: int) -> None:
        self.has, self.left = has, most
        self.found, self.tried = list[Named](), dict[str, Answer]()
        self.failing, self.names_sources, self.filters = Answer("success"), False, False
        self.library, self.given = (has >= {"gold", where} for where in ("library", "given"))
        # Alone a passage may be read for want of others.
        self.held = "among" if "others" in has else "gold"

    def run(self) -> Deciding:
        try:
            yield from self._walk()
        except _Spent:
            self.found = self.found or [_causes()["spent"]]
        found = _joined(self.found)
        # What is left of the requests may say what a fix would be worth.
        if "normalisable" in self.has and self.left and "input" in (found.cause, *found.also):
            yield "normalised"
        return found

    def _ask(self, probe: str, *, twice: bool = True) -> Asking:
        # A bot that errs at times may do so here: what decides is wrong `twice`.
        for _ in range(1 + (twice and not self.has.isdisjoint(("noisy", f"{probe} twice")))):
            if not self.left:
                raise _Spent
            self.left -= 1
            self.tried[probe] = answer = yield probe
            self.names_sources |= answer.listed is not None
            if answer.right or answer.took:
                break
        return answer

    def _name(self, *names: str) -> None:
        self.found += [_causes()[name] for name in names]
        self.filters |= "stopped" in names

    def _fixed(self, *probes: str) -> Perhaps:
        """Asks one after the other; the first that is right names what it fixes."""
        for probe in probes:
            if (yield from self._ask(probe)).right:
                self._name(probe)
                return True
        return False

    def _walk(self) -> Walking:
        self.failing = first = yield from self._ask("original", twice=False)
        if not self.has.isdisjoint(("was right", "noisy")):  # what failed in the run has to fail again
            self.failing = yield from self._ask("again", twice="was right" in self.has)
        if self.failing.right:
            yield from self._passing()
        elif self.failing.result == "error":
            self._name("silent")
        elif "was right" not in self.has:
            yield from self._never()
        elif first.right:
            yield from self._parts()
        else:
            yield from self._changed(first)

    def _passing(self) -> Walking:
        """Asked again in a session of its own, the same words are right."""
        if shown := sorted(self.has & {"leaked", "burst"}, reverse=True):
            return self._name(shown[0])
        wrong = "before" in self.has and self.left >= 2 * _TWICE
        for _ in range(_TWICE):
            if wrong:
                yield from self._ask("before", twice=False)
                wrong = not (yield from self._ask("after", twice=False)).right
        self._name("left over" if wrong else "again")

    def _changed(self, first: Answer) -> Walking:
        """The unchanged question was right in the run, and is wrong now."""
        # One wrong reply may be noise, unless its sources show what fails; two mean that the bot is not what it was.
        plain = first if self.library and first.listed not in (None, 0) else (yield from self._ask("plain"))
        if plain.right:
            return (yield from self._parts())
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
        quoted = "quoted letters" if "letters" in self.has else "quoted"
        if again.refused and self.left > 1:
            yield from self._stopped(quoted)
        # With the passage in hand the file's letters were asked: these may fail as well.
        if "letters" in self.has and self.tried.get(self.held, plain).right and self.left:
            sent = yield from self._ask(f"{self.held} as sent")
            self._name(*("letters",) * (not (sent.right or (self.filters and sent.same))))
        return None

    def _parts(self) -> Walking:
        """The unchanged question is right: one of the changed parts breaks the bot, or several do."""
        parts = [part for part in PARTS if part in self.has]
        alone = dict[str, Answer]()
        for number in range(len(parts) - 1, -1, -1):
            # The first is asked alone only if another fails: else it is that, by itself or with the others.
            if self.left and (number or alone):
                answer = yield from self._ask(f"only {parts[number]}")
                alone = alone if answer.right else {parts[number]: answer, **alone}
        if not parts and not self.found:
            self._name("equal")
        for part, failing in (alone or dict.fromkeys(parts[:1], self.failing)).items():
            self.failing, before = failing, len(self.found)
            try:
                yield from self._part(part, alone)
            except _Spent:
                if len(self.found) == before:
                    self._name("not found" if self.library and part in ("words", "added") else part)

    def _part(self, part: str, alone: Mapping[str, Answer]) -> Walking:
        # If several parts get different replies, a filter stops the one that gets the reply of the whole message.
        mixed = len({answer.same for answer in alone.values()}) > 1
        filtered = self.failing.same if mixed else part != "letters" or len(alone) < 2
        if part == "letters":
            yield from self._letters(filtered=filtered, single=not alone)
        elif self.has.isdisjoint(("changes", "declines")) or (part != "passages" and "passages" in self.has):
            yield from getattr(self, f"_{part}")(filtered=filtered)
        elif part != "passages" and "changes" in self.has:
            self._name("stayed")
        else:  # the answer had to change, or to be declined, and was given all the same
            bare = "given" in self.has and not (yield from self._ask("bare")).right
            self._name("bare" if bare else "passages")

    def _stopped(self, quoted: str, *, neutral: bool = False, alike: bool = False) -> Perhaps:
        """Whether the words that were put in stop the bot from answering an easy question, as other words do not. A bot
        that does not know an answer declines, too, and does so with other words beside the question as well, unless it
        is known to say something else with `neutral` ones. With `alike` the refusal must be the failing reply."""
        # What names sources has been searched for: no filter stopped it.
        known = quoted in self.tried and self.filters
        if known or not self.has >= {"easy", "refused"} or self.failing.listed is not None:
            return known
        shown = yield from self._ask(quoted)
        # A refusal in other words than the failing reply may be chance.
        if shown.refused and not shown.same and "noisy" not in self.has:
            shown = yield from self._ask(quoted)
        if shown.took or not (shown.same or (shown.refused and not alike)):
            return False
        if not neutral and self.left:
            other = yield from self._ask("neutral")
            if not other.took and (other.same or other.refused):
                # It may decline in other words than it refuses in.
                if not (refuses := shown.same and not other.same) and (yield from self._ask("easy")).took:
                    return False
                self._name("stopped" if refuses else "down")
                return True
        self._name("stopped")
        return True

    def _letters(self, *, filtered: bool, single: bool) -> Walking:
        if filtered and (yield from self._stopped("quoted letters")):
            # With less of it the message may pass the filter: what comes after it shows.
            for probe in ("some letters", *self.has & {"other letters"}):
                some = yield from self._ask(probe)
                if not (some.right or some.same):
                    return self._name("letters")
            return None
        # A bot may know the exact words of a question and no others: then a mark more breaks it, too.
        if single and self.library and self.names_sources and self.failing.listed != 0:
            marked = yield from self._ask("marked")
            if not marked.right and marked.listed != 0:
                self._name("not first" if (marked.listed or -1) > 0 else "not listed")
                if (yield from self._ask(f"{self.held} as sent")).right:
                    return None
                held = yield from self._ask(self.held)
                if not held.right:
                    return self._name("listed") if self.held == "among" and held.listed == 0 else None
        return self._name("letters")

    def _words(self, *, filtered: bool) -> Walking:
        # A bot that names sources if it finds any is given the passage before it is suspected of a filter.
        finds = self.library and self.names_sources
        if filtered and not finds and (yield from self._stopped("quoted")):
            return
        if self.library:
            yield from self._looked_up(_REWORDED)
        elif not self.given or not (yield from self._fixed("alone")):
            self._name("words")

    def _added(self, *, filtered: bool) -> Walking:
        if self.failing.took and not (self.library and self.failing.listed):
            return self._name("believed")
        searched, long = self.failing.listed is not None, "long" in self.has
        refused = filtered and self.failing.refused and "easy" in self.has
        if not searched and (refused or long):
            padded = yield from self._ask("padding")
            fine = padded.right or padded.took  # it may answer the question that the other words are of
            if refused and not padded.same and (yield from self._stopped("quoted", neutral=not fine)) and fine:
                return None
            if not fine and not (self.library and (padded.same or not long)):
                return self._name("long" if long else "any words")
            if not fine and not padded.same:
                self.failing = padded
                return (yield from self._looked_up(_REWORDED, "padded "))
        return (yield from self._looked_up(_REWORDED)) if self.library else self._name("added")

    def _passages(self, *, filtered: bool) -> Walking:
        if "order" in self.has and (yield from self._fixed("order")):
            return
        if self.failing.took or ("faked" in self.has and self.given and not self.failing.refused):
            self._name("believed")
            # Its own library would tell it better. One that names sources has found nothing if it names none.
            if self.given and self.failing.listed is not None:
                bare = yield from self._ask("bare")
                self._name(*("lacks it",) * (not bare.right and bare.listed in (-1, None)))
        elif not filtered or not (yield from self._stopped("quoted")):
            yield from self._in_hand()

    def _in_hand(self) -> Walking:
        """The bot is right with the supporting passage in hand, or it cannot read it, or it does not."""
        if "gold" not in self.has:
            return self._name("unknown")
        if (alone := (yield from self._ask("alone"))).right:
            return self._name("alone")
        # A filter reads passages, too.
        if alone.refused and alone.same and (yield from self._stopped("quoted passage")):
            return None
        fake = (yield from self._ask("fake")) if "fake" in self.has else None
        return self._name("unread" if fake and fake.same and not fake.took else "misread")

    def _turns(self, *, filtered: bool) -> Walking:
        misspelt = "misspelt turns" in self.has
        if (yield from self._fixed("joined", *("spelled",) * misspelt)):
            return
        if misspelt and (yield from self._ask("joined, spelled")).right:
            # A filter that refuses all turns in one message says nothing of how the letters are read.
            joined = self.tried["joined"]
            return self._name("joined", *("spelled",) * (joined.same or not joined.refused))
        # What the bot says to another message shows no filter that stopped the failing one.
        if filtered and (yield from self._stopped("quoted", alike=True)):
            return
        self._name("believed" if self.failing.took and "stated" in self.has else "turns")

    def _never(self) -> Walking:
        """The question was wrong in the run, unchanged."""
        if not self.library and (yield from self._stopped("quoted")):
            return
        if "earlier" in self.has and (yield from self._fixed("joined")):
            return
        if self.library:
            yield from self._looked_up()
        elif self.given:
            yield from self._in_hand()
        else:
            asked = {"easy", "quoted"}.isdisjoint(self.tried) and "easy" in self.has
            self._name("down" if asked and not (yield from self._ask("easy")).took else "unsupported")

    def _looked_up(self, otherwise: str = "", padded: str = "") -> Walking:
        """The bot has a library of its own: it is right with the supporting passage in hand, or it cannot read it.
        `otherwise` is named if nothing shows what was found, and the words are not those of the file."""
        listed = self.failing.listed
        if listed == 0:
            return self._name("listed")
        if listed is not None:
            self._name("not first" if listed > 0 else "not listed")
        gold = yield from self._ask(f"{padded}{self.held}")
        first = gold.listed == 0
        # A known filter may have refused the other passages.
        refused = gold.same and not self.filters
        if self.held == "among" and not (gold.right or refused or first):
            gold = yield from self._ask(f"{padded}gold")
        if listed is None and gold.listed is not None:  # it names sources as soon as it finds something
            self._name("not listed")
        if self.failing.listed is not None or gold.listed is not None:
            # In hand it has the passage only if the message made it come first.
            if gold.right or gold.listed != 0:
                return None
            return self._name("listed" if self.held == "among" and first else "misread")
        if gold.right:
            return self._name("gold")
        # A whole passage in a message may be too much for a bot that would read the one sentence.
        if not (yield from self._stopped("quoted")) and not (
            yield from self._fixed("sentence", *("fact",) * (not otherwise))
        ):
            self._name(otherwise or ("nothing" if "refused" in self.has else "whatever"))
        return None


def _joined(found: Iterable[Named]) -> Named:
    """The earliest of several causes, with the others behind it."""
    first, *others = sorted(found, key=lambda one: STEPS.index(one.cause))
    also = dict.fromkeys([*first.also, *(one.cause for one in others)])
    return first._replace(also=tuple(cause for cause in also if cause != first.cause))
