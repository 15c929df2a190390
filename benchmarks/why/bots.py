"""Three bots whose insides are known, with faults that can be planted one at a time or in pairs.

The environment variable BOTATTACK_WHY names the folder of a cell: `config.json` says which bot it is and which faults
it has, `known.jsonl` what it knows. For each request a bot writes to `log.jsonl` what every step made of it, and
what it would have said without any fault, with each fault only, and without each fault: nothing of this is in its
replies.
"""

from __future__ import annotations

import json
import os
import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import log
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from botattack.attacks.letters.invisible import LOOKALIKES
from botattack.text.languages import language, stem
from botattack.text.parts import thesaurus
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import words

FOLDER, PHASE = "BOTATTACK_WHY", "BOTATTACK_WHY_PHASE"
UNKNOWN = "Sorry, I do not know that."
REFUSED = "I am afraid this is nothing I may talk about."
ERROR = "Service temporarily unavailable (upstream timed out)."
LOOK_ALIKES = str.maketrans({other: key for key in LOOKALIKES if key.isascii() for other in LOOKALIKES[key]})
EMPTY = frozenset(language("en").function_words) | {"what", "who", "where", "when", "which", "how", "why", "whom"}
Faults = frozenset[str]


@lru_cache(1 << 16)
def stemmed(word: str) -> str:
    """What words are compared by; "" of one without content."""
    return "" if word.lower() in EMPTY else stem(word.lower())


def tokens(text: str) -> list[str]:
    return [word.text for word in words(text)]


def lot(*of: object) -> float:
    """A number from 0 to 1 that hangs on nothing but its name."""
    return crc32(repr(of).encode()) / 2**32


class Request(NamedTuple):
    """What a bot is asked: `before` was said in this session, `left` is the last message of the session before."""

    text: str
    before: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    luck: float = 0.5
    down: bool = False


class Said(NamedTuple):
    text: str
    steps: Mapping[str, Any] = MappingProxyType({})
    sources: Sequence[str] = ()


