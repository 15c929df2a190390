"""Yes and no: what the gold answers say, and what the reply says."""

from __future__ import annotations

from typing import NamedTuple

from botattack.matchers.evidence.asked import Asked
from botattack.matchers.evidence.coverage import Match
from botattack.matchers.evidence.reading import Reading


class Polarity(NamedTuple):
    """Whether a gold answer begins with yes or with no, and what the reply begins with: 1 yes, -1 no, 0 neither."""

    yes: float
    no: float
    said: float


def polarity(asked: Asked, reply: Reading, found: Match) -> Polarity:
    spoken = asked.language
    firsts = [gold.reading.words[0] for gold in asked.golds]
    said = reply.words[0] if reply.words else ""
    return Polarity(
        yes=any(word in spoken.yes for word in firsts),
        no=any(word in spoken.no for word in firsts),
        said=(said in spoken.yes) - (said in spoken.no),
    )
