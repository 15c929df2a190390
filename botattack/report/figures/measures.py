"""The figures of the literature, beside the success rate: accuracies, graded success, EM and F1, rankings, likeness.

All count gold reference and meaning as claimed only, and give every outcome of a question to its cluster.

- Standard accuracy: originals answered correctly, each once; where the file says `times_asked`, also of what users
  ask, each counted as often as it was asked (under attack likewise); perturbation accuracy: variants answered
  correctly, whatever became of the original; robust accuracy: the same over right originals; success rate of black-box
  attack: wrong answers among variants that scored lower than their original (semantic parsers, 4.2). Micro means pool
  the outcomes of all operations, macro means count each operation alike (there, Tables 2 and 3). The control is no
  operation. There is no micro mean where some attacks search, and so count questions, and others do not.
- Accuracy under attack: originals that are right and stayed right under every variant asked.
- Over-sensitivity: how often an answer that should stay changed for the worse; over-stability: how often one that
  should change stayed (dialogue models, 3). Two scores, never blended. Where the right answers to some variants that
  should change are known, over-stability is over these alone: the others may have the old answer, or none.
- EM and F1 of the answer before and after, R@k, MRR and MAP over ranked candidates (DPAEG 4.1; Persian QA, Table 1);
  F1 also as the matcher `f1` counts it: with a list of verbs or nouns activity or entity F1 (dialogue models, 2);
  where a bot names its sources, EM and F1 of the supporting facts, and of answer and facts jointly (HotpotQA); each
  also by the kind of question. How often a text that was planted is among the sources of right originals.
- Likeness of a variant to its original: of the texts that differ, at whatever place; an added text is like nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from botattack.cases import QuestionCase
from botattack.errors import Fault
from botattack.events import Asked, VariantJudged
from botattack.model import CONTROL, Expect, Turns, places
from botattack.report.figures.figure_values import AttackFigures, Measure, Row
from botattack.report.figures.ranking import CURVE, graded, likeness, ranked_figures, ranking_order, worst
from botattack.report.figures.sources import Sent, cites, sources_of
from botattack.report.statistics.intervals import MIN_QUESTIONS, ClusterSums, interval_at
from botattack.report.statistics.joint import Joint
from botattack.report.statistics.significance import benjamini_hochberg, difference

NEEDS_ALL = "needs filter: all"
NOT_GRADED = "not defined: no right answer scored between 0 and 1"
NOT_POOLED = "not defined: some attacks count questions, others variants"
_UNIT = 1_000_000
"""Values are summed as whole millionths, so that no order of summing changes a digit."""
_DECIDED = {"correct": 1, "wrong": 0, "refused": 0}
_BEFORE_AND_AFTER = ("EM before", "EM after", "F1 before", "F1 after")
_GRADED = ("EM ", "F1 ", "facts ", "joint ", "cites ")
"""How the names of those begin that read replies and their sources."""

Key = tuple[str, str]
"""Attack (empty: all of them) and measure."""
Values = defaultdict[Key, tuple[int, int]]
"""Of one question: the sum of values in millionths, and how many."""

Counted = dict[str, tuple[int, int]]
"""Of one question: by attack the answers that were right, and how many there were."""

_OF_ORIGINALS: tuple[Key, Key] = ("", "standard accuracy"), ("", "accuracy under attack")
OF_USERS = " of what users ask"
"""Behind a measure that counts a question as often as users asked it."""
_SEARCHES = " searches"
"""Used in place of an attack's name: all attacks that search, of which each question is one outcome."""
_KNOWN = " known"
"""Used in place of an attack's name: variants whose right answer is known; over-stability is over these, if any."""
_NONE = ClusterSums()


