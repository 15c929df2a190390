"""Sentences on which attacks' figures say less than they seem to, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as naturals

from botattack.model import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.chance import longer, perhaps_chance
from botattack.report.figures.coverage import NOT_RIGHT, Coverage
from botattack.report.figures.figure_values import AttackFigures, Figures
from botattack.report.figures.gates import AnyGate, bounds_of, name_of
from botattack.report.figures.withheld import MEMORY, cut_short, unheard
from botattack.report.numbers import count
from botattack.report.statistics.intervals import MIN_QUESTIONS, half_width
from botattack.report.wording import assistant_words

CLOSE = 0.10
"""Half of the interval from which on a rate is worth comparing with that of another night."""
ASK_UNSURE = "a line `ask_unsure: true` in the campaign file, or --ask-unsure of botattack run, asks these too"


def cautions(figures: Figures, *, chance: bool = True) -> list[str]:
    """A sentence for each reason to doubt the figures of an attack; without `chance`, other reasons alone."""
    alone = assistant_words.alone(figures.assistant.obeyed)
    shut = [(door, count(asked, "question")) for door, (asked, right) in figures.questions.doors.items() if not right]
    return (
        unreached(figures)
        + ([alone] if alone else [])
        + [f"passages {door}: none of {asked} was answered correctly, so no rate counts any" for door, asked in shut]
        + [
            sentence
            for name, attack in figures.attacks.items()
            if name != CONTROL
            for sentence in (
                *_thin(name, attack, cut_short(figures)),
                *(_chance(figures, name) if chance else ()),
            )
        ]
    )


def unreached(figures: Figures) -> list[str]:
    """Of each attack whose earlier turns may not have reached the bot, that nobody saw it remember them."""
    memory = figures.memory
    why = MEMORY.get(memory.seen) if memory else None
    return [f"{visible(name)}: {why}" for name in figures.attacks if why and memory and name in memory.attacks]


def too_few(questions: int, gates: Sequence[AnyGate] = (), *, doors: bool = False) -> str:
    """Say before a run that its rates will be wide, or none, and how many questions it takes, and which gates fail it
    for that; nothing if it has enough, or nobody knows as each is counted through several `doors`.
    `20 questions are too few for a rate within ± 10 points: that takes about 93 …; these give ± 20 …`"""
    if half_width(questions or 1) <= CLOSE or (doors and questions >= MIN_QUESTIONS):
        return ""
    enough = next(n for n in naturals(MIN_QUESTIONS) if half_width(n) <= CLOSE)
    points = f"within ± {100 * CLOSE:.0f} points"
    takes = f"that takes about {enough:,} that are attacked"
    if questions < MIN_QUESTIONS:
        are = ", counted through each door, are" if doors else " is" if questions == 1 else " are"
        lost = ""
        for dropped, when in ((False, "the run will fail"), (True, "if there is a baseline, the run will fail")):
            names = [name_of(gate) for gate in gates if ({*bounds_of(gate)} == {"drop_at_most"}) is dropped]
            lost += f"; {when}, as gates need a rate: {', '.join(dict.fromkeys(names))}" * bool(names)
        asked = count(questions, "question")
        return f"{asked}{are} too few for any rate, which takes {MIN_QUESTIONS}; for one {points}, {takes}{lost}"
    these = f"these give ± {100 * half_width(questions):.0f} if half of them break"
    return f"{questions:,} questions are too few for a rate {points}: {takes}; {these}"


def none_counted(figures: Figures) -> str:
    """Say why no altered variant is in a rate, by the counts of what was asked; nothing if one is, or none was due."""
    attacks = [attack for name, attack in figures.attacks.items() if name != CONTROL]
    covered = [attack.coverage for attack in attacks]
    rows = [row for attack in attacks for row in (attack.gold, attack.unsure, attack.own)]
    diagnosed = figures.shrunk or figures.why or figures.assistant.remembered or unheard(figures)
    if diagnosed or any(row.rated for row in rows):
        return ""
    asked, tried = sum(one.asked for one in covered), max((one.attacked for one in covered), default=0)
    if asked:
        reasons = {
            NOT_RIGHT: sum(one.not_right for one in covered),
            "of which the judge is unsure": sum(row.unsure for row in rows),
            "failed": sum(row.error for row in rows),
            "left out by marks or readers": sum(row.marked for row in rows),
            "only compared, or tried before the one that counts": sum(row.probes for row in rows),
        }
        reasons["may ask something else"] = asked - sum(reasons.values())
        why = ", ".join(f"{number:,} {reason}" for reason, number in reasons.items() if number)
        return f"{count(asked, 'variant')} {'was' if asked == 1 else 'were'} asked, but none is in a rate: {why}"
    if any(one.unsure for one in covered):
        return f"no variant was asked: some may ask something else, and {ASK_UNSURE}"
    if failed := max((one.failed for one in covered), default=0):
        return f"no variant was asked: {_failed(failed)}"
    # A run that was stopped may not have come to its attacks: nobody knows what they can alter.
    if not tried or cut_short(figures):
        return ""
    return f"no variant was asked: no attack could alter any of {count(tried, 'question')}"


def _thin(name: str, attack: AttackFigures, cut: bool) -> Iterator[str]:
    # With a cut plan, nobody knows yet whether there are enough for a rate, nor by a few what the others are like.
    found = attack.coverage
    if found.thin and not (cut and (not found.seldom or found.attacked < MIN_QUESTIONS)):
        yield few(name, found, asked=attack.unsure.asked > 0)


def _chance(figures: Figures, name: str) -> Iterator[str]:
    attack = figures.attacks[name]
    if perhaps_chance(figures, name, attack.gold) and not figures.outage:
        why = "too close to what breaks when asked again unchanged"
        if longer(attack, figures.attacks.get(CONTROL)):
            why = "its altered turns do not break clearly more than unaltered ones"
        yield f"what {visible(name)} broke may be chance: {why}"


def few(attack: str, found: Coverage, *, asked: bool) -> str:
    """`negate has variants for 1 of 60 questions, so it says little about this bot: for 40 its variants may ask …`

    `asked` says whether variants of unsure meaning were asked, too; then what it says is only of the others.
    """
    none = found.attacked - found.carried - found.unsure - found.failed
    why = (
        f"for {found.unsure:,} its variants may ask something else ({'counted apart' if asked else ASK_UNSURE})"
        if found.unsure
        else "",
        f"for {none:,} it has none" if none and found.unsure + found.failed else "",
        _failed(found.failed) if found.failed else "",
    )
    if none == found.attacked:
        those = f"any of {none:,} questions" if none > 1 else "the question"
        return f"{visible(attack)} could not alter {those}, so it says nothing about this bot"
    says = "little" if found.carried else "nothing"
    carried = f"{found.carried or 'none'} of {count(found.attacked, 'question')}"
    sure, subject = (" of sure meaning", "its rate") if asked else ("", "it")
    so = f"so {subject} says {says} about this bot"
    if not found.seldom:
        so = f"too few for a rate, which takes {MIN_QUESTIONS}"
    return f"{visible(attack)} has variants{sure} for {carried}, {so}" + ": " * any(why) + ", ".join(filter(None, why))


def _failed(times: int) -> str:
    return f"on {count(times, 'question')} the attack failed"
