"""How figures are put in words and columns, the same in every report people read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import msgspec

from botattack.config.docstrings import described, lowered
from botattack.model import CONTROL
from botattack.report.escape import flowing, unmarked, visible
from botattack.report.figures.broken import BrokenFigures
from botattack.report.figures.chance import longer
from botattack.report.figures.figure_values import (
    AttackFigures,
    FaultFigures,
    Figures,
    GateFigures,
    QuestionFigures,
    Row,
    RunFigures,
)
from botattack.report.figures.gates import AnyGate, bounds_of, failures, name_of
from botattack.report.numbers import NONE, count, duration, percent, points, span
from botattack.report.wording.outcomes import FAMILIES, VERDICTS, WRONG
from botattack.text.boilerplate import sentences

OWN = "‡"
"""Marks attacks judged against the bot's own reply."""
OF_QUESTIONS = {"attack": "until broken", "broken": "questions broken", CONTROL: "repeated as often"} | {
    name: f"{name} of questions" for name in ("share", "rate")
}
"""What columns are called in the table of the attacks that count questions."""
BOILERPLATE_SHOWN, BOILERPLATE_LONGEST = 3, 60
"""Sentences that are shown of what was left out of judging, and how long they may be."""
REASONS_SHOWN = 3
"""Different faults of one part that are named."""
WHY = 2000
"""Characters of the reason for an ending: mostly our own words, which end with how to fix it."""


def unsaid(why: str, told: str) -> str:
    """The reasons for an ending that the sentences before it have not told, as they are shown."""
    return "; ".join(reason for reason in visible(why, WHY).split("; ") if reason not in told)


def ended(status: int | None, why: str) -> str:
    """What to say of a run before anything it found: `Stopped: interrupted. `; empty if it came to a good end."""
    if status is None:
        return "This run has not ended. "
    said, how = visible(why, WHY), "Failed" if status == 1 else "Stopped"
    return f"{how}: {said}{'' if said.endswith('?') else '.'} " if status and said else ""


@dataclass(frozen=True)
class TableLine:
    """A line of the table of attacks; `depth` 1 is a part of the line above it, `control` what to hold it against."""

    name: str
    row: Row
    control: str
    depth: int = 0
    plain: str = ""
    """What people call the attack, in its own line."""
    by_question: bool = False

    @property
    def interval(self) -> str:
        if self.row.interval is None:
            whole = self.row.note.replace(" (", ":").replace(";", ":") or "too few questions"
            return whole.partition(":")[0] if self.row.rated else NONE
        return span(self.row.interval)


def terms(sort: str) -> dict[str, str]:
    """What terms of that sort are called in plain words."""
    return _terms()[sort]


