"""Games as people and tools read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from botattack.games.events import Dealt, GameEnded, GameEvent, GamesStarted
from botattack.games.friends import HEARD
from botattack.games.game import outcome
from botattack.games.strategies import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.games import Difference, GamesFigures, StrategyFigures
from botattack.report.figures.statistics import Interval
from botattack.report.numbers import NONE, count, percent, span
from botattack.report.writers.report_files import whole_file

HEADS = ("strategy", "completed", "turns", "completed, difference", "turns, difference")


def cells(figures: GamesFigures) -> Iterator[tuple[str, ...]]:
    """A row for each strategy, under HEADS."""
    for name, found in figures.strategies.items():
        done = f"{found.outcomes['completed']}/{found.played}"
        rate = f"{percent(found.rate)} ({span(found.interval)}), {done}" if found.interval else f"{done} (few games)"
        turns = f"{found.turns:.1f} ({_between(found.turns_interval, 1)})" if found.turns_interval else NONE
        more = (
            (NONE, NONE)
            if name == CONTROL
            else (shown_difference(found.completed, 100), shown_difference(found.turns_more))
        )
        yield name, rate, turns, *more


def shown_difference(found: Difference | None, times: float = 1) -> str:
    """In points of a percentage, or in turns."""
    if found is None or found.mean is None or found.interval is None or found.p is None:
        return NONE
    low, high = found.interval
    p = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
    return f"{times * found.mean:+.1f} ({_between((times * low, times * high), 1, sign='+')}), {p}"


def _between(interval: Interval | None, digits: int, sign: str = "") -> str:
    low, high = interval or (0.0, 0.0)
    return f"{low:{sign}.{digits}f} – {high:{sign}.{digits}f}"


def ends(found: StrategyFigures) -> str:
    """How the games of a strategy ended, beside those that were completed."""
    return ", ".join(f"{name} {number}" for name, number in found.outcomes.items() if number and name != "completed")


def table(figures: GamesFigures) -> Iterator[str]:
    """The figures for a terminal."""
    if figures.run:
        partner = figures.run.partner or "itself"
        deals = count(figures.run.total, "deal")
        yield f"{visible(figures.run.target)} plays with {visible(partner)}: {deals}, at most {figures.run.turns} turns"
    rows = [HEADS, *cells(figures)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    for name, found in figures.strategies.items():
        if others := ends(found):
            yield f"{name}: {others}"
    control = figures.strategies.get(CONTROL)
    if control and control.played and not control.outcomes["completed"]:
        yield "no undisturbed game was completed: that the others were not shows nothing"
    if figures.broken_off:
        yield f"{count(figures.broken_off, 'turn')} of games that broke off"


def write(path: Path, figures: GamesFigures) -> None:
    """The figures as JSON; raises ReportError if the file cannot be written."""
    with whole_file(path) as file:
        json.dump(msgspec.to_builtins(figures), file, indent=2, ensure_ascii=False)
        file.write("\n")


def talk(events: Iterable[GameEvent], game: int) -> Iterator[str]:
    """What was said in a game under each strategy, with what the other heard of it where that differs."""
    deal = None
    for event in events:
        if isinstance(event, Dealt) and event.game == game:
            deal = event.deal
            yield f"shared: {visible(', '.join(deal.shared))}"
        if isinstance(event, GameEnded) and event.game == game and deal:
            yield f"\n{event.strategy}"
            replies = [reply.text for reply in event.replies]
            for turn, said in enumerate(replies):
                yield f"{turn:>3} {'AB'[turn % 2]}  {visible(said)}"
                heard = event.heard[turn + 1] if turn + 1 < len(event.heard) else said
                heard = heard if turn else heard.partition(f"\n{HEARD}")[2] or said
                if heard.strip() != said.strip():
                    yield f"       heard: {visible(heard)}"
            yield f"    {event.failure.message if event.failure else outcome(deal, replies)}"


def counting(say: Callable[[str], None]) -> Callable[[GameEvent], None]:
    """Says how many games are over, each time another tenth of them is."""
    known = {"over": 0, "of": 0}

    def update(event: GameEvent) -> None:
        if isinstance(event, GamesStarted):
            known["of"] = event.total * len(event.strategies)
        if isinstance(event, GameEnded):
            known["over"] += 1
            if known["over"] * 10 % max(known["of"], 10) < 10:
                say(f"{known['over']} games of {known['of']} are over")

    return update
