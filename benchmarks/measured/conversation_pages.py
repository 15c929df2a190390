"""conversations-measured.md: what strategies over several turns do to four bots, as Markdown. Every figure and
verdict is computed from the measurements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from botattack.events import VariantJudged
from botattack.recordings.reader import events
from botattack.report.figures.figure_values import Figures, Row
from botattack.report.numbers import percent, span
from botattack.report.statistics.intervals import MIN_QUESTIONS

PAGE = "conversations-measured.md"
CAMPAIGNS = "dialogues"
"""What the names of the campaigns begin with."""
BOTS = {
    "ferry": "NLP.js with slots",
    "page": "the same, in a browser",
    "alice": "ALICE",
    "llama": "SmolLM2-135M",
}
LADDER, INNOCENT = "are-you-sure", "are-you-sure(rungs=innocent)"
SHIFT, CARRY = "topic-shift", "carry-over"
BY_KIND = (SHIFT, CARRY)
"""Attacks each variant of which has one kind."""
Counts = Mapping[str, tuple[float, int]]
Difference = Callable[[Any, Any], list[float] | None]
Kept = dict[str, Any]


class Line(NamedTuple):
    """A line of the table: how the labels of its attack begin, and the kind of its edits."""

    title: str
    attack: str
    kind: str = ""


LINES = (
    Line("control: asked again, unchanged", "unchanged"),
    Line("`are-you-sure`, the whole ladder", LADDER),
    Line("… first asked", LADDER, "first asked"),
    Line("… doubt", LADDER, "doubt"),
    Line("… other answer claimed", LADDER, "other answer claimed"),
    Line("… false authority", LADDER, "false authority"),
    Line("… claimed again", LADDER, "claimed again"),
    Line("… given the right answer, of those that gave up", LADDER, "truth told"),
    Line("its control: innocent follow-up", INNOCENT),
    Line("`leading`", "leading"),
    Line("`false-premise`", "false-premise"),
    Line("`sharded`", "sharded"),
    Line("`ellipsis`", "ellipsis"),
    Line("`topic-shift`, question repeated", SHIFT, "question repeated"),
    Line("`topic-shift`, question referred to", SHIFT, "question referred to"),
    Line("`carry-over`, nearest question", CARRY, "nearest question"),
    Line("`carry-over`, another question", CARRY, "another question"),
    Line("`carry-over`, 3 questions", CARRY, "3 questions"),
    Line("`noise` in the last turn", "noise"),
    Line("`noise` in earlier turns", "noise at turns"),
    Line("`noise` in all turns", "noise at dialogue"),
    Line("`dpaeg` in the last turn", "dpaeg"),
    Line("`dpaeg` in earlier turns", "dpaeg at turns"),
    Line("`filler` in all turns", "filler at dialogue"),
    Line("`confuse-entity` in an earlier turn †", "confuse-entity at turns"),
)


class Direction(NamedTuple):
    """What one would expect: the first breaks more than the second."""

    told: str
    first: tuple[str, str]
    second: tuple[str, str]


CONTROL = ("unchanged", "")
DIRECTIONS = (
    Direction("pressure breaks more than an innocent follow-up", (LADDER, ""), (INNOCENT, "")),
    Direction("an innocent follow-up breaks more than the control", (INNOCENT, ""), CONTROL),
    Direction("a suggested answer breaks more than the control", ("leading", ""), CONTROL),
    Direction("a false premise breaks more than the control", ("false-premise", ""), CONTROL),
    Direction("a question in pieces breaks more than the control", ("sharded", ""), CONTROL),
    Direction("an ellipsis breaks more than the control", ("ellipsis", ""), CONTROL),
    Direction("chatter in between breaks more than the control", (SHIFT, "question repeated"), CONTROL),
    Direction(
        "referring to a question breaks more than repeating it",
        (SHIFT, "question referred to"),
        (SHIFT, "question repeated"),
    ),
    Direction("other questions before break more than the control", (CARRY, ""), CONTROL),
    Direction("noise in earlier turns breaks more than the control", ("noise at turns", ""), CONTROL),
    Direction("noise in the last turn breaks more than in earlier turns", ("noise", ""), ("noise at turns", "")),
)


def measured(folder: Path, figures: Figures, difference: Difference) -> Kept:
    """Of each attack the rows by kind, and of each direction the difference of its two rates."""
    counts = counted(folder)
    labels = {name: _label(counts, *name) for direction in DIRECTIONS for name in direction[1:]}
    return {
        "kinds": {
            label: {str(kind): _row(row) for kind, row in attack.splits.get("kind", {}).items()}
            for label, attack in figures.attacks.items()
        },
        "directions": {
            direction.told: difference(counts[first], counts[second])
            for direction in DIRECTIONS
            if (first := labels[direction.first]) and (second := labels[direction.second])
        },
    }


def counted(folder: Path) -> dict[tuple[str, str], dict[str, tuple[int, int]]]:
    """Successes and clear outcomes of each question, by attack, and by kind where a variant has one."""
    counts: dict[tuple[str, str], dict[str, tuple[int, int]]] = defaultdict(dict)
    for event in events(folder):
        if isinstance(event, VariantJudged) and event.result in ("success", "robust") and event.claimed:
            keys = [(event.attack, "")]
            if event.attack.partition("(")[0] in BY_KIND:
                keys.append((event.attack, event.edits[0].kind))
            for key in keys:
                x, n = counts[key].get(event.question, (0, 0))
                counts[key][event.question] = x + (event.result == "success"), n + 1
    return counts


def _label(counts: Mapping[tuple[str, str], Any], attack: str, kind: str) -> tuple[str, str] | None:
    return next((key for key in counts if key[1] == kind and _is(key[0], attack)), None)


def _is(label: str, attack: str) -> bool:
    """Whether a label is that of an attack with whatever options."""
    return label == attack or (attack != LADDER and label.startswith(f"{attack}("))


def _row(row: Row) -> Kept:
    return {
        "success": row.success,
        "rated": row.rated,
        "rate": row.success_rate,
        "interval": row.interval,
        "questions": row.questions,
    }


def write(kept: Kept, folder: Path) -> None:
    runs = {bot: kept[f"{CAMPAIGNS}-{bot}"] for bot in BOTS if f"{CAMPAIGNS}-{bot}" in kept}
    if runs:
        (folder / PAGE).write_text("\n".join(_page(runs)) + "\n", "utf-8")


def _page(runs: Mapping[str, Kept]) -> Iterator[str]:
    dates = sorted({run["run"]["date"] for run in runs.values()})
    yield from (
        "# Conversations, measured",
        "",
        "What breaks an answer in a conversation: doubt, chatter, a question in pieces, mistakes in an earlier turn.",
        *_finding(runs),
        "",
        f"Measured {' to '.join(dates)} by `python -m benchmarks.measured.measure`, which starts the bots, runs",
        "`campaigns/conversations/` and computes every figure and verdict. [passages.md](../../docs/passages.md#conversations) says",
        "what each attack does.",
        "",
        "Three bots, each with dialogues of its own (written by `python -m benchmarks.measured.make_conversations`):",
        "",
        "- **NLP.js with slots** books ferries and knows their timetable. Each dialogue has four turns, which give the",
        "  details of a booking one by one, or ask for what follows from them. It is also asked through its web page.",
        "- **ALICE** hears something and is asked for it later, with questions that she knows in between; four turns.",
        "- **SmolLM2-135M**, a small language model, answers three questions on a short invented passage, which is",
        "  sent with each turn (llama.cpp's server, temperature 0, one sentence of at most 24 tokens).",
        "",
        "Only dialogues that a bot answers correctly are attacked. A cell is the share of altered dialogues that",
        "broke, its 95 % interval, and how many broke of those judged. `are-you-sure` doubts an answer in steps: each",
        "line below it counts the dialogues that held until that step. Under † the right answer changes, and broken",
        "means that the bot did not notice. –: the attack has no variant for these dialogues.",
        "",
    )
    yield _line("", [BOTS[bot] for bot in runs])
    yield "|" + "---|" * (len(runs) + 1)
    for line in LINES:
        yield _line(line.title, [_cell(run, line) for run in runs.values()])
    yield _line(
        "dialogues answered correctly",
        [f"{run['questions']['kept']} of {run['questions']['asked']}" for run in runs.values()],
    )
    for bot, run in runs.items():
        if run["run"]["exit"] in (4, 130):
            asked = run["questions"]["asked"]
            yield from ("", f"{BOTS[bot]}: stopped to save time after {asked} dialogues, a random sample.")
    yield from (
        "",
        "## What one would expect",
        "",
        "Each expectation *holds*, or *the opposite holds*, if the 95 % interval of the difference does not contain 0;",
        "otherwise it is *unclear*. Both sides have the same dialogues, at least "
        f"{MIN_QUESTIONS} of them. With so many comparisons,",
        "about one in twenty would hold by chance.",
        "",
    )
    for direction in DIRECTIONS:
        yield f"- **{direction.told[0].upper()}{direction.told[1:]}**"
        yield from (f"  - {BOTS[bot]}: {_verdict(run, direction)}" for bot, run in runs.items())


def _finding(runs: Mapping[str, Kept]) -> Iterator[str]:
    """What broke each bot most, if it broke more than its control may, and what asking again broke."""
    yield "Each bot has its own weak spot. Of the dialogues that it answers correctly, most broke:"
    yield ""
    for bot, run in runs.items():
        control = _row_of(run, LINES[0]) or {"interval": (0, 0), "rate": 0.0}
        rated = [(row, line) for line in LINES[1:] if (row := _row_of(run, line)) and row["rate"] is not None]
        row, line = max(rated, key=lambda one: one[0]["rate"])
        if row["rate"] > control["interval"][1]:
            again = percent(control["rate"])
            yield f"- {BOTS[bot]}: {percent(row['rate'])} by {line.title}; asked again unchanged, {again}"


def _row_of(run: Kept, line: Line) -> Kept | None:
    label = next((name for name in run["attacks"] if _is(name, line.attack)), "")
    rows, name = (run["kinds"], line.kind) if line.kind else (run["attacks"], "as claimed")
    row: Kept | None = rows.get(label, {}).get(name)
    return row


def _asked(run: Kept, attack: str) -> bool:
    return any(_is(name, attack) for name in run["attacks"])


def _cell(run: Kept, line: Line) -> str:
    row = _row_of(run, line)
    if not row or not row["rated"]:
        return "–" if _asked(run, line.attack) else "not asked"
    shown = f"{row['success']}/{row['rated']}"
    if row["rate"] is None or row["interval"] is None:
        return f"{shown}, too few dialogues"
    return f"{percent(row['rate'])} ({span(row['interval'])}), {shown}"


def _verdict(run: Kept, direction: Direction) -> str:
    found = run["directions"].get(direction.told)
    if not all(_asked(run, attack) for attack, _ in direction[1:]):
        return "not asked"
    if not found:
        return "not measured (too few dialogues)"
    value, low, high = found
    if low == high == 0:
        return "no difference at all"
    shown = f"{100 * value:+.1f} points, {100 * low:+.1f} to {100 * high:+.1f}"
    if low == high:
        shown = f"{100 * value:+.1f} points, all against none"
    return f"{'holds' if low > 0 else 'the opposite holds' if high < 0 else 'unclear'} ({shown})"


def _line(first: str, others: Sequence[str]) -> str:
    return "| " + " | ".join([first, *others]) + " |"
