"""A Persian question altered, a fake answer, and both as a statement (Persian QA, "AddSent"). Pure; Persian."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import NamedTuple

from botattack.attacks.building.parsed import ENDS
from botattack.attacks.fakes.answers import shortest_gold
from botattack.attacks.persian.names import lexicon, plain
from botattack.attacks.persian.statements import asking_span
from botattack.model import Question, Token
from botattack.text.languages import language
from botattack.text.tokens import Word, words

_LONGEST_NAME = 5
_LONGEST_WHOLE = 3
"""Words of an answer that is taken for one name if a name is asked for."""
_LONGEST_ANSWER = 5
"""Words of an answer of which one is exchanged; of more, that makes no sense."""
_TIES = frozenset(("می", "نمی", "ترین", "تر"))
"""What is behind a part of a verb or of an adjective."""
_ENDINGS = ("\u200cهای", "\u200cها", "\u200cهایی", "\u200cی")
_DIGITS = re.compile(r"\d+(?:[٬,.٫/]\d+)*")
_ZEROS = "0۰٠"
"""The zeros of the digits that a text may have; the nine after each follow it in Unicode."""
_LATEST = 2020
_ORDINALS = ("اول", "دوم", "سوم")


class Change(NamedTuple):
    """What stands in place of a stretch of a text; `kind` is the rule."""

    start: int
    end: int
    after: str
    kind: str


def changed(text: str, change: Change) -> str:
    """The text with one change."""
    return text[: change.start] + change.after + text[change.end :]


def alterations(question: Question, tokens: Sequence[Token], rng: Random) -> list[Change]:
    """What may be altered in a question, the first first: a name, as another of its type; where it has none, a word
    as another of its kind; else a noun or an adjective as another. Nothing that asks is altered, and no gold answer.
    """
    text = question.text
    span = asking_span(text)
    if not span:
        return []
    taken = _said(question)
    golds = {plain(answer.text) for answer in question.answers}
    last = len(text.rstrip(ENDS + " "))  # the last word is most often a verb, whatever a small parser says

    def free(change: Change) -> bool:
        outside = change.end <= span[0] or span[1] <= change.start < change.end < last
        return outside and plain(text[change.start : change.end]) not in golds and not _is_in(change.after, taken)

    for found in (_names(text, tokens, rng), _kin(text, rng), _others(tokens, rng)):
        fitting: dict[int, Change] = {}
        for change in filter(free, found):
            fitting.setdefault(change.start, change)
        if fitting:
            return rng.sample(list(fitting.values()), len(fitting))
    return []


def fake_answer(question: Question, parsed: Sequence[Token], rng: Random, beside: str = "") -> str:
    """Another answer of the kind of the shortest gold answer, which no text of the question says, nor that which it
    will stand `beside`; "" without one."""
    gold, taken = shortest_gold(question), f"{_said(question)} {plain(beside)}"
    others = (other for other in _candidates(question, gold, parsed, rng) if plain(other) != plain(gold))
    return next((other for other in others if not _is_in(other, taken)), "")


def _said(question: Question) -> str:
    return plain(" ".join((question.text, *question.passages, *(answer.text for answer in question.answers))))


def _is_in(text: str, said: str) -> bool:
    return f" {plain(text)} " in f" {said} "


def _candidates(question: Question, gold: str, parsed: Sequence[Token], rng: Random) -> Iterator[str]:
    if _DIGITS.search(gold):
        yield from (_shifted(gold, rng) for _ in range(4))
        return
    if numbers := [change for _ in range(4) for change in _number_words(gold, rng)]:
        yield from (changed(gold, change) for change in numbers)
    known, inside = lexicon(), _within(gold, parsed)
    asked = _asked_for(question.text)
    whole = known.kind.get(plain(gold)) or (asked if len(gold.split()) <= _LONGEST_WHOLE else "")
    parts = [changed(gold, change) for change in _names(gold, inside, rng)]
    names = {kind: rng.sample(known.names[kind], len(known.names[kind])) for kind in (whole, asked) if kind}
    yield from (*names.get(whole, ()), *parts, *names.get(asked, ()))
    if len(gold.split()) <= _LONGEST_ANSWER:
        yield from (changed(gold, change) for change in (*_kin(gold, rng), *_others(inside, rng)))


def _asked_for(text: str) -> str:
    """The type of name that the words that ask say, the word behind them, or the first of the question."""
    span = asking_span(text) or (0, 0)
    behind = [word for word in words(text) if word.start >= span[1]][:1]
    near = [*words(text[slice(*span)]), *behind, *[word for word in words(text) if not behind][:2]]
    return next((kind for word in near if (kind := lexicon().asked.get(plain(word.text)))), "")


def _within(gold: str, parsed: Sequence[Token]) -> list[Token]:
    """The tokens of an answer, with places in its own text."""
    found, end = [], 0
    for token in parsed:
        start = gold.find(token.text, end)
        if start >= 0:
            found.append(Token(token.text, start, pos=token.pos, relation=token.relation))
            end = start + len(token.text)
    return found


def _names(text: str, tokens: Sequence[Token], rng: Random) -> Iterator[Change]:
    """Names whose type is known by the lexicon, by the word before or by a given name; each as one other."""
    known, found = lexicon(), list(words(text))
    pos = {token.start: token.pos for token in tokens}
    at = 0
    while at < len(found):
        size, kind = _name_at(text, found, at, pos)
        if kind:
            start, end = found[at].start, found[at + size - 1].end
            others = known.names[kind]
            yield from (Change(start, end, other, "name") for other in rng.sample(others, min(5, len(others))))
        at += max(1, size)


def _name_at(text: str, found: Sequence[Word], at: int, pos: dict[int, str]) -> tuple[int, str]:
    """How many words the name that starts here has, and its type; none if no name is known to."""
    known = lexicon()
    for size in range(min(_LONGEST_NAME, len(found) - at), 0, -1):
        kind = known.kind.get(plain(text[found[at].start : found[at + size - 1].end]))
        if kind:
            longer = at + size < len(found) and pos.get(found[at + size].start) == "PROPN"
            return (size, "" if longer and size == 1 else kind)
    run = 0
    while at + run < len(found) and run < _LONGEST_NAME and pos.get(found[at + run].start) == "PROPN":
        run += 1
    if plain(found[at].text) in known.given:
        return max(1, run), "PERSON"
    return run, known.cues.get(plain(found[at - 1].text), "") if run and at else ""


def _kin(text: str, rng: Random) -> Iterator[Change]:
    for word in words(text):
        stem, ending = _stem(word.text)
        others = lexicon().kin.get(plain(stem), ())
        for other in rng.sample(others, len(others)):
            yield Change(word.start, word.end, other + ending, "kin")


def _others(tokens: Iterable[Token], rng: Random) -> Iterator[Change]:
    """Nouns and adjectives, each as another; parts of verbs stay."""
    known, stops = lexicon(), language("fa").function_words
    listed = list(tokens)
    for token, behind in zip_longest(listed, listed[1:]):
        pool = {"NOUN": known.nouns, "ADJ": known.adjectives}.get(token.pos, ())
        stem, ending = _stem(token.text)
        ties = behind is not None and (behind.pos in ("VERB", "AUX") or behind.text in _TIES)
        fixed = plain(stem) in known.never or token.text in stops or token.relation.startswith("compound")
        if pool and len(stem) > 2 and not ties and not fixed:
            yield Change(token.start, token.start + len(token.text), rng.choice(pool) + ending, token.pos.lower())


def _stem(word: str) -> tuple[str, str]:
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    return word.removesuffix(ending), ending


def _number_words(text: str, rng: Random) -> Iterator[Change]:
    """Number words, each as another of its size; months as other months."""
    vocabulary = language("fa")
    for word in words(text):
        said = plain(word.text)
        for row in (vocabulary.numbers, vocabulary.months):
            if said in row and said not in ("یک", *_ORDINALS):
                size = len(str(row[said]))
                unfit = (said, "صفر", "یک", *_ORDINALS)
                others = [other for other in row if len(str(row[other])) == size and other not in unfit]
                yield Change(word.start, word.end, rng.choice(others), "number")


def _shifted(text: str, rng: Random) -> str:
    """A text with other numbers; all years move alike, and digits stay those of their script."""
    far = rng.choice([-1, 1]) * rng.randint(3, 40)
    return _DIGITS.sub(lambda match: _other_number(match[0], far, rng), text)


def _other_number(text: str, years: int, rng: Random) -> str:
    zero = next((zero for zero in _ZEROS if zero <= text[0] <= chr(ord(zero) + 9)), "0")
    runs = re.findall(r"\d+|\D", text)
    value = int(runs[0])
    if len(runs) == 1 and 1000 <= value <= 2100:
        other = value - abs(years) if value + years > _LATEST else value + years
    else:
        other = value + max(1, value * rng.randint(10, 50) // 100)
    digits = "".join(chr(ord(zero) + int(digit)) for digit in str(other))
    return "".join((digits, *runs[1:]))
