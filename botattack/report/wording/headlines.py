"""The first thing a report says: what breaks the bot most, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

from botattack.config.docstrings import described, lowered
from botattack.errors import QUOTED
from botattack.model import CONTROL
from botattack.outage import Outage
from botattack.report.escape import visible
from botattack.report.figures.chance import control_of, longer, perhaps_chance
from botattack.report.figures.coverage import NOT_RIGHT
from botattack.report.figures.figure_values import AttackFigures, Figures, Row
from botattack.report.figures.withheld import MEMORY, unheard
from botattack.report.numbers import count, rounded
from botattack.report.wording import assistant_words, diagnoses
from botattack.report.wording.cautions import none_counted, unreached
from botattack.report.wording.outcomes import FAMILIES, Family
from botattack.report.wording.words import covered, ended, silence


@dataclass(frozen=True)
class Rated:
    """An attack with outcomes, by those judged against gold, or, if there is none, against the bot's `own` reply."""

    label: str
    attack: AttackFigures
    own: bool

    @property
    def row(self) -> Row:
        return self.attack.own if self.own else self.attack.gold

    def perhaps_chance(self, figures: Figures) -> bool:
        """Whether chance would explain what it broke."""
        return perhaps_chance(figures, self.label, self.row)

    def control(self, figures: Figures) -> Row:
        """What it is compared with."""
        return control_of(figures, self.label, self.row)

    @property
    def family(self) -> Family:
        return FAMILIES[self.attack.expect]

    @property
    def name(self) -> str:
        return plain(self.label)

    @property
    def within(self) -> str:
        """Its name within a sentence."""
        return visible(lowered(described(self.label).plain))

    @property
    def big(self) -> str:
        """The figure of the headline: `38 %`, or `3` of too few questions."""
        row = self.row
        return f"{row.success:,}" if row.success_rate is None else rounded(row.success_rate)

    @property
    def counted(self) -> str:
        """What the figure counts: `of the answers broken by`, before its name."""
        of = f"of the {self.thing}s" if self.row.success_rate is not None else f"{self.thing}s"
        return f"{of} {self.family.did}"

    @property
    def thing(self) -> str:
        """What its rate counts."""
        return "question" if self.attack.by_question else self.family.counted

    @property
    def share(self) -> float:
        """What attacks are ranked by."""
        return self.row.success_rate or 0.0

    @property
    def versions(self) -> str:
        """`38 % of the answers: 79 of 206 altered versions of the questions`, or `3 of 7 answers` of too few."""
        row = self.row
        if not row.success or row.success_rate is None:
            return self.of_all
        if self.attack.by_question:
            return self.of_all
        counted = f"{row.success:,} of {row.rated:,} {self.family.versions}"
        return f"{rounded(row.success_rate)} of the {self.thing}s: {counted}{covered(self.attack)}"

    @property
    def of_all(self) -> str:
        """`38 % of the answers (79 of 206)`, or `3 of 7 answers` of too few questions."""
        row = self.row
        if not row.success:
            return f"none of {count(row.rated, self.thing)}"
        if row.success_rate is None:
            return f"{row.success:,} of {count(row.rated, self.thing)}"
        return f"{rounded(row.success_rate)} of the {self.thing}s ({row.success:,} of {row.rated:,})"


def plain(label: str) -> str:
    """What people call an attack."""
    return visible(described(label).plain)


def does(label: str) -> str:
    """A sentence on what an attack does; empty if it is not known here."""
    return visible(described(label).does, None)


def ranked(figures: Figures) -> list[Rated]:
    """The attacks that broke most come first; what chance may have broken after all that it would not explain, so that
    it hides no other kind of attack. Of each, those that ask for the same answer come before the others, those judged
    against gold before those judged against the bot's own reply. What broke nothing comes last."""
    families = list(FAMILIES)
    found = [
        Rated(name, attack, own)
        for name, attack in figures.attacks.items()
        for own in (False, True)
        if name != CONTROL and (attack.own if own else attack.gold).rated
    ]
    return sorted(
        found,
        key=lambda one: (
            not one.row.success,
            one.perhaps_chance(figures),
            families.index(one.attack.expect),
            one.own,
            -one.share,
            -one.row.success,
            one.label,
        ),
    )


def only_chance(figures: Figures) -> bool:
    """Whether the headline says that chance would explain what the attacks broke: other sentences need not."""
    found = ranked(figures)
    return bool(found) and found[0].perhaps_chance(figures)


def unbroken(figures: Figures) -> tuple[int, int]:
    """How many attacks broke no answer, and of how many that were judged; zeros if one broke any, or it is one attack
    alone."""
    found = ranked(figures)
    if len({one.label for one in found}) < 2 or any(one.row.success or one.attack.by_question for one in found):
        return 0, 0
    return len({one.label for one in found}), sum(one.row.rated for one in found)


def unasked(figures: Figures) -> str:
    """`; nothing was asked by scrambled letters`: which attacks of the run nothing is known of; empty if of none."""

    # Passages without the instruction, which are only compared with, are asked first: they are in no row.
    def asked(one: AttackFigures) -> bool:
        return any((one.gold.asked, one.own.asked, one.unsure.asked, one.coverage.not_right))

    bare = [name for name, attack in figures.attacks.items() if name != CONTROL and not asked(attack)]
    return f"; nothing was asked by {', '.join(visible(lowered(plain(name))) for name in bare)}" if bare else ""