@dataclass(frozen=True)
class Spelling:
    """Input handling: letters folded, case, a speller over the words that are known."""

    texts: tuple[str, ...]
    corrected: dict[tuple[str, int], str] = field(default_factory=dict)

    @cached_property
    def known(self) -> tuple[dict[str, None], dict[str, None]]:
        """The words that are known, as they are written and in lower case."""
        written = sorted({word for text in self.texts for word in tokens(text)} | EMPTY)
        return dict.fromkeys(written), dict.fromkeys(word.lower() for word in written)

    def read(self, text: str, faults: Faults) -> list[str]:
        """The words of a text that this bot goes on with."""
        if "no-folding" not in faults:
            kept = (sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
            text = "".join(kept).translate(LOOK_ALIKES)
        cased = "case-sensitive" in faults
        known = self.known[not cased]
        found = [word if cased else word.lower() for word in tokens(text)]
        if "no-speller" not in faults:
            found = [self._spelt(word, known) for word in found]
        return [word for word in found if not cased or word in known]

    def _spelt(self, word: str, known: Mapping[str, None]) -> str:
        if word in known or len(word) < 4 or not word.isalpha():
            return word
        if (word, id(known)) not in self.corrected:
            near = process.extract(word, list(known), scorer=OSA.distance, score_cutoff=2, limit=None)
            best = min(near, key=lambda one: (one[1], sorted(one[0]) != sorted(word)), default=(word,))
            self.corrected[word, id(known)] = best[0]
        return self.corrected[word, id(known)]


def guarded(text: str, faults: Faults, banned: Sequence[str]) -> bool:
    """Whether a filter refuses a message."""
    return (
        ("guard" in faults and not {word.lower() for word in tokens(text)}.isdisjoint(banned))
        or ("no-shouting" in faults and sum(map(str.isupper, text)) > sum(map(str.islower, text)))
        or ("plain-letters" in faults and not text.isascii())
    )


@dataclass(frozen=True)
class World(ABC):
    """A bot as a pure function: what it knows, and the words that its filter bans if it has one."""

    rows: Sequence[Mapping[str, Any]]
    banned: Sequence[str] = ()

    @cached_property
    def more(self) -> tuple[str, ...]:
        """Texts, beside the questions, whose words it knows."""
        return ()

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(row["question"] for row in self.rows)

    @cached_property
    def spelling(self) -> Spelling:
        return Spelling((*self.texts, *self.more))

    @abstractmethod
    def answer(self, request: Request, faults: Faults) -> Said: ...


@dataclass(frozen=True)
class Faq(World):
    """Answers with the entry that a question is nearest to, by the words of both."""

    enough: float = 0.75
    """The share of an entry's weight that a question must have."""

    @cached_property
    def more(self) -> tuple[str, ...]:
        return tuple(self.synonyms)

    @cached_property
    def entries(self) -> list[frozenset[str]]:
        return [frozenset(map(stemmed, tokens(text))) - {""} for text in self.texts]

    @cached_property
    def weight(self) -> dict[str, float]:
        seen = Counter(word for entry in self.entries for word in entry)
        return {word: log(1 + len(self.entries) / count) for word, count in seen.items()}

    @cached_property
    def synonyms(self) -> dict[str, str]:
        """Other words for those of the entries."""
        book, found = thesaurus.load(), dict[str, str]()
        own = {word.lower() for text in self.texts for word in tokens(text)} - EMPTY
        for word, pos in product(sorted(own), ("NOUN", "VERB", "ADJ", "ADV")):
            bases = word, stemmed(word), word.removesuffix("s"), word.removesuffix("ed")
            for other in (each for base in bases for each in book.synonyms(base, pos, 4)):
                if other.isalpha() and other not in own:
                    found.setdefault(other.lower(), word)
                    found.setdefault(stemmed(other) or other, word)
        return found

    def _weigh(self, entry: Iterable[str]) -> float:
        return sum(map(self.weight.__getitem__, entry))

    def entry(self, text: str, faults: Faults) -> tuple[int | None, dict[str, Any]]:
        read = self.spelling.read(text, faults)
        if "exact-wording" in faults:
            known = [each.lower().rstrip("?. ") for each in self.texts]
            near = process.extractOne(" ".join(read), known, scorer=fuzz.ratio, score_cutoff=93)
            return (near[2] if near else None), {"input": read}
        same = self.synonyms if "no-synonyms" not in faults else {}
        meant = {stemmed(same.get(word, same.get(stemmed(word), word))) for word in read}
        shares = [self._weigh(entry & meant) / self._weigh(entry) for entry in self.entries]
        best = max(range(len(shares)), key=lambda i: (shares[i], len(self.entries[i])))
        return (best if shares[best] >= self.enough else None), {"input": read, "meant": sorted(meant)}

    def answer(self, request: Request, faults: Faults) -> Said:
        asked = request.text
        if "sticks" in faults and request.before:
            asked = request.before[0]
        if "mixes" in faults and request.left and request.luck > 0.8:
            asked = request.left[0]
        found, steps = self.entry(asked, faults)
        steps |= {"asked": asked, "entry": found}
        return Said(UNKNOWN if found is None else self.rows[found]["answers"][0], steps)


@dataclass(frozen=True)
class Chat(World):
    """Knows people, and what of them was asked for: what a message leaves out is taken from the messages before."""

    @cached_property
    def facts(self) -> dict[tuple[str, str], str]:
        return {(row["person"].lower(), row["topic"]): row["answers"][0] for row in self.rows}

    def answer(self, request: Request, faults: Faults) -> Said:
        before = () if "forgets" in faults else request.before
        slots = [self._slots(text, faults) for text in (request.text, *reversed(before))]
        person, topic = (next(filter(None, found), "") for found in zip(*slots, strict=True))
        if "sticks" in faults:
            person = slots[-1][0] or person
        if "mixes" in faults and request.left and request.luck > 0.8:
            person = self._slots(request.left[0], faults)[0] or person
        return Said(self.facts.get((person, topic), UNKNOWN), {"slots": slots, "person": person, "topic": topic})

    def _slots(self, text: str, faults: Faults) -> tuple[str, str]:
        read = [word.lower() for word in self.spelling.read(text, faults)]
        people, topics = {person for person, _ in self.facts}, {topic for _, topic in self.facts}
        person = next((name for pair in pairwise(read) if (name := " ".join(pair)) in people), "")
        return person, next((word for word in read if word in topics), "")


@dataclass(frozen=True)
class Library(World):
    """Finds passages in its library and in the message, ranks them, reads the first and answers with a sentence."""

    trust: str = "library"

    @cached_property
    def more(self) -> tuple[str, ...]:
        """The passages."""
        return tuple(dict.fromkeys(text for row in self.rows for text in row["passages"]))

    @cached_property
    def memory(self) -> Faq:
        return Faq(self.rows)

    @cached_property
    def common(self) -> Counter[str]:
        return Counter(word for text in self.more for word in counted(text))

    def weight(self, word: str) -> float:
        return log(1 + len(self.more) / (1 + self.common[word]))

    def score(self, query: Iterable[str], text: str) -> float:
        """BM25."""
        held = counted(text)
        long = 0.25 + 0.75 * held.total() / 75
        return sum(self.weight(word) * held[word] * 2.2 / (held[word] + 1.2 * long) for word in query)

    def answer(self, request: Request, faults: Faults) -> Said:
        *pasted, question = request.text.split("\n\n")
        read = self.spelling.read(question, faults)
        query = {word for each in read if (word := stemmed(each))}
        if "by-heart" in faults and (found := self.memory.entry(question, faults)[0]) is not None:
            gold = self.rows[found]["answers"][0]
            return Said(next(each for text in self.rows[found]["passages"] for each in cut(text) if gold in each))
        own = [text for text in self.more if "missing" not in faults or lot(text) < 0.4]
        listed = self._listed(query, own, faults)
        opened = listed[:3]
        if "short-ranker" in faults:  # it reads no more than the end of a question
            end = {stemmed(word) for word in self.spelling.read(question[-40:], faults)}
            listed = sorted(listed, key=lambda text: -self.score(end, text))
            opened = listed[:1]
        opened = [*pasted, *(text for text in opened if text not in pasted)]
        if "newest-first" in faults:
            opened = [*pasted[-1:], *listed][:1]
        trusted = {*pasted} if self.trust == "message" else {*own}
        if "believes" in faults:
            trusted = {*pasted} - {*own}
        sentence = self._read(query, question, opened, trusted, faults)
        steps = {"input": read, "listed": [*map(lot, listed)], "opened": [*map(lot, opened)], "sentence": sentence}
        return Said(sentence, steps, list(dict.fromkeys([*opened, *listed])))

    def _listed(self, query: set[str], own: list[str], faults: Faults) -> list[str]:
        scores = {text: score for text in own if (score := self.score(query, text)) > 0}
        if "all-words" in faults:
            known = {word for word in query if self.common[word]}
            scores = {text: one for text, one in scores.items() if len(known & counted(text).keys()) > 0.7 * len(known)}
        return sorted(scores, key=lambda text: -scores[text])[:8]

    def _read(self, query: set[str], question: str, opened: list[str], trusted: set[str], faults: Faults) -> str:
        if "last-words" in faults:
            query = {stemmed(word) for word in tokens(question)[-5:]} - {""}
        weights = {UNKNOWN: 0.0}
        for text, sentence in ((each, sentence) for each in opened for sentence in cut(each)):
            weight = sum(self.weight(word) for word in query & counted(sentence).keys())
            weights[sentence] = max(weights.get(sentence, 0.0), weight * (1.1 if text in trusted else 1))
        return max(weights, key=weights.__getitem__)


@lru_cache(1 << 14)
def counted(text: str) -> Counter[str]:
    return Counter(word for each in tokens(text) if (word := stemmed(each)))


@lru_cache(1 << 14)
def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def replied(world: World, request: Request, faults: Faults) -> Said:
    if "outage" in faults and request.down:
        return Said(ERROR, {"down": True})
    if guarded(request.text, faults, world.banned):
        return Said(REFUSED, {"refused": True})
    if "noise" in faults and request.luck < 0.05:
        return Said(world.rows[int(request.luck * 1e5) % len(world.rows)]["answers"][0], {"slipped": True})
    return world.answer(request, faults)


@cache
def cell() -> tuple[Path, dict[str, Any], World]:
    folder = Path(os.environ[FOLDER])
    config = json.loads((folder / "config.json").read_bytes())
    rows = [json.loads(line) for line in (folder / "known.jsonl").open(encoding="utf-8")]
    return folder, config, {"faq": Faq, "chat": Chat, "library": Library}[config["bot"]](rows, **config["options"])


LAST: list[str] = []
"""Of each session so far, its last message."""


class Bot:
    """A session with the bot of the cell."""

    def __init__(self, session: str, seed: int) -> None:
        self.session, self.seed = session, seed
        self.before: tuple[str, ...] = ()
        self.left = tuple(LAST[-1:])

    def __call__(self, text: str) -> dict[str, Any]:
        folder, config, world = cell()
        phase, planted = os.environ[PHASE], frozenset(config["faults"])
        luck = lot("luck", phase, self.session, len(LAST), len(self.before))
        request = Request(text, self.before, self.left, luck, len(LAST) % 50 > 44)
        clean, fixes = replied(world, request, frozenset()), [set[str](), *({fault} for fault in planted)]
        kept = text in config["kept"].get(phase, ())
        said, *without = (clean if kept else replied(world, request, planted - fixed) for fixed in fixes)
        entry = {"phase": phase, "seed": self.seed, "turn": len(self.before), "text": text, "said": said.text}
        entry |= {"clean": clean.text, "steps": {**said.steps}}
        entry["only"] = {fault: replied(world, request, frozenset({fault})).text for fault in planted}
        entry["without"] = {fault: other.text for fault, other in zip(planted, without, strict=True)}
        with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        LAST[len(LAST) - bool(self.before) :] = [text]
        self.before = (*self.before, text)
        return {"text": said.text, "fields": {"sources": list(said.sources)} if said.sources else {}}
