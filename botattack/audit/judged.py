"""Which judge decides, and how often it is expected to err."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from botattack.config.checking import values_of
from botattack.config.target import TargetConfig
from botattack.events import JudgedBy
from botattack.matchers.learned import Learned
from botattack.protocols import Matcher
from botattack.recordings.manifest import Manifest
from botattack.text.boilerplate import Boilerplate
from botattack.version import __version__


def judged_by(matcher: Matcher) -> JudgedBy:
    """Who decides where `matcher` does. Rates of error are known of a learned matcher that is asked alone."""
    by = JudgedBy(__version__, matcher.name)
    learned = next(_learned(matcher), None)
    if learned is None:
        return by
    known, (low, high) = learned.known, learned.band
    by = msgspec.structs.replace(
        by,
        weights=known.version,
        digest=known.digest,
        correct=round(learned.point, 4),
        unsure=(low, high) if low < high else None,
    )
    rates = known.rates_at(low, high) if learned is matcher else None
    if rates is None:
        return by
    counted = learned.known.counted(low, high)
    return msgspec.structs.replace(
        by,
        **(counted._asdict() if counted else {}),
        wrong_called_correct=rates.wrong_called_correct,
        correct_called_wrong=rates.correct_called_wrong,
        share_unsure=rates.unsure,
        rows=rates.rows,
        source=rates.source,
    )


def boilerplate_of(bot: TargetConfig | Manifest, learned: tuple[str, ...] = ()) -> Boilerplate:
    """What a bot says around its answers, as its file, or a recording, says; runs learn it where neither does."""
    known = (*(bot.boilerplate or ()), *(bot.learned or ()), *learned)
    return Boilerplate(known, bot.refusals, learns=bot.boilerplate is None and bot.learned is None)


def mixed(old: JudgedBy | None, new: JudgedBy | None) -> tuple[str, ...]:
    """What to say of a run that goes on with another judge than it began with."""
    if old is None or new is None or (old.matcher, old.digest) == (new.matcher, new.digest):
        return ()
    return ("its first verdicts are those of another judge: botattack replay gives all of them by one",)


def _learned(part: Any) -> Iterator[Learned]:
    """The learned matchers of a tree."""
    if isinstance(part, Learned):
        yield part
    elif isinstance(part, Matcher | tuple | Mapping):
        inside = (value for _, value in values_of(part)) if isinstance(part, Matcher) else part
        for item in inside.values() if isinstance(inside, Mapping) else inside:
            yield from _learned(item)
