"""The shortest edits that broke the bot, as a fold over closed questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from botattack.cases import Alteration, QuestionCase, VariantCase, right_in
from botattack.model import Edit, Expect, Reference, VerdictKind

KEPT = 10
LONG_WORD = 5
"""Letters of a word whose misspelling is hardly ever another word."""
_FILLERS = frozenset(("before", "after"))
_SLIPS = frozenset(("typo", "similar-typo", "swap", "middle", "keyboard", "replace"))
"""Kinds of edits that misspell a word, as their attacks call them."""


Change = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Finding:
    """An edit that broke the bot: `expected` are the gold answers, or the bot's own reply if none are known; with
    `expect: different` they are what the reply must not be."""

    alteration: Alteration
    expected: tuple[str, ...]
    got: str
    unit: str
    attack: str
    distance: int
    expect: Expect = "same"
    verdict: VerdictKind = "wrong"
    reference: Reference = "gold"
    question_id: str = ""
    planted: bool = False
    """Whether the reply gives a fake answer that the attack planted."""
    usual: str = ""
    """The reply to the unchanged question."""
    right: tuple[str, ...] = ()
    """The answers that are right now, where it is known that others are."""

    @property
    def question(self) -> str:
        return self.alteration.question

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.alteration.edits

    @property
    def sent(self) -> str:
        return self.alteration.text

    @property
    def size(self) -> tuple[int, int, bool, int, int, str, str, str]:
        """Sorts findings: smallest distance, then fewest edits, of those what surely asks the same, then the shortest
        edits and the shortest text."""
        width = sum(len(edit.before) + len(edit.after) for edit in self.edits)
        doubt = self.expect == "same" and not all(map(plain_slip, self.edits))
        return (self.distance, len(self.edits), doubt, width, len(self.sent), self.sent, self.attack, self.unit)

    @property
    def change(self) -> Change:
        """What was put for what, wherever it was."""
        return tuple((edit.before.casefold(), edit.after.casefold()) for edit in self.edits)


def plain_slip(edit: Edit) -> bool:
    """Whether an edit surely leaves the question what it was: other case, marks or spaces, something said before or
    after it, or a misspelt long word.

    A short word, an abbreviation or a number that is misspelt may be another one (FTP and FPT, hole and hoe), and a
    word that was taken because it is one (cat and cot) asks something else.
    """
    if _letters(edit.before) == _letters(edit.after) or (not edit.before and edit.kind in _FILLERS):
        return True
    misspelt = _SLIPS.issuperset(edit.kind.split(" + ")) and edit.after.isalpha()
    return misspelt and edit.before.isalpha() and len(edit.before) >= LONG_WORD and not edit.before.isupper()


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


_Ranked = tuple[int, Finding]
"""A finding, and how many shorter ones its attack has of the same question."""


class Findings:
    """Keeps the shortest successful edits: of each question, attack and edit one, then second ones, as long as there is
    room. The shortest come first.

    Only what enters a success rate counts: the original was right and the meaning is as the attack claims; or only
    the `unsure` ones, which may ask something else.
    """

    def __init__(self, keep: int = KEPT, *, unsure: bool = False) -> None:
        self._keep = keep
        self._unsure = unsure
        self._best: dict[str, list[_Ranked]] = {}
        """Of each attack as many as could be shown if it were alone."""

    def add(self, question: QuestionCase) -> None:
        by_attack: defaultdict[str, list[Finding]] = defaultdict(list)
        for found in sorted(findings_of(question, unsure=self._unsure), key=lambda found: found.size):
            by_attack[found.attack].append(found)
        for attack, fresh in by_attack.items():
            ranked = [*self._best.get(attack, ()), *enumerate(fresh[: self._keep])]
            self._best[attack] = _various(ranked)[: self._keep]

    def value(self) -> tuple[Finding, ...]:
        """In the order in which they are shown."""
        every = (found for ranked in self._best.values() for _, found in ranked)
        return tuple(in_turn(every, self._keep))[: self._keep]


def _various(ranked: list[_Ranked]) -> list[_Ranked]:
    """One of each question first, of those one of each edit, of those the shortest."""
    ranked = sorted(ranked, key=lambda entry: (entry[0], entry[1].size))
    same: Counter[Change] = Counter()
    times = []
    for _, found in ranked:
        times.append(same[found.change])
        same[found.change] += 1
    return [entry for _, entry in sorted(zip(times, ranked, strict=True), key=lambda one: (one[1][0], one[0]))]


def in_turn(candidates: Iterable[Finding], most: int = KEPT) -> Iterator[Finding]:
    """The order of every report and page. What was shown least comes next: questions, then attacks, then edits; of
    equals the shortest. After `most` of them the shortest come first, as a page may list thousands."""
    questions: Counter[str] = Counter()
    attacks: Counter[str] = Counter()
    edits: Counter[Change] = Counter()
    left = sorted(candidates, key=lambda found: found.size)
    for _ in range(min(most, len(left))):
        found = min(left, key=lambda one: (questions[one.question_id], attacks[one.attack], edits[one.change]))
        left.remove(found)
        questions[found.question_id] += 1
        attacks[found.attack] += 1
        edits[found.change] += 1
        yield found
    yield from left


def finding(question: QuestionCase, case: VariantCase) -> Finding:
    """A case as a finding, whatever its verdict; of a conversation, the turn on which the verdict is."""
    judged, (expected, got) = case.judged, _decided(question, case)
    return Finding(
        alteration=case.alteration,
        expected=expected,
        got=got,
        unit=judged.unit,
        attack=judged.attack,
        distance=judged.distance,
        expect=judged.expect,
        verdict=judged.verdict.kind,
        reference=judged.reference,
        question_id=question.question.id,
        planted=judged.took_decoy,
        usual=question.reply,
        right=tuple(answer.text for answer in judged.right),
    )


def _decided(question: QuestionCase, case: VariantCase) -> tuple[tuple[str, ...], str]:
    """What was right and what came, in the turn whose verdict is that of the conversation."""
    judged, sent = case.judged, case.alteration.sent
    turns = [each.turn for each in judged.turns if each.verdict.kind == judged.verdict.kind and each.turn < len(sent)]
    asks = sent[turns[0]].asks if turns and judged.expect == "same" and judged.reference == "gold" else None
    if asks is None or turns[0] >= len(case.alteration.replies):
        return question.expected(judged.reference), case.reply
    return right_in(question.question.at(asks)), case.alteration.replies[turns[0]]


def findings_of(question: QuestionCase, *, unsure: bool = False) -> Iterator[Finding]:
    """Each broken unit once, under the name of the first attack in the alphabet that made it; of those whose meaning is
    as claimed, or of the `unsure` ones that were judged against gold."""
    if not question.right:
        return
    units: set[str] = set()
    broken = (one for one in question.judged if one.result == "success" and one.is_outcome)
    broken = (one for one in broken if (one.meaning == "unsure" and one.reference == "gold" if unsure else one.claimed))
    for judged in sorted(broken, key=lambda judged: judged.attack):
        if (judged.edits or judged.play) and judged.unit not in units:
            units.add(judged.unit)
            yield finding(question, question.variant(judged))
