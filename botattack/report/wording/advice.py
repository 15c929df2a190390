"""What to do next, from what a run found: a few sentences for whoever has to act on it."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.config.docstrings import described
from botattack.model import CONTROL
from botattack.report.escape import visible
from botattack.report.figures.chance import longer
from botattack.report.figures.figure_values import Figures, RunFigures
from botattack.report.figures.withheld import unheard
from botattack.report.numbers import count, rounded
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.wording import assistant_words
from botattack.report.wording.commands import command
from botattack.report.wording.headlines import Rated, ranked, share_of
from botattack.report.wording.words import terms

NOISY = 0.05
"""The share of repeated questions that break from which on the bot itself is the first thing to look at."""
WEAK = 0.5
"""The share of questions answered wrongly, or not at all, above which there is more to fix than robustness."""


def advice(figures: Figures, recording: str) -> Iterator[tuple[str, str]]:
    """Sentences on what to do, each with a command to run or nothing."""
    if figures.shrunk or figures.why:
        return
    if figures.outage:
        yield "Ask again when the bot answers: start a new run, slower or later.", ""
        return
    if unheard(figures):
        yield terms("fixes")["memory"], ""
    yield from _advice(figures, recording)


def _continued(figures: Figures) -> Iterator[tuple[str, str]]:
    """That a stopped run can be continued; a bot that was never there leaves nothing to continue."""
    if figures.questions.correct or figures.run.exit != 3:
        yield "Continue this run: it was stopped before everything was asked.", ""


def _advice(figures: Figures, recording: str) -> Iterator[tuple[str, str]]:
    questions, found = figures.questions, [one for one in ranked(figures) if one.row.success]
    asked = questions.asked - questions.marked
    if questions.wrong + questions.refused > WEAK * asked:
        right = rounded(questions.correct / asked)
        yield f"First fix what it does not know: as asked, it answers {right} of {asked:,} correctly.", ""
    if assistant_words.leaked(figures.assistant.remembered):
        yield "Keep what a user says within the conversation: none of it may reach another.", ""
    remedies: dict[str, list[Rated]] = {}
    for number, one in enumerate(found):
        if _evident(figures, one, worst=number == 0) and (remedy := visible(described(one.label).advice, None)):
            remedies.setdefault(remedy, []).append(one)
    yield from ((f"{remedy}{_gain(figures, *against)}", "") for remedy, against in remedies.items())
    if assistant_words.obeyed(figures.assistant.obeyed) and (remedy := described("injection").advice) not in remedies:
        yield remedy, ""
    if fragile := figures.broken.questions:
        these = "fragile question" if fragile == 1 else count(fragile, "fragile question")
        yield f"Read the {these}; the replay command of an answer shows how its verdict came about.", ""
    if (noise := figures.control) and noise.rated and noise.success >= NOISY * noise.rated:
        # An error or a refusal now and then is a part that fails: no setting of a model makes it answer alike.
        fails = 2 * noise.refused > noise.success
        todo = "Find out why it does not answer each time" if fails else "Make the bot answer alike each time"
        yield f"{todo}: asked again unchanged, it broke {share_of(noise)}.", ""
    if figures.run.stopped:
        yield from _continued(figures)
    elif questions.correct < MIN_QUESTIONS:
        yield f"Ask more: rates need {MIN_QUESTIONS} questions that the bot answers correctly.", ""
    else:
        told = f"run {nightly(figures.run)}: it asks the same variants again and says which answers changed."
        yield f"Pin this run, fix the bot, then {told}", command("nightly", "baseline", "set", recording)


def nightly(run: RunFigures) -> str:
    """The command that asks the same again."""
    return command("nightly", run.campaign or "CAMPAIGN", flags=run.flags)


def _evident(figures: Figures, one: Rated, *, worst: bool) -> bool:
    """Whether to advise something against an attack: not if chance would explain what it broke; else against the worst
    one, and against others that failed a gate or broke clearly more than the control did."""
    if one.perhaps_chance(figures):
        return False
    control = figures.attacks.get(CONTROL)
    failed = any(gate.failed and gate.attack == one.label for gate in figures.gates)
    compared = one.attack.q is not None or one.row.difference_interval is not None or longer(one.attack, control)
    return worst or failed or compared


def _gain(figures: Figures, one: Rated, *others: Rated) -> str:
    """What a remedy brings at best, if what broke should have stayed right: no more than what the attack broke beyond
    the bot's own noise. Of several attacks, it is said of the first. Nothing where that cannot be told."""
    noise = one.control(figures)
    if one.attack.expect != "same" or (noise.success and longer(one.attack, figures.attacks.get(CONTROL))):
        return ""
    under = f" under {one.within} alone" * bool(others)
    if not noise.success:
        return f" At best, that wins back {one.of_all}{under}."
    less = noise.success / noise.rated
    share = one.row.success / one.row.rated - less
    return (
        f" At best, that wins back {rounded(share)} of the {one.thing}s{under}: {rounded(less)} break unchanged, too."
    )
