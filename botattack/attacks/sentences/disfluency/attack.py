"""Questions as people dictate them: begun again, corrected, words said twice, fillers (Disfl-QA). Pure; English,
fillers and repetitions in more languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from botattack.attacks.building.advice import WORDINGS
from botattack.attacks.building.drafting import TRIES, Drafting, Drafts
from botattack.attacks.building.guard import Draft
from botattack.attacks.building.parsed import ENDS, needs_relations
from botattack.attacks.fakes.answers import plain
from botattack.attacks.passages.reading import holding
from botattack.attacks.sentences.disfluency.mistaken_words import clashes, naming, oddity, shared, short, words_by_kind
from botattack.attacks.sentences.disfluency.slips import Form, Pools, Slip, Spoken
from botattack.model import Need, Question, Token
from botattack.protocols import Context
from botattack.text.languages import Language, having, language

SHARES: Mapping[Form, int] = {"restart": 38, "correction": 49, "late-correction": 11, "repetition": 1, "filler": 1}
"""How often each is said, in percent, in the training half of Disfl-QA."""
_UNPARSED = frozenset(["repetition", "filler"])
"""The forms that need no parser."""
_NAMES = 0.4
"""The share of restarts that name something: "Who founded Harvard no what is …"."""
_SILENT = 0.08
"""The share of restarts with no interregnum."""
_TRIED = 6
"""Phrases from which the likeliest to be said by mistake is taken."""
_AGAIN = 8
"""Draws of a form before another is drawn: some make nothing."""


@dataclass(frozen=True)
class Disfluency(Drafting):
    """Asks as people speak: a question begun again, a wrong word corrected, words said twice, a filler (Disfl-QA, Gupta
    et al. 2021, section 3).

    "How many times did plague occur in Venice?" becomes "How many times did plague occur in Paris no sorry Venice?".
    What is asked stays the same: a reader knows which words are meant. Without the wrong words, the words between and
    the repeated words, the question is the original one.

    A `restart` begins another question and drops it. A `correction` follows the wrong words at once, a
    `late-correction` after more of the question. A `repetition` says words twice; a `filler` adds an "uh". Wrong words
    are of the kind of the right ones: a noun phrase for a noun phrase, a number for a number, a verb for a verb in the
    same form. They come from the question or from the passage that has the answer, also with another article ("a
    cell" for "these cells"), and none has a gold answer in it; or they are words that questions share (first/last,
    where/when, area/part, is/isn't). A late correction may say again what leads to the right words ("no in Venice").

    Decided here: the paper's questions were written by people, so the rules are ours, and each form is drawn as often
    as people use it (38 % restarts, 49 % corrections, 11 % late ones, 1 % each of the others). Of six candidates the
    one most like the right words is said: a name for a name, as long, with the same article. What fewer than 9 of 600
    people say is not said here, such as "no Paris rather" or "no not Venice but Paris". Of 140 questions with their
    passages, the human form is among the candidates for 66, whatever is said between. German, French, Spanish and
    Persian have fillers and repetitions.
    """

    name: ClassVar[str] = "disfluency"
    plain: ClassVar[str] = "Spoken slips and restarts"
    advice: ClassVar[str] = WORDINGS
    drawn: ClassVar[bool] = True

    forms: tuple[Form, ...] = ("restart", "correction", "late-correction", "repetition", "filler")
    """Which forms to use."""

    def __post_init__(self) -> None:
        if not self.forms:
            raise ValueError("forms must name at least one of " + ", ".join(SHARES))

    @property
    def languages(self) -> frozenset[str] | None:
        return having("hesitations")

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
    """A draft of a form, by chance; none where the wrong words are what is said next."""
    if form in _UNPARSED:
        return _unparsed(said, form, spoken, rng)
    slip = said.drawn(form, pools, rng)
    if slip is None:
        return None
    wrong = _wrong(slip, pools, rng)
    if form != "restart" and plain(said.next(slip)).startswith(plain(wrong)):
        return None
    silent = form == "restart" and rng.random() < _SILENT
    return Draft(said.edits(slip, wrong, "" if silent else rng.choice(spoken.interregna)))


def _unparsed(said: Spoken, form: Form, spoken: Language, rng: Random) -> Draft | None:
    """A filler, or a repetition with or without one between."""
    repeats = form == "repetition"
    slips = list(said.repetitions() if repeats else said.fillers())
    between = rng.choice(("", *spoken.hesitations) if repeats else spoken.hesitations)
    return Draft(said.edits(rng.choice(slips), "", between)) if slips else None


def _wrong(slip: Slip, pools: Pools, rng: Random) -> str:
    """What is said by mistake; likelier what is like the right words, and a beginning that agrees with itself."""
    if slip.pool != "opening":
        return min((rng.choice(pools[slip.pool]) for _ in range(_TRIED)), key=lambda said: oddity(said, slip.right))
    named = list(naming(pools)) if rng.random() < _NAMES else []
    ((beginnings, _),) = rng.choices(ways := named or list(short().items()), [share for _, share in ways])
    return min((rng.choice(beginnings) for _ in range(_TRIED)), key=clashes)


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
    for word in parsed[0][0].lower().split():
        pool = f"like {word.rstrip(ENDS + ',;:')}"
        pools[pool].update(dict.fromkeys(shared(pool)))
    pools["asked noun"].update(dict.fromkeys(shared("asked noun")))
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
