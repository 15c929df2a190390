"""Figures that need the whole plan, withheld where a run ended before."""

from __future__ import annotations

from dataclasses import replace

from botattack.report.figures.figure_values import AttackFigures, Figures, Measure, Row
from botattack.report.figures.measures import OF_USERS

FAIL_FAST = "stopped at the first success"
CUT = "withheld: the run ended before its plan"
MEMORY = {
    "lost": "no memory shown: the bot repeats a word and forgets it, so what hangs on earlier turns is in no rate",
    "unseen": "memory not shown: the bot was not seen to repeat a word that it was given",
}
"""Why what hangs on earlier turns is in no rate, as only the last turn reached the bot, and what is said beside a rate
where nobody can see whether the others did."""
WHOLE = ("accuracy under attack", f"accuracy under attack{OF_USERS}")
"""What asks whether an original stayed right under every variant of the plan."""
OF_ORIGINALS = ("standard accuracy", f"standard accuracy{OF_USERS}")
"""What does not look at variants."""


def cut_short(figures: Figures) -> bool:
    """Whether the run has not come to the end of its plan, so that more of it may give what it lacks."""
    fast = any(attack.gold.note == FAIL_FAST for attack in figures.attacks.values())
    return fast or figures.run.exit not in (0, 1)


def unheard(figures: Figures) -> list[str]:
    """The attacks of which no turn but the last reached the bot, through any door."""
    lost = figures.memory.attacks if figures.memory and figures.memory.seen == "lost" else ()
    return [name for name, one in figures.attacks.items() if name in lost and not one.gold.rated + one.own.rated]


def withheld(figures: Figures, *, first_success: bool) -> Figures:
    """The figures of a run without those that it cannot give: one that was stopped at its `first_success` knows no rate
    of successes; one that was cut off otherwise, no figure over all variants of a question."""
    if first_success:
        measures = _but_of_originals(figures.measures, FAIL_FAST)
        attacks = {name: _without_rates(attack, FAIL_FAST) for name, attack in figures.attacks.items()}
        readers = replace(figures.readers, corrected=None, judged=Measure(n=figures.readers.judged.n, note=FAIL_FAST))
        bare = figures.assistant.without_rates
        return replace(figures, measures=measures, attacks=attacks, readers=readers, assistant=bare)
    if unheard(figures):
        figures = replace(figures, measures=_but_of_originals(figures.measures, MEMORY["lost"]))
    if figures.run.exit in (None, 0, 1):
        return figures
    known = {name: found for name, found in figures.measures.items() if found.value is not None}
    cut = {name: Measure(n=known[name].n, note=CUT) for name in WHOLE if name in known}
    return replace(figures, measures=figures.measures | cut)


def _but_of_originals(measures: dict[str, Measure], note: str) -> dict[str, Measure]:
    return {name: found if name in OF_ORIGINALS else Measure(n=found.n, note=note) for name, found in measures.items()}


def _without_rates(attack: AttackFigures, note: str) -> AttackFigures:
    every = attack.gold, attack.unsure, attack.own, attack.control
    gold, unsure, own, control = (_without_rate(row, note) for row in every)
    splits = {
        split: {value: _without_rate(row, note) for value, row in rows.items()} for split, rows in attack.splits.items()
    }
    measures = {name: Measure(n=found.n, note=note) for name, found in attack.measures.items()}
    bare = replace(attack, gold=gold, unsure=unsure, own=own, control=control, splits=splits, measures=measures)
    return replace(bare, p=None, q=None, corrected=None)


def _without_rate(row: Row, note: str) -> Row:
    if not row.asked:
        return row
    return replace(
        row, success_rate=None, interval=None, difference=None, difference_interval=None, first_success=None, note=note
    )
