"""The part `grammar-errors`: what writers really wrote in place of what is right, learnt from corrected text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, named_files
from botattack.text.tokens import normalised

VARIABLE = "BOTATTACK_GRAMMAR_ERRORS"
"""M2 files and folders of them, separated as in PATH."""
RESOURCE = "grammar-errors"
MOST_WORDS = 3
"""Longer corrections rewrite a sentence: they are no error that can be put elsewhere."""
_NO_GRAMMAR = frozenset(["Rc", "Rs", "Mec", "R:SPELL", "R:ORTH", "R:NOUN", "R:VERB", "R:ADJ", "R:ADV", "R:OTHER"])
"""Kinds of correction that are about spelling or the choice of a word (JFLEG's and ERRANT's names)."""

Pair = tuple[str, str]
"""What is right, and what was written."""


@dataclass(frozen=True)
class LearnerErrors:
    """Errors by what is right (a word or phrase in lower case), the most frequent first."""

    info: PartInfo
    by_phrase: dict[str, tuple[str, ...]] = field(repr=False)
    longest: int = 1

    def of(self, phrase: str) -> tuple[str, ...]:
        return self.by_phrase.get(normalised(phrase), ())

    def __hash__(self) -> int:
        return hash(self.info)


def load() -> LearnerErrors:
    """The table learnt from the M2 files of BOTATTACK_GRAMMAR_ERRORS, else of those fetched by
    `botattack resources get grammar-errors`. Raises MissingPart if there is none."""
    missing = (
        f"there are no grammar errors to learn from: botattack resources get {RESOURCE}, "
        f"or set {VARIABLE} to files in M2 form (or give the option table: false)"
    )
    files = named_files(VARIABLE, RESOURCE, missing, (".m2",))
    counts = _real_words(Counter(pair for path in files for pair in read_m2(path)))
    if not counts:
        raise MissingPart(f"{files[0]} contains no corrections in M2 form (lines `S …` and `A start end|||…`)")
    by_phrase: dict[str, list[str]] = {}
    for right, wrong in sorted(counts, key=lambda pair: (-counts[pair], pair)):
        by_phrase.setdefault(right, []).append(wrong)
    names = ", ".join(path.name for path in files)
    info = PartInfo(f"grammar errors ({names}: {len(counts):,})", "", "as its publisher states", digest_of(files))
    longest = max(phrase.count(" ") + 1 for phrase in by_phrase)
    return LearnerErrors(info, {phrase: tuple(wrong) for phrase, wrong in by_phrase.items()}, longest)


def _real_words(counts: Counter[Pair]) -> Counter[Pair]:
    """Without what is misspelt: words that never stand in a correction, where editors wrote only real ones."""
    real = {word for right, _ in counts for word in right.split()}
    return Counter({pair: count for pair, count in counts.items() if real.issuperset(pair[1].split())})


def read_m2(path: Path) -> Iterator[Pair]:
    """Replacements of at most three words by at most three; insertions, deletions, spelling, names and the
    choice of words are left out."""
    words: list[str] = []
    for line in path.read_text("utf-8", "replace").splitlines():
        if line.startswith("S "):
            words = line[2:].split()
        elif line.startswith("A "):
            yield from _corrected(words, line[2:].split("|||"))


def _corrected(words: list[str], fields: list[str]) -> Iterator[Pair]:
    span = fields[0].split()
    if len(fields) < 3 or len(span) != 2 or fields[1].strip("#") in _NO_GRAMMAR:
        return
    start, end = (int(number) if number.isdecimal() and len(number) < 10 else -1 for number in span)
    wrong, right = words[max(start, 0) : max(end, 0)], fields[2].split("||")[0].split()
    if not (0 < len(wrong) <= MOST_WORDS and 0 < len(right) <= MOST_WORDS):
        return
    letters = all(word.replace("'", "").isalpha() and word == word.lower() for word in (*wrong, *right))
    if letters and wrong != right:
        yield normalised(" ".join(right)), normalised(" ".join(wrong))
