"""Signs that a reply declines: it does not know, did not understand, may not say, sends the asker elsewhere."""

from __future__ import annotations

import re
from typing import NamedTuple

from botattack.matchers.evidence.asked import Asked
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading

_DECLINES = re.compile(
    r" as an ai | (?:i am|im|i) (?:not sure|sorry|unable|afraid) | (?:i|we) (?:do not|dont|cannot|cant|not|could not) (?:have|know|find|provide|"
    r"determine|access|understand|answer|help) | no (?:information|clear answer|definitive|idea|data) | not (?:clear|specified|mentioned|available|provided|known) "
    r"| unclear | unable to | more (?:context|information|specific|details) | clarify | rephrase | sorry | apologi[sz]e "
)


class Declining(NamedTuple):
    """How many phrases of declining the reply has, and how many of its first twelve words belong to one."""

    declines: float
    begins_declining: float


def declining(asked: Asked, reply: Reading, found: Match | None = None) -> Declining:
    """What needs no gold answer; `found` is not looked at."""
    del asked, found
    beginning = f" {' '.join(reply.words[:12])} "
    return Declining(len(_DECLINES.findall(reply.joined)), bool(_DECLINES.search(beginning)))
