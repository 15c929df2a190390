"""What a question and its gold answers mean for judging a reply, worked out once for each pair."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

import msgspec

from botattack.matchers.claimless.void import content
from botattack.matchers.gold import LONGEST_PATTERN_TIME, compiled, golds
from botattack.matchers.sentences import sentences
from botattack.matchers.wording.opposites import opposites
from botattack.matchers.yes_no.polarity import OPEN, Answer, may_be_polar, polar
from botattack.matchers.yes_no.terms import Side, side_and_terms
from botattack.model import GoldAnswer
from botattack.text.normalise import REWRITTEN, Normal, normalise
from botattack.text.patterns import in_time

_PAST = re.compile(r" (?:was|were|did|used|former|formerly|previous|first|old|before) | in \d{4} ")
_BETWEEN_OPTIONS = re.compile(r",(?!\d)\s*(?:or\s)?|\bor\b|\?|:(?!\d)")
_AFTER_OPTION = re.compile(r"[;?!]|[,.:](?!\d)")
_TELLING = 3
"""Last words of a reply by which it is told from its question: few replies share all of them."""
_LONGEST_OPTION = 2
"""Words that are read of an option whose end nothing marks."""
_LEADING = frozenset(("of", "in", "for", "from", "on", "to", "at", "by", "with", "it", "than"))
_OPENERS = OPEN | frozenset(
    ["is", "are", "was", "were", "do", "does", "did", "can", "could", "has", "have", "will", "would", "in"]
)
_NEGATING = frozenset(("not", "never", "no", "without", "except", "nor"))
_EXCLUDING = re.compile(r" (?:excluded?|excluding|excludes|exempt(?:ed)?|exceptions?) ")
_DENYING = frozenset(("not", "no", "never", "without", "only"))
_SIDED = ("y", "Y", "n", "N")
_FRAME = frozenset(("of", "in", "for", "from", "on", "to", "between"))


class Asked(msgspec.Struct, frozen=True, dict=True):
    """A question and its gold answers, parted: those that stand in the question (`stale`), the others
    (`fresh`), and a yes or no to a question that asks for one (`polar`)."""

    raw: str
    fresh: tuple[GoldAnswer, ...]
    stale: tuple[GoldAnswer, ...]
    polar: frozenset[Answer]

    @cached_property
    def question(self) -> Normal:
        return normalise(self.raw)

    @cached_property
    def letters(self) -> str:
        """Where the question is ASCII, what holds every word of its normal form but numbers and `REWRITTEN` ones."""
        return self.raw.lower().replace(".", "")

    def lacks(self, word: str) -> bool:
        """Whether a word surely does not stand in the question's normal form, which need not be made to see it."""
        return (
            word not in self.letters
            and self.raw.isascii()
            and word.isalpha()
            and word.isascii()
            and word not in REWRITTEN
        )

    def is_said_by(self, reply: Normal) -> bool:
        """Whether a reply only says the question again."""
        return not any(map(self.lacks, reply.words[-_TELLING:])) and reply.text == self.question.text

    @cached_property
    def negated(self) -> bool:
        return not _NEGATING.isdisjoint(self.question.words)

    @cached_property
    def excluding(self) -> bool:
        """Whether a question asks for what is left out: "What is not covered?", "Which items are excluded?"."""
        return self.negated or bool(_EXCLUDING.search(self.question.text))

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of the words that carry the question's meaning."""
        return content(self.question)

    @cached_property
    def opposites(self) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
        return opposites(self.question)

    @cached_property
    def choice(self) -> bool:
        return not self.lacks("or") and " or " in self.question.text

    @cached_property
    def past(self) -> bool:
        return bool(_PAST.search(self.question.text))

    @cached_property
    def none(self) -> bool:
        """Whether "none" is a gold answer: "Which tax applies?" "no"."""
        every = golds((*self.fresh, *self.stale)).literals
        return not self.polar and any(gold.phrase in ("no", "none", "nothing", "0") for gold in every)

    @cached_property
    def terms(self) -> tuple[tuple[Side, GoldAnswer], ...]:
        """Of gold answers such as "yes, on a lead" the yes or no, and the rest."""
        if not may_be_polar(self.question):
            return ()
        parted = (side_and_terms(answer.text) for answer in self.fresh if not answer.regex)
        return tuple((found[0], GoldAnswer(found[1])) for found in parted if found)

    @property
    def may_have_terms(self) -> bool:
        """Whether to look for `terms` at all, by the first letter of a yes or no."""
        return any(answer.text[:1] in _SIDED for answer in self.fresh)

    @cached_property
    def sided(self) -> frozenset[Answer]:
        """Yes or no, where every gold answer begins with it: "yes, 20 %"."""
        every = golds((*self.fresh, *self.stale)).literals
        said = {polar(gold.words[0]) for gold in every if gold.raw[:1] in "yYnN" and gold.words}
        return frozenset(side for side in said if side) if len(said) == 1 else frozenset()

    @cached_property
    def denying(self) -> bool:
        """Whether a gold answer of several words denies something itself: "not for EU citizens"."""
        every = golds((*self.fresh, *self.stale)).literals
        return any(len(gold.words) > 2 and not _DENYING.isdisjoint(gold.words) for gold in every)

    def suggests(self, phrase: str) -> bool:
        """Whether `phrase` is only put forward, in a sentence beside the question: "Who was it? Was it Bell?" """
        parts = [normalise(sentence) for sentence in sentences(self.question.raw)]
        holding = [f" {phrase} " in part.text for part in parts]
        return any(holding) and any(
            not held and OPEN & {*part.words[:4]} for held, part in zip(holding, parts, strict=True)
        )

    @cached_property
    def frames(self) -> tuple[tuple[str, str], ...]:
        """(" capital of ", " france "): what is asked, and of what."""
        words = self.question.words
        places = [i for i, word in enumerate(words[1:-1], 1) if word in _FRAME]
        return tuple([(f" {words[i - 1]} {words[i]} ", f" {words[i + 1]} ") for i in places])

    @cached_property
    def turned(self) -> str:
        """ "dragon killed", of "Who killed the dragon?": what turns round who does it; empty where nobody does."""
        words = self.question.words
        if len(words) < 3 or words[0] != "who" or words[1] in ("is", "was", "are", "were"):
            return ""
        return " ".join((*words[2:], words[1]))

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The answers that a question offers as a list, in normal form: "A, B or C?"; empty where it offers none."""
        first, *rest = _BETWEEN_OPTIONS.split(self._offer.rpartition(": ")[2])
        words = normalise(first).words
        if (
            sum(map(bool, map(str.strip, rest))) > 1 and words and words[0] in _OPENERS - OPEN
        ):  # "Is Peru in Europe, Asia or Africa?"
            at = max((at for at, word in enumerate(words) if word in _LEADING), default=len(words) - 2)
            first = " ".join(words[at + 1 :])
        items = [_bare(normalise(item).words) for item in (first, *rest)]
        return tuple(item for item in items if item and item.count(" ") < 3 and item.split()[0] not in _OPENERS)

    @cached_property
    def _offer(self) -> str:
        """The last sentence of the question that offers a choice."""
        return next((part for part in reversed(sentences(self.question.raw)) if " or " in part), "")

    def others(self, phrase: str) -> tuple[str, ...]:
        """The other options, in a question that offers `phrase` as one."""
        listed = tuple(option for option in self.options if option != phrase) if phrase in self.options else ()
        other = "" if listed else self.other_option(phrase)
        return (other,) if other else listed

    def other_option(self, phrase: str) -> str:
        """What stands beside "or" on the other side of `phrase`, in a question that offers it as a choice; else empty.

        "Is it made from beans or from leaves?": words that both options begin with belong to neither.
        """
        first, _, rest = self._offer.rpartition(" or ")
        parts = _AFTER_OPTION.split(first.rstrip(", "))
        before, after = normalise(parts[-1]).words, normalise(_AFTER_OPTION.split(rest, maxsplit=1)[0]).words
        last = " ".join(_bare(after).split()[:_LONGEST_OPTION])
        if not before or not last:
            return ""
        if f" {last} ".startswith(f" {phrase} ") or phrase.endswith(f" {last}"):
            lead = after[0] if after[0] in _LEADING and after[0] in before else ""
            named = before[len(before) - before[::-1].index(lead) :] if lead else _last(before)
            return " ".join(named if len(parts) == 1 else before)
        stands = f" {' '.join(before)} "
        return last if stands.endswith(f" {phrase} ") or (len(parts) > 1 and f" {phrase} " in stands) else ""


def _last(words: tuple[str, ...]) -> tuple[str, ...]:
    """The last word, or both numbers of a time: "17:30"."""
    return words[-2:] if "".join(words[-2:]).isdecimal() and words[-1] != "".join(words[-2:]) else words[-1:]


def _option_of(answer: GoldAnswer, question: str) -> GoldAnswer | None:
    """ "Spain", of "by Spain", to "Was it signed by France or by Spain?"."""
    lead, _, rest = answer.text.partition(" ")
    offered = rest and lead in _LEADING and f" {answer.text.strip()}" in question and not answer.regex
    return GoldAnswer(rest) if offered else None


def _bare(words: tuple[str, ...]) -> str:
    """An option without the words that only lead to it or go on from it: "from leaves", "light to grow"."""
    first = next((at for at, word in enumerate(words) if word not in _LEADING), len(words))
    last = next((at for at in range(first + 1, len(words)) if words[at] in _LEADING), len(words))
    return " ".join(words[first:last])


@lru_cache(maxsize=128)
def asked(question: str, answers: tuple[GoldAnswer, ...]) -> Asked:
    if " or " in question:
        answers += tuple(bare for answer in answers if (bare := _option_of(answer, question)))
    sides = _sides(answers)
    if not sides and _cannot_stand_in(answers, question):
        return Asked(question, answers, (), frozenset())
    if sides and not may_be_polar(normalise(question)):
        sides = {}
    lettered = tuple([answer for answer in answers if answer not in sides]) if sides else answers
    several = len(answers) > 1
    stale = tuple(
        [
            answer
            for answer in lettered
            if not (several and _cannot_stand_in((answer,), question)) and _stands_in(answer, question)
        ]
    )
    fresh = tuple([answer for answer in lettered if answer not in stale]) if stale else lettered
    return Asked(question, fresh, stale, frozenset(sides.values()))


@lru_cache(maxsize=4096)
def _sides(answers: tuple[GoldAnswer, ...]) -> Mapping[GoldAnswer, Answer]:
    return {answer: side for answer in answers if (side := _side(answer))}


def _cannot_stand_in(answers: tuple[GoldAnswer, ...], question: str) -> bool:
    """Without the normal form: whether no answer's telling word is among the letters of the question."""
    return question.isascii() and not any(map(question.lower().__contains__, _telling(answers)))


@lru_cache(maxsize=4096)
def _telling(answers: tuple[GoldAnswer, ...]) -> tuple[str, ...]:
    """Of each answer the longest word that any text spells as its normal form does; empty where none is sure."""
    return tuple(map(_telling_word, answers))


def _telling_word(answer: GoldAnswer) -> str:
    words = () if answer.regex else normalise(answer.text).words
    plain = [word for word in words if word.isascii() and word[0].isalpha() and len(word) > 3 and word not in REWRITTEN]
    return max(plain, key=len, default="")


def _side(answer: GoldAnswer) -> Answer | None:
    return None if answer.regex else polar(normalise(answer.text).text.strip())


def _stands_in(answer: GoldAnswer, question: str) -> bool:
    if answer.regex:
        try:
            return bool(in_time(compiled(answer.text).search, question, seconds=LONGEST_PATTERN_TIME))
        except TimeoutError:
            return False
    text = normalise(question).text
    return any(gold.phrase and gold.padded in text for gold in golds((answer,)).literals)
