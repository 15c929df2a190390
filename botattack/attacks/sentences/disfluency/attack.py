"""Questions as people dictate them: begun again, corrected, words said twice, fillers (Disfl-QA). Pure; English,
fillers and repetitions in more languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.attacks.building.drafting import TRIES, Drafting, Drafts
from botattack.attacks.building.guard import Draft
from botattack.attacks.building.parsed import needs_relations
from botattack.attacks.fakes.answers import plain
from botattack.attacks.passages.reading import holding
from botattack.attacks.sentences.disfluency.openings import naming, short
from botattack.attacks.sentences.disfluency.slips import Form, Pools, Slip, Spoken, like, words_by_kind
from botattack.model import Need, Question, Token
from botattack.protocols import Context
from botattack.text.languages import Language, language

SHARES: Mapping[Form, int] = {"restart": 38, "correction": 49, "late-correction": 11, "repetition": 1, "filler": 1}
"""How often each is said, in percent, in the training half of Disfl-QA."""
_UNPARSED = frozenset(["repetition", "filler"])
"""The forms that need no parser."""
_NAMES = 0.4
"""The share of restarts that name something: "Who founded Harvard no what is …"."""
_SILENT = 0.08
"""The share of restarts with no interregnum."""
_TRIED = 3
"""Phrases from which the likeliest to be said by mistake is taken."""
_AGAIN = 8
"""Draws of a form before another is drawn: some make nothing."""


@dataclass(frozen=True)
class Disfluency(Drafting):
    """Asks as people dictate: a question begun again, a wrong word corrected, words said twice, a filler (Disfl-QA,
    Gupta et al. 2021, section 3).

    "How many times did plague occur in Venice?" becomes "How many times did plague occur in Paris no sorry Venice?".
    What is asked stays the same: a reader knows which words are meant. Without the wrong words, those between and those
    said again, the question is what it was.

    A `restart` begins another question and gives it up. A `correction` follows the wrong words at once, a
    `late-correction` after more of the question. A `repetition` says words twice; a `filler` adds an "uh". Wrong words
    are of the kind of the right ones: a noun phrase for a noun phrase, a number for a number, a verb for a verb in the
    same form. They come from the passage that holds the answer, and none has a gold answer in it; or they are words
    that questions share (first/last, where/when). Without a passage there are only these.

    Decided here: the paper's questions were written by people, so the rules are ours, and each form is drawn as often
    as people use it (38 % restarts, 49 % corrections, 11 % late ones, 1 % each of the others). German, French, Spanish
    and Persian have fillers and repetitions.
    """

    name: ClassVar[str] = "disfluency"
    languages: ClassVar[frozenset[str] | None] = frozenset({"de", "en", "es", "fa", "fr"})
    drawn: ClassVar[bool] = True

    forms: tuple[Form, ...] = ("restart", "correction", "late-correction", "repetition", "filler")
    """Which forms to use."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.forms:
            raise ValueError("forms must name at least one of " + ", ".join(SHARES))

    def parts(self) -> tuple[str, ...]:
        return ("parse",)

    def drafts(self, context: Context, rng: Random) -> Drafts:
        question = context.question
        spoken = language(question.language)
        if not spoken.interregna:
            return self._drawn(Spoken(question.text, ()), {}, spoken, rng)
        passages = [question.passages[holding(question)]] if question.passages else []
        texts = [question.text, *passages]
        parsed = yield [Need("parse", {"text": text, "lang": question.lang}) for text in texts]
        needs_relations(parsed[0], self.name, question.lang)
        pools = pools_of(question, list(zip(texts, parsed, strict=True)))
        return self._drawn(Spoken(question.text, parsed[0]), pools, spoken, rng)

    def _drawn(self, said: Spoken, pools: Pools, spoken: Language, rng: Random) -> Iterator[Draft]:
        forms = [form for form in self.forms if spoken.interregna or form in _UNPARSED]
        shares = [SHARES[form] for form in forms]
        for _ in range(TRIES * max(self.per_question, self.queries) if forms else 0):
            (form,) = rng.choices(forms, shares)
            # A form that makes nothing is tried again, so that others do not come oftener than people use them.
            tries = (_draft(said, form, pools, spoken, rng) for _ in range(_AGAIN))
            draft = next((draft for draft in tries if draft is not None), None)
            if draft is not None:
                yield draft


def _draft(said: Spoken, form: Form, pools: Pools, spoken: Language, rng: Random) -> Draft | None:
    """A draft of a form, by chance; none where the wrong words are the question's own."""
    if form in _UNPARSED:
        return _unparsed(said, form, spoken, rng)
    slip = said.drawn(form, pools, rng)
    if slip is None:
        return None
    wrong = _wrong(slip, said.meant(slip), pools, rng)
    if form != "restart" and plain(wrong) in plain(said.text):
        return None
    silent = form == "restart" and rng.random() < _SILENT
    return Draft(said.edits(slip, wrong, "" if silent else rng.choice(spoken.interregna)))


def _unparsed(said: Spoken, form: Form, spoken: Language, rng: Random) -> Draft | None:
    """A filler, or a repetition with or without one between."""
    repeats = form == "repetition"
    slips = list(said.repetitions() if repeats else said.fillers())
    between = rng.choice(("", *spoken.hesitations) if repeats else spoken.hesitations)
    return Draft(said.edits(rng.choice(slips), "", between)) if slips else None


def _wrong(slip: Slip, meant: str, pools: Pools, rng: Random) -> str:
    """What is said by mistake; likelier a name for a name, and a short phrase."""
    if slip.pool != "opening":
        found = [rng.choice(pools[slip.pool]) for _ in range(_TRIED)]
        return min(found, key=lambda said: (said[:1].isupper() != meant[:1].isupper(), len(said)))
    longer = list(naming(pools))
    if longer and rng.random() < _NAMES:
        return rng.choice(rng.choice(longer))
    (beginnings,) = rng.choices(list(short()), list(short().values()))
    return rng.choice(beginnings)


def pools_of(question: Question, parsed: Sequence[tuple[str, Sequence[Token]]]) -> Pools:
    """What may be said by mistake, by kind: phrases of the question and of its passages, numbers misread and words that
    questions share; none with a gold answer in it."""
    pools: dict[str, dict[str, None]] = defaultdict(dict)
    for text, tokens in parsed:
        for kind, said in words_by_kind(text, tokens):
            pools[kind][said] = None
    for token in parsed[0][1]:
        if token.tag == "CD":
            pools["number"].update(dict.fromkeys(_misread(token.text)))
        pools[f"like {token.text.lower()}"].update(dict.fromkeys(like(token.text.lower())))
    answers = [answer.text.casefold() for answer in question.answers if not answer.regex and answer.text.strip()]
    return {
        kind: tuple(one for one in said if not any(answer in one.casefold() for answer in answers))
        for kind, said in pools.items()
    }


def _misread(number: str) -> Iterator[str]:
    """A number with two neighbouring digits exchanged, the first one kept."""
    for i in range(1, len(number) - 1):
        if number[i : i + 2].isdecimal() and number[i] != number[i + 1]:
            yield number[:i] + number[i + 1] + number[i] + number[i + 2 :]
