"""Whether the bot's own noise would explain what an attack broke."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from botattack.model import CONTROL
from botattack.report.figures.causes import Cause
from botattack.report.figures.figure_values import AttackFigures, Figures, Row
from botattack.report.statistics.significance import benjamini_hochberg, fisher

CHANCE = 0.05
"""From this q on, a share may be that of the unchanged questions."""


def longer(attack: AttackFigures, control: AttackFigures | None) -> bool:
    """Whether the variants of an attack have more judged turns than the control, so that more replies can go wrong."""
    return control is not None and attack.turns.most > control.turns.most


def by_chance(attack: AttackFigures, row: Row, noise: Row, control: AttackFigures | None) -> bool:
    """Whether chance would explain what a row of an attack broke. What has more turns than the control is compared turn
    by turn: its altered turns with the unaltered ones and the unchanged questions. Else q decides,
    where there is none the interval of the difference, and of too few questions for a rate Fisher's test."""
    if longer(attack, control):
        return _of_turns(attack, noise) >= CHANCE
    if row.difference is not None and row.difference <= 0:
        return True
    if attack.q is not None:
        return attack.q >= CHANCE
    if row.difference_interval is not None:
        return row.difference_interval[0] <= 0
    # Of too few questions for a rate there is no interval.
    unrated = row.success_rate is None and noise.rated > 0
    return unrated and fisher(row.success, row.rated, noise.success, noise.rated) >= CHANCE


def perhaps_chance(figures: Figures, name: str, row: Row) -> bool:
    """Whether chance, or an outage, would explain what a row of an attack broke, if it broke anything: every report
    claims the others, and their causes, and none of these."""
    attack = figures.attacks[name]
    if attack.expect != "same" or not row.success:
        return False
    control = figures.attacks.get(CONTROL)
    return figures.outage is not None or by_chance(attack, row, control_of(figures, name, row), control)


def control_of(figures: Figures, name: str, row: Row) -> Row:
    """The questions asked again unchanged, also those that the attack has no variant for, judged as the row was, and
    as often; a row of nothing if they were not."""
    attack, control = figures.attacks[name], figures.attacks.get(CONTROL)
    if attack.by_question:
        return attack.control
    return (control.own if row is attack.own else control.gold) if control else Row()


def weighed(figures: Figures) -> tuple[Cause, ...]:
    """The causes, those last that may not be one: no clearly larger share broke than of the questions asked again
    unchanged (Fisher's test, adjusted over the causes), or nobody asked these again. Variants of one question resemble
    each other: questions must show it as well as replies, and two at least. If chance would explain what the attack
    broke, that is what is in doubt, whatever the cause."""
    attacks = figures.attacks
    p = {cause: _p(cause, attacks) for cause in figures.causes if attacks[cause.attack].expect == "same"}
    q = benjamini_hochberg(p)
    found = (
        replace(
            cause,
            doubt="chance" if _all_chance(figures, cause.attack) else "cause" if q.get(cause, 0) >= CHANCE else "",
        )
        for cause in figures.causes
    )
    return tuple(sorted(found, key=lambda cause: ("", "cause", "chance").index(cause.doubt)))


def _all_chance(figures: Figures, name: str) -> bool:
    rows = [row for row in (figures.attacks[name].gold, figures.attacks[name].own) if row.success]
    return bool(rows) and all(perhaps_chance(figures, name, row) for row in rows)


def _p(cause: Cause, attacks: Mapping[str, AttackFigures]) -> float:
    attack, control = attacks[cause.attack], attacks.get(CONTROL)
    noise = attack.control if attack.by_question else next((row for row in _rows(control) if row.rated), Row())
    if longer(attack, control):
        return _of_turns(attack, noise)
    if cause.broken_questions < 2:
        return 1.0
    of_questions = fisher(cause.broken_questions, cause.questions, noise.success, noise.rated)
    return max(of_questions, fisher(cause.broken, cause.rated, noise.success, noise.rated))


def _rows(control: AttackFigures | None) -> tuple[Row, ...]:
    return (control.gold, control.own) if control else ()


def _of_turns(attack: AttackFigures, noise: Row) -> float:
    before, after = attack.turns.before, attack.turns.after
    return fisher(after.broken, after.rated, before.broken + noise.success, before.rated + noise.rated)
