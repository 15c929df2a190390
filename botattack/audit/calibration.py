"""Learning a bot's own fallback sentences from what it says to nonsense, and adding them to its target file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from json import dumps
from random import Random

from botattack.engine.boilerplate import says_nothing
from botattack.errors import Fault
from botattack.matchers.evidence.reading import read
from botattack.matchers.learned import says_no
from botattack.model import Prompt, Question
from botattack.text.boilerplate import LEAST, SHARE
from botattack.text.languages import codes, language
from botattack.text.normalise import normalise

_ONSETS_TEXT = "b bl br d dr f fl g gl gr h j k kl l m n p pl qu r s sk sn t tr v w y z"
_ONSETS = _ONSETS_TEXT.split()
_VOWELS = ["a", "e", "i", "o", "u", "oo", "ee"]
_CODAS = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "rk", "rt", "sh", "st", "t", "x", "zz"]
_STOCK = 1 / 3
"""Share of all nonsense to which no answer is said: what is said more often is a fallback, in whatever language."""
_FEW = 12
"""Fewer questions say nothing of shares."""
_ITSELF = frozenset(["i", "me", "my"])
_SPEAKS = _ITSELF | {"you", "your", "we", "us"}
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]|\d")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKS = re.compile(
    r"^[ \t]*(?:[-*+>]|#{1,6}|\d{1,3}[.)])[ \t]+|\*\*|__|~~|`|(?<!\w)[*_](?=\w)|(?<=[\w.!?,])[*_](?!\w)", re.MULTILINE
)
"""Of Markdown: bullets, headings, quotes, emphasis and code."""


@dataclass(frozen=True)
class Nonsense:
    """A question without meaning, and the made-up words in it."""

    text: str
    words: tuple[str, ...]

    @property
    def question(self) -> Question:
        return Question(self.text)


@dataclass(frozen=True)
class Fallbacks:
    """`refusals` are the sentences a bot falls back to; `perhaps` came again too, but may be a greeting or an answer
    ("Around 100."): a human decides on them. `around` are those of them that came again and again, and never alone.
    `faults` are those of answers that could not be read and count for nothing."""

    refusals: tuple[str, ...]
    perhaps: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    around: tuple[str, ...] = ()


def nonsense(rng: Random, each: int = 3) -> tuple[Nonsense, ...]:
    """`each` questions of every form whose words mean nothing: what a bot answers is no answer. No two have a made-up
    word in common."""
    used: set[str] = set()
    return tuple(_nonsense(form, rng, used) for _ in range(each) for form in language("en").nonsense)


def learn(said: Iterable[tuple[Nonsense, str]], again: int = 2) -> Fallbacks:
    """The sentences that were said to at least `again` different questions, most frequent first.

    A refusal is what says that it does not know, in a language whose words botattack has, and says so most clearly of
    its reply; and what is all that is said to a third of the nonsense, if it is about the bot itself. A greeting or an
    answer that is said to nonsense too would make right answers count as refused. Where a bot repeats the made-up
    words, the longest part of the sentence beside them is what counts.
    """
    heard, every, faults = dict[str, _Heard](), set[str](), list[Fault]()
    for question, reply in said:
        every.add(question.text)
        try:
            _hear(heard, question, reply)
        except Exception as error:
            faults.append(Fault.of(error))
    often = sorted(
        (form for form, found in heard.items() if len(found.asked) >= again),
        key=lambda form: (-len(heard[form].asked), form),
    )
    stock = len(every) * _STOCK if len(every) >= _FEW else math.inf
    kept = [form for form in often if heard[form].refuses(stock)]
    perhaps = [heard[form] for form in often if form not in kept]
    least = max(LEAST, len(every) * SHARE)
    around = [one.sentence for one in perhaps if one.is_around(least)]
    return Fallbacks(
        tuple(heard[form].sentence for form in kept),
        tuple(one.sentence for one in perhaps),
        tuple(faults),
        tuple(around),
    )


@dataclass
class _Heard:
    """A sentence as it was said first, and the questions to which it was said: those `asked`, those to which it was the
    clearest no of the reply, and those to which it was said `alone`."""

    sentence: str
    asked: set[str] = field(default_factory=set)
    clearest: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)

    def refuses(self, stock: float) -> bool:
        """Whether it is a refusal; `stock` is how many questions must have been told nothing else."""
        if self.clearest == self.asked:
            return True
        of_itself = not _NAME.search(self.sentence) and not _ITSELF.isdisjoint(normalise(self.sentence).words)
        return of_itself and len(self.alone) > stock

    def is_around(self, least: float) -> bool:
        """Whether it is said around answers, at least so often."""
        return len(self.asked) >= least and not self.alone and says_nothing(self.sentence)


def _hear(heard: dict[str, _Heard], question: Nonsense, reply: str) -> None:
    found = {normalise(sentence).text: sentence for sentence in _candidates(question, reply)}
    sure = {form: max(says_no(Prompt("", lang=code), sentence) for code in codes()) for form, sentence in found.items()}
    for form, sentence in found.items():
        one = heard.setdefault(form, _Heard(sentence))
        one.asked.add(question.text)
        if sure[form] == max(sure.values()) >= 0:
            one.clearest.add(question.text)
        if len(found) == 1:
            one.alone.add(question.text)


def refusals_yaml(learned: Fallbacks) -> str:
    """The `signs:` and `boilerplate:` of a target file, with what a human has to decide on as comments."""

    # A list without an entry is no list: it stays a comment until somebody fills it.
    off = "" if learned.refusals else "#"
    lines = ["# What the bot says to nonsense; correct it by hand.", f"{off}signs:", f"{off}  refused:"]
    lines += [f"    - {dumps(sentence, ensure_ascii=False)}" for sentence in learned.refusals]
    if perhaps := [sentence for sentence in learned.perhaps if sentence not in learned.around]:
        lines.append("# Said to nonsense too, but perhaps a greeting or an answer; add what is neither:")
        lines += [f"#    - {dumps(sentence, ensure_ascii=False)}" for sentence in perhaps]
    if learned.around:
        lines += [
            "# What the bot says around its answers: left out of judging. Delete what answers anything.",
            "boilerplate:",
        ]
        lines += [f"  - {dumps(sentence, ensure_ascii=False)}" for sentence in learned.around]
    return "\n".join(lines) + "\n"


def _nonsense(form: str, rng: Random, used: set[str]) -> Nonsense:
    words: dict[str, str] = {}
    for name in "abc":
        if f"{{{name}}}" in form:
            words[name] = _made_up(rng, used)
    return Nonsense(_fill(form, words), tuple(words.values()))


def _fill(form: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        form = form.replace(f"{{{name}}}", word)
    return form[:1].upper() + form[1:] if form[0] == "{" else form


def _made_up(rng: Random, used: set[str]) -> str:
    while True:
        word = (
            rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS)
        )
        if word not in used:
            used.add(word)
            return word


def _candidates(question: Nonsense, reply: str) -> Sequence[str]:
    """Each sentence of a reply; of one that repeats made-up words, the longest part beside them, where it has three
    words or more and says more than the question did."""
    found = []
    for sentence in _sentences(_MARKS.sub("", _LINK.sub(r"\1", reply[:1000]))):
        parts = re.split("|".join(rf"\b{re.escape(word)}\b" for word in question.words), sentence, flags=re.I)
        longest = max(parts, key=len).strip() if len(parts) > 1 else sentence.strip()
        words = normalise(longest).words
        own = {*words} - {*normalise(question.text).words} - _SPEAKS
        if words and (len(parts) == 1 or (len(words) >= 3 and len(own) >= 2)):
            found.append(longest)
    return found


def _sentences(text: str) -> Sequence[str]:
    """With the marks they begin and end with."""
    reading = read(text, language("en"))
    first = [at for at, number in enumerate(reading.sentences) if not at or number > reading.sentences[at - 1]]
    starts = [_start(text, reading.spans[at - 1][1] if at else 0, reading.spans[at][0]) for at in first]
    return [text[start:end] for start, end in pairwise((*starts, len(text)))]


def _start(text: str, end: int, word: int) -> int:
    """Where a sentence starts whose first word does at `word`, and the word before it ends at `end`: marks that touch
    the word, such as a bracket, belong to it."""
    between = text[end:word]
    return word - len(between.split()[-1]) if between.strip() and re.search(r"\s\S+$", between) else word
