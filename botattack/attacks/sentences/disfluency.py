"""Questions as people dictate them: begun again, corrected, words said twice, fillers (Disfl-QA). Pure; English,
fillers and repetitions in more languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal, NamedTuple

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.drafting import TRIES, Drafting, Drafts
from botattack.attacks.building.drawn_rows import WithOthers
from botattack.attacks.building.guard import Draft, Edits
from botattack.attacks.building.parsed import ENDS, WHITE, entities_of
from botattack.attacks.building.plain_words import word_tokens
from botattack.attacks.fakes.names import fake_names, known_kind
from botattack.attacks.passages.reading import holding
from botattack.model import Edit, Need, Question, Token
from botattack.options import Some
from botattack.protocols import Context
from botattack.text.languages import having, language
from botattack.text.sentences import sentence_spans
from botattack.text.word_lists import function_words, grammar_words, word_groups

Form = Literal["restart", "correction", "late-correction", "repetition", "filler"]
SHARES: Mapping[Form, int] = {"restart": 38, "correction": 49, "late-correction": 11, "repetition": 1, "filler": 1}
"""How often each is said, in percent, in the training half of Disfl-QA."""
_LOOKED_AT = 6
"""Other questions of the set that are read for a question: each costs a parse."""
_LONGEST = 5
"""Words of a false start."""
_ORDERS = ("show me the", "tell me the", "give me the", "find the", "list the", "name the")
"""False starts of a command, for files without another command."""


class Slip(NamedTuple):
    """Words of a question, by their characters, and what may be said for them by mistake."""

    start: int
    end: int
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class Disfluency(WithOthers, Drafting):
    """Asks as people speak: a question begun again, a wrong word corrected, words said twice, a filler (Disfl-QA, Gupta
    et al. 2021, section 3).

    "How many times did plague occur in Venice?" becomes "How many times did plague occur in Paris no sorry Venice?".
    What is asked stays the same: a reader knows which words are meant. Without the wrong words, the words between and
    the repeated words, the question is the original one.

    A `restart` is the beginning of another question of the set, which the speaker drops; of a command, that of another
    command. A `correction` follows the wrong words at once, a `late-correction` after the rest of the question. Wrong
    words are neighbours of the same kind, from the passage that has the answer and from other questions: a name for a
    name of the same type, a number for a number, a noun for a noun in the same place of its sentence; or they are words
    that questions share (first/last, north/south). None has a gold answer in it. A `repetition` says words twice; a
    `filler` adds an "uh".

    Decided here: the paper's questions were written by people, so the rules are ours, and each form is drawn as often
    as people use it (38 % restarts, 49 % corrections, 11 % late ones, 1 % each of the others); what a question has not
    is left out. German, French, Spanish and Persian have fillers and repetitions.
    """

    name: ClassVar[str] = "disfluency"
    plain: ClassVar[str] = "Spoken slips and restarts"
    advice: ClassVar[str] = WORDINGS
    uses: ClassVar[tuple[str, ...]] = ("parse",)
    typed: ClassVar[bool] = False
    drawn: ClassVar[bool] = True

    forms: Some[Form] = ("restart", "correction", "late-correction", "repetition", "filler")
    """Which forms to use."""

    @property
    def languages(self) -> frozenset[str] | None:
        return having("hesitations")

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        if not language(question.language).interregna:
            return self._drawn(question, [], [], rng)
        others = self._others(question, rng)
        passages = [question.passages[holding(question)]] if question.passages else []
        texts = [question.text, *others[:_LOOKED_AT], *passages]
        parsed = yield [Need("parse", {"text": text, "lang": question.lang, "entities": True}) for text in texts]
        slips = slips_of(question, list(zip(texts, parsed, strict=True)))
        asked = [text[start:end] for text in passages for start, end in sentence_spans(text) if text[end - 1] == "?"]
        return self._drawn(question, starts_of(question, [*others, *asked]), slips, rng)

    def _others(self, question: Question, rng: Random) -> list[str]:
        pool = self.others
        drawn = (pool[i] for i in rng.sample(range(len(pool)), min(8 * _LOOKED_AT, len(pool))))
        return [each.text for each in drawn if each.text != question.text and each.language == question.language]

    def _drawn(self, question: Question, starts: Sequence[str], slips: Sequence[Slip], rng: Random) -> Iterator[Draft]:
        text = question.text
        late = [slip for slip in slips if slip.end < _end(text)]
        words = word_tokens(text)
        has: Mapping[Form, Sequence[Slip | Token | str]] = {
            "restart": starts,
            "correction": slips,
            "late-correction": late,
            "repetition": words,
            "filler": words[:-1],
        }
        forms = [form for form in self.forms if has[form]]
        for _ in range(TRIES * self.per_question if forms else 0):
            (form,) = rng.choices(forms, [SHARES[form] for form in forms])
            yield Draft(_edits(question, form, rng.choice(has[form]), rng))


def _edits(question: Question, form: Form, one: Slip | Token | str, rng: Random) -> Edits:
    text, spoken = question.text, language(question.language)
    if isinstance(one, Token):
        said = rng.choice(("", *spoken.hesitations) if form == "repetition" else spoken.hesitations)
        again = _within(one.text) if form == "repetition" else ""
        return (Edit(one.end, "", "".join(f" {part}" for part in (said, again) if part), form),)
    between = rng.choice(spoken.interregna)
    if isinstance(one, str):
        first = word_tokens(text)[0]
        start = one[:1].upper() + one[1:] if first.text[:1].isupper() else one
        return (Edit(first.start, first.text, f"{start} {between} {_within(first.text)}", form),)
    wrong = rng.choice(one.wrong)
    if form == "correction":
        return (Edit(one.start, "", f"{wrong} {between} ", form),)
    right = text[one.start : one.end]
    return (Edit(one.start, right, wrong, form), Edit(_end(text), "", f" {between} {right}", form))


def _end(text: str) -> int:
    return len(text.rstrip(ENDS + WHITE))


def _within(word: str) -> str:
    """A first word as it is within a sentence."""
    small = word.lower().partition("'")[0]
    known = function_words().keys() | grammar_words.question_words | grammar_words.requests | grammar_words.finite
    return word.lower() if small in known and word != "I" else word


def _kind(text: str) -> str:
    """Whether a text asks, orders, or says something."""
    first = next((token.text.lower().partition("'")[0] for token in word_tokens(text)), "")
    asks = first in grammar_words.question_words | grammar_words.finite
    return "asks" if asks else "orders" if first in grammar_words.requests else "says"


def starts_of(question: Question, others: Sequence[str]) -> list[str]:
    """How other questions begin that do what this one does: the first words up to before what they name."""
    kind, own = _kind(question.text), question.text.lower()
    orders = _ORDERS if kind == "orders" else ()
    found: dict[str, None] = dict.fromkeys(start for start in orders if own.split()[0] != start.split()[0])
    for other in others:
        words = word_tokens(other)
        for count in range(2, min(_LONGEST, len(words) - 1) + 1) if _kind(other) == kind else ():
            said = other[words[0].start : words[count - 1].end]
            said = _within(words[0].text) + said[len(words[0].text) :]
            if said.replace(" ", "").replace("'", "").isalpha() and not own.startswith(said.lower()):
                found[said] = None
    return [said for said in found if not _answers(question, said)]


def slips_of(question: Question, parsed: Sequence[tuple[str, Sequence[Token]]]) -> list[Slip]:
    """What of a question may be said wrongly, with the neighbours of each in all texts."""
    text, tokens = parsed[0]
    pools: dict[str, dict[str, None]] = {}
    for other, found in parsed:
        for start, end, kind in _named(found):
            pools.setdefault(kind, {})[other[start:end]] = None
    slips: list[Slip] = []
    for start, end, kind in _named(tokens):
        right = text[start:end]
        wrong = [*pools[kind], *_misread(right), *fake_names().get(known_kind(right), ())]
        slips.append(Slip(start, end, tuple(_fitting(question, start, right, wrong))))
    for token in word_tokens(text)[1:]:
        groups = [group for group in word_groups("slips.like") if token.text in group]
        wrong = [word for group in groups for word in group]
        slips.append(Slip(token.start, token.end, tuple(_fitting(question, token.start, token.text, wrong))))
    return [slip for slip in slips if slip.wrong]


def _named(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Names and numbers by type, and nouns alone by form and by what they are in their sentence."""
    entities = entities_of(tokens)
    yield from entities
    within = {at for start, end, _ in entities for at in range(start, end)}
    compounds = {token.head for token in tokens if token.relation == "compound"}
    for i, token in enumerate(tokens):
        inside = token.start in within
        part = token.relation == "compound" or i in compounds
        if token.tag in ("NN", "NNS") and token.pos == "NOUN" and not (inside or part) and token.text.islower():
            yield token.start, token.end, f"{token.tag} {token.relation}"


def _fitting(question: Question, start: int, right: str, wrong: Sequence[str]) -> Iterator[str]:
    """What may be said for some words: nothing that the question has, none with an answer, and with their article."""
    before = question.text[:start].split()[-1:]
    for said in dict.fromkeys(wrong):
        agrees = takes_an(said) == takes_an(right) or not before or before[0].lower() not in ARTICLES
        if agrees and said.lower() not in question.text.lower() and not _answers(question, said):
            yield said


def _answers(question: Question, said: str) -> bool:
    return any(a.text.casefold() in said.casefold() for a in question.answers if not a.regex and a.text.strip())


def _misread(number: str) -> Iterator[str]:
    """A number with two neighbouring digits exchanged, the first one kept."""
    for i in range(1, len(number) - 1):
        if number[i : i + 2].isdecimal() and number[i] != number[i + 1]:
            yield number[:i] + number[i + 1] + number[i] + number[i + 2 :]
