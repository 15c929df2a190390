"""What a run found out beside rates, in words: failures by cause, why they came about, and the smallest edits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from botattack.attacks.combined.shrink import MOST
from botattack.config.docstrings import described
from botattack.report.escape import visible
from botattack.report.figures.causes import Cause, Part
from botattack.report.figures.diagnoses import Became, CauseShare, Explained, ShrinkFigures, Shrunk, WhyFigures
from botattack.report.figures.figure_values import Figures
from botattack.report.figures.whereabouts import MIXED
from botattack.report.numbers import count, rounded, span
from botattack.report.statistics.intervals import Interval, wilson
from botattack.report.wording import assistant_words
from botattack.report.wording.words import terms

SHOWN = 10
"""Findings that a page of plain text shows."""
WIDE = 0.5
"""Width from which on an interval is not shown: it says no more than that nobody knows."""


def headline(figures: Figures) -> str:
    """What a run that only diagnoses found; empty if it did not."""
    if figures.shrunk:
        return _shrunk(figures, figures.shrunk)
    if figures.why:
        return caused(figures.why)
    return assistant_words.remembered(figures.assistant.remembered)


def _shrunk(figures: Figures, found: ShrinkFigures) -> str:
    """`14 of 20 findings break the bot with a smaller edit, too: 1 letter changed in place of 5 (medians)`, of
    those that were finished; and how many were not."""
    finished = len(found.shrunk) - (left := found.became("unfinished"))
    if not found.shrunk:
        return f"None of {count(found.findings, 'finding')} was asked again: {_missing(figures)}"
    if not finished:
        return f"None of {count(found.findings, 'finding')} is finished: the run ended before"
    more = (left, "not finished"), (found.findings - len(found.shrunk), "not asked")
    return "; ".join((_finished(found, finished), *(f"{number:,} {what}" for number, what in more if number)))


def _finished(found: ShrinkFigures, finished: int) -> str:
    findings = count(finished, "finding")
    if not found.sure:
        # Zero smaller edits must not read as a fixed bot.
        return (
            f"None of {findings} was confirmed: none broke the bot every time while the unchanged question stayed "
            "right, so it has changed, or it answers differently from one asking to the next"
        )
    smaller = found.became("smaller")
    if not smaller and len(found.sure) < finished:
        return f"{len(found.sure):,} of {findings} broke the bot each time when asked again, none with a smaller edit"
    if not smaller:
        return f"None of {findings} breaks the bot with a smaller edit than was found: there is nothing to shrink"
    says = f"{smaller:,} of {findings} {terms('shrunk')['smaller']}"
    if found.before is None or found.after is None:
        return says
    letters = "letter" if found.after == 1 else "letters"
    return f"{says}: {found.after:g} {letters} changed in place of {found.before:g}{' (medians)' * (smaller > 1)}"


def _missing(figures: Figures) -> str:
    """Why findings were not asked again."""
    questions = figures.questions
    if questions.asked == questions.total:
        return "the original is no longer right"
    return "the run ended before" + ", or the original is no longer right" * (questions.asked > questions.kept)


def became(found: ShrinkFigures, figures: Figures) -> Iterator[str]:
    """What came of the findings, the run they are of, and what it cost, a sentence each."""
    for what in get_args(Became):
        # How many break with a smaller edit is the headline.
        if what != "smaller" and (number := found.became(what)):
            yield f"{number:,} of {found.findings:,} {terms('shrunk')[what]}"
    if missing := found.findings - len(found.shrunk):
        yield f"{missing:,} of {found.findings:,} were not asked: {_missing(figures)}"
    requests, of = count(found.requests, "request"), found.of
    taken, more = (f"the first {found.findings:,} of ", "; --limit takes more") if of > found.findings else ("", "")
    yield f"{taken}{count(max(of, found.findings), 'finding')} of {visible(found.run)}{more}"
    yield f"{requests} for these, smaller edits and unchanged questions again"
    if len(found.shrunk) > SHOWN:
        yield f"at most {SHOWN} are shown, those that shrank most first; a .json report has all"


def verdict(one: Shrunk) -> str:
    """`edit distance 5 → 1, broke 6 of 6 askings`, or what became of it."""
    askings = f"broke {one.broke} of {count(one.asked, 'asking')}"
    if one.smallest is None:
        return f"{terms('shrunk')[one.became]} ({askings})"
    # It and the unchanged question were asked as often to decide: the rest is the search.
    more = f"; after {MOST} askings nothing smaller was tried" if one.askings - one.asked >= MOST else ""
    less = one.smallest.distance < one.found.distance
    changed = f"{one.found.distance} → {one.smallest.distance}" if less else f"{one.found.distance}, nothing smaller"
    return f"edit distance {changed}, {askings}{more}"


def title(one: Shrunk) -> str:
    """The attack that found it, and what became of it."""
    return f"{visible(described(one.found.attack).plain)}: {verdict(one)}"


def role(name: str) -> str:
    """`subject` of the relation `nsubj`, or the sort of word that is known without a parser."""
    return terms("relations").get(name.lower()) or visible(name) or "unknown"


DOUBTS = {"chance": "Perhaps by chance", "cause": "Cause unsure"}
"""What a failure is called of which no cause is claimed."""


def unconfirmed(figures: Figures, *, decided: bool) -> str:
    """Why failures are shown without a cause, of those by chance unless the headline `decided` it, and that a command
    follows."""
    noise, doubts = figures.control, {cause.doubt for cause in figures.causes}
    why = {"chance": "", "cause": "the attack breaks the bot, but these failures are too few to say what of it does"}
    if not noise or not noise.rated:
        nobody = "the unchanged questions were not asked again, so nobody knows how often the bot errs by itself"
        why = dict.fromkeys(why, nobody)
    elif not decided:
        broke = f"{noise.success:,} of {noise.rated:,} broke, too close to tell apart"
        few = f"none of {noise.rated:,} broke, but these failures are too few to be sure"
        why["chance"] = f"of the unchanged questions, asked again, {broke if noise.success else few}"
    told = [
        f"“{name}” means that no cause is claimed{f': {why[doubt]}' if why[doubt] else ''}."
        for doubt, name in DOUBTS.items()
        if doubt in doubts
    ]
    return " ".join((*told, "To ask these again:"))


def like_this(cause: Cause) -> str:
    """`18 of 20 like this`"""
    return f"{cause.broken:,} of {cause.rated:,} like this"


def part(changed: Part) -> str:
    """What follows the name of an attack: ` in the subject`, `, added passage`; empty if nothing is known of it."""
    if changed.name == MIXED:
        return " in several places at once"
    if changed.by in ("relation", "part of speech"):
        return f" in the {role(changed.name)}"
    return f", {visible(changed.name)}" if changed.name else ""


def _wide(interval: Interval) -> bool:
    return interval[1] - interval[0] > WIDE


def caused(found: WhyFigures) -> str:
    """`Of 30 failures, 12 are caused by input: it does not cope with how the message is written`; if it did not ask
    about each, it begins `30 of 90 failures were asked about: 12`."""
    failures, of = len(found.explained), sum(found.failures.values())
    if not found.causes:
        return f"None of {count(of, 'failure')} was asked about: the run ended before"
    asked = f"Of {count(failures, 'failure')},"
    if failures < of:
        asked = f"{failures:,} of {count(of, 'failure')} {'was' if failures == 1 else 'were'} asked about:"
    first = found.causes[0]
    if first.cause == "unclear":
        return f"{asked} {first.count:,} could not be explained"
    are = "is" if first.count == 1 else "are"
    of_all = f" ({more})" if (more := _of_all(first, found)) else ""
    return f"{asked} {first.count:,}{of_all} {are} caused by {first.cause}: {terms('causes')[first.cause]}"


def _of_all(share: CauseShare, found: WhyFigures) -> str:
    """`55 % of all 120, if each attack counts by its failures`, if that is not the share of those that were asked
    about: of an attack with many failures, each of these stands for more."""
    is_another = abs(share.share - share.count / len(found.explained)) >= 0.005
    of = sum(found.failures.values())
    return f"{rounded(share.share)} of all {of:,}, if each attack counts by its failures" if is_another else ""


def cause_title(share: CauseShare, found: WhyFigures) -> str:
    """`input: 12 of 30 failures asked about (25–57 %)`"""
    told = f"{share.cause}: {share.count:,} of {count(len(found.explained), 'failure')}"
    told += " asked about" * (len(found.explained) < sum(found.failures.values()))
    told += f", {more}" if (more := _of_all(share, found)) else ""
    return told if _wide(share.interval) else f"{told} ({span(share.interval)})"


def worth(share: CauseShare, found: WhyFigures) -> str:
    """What a fix would be worth, of all failures of the run."""
    if share.cause == "input" and found.input_failures:
        right, of = found.come_back, found.input_failures
        asked, interval = f"{right:,} of {of:,}", wilson(right, of)
        told = asked if _wide(interval) else f"{span(interval)} of these ({asked} came right)"
        return f"{terms('fixes')['normaliser']} would bring back {told}." if right else ""
    unknown = share.cause in ("chance", "outage", "unclear") or _wide(share.interval)
    return "" if unknown else f"At best, a fix would bring back {span(share.interval)} of all failures."


def fix(share: CauseShare, found: WhyFigures) -> str:
    """What to do about a cause: nothing that was tried in vain, and of the question file only what it lacks."""
    if share.cause == "unclear":
        unclear = [one for one in found.explained if one.cause == "unclear"]
        lacks = dict.fromkeys(name for one in unclear for name in one.lacks)
        # What could not be distinguished is named if requests were left.
        more = [f"{' and '.join(lacks)} in the question file"] * bool(lacks)
        more += ["more requests"] * any(not one.also for one in unclear)
        return terms("fixes")["unclear"].format(", or ".join(more)) if more else terms("fixes")["outdated"]
    if share.cause == "yielding":
        attacks = dict.fromkeys(one.attack for one in found.explained if one.cause == "yielding")
        advised = dict.fromkeys(visible(described(one).advice, None) for one in attacks)
        return " ".join(filter(None, advised)) or terms("fixes")["yielding"]
    in_vain = share.cause == "input" and found.input_failures and not found.come_back
    return terms("fixes")["input in vain" if in_vain else share.cause]


def cause_verdict(one: Explained) -> str:
    """`retrieval; reading fails, too (sure)`"""
    others = ", ".join(one.also)
    if one.cause == "unclear":
        return f"unclear: {others} could not be distinguished" if others else "unclear"
    fail = "fails" if len(one.also) == 1 else "fail"
    return f"{one.cause}{f'; {others} {fail}, too' if others else ''} ({'sure' if one.sure else 'likely'})"


def asked_about(found: WhyFigures) -> Iterator[str]:
    """Of which run, and what it took."""
    explained, of = found.explained, sum(found.failures.values())
    some = len(explained) < of
    drawn = ", some of each attack" if some and len(found.failures) > 1 else ""
    yield f"{len(explained):,} of {count(of, 'failure')} of {visible(found.run)}{drawn}"
    each = sum(one.requests for one in explained) / max(1, len(explained))
    yield f"{each:.1f} askings each, with that of the unchanged question"
    yield "Intervals are 95 %, as if the failures that were asked about were drawn from all."
    tried = (wilson(found.come_back, of) for of in (found.input_failures,) if of)
    if any(map(_wide, (*(share.interval for share in found.causes), *tried))):
        more = ": more failures make them narrower (--each 20, or for a night why: {each: 20})" if some else ""
        yield f"Intervals wider than 50 points are left out{more}."
