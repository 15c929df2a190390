"""Which step of a bot fails, decided from outside: what to ask next about a failure, and what the replies show. Pure.

The cause is the earliest step that fails, in the order of `STEPS`. What a failure `has` (see `failures.Failed`) says
which probes can be made of it; those that cannot fall away. Simulated replies decide just as a bot's do.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Literal, NamedTuple

from botattack.model import Result

MOST = 6
"""Askings of one failure, unless somebody says how many."""
CauseName = Literal[
    "chance",
    "carry-over",
    "input",
    "understanding",
    "retrieval",
    "ranking",
    "reading",
    "by-heart",
    "memory",
    "policy",
    "outage",
    "unclear",
]
STEPS: tuple[CauseName, ...] = (
    *("chance", "carry-over", "outage", "input", "understanding", "memory"),
    *("retrieval", "ranking", "reading", "by-heart", "policy"),
)
"""Causes in the order in which a message passes the steps of a bot; the first two are of no step."""
PARTS = ("letters", "words", "added", "passages", "turns")
"""What of a question a failure changes. Each is asked alone where there are several."""
_USUAL: dict[str, CauseName] = {
    "letters": "input",
    "words": "understanding",
    "added": "understanding",
    "passages": "reading",
    "turns": "memory",
}
"""What is named of a part that fails, too, when no request is left to look closer."""


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
    """A cause, what fails after it (of `unclear`: what could not be told apart), and why."""

    cause: CauseName
    told: str
    also: tuple[CauseName, ...] = ()
    sure: bool = False


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
        self.has, self.left = has, most
        self.best = Named("unclear", "The requests did not suffice to name a cause.")
        self.again = Answer("success")

    def run(self) -> Deciding:
        try:
            found = yield from self._named()
        except _Spent:
            found = self.best
        if "input" in (found.cause, *found.also) and "normalisable" in self.has and self.left:
            yield from self._ask("normalised")
        return found

    def _ask(self, probe: str) -> Asking:
        if not self.left:
            raise _Spent
        self.left -= 1
        return (yield probe)

    def _twice(self, probe: str, found: Named) -> Deciding:
        """Asks the probe that decides again: it is sure if it fails, or is right, as it was."""
        self.best = found
        second = yield from self._ask(probe)
        right = probe in _RIGHT
        agrees = second.took if probe in _TOOK else second.right == right
        if not agrees and probe == "again":
            return Named("chance", "Asked again in the same words, it is sometimes right and sometimes wrong.")
        return found._replace(sure=agrees)

    def _named(self) -> Deciding:
        first = yield from self._ask("original")
        if "was right" not in self.has:
            self.again = first
        else:
            self.again = yield from self._ask("again")
        again = self.again
        if "noisy" in self.has and not again.right:
            again = yield from self._ask("again")
        if again.result == "error":
            second = yield from self._ask("again")
            return Named("outage", "It gives no answer at all when asked again.", sure=second.result == "error")
        if again.right:
            return (yield from self._passing())
        if "was right" not in self.has:
            return (yield from self._never())
        # One wrong reply to the original may be noise; two mean that the bot is not what it was.
        if not first.right and not (yield from self._ask("plain")).right:
            return (yield from self._gone())
        return (yield from self._parts())

    def _passing(self) -> Deciding:
        """Asked again in a session of its own, the same words are right."""
        told = "Asked again in the same words, in a session of its own, it is right."
        self.best = Named("chance", told, sure="noisy" in self.has)
        if "before" in self.has:
            for _ in range(1 + ("noisy" in self.has)):
                yield from self._ask("before")
                if (yield from self._ask("after")).right:
                    return self.best
            told = "Right in a fresh session, it is wrong each time right after the conversation that went before it."
            return Named("carry-over", told, sure="noisy" not in self.has)
        return self.best if self.best.sure else self.best._replace(sure=(yield from self._ask("again")).right)

    def _gone(self) -> Deciding:
        told = "The unchanged question, right in the run, is now wrong, too"
        if "easy" in self.has and not (yield from self._ask("easy")).took:
            return Named("outage", f"{told}, and so is an easy one: the bot is down or has changed.")
        return Named("unclear", f"{told}: the bot has changed, or remembers.", ("carry-over", "outage"))

    def _parts(self) -> Deciding:
        """The unchanged question is right: one of the changed parts breaks the bot, or several do."""
        parts = [part for part in PARTS if part in self.has]
        broken = parts
        if len(parts) > 1:
            alone = []
            for part in parts:
                if not (yield from self._ask(f"only {part}")).right:
                    alone.append(part)
                    usual = [_USUAL[one] for one in alone]
                    self.best = Named(usual[0], "Its changes break the bot one by one.", _after(usual))
            broken = alone or parts
        found: list[Named] = []
        for part in broken:
            try:
                found.append((yield from self._part(part, single=len(parts) == 1)))
            except _Spent:
                single = len(parts) == 1
                found.append(self.best if single else Named(_USUAL[part], "Its changes break the bot one by one."))
        if not found:
            return Named("unclear", "What was sent is the unchanged question.", ("chance", "carry-over"))
        found.sort(key=lambda one: _order(one.cause))
        also = _after([found[0].cause, *found[0].also, *(one.cause for one in found[1:])])
        return found[0]._replace(also=also, sure=found[0].sure and (len(parts) == 1 or broken is not parts))

    def _part(self, part: str, *, single: bool) -> Deciding:
        if part == "letters":
            found = Named("input", "The words as the file spells them are right, and wrong as they are written here.")
            return (yield from self._twice("again", found)) if single else found._replace(sure=True)
        if "changes" in self.has or "declines" in self.has:
            return (yield from self._unnoticed(part))
        looks = {"words": self._words, "added": self._added, "passages": self._passages, "turns": self._turns}[part]
        return (yield from looks())

    def _unnoticed(self, part: str) -> Deciding:
        """The answer had to change, or to be declined, and was given all the same."""
        if part != "passages" and "changes" in self.has:
            told = "It gives the old answer though the question asks something else now."
            return (yield from self._twice("again", Named("understanding", told)))
        if "given" in self.has and not (yield from self._ask("bare")).right:
            told = "It gives the old answer without any passage, too."
            return (yield from self._twice("bare", Named("by-heart", told)))
        return Named("reading", "It answers as before though its passages say something else now.")

    def _policy(self, *, unless_refused: bool = False) -> Perhaps:
        """Whether the words that were put in stop the bot from answering an easy question, as neutral ones do not."""
        if "easy" not in self.has or not ("refused" in self.has or unless_refused):
            return None
        quoted = yield from self._ask("quoted")
        if quoted.took or not (quoted.refused or quoted.same):
            return None
        neutral = yield from self._ask("neutral")
        if neutral.took:
            told = "An easy question is refused as soon as it quotes what was put in, and answered with other words."
            return (yield from self._twice("quoted", Named("policy", told)))
        if not (yield from self._ask("easy")).took:
            return Named("outage", "An easy question that was right in the run gets no right answer either.", sure=True)
        return None

    def _words(self) -> Deciding:
        if "gold" in self.has and "library" in self.has:
            return (yield from self._looked_up(reworded=True))
        if found := (yield from self._policy(unless_refused=True)):
            return found
        if "gold" in self.has and "given" in self.has:
            if (yield from self._ask("alone")).right:
                told = "With the supporting passage alone it is right, among the others it is wrong in these words."
                return (yield from self._twice("alone", Named("ranking", told)))
        told = "In the file's words it is right, and wrong each time in these."
        if "gold" not in self.has:
            told += " Without passages, retrieval could not be told apart from it."
        return (yield from self._twice("again", Named("understanding", told)))

    def _added(self) -> Deciding:
        if self.again.took:
            return Named("reading", "It repeats what the message claims.", sure=True)
        if found := (yield from self._policy(unless_refused=True)):
            return found
        if not (yield from self._ask("padding")).right:
            told = "As many neutral words in the same place break it, too: the message is too long for it."
            return (yield from self._twice("padding", Named("input", told)))
        if "gold" in self.has and "library" in self.has:
            return (yield from self._looked_up(reworded=True))
        told = "As many neutral words do no harm: it takes what was added for part of the question."
        return (yield from self._twice("again", Named("understanding", told)))

    def _passages(self) -> Deciding:
        if self.again.took:
            told = "It repeats the fake that was put into its passages."
            return (yield from self._twice("again", Named("reading", told)))
        if found := (yield from self._policy()):
            return found
        if "gold" not in self.has:
            told = "Its passages were changed, and it is not known which supports the answer."
            return Named("unclear", told, ("ranking", "reading"))
        probe = "gold" if "library" in self.has else "alone"
        alone = yield from self._ask(probe)
        if alone.right:
            told = "With the supporting passage alone it is right: the others crowd it out."
            return (yield from self._twice(probe, Named("ranking", told)))
        return (yield from self._read())

    def _turns(self) -> Deciding:
        if found := (yield from self._policy()):
            return found
        if (yield from self._ask("joined")).right:
            told = "Said in one message it is right, over several turns it is wrong."
            return (yield from self._twice("joined", Named("memory", told)))
        if self.again.took:
            return Named("reading", "It repeats what an earlier message claims.")
        return Named("memory", "It is right without the earlier turns, and wrong after them.")

    def _never(self) -> Deciding:
        """The question was wrong in the run, unchanged."""
        if found := (yield from self._policy()):
            return found
        if "earlier" in self.has and (yield from self._ask("joined")).right:
            told = "Said in one message it is right, over several turns it is wrong."
            return (yield from self._twice("joined", Named("memory", told)))
        if "gold" in self.has and "library" in self.has:
            return (yield from self._looked_up(reworded=False))
        if "gold" in self.has and "given" in self.has:
            if (yield from self._ask("alone")).right:
                told = "With the supporting passage alone it is right: the others crowd it out."
                return (yield from self._twice("alone", Named("ranking", told)))
            return (yield from self._read())
        if "easy" in self.has and not (yield from self._ask("easy")).took:
            return Named("outage", "An easy question that was right in the run gets no right answer either.", sure=True)
        told = "It is wrong in the file's own words, and no passage is known that supports the answer."
        return Named("unclear", told, ("understanding", "retrieval", "reading"))

    def _read(self) -> Deciding:
        """With its passage in hand it is wrong."""
        told = "Even the supporting passage alone is read wrongly"
        self.best = Named("reading", f"{told}.")
        if (yield from self._ask("sentence")).right:
            return (yield from self._twice("sentence", Named("reading", f"{told}, though not the sentence by itself.")))
        if "fake" in self.has:
            fake = yield from self._ask("fake")
            if not fake.took and fake.same:
                told = "A fake in place of the right answer changes nothing: it does not use its passage."
                return Named("by-heart", told, sure=True)
        return self.best._replace(sure=True)

    def _looked_up(self, *, reworded: bool) -> Deciding:
        """The bot has a library of its own: it is right with the supporting passage in hand, or it cannot read it."""
        listed, gold = self.again.listed, (yield from self._ask("gold"))
        if not gold.right and (found := (yield from self._policy(unless_refused=reworded))):
            return found
        # A whole passage in a message may be too much for a bot that would read the one sentence.
        helps = "gold" if gold.right else "sentence" if (yield from self._ask("sentence")).right else ""
        if listed is None:
            return (yield from self._unlisted(helps, reworded=reworded))
        if listed == 0 and reworded and not helps:
            told = "It finds the supporting passage, and is wrong in these words alone."
            return Named("understanding", told, ("reading",))
        if listed == 0:
            told = "Its sources list the supporting passage first, and its answer is wrong."
            return Named("reading", told, sure=True)
        found = Named("retrieval", "Its sources do not list the supporting passage.", sure=True)
        if listed > 0:
            found = Named("ranking", "Its sources list the supporting passage, and not first.", sure=True)
        if helps:
            return found._replace(told=f"{found.told} With it in the message the answer is right.")
        # In hand it has the passage only where the message made it come first.
        also: tuple[CauseName, ...] = ("understanding" if reworded else "reading",) if gold.listed == 0 else ()
        return found._replace(also=also)

    def _unlisted(self, helps: str, *, reworded: bool) -> Deciding:
        """No sources say what was found."""
        if helps:
            told = "With what answers it in the message it is right."
            return (yield from self._twice(helps, Named("retrieval", told)))
        if reworded:
            told = "It is right in the file's words, and wrong in these even with the answer in the message."
            return (yield from self._twice("again", Named("understanding", told)))
        told = "It is wrong whatever is in the message"
        if (yield from self._ask("fact")).right:
            return Named("retrieval", f"{told}, and right for a question in the passage's own words.")
        if "refused" in self.has:
            return Named("retrieval", f"{told}, and finds nothing. Reading could not be told apart.")
        return Named("reading", f"{told}, and finds something. Retrieval could not be told apart.")


_RIGHT = frozenset(("alone", "gold", "sentence", "joined"))
"""Probes that decide by being right; the others by being wrong."""
_TOOK = frozenset(("fake",))


def _order(cause: CauseName) -> int:
    return STEPS.index(cause) if cause in STEPS else len(STEPS)


def _after(causes: Iterable[CauseName]) -> tuple[CauseName, ...]:
    """Those after the first, each once."""
    first, *rest = dict.fromkeys(causes)
    return tuple(rest)
