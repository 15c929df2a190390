"""How people say the same: contractions, fillers, words that sound alike. Pure; the last in English alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import SIGNS, SPELLING
from botattack.attacks.building.combinations import Option, Slot
from botattack.attacks.building.drafting import Drafting, Drafts
from botattack.attacks.building.guard import KEPT, Draft, Edits, Judgement
from botattack.attacks.building.listing import Judge, Listing, Slots
from botattack.attacks.building.parsed import ENDS, WHITE
from botattack.attacks.building.plain_words import single, word_tokens
from botattack.attacks.building.recovering import PART, Reader
from botattack.model import Edit
from botattack.options import Count
from botattack.protocols import ENGLISH, Context
from botattack.text.folding import folded
from botattack.text.languages import codes, having, language
from botattack.text.tokens import match_case
from botattack.text.word_lists import contractions, word_groups, word_tuple


@dataclass(frozen=True)
class Contraction(Listing):
    """Writes "what is" as "what's" and "whats", and "don't" as "do not" and "dont".

    Users type such questions every day; it is not from a paper.

    Other languages contract and elide as well: "auf das" and "aufs", "est-ce que" and "est ce que", "por qué" and "xq".

    Decided here: "'s" is written out as "is" and "'d" as "would"; meaning is unsure there, for they can mean
    "has" and "had".
    """

    name: ClassVar[str] = "contraction"
    plain: ClassVar[str] = "Contractions"
    advice: ClassVar[str] = SIGNS.format("short forms")

    combine: Count | None = None
    bare: bool = True
    """Also without the apostrophe."""

    @property
    def languages(self) -> frozenset[str] | None:
        return frozenset(code for code in codes() if contractions(code))

    def slots(self, context: Context, rng: Random) -> Slots:
        yield from ()
        return list(self._listed(context.question.text, context.question.language))

    def _listed(self, text: str, code: str) -> Iterator[Slot]:
        for match in _forms(code).finditer(text):
            found, start = match.group(), match.start()
            form = re.sub(r"\s+", " ", found.lower().replace("’", "'"))
            short = contractions(code).get(form)
            others = {short: "contracted"} if short else dict.fromkeys(_written_out(code).get(form, ()), "full")
            if self.bare and len(bare := (short or form).replace("'", "")) > 2 and bare not in _real(code):
                others.setdefault(bare, "bare")
            options: list[Option] = []
            for other, kind in others.items():
                after = other[:1].upper() + other[1:] if found[:1].isupper() else other
                options.append(single(start, found, after, kind))
            yield options

    def judge(self, edits: Edits) -> Judgement:
        open_ = [edit for edit in edits if edit.kind == "full" and edit.before.lower()[-2:] in ("'s", "’s", "'d", "’d")]
        return ("unsure", f"{open_[0].before!r} can mean two things") if open_ else KEPT


@cache
def _real(code: str) -> frozenset[str]:
    """What is another word without its apostrophe."""
    return frozenset(word_tuple("everyday.real", code))


@cache
def _written_out(code: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for full, short in contractions(code).items():
        found.setdefault(short, []).append(full)
    return found


@cache
def _forms(code: str) -> re.Pattern[str]:
    forms = sorted({*contractions(code), *contractions(code).values()}, key=len, reverse=True)
    either = "|".join(re.escape(form).replace(r"\ ", r"\s+").replace("'", "['’]") for form in forms)
    return re.compile(rf"(?<![\w'’])(?:{either})(?![\w'’])", re.IGNORECASE)


@dataclass(frozen=True)
class Filler(Drafting):
    """Says something before or after the question that adds nothing to it: "um, …", "… please", "… , thanks".

    Users type such questions every day; it is not from a paper. Nothing of the question itself changes.
    """

    name: ClassVar[str] = "filler"
    plain: ClassVar[str] = "Filler words"
    advice: ClassVar[str] = SIGNS.format("filler words")

    @property
    def languages(self) -> frozenset[str] | None:
        return having("said_before", "said_after")

    def drafts(self, context: Context, rng: Random) -> Drafts:
        yield from ()
        question = context.question
        spoken = language(question.language)
        start = len(question.text) - len(question.text.lstrip())
        # French has a space before its mark, which stays with it.
        end = len(question.text.rstrip(ENDS + WHITE))
        said = _words(question.text)
        before = [Edit(start, "", filler, "before") for filler in spoken.said_before if not _words(filler) <= said]
        after = [Edit(end, "", filler, "after") for filler in spoken.said_after if not _words(filler) <= said]
        pairs = [(one, other) for one in before for other in after]
        pairs = [(one, other) for one, other in pairs if _words(one.after) != _words(other.after)]
        return [Draft(edits) for edits in [*((edit,) for edit in (*before, *after)), *pairs]] if start < end else []


def _words(text: str) -> set[str]:
    return {folded(word) for word in re.findall(r"\w+", text)}


@dataclass(frozen=True)
class Homophone(Listing):
    """Writes a word as one that sounds alike: "there" for "their", "write" for "right".

    Users type such questions every day; it is not from a paper.

    Decided here: meaning is kept for the pairs that writers mix up so often that a reader sees past it (their/there,
    your/you're, who's/whose, to/too, than/then …), and for a word that is another thing (capital/capitol) only if the
    words next to it make clear which one was meant.
    """

    name: ClassVar[str] = "homophone"
    plain: ClassVar[str] = "Words that sound alike"
    advice: ClassVar[str] = SPELLING
    languages: ClassVar[frozenset[str] | None] = ENGLISH
    uses: ClassVar[tuple[str, ...]] = (PART,)

    def slots(self, context: Context, rng: Random) -> Slots:
        yield from ()
        alike = _alike()
        return [
            [single(word.start, word.text, match_case(word.text, other), kind, word) for other, kind in others]
            for word in word_tokens(context.question.text)
            if (others := alike.get(word.text.lower().replace("’", "'")))
        ]

    def judge_of(self, context: Context) -> Judge:
        reader = Reader(context.question, context.parts[PART])

        def judge(edits: Edits) -> Judgement:
            others = tuple(edit for edit in edits if edit.kind == "homophone")
            return reader.judge(others) if others else KEPT

        return judge


@cache
def _alike() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for groups, kind in (
        (word_groups("everyday.confused"), "confused"),
        (word_groups("everyday.homophones"), "homophone"),
    ):
        for group in groups:
            for word in group:
                known = {other for other, _ in found.get(word, ())}
                others = [(other, kind) for other in group if other != word and other not in known]
                found.setdefault(word, []).extend(others)
    return found
