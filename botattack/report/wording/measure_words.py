"""How the measures beside the success rates are put in words: accuracies, differences, what they mean."""

from __future__ import annotations

from botattack.model import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.figure_values import Figures, Measure
from botattack.report.figures.gates import without
from botattack.report.numbers import NONE, percent, span
from botattack.report.statistics.intervals import Interval
from botattack.report.wording.words import by_own, terms


def against_control(figures: Figures) -> list[tuple[str, str, str]]:
    """Of each attack how far its rate is from the control's, and how sure that is."""
    found = []
    for name, attack in figures.attacks.items():
        row = attack.gold
        if row.difference is not None and row.difference_interval is not None:
            sure = "" if attack.q is None else f", {p_value('q', attack.q)}"
            found.append((visible(name), points(row.difference), point_span(row.difference_interval) + sure))
    return found


def overall(figures: Figures) -> list[tuple[str, str, str]]:
    """The measures over all attacks. Micro and macro means are distinguished only where there are two."""
    if any(map(by_own, figures.attacks.values())) and not any(each.gold.asked for each in figures.attacks.values()):
        return [("accuracies", NONE, "need known answers")]
    attacks = [name for name, attack in figures.attacks.items() if name != CONTROL and attack.expect == "same"]
    shown: dict[str, Measure] = {}
    for name, measure in figures.measures.items():
        base, _, mean = name.partition(", ")
        one = len(attacks) < 2 or (measure.value is None and shown.get(base, measure).value is None)
        if not mean or not one:
            shown[name] = measure
        elif mean == "micro":
            shown[base] = measure
    return [(name, value + without(name, figures), sure) for name, value, sure in measures(shown)]


def explained(name: str) -> str:
    """What a measure is, in plain words; empty if its name says it."""
    base, _, mean = name.partition(", ")
    known = terms("measures")
    return "; ".join(filter(None, (known.get(base, ""), known.get(mean, ""))))


def measures(found: dict[str, Measure]) -> list[tuple[str, str, str]]:
    """Name, value with its count, and interval or the reason why there is none; what lacks the same stands together."""
    lacking: dict[str, list[str]] = {}
    for name, each in found.items():
        if each.value is None and not each.n and each.note:
            lacking.setdefault(each.note, []).append(name)
    grouped = {name for names in lacking.values() for name in names}
    rows = [(name, *_measure(each)) for name, each in found.items() if name not in grouped]
    for note, names in lacking.items():
        rows.append((names[0], NONE, note) if len(names) == 1 else ("not given", NONE, f"{', '.join(names)}: {note}"))
    return rows


def _measure(each: Measure) -> tuple[str, str]:
    counted = "" if each.x is None or not each.n else f" ({each.x:,}/{each.n:,})"
    sure = span(each.interval) if each.interval else each.note
    if each.value is None:
        return counted.strip(" ()") or NONE, each.note or NONE
    return percent(each.value) + counted, sure


def signed(change: float) -> str:
    """A difference of two rates in percentage points, with its sign and without its unit."""
    return f"{100 * change:+.1f}".replace("-", "−")


def points(change: float) -> str:
    return f"{signed(change)} points"


def point_span(interval: Interval) -> str:
    return " to ".join(map(signed, interval))


def p_value(name: str, value: float) -> str:
    return f"{name} < 0.001" if value < 0.001 else f"{name} = {value:.3f}"