@cache
def _terms() -> dict[str, dict[str, str]]:
    text = (files("botattack.report") / "wording" / "terms.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[str, dict[str, str]])


def counted(figures: object, sort: str) -> Iterator[str]:
    """`12 right`, `3 not answered`: the numbers of figures that are not 0, by the terms of a sort for their fields."""
    return (f"{number:,} {what}" for field, what in terms(sort).items() if (number := getattr(figures, field)))


def share(row: Row) -> str:
    return f"{row.success:,}/{row.rated:,}"


def tables(figures: Figures, columns: Sequence[str]) -> Iterator[tuple[Sequence[str], list[TableLine]]]:
    """The table of attacks, and one of those that count questions: the rates of the two are never in one column."""
    every = lines(figures)
    for names, by_question in ((columns, False), ([OF_QUESTIONS.get(name, name) for name in columns], True)):
        if found := [line for line in every if line.by_question is by_question]:
            yield names, found


def lines(figures: Figures) -> list[TableLine]:
    """The table of attacks, the control last; with the kinds of edits below each attack."""
    names = sorted(figures.attacks, key=lambda name: name == CONTROL)
    noise = figures.attacks.get(CONTROL)
    attacks = figures.attacks
    return [
        replace(line, by_question=attacks[name].by_question)
        for name in names
        for line in _attack_lines(name, attacks[name], noise)
    ]


def _attack_lines(name: str, attack: AttackFigures, noise: AttackFigures | None) -> list[TableLine]:
    """An attack without answers judged against gold is shown by those judged against the bot's own reply."""
    control, alone = name == CONTROL, by_own(attack)
    # Whoever asks again unchanged must get the same answer: that is no measure of what must change, nor of how
    # often one of several replies goes wrong.
    odd = attack.expect != "same" or longer(attack, noise)

    def again(row: Row) -> str:
        if control:
            return NONE if odd else ""
        if attack.by_question and not odd:
            return share(attack.control) if attack.control.rated else NONE
        return f"{row.unchanged_broken:,}/{row.unchanged:,}" if row.unchanged and not odd else NONE

    mark = FAMILIES[attack.expect].mark
    shown = visible(name) + " (control)" * control + (f" {mark}" if mark else "") + covered(attack)
    row = attack.own if alone else attack.gold
    called = "" if control else visible(described(name).plain)
    found = [TableLine(shown + f" {OWN}" * alone, row, again(row), plain="" if called == visible(name) else called)]
    kinds = {kind: row for kind, row in attack.splits.get("kind", {}).items() if row.rated}
    if len(kinds) > 1:
        found += [TableLine(visible(str(kind)), row, again(row), 1) for kind, row in kinds.items()]
    doors = attack.splits.get("door", {})
    if len(doors) > 1:
        found += [TableLine(str(door), row, again(row), 1) for door, row in doors.items()]
    if attack.unsure.asked:
        found.append(TableLine("may ask something else", attack.unsure, again(attack.unsure), 1))
    if attack.own.asked and not alone:
        found.append(TableLine(f"without known answers {OWN}", attack.own, again(attack.own), 1))
    return found


def covered(attack: AttackFigures) -> str:
    """`, for 45 of 206 questions`: beside the rate of an attack after which another answer is right and that has
    variants for some alone; empty for others."""
    found, changes = attack.coverage, attack.expect == "different"
    some = f", for {found.carried:,} of {found.attacked:,} questions"
    return some if changes and found.carried < found.attacked else ""


def by_own(attack: AttackFigures) -> bool:
    """Whether an attack is shown by what was judged against the bot's own reply, as nothing else was."""
    return attack.own.asked > 0 and not attack.gold.asked


def legends(figures: Figures) -> list[str]:
    """What the marks in the table of attacks mean: of those that are in it."""
    there = {attack.expect for attack in figures.attacks.values()}
    found = [f"{each.mark} {each.legend}" for expect, each in FAMILIES.items() if expect in there and each.mark]
    if any(attack.own.asked for attack in figures.attacks.values()):
        found.append(f"{OWN} the right answers are not known: compared with the bot's own reply")
    if odd := [lowered(each.plain) for each in map(described, figures.attacks) if not each.typed]:
        found.append(f"Read by language models, {' and '.join(map(visible, odd))} are hardly typed by anybody")
    return found


def silence(figures: Figures) -> str:
    """What to say where errors rise with the attacks, else nothing: a bot that goes silent must not look robust."""
    found = figures.unanswered
    if not found.rises:
        return ""
    altered = f"{found.altered:,} of {count(found.of_altered, 'altered question')}"
    return (
        f"errors: {altered}, {found.unchanged:,} of {found.of_unchanged:,} unchanged: "
        "the bot may block questions or go silent under attack; if that is how it refuses, write "
        "signs: {refused: [nothing, 400, 403]}, or what else it shows, in its target file"
    )


def stopped_early(figures: Figures) -> str:
    """Where a run that stops when it is sure stopped, and what that saved; empty if it did not."""
    if (early := figures.early) is None:
        return ""
    return (
        f"stopped after {early.after:,} of {count(early.total, 'question')}, about {count(early.saved, 'request')} "
        "before the end of the plan: every gate is decided"
    )


def bounds(gate: AnyGate) -> list[str]:
    """The bounds of a gate: `share broken by dpaeg at most 20.0 %`."""
    forms = {"at_least": "at least {}", "at_most": "at most {}", "drop_at_most": "at most {} worse than the baseline"}
    limits = bounds_of(gate).items()
    shown = (forms[bound].format((points if bound == "drop_at_most" else percent)(limit)) for bound, limit in limits)
    return [f"{visible(name_of(gate))} {bound}" for bound in shown]


def gates(figures: Figures) -> list[tuple[str, str]]:
    """Of each bound of a gate whether it held, and its figure and bound in words."""
    lacking = [gate for gate in figures.gates if gate.failed and gate.value is None]
    few = failures(lacking, figures)
    once = len(few) == 1 < len(lacking)
    others = [(state_of(gate), visible(gate.sentence)) for gate in figures.gates if not (once and gate in lacking)]
    return [("FAILED", visible(few[0])), *others] if once else others


def state_of(gate: GateFigures) -> str:
    """What a run says of a gate."""
    return "FAILED" if gate.failed else "undecided" if gate.undecided else "held"


def run_line(figures: Figures) -> str:
    run = figures.run
    state = (
        "not ended"
        if run.exit is None
        # Why a run stopped is the first sentence of its report.
        else f"exit status {run.exit}" + (f": {visible(run.why, WHY)}" if run.why and run.exit in (0, 1) else "")
    )
    return f"seed {run.seed} · {duration(run.seconds)} · {state}"


def requests_line(figures: Figures) -> str:
    requests = figures.requests
    reasons = ", ".join(f"{number:,} {visible(reason)}" for reason, number in figures.failures.items())
    if reasons:
        errors = f"{count(sum(figures.failures.values()), 'conversation')} failed, not counted: {reasons}"
    else:
        none = "no errors" if figures.questions.asked or not requests.sent else "no question finished"
        errors = f"{count(figures.errors, 'error')}, not counted" if figures.errors else none
    services = f" ({requests.services:,} of them to services)" if requests.services else ""
    again = ((requests.retried, "retried"), (requests.rate_limited, "rate limited"))
    sent = ", ".join((f"{requests.sent:,} sent{services}", *(f"{number:,} {what}" for number, what in again if number)))
    rate = requests.learned_rate
    learned = "" if rate is None else f"; learned pace {rate:.3g}/s, to be set as limits: {{rate: {rate:.3g}/s}}"
    cut = f"; {count(requests.cut_off, 'conversation')} begun and not finished" if requests.cut_off else ""
    return f"{sent}; {errors}{cut}{learned}"


def questions_line(figures: Figures) -> str:
    questions = figures.questions
    became = ", ".join(counted(questions, "standings")) or "no answer yet"
    gone = f", and {questions.gone:,} that the file no longer has" if questions.gone else ""
    each = ", ".join(f"{door} {right:,} of {asked:,} right" for door, (asked, right) in questions.doors.items())
    times = f", those with passages counted once for each door ({each})" if each else ""
    asked = f"{questions.asked - questions.gone:,} of {questions.total:,} asked{gone}{times}"
    broken = figures.broken
    line = f"{asked}: {became}"
    line = "; ".join((line, *left(questions), broke_once(broken), *by_chance(figures))) if broken.attacked else line
    line += _follow_ups(questions)
    line += f"; besides {count(questions.bad_records, 'bad record')}" if questions.bad_records else ""
    return f"{line}; {repeated(questions.duplicates)}" if questions.duplicates else line


def left(questions: QuestionFigures) -> Iterator[str]:
    """`not attacked: 13 that could not be altered`, each reason in its own words."""
    return (
        why.format(f"{questions.left[name]:,}") for name, why in terms("not attacked").items() if name in questions.left
    )


def _follow_ups(questions: QuestionFigures) -> str:
    """That at least half of what failed follows earlier turns; empty if every question does."""
    failed, of_them = questions.wrong + questions.refused, questions.follow_ups_failed
    if not of_them or failed > 2 * of_them or questions.follow_ups == questions.asked:
        return ""
    return f"; {of_them:,} of the {failed:,} that failed follow earlier turns"


def repeated(records: int) -> str:
    """What becomes of records that ask a question again."""
    repeats, its = ("repeats", "its") if records == 1 else ("repeat", "their")
    return f"{count(records, 'record')} {repeats} a question: {its} answers count as other right answers of it"


def broke_once(broken: BrokenFigures) -> str:
    """`9 of 51 right questions broke at least once when attacked`; neither those without a judged altered version are
    counted, nor those that are not right, though `filter: all` attacks them, too."""
    if not broken.attacked:
        return "no altered version of a right question was judged"
    attacked = count(broken.attacked, "question" if broken.own else "right question")
    return f"{broken.questions:,} of {attacked} broke at least once when attacked"


def by_chance(figures: Figures) -> Iterator[str]:
    """How many questions would break at least once if each version broke as often as the unchanged questions may do, at
    the upper end of that interval. Nothing if none of them did, or if something breaks that need not be noise."""
    broken, control = figures.broken, figures.control
    if control and control.success and control.interval and all(x.expect == "same" for x in figures.attacks.values()):
        held = (1 - control.interval[1]) ** (broken.rated / broken.attacked)
        yield f"chance alone may break up to {broken.attacked * (1 - held):,.0f} of these"


def weaker(sentences: Iterable[str]) -> list[str]:
    """What of a run is weaker than it might be, as it can be shown."""
    return [visible(sentence, None) for sentence in sentences]


def boilerplate(run: RunFigures) -> list[str]:
    """What was left out of judging, in one sentence; nothing if that is nothing. Sentences that are said in a row, too,
    are counted one by one."""
    parts = {one: [one[start:end] for start, end in sentences(one)] for one in run.boilerplate}
    known = [one for one, each in parts.items() if len(each) < 2 or not set(each) <= parts.keys()]
    if not known:
        return []
    whence = f"learnt from {count(run.learnt_from, 'answer')}" if run.learnt_from else "known beforehand"
    shown = ", ".join(f"“{flowing(unmarked(one), BOILERPLATE_LONGEST)}”" for one in known[:BOILERPLATE_SHOWN])
    more = f" and {len(known) - BOILERPLATE_SHOWN:,} more" if known[BOILERPLATE_SHOWN:] else ""
    return [f"{count(len(known), 'sentence')} that the bot says around its answers, {whence}: {shown}{more}"]


def faults(figures: Figures, part: str = "") -> list[str]:
    """What failed and was skipped, a sentence for the judge, each attack and the measures, or one of these parts
    alone."""
    groups: dict[tuple[str, str | None], list[FaultFigures]] = {}
    for fault in figures.faults:
        if part in ("", fault.part):
            groups.setdefault((fault.part, fault.attack), []).append(fault)
    return [_failed(*group, found) for group, found in groups.items()]


def _failed(part: str, attack: str | None, found: list[FaultFigures]) -> str:
    times = sum(fault.times for fault in found)
    shown = ", ".join(f"{fault.times:,} × {visible(fault.reason)}" for fault in found[:REASONS_SHOWN])
    reasons = shown + (f" and {count(len(found) - REASONS_SHOWN, 'other reason')}" if found[REASONS_SHOWN:] else "")
    if part == "judge":
        return f"the judge failed on {count(times, 'verdict')}, which are not counted: {reasons}"
    if part == "attack":
        return f"attack {visible(attack or '')} failed on {count(times, 'question')} before its end: {reasons}"
    return f"EM, F1, rankings and likeness leave out {count(times, 'question')} on which they failed: {reasons}"


def details(figures: Figures) -> list[tuple[str, str, str]]:
    """Of each attack its name, where its outcomes come from and what of them is not counted, and its note."""
    found = []
    # Through several doors, a question is attacked several times. Rates are of right questions, whatever is attacked.
    attacked = 0 if figures.questions.doors else min(figures.questions.kept, figures.questions.correct)
    for name, attack in figures.attacks.items():
        if attack.gold.asked or not (attack.own.asked or attack.unsure.asked):
            found.append((visible(name), _detail(name, attack.gold, attacked, attack), attack.gold.note))
        for row, part in ((attack.unsure, "may ask something else"), (attack.own, "without known answers")):
            if row.asked:
                found.append((visible(name), f"{part}: {_detail(name, row, attacked, attack)}", row.note))
    return found


def corrections(figures: Figures) -> list[tuple[str, str]]:
    """Of each attack its name and what people's labels make of its rate, if enough were given."""
    return [
        (
            visible(name),
            f"corrected by {count(found.labels, 'label')} of people: {percent(found.rate)} ({span(found.interval)})",
        )
        for name, attack in figures.attacks.items()
        if (found := attack.corrected) and name != CONTROL
    ]


def kinds_of(row: Row, label: str, *, own: bool) -> str:
    """What the bot did wrong, as often as it did: `278 × did not answer, 142 × wrong answer`. Of a row judged against
    the bot's `own` reply, nobody knows what is wrong."""
    said = f" ({row.broken_by_decoy:,} of these {row.success:,} said the {described(label).planted})"
    wrong = WRONG["changed"] if own else VERDICTS["wrong"]
    kinds = ((VERDICTS["refused"], row.refused), (wrong, row.success - row.refused))
    return ", ".join(f"{number:,} × {kind}" for kind, number in kinds if number) + said * bool(row.broken_by_decoy)


def _detail(name: str, row: Row, attacked: int, attack: AttackFigures) -> str:
    by_question, same = attack.by_question, attack.expect == "same"
    # For some questions an attack produces no variant.
    carried = f"{row.questions:,} of " if row.questions < attacked else ""
    sent = row.variants if by_question else row.asked
    # Few attacks know of more variants than they make: only these say how many there might be.
    of = f"{sent:,} of {count(row.existing, 'possible variant')}" if row.existing > sent else count(sent, "variant")
    asked = f"asked {of}"
    asked += f", for {carried}{count(max(row.questions, attacked), 'question')}"
    asked += f", in {count(row.requests, 'request')}" if by_question else ""
    first = row.first_success
    within = "" if first is None else f", half of them within {first:g} request{'' if first == 1 else 's'}"
    apart = (
        (row.other, "neither the old answer nor the right one"),
        (row.unsure - row.other, "unsure"),
        (row.error, "failed"),
        (row.marked, "left out by marks or readers"),
        (0 if by_question else row.probes, "only to compare"),
    )
    left_out = ", ".join(f"{number:,} {what}" for number, what in apart if number)
    planted = f"; {row.took_decoy:,} of {row.decoys:,} said the {described(name).planted}"
    broke = f"; {count(row.broken_questions, 'question')} broke{within}" if row.broken_questions else ""
    did = f": {kinds_of(row, name, own=row is attack.own)}" if row.success and same else ""
    return asked + broke + did + planted * bool(row.decoys) + (f"; not counted: {left_out}" if left_out else "")
