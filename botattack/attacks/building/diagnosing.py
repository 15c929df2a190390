"""Which step of a bot fails, decided from outside: what to ask next about a failure, and what the replies show. Pure.

The cause is the earliest step that fails, in the order of `STEPS`. What a failure `has` (see `failures.Failure`) says
which probes can be made of it; those that cannot fall away. Simulated replies decide just as a bot's do.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Literal, NamedTuple, get_args

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
"""What of a question a failure changes. Each is asked alone where there are several."""


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


# What is named as soon as it is shown.
_AGAIN = Named("chance", "Asked again in the same words, in a session of its own, it is right.")
_VARIES = Named("chance", "Asked again in the same words, it is sometimes right and sometimes wrong.")
_LEAKED = Named(
    "carry-over", "Right when asked again, it was wrong with the answer to the conversation before it.", sure=True
)
_BURST = Named("outage", "Right when asked again, it was wrong with what the conversation next to it got, too.")
_LEFT_OVER = Named("carry-over", "Right in a fresh session, it is wrong right after the conversation before it.")
_SILENT = Named("outage", "It gives no answer at all when asked again.")
_DOWN = Named("outage", "An easy question that was right in the run gets no right answer either.", sure=True)
_CHANGED = Named("unclear", "The unchanged question, right in the run, is now wrong, too.", ("carry-over", "outage"))
_EQUAL = Named("unclear", "What was sent is the unchanged question.", ("chance", "carry-over"))
_SPELLED = Named("input", "The words as the file spells them are right, and wrong as they are written here.")
_LONG = Named("input", "As many neutral words in the same place break it, too: the message is too long for it.")
_STAYED = Named("understanding", "It gives the old answer though the question asks something else now.")
_WORDING = Named("understanding", "In the file's words it is right, and wrong each time in these.")
_TAKEN_IN = Named("understanding", "It is right without what was added, and wrong each time with it.")
_THESE_WORDS = Named("understanding", "It is wrong in these words even with what answers it in the message.")
_ANY_WORDS = Named("understanding", "An easy question is declined as soon as other words are beside it.")
_SEVERAL = Named("memory", "Said in one message it is right, over several turns it is wrong.")
_AFTER_TURNS = Named("memory", "It is right without the earlier turns, and wrong after them.")
_NOT_LISTED = Named("retrieval", "Its sources do not list the supporting passage.", sure=True)
_HELPED = Named("retrieval", "With what answers it in the message it is right.")
_OWN_WORDS = Named("retrieval", "It is right for a question in the passage's own words alone.")
_NOT_FOUND = Named("retrieval", "It is right in the file's words. Understanding could not be distinguished.")
_NOTHING = Named("retrieval", "It finds nothing, whatever is in the message. Reading could not be distinguished.")
_NOT_FIRST = Named("ranking", "Its sources list the supporting passage, and not first.", sure=True)
_ORDER = Named("ranking", "With the same passages in another order it is right.")
_CROWDED = Named("ranking", "With the supporting passage alone it is right: the others crowd it out.")
_BELIEVED = Named("reading", "It repeats the fake that it was given.")
_AS_BEFORE = Named("reading", "It answers as before though its passages say something else now.")
_MISREAD = Named("reading", "Even the supporting passage alone is read wrongly.")
_LISTED = Named("reading", "Its sources list the supporting passage first, and its answer is wrong.", sure=True)
_WHATEVER = Named("reading", "It is wrong whatever is in the message. Retrieval could not be distinguished.")
_UNREAD = Named(
    "by-heart", "A fake in place of the right answer changes nothing: it does not use its passage.", sure=True
)
_BARE = Named("by-heart", "It gives the old answer without any passage, too.")
_STOPPED = Named(
    "policy", "An easy question is refused as soon as it quotes what was put in, and not with other words."
)
_UNKNOWN = Named("unclear", "Nobody knows which of its passages supports the answer.", ("ranking", "reading"))
_SPENT = Named("unclear", "The requests did not suffice to name a cause.")
_UNSUPPORTED = Named(
    "unclear",
    "It is wrong in the file's own words, and no passage is known that supports the answer.",
    ("understanding", "retrieval", "reading"),
)
_USUAL = {"letters": _SPELLED, "words": _WORDING, "added": _TAKEN_IN, "passages": _AS_BEFORE, "turns": _AFTER_TURNS}
"""What is named of a part that fails when no request is left to look closer."""
_RIGHT = frozenset(("order", "alone", "gold", "sentence", "joined"))
"""Probes that decide by being right; the others by being wrong."""

Deciding = Generator[str, Answer, Named]
Asking = Generator[str, Answer, Answer]
Perhaps = Generator[str, Answer, Named | None]


class _Spent(Exception):
    """No request is left."""


def diagnose(has: Iterable[str], most: int = MOST) -> Deciding:
    """Yields the names of probes (`probes.PROBES`), is sent what came of each, and returns the cause."""
    return _Diagnosis(frozenset(has), most).run()


class _Diagnosis:
    def __init__(self, has: frozenset[str], most: int) -> None:
        self.has, self.left, self.best = has, most, _SPENT
        self.again, self.tried = Answer("success"), False
        self.library, self.given = (has >= {"gold", where} for where in ("library", "given"))

    def run(self) -> Deciding:
        try:
            found = yield from self._named()
        except _Spent:
            found = self.best
        if "input" in (found.cause, *found.also) and "normalisable" in self.has and self.left and not self.tried:
            yield from self._ask("normalised")
        return found

    def _ask(self, probe: str) -> Asking:
        if not self.left:
            raise _Spent
        self.left -= 1
        self.tried |= probe == "normalised"
        return (yield probe)

    def _twice(self, probe: str, found: Named) -> Deciding:
        """Asks the probe that decides again: it is sure if that is right, or wrong, as it was."""
        self.best = found
        agrees = (yield from self._ask(probe)).right == (probe in _RIGHT)
        return found._replace(sure=agrees) if agrees or probe != "again" else _VARIES

    def _named(self) -> Deciding:
        self.again = first = yield from self._ask("original")
        if "was right" in self.has:
            self.again = yield from self._ask("again")
        again = self.again
        if again.result == "error":
            return _SILENT._replace(sure=(yield from self._ask("again")).result == "error")
        if "noisy" in self.has and not again.right:
            again = yield from self._ask("again")
        if again.right:
            return (yield from self._passing())
        if "was right" not in self.has:
            return (yield from self._never())
        # One wrong reply to the original may be noise; two mean that the bot is not what it was.
        if not first.right:
            shown = self.library and first.listed not in (None, 0)
            plain = first if shown else (yield from self._ask("plain"))
            if not plain.right:
                return (yield from self._changed(plain))
        return (yield from self._parts())

    def _changed(self, plain: Answer) -> Deciding:
        """The unchanged question was right in the run, and is wrong now."""
        # A bot that lists sources is at work: only one that lists none may be down.
        if plain.listed is None and "easy" in self.has:
            easy = yield from self._ask("easy")
            if not easy.took and (easy.same or easy.refused or not self.library):
                return _DOWN
        if not self.library:
            return _CHANGED
        again, self.again = self.again, plain
        found = yield from self._looked_up(reworded=False)
        self.again, self.best = again, found
        policy = (yield from self._policy()) if again.refused and self.left > 1 else None
        return _joined([found, policy]) if policy else found

    def _passing(self) -> Deciding:
        """Asked again in a session of its own, the same words are right."""
        if "leaked" in self.has or "burst" in self.has:
            return _LEAKED if "leaked" in self.has else _BURST
        noisy = "noisy" in self.has
        self.best = _AGAIN._replace(sure=noisy)
        if "before" not in self.has:
            return _AGAIN._replace(sure=noisy or (yield from self._ask("again")).right)
        for _ in range(1 + noisy):
            yield from self._ask("before")
            if (yield from self._ask("after")).right:
                return self.best
        return _LEFT_OVER._replace(sure=not noisy)

    def _parts(self) -> Deciding:
        """The unchanged question is right: one of the changed parts breaks the bot, or several do."""
        parts = [part for part in PARTS if part in self.has]
        alone, found = list[str](), list[Named]()
        # A misspelt word that is not in the unchanged question cannot be asked about alone.
        if "misspelt" in self.has:
            if (yield from self._ask("normalised")).right:
                return _SPELLED._replace(sure=True)
            if "easy" in self.has and not (yield from self._ask("typo")).took:
                found.append(_SPELLED)
        for part in parts if len(parts) > 1 else ():
            if not (yield from self._ask(f"only {part}")).right:
                alone.append(part)
                self.best = _joined([self._usual(one) for one in alone])
        # Where only all of them together break the bot, without the first it is right.
        for part in alone or parts[:1]:
            self.best = self._usual(part)
            try:
                found.append((yield from self._part(part, single=len(parts) == 1)))
            except _Spent:
                found.append(self.best)
        together = len(parts) > 1 and not alone
        return _joined(found)._replace(sure=found[0].sure and not together) if found else _EQUAL

    def _usual(self, part: str) -> Named:
        return _NOT_FOUND if self.library and part in ("words", "added") else _USUAL[part]

    def _part(self, part: str, *, single: bool) -> Deciding:
        if part == "letters":
            return (yield from self._letters()) if single else _SPELLED._replace(sure=True)
        if not self.has.isdisjoint(("changes", "declines")):
            return (yield from self._unnoticed(part))
        looks = {"words": self._words, "added": self._added, "passages": self._passages, "turns": self._turns}
        return (yield from looks[part]())

    def _letters(self) -> Deciding:
        if found := (yield from self._policy()):
            # A little of it may pass the filter: what comes after it shows.
            some = yield from self._ask("some letters")
            return found if some.right or some.same else _joined([found, _SPELLED])
        # A bot may know the exact words of a question and no others: then a mark more breaks it, too.
        if (
            self.library
            and self.again.listed not in (None, 0)
            and not (marked := (yield from self._ask("marked"))).right
        ):
            self.again = marked
            self.best = found = _NOT_LISTED if marked.listed == -1 else _NOT_FIRST
            if (yield from self._ask("gold as sent")).right or not (yield from self._ask("gold")).right:
                return found
            return _joined([found, _SPELLED])
        return (yield from self._twice("again", _SPELLED))

    def _unnoticed(self, part: str) -> Deciding:
        """The answer had to change, or to be declined, and was given all the same."""
        if part != "passages" and "changes" in self.has:
            return (yield from self._twice("again", _STAYED))
        if "given" in self.has and not (yield from self._ask("bare")).right:
            return (yield from self._twice("bare", _BARE))
        return _AS_BEFORE

    def _policy(self) -> Perhaps:
        """Whether the words that were put in stop the bot from answering an easy question, as other words do not. A bot
        that does not know an answer declines, too, and does so with other words beside the question as well."""
        # What names sources has been searched for: no filter stopped it.
        if not self.has >= {"easy", "refused"} or self.again.listed is not None:
            return None
        quoted = yield from self._ask("quoted")
        if quoted.took or not (quoted.refused or quoted.same):
            return None
        neutral = yield from self._ask("neutral")
        if neutral.took or not (neutral.same or neutral.refused):
            return _STOPPED
        if quoted.same and not neutral.same:  # it declines in other words than it refuses in
            return _joined([_STOPPED, _ANY_WORDS]) if self.has & {"words", "added"} else _STOPPED
        return None if (yield from self._ask("easy")).took else _DOWN

    def _words(self) -> Deciding:
        if self.library:
            return (yield from self._looked_up(reworded=True))
        if found := (yield from self._policy()):
            return found
        if self.given and (yield from self._ask("alone")).right:
            return (yield from self._twice("alone", _CROWDED))
        found = _WORDING
        if "gold" not in self.has:
            found = found._replace(told=f"{found.told} Without passages, retrieval could not be distinguished.")
        return (yield from self._twice("again", found))

    def _added(self) -> Deciding:
        if self.again.took and not (self.library and self.again.listed):
            return _BELIEVED._replace(sure=True)
        if self.library and not ("long" in self.has and self.again.listed is None):
            return (yield from self._looked_up(reworded=True))
        if found := (yield from self._policy()):
            return found
        if "long" in self.has and not (yield from self._ask("padding")).right:
            return (yield from self._twice("padding", _LONG))
        if self.library:
            return (yield from self._looked_up(reworded=True))
        return (yield from self._twice("again", _TAKEN_IN))

    def _passages(self) -> Deciding:
        if "order" in self.has and (yield from self._ask("order")).right:
            return (yield from self._twice("order", _ORDER))
        if self.again.took or ("faked" in self.has and self.given):
            return (yield from self._twice("again", _BELIEVED))
        if found := (yield from self._policy()):
            return found
        if "gold" not in self.has:
            return _UNKNOWN
        return (yield from self._in_hand("gold" if self.library else "alone"))

    def _in_hand(self, probe: str) -> Deciding:
        """The bot is right with the supporting passage in hand, or it cannot read it, or it does not."""
        if (yield from self._ask(probe)).right:
            return (yield from self._twice(probe, _CROWDED))
        self.best = _MISREAD
        if (yield from self._ask("sentence")).right:
            return (yield from self._twice("sentence", _MISREAD))
        fake = (yield from self._ask("fake")) if "fake" in self.has else None
        return _UNREAD if fake and fake.same and not fake.took else _MISREAD._replace(sure=True)

    def _turns(self) -> Deciding:
        if found := (yield from self._policy()):
            return found
        if (yield from self._ask("joined")).right:
            return (yield from self._twice("joined", _SEVERAL))
        return _BELIEVED if self.again.took and "stated" in self.has else _AFTER_TURNS

    def _never(self) -> Deciding:
        """The question was wrong in the run, unchanged."""
        if not self.library and (found := (yield from self._policy())):
            return found
        if "earlier" in self.has and (yield from self._ask("joined")).right:
            return (yield from self._twice("joined", _SEVERAL))
        if self.library:
            return (yield from self._looked_up(reworded=False))
        if self.given:
            return (yield from self._in_hand("alone"))
        return _DOWN if "easy" in self.has and not (yield from self._ask("easy")).took else _UNSUPPORTED

    def _looked_up(self, *, reworded: bool) -> Deciding:
        """The bot has a library of its own: it is right with the supporting passage in hand, or it cannot read it."""
        listed, gold = self.again.listed, (yield from self._ask("gold"))
        if not gold.right and (found := (yield from self._policy())):
            return found
        # A whole passage in a message may be too much for a bot that would read the one sentence.
        helps = "gold" if gold.right else "sentence" if (yield from self._ask("sentence")).right else ""
        if listed is None:
            return (yield from self._unlisted(helps, reworded=reworded))
        if listed == 0:
            return _LISTED
        found = _NOT_FIRST if listed > 0 else _NOT_LISTED
        # In hand it has the passage only where the message made it come first.
        if not helps and gold.listed == 0:
            return found._replace(also=("understanding" if reworded else "reading",))
        return found

    def _unlisted(self, helps: str, *, reworded: bool) -> Deciding:
        """No sources say what was found."""
        if helps:  # a right sentence after a wrong passage is asked about once: few requests are left
            return (yield from self._twice("gold", _HELPED)) if helps == "gold" else _HELPED
        if reworded:
            return (yield from self._twice("again", _THESE_WORDS))
        if (yield from self._ask("fact")).right:
            return _OWN_WORDS
        return _NOTHING if "refused" in self.has else _WHATEVER


def _joined(found: Iterable[Named]) -> Named:
    """The earliest of several causes, with the others behind it."""
    first, *others = sorted(found, key=lambda one: STEPS.index(one.cause))
    also = dict.fromkeys([*first.also, *(one.cause for one in others)])
    return first._replace(also=tuple(cause for cause in also if cause != first.cause))
