"""How many variants a run would ask, found by making those of some questions; nobody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from botattack.audit.beforehand.preview import made
from botattack.audit.job import most_of
from botattack.audit.language_parts import Parts
from botattack.config.campaign import CampaignConfig
from botattack.doors import DOORS, carriers_of
from botattack.engine.plan import randomness
from botattack.errors import BotattackError
from botattack.model import Question, Turns, Variant
from botattack.protocols import Attack, Context
from botattack.report.figures.figure_values import Coverage

LOOKED_AT = 100
"""Questions whose variants are made: enough for an estimate, few enough that nobody waits for it."""
MOST = 10_000
"""Variants of a question that are made."""


@dataclass(frozen=True)
class Estimate:
    """How many turns a campaign would ask beside those of its originals if the bot answered all of them correctly: of
    each attack and, where attacks make the same words, once, over `all` of them. An attack that searches, or asks a
    service for what it needs, is not among `attacks`: it has only the bound that its options set. `looked_at`
    questions were looked at; it is `exact` if these were all."""

    attacks: dict[str, int]
    coverage: dict[str, Coverage]
    all: int
    documents: int
    """Requests that add and remove what these variants need in the bot's knowledge base."""
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
    both, looked, documents = 0, 0, 0
    for question in islice(questions, LOOKED_AT):
        looked += 1
        turns: dict[str, int] = {}
        adding: dict[str, int] = {}
        for label, attack in known.items():
            if not attack.works_in(question.language):
                continue
            variants = _variants(campaign, label, attack, parts, question)
            may = [variant for variant in variants if campaign.may_ask(variant)]
            sent = {variant.id: asked_turns(campaign, question, variant.turns) for variant in may}
            adding |= {variant.id: document_requests(campaign, question, variant.turns) for variant in may}
            asked[label] += sum(sent.values())
            turns |= sent
            coverage[label] = _covered(coverage[label], variants)
        both += sum(turns.values())
        documents += sum(adding.values())
    share = number / looked if looked else 0
    return Estimate(
        {label: round(asked[label] * share) for label in known},
        coverage,
        round(both * share),
        round(documents * share),
        looked,
        exact=looked == number,
    )


def asked_turns(campaign: CampaignConfig, question: Question, turns: Turns) -> int:
    """How many turns are asked of these of a question if they go once through each of its doors."""
    return sum(len(DOORS[carrier].sent(turns)[0]) for carrier in carriers_of(question, campaign.carrier))


def document_requests(campaign: CampaignConfig, question: Question, turns: Turns) -> int:
    """How many requests add and remove the documents that these turns need, once through each of its doors."""
    each = campaign.target.options.requests_each_document
    doors = carriers_of(question, campaign.carrier) if each else ()
    return each * sum(len(DOORS[carrier].sent(turns)[1]) for carrier in doors)


def bound(attack: Attack, questions: int) -> int | None:
    """How many variants of so many questions an attack asks at most; None if its options do not say."""
    each = most_of(attack)
    return None if each is None else each * questions


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
