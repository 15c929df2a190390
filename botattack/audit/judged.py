"""Which judge decides, and how often it erred on systems that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from botattack.config.checking import values_of
from botattack.config.target import TargetConfig
from botattack.events import JudgedBy
from botattack.matchers.learned import Learned
from botattack.protocols import Matcher
from botattack.recordings.manifest import Manifest
from botattack.text.boilerplate import Boilerplate
from botattack.version import __version__


def judged_by(matcher: Matcher) -> JudgedBy:
    """Who decides where `matcher` does. How often it errs is known of a learned matcher that is asked alone, with the
    band of its weights, on each system that these left out."""
    learned = next(_learned(matcher), None)
    if learned is None:
        return JudgedBy(__version__, matcher.name)
    known, band = learned.known, learned.band
    measured = known.left_out if learned is matcher and band == known.band else ()
    errors = zip(*((one.wrong_called_correct, one.correct_called_wrong) for one in measured), strict=True)
    decides = known.version, known.digest, round(learned.point, 4), band if band[0] < band[1] else None
    return JudgedBy(__version__, matcher.name, *decides, len(measured), *((min(one), max(one)) for one in errors))


def boilerplate_of(bot: TargetConfig | Manifest, learned: tuple[str, ...] = ()) -> Boilerplate:
    """What a bot says around its answers, as its file, or a recording, says; runs learn it where neither does."""
    known = (*(bot.boilerplate or ()), *(bot.learned or ()), *learned)
    return Boilerplate(known, bot.refusals, learns=bot.boilerplate is None and bot.learned is None)


def mixed(old: JudgedBy, new: JudgedBy) -> tuple[str, ...]:
    """What to say of a run that goes on with another judge than it began with."""
    if (old.matcher, old.digest) == (new.matcher, new.digest):
        return ()
    return ("its first verdicts are those of another judge: botattack replay gives all of them by one",)


def _learned(part: object) -> Iterator[Learned]:
    """The learned matchers of a tree."""
    if isinstance(part, Learned):
        yield part
    elif isinstance(part, Matcher | tuple | Mapping):
        inside = (value for _, value in values_of(part)) if isinstance(part, Matcher) else part
        for item in inside.values() if isinstance(inside, Mapping) else inside:
            yield from _learned(item)
