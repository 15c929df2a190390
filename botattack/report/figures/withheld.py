"""Figures that need the whole plan, withheld where a run ended before."""

from __future__ import annotations

from dataclasses import replace

from botattack.report.figures.figure_values import AttackFigures, Figures, Measure, Row

FAIL_FAST = "stopped at the first success"
CUT = "withheld: the run ended before its plan"
DRAWN = "not every question met every attack"
_WHOLE = ("accuracy under attack",)
"""What asks whether an original stayed right under every variant of the plan."""
_OF_ORIGINALS = ("standard accuracy",)
"""What does not look at variants."""


def withheld(figures: Figures, *, first_success: bool, uneven: bool = False) -> Figures:
    """The figures of a run without those that it cannot give: one that was stopped at its `first_success` knows no rate
    of successes; one that was cut off otherwise, no figure over all variants of a question; one in which questions met
    some of the attacks only (`uneven`), no figure but the rates, which take this into account."""
    run = figures.run
    if uneven:
        measures = _but_of_originals(figures.measures, DRAWN)
        figures = replace(
            figures,
            measures=measures,
            attacks={name: _rates_alone(attack) for name, attack in figures.attacks.items()},
        )
    if first_success:
        measures = _but_of_originals(figures.measures, FAIL_FAST)
        attacks = {name: _without_rates(attack) for name, attack in figures.attacks.items()}
        readers = replace(figures.readers, corrected=None, judged=Measure(n=figures.readers.judged.n, note=FAIL_FAST))
        return replace(figures, measures=measures, attacks=attacks, readers=readers)
    if run.exit in (None, 0, 1):
        return figures
    known = {name: found for name, found in figures.measures.items() if found.value is not None}
    cut = {name: Measure(n=known[name].n, note=CUT) for name in _WHOLE if name in known}
    return replace(figures, measures=figures.measures | cut)


def _but_of_originals(measures: dict[str, Measure], note: str) -> dict[str, Measure]:
    return {name: found if name in _OF_ORIGINALS else Measure(n=found.n, note=note) for name, found in measures.items()}


def _rates_alone(attack: AttackFigures) -> AttackFigures:
    measures = {name: Measure(n=found.n, note=DRAWN) for name, found in attack.measures.items()}
    return replace(attack, measures=measures, p=None, q=None)


def _without_rates(attack: AttackFigures) -> AttackFigures:
    splits = {
        split: {value: _without_rate(row) for value, row in rows.items()} for split, rows in attack.splits.items()
    }
    return AttackFigures(
        attack.expect,
        gold=_without_rate(attack.gold),
        unsure=_without_rate(attack.unsure),
        own=_without_rate(attack.own),
        splits=splits,
        measures={name: Measure(n=found.n, note=FAIL_FAST) for name, found in attack.measures.items()},
        coverage=attack.coverage,
        by_question=attack.by_question,
        control=_without_rate(attack.control),
    )


def _without_rate(row: Row) -> Row:
    if not row.asked:
        return row
    return replace(
        row,
        success_rate=None,
        interval=None,
        difference=None,
        difference_interval=None,
        first_success=None,
        note=FAIL_FAST,
    )
