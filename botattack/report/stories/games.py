"""Games as people read them: a story of the figures, and what was said in a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from botattack.config.docstrings import lowered
from botattack.games.events import Dealt, GameEnded, GameEvent, GamesStarted
from botattack.games.friends import HEARD, Deal
from botattack.games.game import outcome
from botattack.games.strategies import CONTROL, PLAIN, Strategy
from botattack.report.escape import visible
from botattack.report.figures.games import Difference, GamesFigures, StrategyFigures
from botattack.report.numbers import NONE, count, percent, rounded, span
from botattack.report.report_files import story_files
from botattack.report.statistics.intervals import Interval
from botattack.report.story.blocks import (
    Block,
    Example,
    Examples,
    Fact,
    Facts,
    Figure,
    FigureRow,
    Line,
    Section,
    Sentence,
    Story,
    Table,
)
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.measure_words import p_value
from botattack.report.wording.words import gates

HEADS = ("strategy", "completed", "turns", "completed, difference", "turns, difference", "other ends")
Events = Callable[[], Iterable[GameEvent]]


def story(figures: GamesFigures, events: Events = tuple) -> Story:
    """How many games are completed under each strategy, beside the undisturbed; `events` give examples."""
    run = figures.run
    partner = (visible(run.partner) if run.partner else "itself") if run else ""
    small = f"plays MutualFriends with {partner}" if run else ""
    title = visible(run.target) if run else "games"
    return Story(title, headline(figures), tuple(_blocks(figures, events)), small)


def _blocks(figures: GamesFigures, events: Events) -> Iterator[Block]:
    yield FigureRow(tuple(_figure(name, one) for name, one in figures.strategies.items()))
    if run := figures.run:
        partner = visible(run.partner) if run.partner else "itself"
        deals = f"{count(run.total, 'deal')}, at most {run.turns} turns"
        yield Sentence(f"{visible(run.target)} plays with {partner}: {deals}")
    if figures.gates:
        yield Facts(tuple(Fact(state, gate, "bad" if state == "FAILED" else "good") for state, gate in gates(figures)))
    control = figures.strategies.get(CONTROL)
    if control and control.played and not control.outcomes["completed"]:
        yield Sentence("No undisturbed game was completed, so the other figures say nothing.", "warning")
    if shown := tuple(map(_example, _only_undisturbed(events))):
        note = "What was said stands in brackets, then what the other player heard."
        yield Section(
            "Games that were completed only undisturbed", (Examples(shown), Sentence(note, "note")), folded=True
        )
    note = "Differences are those from the undisturbed games of the same deals, in points of a percentage and in turns."
    rows = ((f"{PLAIN[name]} ({name})", *row[1:]) for name, row in zip(figures.strategies, cells(figures), strict=True))
    yield Section("Every strategy", (Sentence(note, "note"), Table.of(HEADS, rows, after=len(HEADS) - 1)))
    if figures.broken_off:
        yield Sentence(f"{count(figures.broken_off, 'turn')} of games that broke off", "note")


def _figure(name: Strategy, one: StrategyFigures) -> Figure:
    done = one.outcomes["completed"]
    small = f"{done} of {one.played} completed" + (f"; 95 % interval {span(one.interval)}" if one.interval else "")
    return Figure(f"{done}" if one.rate is None else rounded(one.rate), PLAIN[name], (small,))


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
        others = ((end, number) for end, number in found.outcomes.items() if number and end != "completed")
        ends = ", ".join(f"{end} {number}" for end, number in others)
        yield name, rate, turns, *more, ends


def shown_difference(found: Difference | None, times: float = 1) -> str:
    """In points of a percentage, or in turns."""
    if found is None or found.mean is None or found.interval is None or found.p is None:
        return NONE
    low, high = found.interval
    return f"{times * found.mean:+.1f} ({_between((times * low, times * high), 1, sign='+')}), {p_value('p', found.p)}"


def _between(interval: Interval | None, digits: int, sign: str = "") -> str:
    low, high = interval or (0.0, 0.0)
    return f"{low:{sign}.{digits}f} – {high:{sign}.{digits}f}"


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


class Said(NamedTuple):
    """What a player said in a turn; `heard` is what the other heard of it, where that differs."""

    turn: int
    player: str
    text: str
    heard: str


def _example(game: ShownGame) -> Example:
    return Example(f"{game.title}: {game.end}", tuple(map(_line, game.said)))


def _line(said: Said) -> Line:
    """What was said, with what the other player heard in its place."""
    one, other = said.text.split(" "), (said.heard or said.text).split(" ")
    pieces = [MarkedText("user" if said.player == "A" else "bot", f"{said.player}, turn {said.turn}: ")]
    for what, start, end, begin, stop in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what == "equal":
            pieces.append(MarkedText("plain", " ".join(one[start:end]) + " "))
        else:
            pieces.append(MarkedText("before", " ".join(one[start:end])))
            pieces.append(MarkedText("after", " ".join(other[begin:stop]) + " "))
    return tuple(pieces)


class ShownGame(NamedTuple):
    """A game as it was played under a strategy."""

    title: str
    said: tuple[Said, ...]
    end: str


def _only_undisturbed(events: Events) -> Iterator[ShownGame]:
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


def talk(events: Iterable[GameEvent], game: int) -> Story:
    """What was said in a game under each strategy, with what the other heard of it where that differs."""
    played = [(event, deal) for event, deal in _played(events) if event.game == game]
    shared = f": both know {visible(', '.join(played[0][1].shared))}" if played else " is not in this recording"
    shown = tuple(_example(ShownGame(PLAIN[one.strategy], tuple(_said(one)), _end(one, deal))) for one, deal in played)
    return Story("a game", f"game {game}{shared}", (Examples(shown),))


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


FILES = story_files("report of games", story, lambda figures, *_: figures)
