"""How many variants a run would ask, found by making those of some questions; nobody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

import msgspec

from botattack.attacks.building.settling import most_of
from botattack.audit.beforehand.preview import made
from botattack.audit.language_parts import Parts
from botattack.config.campaign import CampaignConfig
from botattack.doors import carriers_of, door_of
from botattack.engine.plan import randomness
from botattack.errors import BotattackError
from botattack.model import Question, Turns, Variant
from botattack.protocols import Attack, Context
from botattack.report.figures.figure_values import CONTROL, Coverage

LOOKED_AT = 100
"""Questions whose variants are made: enough for an estimate, few enough that nobody waits for it."""
MOST = 10_000
"""Variants of a question that are made."""


@dataclass(frozen=True)
class Estimate:
    """How many requests a campaign would make beside those of its originals if the bot answered all of them correctly:
    of each attack and, where attacks make the same words, once, over `all` of them. An attack that searches, or asks a
    service for what it needs, is not among `attacks`: it has only the bound that its options set. `looked_at`
    questions were looked at; it is `exact` if these were all."""

    attacks: dict[str, int]
    coverage: dict[str, Coverage]
    all: int
    looked_at: int
    exact: bool


def estimated(campaign: CampaignConfig, parts: Parts, questions: Iterable[Question], number: int) -> Estimate:
    """From the first of so many `questions`, which come in random order and are asked through each carrier."""
    asking = {kind for kind, handler in parts.handlers.items() if handler.asks is not None}
    known = {
        label: attack
        for label, attack in campaign.attacks
        if attack.search_limits is None and not asking.intersection(attack.parts())
    }
    asked, coverage = Counter[str](), dict.fromkeys(known, Coverage())
    both, looked = 0, 0
    for question in islice(questions, LOOKED_AT):
        looked += 1
        requests: dict[str, int] = {}
        for label, attack in known.items():
            if not attack.works_in(question.language):
                continue
            variants = _variants(campaign, label, attack, parts, question)
            sent = {
                variant.id: requests_for(campaign, question, variant.turns)
                for variant in variants
                if campaign.may_ask(variant)
            }
            asked[label] += sum(sent.values())
            requests |= sent
            coverage[label] = _covered(coverage[label], variants)
        both += sum(requests.values())
    share = number / looked if looked else 0
    return Estimate(
        {label: round(asked[label] * share) for label in known},
        coverage,
        round(both * share),
        looked,
        exact=looked == number,
    )


def requests_for(campaign: CampaignConfig, question: Question, turns: Turns) -> int:
    """How many requests it takes at least to ask these turns of a question once through each of its doors, with those
    that add documents and remove them: askings in a row seldom need the same."""
    kind, found = campaign.target.options, 0
    for carrier in carriers_of(question, campaign.carrier):
        door = door_of(msgspec.structs.replace(question, carrier=carrier), holds_passages=kind.holds_passages)
        sent, documents = door.sent(turns)
        found += len(sent) * kind.requests_each + len(documents) * kind.requests_a_document
    return found


def bound(campaign: CampaignConfig, attack: Attack, questions: int, once: int) -> int | None:
    """How many requests an attack of so many questions makes at most, if asking each of them once takes `once`; None if
    its options do not say."""
    each = most_of(attack, control=any(other.name == CONTROL for _, other in campaign.attacks))
    adds = "document" in campaign.carrier and "added passage" in attack.edits
    more = questions * campaign.target.options.requests_a_document if adds else 0
    return None if each is None else each * (once + more)


def _variants(campaign: CampaignConfig, label: str, attack: Attack, parts: Parts, question: Question) -> list[Variant]:
    found: list[Variant] = []
    context = Context(question, (), parts.data, campaign.carried)
    try:
        found.extend(islice(made(attack, context, randomness(campaign.seed, label, question), parts.handlers), MOST))
    except BotattackError:
        raise
    except Exception:
        return found  # as in a run, where this ends the attack of that question alone
    return found


def _covered(had: Coverage, variants: list[Variant]) -> Coverage:
    carried = any(variant.meaning_as_claimed for variant in variants)
    return replace(
        had,
        attacked=had.attacked + 1,
        carried=had.carried + carried,
        unsure=had.unsure + (bool(variants) and not carried),
    )
