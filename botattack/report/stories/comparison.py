"""Two runs of one bot compared, as a story and in sentences: a night and its message tell it in the same words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count as count_up

from botattack.outage import ENOUGH
from botattack.outage import fixed as fixed_reply
from botattack.report.comparison.diff import (
    ALARMING,
    ORIGINALS,
    Change,
    DiffRow,
    RunComparison,
    broken,
    fixed,
)
from botattack.report.comparison.lost import LostAnswers
from botattack.report.comparison.sides import MISDEEDS, is_control, of_answers
from botattack.report.comparison.trend import Bisect
from botattack.report.escape import LIMIT, flowing, spoken, visible
from botattack.report.numbers import NONE, count
from botattack.report.stories.first_screen import day_of
from botattack.report.story import blocks
from botattack.report.wording.advice import nightly
from botattack.report.wording.alterations import marked
from botattack.report.wording.commands import command
from botattack.report.wording.marks import join
from botattack.report.wording.measure_words import point_span, signed
from botattack.report.wording.outcomes import expected_of, reproduce, usual
from botattack.report.wording.words import broke_once, counted, terms

LISTED = 20
"""Changed units of a sort that are shown."""
AT_FIRST = 3
"""Changed units of the first sort that a terminal shows of a night, and one of each other sort."""
FIRST = 3
"""Lost answers that the first line of a night names."""
NEARLY_ALL = 0.9
"""The share of what newly broke that has one reply if a report says so."""
HEADER = ("row", "questions", "before", "now", "change", "interval", "verdict")


def first_line(comparison: RunComparison, back: Sequence[str] = ()) -> str:
    """What a night begins with: whether the bot got worse since its baseline, by what, and which answers are `back`."""
    are = "is" if len(back) == 1 else "are"
    lost = f" {count(len(back), 'answer')} that the run before had lost {are} right again: {_first_of(back)}"
    return _first(comparison) + lost * bool(back)


def _first(comparison: RunComparison) -> str:
    rows, lost = comparison.rows, comparison.lost
    old = comparison.old
    since = f"since {day_of(old.started, comparison.new.started) or visible(old.id)}"
    if worse := alarms(rows, lost):
        gone = comparison.originals(lost.confirmed)
        state = "Worse" if rows[0].units else "Not known whether worse"
        lost_ones = f" Lost: {_first_of([*map(name_of, gone)])}" if gone else ""
        told = f"{state} {since}: {visible('; '.join(worse), None)}.{lost_ones}"
        return " ".join([told, *_alike(comparison), *_slower(comparison)])
    doubts = [*([f"{_lost(lost)}."] if lost.confirmed else []), *_mixed(lost), *_few(rows), *_drifting(rows)]
    chance = "perhaps by chance" if doubts or lost.doubted else "as chance would do"
    broke, better = broken(rows), fixed(rows)
    again = f"{better:,} {'is' if better == 1 else 'are'} newly right" if better else "none is newly right"
    told = f"{count(broke, 'answer')} newly broke and {again}, {chance}" if broke else f"no answer newly broke, {again}"
    more = (*doubts, *_alike(comparison), *_improved(rows), *_slower(comparison))
    return " ".join([f"No regression {since}: {told}.", *more])


def _alike(comparison: RunComparison) -> Iterator[str]:
    """That nearly all that newly broke got one reply, whatever is right: what a bot says by default, or while it is out
    of order."""
    broke = [(fixed_reply(one.got), one.expected) for one in comparison.changes if one.broke and of_answers(one.row)]
    for reply, times in Counter(said for said, _ in broke).most_common(1):
        golds = {gold for said, gold in broke if said == reply}
        if reply and len(golds) >= ENOUGH and times >= NEARLY_ALL * len(broke):
            yield f"Nearly all that newly broke got one reply, whatever was asked (“{visible(reply, LIMIT)}”)."


def _slower(comparison: RunComparison) -> Iterator[str]:
    return (f"{sentence[0].upper()}{sentence[1:]}." for sentence in comparison.slower)


def _first_of(names: Sequence[str]) -> str:
    """`Where is Oslo?; Who is the mayor?; and 3 more.`"""
    told = "; ".join([*names[:FIRST], *[f"and {len(names) - FIRST:,} more"] * (len(names) > FIRST)])
    return told if told.endswith(("?", "!", ".")) else f"{told}."


def _improved(rows: Sequence[DiffRow]) -> Iterator[str]:
    if better := [visible(row.name) for row in rows if row.tier == "improvement"]:
        yield f"Improvement in {', '.join(better)}."


def alarms(rows: Sequence[DiffRow], lost: LostAnswers) -> list[str]:
    """What raises the alarm, a sentence each: lost answers, regressions, and that nothing could be compared."""
    found = [_lost(lost)] if lost.ring else []
    found += [f"{_wavering(lost)}, more than chance would do"] if lost.wavers else []
    found += _worse(rows[1:] if lost.wavers else rows)
    nothing = [] if rows[0].units else ["no original could be compared with the baseline: pin a new one"]
    return found + nothing


def is_sure(comparison: RunComparison, status: int) -> bool:
    """Whether a night that ended with this status says something of its baseline. One that stopped does so if it is
    worse, as that is certain already; that all else held is not."""
    rows = comparison.rows
    return status in (0, 1) or bool(rows[0].units and alarms(rows, comparison.lost))


def _worse(rows: Sequence[DiffRow]) -> Iterator[str]:
    if names := [visible(row.name) for row in rows if row.tier == "regression"]:
        yield f"regression in {', '.join(names)}"
    yield from (f"{visible(row.name)}: {row.broken:,} newly" for row in rows if row.tier == "newly seen")


def apart(comparison: RunComparison) -> str:
    """Why two runs have nothing to compare, and what to do; empty if they have."""
    old, new, row = comparison.old, comparison.new, comparison.rows[0]
    if old.target != new.target:
        return f"they are of two bots, {visible(old.target)} and {visible(new.target)}; use botattack compare"
    if row.units:
        return ""
    others = "; ".join(counted(row, "not compared")) or "neither asked any"
    return f"no original was decided in both ({others}); give two runs of the same questions"


def _mixed(lost: LostAnswers) -> Iterator[str]:
    """Answers that are right only now and then, or that the judge is or was unsure of."""
    if lost.mixed:
        yield f"{_wavering(lost)}."
    if lost.unsure:
        yield f"{count(len(lost.unsure), 'answer')} changed, of which the judge was unsure before or is now."


def _wavering(lost: LostAnswers) -> str:
    were = "was" if len(lost.mixed) == 1 else "were"
    return f"{count(len(lost.mixed), 'answer')} {were} right each time before, and now only sometimes"


def _few(rows: Sequence[DiffRow]) -> Iterator[str]:
    few = [row for row in rows if row.tier == "not enough data"]
    if len(few) == len(rows):
        yield f"{count(rows[0].questions, 'question')} in both runs: too few to compare rates."
    elif names := [visible(row.name) for row in few if row.broken and not is_control(row.name)]:
        yield f"{', '.join(names)}: too few questions to tell from chance."


def _drifting(rows: Sequence[DiffRow]) -> Iterator[str]:
    if drifting := [visible(row.name) for row in rows if row.tier == "drift"]:
        yield f"{', '.join(drifting)} may be getting worse."
    newly = (row for row in rows if row.name in MISDEEDS and row.broken and row.tier not in ALARMING)
    yield from (f"{visible(row.name)}: {row.broken:,} newly, perhaps by chance." for row in newly)


def _lost(lost: LostAnswers) -> str:
    """`7 answers lost`, and why they do not raise the alarm, if they do not."""
    told = f"{count(len(lost.confirmed), 'answer')} lost"
    if lost.were_unsure:
        told += f" (the judge was unsure of {len(lost.were_unsure):,} of them in the baseline)"
    if lost.quiet:
        return told
    return f"{told}, perhaps by chance: when asked again unchanged, {lost.broke:,} of {lost.asked:,} broke"


def cells(row: DiffRow) -> tuple[str, ...]:
    """One line of the table, below HEADER."""
    change = NONE if row.change is None else signed(row.change)  # names of attacks need the room
    between = NONE if row.interval is None else point_span(row.interval)
    shares = (f"{row.old:,}/{row.units:,}", f"{row.new:,}/{row.units:,}")
    return (visible(row.name), f"{row.questions:,}", *shares, change, between, row.tier)


def detail(row: DiffRow) -> str:
    """What the table leaves out: how the change came about, and what is in one run only; empty if that is nothing."""
    return "; ".join([*_changes(row), *counted(row, "not compared")])


def _changes(row: DiffRow) -> Iterator[str]:
    if row.broken or row.fixed:
        yield f"{row.broken:,} newly broken, {row.fixed:,} newly right"


def details(rows: Sequence[DiffRow]) -> Iterator[blocks.Facts]:
    """The same of all rows: each reason why something is not compared is said once; nothing if there is nothing to say
    of any."""
    found = [blocks.Fact(visible(row.name), told) for row in rows for told in _changes(row)]
    for field, what in terms("not compared").items():
        if lacking := [(number, visible(row.name)) for row in rows if (number := getattr(row, field))]:
            named = ", ".join(f"{number:,} of {name}" for number, name in lacking)
            told = f"{sum(number for number, _ in lacking):,} {what}"
            found.append(blocks.Fact("not compared", f"{told}: {named}" if len(rows) > 1 else told))
    if found:
        yield blocks.Facts(tuple(found))


def needed(rows: Sequence[DiffRow]) -> str:
    """How many questions a row needs to tell a small drop from chance; empty if that is not known."""
    most = max((row.needed for row in rows if row.needed), default=0)
    return f"About {most:,} questions would show a drop of 5 points in any row." if most else ""


def groups(comparison: RunComparison, most: int = LISTED) -> Iterator[tuple[str, list[Change]]]:
    """What changed by name, with a title: lost answers, what else newly broke, what is newly right; `most` of each."""
    lost = comparison.lost
    sorts = (
        ("lost answers", lost.confirmed),
        ("wrong each time, but asked too rarely to be sure", lost.doubted),
        ("right each time before, and now only sometimes", lost.mixed),
        ("was unsure before, or is now", lost.unsure),
    )
    known = {question for _, found in sorts for question in found}
    others = [each for each in in_order(comparison) if each.row != ORIGINALS or each.question_id not in known]
    newly = "newly broken" if comparison.regressions else "newly broken, perhaps by chance"
    broke, again = [each for each in others if each.broke], comparison.newly_right
    fixed = [each for each in others if each.broke is False and each.row != ORIGINALS]
    titled = (
        *((title, len(found), comparison.originals(found)) for title, found in sorts),
        (newly, len(broke), broke),
        ("answers newly right", len(again), again),
        ("altered questions newly answered right", len(fixed), fixed),
    )
    yield from ((_titled(title, number, most), changes[:most]) for title, number, changes in titled if changes)


def in_order(comparison: RunComparison) -> list[Change]:
    """Changes of originals first, then those of what raised the alarm; of each, rows in turn and in each of them
    different questions first."""
    worse = {row.name for row in comparison.regressions}
    nth = defaultdict[tuple[str, ...], Iterator[int]](count_up)

    def place(change: Change) -> tuple[bool, bool, int, int]:
        of_question, of_row = next(nth[change.row, change.question_id]), next(nth[change.row,])
        return change.row != ORIGINALS, change.row not in worse, of_question, of_row

    return sorted(comparison.changes, key=place)


def _titled(title: str, number: int, most: int) -> str:
    first = "one" if most == 1 else f"the first {most:,}"
    return f"{title} ({number:,}, {first} of them)" if number > most else f"{title} ({number:,})"


def name_of(change: Change) -> str:
    """A changed unit in one line."""
    shown = " · ".join(join(line) for line in marked(change.alteration))
    return shown if change.row == ORIGINALS else f"{visible(change.row)}: {shown}"


def story(comparison: RunComparison) -> blocks.Story:
    """What got worse and by how much."""
    target = visible(comparison.new.target)
    return blocks.Story(
        f"{target}, two runs", first_line(comparison), tuple(_blocks(comparison, Bisect(), "Older and newer run"))
    )


def screen(comparison: RunComparison) -> blocks.Story:
    """What a terminal shows of two runs: one screen, as files have the rest."""
    return replace(story(comparison), blocks=(*_sides(comparison), *_brief(comparison, Bisect(), better=True)))


def since(comparison: RunComparison, nights: Bisect, back: Sequence[str] = ()) -> blocks.Story:
    """The same as the reports of a night tell it, with what became of each change in the `nights` before, and the
    questions whose answers are `back`; these reports have the gates already."""
    told = _blocks(replace(comparison, gates=()), nights, "Compared with the baseline")
    title = f"{visible(comparison.new.target)} against its baseline"
    brief = tuple(_brief(comparison, nights))
    return blocks.Story(title, first_line(comparison, back), tuple(told), first=tuple(_rang(comparison)), brief=brief)


def right_again(comparison: RunComparison, nights: Bisect) -> list[str]:
    """The questions whose answers the run before had lost and that are right now, which the baseline, as it had them,
    does not show."""
    back = (flip for flip in nights.flips() if flip.row == ORIGINALS and flip.fixed_in == comparison.new.id)
    return [visible(flip.alteration.question) for flip in back]


def _brief(comparison: RunComparison, nights: Bisect, *, better: bool = False) -> Iterator[blocks.Block]:
    """What a terminal shows: the rows in which something newly broke, or also what got `better`, and a few examples of
    each sort."""
    if rows := [row for row in comparison.rows if row.broken or (better and row.fixed)]:
        yield blocks.Section("What changed", (_table(rows),))
    several, one = ([*groups(comparison, most)] for most in (AT_FIRST, 1))
    shown = [sort for sort in (*several[:1], *one[1:]) if better or sort[1][0].broke is not False]
    yield from (_section(*sort, comparison, nights) for sort in shown)
    if better:
        return
    lost = comparison.lost
    if lost.unsettled:
        settle = command("nightly", "baseline", "settle", comparison.recording)
        yield blocks.Sentence("To say whether what the judge is unsure of is right:", "note")
        yield blocks.Command(settle)
    if len(shown) > bool(lost.unsettled) or len(lost.unsettled) < len(lost.unsure):
        mark = command("mark", "UNIT", "accepted", "--why", "REASON", flags=comparison.new.flags)
        yield blocks.Sentence("To leave out of later nights what you know of already:", "note")
        yield blocks.Command(mark)


def _rang(comparison: RunComparison) -> Iterator[blocks.Block]:
    """What raised the alarm, as the figure of a page, and what to do about it; nothing if nothing did."""
    day = day_of(comparison.old.started, comparison.new.started)
    lost, worse = comparison.lost.confirmed, comparison.regressions
    if comparison.lost.ring or comparison.lost.wavers:
        # Those that are lost are named by the sentence above, and one by one below.
        gone, what = (lost, "lost") if comparison.lost.ring else (comparison.lost.mixed, "now right only sometimes,")
        small = () if gone is lost else tuple(map(name_of, comparison.originals(gone)[:FIRST]))
        number = len(gone)
    elif worse:
        number, what, small = broken(worse), "newly broken", (f"in {', '.join(visible(row.name) for row in worse)}",)
        if any(row.name in MISDEEDS for row in worse):
            number, what = sum(row.broken for row in worse), "or other replies newly wrong"
    else:
        return
    answers = count(number, "answer").partition(" ")[2]
    yield blocks.FigureRow((blocks.Figure(f"{number:,}", f"{answers} {what} since {day}", small, bad=True),))
    todo = f"What to do: find what changed in the bot since {day}, fix it, then run {nightly(comparison.new)}."
    yield blocks.Sentence(todo, "strong")


def _sides(comparison: RunComparison) -> Iterator[blocks.Block]:
    """The two runs, the gates that failed, and what to know of the comparison."""
    runs = [
        blocks.Fact(name, visible(f"{run.id}, {day_of(run.started, other.started)}: {broke_once(broken)}"))
        for name, run, other, broken in (
            ("older", comparison.old, comparison.new, comparison.old_broken),
            ("newer", comparison.new, comparison.old, comparison.new_broken),
        )
    ]
    yield blocks.Facts((*runs, *(blocks.Fact("gate", visible(gate), "bad") for gate in comparison.gates)))
    yield from (blocks.Sentence(f"note: {visible(note)}", "note") for note in comparison.notes)


def _blocks(comparison: RunComparison, nights: Bisect, title: str) -> Iterator[blocks.Block]:
    yield from _sides(comparison)
    lost, others = _changed(comparison, nights)
    yield from lost
    told = any(row.interval for row in comparison.rows)
    means = (blocks.Sentence(terms("notes")["comparison"], "note"),) * told
    apart = f"{count(comparison.unstable, 'question')} left out: right only sometimes in the same run"
    unstable = (blocks.Sentence(apart, "note"),) if comparison.unstable else ()
    power = (blocks.Sentence(enough, "note"),) if (enough := needed(comparison.rows)) else ()
    yield blocks.Section(title, (_table(comparison.rows), *means, *power, *unstable, *details(comparison.rows)))
    yield from others


def _changed(comparison: RunComparison, nights: Bisect) -> tuple[list[blocks.Block], list[blocks.Block]]:
    """What changed by name: answers to unchanged questions that were lost, which come first, and all else."""
    found: tuple[list[blocks.Block], list[blocks.Block]] = [], []
    for title, changes in groups(comparison):
        of_attacks = changes[0].row != ORIGINALS or changes[0].broke is False
        found[of_attacks].append(_section(title, changes, comparison, nights))
    return found


def _section(title: str, changes: Sequence[Change], comparison: RunComparison, nights: Bisect) -> blocks.Section:
    shown = blocks.Examples(tuple(example(change, comparison, nights) for change in changes))
    return blocks.Section(f"{title[0].upper()}{title[1:]}", (shown,))


def _table(rows: Sequence[DiffRow]) -> blocks.Table:
    worse = (row.tier in ALARMING for row in rows)
    return blocks.Table.of(HEADER, map(cells, rows), after=len(HEADER) - 1, bad=worse)


def got(change: Change, comparison: RunComparison) -> str:
    """What the bot said, around what is new in it, without what it says around its answers."""
    said = spoken(change.got, usual(comparison.new.boilerplate))
    return flowing(said, LIMIT, change.before or change.usual, change.alteration.text) or "(nothing)"


def example(change: Change, comparison: RunComparison, nights: Bisect | None = None) -> blocks.Example:
    """A unit that changed: what was sent, what is right, what came before and now, and how it went back and forth."""
    history = (nights or Bisect()).history((change.row, change.question_id, change.unit))
    row = "" if change.row == ORIGINALS else visible(change.row)
    title = " ".join(filter(None, (row, history.signs, history.told)))
    before = (blocks.Fact("before", visible(change.before)),) if change.before else ()
    # What is wrong with a misdeed is no missing answer.
    right = () if change.row in MISDEEDS else (blocks.Fact("expected", expected_of(change.expected, change.expect)),)
    answers = *right, *before, blocks.Fact("got", got(change, comparison))
    lines = tuple(marked(change.alteration))
    return blocks.Example(title, lines, answers, reproduce(change.unit, comparison.recording), change.unit)
