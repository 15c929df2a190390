"""Questions, variants and findings as examples: what was sent, what was expected, what came, and why that counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from botattack.cases import QuestionCase, VariantCase
from botattack.config.docstrings import described
from botattack.report.escape import flowing, spoken, unmarked, visible
from botattack.report.figures.causes import Cause
from botattack.report.figures.diagnoses import Explained, Shrunk, WhyFigures
from botattack.report.figures.figure_values import Figures, HotWord
from botattack.report.figures.findings import Finding
from botattack.report.figures.heat import HotQuestion
from botattack.report.numbers import count
from botattack.report.story.blocks import Block, Example, Examples, Fact, Facts, Line, Listing, Section, Sentence
from botattack.report.wording import diagnoses, outcomes
from botattack.report.wording.alterations import marked
from botattack.report.wording.headlines import plain
from botattack.report.wording.marks import MarkedText, hidden_signs
from botattack.report.wording.outcomes import FAMILIES, failure, outcome
from botattack.report.wording.words import terms

VARIANTS = 12
"""Variants of a fragile question that are shown with it; the list of all outcomes has the others."""
SENT = 160
"""Characters of a request that the story of a cause shows."""
STATES = {"success": "broken", "robust": "held"}


def example_of(cause: Cause | None, finding: Finding, recording: str, known: Sequence[str] = ()) -> Example:
    """A finding, with how many others are like it."""
    if cause and cause.doubt:
        like, part = f"{diagnoses.DOUBTS[cause.doubt]}: ", ""
    else:
        like = f"{diagnoses.like_this(cause)}: " if cause and cause.broken > 1 else ""
        part = diagnoses.part(cause.part) if cause else ""
    wrong = outcomes.WRONG.get(cause.wrong, "") if cause else ""
    did = wrong or failure(finding.expect, finding.verdict, described(finding.attack).planted * finding.planted)
    return Example(
        (MarkedText("plain", f"{like}{plain(finding.attack)}{part}: "), MarkedText("broke", did)),
        tuple(marked(finding.alteration)),
        _answers(finding, known),
        outcomes.reproduce(finding.unit, recording),
        finding.unit,
        hidden_signs(finding.edits),
    )


def _answers(finding: Finding, known: Sequence[str]) -> tuple[Fact, ...]:
    return Fact("expected", outcomes.expected(finding)), Fact("got", outcomes.got(finding, known))


def shrunk_example(one: Shrunk, recording: str, known: Sequence[str]) -> Example:
    """A finding with the smallest edit that still breaks the bot."""
    found, smallest = one.found, one.smallest
    lines = marked(found.alteration)
    if smallest is None:
        return Example(diagnoses.title(one), tuple(lines))
    if smallest.alteration.edits != found.alteration.edits:
        lines += [(MarkedText("plain", "smallest that breaks it:"),), *marked(smallest.alteration)]
    command = outcomes.reproduce(smallest.unit, recording)
    return Example(diagnoses.title(one), tuple(lines), _answers(smallest, known), command, smallest.unit)


def heated(hot: Iterable[HotWord]) -> Line:
    """A question whose words are the darker the more often the bot broke without them or where they were altered."""
    pieces: list[MarkedText] = []
    for word in hot:
        # The darkest is for words whose every edit broke the bot.
        heat = 10 * word.broken // word.rated if word.rated else None
        pieces.append(MarkedText("plain", word.text, heat))
        pieces.append(MarkedText("plain", " "))
    return tuple(pieces[:-1])


def said(text: str, known: Sequence[str] = (), usual: str = "", sent: str = "") -> str:
    """What a bot said, on one line to read, around what is not in its `usual` reply, without what is `known` that it
    says around its answers."""
    return flowing(spoken(text, known), 300, unmarked(usual), sent)


def reply_of(question: QuestionCase, case: VariantCase, known: Sequence[str] = ()) -> str:
    failed = case.asked.failure if case.asked else None
    return visible(failed.message) if failed else said(case.reply, known, question.reply, case.alteration.text)


def note_of(question: QuestionCase, case: VariantCase) -> str:
    """What sets an outcome apart, such as a meaning that is not as claimed."""
    judged = case.judged
    what = outcome(judged.expect, case.result) if case.result == "success" and judged.expect != "same" else ""
    meaning = "" if case.claimed or judged.probe else f"meaning {judged.meaning}"
    right = "" if question.right else "original not right"
    return ", ".join(filter(None, (what, right, meaning, "own reference" if judged.reference == "own" else "")))


def fragile_question(hot: HotQuestion, recording: str, known: Sequence[str]) -> Section:
    """A question that broke, with the variants that broke it first."""
    question = hot.case
    order = {"success": 0, "robust": 1, "unsure": 2, "error": 3}
    cases = sorted(question.variants, key=lambda case: (order.get(case.result, 4), case.judged.distance))
    gold = question.question.has_gold
    right = outcomes.expected_of(question.expected("gold")) if gold else "its own reply"
    why = f" ({outcomes.reason(question.original.verdict)})" if question.original else ""
    facts = Facts((Fact("expected", right), Fact("as asked", said(question.reply, known) + why)))
    shown = Examples(tuple(_variant(question, case, recording, known) for case in cases[:VARIANTS]))
    more = len(cases) - VARIANTS
    left = (Sentence(f"{count(more, 'more variant')} in the list of all outcomes.", "note"),) if more > 0 else ()
    title = (MarkedText("plain", f"{hot.broken} of {hot.rated}  "), *heated(hot.words))
    return Section(title, (facts, shown, *left), folded=True)


def _variant(question: QuestionCase, case: VariantCase, recording: str, known: Sequence[str]) -> Example:
    judged = case.judged
    family = "" if judged.expect == "same" else f" ({FAMILIES[judged.expect].right})"
    state, note = STATES.get(case.result, case.result), note_of(question, case)
    title = f"{state}: {plain(judged.attack)}{family}{f' ({note})' if note else ''}"
    talk = len(case.alteration.sent) > 1 and not (case.asked and case.asked.failure)
    answers = () if talk else (Fact("bot answered", reply_of(question, case, known)),)
    why = (Fact("why", outcomes.reason(judged.verdict)),)
    command = outcomes.reproduce(judged.unit, recording)
    return Example(title, tuple(marked(case.alteration)), (*answers, *why), command, judged.unit)


def why_lost(figures: Figures, asked: str) -> tuple[Block, ...]:
    """Why a night lost answers, as a block of its own story; `figures` are those of the run that asked, `asked` what
    that took."""
    if not figures.why:
        return ()
    told = Sentence(f"{diagnoses.caused(figures.why)}.", "strong"), Sentence(asked, "note")
    known = outcomes.usual(figures.run.boilerplate)
    return (Section("Why answers were lost", (*told, *caused(figures.why, known)), id="why"),)


def caused(found: WhyFigures, known: Sequence[str]) -> Iterator[Block]:
    for share in found.causes:
        those = [one for one in found.explained if one.cause == share.cause]
        alike = dict[tuple[object, ...], list[Explained]]()
        # The surest tells most; of these the one that took fewest requests is the shortest to read.
        for one in sorted(those, key=lambda one: (not one.sure, one.requests)):
            alike.setdefault((one.question, one.attack, one.also, one.told), []).append(one)
        first, *others = (_explained(one, 1 + len(more), known) for one, *more in alike.values())
        # What was tried says more than general advice.
        told = Sentence(diagnoses.worth(share, found), "strong"), Sentence(diagnoses.fix(share, found))
        more = Section(f"More of {share.cause}", (Examples(tuple(others)),), folded=True, shown="files")
        blocks = (*(one for one in told if one.text), Examples((first,)), *((more,) if others else ()))
        yield Section(diagnoses.cause_title(share, found), blocks, id=f"why-{share.cause}")
    yield Section("What was asked about", (Listing(tuple(diagnoses.asked_about(found)), tone="note"),))


def _explained(one: Explained, times: int, known: Sequence[str]) -> Example:
    """One of several `times` that a question failed under an attack for a cause."""
    lines = tuple(marked(one.found.alteration)) if one.found else ()
    expected = outcomes.expected(one.found) if one.found else outcomes.expected_of(one.expected)
    answers = [Fact("expected", expected)] if one.expected else []
    usual = next((step.reply for step in one.story if step.right), "")
    if all(step.right for step in one.story) and one.got:
        answers.append(Fact("wrong in the run", said(one.got, known, usual)))
    for step in one.story:
        right = "right" if step.right else "unsure" if step.unsure else "wrong"
        answers.append(Fact(terms("probes").get(step.name, visible(step.name)), flowing(step.sent, SENT)))
        answers.append(Fact(f"  {right}", said(step.reply, known, usual, step.sent)))
    again = f", {times:,} versions of this question" if times > 1 else ""
    title = f"{plain(one.attack)}: {diagnoses.cause_verdict(one)}{again}"
    return Example(title, lines, (*answers, Fact("so", one.told)), unit=one.variant)
