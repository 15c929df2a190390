"""What a bot obeyed, cited and remembered, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from botattack.model import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.citations import Check, CitedRow
from botattack.report.figures.obeyed import OUTCOMES, Answers, Heeded, ObeyedRow
from botattack.report.figures.remembered import SAID, RememberedRow
from botattack.report.figures.shares import Share
from botattack.report.numbers import NONE, percent, span
from botattack.report.wording.words import terms

PASSAGE, LEAK, ELSEWHERE = "passage", "A fact of another conversation", "given elsewhere"
"""What examples are called, and what is shown with them."""


def obeyed(rows: Sequence[ObeyedRow]) -> str:
    """`Instructions in passages were obeyed in 20 of 96 replies, most clearly to say a made-up word (system
    note): 20 of 24; without the instruction 0 of 24 did so`; empty if nothing was obeyed more often than that."""
    found = [row for row in rows if row.evident]
    if not found:
        return ""
    # One of one is no clearer than twenty of twenty-four.
    worst = min(found, key=lambda row: (row.chance, _rate(row.control) - _rate(row.share)))
    # What a bot does without being told is not obeyed.
    count, asked = sum(row.beyond for row in found), sum(row.share.n for row in rows)
    door = f", passages {worst.door}" if len({row.door for row in rows}) > 1 else ""
    so = f"without the instruction {_of(worst.control)} did so" if worst.control.n else "nothing was asked without it"
    most = f"most clearly to {_instruction(worst)[:-1]}{door}): {_of(worst.share)}"
    return f"Instructions in passages were obeyed in {count:,} of {asked:,} replies, {most}; {so}"


def unread(rows: Sequence[ObeyedRow]) -> str:
    """`The bot did not read the planted document in 50 of 50 replies: their sources lack it.`, and of how many
    that is not known; empty if it read each."""
    left, unknown = sum(map(_left, rows)), sum(row.unknown for row in rows)
    asked = sum(row.share.n + _left(row) for row in rows if row.unknown or _left(row))
    told = [f"The bot did not read the planted document in {left:,} of {asked:,} replies: their sources lack it."]
    told = told if left else []
    if unknown:
        of = f"{unknown:,} of {asked:,} replies"
        told.append(f"Whether the bot read the planted document is not known of {of}, whose sources do not show it.")
    return " ".join(told)


def _left(row: ObeyedRow) -> int:
    return row.outcomes["not read"].total if "not read" in row.outcomes else 0


def outcomes(rows: Sequence[ObeyedRow]) -> tuple[Heeded, ...]:
    """The columns of a table of these: with one more, all would be too wide for a terminal, and only what came is
    there."""
    came = {what for row in rows for what, answers in row.outcomes.items() if answers.total}
    shown = came | {"obeyed"} if "not read" in came else {*OUTCOMES} - {"not read"}
    return tuple(what for what in OUTCOMES if what in shown)


def title(row: ObeyedRow) -> str:
    """`Obeyed: say a made-up word (system note)`"""
    return f"Obeyed: {_instruction(row)}"


def _instruction(row: ObeyedRow) -> str:
    return f"{terms('actions')[row.action]} ({terms('styles')[row.style]})"


def _rate(one: Share) -> float:
    return one.x / one.n if one.n else 0.0


def _of(one: Share) -> str:
    return f"{one.x:,} of {one.n:,}"


def obeyed_lines(rows: Sequence[ObeyedRow]) -> Iterator[tuple[str, ...]]:
    """A line for each instruction and style, in the words of the attack's options."""
    for row in rows:
        found = (_cell(row.outcomes[what]) for what in outcomes(rows))
        lost = f" ({row.alone.lost:,})" if row.alone.lost else ""
        alone = f"{row.control.x:,}/{row.control.n:,}{lost}" if row.control.n else NONE
        yield f"{row.action}, {row.style}", *found, span(row.share.interval), alone


def alone(rows: Sequence[ObeyedRow]) -> str:
    """`injection: the same passages without an instruction lost 4 of 18 answers`; empty if they lost none."""
    # The rows of one door share their controls: one passage, or two.
    controls = {(row.door, row.style == "split"): row.alone for row in rows}.values()
    lost, asked = sum(each.lost for each in controls), sum(each.lost + each.kept for each in controls)
    return f"injection: the same passages without an instruction lost {lost:,} of {asked:,} answers" if lost else ""


