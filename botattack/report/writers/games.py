"""Games as people and tools read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import msgspec

from botattack.config.docstrings import lowered
from botattack.games.events import Dealt, GameEnded, GameEvent, GamesStarted
from botattack.games.friends import HEARD, Deal
from botattack.games.game import outcome
from botattack.games.strategies import CONTROL, PLAIN
from botattack.report.escape import visible
from botattack.report.figures.games import Difference, GamesFigures, StrategyFigures
from botattack.report.numbers import NONE, count, percent, rounded, span
from botattack.report.page_template import rendered
from botattack.report.report_files import by_ending, whole_file
from botattack.report.statistics.intervals import Interval
from botattack.report.wording.words import gates
from botattack.report.writers.markdown import fenced, ours, row

TURNS = 10
"""Turns of an example that are shown at once."""
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
    yield headline(figures)
    if figures.run:
        partner = figures.run.partner or "itself"
        deals = count(figures.run.total, "deal")
        yield f"{visible(figures.run.target)} plays with {visible(partner)}: {deals}, at most {figures.run.turns} turns"
    lines = [HEADS, *cells(figures)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(HEADS))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
    for name, found in figures.strategies.items():
        if others := ends(found):
            yield f"{name}: {others}"
    control = figures.strategies.get(CONTROL)
    if control and control.played and not control.outcomes["completed"]:
        yield "no undisturbed game was completed, so the other figures say nothing"
    for state, gate in gates(figures):
        yield f"gate {state}: {gate}"
    if figures.broken_off:
        yield f"{count(figures.broken_off, 'turn')} of games that broke off"


def headline(figures: GamesFigures) -> str:
    """What keeps most games from their end, in one sentence, beside the undisturbed games."""
    disturbed = {name: one for name, one in figures.strategies.items() if name != CONTROL and one.played}
    if not disturbed:
        return "No disturbed game was played."
    worst = min(disturbed, key=lambda name: disturbed[name].outcomes["completed"] / disturbed[name].played)
    control = figures.strategies.get(CONTROL)
    beside = f"; undisturbed, {_done(control)}" if control and control.played else ""
    return f"With {lowered(PLAIN[worst])}, {_done(disturbed[worst], ' of the games are completed')}{beside}."


def _done(found: StrategyFigures, what: str = "") -> str:
    """`24 % of the games are completed (47 of 200)`, `94 % (189 of 200)`, or `3 of 7 games` of too few."""
    done = found.outcomes["completed"]
    if found.rate is None:
        return f"{done:,} of {count(found.played, 'game')}" + (" are completed" if what else "")
    return f"{rounded(found.rate)}{what} ({done:,} of {found.played:,})"


def write(path: Path, figures: GamesFigures, events: Callable[[], Iterable[GameEvent]] = tuple) -> None:
    """The figures as JSON, or a report as Markdown or HTML, as the file is called; `events` are those of the recording,
    for examples. Raises ReportError if there is no such report or the file cannot be written."""
    writers = {".json": _json, ".md": _markdown, ".html": _page, ".htm": _page}
    write_lines = by_ending(path, writers, "report of games")
    with whole_file(path) as file:
        file.writelines(write_lines(figures, events))


def _json(figures: GamesFigures, events: Callable[[], Iterable[GameEvent]]) -> Iterator[str]:
    del events
    yield json.dumps(msgspec.to_builtins(figures), indent=2, ensure_ascii=False) + "\n"


def _markdown(figures: GamesFigures, events: Callable[[], Iterable[GameEvent]]) -> Iterator[str]:
    lines = [f"**{ours(headline(figures))}**", ""]
    lines += [f"- {state}: {ours(gate)}" for state, gate in gates(figures)]
    lines += ["", row(HEADS), row(("---", *["---:"] * (len(HEADS) - 1)))]
    plain = {str(name): f"{called} ({name})" for name, called in PLAIN.items()}
    lines += [row((plain[name], *others)) for name, *others in cells(figures)]
    for shown in examples(events):
        lines += ["", *fenced([shown.title, *(line for said in shown.said for line in _lines(said)), shown.end])]
    yield from (f"{line}\n" for line in lines)


def _page(figures: GamesFigures, events: Callable[[], Iterable[GameEvent]]) -> Iterator[str]:
    yield rendered(
        "games.html",
        ("page.css",),
        figures=figures,
        headline=headline(figures),
        gates=gates(figures),
        heads=HEADS,
        rows=list(cells(figures)),
        ends={name: ends(found) for name, found in figures.strategies.items()},
        examples=list(examples(events)),
        plain=PLAIN,
        compared=lambda said: list(_compared(said)),
        TURNS=TURNS,
        percent=rounded,
        span=span,
        visible=visible,
        CONTROL=CONTROL,
    )


class Said(NamedTuple):
    """What a player said in a turn; `heard` is what the other heard of it, where that differs."""

    turn: int
    player: str
    text: str
    heard: str


def _compared(said: Said) -> Iterator[tuple[str, str, str]]:
    """Words that were heard as they were said, then what was said and what was heard in its place, and so on."""
    one, other = said.text.split(" "), (said.heard or said.text).split(" ")
    same = ""
    for what, start, end, begin, stop in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what == "equal":
            same = " ".join(one[start:end]) + " "
        else:
            yield same, " ".join(one[start:end]), " ".join(other[begin:stop])
            same = ""
    if same:
        yield same, "", ""


class ShownGame(NamedTuple):
    """A game as it was played under a strategy."""

    title: str
    said: tuple[Said, ...]
    end: str


def examples(events: Callable[[], Iterable[GameEvent]]) -> Iterator[ShownGame]:
    """Of each strategy the first game that was completed undisturbed and not under it."""
    done, missed = set[int](), dict[str, list[int]]()
    for event, deal in _played(events()):
        completed = not event.failure and outcome(deal, [reply.text for reply in event.replies]) == "completed"
        if event.strategy == CONTROL and completed:
            done.add(event.game)
        elif event.strategy != CONTROL and not completed:
            missed.setdefault(event.strategy, []).append(event.game)
    wanted = {strategy: min(done.intersection(games), default=None) for strategy, games in missed.items()}
    for event, deal in _played(events()):
        if wanted.get(event.strategy) == event.game:
            yield ShownGame(f"{PLAIN[event.strategy]}, game {event.game}", tuple(_said(event)), _end(event, deal))


def _played(events: Iterable[GameEvent]) -> Iterator[tuple[GameEnded, Deal]]:
    """Each game that is over, with its tables."""
    deals: dict[int, Deal] = {}
    for event in events:
        if isinstance(event, Dealt):
            deals[event.game] = event.deal
        elif isinstance(event, GameEnded) and event.game in deals:
            yield event, deals[event.game]


def _said(event: GameEnded) -> Iterator[Said]:
    replies = [reply.text for reply in event.replies]
    for turn, said in enumerate(replies):
        heard = event.heard[turn + 1] if turn + 1 < len(event.heard) else said
        heard = heard if turn else heard.partition(f"\n{HEARD}")[2] or said
        differs = heard.strip() != said.strip()
        yield Said(turn, "AB"[turn % 2], visible(said), visible(heard) if differs else "")


def _end(event: GameEnded, deal: Deal) -> str:
    return visible(event.failure.message) if event.failure else outcome(deal, [reply.text for reply in event.replies])


def _lines(said: Said) -> Iterator[str]:
    yield f"{said.turn:>3} {said.player}  {said.text}"
    if said.heard:
        yield f"       heard: {said.heard}"


def talk(events: Iterable[GameEvent], game: int) -> Iterator[str]:
    """What was said in a game under each strategy, with what the other heard of it where that differs."""
    shown = False
    for event, deal in _played(events):
        if event.game == game:
            if not shown:
                yield f"shared: {visible(', '.join(deal.shared))}"
            shown = True
            yield f"\n{event.strategy}"
            yield from (line for said in _said(event) for line in _lines(said))
            yield f"    {_end(event, deal)}"


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