class Measures:
    """A fold over questions. `all_attacked` is whether wrong originals were attacked, too, `any_time` whether the run
    stops when it is sure: then intervals are those of a confidence sequence, and there is no p. `by_f1` is whether the
    matcher `f1` decides, whose scores are F1.

    EM, F1, rankings and likeness read the replies themselves: a question on which that fails is left out of them and
    counted in `faults`, by `Fault.kind`.
    """

    def __init__(self) -> None:
        self.faults: Counter[str] = Counter()
        self.all_attacked = self.any_time = self.by_f1 = False
        self._graded = False
        self._sums: dict[Key, ClusterSums] = {}
        self._right = Joint()
        self._all = Joint()

    def add(self, *doors: QuestionCase) -> None:
        """A question, once for each door that it was asked through: all that came of it is one cluster."""
        together: Values = defaultdict(lambda: (0, 0))
        joint: tuple[Counted, Counted] = ({}, {})
        for question in doors:
            self._add_door(question, together, joint)
        for key, (total, n) in together.items():
            self._add(key, total, n)
        self._all.add(joint[0])
        self._right.add(joint[1])

    def _add_door(self, question: QuestionCase, together: Values, joint: tuple[Counted, Counted]) -> None:
        original = question.original
        if original is None or original.reference != "gold":
            return
        if original.standing == "unsure":
            folds = [self._count_answers]
        elif original.standing in ("kept", "wrong", "refused"):
            folds = [partial(self._count_accuracies, joint=joint), self._count_variants, self._count_answers]
        else:
            return
        if not question.counted and original.standing != "unsure":
            for key in _OF_ORIGINALS:
                _note_original(together, key, question, question.right)
            return
        for count in folds:
            values: Values = defaultdict(lambda: (0, 0))
            try:
                count(question, values)
            except Exception as error:
                self.faults[Fault.of(error).kind] += 1
                continue
            for key, (total, n) in values.items():
                together[key] = together[key][0] + total, together[key][1] + n

    def _add(self, key: Key, total: int, n: int) -> None:
        self._sums[key] = self._sums.get(key, _NONE).add(total, n * _UNIT)

    def _count_variants(self, question: QuestionCase, values: Values) -> None:
        if question.right:
            _say_likeness(question, values)
        if question.right or self.all_attacked:
            for event in question.counted:
                if event.verdict.kind in _DECIDED:
                    self._count_scores(question, event, values)
        _rank(question, values)

    def _count_accuracies(self, question: QuestionCase, values: Values, joint: tuple[Counted, Counted]) -> None:
        counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        broken = False
        for event in question.counted:
            right = _DECIDED.get(event.verdict.kind)
            if right is None:
                continue
            if event.expect == "same":
                count = counts[event.attack]
                count[0] += right
                count[1] += 1
                broken |= not right and event.attack != CONTROL
            elif question.right and event.expect == "different":
                _note(values, (_KNOWN if event.right else "", "over-stability"), right)
            elif question.right:
                _note(values, ("", "answered without support"), event.verdict.kind != "refused")
        by_attack = {name: (x, n) for name, (x, n) in counts.items()}
        searched = {event.attack for event in question.counted if event.search}
        standard, under_attack = _OF_ORIGINALS
        _note_original(values, standard, question, question.right)
        _note_original(values, under_attack, question, question.right and not broken)
        for counted in joint if question.right else joint[:1]:
            _join(counted, by_attack)
        for name, (x, n) in by_attack.items():
            _note(values, (name, "standard accuracy"), n if question.right else 0, n)
            _note(values, (name, "perturbation accuracy"), x, n)
            of = _SEARCHES if name in searched else ""
            if name != CONTROL:
                _note(values, (of, "perturbation accuracy, micro"), x, n)
            if name != CONTROL and question.right:
                _note(values, (of, "robust accuracy, micro"), x, n)
                _note(values, (of, "over-sensitivity"), n - x, n)

    def _count_scores(self, question: QuestionCase, event: VariantJudged, values: Values) -> None:
        if event.expect != "same" or question.original is None:
            return
        before, after = question.original.verdict, event.verdict
        self._graded |= any(0 < verdict.score < 1 for verdict in (before, after) if verdict.kind == "correct")
        if after.score < before.score:
            _note(values, (event.attack, "black-box success"), after.kind != "correct")
        asked = question.asked.get(event.unit)
        if question.right and asked is not None and question.question.answers:
            _note_cited(question, event, asked, values)

    def _count_answers(self, question: QuestionCase, values: Values) -> None:
        """EM and F1 of every judged reply, also where no verdict was sure."""
        for event in question.counted if question.right or self.all_attacked else ():
            if event.expect == "same" and event.verdict.kind in (*_DECIDED, "unsure"):
                self._count_answer(question, event, values)

    def _count_answer(self, question: QuestionCase, event: VariantJudged, values: Values) -> None:
        first, asked, answers = question.first, question.asked.get(event.unit), question.question.answers
        if first is None or asked is None or not answers:
            return
        kind = question.question.kind
        if event.search:
            event, curve = worst(question, event)
            asked = question.asked[event.unit]
            for name, value in curve.items():
                _note(values, (event.attack, name), value)
        for when, one, edits in (("before", first, ()), ("after", asked, event.edits)) if self.all_attacked else ():
            for what, value in graded(question, one, edits):
                for name in (f"{what} {when}", *([f"{what} {when}, {kind}"] if kind else [])):
                    _note(values, (event.attack, name), value)
        if self.by_f1 and self.all_attacked and question.original:
            for when, verdict in (("before", question.original.verdict), ("after", event.verdict)):
                _note(values, (event.attack, f"F1 as matched {when}"), verdict.score)

    def attack(self, name: str, figures: AttackFigures) -> dict[str, Measure]:
        """Those of one attack."""
        likeness_of = {what: self._of(name, what) for what in ("question likeness", "reply likeness")}
        if figures.expect != "same":
            return likeness_of
        found = {
            "robust accuracy": _robust(figures.gold),
            "perturbation accuracy": self._of_all(name, "perturbation accuracy"),
            "standard accuracy": self._of_all(name, "standard accuracy"),
            "black-box success": self._of(name, "black-box success") if self._graded else Measure(note=NOT_GRADED),
        }
        graded = sorted(key[1] for key in self._sums if key[0] == name and key[1].startswith(_GRADED))
        found |= {what: self._of_all(name, what) for what in _BEFORE_AND_AFTER}
        curve = [what for what in CURVE.values() if (name, what) in self._sums]
        found |= {what: self._of(name, what) for what in (*graded, *curve) if what not in found}
        ranked = {key[1] for key in self._sums if key[0] == name and key[1].startswith(("R@", "MRR", "MAP"))}
        found |= {what: self._of(name, what) for what in sorted(ranked, key=ranking_order)}
        return found | likeness_of

    def overall(self, attacks: Mapping[str, Expect]) -> dict[str, Measure]:
        """Those over all attacks but the control."""
        same = [name for name, expect in attacks.items() if expect == "same" and name != CONTROL]
        found = {"standard accuracy": self._of("", "standard accuracy")}
        of_users = [what + OF_USERS for _, what in _OF_ORIGINALS[: 1 + bool(same)]]
        found |= {what: self._of("", what) for what in of_users if ("", what) in self._sums}
        if same:
            found["accuracy under attack"] = self._of("", "accuracy under attack")
            found["perturbation accuracy, micro"] = self._pooled("perturbation accuracy, micro", self._of_all)
            found["perturbation accuracy, macro"] = (
                self._macro(self._all, same) if self.all_attacked else Measure(note=NEEDS_ALL)
            )
            found["robust accuracy, micro"] = self._pooled("robust accuracy, micro", self._of)
            found["robust accuracy, macro"] = self._macro(self._right, same)
            found["over-sensitivity"] = self._pooled("over-sensitivity", self._of)
        if "different" in attacks.values():
            known = _KNOWN if (_KNOWN, "over-stability") in self._sums else ""
            found["over-stability"] = self._of(known, "over-stability")
        if "declines" in attacks.values():
            found["answered without support"] = self._of("", "answered without support")
        return found

    def p(self, name: str) -> float | None:
        """The p-value of the attack breaking no more than the control does."""
        return self._right.p_of_less(name)

    def _of(self, name: str, what: str) -> Measure:
        return measure(self._sums.get((name, what), ClusterSums()), any_time=self.any_time)

    def _of_all(self, name: str, what: str) -> Measure:
        return self._of(name, what) if self.all_attacked else Measure(note=NEEDS_ALL)

    def _pooled(self, what: str, of: Callable[[str, str], Measure]) -> Measure:
        """Over all attacks: none where questions that searches broke would be pooled with variants of other attacks."""
        pools = [pool for pool in ("", _SEARCHES) if (pool, what) in self._sums] or [""]
        return of(pools[0], what) if len(pools) == 1 else Measure(note=NOT_POOLED)

    def _macro(self, joint: Joint, names: list[str]) -> Measure:
        tried = [name for name in names if name in joint.totals]
        found = joint.macro(tried, any_time=self.any_time)
        if found is None:
            return Measure(note="too few questions", n=len(tried))
        return Measure(found[0], len(tried), found[1])