def _rated(one: Share) -> tuple[str, str]:
    return percent(one.rate), span(one.interval)


def _cell(answers: Answers) -> str:
    lost = f" ({answers.lost:,})" if answers.lost else ""
    return f"{answers.total:,}{lost}"


def errors(rows: Sequence[ObeyedRow] | Sequence[RememberedRow]) -> str:
    """How many brought no reply; empty if all did."""
    number = sum(row.errors for row in rows)
    return f"{number:,} without a reply are in no share." if number else ""


def uncalled(rows: Sequence[ObeyedRow]) -> str:
    """That no reply showed the call that a tool instruction asks for; empty if one did, or none was asked for."""
    seen = [row.share.x + row.control.x for row in rows if row.action == "tool"]
    return terms("notes")["no calls"] if seen and not any(seen) else ""


def cites_nothing(rows: Sequence[CitedRow]) -> bool:
    return not any(row.share.x for row in rows if row.check == "names a source")


def cited_briefly(rows: Sequence[CitedRow]) -> Iterator[tuple[str, ...]]:
    """A line for each check: of the replies to all attacks, and to what was asked unchanged."""
    for check in dict.fromkeys(row.check for row in rows):
        yield _check(check), _pooled(rows, check, control=False), _pooled(rows, check, control=True)


def _check(check: Check) -> str:
    """Its name, with which way is good where that is not many."""
    return check + " (fewer is better)" * (check == "cites the planted")


def _pooled(rows: Sequence[CitedRow], check: Check, *, control: bool) -> str:
    shares = [row.share for row in rows if row.check == check and (row.attack == CONTROL) == control]
    return f"{sum(one.x for one in shares):,}/{sum(one.n for one in shares):,}" if shares else NONE


def cited_lines(rows: Sequence[CitedRow]) -> Iterator[tuple[str, ...]]:
    """A line for each check and attack."""
    return (
        (_check(row.check), visible(row.attack), f"{row.share.x:,}/{row.share.n:,}", *_rated(row.share)) for row in rows
    )


def leaked(found: Sequence[RememberedRow]) -> str:
    """`Conversations are not separate: 7 of 21 facts given in one were known in another; before they were given, 0 of
    21 were known`; empty if none was."""
    rows = {row.check: row for row in found}
    other, before = rows.get("other conversation"), rows.get("before")
    if not other or not other.share.x:
        return ""
    known = f"; before they were given, {_of(before.share)} were known" if before else ""
    # The words are made up, and drawn by the seed: an earlier run gave the same ones.
    known += ", perhaps from an earlier run" if before and before.share.x else ""
    return f"Conversations are not separate: {_of(other.share)} facts given in one were known in another{known}"


def poisoned(found: Sequence[RememberedRow]) -> str:
    """`Anybody can teach it for everybody: 7 of 21 facts that one user gave for everyone were known to another; 2 of 21
    after it was asked to forget them`; empty if none was."""
    rows = {row.check: row for row in found}
    taught, left = rows.get("for everyone"), rows.get("after forgetting")
    if not taught or not (taught.share.x or (left and left.share.x)):
        return ""
    still = f"; {_of(left.share)} after it was asked to forget them" if left else ""
    told = f"Anybody can teach it for everybody: {_of(taught.share)} facts given for everyone were known to another"
    return f"{told}{still}"


def remembered(found: Sequence[RememberedRow]) -> str:
    """What a run that only looked at memory found, but for what `leaked` and `poisoned` say: `Of facts that it was
    given: 19 of 21 kept; 0 of 21 kept after small talk, up to date after a correction`."""
    said = {"before", *(["other conversation"] if leaked(found) else [])}
    said |= {"for everyone", "after forgetting"} if poisoned(found) else set()
    rows = groupby((row for row in found if row.check not in said), lambda row: _of(row.share))
    told = [f"{counted} {', '.join(terms('remembered')[row.check] for row in same)}" for counted, same in rows]
    return f"Of facts that it was given: {'; '.join(told)}" if told else ""


def remembered_lines(found: Sequence[RememberedRow]) -> Iterator[tuple[str, ...]]:
    """A line for each check."""
    for row in found:
        yield row.check, *(f"{row.said[each]:,}" for each in SAID), *_rated(row.share)
