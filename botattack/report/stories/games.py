"""Games as people read them: a story of the figures, and what was said in a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher

from botattack.games.events import GameEnded, GameEvent, GamesStarted
from botattack.games.friends import HEARD
from botattack.games.game import CONTROL, PLAIN
from botattack.report.escape import visible
from botattack.report.figures.games import Difference, GamesFigures
from botattack.report.numbers import NONE, count, percent, rounded, span
from botattack.report.report_files import story_files
from botattack.report.stories.first_screen import between
from botattack.report.story.blocks import (
    Block,
    Example,
    Examples,
    Fact,
    Facts,
    Figure,
    FigureRow,
    Section,
    Sentence,
    Story,
    Table,
)
from botattack.report.wording.marks import MarkedText
from botattack.report.wording.measure_words import p_value
from botattack.report.wording.words import ended, terms

HEADS = ("strategy", "completed", "turns", "completed, difference", "turns, difference", "other ends")
Events = Callable[[], Iterable[GameEvent]]


def story(figures: GamesFigures, events: Events = tuple) -> Story:
    """How many games are completed under each strategy, beside the undisturbed; `events` give examples."""
    run = figures.run
    partner = (visible(run.partner) if run.partner else "itself") if run else ""
    played = f"plays MutualFriends with {partner}: {count(run.total, 'deal')}, at most {run.turns} turns" if run else ""
    return Story(visible(run.target) if run else "games", headline(figures), tuple(_blocks(figures, events)), played)


def _blocks(figures: GamesFigures, events: Events) -> Iterator[Block]:
    control = figures.strategies.get(CONTROL)
    yield FigureRow(tuple(_cards(figures)))
    if control and control.played and not control.outcomes["completed"]:
        yield Sentence("No undisturbed game was completed, so the other figures say nothing.", "warning")
    if shown := tuple(map(_example, _broken(events))):
        note = "Where a message was altered, what was said comes first, then what the other player heard."
        title = "Games completed undisturbed, but not under the strategy named"
        yield Section(title, (Examples(shown), Sentence(note, "note")), shown="files")
    named = [(PLAIN[name], *row) for name, row in zip(figures.strategies, cells(figures), strict=True)]
    table = Table.of(HEADS[:-1], ((plain, *row[:-1]) for plain, _, *row in named), after=1)
    # A column of a terminal has no room for the names that files give strategies.
    ends = (Fact(plain, f"{name}; not completed: {row[-1]}" if row[-1] else name) for plain, name, *row in named)
    yield Section("Every strategy", (Sentence(terms("notes")["games"], "note"), table, Facts(tuple(ends))))
    if figures.again:
        yield Sentence(f"A game broke off and began again {count(figures.again, 'time')}.", "note")


def _cards(figures: GamesFigures) -> Iterator[Figure]:
    for name, found in figures.strategies.items():
        done = f"{found.outcomes['completed']} of {found.played} games completed"
        big = rounded(found.rate) if found.rate is not None and found.interval else f"{found.outcomes['completed']}"
        small = (f"{between(found.interval)} (95 % interval)",) if found.interval else ()
        yield Figure(big, PLAIN[name], (done, *small))


def cells(figures: GamesFigures) -> Iterator[tuple[str, ...]]:
    """A row for each strategy, under HEADS."""
    for name, found in figures.strategies.items():
        done = f"{found.outcomes['completed']}/{found.played}"
        rate = f"{percent(found.rate)} ({span(found.interval)}), {done}" if found.interval else f"{done} (few games)"
        low, high = found.turns_interval or (0, 0)
        # No game was resampled that took another number of turns: that is no interval of no width.
        between = f"({low:.1f} – {high:.1f})" if low < high else "in every game"
        turns = f"{found.turns:.1f} {between}" if found.turns_interval else NONE
        more = shown_difference(found.completed, 100), shown_difference(found.turns_more)
        others = ((end, number) for end, number in found.outcomes.items() if number and end != "completed")
        yield name, rate, turns, *more, ", ".join(f"{end} {number}" for end, number in others)


def shown_difference(found: Difference | None, times: float = 1) -> str:
    """In points of a percentage, or in turns."""
    if found is None or found.mean is None or found.interval is None or found.p is None:
        return NONE
    mean, low, high = (f"{times * each:+.1f}".replace("-", "−") for each in (found.mean, *found.interval))
    between = f"({low} to {high})" if found.interval[0] < found.interval[1] else "in every deal"
    return f"{mean} {between}, {p_value('p', found.p)}"


def headline(figures: GamesFigures) -> str:
    """Return one sentence: the disturbance that ends most games early, compared with undisturbed games."""
    before = ended(figures.end.exit, figures.end.why) if figures.end else ended(None, "")
    shares = {name: one.outcomes["completed"] / one.played for name, one in figures.strategies.items() if one.played}
    disturbed = shares.keys() - {CONTROL}
    if not disturbed:
        return f"{before}No disturbed game was played."
    worst = min(sorted(disturbed), key=lambda name: shares[name])
    done = [
        f"{PLAIN[name]}: {one.outcomes['completed']:,} of {count(one.played, 'game')} completed"
        for name in (worst, CONTROL)
        if (one := figures.strategies.get(name)) and one.played
    ]
    return f"{before}{'; '.join(done)}."


def _example(game: GameEnded) -> Example:
    """A game as it was played under a strategy."""
    end = visible(game.failure.message) if game.failure else game.outcome
    return Example(f"{PLAIN[game.strategy]}, game {game.game}: {end}", tuple(_said(game)))


def _said(game: GameEnded) -> Iterator[tuple[MarkedText, ...]]:
    """What was said in each turn, with what the other player heard in its place."""
    for turn, reply in enumerate(game.replies):
        heard = game.heard[turn + 1] if turn + 1 < len(game.heard) else reply.text
        heard = heard if turn else heard.partition(f"\n{HEARD}")[2] or reply.text
        one, other = (visible(text.strip()).split(" ") for text in (reply.text, heard))
        pieces = [MarkedText("bot" if turn % 2 else "user", f"{'AB'[turn % 2]}, turn {turn}: ")]
        for what, start, end, begin, stop in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if what == "equal":
                pieces.append(MarkedText("plain", " ".join(one[start:end]) + " "))
            else:
                pieces.append(MarkedText("before", " ".join(one[start:end])))
                pieces.append(MarkedText("after", " ".join(other[begin:stop]) + " "))
        yield tuple(pieces)


def _broken(events: Events) -> Iterator[GameEnded]:
    """Of each strategy the first game that was completed undisturbed and not under it, if it did not fail."""
    over = [event for event in events() if isinstance(event, GameEnded)]
    done = {event.game for event in over if event.strategy == CONTROL and event.outcome == "completed"}
    shown: set[str] = {CONTROL}
    for event in sorted(over, key=lambda event: event.game):
        if event.game in done and event.strategy not in shown and event.outcome in ("turn limit", "silent"):
            shown.add(event.strategy)
            yield event


def counting(say: Callable[[str], None]) -> Callable[[GameEvent], None]:
    """Says how many games are over, each time another tenth of them is."""
    over, of = 0, 10

    def update(event: GameEvent) -> None:
        nonlocal over, of
        if isinstance(event, GamesStarted):
            of = event.total * len(event.strategies)
        if isinstance(event, GameEnded):
            over += 1
            if over * 10 % max(of, 10) < 10:
                say(f"{over} games of {of} are over")

    return update


FILES = story_files("report of games", story, lambda figures, *_: figures)
