"""The part `paraphrases`: a lexicon of words and phrases that say the same, in the forms of PPDB."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from botattack.errors import MissingPart
from botattack.protocols import PartInfo
from botattack.text.parts.installed import digest_of, named_files
from botattack.text.tokens import normalised

VARIABLE = "BOTATTACK_PARAPHRASES"
"""Files and folders of lexicons, separated as in PATH."""
RESOURCE = "paraphrases"
SUFFIXES = (".txt", ".gz", ".tsv", ".uniquepairs", "-s-all", "-s-lexical", "-s-phrasal")

_SAME = ("Equivalence", "")
"""Entailments of PPDB 2.0 under which a pair says the same; 1.0 names none."""

Pairs = Iterator[tuple[str, str]]


@dataclass(frozen=True)
class Paraphrases:
    """Paraphrases by word or phrase (lower case), and pairs of words known to be opposites."""

    info: PartInfo
    by_phrase: dict[str, tuple[str, ...]] = field(repr=False)
    opposites: dict[str, tuple[str, ...]] = field(repr=False)
    longest: int = 1
    """Words of the longest phrase that has paraphrases."""

    def of(self, phrase: str) -> tuple[str, ...]:
        """What says the same, in the order of the files; never what another file calls its opposite."""
        return self.by_phrase.get(normalised(phrase), ())

    def antonyms(self, word: str) -> tuple[str, ...]:
        return self.opposites.get(normalised(word), ())

    def __hash__(self) -> int:
        return hash(self.info)


def load() -> Paraphrases:
    """The lexicons of BOTATTACK_PARAPHRASES, else those fetched by `botattack resources get paraphrases`.

    A file contains lines of PPDB (`[X] ||| phrase ||| paraphrase ||| …`, gzipped or not; of version 2.0 only what it
    marks as equivalent), or two words a line, both ways round. A file with `antonym` in its name holds opposites.
    Raises MissingPart if there is none, or one cannot be read."""
    missing = (
        "there is no lexicon of paraphrases: botattack resources get paraphrases, "
        f"or set {VARIABLE} to files in the form of PPDB"
    )
    files = named_files(VARIABLE, RESOURCE, missing, SUFFIXES)
    same, other = (
        _by_phrase(pair for path in files if ("antonym" in path.name) is kind for pair in _pairs(path))
        for kind in (False, True)
    )
    if not same:
        raise MissingPart(missing)
    for phrase, opposites in other.items():
        if phrase in same:
            same[phrase] = tuple(word for word in same[phrase] if word not in opposites)
    longest = max(phrase.count(" ") + 1 for phrase in same)
    names = ", ".join(path.name for path in files)
    info = PartInfo(f"paraphrases ({names}: {len(same):,} phrases)", "", "as its publisher states", digest_of(files))
    return Paraphrases(info, same, other, longest)


def _by_phrase(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for one, other in pairs:
        if one and other and one != other:
            found.setdefault(one, {})[other] = None
    return {phrase: tuple(others) for phrase, others in found.items()}


def _pairs(path: Path) -> Pairs:
    try:
        raw = path.read_bytes()
        lines = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8").splitlines()
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise MissingPart(f"{path} cannot be read as a lexicon of paraphrases: {error}") from None
    for line in lines:
        if "|||" in line:
            yield from _ppdb(line)
        else:
            words = line.split("\t") if "\t" in line else line.split()
            if len(words) == 2:
                yield normalised(words[0]), normalised(words[1])
                yield normalised(words[1]), normalised(words[0])


def _ppdb(line: str) -> Pairs:
    fields = [part.strip() for part in line.split("|||")]
    entailment = fields[5] if len(fields) > 5 else ""
    if len(fields) >= 3 and entailment in _SAME and "[" not in fields[1] + fields[2]:
        yield normalised(fields[1]), normalised(fields[2])
