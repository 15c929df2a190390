"""Before a run: what its attacks and its judging can do with the languages of its questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from random import Random
from typing import Any

from botattack import registry
from botattack.audit.language_parts import parts_of
from botattack.config.campaign import CampaignConfig
from botattack.errors import BotattackError, MissingPart
from botattack.matchers.judge import Judge
from botattack.model import Need, Question
from botattack.protocols import Attack, Context
from botattack.text.languages import CODES

SHOWN = 5
"""Languages that are named one by one."""


def rehearse(
    attacks: Mapping[str, Attack], data: Mapping[str, Any], handlers: Mapping[str, Any], samples: Iterable[Question]
) -> None:
    """Lets each attack begin on one question of each language, up to its first variant or what a service would be
    asked. Raises MissingPart with every attack that cannot, and for each language those that can."""
    said: list[str] = []
    for sample in samples:
        faults = [fault for attack in attacks.values() if (fault := _fault(attack, sample, data, handlers))]
        if faults:
            able = ", ".join(_able(sample)) or "none"
            said += [*faults, f"leave them out for {sample.lang!r}; what can do with it here: {able}"]
    if said:
        raise MissingPart("; ".join(dict.fromkeys(said)))


def weaker_judging(campaign: CampaignConfig, languages: Iterable[str]) -> tuple[str, ...]:
    """What judging lacks in languages whose words botattack does not know and how to fix it, in one sentence; nothing
    where it knows all of them."""
    others = sorted({lang for lang in languages if lang.lower().partition("-")[0] not in CODES})
    if not others:
        return ()
    target = campaign.target.path.name
    shown = ", ".join(map(repr, others[:SHOWN])) + (f" and {len(others) - SHOWN} more" if len(others) > SHOWN else "")
    seconded = Judge(campaign.match).parts()
    fixes = ["give every form of an answer"]
    if not campaign.target.refusals:
        fixes.append(f"list the bot's own refusals (botattack calibrate {target} --write)")
    if not seconded:
        fixes.append("ask for second opinions (match: {second: {ask: [judge]}})")
    said = f"{', '.join(fixes[:-1])} and {fixes[-1]}" if len(fixes) > 1 else fixes[0]
    known = f"botattack knows the words of {', '.join(CODES)} only"
    return (f"a reply in {shown} that denies, hedges or declines may be misjudged, for {known}: {said}",)


def _fault(attack: Attack, sample: Question, data: Mapping[str, Any], handlers: Mapping[str, Any]) -> str:
    try:
        with closing(attack.propose(Context(sample, (), data), Random(0))) as steps:
            batch: Any = next(steps)
            while batch and isinstance(batch[0], Need) and all(need.kind == "parse" for need in batch):
                batch = steps.send(handlers["parse"].meet([need.payload for need in batch]))
    except MissingPart as error:
        return str(error)
    except BotattackError:
        raise
    except Exception:
        # One that ends at once has no fault, and what fails on this question costs the run that question alone.
        return ""
    return ""


def _able(sample: Question) -> list[str]:
    """The attacks that come with botattack, need no more than a parser and a list of words, and can do with the
    sample's language."""
    found = []
    for name in sorted(registry.BUILT_IN["attacks"]):
        with suppress(BotattackError, TypeError):
            attack = registry.find("attacks", name)()
            if name == "unchanged" or not {*attack.parts()} <= {"parse", "speller"}:
                continue
            parts = parts_of([attack])
            if not _fault(attack, sample, parts.data, parts.handlers):
                found.append(name)
    return found
