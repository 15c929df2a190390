"""Bots side by side as a story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from botattack.report.comparison.diff import ORIGINALS, DiffRow
from botattack.report.comparison.side_by_side import Breaks, SharedAdversary, SideBySide, differs
from botattack.report.escape import visible
from botattack.report.numbers import NONE, count, percent, span
from botattack.report.report_files import story_files
from botattack.report.stories.comparison import cells
from botattack.report.story.blocks import Block, Example, Examples, Fact, Section, Sentence, Story, Table
from botattack.report.wording.alterations import marked
from botattack.report.wording.measure_words import p_value
from botattack.report.wording.outcomes import expected_of, reproduce
from botattack.report.wording.words import broke_once, terms

VERDICT, WHOLE = "worse", "in its whole run"
"""The headings of last columns of words."""
LISTED = 20
"""Shared adversaries that are shown; JSON has more."""
AT_FIRST = 3
"""Rows of each table, tables of pairs, and shared adversaries that a terminal shows."""


def story(found: SideBySide) -> Story:
    """What breaks several bots, what breaks each, and whether one breaks more often than another; the worst rows come
    first."""
    return Story("bots side by side", headline(found), tuple(_blocks(found, None)))


def screen(found: SideBySide) -> Story:
    """What a terminal shows: the worst of it, as files have the rest."""
    return replace(story(found), blocks=tuple(_blocks(found, AT_FIRST)))


def headline(found: SideBySide) -> str:
    """`5 of 40 questions have a variant that breaks more than one of 3 bots (12 variants).`"""
    have = "has" if found.shared_questions == 1 else "have"
    several = f"of {count(found.questions, 'question')} in every run {have} a variant that breaks more than one of"
    units = f" ({count(found.shared_units, 'variant')})" if found.shared_units else ""
    return f"{found.shared_questions:,} {several} {len(found.bots)} bots{units}."


def _blocks(found: SideBySide, most: int | None) -> Iterator[Block]:
    yield from (Sentence(f"note: {visible(note)}", "note") for note in found.notes)
    for title, header, rows in _tables(found, most):
        if shown := rows[: most if header[0] != "bot" else None]:
            means = Sentence(terms("side by side")[title.partition(":")[0]], "note")
            table = Table.of(header, shown, after=len(header) - (header[-1] in (VERDICT, WHOLE)))
            cut = f" (the worst {len(shown):,} of {len(rows):,} rows)" * (len(shown) < len(rows))
            yield Section(f"{title}{cut}", (means, table))
    if found.shared:
        listed = most or LISTED
        more = found.shared_units - listed
        note = "Variants that break more than one bot, those that break most first."
        note += f" {more:,} more are in the JSON file (-o FILE.json)." if more > 0 else ""
        examples = Examples(tuple(_adversary(one, found) for one in found.shared[:listed]))
        yield Section("Shared adversaries", (Sentence(note, "note"), examples))


def _tables(found: SideBySide, pairs: int | None) -> Iterator[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    """Title, header and rows of each table, the worst rows first; a first cell is the name of its row."""
    names = tuple(visible(bot.name) for bot in found.bots)
    right = (f"{bot.right:,}/{bot.decided:,}" for bot in found.bots)
    bots = zip(names, right, (broke_once(bot.broken) for bot in found.bots), strict=True)
    yield "Originals answered correctly", ("bot", "correct", WHOLE), tuple(bots)
    attacks = sorted(found.attacks.items(), key=lambda one: -max(each.rate or 0 for each in one[1]))
    broken = tuple((visible(name), *map(_share, breaks)) for name, breaks in attacks)
    yield "What breaks each bot", ("attack", *names), broken
    both = tuple(
        (f"{names[one.source]}, {names[one.to]}", _share(one.both), span(one.both.interval), percent(one.chance))
        for one in sorted(found.transfers, key=lambda one: -(one.both.rate or 0))
    )
    yield "Transfer", ("what breaks, also breaks", "share", "95 % interval", "by chance"), both
    header = ("row", "questions", "first", "second", "difference (95 % interval)", "q", VERDICT)
    for pair in sorted(found.pairs, key=lambda pair: min(row.q if row.q is not None else 1 for row in pair.rows))[
        :pairs
    ]:
        title = f"Paired tests: {names[pair.first]} (first) and {names[pair.second]} (second)"
        rows = sorted(pair.rows, key=lambda row: (row.name != ORIGINALS, row.q is None, row.q))
        yield title, header, tuple(map(_pair, rows))


def _pair(row: DiffRow) -> tuple[str, ...]:
    """The bots' names are above the table: 80 columns have no room for them."""
    worse, (name, *figures, change, between, _) = differs(row), cells(row)
    verdict = ("first", "second")[worse] if worse is not None else "too few" if row.q is None else "unclear"
    q = NONE if row.q is None else p_value("", row.q).removeprefix(" = ").strip()
    return (name, *figures, f"{change} ({between})" if row.interval else change, q, verdict)


def _share(breaks: Breaks) -> str:
    return f"{breaks.broken:,}/{breaks.units:,}" + (f" ({percent(breaks.rate)})" if breaks.units else "")


def _adversary(one: SharedAdversary, found: SideBySide) -> Example:
    """What was sent, what is right, what each bot said, and the command that shows more."""
    answers = [Fact("expected", expected_of(one.expected, one.expect))]
    for number, reply in sorted(one.replies.items()):
        state = "broke" if number in one.broke else "held"
        answers.append(Fact(state, f"{visible(found.bots[number].name)}: {visible(reply) or '(nothing)'}"))
    command = reproduce(one.unit, found.bots[one.broke[0]].recording)
    return Example(visible(one.row), tuple(marked(one.alteration)), tuple(answers), command)


FILES = story_files("comparison of bots", story, lambda found: found)
