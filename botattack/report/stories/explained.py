"""Why failures came about, as blocks: by cause, each with what to do, what that is worth, and one example."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from botattack.report.escape import flowing, visible
from botattack.report.figures.explained import Explained, WhyFigures
from botattack.report.figures.figure_values import Figures
from botattack.report.stories.asked import boilerplate_of, said, softened
from botattack.report.story.blocks import Block, Example, Examples, Fact, Listing, Section, Sentence
from botattack.report.wording import causes
from botattack.report.wording.alterations import marked
from botattack.report.wording.headlines import plain
from botattack.report.wording.words import terms

SENT = 160
"""Characters of a request that a story shows."""


def lost(figures: Figures) -> tuple[Block, ...]:
    """Why a night lost answers, as a block of its own story; `figures` are those of the run that asked."""
    if not figures.why:
        return ()
    told = Sentence(f"{causes.headline(figures.why)}.", "strong")
    return (Section("Why answers were lost", (told, *sections(figures.why, boilerplate_of(figures))), id="why"),)


def sections(found: WhyFigures, known: Sequence[str]) -> Iterator[Block]:
    for share in found.causes:
        # The surest tells most; of these the one that took fewest requests is the shortest to read.
        those = sorted(found.explained, key=lambda one: (not one.sure, not one.story, one.requests))
        alike = defaultdict[tuple[object, ...], list[Explained]](list)
        for one in those:
            if one.cause == share.cause:
                alike[one.question, one.attack, one.also, one.told].append(one)
        first, *others = (_example(one, 1 + len(more), known) for one, *more in alike.values())
        # What was tried says more than general advice.
        told = Sentence(causes.worth(share, found), "strong"), Sentence(causes.fix(share, found))
        blocks: list[Block] = [*(one for one in told if one.text), Examples((first,))]
        if others:
            blocks.append(Section(f"More of {share.cause}", (Examples(tuple(others)),), folded=True, shown="files"))
        yield Section(causes.title(share, found), tuple(blocks), id=f"why-{share.cause}")
    yield Section("What was asked about", (Listing(tuple(causes.about(found)), tone="note"),))


def _example(one: Explained, times: int, known: Sequence[str]) -> Example:
    """One of several `times` that a question failed under an attack for a cause."""
    lines = tuple(marked(one.found.alteration)) if one.found else ()
    answers = [Fact("expected", " | ".join(map(said, one.expected)))] if one.expected else []
    usual = next((step.reply for step in one.story if step.right), "")
    for step in one.story:
        right = "right" if step.right else "wrong"
        answers.append(Fact(terms("probes").get(step.name, visible(step.name)), f"{flowing(step.sent, SENT)}"))
        answers.append(Fact(f"  {right}", softened(said(step.reply, usual, step.sent), known)))
    answers.append(Fact("so", one.told))
    again = f", {times:,} versions of this question" if times > 1 else ""
    return Example(f"{plain(one.attack)}: {causes.verdict(one)}{again}", lines, tuple(answers), unit=one.variant)
