"""What reports call outcomes: the three families of attacks, by what a right bot does, verdicts, what was expected and
what came. One table for every report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from botattack.model import Expect, Verdict, VerdictKind
from botattack.report.escape import LIMIT, flowing, spoken, unmarked, visible
from botattack.report.figures.causes import Wrong
from botattack.report.figures.findings import Finding
from botattack.report.numbers import NONE
from botattack.report.wording.commands import command


@dataclass(frozen=True)
class Family:
    """How attacks with one expectation are described.

    `mark` is beside their names in tables, `legend` says what it means; `broke` and `held` are what the bot did;
    `right` says which answer is right, `other` stands before the gold answers where they are not; `failure` names a
    failure in JUnit, `told` says it of so many of all; `many` follows the attack's plain
    name in the headline: how many of what it `counted`, which the bot `did` wrong because of it; `versions` are what
    was asked.
    """

    broke: str
    held: str
    right: str
    failure: str
    told: str
    many: str
    counted: str
    did: str
    mark: str = ""
    legend: str = ""
    other: str = ""
    versions: str = "altered questions"


class _Words(msgspec.Struct):
    verdicts: dict[VerdictKind, str]
    families: dict[Expect, Family]
    wrong: dict[Wrong, str]


_WORDS = msgspec.yaml.decode((files("botattack.report") / "wording" / "outcomes.yaml").read_bytes(), type=_Words)
VERDICTS: Mapping[VerdictKind, str] = _WORDS.verdicts
"""What reports that people read call the verdict on a reply."""
FAMILIES: Mapping[Expect, Family] = _WORDS.families
WRONG: Mapping[Wrong, str] = _WORDS.wrong
"""What the bot did, in every failure of one cause; what it gave if that was planted, its attack says."""


def failure(expect: Expect, kind: VerdictKind, planted: str = "") -> str:
    """What the bot did wrong in a reply that broke it: `did not answer`."""
    if expect != "same":
        return FAMILIES[expect].broke
    return planted or VERDICTS[kind]


def outcome(expect: Expect, result: str) -> str:
    """What a result means for the bot."""
    family = FAMILIES[expect]
    return {"success": family.broke, "robust": family.held}.get(result, result)


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
    if finding.right:
        return expected_of(finding.right)
    own = finding.expect == "same" and finding.reference == "own"
    return expected_of(finding.expected, finding.expect) + (" (its own reply)" if own else "")


def said(finding: Finding, known: Sequence[str] = ()) -> str:
    """What the bot said."""
    return flowing(spoken(finding.got, known), LIMIT, unmarked(finding.usual), finding.sent) or "(nothing)"


def usual(boilerplate: Iterable[str]) -> tuple[str, ...]:
    """What a bot says around its answers, as `spoken`, the longest first."""
    return tuple(sorted((spoken(one, ()) for one in boilerplate), key=len, reverse=True))


def got(finding: Finding, known: Sequence[str] = ()) -> str:
    """What the bot said, without what is `known` that it says around its answers, and whether that is no answer."""
    return said(finding, known) + (f" ({VERDICTS['refused']})" if finding.verdict == "refused" else "")


def reason(verdict: Verdict) -> str:
    """`wrong answer, by learned: it says Lyon`, as far as it is known."""
    by = f", by {visible(verdict.matcher)}" if verdict.matcher else ""
    return f"{VERDICTS[verdict.kind]}{by}{f': {visible(verdict.why)}' if verdict.why else ''}"


def reproduce(unit: str, recording: str) -> str:
    """The command that judges an asking again, offline."""
    return command("replay", recording, "--unit", unit)
