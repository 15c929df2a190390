"""Measures what games.md says: plays the games, and writes the measured part of the page.

From the project's root, with BOTATTACK_DATA as for benchmarks.measured.measure:

    python -m benchmarks.measured.measure_games players guessing  plays, 200 deals; the figures of other games stay
    python -m benchmarks.measured.measure_games smollm2=FOLDER    the figures of a recording that exists
    python -m benchmarks.measured.measure_games                   nothing is played, the page is written again

The figures are kept in games.json.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from botattack.audit.games import play_games, recorded
from botattack.audit.job import RunSettings
from botattack.config.games import load_games
from botattack.games.events import GameEnded
from botattack.games.friends import HEARD, Deal, action
from botattack.games.game import CONTROL
from botattack.report.figures.games import GamesFold
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.statistics.significance import bootstrap
from botattack.report.stories.games import HEADS, cells, shown_difference
from botattack.text.parts import parse, similarity

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("games.json")
PAGE = Path(__file__).with_name("games.md")
MARK = "<!-- Below this line the page is written by `python -m benchmarks.measured.measure_games`. -->"
FILES = {
    "players": "tests/games/games.yaml",
    "guessing": "tests/games/guessing.yaml",
    "smollm2": "games/mutual-friends-smollm2.yaml",
}
TITLES = {
    "players": "The two rule-based players of the tests, `Tells` (the target) and `Asks`",
    "guessing": "The same two players, which guess after every second message they hear",
    "smollm2": "SmolLM2-135M with itself",
}
PAPER = {
    "undisturbed": ("0.94", "16.06"),
    "random-inputs": ("0.82", "22.87"),
    "random-inputs-keep-entities": ("0.95", "17.19"),
    "confusing-entity": ("0.77", "24.11"),
}
"""Table 8 of the paper: completion rate and turns of DynoNet."""
LESS = ("random-inputs-keep-entities", "random-inputs")


def measured(recording: Path) -> dict[str, Any]:
    """What the page needs to know of a recording."""
    fold = GamesFold()
    for event in recorded(recording):
        fold.update(event)
    figures = fold.value()
    assert figures.run
    compared = fold.compared(*LESS) if set(LESS) <= figures.strategies.keys() else (None, None)
    return {
        "run": {
            name: getattr(figures.run, name) for name in ("target", "partner", "started", "seed", "total", "turns")
        },
        "stopped": figures.end.why if figures.end and figures.end.exit else "",
        "rows": [list(row[:-1]) for row in cells(figures)],
        "ends": {row[0]: row[-1] for row in cells(figures)},
        "kept less random": [shown_difference(compared[0], 100), shown_difference(compared[1])],
        "first replies": first_replies(recording),
    }


def first_replies(recording: Path) -> dict[str, list[str]]:
    """Of the first message and the reply to it, under each strategy beside the undisturbed game: the similarity of what
    was heard to what was said, and of the replies; activity and entity F1 of the replies. Up to then both games are the
    same. A selection is no message."""
    openings: dict[tuple[int, str], tuple[Deal, str, str, str]] = {}
    for event in recorded(recording):
        if isinstance(event, GameEnded) and len(event.replies) > 1:
            said, reply = (one.text.strip() for one in event.replies[:2])
            openings[event.game, event.strategy] = (event.deal, said, event.heard[1].partition(f"\n{HEARD}")[2], reply)
    values: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for (game, strategy), (deal, said, heard, reply) in openings.items():
        before = openings.get((game, CONTROL))
        if strategy != CONTROL and before and not action(said) and said == before[1]:
            values[strategy].append(
                (
                    near(said, heard),
                    near(before[3], reply),
                    *(f1(kind(deal, before[3]), kind(deal, reply)) for kind in (activities, entities)),
                )
            )
    return {name: [str(len(found)), *map(mean, zip(*found, strict=True))] for name, found in values.items()}


def mean(values: Sequence[float]) -> str:
    if len(values) < MIN_QUESTIONS:
        return "–"
    value, (low, high), _ = bootstrap(list(values), seed=0)
    return f"{value:.2f} ({low:.2f} – {high:.2f})"


def f1(one: frozenset[str], other: frozenset[str]) -> float:
    """Of two sets; 1 of two empty ones."""
    both = len(one & other)
    return 2 * both / (len(one) + len(other)) if one or other else 1.0


def entities(deal: Deal, text: str) -> frozenset[str]:
    return frozenset(found[0].lower() for found in deal.entities(text))


def activities(_: Deal, text: str) -> frozenset[str]:
    """The verbs of a text, by their lemmas."""
    (tokens,) = _parser().meet([{"text": text, "lang": "en"}])
    return frozenset(token.lemma for token in tokens if token.pos in ("VERB", "AUX"))


@cache
def _parser() -> Any:
    return parse.load()


@cache
def _similar() -> Callable[[list[dict[str, str]]], list[float]]:
    return similarity.load().meet


def near(one: str, other: str) -> float:
    return _similar()([{"one": one, "other": other}])[0] if one and other else 0.0


def page(kept: dict[str, Any]) -> str:
    """The measured part."""
    return "\n".join(["", *(line for name in TITLES for line in _section(name, kept.get(name)))])


def _section(name: str, found: dict[str, Any] | None) -> Iterator[str]:
    yield from (f"### {TITLES[name]}", "")
    if found is None:
        yield from ("not measured", "")
        return
    run = found["run"]
    told = f"{run['total']} deals, at most {run['turns']} turns, seed {run['seed']}, {run['started'][:10]}"
    stopped = f" It was stopped before its end: {found['stopped']}." if found.get("stopped") else ""
    yield f"{told} (`{FILES[name]}`).{stopped}"
    yield from ("", *_table([*HEADS, "paper"]))
    for row in found["rows"]:
        yield _line([f"`{row[0]}`", *row[1:], found["ends"][row[0]] or "–", ", ".join(PAPER[row[0]])])
    done, turns = found["kept less random"]
    if "–" not in (done, turns):
        yield from ("", f"Kept entities less random inputs, the same deals: completed {done}; turns {turns}.")
    yield ""
    heads = ("first messages", "similarity of what was heard", "similarity of the reply", "activity F1", "entity F1")
    yield from _table(["strategy", *heads])
    compared = found["first replies"]
    yield from (_line([f"`{strategy}`", *compared[strategy]]) for strategy in PAPER if strategy in compared)
    yield ""


def _table(heads: Sequence[str]) -> Iterator[str]:
    yield from (_line(heads), _line(["---"] * len(heads)))


def _line(columns: Sequence[str]) -> str:
    return f"| {' | '.join(columns)} |"


def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    return found


def written(text: str, found: dict[str, Any]) -> str:
    """The page with its measured part."""
    return text.partition(MARK)[0] + MARK + "\n" + page(found)


def main(arguments: Sequence[str]) -> None:
    found = kept()
    for argument in arguments:
        name, _, folder = argument.partition("=")
        if folder:
            found[name] = measured(Path(folder))
        else:
            with tempfile.TemporaryDirectory() as place:
                games = load_games(ROOT / FILES[name], allow_code=True)
                result = play_games(games, RunSettings(recordings=Path(place)))
                found[name] = measured(result.recording)
    KEPT.write_text(json.dumps(found, indent=2, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    PAGE.write_text(written(PAGE.read_text("utf-8"), found), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
