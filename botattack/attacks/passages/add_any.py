"""Words that make no sentence, added to a passage and searched for by the replies (AddAny). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal, NamedTuple

from botattack.attacks.building.advice import PASSAGES
from botattack.attacks.passages.reading import Where, holding, sentence_edit
from botattack.model import Outcome, Question, Variant, edited
from botattack.options import Count
from botattack.places import PlaceKind
from botattack.protocols import Attack, Context, Proposals
from botattack.text.tokens import normalised, words

_ARTICLES = frozenset(["a", "an", "the"])

Genes = tuple[str, ...]
"""The added words, in their order."""
Scoring = Generator[Sequence[Variant], Sequence[Outcome], list[float]]
COMMON = 1000
"""Words of the dictionary that count as common: the most frequent ones."""
ASKED = 0.5
"""How likely a word is one of the question's own."""
POPULATION = 6
"""Word lists of a generation (Persian QA, "AddAny")."""
MUTATION = 0.3
"""How likely each word of a child is exchanged, as there."""
STEADY = 0.001
"""What is added to 1 − F1, so that no fitness is 0 (Persian QA, "AddAny")."""


@dataclass(frozen=True)
class AddAny(Attack):
    """Adds ten words to the passage that has the answer, and searches for the words that make the reply differ most
    from the gold answers (Persian QA, "AddAny"; Jia and Liang 2017, 3.4).

    The words are common ones and those of the question; they need not form a sentence. The score is the F1 between the
    reply's words and the nearest gold answer. A search ends when the bot breaks (`until`), when F1 is 0, as in the
    paper, or when its requests are used up. It crosses a population of word lists at one point and mutates it.
    Meaning is kept unless the words contain a gold answer; such variants are never asked.

    Decided here: the papers take a word's neighbours by vectors for a mutation; here any word of the pool may replace
    it, since the bot is a black box. Words come from `dictionary` in English, else from the passages.
    """

    name: ClassVar[str] = "add-any"
    plain: ClassVar[str] = "Stray words in a passage"
    advice: ClassVar[str] = PASSAGES
    uses: ClassVar[tuple[str, ...]] = ("dictionary",)
    edits: ClassVar[frozenset[PlaceKind]] = frozenset({"passage"})

    words: Count = 10
    """How many words are added."""
    queries: Count = 60
    """Requests that a search may spend on a question."""
    until: Literal["break", "zero"] = "break"
    """What ends a search early: as in the paper, only a reply without any word of a gold answer (`zero`: F1 is 0), or
    also the first answer that breaks (`break`)."""
    at: Where = "end"
    """Where the words are put in the passage: at the `end`, as in the papers, at the `beginning`, or between two
    sentences at `random`."""

    @property
    def per_question(self) -> int:  # as many as a search may ask
        return self.queries

    @property
    def counts_questions(self) -> bool:
        return True

    @property
    def asks_on(self) -> bool:
        return self.until == "zero"

    def propose(self, context: Context, rng: Random) -> Proposals:
        question = context.question
        pool = _pool(context)
        if question.passages and question.answers and pool.common:
            yield from _genetic(_Hunt(self, question, pool, rng))
        return None


class _Pool(NamedTuple):
    """Words of the question, and common ones; no word of a gold answer is among them."""

    asked: Sequence[str]
    common: Sequence[str]

    def one(self, rng: Random) -> str:
        """A word of either kind, as likely."""
        return rng.choice(self.asked if self.asked and rng.random() < ASKED else self.common)


def _pool(context: Context) -> _Pool:
    question = context.question
    english = question.lang.partition("-")[0] == "en"
    others = context.parts["dictionary"].words[:COMMON] if english else _words(" ".join(question.passages))
    taken = {"", *_words(" ".join(answer.text for answer in question.answers))}
    asked = [word for word in dict.fromkeys(_words(question.text)) if word not in taken]
    return _Pool(asked, [word for word in dict.fromkeys(others) if word not in {*taken, *asked} and len(word) > 1])


def _words(text: str) -> list[str]:
    return [normalised(word.text) for word in words(text)]


@dataclass
class _Hunt:
    """A search on its way: what was asked, and how near each word list came to breaking the bot."""

    attack: AddAny
    question: Question
    pool: _Pool
    rng: Random
    scores: dict[Genes, float] = field(default_factory=dict)
    spent: int = 0
    over: bool = False

    def drawn(self) -> Genes:
        return tuple(self.pool.one(self.rng) for _ in range(self.attack.words))

    def score(self, some: Sequence[Genes]) -> Scoring:
        """The F1 of each word list, as far as there are requests: 1 for what was not asked."""
        for genes in dict.fromkeys(some):
            if not self.over and genes not in self.scores:
                (outcome,) = yield [self._variant(genes)]
                self._learn(genes, outcome)
        return [self.scores.get(genes, 1.0) for genes in some]

    def _learn(self, genes: Genes, outcome: Outcome) -> None:
        self.spent += max(1, outcome.requests)
        said = outcome.replies[-1].text if outcome.replies else None
        golds = [answer.text for answer in self.question.answers if not answer.regex]
        score = max((f1(said, gold) for gold in golds), default=1.0) if said is not None else 1.0
        self.scores[genes] = score
        broke = self.attack.until == "break" and outcome.result == "success"
        self.over = broke or score == 0 or self.spent >= self.attack.queries

    def _variant(self, genes: Genes) -> Variant:
        edit = sentence_edit(self.question, holding(self.question), " ".join(genes), self.attack.at, self.rng)
        turns = edited(self.question.turns, (edit,))
        return Variant(turns, self.attack.name, (edit,), distance=len(edit.after))


def _genetic(hunt: _Hunt) -> Generator[Sequence[Variant], Sequence[Outcome], None]:
    people = [hunt.drawn() for _ in range(POPULATION)]
    idle = 0
    # Few words make few lists: once all were asked, nothing else would end the search. A single generation without a
    # new list may be chance.
    while not hunt.over and idle < 3:
        known = len(hunt.scores)
        scores = yield from hunt.score(people)
        idle = idle + 1 if len(hunt.scores) == known else 0
        fitness = [1 - score + STEADY for score in scores]
        best = people[max(range(len(people)), key=fitness.__getitem__)]
        people = [best, *(_child(hunt, people, fitness) for _ in people[1:])]


def _child(hunt: _Hunt, people: Sequence[Genes], fitness: Sequence[float]) -> Genes:
    """Two parents drawn by fitness, crossed at one point; each word may be exchanged."""
    one, other = hunt.rng.choices(people, fitness, k=2)
    point = hunt.rng.randrange(1, len(one)) if len(one) > 1 else 0
    return tuple(
        hunt.pool.one(hunt.rng) if hunt.rng.random() < MUTATION else word for word in (*one[:point], *other[point:])
    )


def f1(one: str, other: str) -> float:
    """The F1 of the words of two texts, as SQuAD counts it: English articles left out, each word as often as it is in
    both; 1 if both have none."""
    first, second = (_counted(text) for text in (one, other))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def _counted(text: str) -> Counter[str]:
    return Counter(word for found in words(text) if (word := normalised(found.text)) not in _ARTICLES)
