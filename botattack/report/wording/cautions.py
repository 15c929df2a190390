"""Sentences on which attacks' figures say less than they seem to, and why."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.report.escape import visible
from botattack.report.figures.figure_values import CONTROL, AttackFigures, Coverage, Figures, Row
from botattack.report.numbers import count, span
from botattack.report.statistics.significance import fisher

CHANCE = 0.05
"""From this q on, a share may be that of the unchanged questions."""
ASK_UNSURE = "a line `ask_unsure: true` in the campaign file, or --ask-unsure of botattack run, asks these too"


def cautions(figures: Figures) -> list[str]:
    """A sentence for each reason to doubt the figures of an attack."""
    return [
        sentence
        for name, attack in figures.attacks.items()
        if name != CONTROL
        for sentence in _of(visible(name), attack, figures.attacks.get(CONTROL))
    ]


def nothing_asked(figures: Figures) -> str:
    """What to say of a run none of whose attacks had a variant to ask; empty for others."""
    attacks = [attack for name, attack in figures.attacks.items() if name != CONTROL]
    rows = [row for attack in attacks for row in (attack.gold, attack.unsure, attack.own)]
    if any(row.asked or row.probes for row in rows) or not any(attack.coverage.attacked for attack in attacks):
        return ""
    unsure = any(attack.coverage.unsure for attack in attacks)
    why = f"some may ask something else, and {ASK_UNSURE}" if unsure else "no attack could alter any of these questions"
    return f"no variant was asked: {why}"


def longer(attack: AttackFigures, control: AttackFigures | None) -> bool:
    """Whether the variants of an attack have more judged turns than the control, so that more replies can go wrong."""
    return control is not None and attack.turns.most > control.turns.most


def by_chance(attack: AttackFigures, row: Row, noise: Row, control: AttackFigures | None) -> bool:
    """Whether chance would explain what a row of an attack broke. What has more turns than the control is compared turn
    by turn: its altered turns with the unaltered ones and the unchanged questions."""
    if longer(attack, control):
        before, after = attack.turns.before, attack.turns.after
        return fisher(after.broken, after.rated, before.broken + noise.success, before.rated + noise.rated) >= CHANCE
    if row.difference is not None and row.difference <= 0:
        return True
    if attack.q is not None:
        return attack.q >= CHANCE
    return row.difference_interval is not None and row.difference_interval[0] <= 0


def _of(name: str, attack: AttackFigures, control: AttackFigures | None) -> Iterator[str]:
    if attack.coverage.thin:
        yield few(name, attack.coverage, asked=attack.unsure.asked > 0)
    if not attack.gold.success:
        return
    if control and longer(attack, control) and by_chance(attack, attack.gold, control.gold, control):
        yield f"{name} may have broken these answers by chance: its altered turns break no more than unaltered ones"
    if (attack.q is not None or attack.by_question) and by_chance(attack, attack.gold, Row(), None):
        yield f"{name} may have broken these answers by chance: too close to what breaks when asked again unchanged"
    alone = attack.corrected and attack.corrected.by_errors_alone
    if alone and attack.gold.success_rate is not None and attack.gold.success_rate <= alone[1]:
        seen = span(alone)
        yield f"{name} may only seem to break answers: the judge's errors make {seen} of a perfect bot look broken"


def few(attack: str, found: Coverage, *, asked: bool) -> str:
    """`negate has variants for 1 of 60 questions, so it says little about this bot: for 40 its variants may ask …`

    `asked` says whether variants of unsure meaning were asked, too; then what it says is only of the others.
    """
    none = found.attacked - found.carried - found.unsure
    why = (
        f"for {found.unsure:,} its variants may ask something else ({'counted apart' if asked else ASK_UNSURE})"
        if found.unsure
        else "",
        f"for {none:,} it has none" if none else "",
    )
    says = "little" if found.carried else "nothing"
    carried = f"{found.carried or 'none'} of {count(found.attacked, 'question')}"
    sure, subject = (" of sure meaning", "its rate") if asked else ("", "it")
    start = f"{visible(attack)} has variants{sure} for {carried}, so {subject} says {says} about this bot: "
    return start + ", ".join(filter(None, why))