def _join(counted: Counted, more: Counted) -> None:
    for name, (x, n) in more.items():
        before, of = counted.get(name, (0, 0))
        counted[name] = before + x, of + n


def measure(sums: ClusterSums, *, any_time: bool = False) -> Measure:
    """A mean of values from 0 to 1 that were summed in millionths; none under MIN_QUESTIONS questions. With `any_time`,
    the interval is one of a confidence sequence."""
    n = sums.n // _UNIT
    # Shares of counts are shown as x/n, and an interval must know how many there are; graded values are no counts.
    whole = sums.x % _UNIT == sums.xx % _UNIT**2 == 0
    if whole:
        sums = ClusterSums(sums.clusters, sums.x // _UNIT, n, *(each // _UNIT**2 for each in sums[3:]))
    x = sums.x if whole else None
    if sums.clusters < MIN_QUESTIONS:
        return Measure(n=n, note=f"too few questions ({sums.clusters} of {MIN_QUESTIONS})", x=x)
    return Measure(sums.rate, n, interval_at(sums, any_time=any_time), x=x)


def compared(attacks: dict[str, AttackFigures], measures: Measures) -> dict[str, AttackFigures]:
    """The attacks with their measures, compared with the control: differences, and p adjusted over the attacks. What
    has more judged turns than the control is not compared: the more replies, the more go wrong by chance."""
    control = attacks.get(CONTROL)
    turns = control.turns.most if control else 1
    p_values: dict[str, float] = {}
    for name, attack in attacks.items():
        alike = name != CONTROL and attack.expect == "same" and attack.turns.most <= turns and not attack.by_question
        if alike and (p := measures.p(name)) is not None:
            p_values[name] = p
    differ = {*p_values}
    if measures.any_time:
        p_values = {}  # whoever stops because of what is shown has no p
    adjusted = benjamini_hochberg(p_values)
    found = {}
    for name, attack in attacks.items():
        if attack.by_question:
            held = replace(attack, gold=_differs(attack.gold, attack.control), own=_differs(attack.own, attack.control))
        else:
            held = _against(attack, control) if control and name in differ else attack
        found[name] = replace(held, measures=measures.attack(name, attack), p=p_values.get(name), q=adjusted.get(name))
    return found


def _against(attack: AttackFigures, control: AttackFigures) -> AttackFigures:
    # Where the control is split alike, a row is compared with the same questions, or the same door.
    splits = {
        split: {
            value: _differs(row, control.splits.get(split, {}).get(value, control.gold)) for value, row in rows.items()
        }
        for split, rows in attack.splits.items()
    }
    return replace(
        attack, gold=_differs(attack.gold, control.gold), own=_differs(attack.own, control.own), splits=splits
    )


def _differs(row: Row, noise: Row) -> Row:
    if row.success_rate is None or row.interval is None or noise.success_rate is None or noise.interval is None:
        return row
    between = difference(row.success_rate, row.interval, noise.success_rate, noise.interval)
    return replace(row, difference=row.success_rate - noise.success_rate, difference_interval=between)


def _robust(row: Row) -> Measure:
    """What the success rate leaves."""
    if row.success_rate is None or row.interval is None:
        return Measure(n=row.rated, note=row.note, x=row.robust)
    low, high = row.interval
    return Measure(row.robust / row.rated, row.rated, (1 - high, 1 - low), row.note, row.robust)


def _say_likeness(question: QuestionCase, values: Values) -> None:
    first = question.first
    if first is None:
        return
    by_attack: dict[str, list[int]] = {}
    for event in question.counted:
        asked = question.asked.get(event.unit)
        if asked is not None and event.verdict.kind in _DECIDED:
            sums = by_attack.setdefault(event.attack, [0, 0, 0])
            sums[0] += round(likeness(*_differing(first.turns, asked.turns)) * _UNIT)
            sums[1] += round(likeness(first.reply, asked.reply) * _UNIT)
            sums[2] += 1
    for attack, (sent, said, n) in by_attack.items():
        values[attack, "question likeness"] = sent, n
        values[attack, "reply likeness"] = said, n


def _differing(one: Turns, other: Turns) -> tuple[str, str]:
    """Of either the texts that are nowhere in the other: with what no edit touches, all variants would look alike."""
    if len(one) == len(other) == 1 and one[0].passages == other[0].passages and one[0].history == other[0].history:
        return one[0].text, other[0].text
    first, second = tuple(places(one).values()), tuple(places(other).values())
    return (
        "\n".join(text for text in first if text not in second),
        "\n".join(text for text in second if text not in first),
    )


def _note_cited(question: QuestionCase, event: VariantJudged, asked: Asked, values: Values) -> None:
    first = question.first
    if first and sources_of(first) is not None and (planted := Sent(question.question, event.edits).planted()):
        _note(values, (event.attack, "cites the distractor"), cites(sources_of(asked) or (), planted))


def _rank(question: QuestionCase, values: Values) -> None:
    """Rankings before, once a question and attack, and after, of each variant; of right originals only."""
    first, answers = question.first, question.question.answers
    if first is None or not _ranked(first) or not answers or not question.right:
        return
    same = [event for event in question.counted if event.expect == "same"]
    before = ranked_figures(_ranked(first), answers)
    for attack in {event.attack for event in same}:
        for name, value in before.items():
            _note(values, (attack, f"{name} before"), value)
    for event in same:
        asked = question.asked.get(event.unit)
        if asked is not None and event.verdict.kind != "error":
            for name, value in ranked_figures(_ranked(asked), answers).items():
                _note(values, (event.attack, f"{name} after"), value)


def _ranked(asked: Asked) -> tuple[str, ...]:
    return asked.replies[-1].ranked if asked.replies else ()


def _note(values: Values, key: Key, value: float, count: int = 1) -> None:
    total, n = values[key]
    values[key] = total + round(value * _UNIT), n + count


def _note_original(values: Values, key: Key, question: QuestionCase, right: bool) -> None:
    _note(values, key, right)
    if times := question.question.times_asked:
        _note(values, (key[0], key[1] + OF_USERS), times * right, times)
