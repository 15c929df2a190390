"""What people said who read the run, in words: the same lines in every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from botattack.events import TRAITS, AskedOf
from botattack.report.escape import flowing, visible
from botattack.report.figures.figure_values import Figures, Measure, ReaderFigures, ReadFigures
from botattack.report.figures.readers import UNDERSTOOD
from botattack.report.numbers import count, percent, rounded, span
from botattack.report.statistics.agreement import Coefficient, Same
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.statistics.powered import LABELS
from botattack.report.wording.words import terms

UNREAD = "not read by people; see botattack judge review --help"
SHOWN = 5
"""Variants, or items, that are named one by one."""
TEXT = 120
"""Characters of a text that are shown."""


def lines(figures: Figures) -> list[str]:
    """What people found, a sentence each; that nobody read the run, if nobody did."""
    found = figures.readers
    if not found.asked:
        return [UNREAD]
    return [
        *_corrected(found),
        *_left(found),
        *(line for ask, read in found.asked.items() for line in _read(ask, read)),
    ]


def brief(figures: Figures) -> str:
    """What stands beside the headline: `Read by people: comprehension (3 readers, 100 items): 92.0 % (276 of 300; …) of
    the readings understood the variant.`"""
    asked = next(iter(figures.readers.asked.items()), None)
    return f"Read by people: {next(_read(*asked))}." if asked else "Not read by people."


def _corrected(found: ReaderFigures) -> Iterator[str]:
    """The rate that people's labels give, beside what the judge says."""
    corrected, judged = found.corrected, found.judged
    if corrected is None:
        if read := found.asked.get("verdict"):
            yield (
                f"no rate is corrected: people graded {read.items:,} replies, and it takes {LABELS} that are not "
                f"unclear, to variants of {MIN_QUESTIONS} questions that must not change the answer"
            )
        return
    instead = f", where the judge says {rounded(judged.value)}" if judged.value is not None else ""
    yield (
        "replies with a known answer to all attacks that must not change it, corrected by people's grades of "
        f"{corrected.labels:,}: {rounded(corrected.rate)} broken, with 95 % confidence {span(corrected.interval)}"
        f"{instead}"
    )


def _left(found: ReaderFigures) -> Iterator[str]:
    """How many variants left the rates, of which attack, and the first of them."""
    if not found.left:
        return
    of = ", ".join(
        f"{visible(attack)} {times:,}"
        for attack, times in sorted(Counter(variant.attack for variant in found.left).items())
    )
    yield f"{count(len(found.left), 'variant')} left the rates, as most readers call it another question: {of}"
    for variant in found.left[:SHOWN]:
        yield f"left out: {flowing(variant.sent, TEXT) or variant.unit} ({visible(variant.why)})"
    if more := found.left[SHOWN:]:
        yield f"and {count(len(more), 'more variant')}, in the CSV report"


def _read(ask: AskedOf, read: ReadFigures) -> Iterator[str]:
    who = f"{count(read.readers, 'reader')}, {count(read.items, 'item')}"
    if says := terms("understood").get(ask):
        all_of_them = _rate(read.rates[""])
        yield f"{ask} ({who}): {all_of_them} of the readings {says}"
        for group, rate in read.rates.items():
            if group and not _trait(group):
                yield f"{ask}, group {visible(group)}: {_rate(rate)}"
    else:
        said = ", ".join(f"{label}: {times:,}" for label, times in read.labels.items() if times)
        yield f"{ask} ({who}): {said}"
    if read.judge.n:
        yield f"{ask}, judged correct or not as people do: {read.judge.same:,} of {read.judge.n:,} that both decided"
    yield from _agreement(ask, read)


def by_trait(figures: Figures) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Of each trait of readers the header and the rows of a table: how many of their readings understood."""
    for ask, read in figures.readers.asked.items():
        for trait in TRAITS:
            rows: list[tuple[str, ...]] = [
                (
                    visible(group.removeprefix(f"{trait}: ")),
                    f"{rate.x:,}/{rate.n:,}",
                    percent(rate.value),
                    span(rate.interval),
                )
                for group, rate in read.rates.items()
                if _trait(group) == trait
            ]
            if rows:
                yield (f"{ask}, {trait.replace('_', ' ')}", UNDERSTOOD[ask], "share", "likely range"), rows


def _trait(group: str) -> str:
    """Which trait the group of readers shares; empty for a group that somebody named."""
    return next((trait for trait in TRAITS if group.startswith(f"{trait}: ")), "")


def _rate(rate: Measure) -> str:
    counted = f"{rate.x:,} of {rate.n:,}"
    return f"{percent(rate.value)} ({counted}; {span(rate.interval)})" if rate.interval else counted


def _agreement(ask: AskedOf, read: ReadFigures) -> Iterator[str]:
    if read.kappa.items:
        scale = " (ordinal)" if ask == "scale" else ""
        coefficients = (
            f"Fleiss' kappa {_coefficient(read.kappa)}, Krippendorff's alpha{scale} {_coefficient(read.alpha)}"
        )
        differ = f"readers differ on {len(read.disagreed):,} of {count(read.kappa.items, 'item')}"
        yield f"{ask}, agreement beyond chance (1 is perfect): {coefficients}; {differ}"
    shown = [_same(same) for same in read.pairs]
    shown += [_same(same, " on a second look") for same in read.repeats]
    if shown:
        yield f"{ask}, the same label: {', '.join(shown)}"
    if known := [_same(same) for same in read.known]:
        yield f"{ask}, items with a known answer, answered right: {', '.join(known)}"


def _coefficient(found: Coefficient) -> str:
    if found.value is None or found.interval is None:
        return "– (every label is the same)"
    return f"{found.value:.2f} ({found.interval[0]:.2f} – {found.interval[1]:.2f})"


def _same(same: Same, when: str = "") -> str:
    """`ann and ben 17 of 20`"""
    return f"{' and '.join(map(visible, same.readers))}{when} {same.same:,} of {same.n:,}"