def headline(figures: Figures, *, failure: bool = True) -> str:
    """How bad it is in one sentence, after why the run failed, if it did, and whether the bot may go silent under
    attack: `Typing mistakes break 38 % of the answers: 79 of 206 altered versions of the questions. The same questions
    asked again unchanged: none of 39.`"""
    run = figures.run
    before = ended(run.exit, run.why) if failure and run.id else ""
    if (silent := silence(figures)) and silent not in before:
        before += f"{silent[0].upper()}{silent[1:]}. "
    of_memory = _leak(figures), assistant_words.poisoned(figures.assistant.remembered)
    found = *of_memory, assistant_words.obeyed(figures.assistant.obeyed)
    before = "".join(f"{sentence}. " for sentence in found if sentence) + before
    if figures.outage:
        says = "" if failure and run.why else f"The bot {outage(figures.outage)}. "
        return f"{before}{says}Nothing that broke is laid to an attack."
    if worst := next(iter(ranked(figures)), None):
        return f"{before}{_sentence(figures, worst)}. {assistant_words.unread(figures.assistant.obeyed)}".rstrip()
    why = none_counted(figures) or "no variant was judged"
    other = "; ".join(unreached(figures)) if unheard(figures) else _unsure(figures) or diagnoses.headline(figures)
    other = other or ("" if before else f"{why[0].upper()}{why[1:]}")
    return f"{before}{other}." if other else before.rstrip()


def _leak(figures: Figures) -> str:
    """That one conversation shows in the next, counted, or with what the bot said there; empty if none does."""
    if counted := assistant_words.leaked(figures.assistant.remembered):
        return counted
    if figures.memory is None or figures.memory.seen != "leaks":
        return ""
    said = visible("".join(figures.memory.replies[-1:]), QUOTED)
    return f"Conversations are not separate: a word given in one was known in another, where the bot said “{said}”"


def outage(found: Outage) -> str:
    """`stopped answering: from second 12 of the run on, it gave one reply to everything, “Try later”, also to …`"""
    return (
        f"stopped answering: from second {found.since:,.0f} of the run on, it gave one reply to everything, also to "
        f"{found.times} unchanged questions that it had answered: “{visible(found.reply, QUOTED)}”"
    )


def failures(figures: Figures) -> int:
    """How many failures the examples are of."""
    return figures.broken.answers if figures.broken.rated else _unsure_outcomes(figures)[0]


def _unsure(figures: Figures) -> str:
    """`29 of 30 altered questions broke; these may ask something else: read them`; empty if none was judged."""
    broken, rated = _unsure_outcomes(figures)
    if not rated:
        return ""
    first = f"{broken:,}" if broken else "None"
    return f"{first} of {count(rated, 'altered question')} broke; these may ask something else: read them"


def _unsure_outcomes(figures: Figures) -> tuple[int, int]:
    """Broken and judged variants that may ask something else."""
    rows = [attack.unsure for name, attack in figures.attacks.items() if name != CONTROL]
    return sum(row.success for row in rows), sum(row.rated for row in rows)


def _sentence(figures: Figures, worst: Rated) -> str:
    row, control = worst.row, worst.control(figures)
    again = "repeated as often" if worst.attack.by_question else "asked again"
    # An attack may have variants for some of the questions alone; the control asks all of them again.
    which = "All" if control.questions > row.questions else "The same"
    # What broke nothing needs nothing to be compared with.
    alone = ". Nothing was asked again unchanged, so this is compared with nothing" if row.success else ""
    noise = f". {which} questions {again} unchanged: {share_of(control)}" if control.rated else alone
    if longer(worst.attack, figures.attacks.get(CONTROL)):
        noise = f". {more_turns(figures, worst)}"
    name = worst.name if worst.name != visible(worst.label) else f"Variants of {worst.name}"
    says = f"{name} {worst.family.many.format(worst.versions)}"
    attacks, rated = unbroken(figures)
    if attacks:
        says = (
            f"None of {attacks} attacks breaks an answer: all {rated:,} judged altered versions of the questions held"
        )
    if worst.perhaps_chance(figures):
        says = f"No attack breaks clearly more than chance does: {worst.of_all} broke, by {worst.within}"
        others = sum(one.row.success for one in ranked(figures) if one.thing == worst.thing) - worst.row.success
        says += f", and {others:,} by other attacks" if others > 0 else ""
    marked = sum(one.row.marked for one in (ranked(figures) if attacks else [worst]))
    says += (
        f"; {marked:,} more {'is marked and counts' if marked == 1 else 'are marked and count'} nowhere"
        if marked
        else ""
    )
    if wrong := worst.attack.coverage.not_right if worst.attack.expect == "same" else 0:
        says += f"; not counted: {wrong:,} {NOT_RIGHT}"
    if attacks or figures.run.stopped:
        says += unasked(figures)
    says += ", compared with the bot's own replies" if worst.own else ""
    says += "; too few questions for a rate" if row.success_rate is None else ""
    says += "; memory not shown" * (f"{visible(worst.label)}: {MEMORY['unseen']}" in unreached(figures))
    return says + (noise if worst.attack.expect == "same" else "")


def more_turns(figures: Figures, worst: Rated) -> str:
    """`One wrong reply in up to 6 turns breaks these, but the unchanged questions have 1: the shares cannot be
    compared`"""
    turns, one = worst.attack.turns.most, figures.attacks[CONTROL].turns.most
    return (
        f"One wrong reply in up to {turns} turns breaks these, but the unchanged questions have {one}: "
        "the shares cannot be compared"
    )


def share_of(row: Row) -> str:
    """`none of 39`, or `2 of 39`"""
    return f"{row.success:,} of {row.rated:,}" if row.success else f"none of {row.rated:,}"
