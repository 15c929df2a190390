"""What retraining did to a bot, as a story."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.report.comparison.diff import Change, DiffRow
from botattack.report.comparison.hardened import Hardened, Training
from botattack.report.escape import visible
from botattack.report.numbers import count, duration, percent
from botattack.report.report_files import story_files
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.stories.comparison import HEADER, LISTED, cells, details, name_of
from botattack.report.story.blocks import Block, Listing, Section, Sentence, Story, Table
from botattack.report.wording.measure_words import point_span, points
from botattack.report.wording.words import terms


def story(found: Hardened) -> Story:
    """Whether it helped, what it cost and what was trained on; then every attack, and the answers lost and found."""
    return Story(f"{visible(found.after.target)} before and after retraining", _helped(found), tuple(_blocks(found)))


def _blocks(found: Hardened) -> Iterator[Block]:
    yield Sentence(_cost(found))
    yield Sentence(_trained(found.training, found.seconds))
    yield from (Sentence(f"note: {visible(note)}", "note") for note in found.notes)
    # Originals are counted as accuracy above.
    shown = (*found.totals, *found.rows[1:])
    rows = ((*cells(row)[:-1], terms("hardened")[row.tier]) for row in shown)
    yield Table.of(HEADER, rows, after=len(HEADER) - 1, bad=(row.tier == "regression" for row in shown))
    yield Sentence(terms("notes")["hardening"], "note")
    if found.searched:
        names = ", ".join(map(visible, found.searched))
        yield Sentence(terms("notes")["searched"].format(names), "note")
    yield from details(found.rows)
    yield from _changes("Answers lost", found.lost)
    yield from _changes("Answers found", found.found)


def _changes(title: str, changes: tuple[Change, ...]) -> Iterator[Block]:
    if changes:
        more = f", the first {LISTED} of them" if len(changes) > LISTED else ""
        yield Section(f"{title} ({len(changes):,}{more})", (Listing(tuple(map(name_of, changes[:LISTED]))),))


def _helped(found: Hardened) -> str:
    if found.verdict == "no answer changed":
        return terms("notes")["no answer changed"].format(found.replies)
    total = found.totals[0] if found.totals else DiffRow("")
    if total.change is None or total.interval is None:
        return terms("notes")["too few to tell"].format(count(total.questions, "question"), MIN_QUESTIONS)
    old, new = percent(total.old / total.units), percent(total.new / total.units)
    broke = f"of {count(total.units, 'altered question')}, {old} {terms('broke when')[total.name]} before and {new} now"
    change = f"({points(total.change)}, 95 % interval {point_span(total.interval)})"
    return f"{terms('retrained')[found.verdict]}: {broke} {change}."


def _cost(found: Hardened) -> str:
    accuracy = found.accuracy
    questions = found.rows[0].questions
    askings = f"{accuracy.asked:,} askings of " if questions < accuracy.asked else ""
    counted = f"of {askings}{count(questions, 'unchanged question')}, {accuracy.before:,} were right before and "
    counted += f"{accuracy.now:,} now"
    if accuracy.change is None or accuracy.interval is None:
        return f"Accuracy on clean questions: {counted}; too few to say what it cost."
    low, high = accuracy.interval
    between = f"({points(accuracy.change)}, 95 % interval {point_span(accuracy.interval)})"
    if high < 0:
        return f"It cost accuracy on clean questions: {counted} {between}."
    same = "no change" if accuracy.before == accuracy.now else "no change that is more than chance"
    sure = "a gain" if low > 0 else same
    return f"Accuracy on clean questions: {counted} {between}, {sure}."


def _trained(training: Training, seconds: float) -> str:
    rows = ", ".join(f"{number:,} {visible(name)}" for name, number in sorted(training.attacks.items()))
    made = f"{count(training.rows, 'row')} from {count(training.questions, 'question')} of the other half"
    return f"Training set ({training.kind}): {made}: {rows}. Retraining took {duration(seconds)}."


FILES = story_files("report of a hardening", story, lambda found: found)
