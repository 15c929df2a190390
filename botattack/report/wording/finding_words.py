"""A finding in words: what was expected, what came, why, and the command that shows it again."""

from __future__ import annotations

from botattack.model import Expect, Verdict
from botattack.report.escape import flowing, quoted, unmarked, visible
from botattack.report.figures.findings import Finding
from botattack.report.numbers import NONE
from botattack.report.wording.families import FAMILIES, VERDICTS

EXPECTED_SHOWN = 3


def expected_of(answers: tuple[str, ...], expect: Expect = "same") -> str:
    """The first of the answers that count as right: `Tolkien (also accepted: Tolkein)`, or that they do not."""
    more = len(answers) - EXPECTED_SHOWN
    first, *others = [visible(answer, 80) for answer in answers[:EXPECTED_SHOWN]] or [NONE]
    others += [f"{more} more"] if more > 0 else []
    if expect != "same":
        return FAMILIES[expect].other + " or ".join((first, *others))
    return first + (f" (also accepted: {', '.join(others)})" if others else "")


def expected(finding: Finding) -> str:
    """What the bot should have said."""
    own = finding.expect == "same" and finding.reference == "own"
    return expected_of(finding.expected, finding.expect) + (" (its own reply)" if own else "")


def said(finding: Finding) -> str:
    """What the bot said."""
    return flowing(unmarked(finding.got)) if finding.got else "(nothing)"


def got(finding: Finding) -> str:
    """What the bot said, and whether that is no answer."""
    return said(finding) + (f" ({VERDICTS['refused']})" if finding.verdict == "refused" else "")


def reason(verdict: Verdict) -> str:
    """`wrong answer, by learned: it says Lyon`, as far as it is known."""
    by = f", by {visible(verdict.matcher)}" if verdict.matcher else ""
    return f"{VERDICTS[verdict.kind]}{by}{f': {visible(verdict.why)}' if verdict.why else ''}"


def reproduce(unit: str, recording: str) -> str:
    """The command that judges an asking again, offline."""
    return f"botattack replay {quoted(recording)} --unit {quoted(unit)}"
