"""Which step of a bot fails, decided from outside: what to ask next about a failure, and what the replies show. Pure.

It walks down the steps of `STEPS`. A step fails if the message is wrong with everything before it fixed (the letters as
the file spells them, neutral words in place of what was put in, the supporting passage in the message), so that a
second failing step shows behind the first. What a failure `has` (see `combined.failures`) says which probes can be
made of it; those that cannot fall away. Simulated replies decide just as a bot's do.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from importlib.resources import files
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from botattack.model import Result

MOST = 6
"""Askings of one failure, unless somebody says how many."""
# In the order in which a message passes the steps of a bot; the first three are of no step.
# fmt: off
CauseName = Literal[
    "chance", "carry-over", "outage", "input", "understanding", "memory", "retrieval", "ranking", "reading", "by-heart",
    "yielding", "policy", "unclear",
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


class Named(msgspec.Struct, frozen=True):
    """A cause, what fails after it (of `unclear`: what could not be distinguished), and why. `unread` is the cause if
    the bot had no passage to read."""

    cause: CauseName
    told: str
    unread: CauseName | None = None
    also: tuple[CauseName, ...] = ()
    sure: bool = False


_CAUSES = msgspec.yaml.decode(files(__package__).joinpath("causes.yaml").read_bytes(), type=dict[str, Named])
"""What can be named, by the name of what shows it."""


class _Spent(Exception):
    """No request is left."""


class _Unknown(Exception):
    """What came of a probe is not known yet; the name of the probe is all that it says."""


def diagnose(has: Iterable[str], answers: Iterable[Answer], most: int = MOST) -> Named | str:
    """The cause, as far as these answers show it; else the name of the probe to ask next (`combined.why.PROBES`).
    `answers` are what came of those asked before, in order: each is decided again, from the first."""
    try:
        return _Diagnosis(frozenset(has), answers, most).named()
    except _Unknown as unknown:
        return str(unknown)


class _Diagnosis:
    """`failing` is what came of the message once everything that was found to fail before is fixed."""

    def __init__(self, has: frozenset[str], answers: Iterable[Answer], most: int) -> None:
        self.has, self.answers, self.left = has, [*answers], most
        self.unsure = any(answer.result == "unsure" for answer in self.answers)
        self.found, self.failing = list[Named](), Answer("success")
        self.names_sources, self.filters, self.filtered, self.single, self.reads = False, False, True, True, False
        self.library, self.given = (has >= {"gold", where} for where in ("library", "given"))
        # Alone a passage may be read for want of others.
        self.held = "among" if "others" in has else "gold"

    def named(self) -> Named:
        with suppress(_Spent):
            self._walk()
        # The earliest of several causes, with the others behind it.
        found = sorted(self.found or [_CAUSES["spent"]], key=lambda one: STEPS.index(one.cause))
        causes = dict.fromkeys([found[0].cause, *found[0].also, *(one.cause for one in found)])
        # What is left of the requests may say what a fix would be worth.
        if "normalisable" in self.has and self.left and "input" in causes:
            self._ask("normalised", twice=False)
        return replace(found[0], also=tuple(causes)[1:], sure=found[0].sure and not self.unsure)

    def _ask(self, probe: str, *, twice: bool = True) -> Answer:
        # A bot that errs at times may do so here: what decides is wrong `twice`.
        for _ in range(1 + (twice and not self.has.isdisjoint(("noisy", f"{probe} twice")))):
            if not self.left:
                raise _Spent
            self.left -= 1
            if not self.answers:
                raise _Unknown(probe)
            answer = self.answers.pop(0)
            self.names_sources |= answer.listed is not None
            if answer.right or answer.took:
                break
        return answer

    def _name(self, *names: str) -> None:
        found = [_CAUSES[name] for name in names]
        if self.has.isdisjoint(("given", "library", "passages")):  # nothing was there to be read
            found = [replace(one, cause=one.unread or one.cause) for one in found]
        self.found += found
        self.filters |= "stopped" in names

    def _fixed(self, probe: str) -> Answer:
        """A probe that is right names what it fixes."""
        answer = self._ask(probe)
        self._name(*(probe,) * answer.right)
        return answer

    def _walk(self) -> None:
        self.failing = first = self._ask("original", twice=False)
        if first.result != "error" and not self.has.isdisjoint(("was right", "noisy")):
            # What failed in the run has to fail again.
            self.failing = self._ask("again", twice="was right" in self.has)
        if self.failing.right:
            self._name(max(self.has & {"leaked", "burst"}, default="again"))  # of both, what was left over tells more
        elif self.failing.result == "error":
            self._name("silent")
        elif "was right" not in self.has:
            self._never()
        elif "pressed" in self.has:
            self._name("pressed")
        else:
            self._was_right(first)

    def _was_right(self, first: Answer) -> None:
        """The unchanged question was right in the run, and may be wrong now."""
        # One wrong reply may be noise, unless its sources show what fails; two mean that the bot is not what it was.
        plain = first if first.right or (self.library and first.listed not in (None, 0)) else self._ask("plain")
        if plain.right:
            return self._parts()
        # A bot that lists sources is at work: only one that lists none may be down.
        if plain.listed is None and "easy" in self.has and not self._ask("easy").took:
            return self._name("down")
        if not self.library:
            return self._name("changed")
        again, self.failing = self.failing, plain
        self._looked_up()
        self.failing = again
        if again.refused and self.left > 1:
            self._stopped("quoted letters" if "letters" in self.has else "quoted")
        # With the passage in hand the file's letters were asked: these may fail as well.
        if "letters" in self.has and self.reads:
            sent = self._ask(f"{self.held} as sent")
            self._name(*("letters",) * (not (sent.right or (self.filters and sent.same))))
        return None

    def _parts(self) -> None:
        """The unchanged question is right: one of the changed parts breaks the bot, or several do."""
        parts = [part for part in PARTS if part in self.has]
        alone = dict[str, Answer]()
        for number in range(len(parts) - 1, -1, -1):
            # The first is asked alone only if another fails: else it is that, by itself or with the others.
            if self.left and (number or alone):
                answer = self._ask(f"only {parts[number]}")
                alone = alone if answer.right else {parts[number]: answer, **alone}
        if not parts:
            self._name("equal")
        mixed = len({answer.same for answer in alone.values()}) > 1
        self.single = not alone
        for part, failing in (alone or dict.fromkeys(parts[:1], self.failing)).items():
            self.failing, before = failing, len(self.found)
            # If several parts get different replies, a filter stops the one that gets the reply of the whole message.
            self.filtered = failing.same if mixed else part != "letters" or len(alone) < 2
            try:
                self._part(part)
            except _Spent:
                if len(self.found) == before:
                    self._name("not found" if self.library and part in ("words", "added") else part)

    def _part(self, part: str) -> None:
        if part == "passages" and not self.has.isdisjoint(("changes", "declines")):
            # The answer had to change, or to be declined, and was given all the same.
            self._name("bare" if "given" in self.has and self._ask("bare").took else "passages")
        elif part != "letters" and not self.has.isdisjoint(("changes", "declines")) and "passages" not in self.has:
            self._name("stayed" if "changes" in self.has else "answered")
        else:
            getattr(self, f"_{part}")()

    def _stopped(self, quoted: str, *, neutral: bool = False, alike: bool = False) -> bool:
        """Whether the words that were put in stop the bot from answering an easy question, as other words do not. A bot
        that does not know an answer declines, too, and does so with other words beside the question as well, unless it
        is known to say something else with `neutral` ones. With `alike` the refusal must be the failing reply."""
        # What names sources has been searched for: no filter stopped it.
        if self.filters or not self.has >= {"easy", "refused"} or self.failing.listed is not None:
            return self.filters
        shown = self._ask(quoted)
        # A refusal in other words than the failing reply may be chance.
        if shown.refused and not shown.same and "noisy" not in self.has:
            shown = self._ask(quoted)
        if shown.took or not (shown.same or (shown.refused and not alike)):
            return False
        # A bot that errs, or forgets, declines for other reasons: nothing shows a filter until other words were tried.
        if not neutral and (self.left or alike or "noisy" in self.has):
            other = self._ask("neutral")
            # It may decline in other words than it refuses in.
            if not other.took and (other.same or (other.refused and not shown.same)):
                down = not self._ask("easy").took
                self._name(*("down",) * down)
                return down
        self._name("stopped")
        return True

    def _letters(self) -> None:
        if self.filtered and self._stopped("quoted letters"):
            # With less of it the message may pass the filter: what comes after it shows.
            lighter = map(self._ask, ("some letters", *self.has & {"other letters"}))
            self._name(*("letters",) * any(not (some.right or some.same) for some in lighter))
            return
        # A bot may know the exact words of a question and no others: then a mark more breaks it, too.
        if self.single and self.library and self.names_sources and self.failing.listed != 0:
            marked = self._ask("marked")
            if not marked.right and marked.listed != 0:
                self._name("not first" if (marked.listed or -1) > 0 else "not listed")
                if self._ask(f"{self.held} as sent").right or not self._ask(self.held).right:
                    return
        self._name("letters")

    def _words(self) -> None:
        # A bot that names sources if it finds any is given the passage before it is suspected of a filter.
        if self.filtered and not (self.library and self.names_sources) and self._stopped("quoted"):
            return
        if self.library:
            self._looked_up("these words")
        elif not self.given or not self._fixed("alone").right:
            self._name("words")

    def _added(self) -> None:
        if self.failing.took and not (self.library and self.failing.listed):
            return self._name("believed")
        refused, long = self.filtered and self.failing.refused, "long" in self.has
        if self.failing.listed is None and (refused or long):
            padded = self._ask("padding")
            fine = padded.right or padded.took  # it may answer the question that the other words are of
            if refused and not padded.same and self._stopped("quoted", neutral=not fine) and fine:
                return None
            if not fine and not self.library:
                return self._name("long" if long else "any words")
            if not fine and not padded.same:
                self.failing = padded
                return self._looked_up("these words", "padded ")
        return self._looked_up("these words") if self.library else self._name("added")

    def _passages(self) -> None:
        # What it has in its library it should find and rank first, whatever else was put there.
        if self.library and self.failing.listed:
            self._looked_up()
            return
        if self._reordered():
            return
        if self.failing.took or ("faked" in self.has and not self.failing.refused):
            self._name("believed" if self.failing.took else "misled")
            # Its own library, if it names sources of its own, would tell it better.
            if self.given and self.failing.listed is not None:
                bare = self._ask("bare")
                self._name(*("lacks it",) * (not bare.right and bare.listed is not None))
        elif not self._stopped("quoted"):
            self._in_hand()

    def _reordered(self) -> bool:
        return "order" in self.has and self._fixed("order").right

    def _in_hand(self) -> None:
        """The bot is right with the supporting passage in hand, or it cannot read it, or it does not."""
        if "gold" not in self.has:
            self._name("unknown")
            return
        known = self.failing._replace(same=True, refused="refused" in self.has)
        alone = known if "alone" in self.has else self._fixed("alone")
        # A filter reads passages, too.
        if not (alone.right or (alone.refused and alone.same and self._stopped("quoted passage"))):
            self._name("misread")

    def _turns(self) -> None:
        joined, misspelt = self._fixed("joined"), "misspelt turns" in self.has
        if joined.right or (misspelt and self._fixed("spelled").right):
            return
        if misspelt and self._ask("joined, spelled").right:
            # A filter that refuses all turns in one message says nothing of how the letters are read.
            self._name("joined", *("spelled",) * (joined.same or not joined.refused))
        # What the bot says to another message shows no filter that stopped the failing one.
        elif not self._stopped("quoted", alike=True):
            self._name("believed" if self.failing.took and "stated" in self.has else "turns")

    def _never(self) -> None:
        """The question was wrong in the run, unchanged."""
        # What hangs on earlier turns gets the same reply when it is quoted from a bot that forgets, filter or none.
        if self._fixed("joined").right if "earlier" in self.has else not self.library and self._stopped("quoted"):
            return
        if self.library:
            self._looked_up()
        elif not self.given:
            self._name("down" if "easy" in self.has and not self._ask("easy").took else "unsupported")
        elif not self._reordered():
            self._in_hand()

    def _looked_up(self, otherwise: str = "whatever", padded: str = "") -> None:
        """The bot has a library of its own: it is right with the supporting passage in hand, or it cannot read it.
        `otherwise` is named if nothing shows what was found."""
        listed = self.failing.listed
        if listed is not None:
            self._name("listed" if listed == 0 else "not first" if listed > 0 else "not listed")
        if listed == 0:
            return
        gold = self._ask(f"{padded}{self.held}")
        # A known filter may have refused the other passages.
        if self.held == "among" and not (gold.right or gold.listed == 0 or (gold.same and not self.filters)):
            gold = self._ask(f"{padded}gold")
        self.reads = gold.right
        if listed is None and gold.listed is not None:  # it names sources as soon as it finds something
            self._name("not listed")
        if listed is not None or gold.listed is not None:
            # In hand it has the passage only if the message made it come first.
            if not gold.right and gold.listed == 0:
                self._name("misread")
        elif gold.right:
            self._name("gold")
        # A whole passage in a message may be too much for a bot that would read the one sentence.
        elif not self._stopped("quoted") and not self._fixed("sentence").right:
            self._name(otherwise)
