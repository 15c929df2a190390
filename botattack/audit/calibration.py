"""Learning a bot's own fallback sentences from what it says to nonsense, before a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from botattack.errors import Fault
from botattack.matchers.evidence.reading import read
from botattack.matchers.learned import declining
from botattack.model import Prompt, Question
from botattack.text.languages import language
from botattack.text.normalise import normalise

_ONSETS_TEXT = "b bl br d dr f fl g gl gr h j k kl l m n p pl qu r s sk sn t tr v w y z"
_ONSETS = _ONSETS_TEXT.split()
_VOWELS = ["a", "e", "i", "o", "u", "oo", "ee"]
_CODAS = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "rk", "rt", "sh", "st", "t", "x", "zz"]
_STOCK = 1 / 3
"""Share of all nonsense to which no answer is said: what is said more often is a fallback, in whatever language."""
_FEW = 12
"""Fewer questions say nothing of shares."""
_SPEAKS = frozenset(["i", "me", "my", "you", "your", "we", "us"])
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]|\d")


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
    """`refusals` are the sentences a bot falls back to; `perhaps` came again too, but read like an answer ("Around
    100."): a human decides on them. `faults` are those of answers that could not be read and count for nothing."""

    refusals: tuple[str, ...]
    perhaps: tuple[str, ...]
    faults: tuple[Fault, ...] = ()


def nonsense(rng: Random, each: int = 3) -> tuple[Nonsense, ...]:
    """`each` questions of every form whose words mean nothing: what a bot answers is no answer. No two have a made-up
    word in common."""
    used: set[str] = set()
    return tuple(_nonsense(form, rng, used) for _ in range(each) for form in language("en").nonsense)


def learn(said: Iterable[tuple[Nonsense, str]], again: int = 2) -> Fallbacks:
    """The sentences that were said to at least `again` different questions, most frequent first.

    Where a bot repeats the made-up words, the longest part of the sentence beside them is what counts.
    """
    asked: dict[str, set[str]] = {}
    shown: dict[str, str] = {}
    empty: set[str] = set()
    every: set[str] = set()
    faults: list[Fault] = []
    for question, reply in said:
        every.add(question.text)
        try:
            read = [(normalise(one).text, one, _falls_back(one)) for one in _candidates(question, reply)]
        except Exception as error:
            faults.append(Fault.of(error))
            continue
        for form, sentence, falls_back in read:
            asked.setdefault(form, set()).add(question.text)
            if shown.setdefault(form, sentence) == sentence and falls_back:
                empty.add(form)
    often = sorted((form for form in asked if len(asked[form]) >= again), key=lambda form: (-len(asked[form]), form))
    ever = [form for form in often if len(asked[form]) > len(every) * _STOCK and len(every) >= _FEW]
    kept = [form for form in often if form in empty or (form in ever and not re.search(r"\d", form))]
    perhaps = tuple(shown[form] for form in often if form not in kept)
    return Fallbacks(tuple(shown[form] for form in kept), perhaps, tuple(faults))


def refusals_yaml(learned: Fallbacks) -> str:
    """The `refusals:` of a target file, with what a human has to decide on as comments."""
    from json import dumps

    lines = ["# What the bot says to nonsense; correct it by hand.", "refusals:"]
    lines += [f"  - {dumps(sentence, ensure_ascii=False)}" for sentence in learned.refusals]
    if learned.perhaps:
        lines.append("# Said to nonsense too, but in the form of an answer; add what claims none:")
        lines += [f"#  - {dumps(sentence, ensure_ascii=False)}" for sentence in learned.perhaps]
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
    for sentence in _sentences(reply[:1000]):
        parts = re.split("|".join(rf"\b{re.escape(word)}\b" for word in question.words), sentence, flags=re.I)
        longest = max(parts, key=len).strip() if len(parts) > 1 else sentence.strip()
        words = normalise(longest).words
        own = {*words} - {*normalise(question.text).words} - _SPEAKS
        if words and (len(parts) == 1 or (len(words) >= 3 and len(own) >= 2)):
            found.append(longest)
    return found


def _sentences(text: str) -> Sequence[str]:
    """With the marks they end with."""
    reading = read(text, language("en"))
    first = [at for at, number in enumerate(reading.sentences) if not at or number > reading.sentences[at - 1]]
    starts = [reading.spans[at][0] for at in first]
    return [text[start:end] for start, end in pairwise((*starts, len(text)))]


def _falls_back(sentence: str) -> bool:
    """Whether a sentence claims nothing: it declines, or is about the bot or the user and names and counts nothing."""
    if declining(Prompt(""), sentence):
        return True
    return not _NAME.search(sentence) and not _SPEAKS.isdisjoint(normalise(sentence).words)
