"""`--dry-run`: what would be asked of whom, and how often, without asking anything. The number of variants is found by
making those of some questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from math import floor
from random import Random

import msgspec

from botattack.attacks.building.settling import BROKEN, most_of, settled
from botattack.audit.beforehand.preview import against
from botattack.audit.beforehand.reach import reach
from botattack.audit.beforehand.rehearsal import doubtful, guessed, left_out, rehearse, weaker_judging
from botattack.audit.job import WHOLE, Shard, load_questions
from botattack.audit.language_parts import Parts, load_parts
from botattack.audit.secrets import unmasked
from botattack.config.campaign import CampaignConfig
from botattack.config.target import TargetConfig
from botattack.doors import DOORS, carriers_of, door_of
from botattack.engine.memory import MESSAGES
from botattack.engine.plan import ASKED_OF_ITSELF, randomness
from botattack.errors import BotattackError, Fault
from botattack.model import CONTROL, Question, Turns, Variant
from botattack.places import QUESTION
from botattack.protocols import Attack, BadRecord, Context
from botattack.questions.order import QuestionSet, bad_places
from botattack.report import numbers
from botattack.report.escape import visible
from botattack.report.figures.coverage import Coverage
from botattack.report.wording import cautions, words
from botattack.text.tokens import normalised

LOOKED_AT = 100
"""Questions whose variants are made: enough for an estimate, few enough that nobody waits for it."""
MOST_BOTS = 5
"""Made-up bots that attacks that end early are tried on, where there are few questions."""
MOST = 10_000
"""Variants of a question that are made."""


@dataclass(frozen=True)
class Estimate:
    """How many requests a campaign would make beside those of its originals if the bot answered all of them correctly:
    of each attack and, where attacks make the same words, once, over `all` of them. One that ends when the bot breaks
    is tried on a made-up bot, which no bot is quite like. An attack that asks a service for what it needs is not among
    `attacks`: it has only the bound that its options set. `looked_at` questions were looked at; it is `exact` if these
    were all and no attack ends early. `faults` says of each attack why it failed on a question, as often as it did."""

    attacks: dict[str, int]
    coverage: dict[str, Coverage]
    all: int
    looked_at: int
    exact: bool
    faults: Mapping[str, Sequence[str]]


def estimated(campaign: CampaignConfig, parts: Parts, questions: Iterable[Question], number: int) -> Estimate:
    """From the first of so many `questions`, which come in random order and are asked through each carrier."""
    asking = {kind for kind, handler in parts.handlers.items() if handler.asks is not None}
    known = {label: attack for label, attack in campaign.attacks if not asking.intersection(attack.parts())}
    asked, coverage = Counter[str](), {one: Coverage() for one in known if not known[one].counts_questions}
    # With few questions, several bots are tried: one alone may have good or bad luck.
    bots = 1 if len(coverage) == len(known) else max(1, min(MOST_BOTS, LOOKED_AT // max(1, number)))
    both, looked = 0, 0
    faults = defaultdict[str, list[str]](list)
    for question, bot in product(islice(questions, LOOKED_AT), range(bots)):
        looked += bot == 0
        requests: dict[str, int] = {}
        for label, attack in known.items():
            if not attack.works_in(question.language):
                continue
            variants, fault = _variants(campaign, label, attack, parts, question, bot=bot)
            if fault and bot == 0:
                faults[label].append(fault.why)
            sent = {
                f"{variant.id}.{variant.again}": requests_for(campaign, question, variant.turns)
                for variant in variants
                if campaign.may_ask(variant)
            }
            asked[label] += sum(sent.values())
            requests |= sent
            if label in coverage and bot == 0:
                coverage[label] = _covered(coverage[label], variants)
        both += sum(requests.values())
    share = number / (looked * bots) if looked else 0
    return Estimate(
        {label: round(asked[label] * share) for label in known},
        coverage,
        round(both * share),
        looked,
        exact=looked == number and len(coverage) == len(known),
        faults=faults,
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
    each = most_of(attack, control=_has_control(campaign))
    adds = "document" in campaign.carrier and "added passage" in attack.edits
    more = questions * campaign.target.options.requests_a_document if adds else 0
    return None if each is None else each * (once + more)


def _variants(
    campaign: CampaignConfig, label: str, attack: Attack, parts: Parts, question: Question, *, bot: int
) -> tuple[list[Variant], Fault | None]:
    """What the attack makes of a question; with the fault that ends it, as in a run, for that question alone."""
    found: list[Variant] = []
    context = Context(question, (), parts.data, campaign.carried, campaign.target.options.tools or ())
    steps = settled(attack, context, randomness(campaign.seed, label, question), control=_has_control(campaign))
    try:
        found.extend(islice(against(partial(_breaks, question, bot), steps, parts.handlers), MOST))
    except BotattackError:
        raise
    except Exception as error:
        return found, Fault.of(error)
    return found, None


def _breaks(question: Question, bot: int, variant: Variant) -> bool:
    """Whether a variant breaks the made-up bot of this number, which knows no case: always or never the same words, and
    never the question itself."""
    heard = any(edit.place != QUESTION for edit in variant.edits) or (
        bool(variant.edits) and normalised(variant.prompt.text) != normalised(question.text)
    )
    return heard and Random(f"{bot} {variant.id}").random() < BROKEN


def _has_control(campaign: CampaignConfig) -> bool:
    return any(attack.name == CONTROL for _, attack in campaign.attacks)


def _covered(had: Coverage, variants: list[Variant]) -> Coverage:
    carried = any(variant.meaning_as_claimed for variant in variants)
    return replace(
        had,
        attacked=had.attacked + 1,
        carried=had.carried + carried,
        unsure=had.unsure + (bool(variants) and not carried),
    )


def describe(campaign: CampaignConfig, shard: Shard = WHOLE) -> str:
    """Reads the questions and checks the language parts, as the run itself would."""
    parts = load_parts(campaign)
    bad: list[BadRecord] = []
    with load_questions(campaign, bad, shard) as questions:
        rehearse(dict(campaign.attacks), parts.data, parts.handlers, questions.samples)
        own = any(attack.expect == "different" for _, attack in campaign.attacks)
        askings = max(campaign.repeat, ASKED_OF_ITSELF if own else 1)
        once, originals, bare, no_gold = 0, 0, 0, 0
        for question, _ in questions:
            bare += not question.passages
            no_gold += not question.has_gold
            here = requests_for(campaign, question, question.turns)
            once += here
            originals += here * (askings if question.has_gold else ASKED_OF_ITSELF)
        found = estimated(campaign, parts, (question for question, _ in questions), len(questions))
        asked = [*asked_bot(campaign.target), *_services(parts), *_doors(campaign, bare)]
        lines = [*asked, *_requests(campaign, len(questions), originals, once, found)]
        languages = {sample.lang for sample in questions.samples}
        if languages - {"en"}:
            lines.append(f"languages  {', '.join(sorted(languages))}")
        weaker = (*weaker_judging(campaign, languages), *left_out(dict(campaign.attacks), languages))
        bare_file = (*guessed(campaign.questions), *doubtful(campaign.questions, questions))
        if questions.has_gold and no_gold:
            judged = "judged against the bot's own replies"
            lines.append(f"answers    {numbers.count(no_gold, 'question')} without a right answer: {judged}")
        weaker = (*bare_file, *weaker, *unmasked(campaign.target))
        lines += [f"weaker     {sentence}" for sentence in words.weaker(weaker)]
        if shard != WHOLE:
            lines.append(f"shard      {shard[0]} of {shard[1]}: what is asked in it depends on each question alone")
        lines += not_asked(questions, bad)
    return "\n".join([*lines, NOTHING])


NOTHING = "nothing was asked: this is a dry run"


def not_asked(questions: QuestionSet, bad: Sequence[BadRecord]) -> Iterator[str]:
    """The records of a file that are no question of their own."""
    if questions.duplicates:
        yield f"repeated   {words.repeated(questions.duplicates)}"
    if bad:
        yield f"skipped    {bad_places(len(bad), bad)}"


def _services(parts: Parts) -> Iterator[str]:
    """The translators and models that attacks ask, beside the bot."""
    for kind, handler in parts.handlers.items():
        if handler.asks is not None:
            first, *others = asked_bot(handler.asks)
            yield f"{kind:<10} {first[11:]}"
            yield from (f"  {line}" for line in others)


def asked_bot(target: TargetConfig) -> Iterator[str]:
    limits = target.limits
    yield f"target     {target.name} ({target.path})"
    yield from reach(target)
    yield f"pace       {limits.pace}, {limits.concurrency} at a time"


def _doors(campaign: CampaignConfig, bare: int) -> Iterator[str]:
    """How passages reach the bot, where that is not in its own request alone; `bare` questions have none."""
    if campaign.carrier != ("request",):
        each = ": each question with passages in each way" if len(campaign.carrier) > 1 else ""
        yield f"passages   go {', '.join(DOORS[carrier].shown for carrier in campaign.carrier)}{each}"
    if bare and len(campaign.carrier) > 1:
        yield f"           {numbers.count(bare, 'question')} without passages: asked in the first way only"
    if "document" in campaign.carrier:
        number = campaign.target.options.requests_a_document
        yield f"documents  are added to what the bot reads and removed again: {number} requests for each, or more"


def _requests(campaign: CampaignConfig, questions: int, originals: int, once: int, found: Estimate) -> Iterator[str]:
    """`originals` are the requests for all originals, `once` those for asking each of them once."""
    kind = campaign.target.options
    times, whole = kind.requests_each, not kind.polls and "document" not in campaign.carrier
    if times > 1:
        yield f"asking     takes {times} requests" + (", and one more each time it polls again" if kind.polls else "")
    source = campaign.questions.pipe or campaign.questions.file
    through = f", each with passages through {len(campaign.carrier)} doors" if len(campaign.carrier) > 1 else ""
    through += _often(originals, once)
    yield f"questions  {questions} from {source}{through}: {numbers.count(originals, 'request')}"
    if few := cautions.too_few(questions, campaign.gates):
        yield f"rates      {few}"
    about = "at most" if found.exact else "about"
    most = originals + found.all
    for label, attack in campaign.attacks:
        known = found.attacks.get(label)
        bounded = bound(campaign, attack, questions, once) if known is None else known
        open_ended = known is None and "added turn" in attack.edits
        most += 0 if known is not None else bounded or 0
        whole = whole and bounded is not None and not open_ended
        further = ", without its further turns" if open_ended else ""
        asks = _asks(bounded, "at most" if known is None else about)
        kept = ", of the questions the bot answers correctly" if campaign.filter == "right" else ""
        yield f"attack     {label}: {asks}{kept}{further}"
    if campaign.conversing:
        most += MESSAGES * times
        yield f"memory     {numbers.count(MESSAGES * times, 'request')} to see whether the bot remembers a conversation"
    yield from _short_of(campaign, found)
    if found.looked_at < questions:
        yield f"estimate   from the variants of {found.looked_at} questions, drawn at random"
    if ending := [attack for _, attack in campaign.attacks if attack.counts_questions]:
        bounds = [bound(campaign, attack, questions, once) or 0 for attack in ending]
        yield f"early end  of a question when it breaks: if none does, that takes up to {sum(bounds):,} requests"
    total = f"{about} {most:,}" if whole else f"about {most:,} and more"
    total += _shared(found)
    allowed = _allowed(campaign)
    yield f"requests   {total}, and retries" + ("" if allowed is None else f", never over {allowed:,}")
    yield from _time(campaign, most if allowed is None else min(most, allowed))
    for gate in campaign.gates:
        yield f"gate       {' and '.join(words.bounds(gate))}"


def _short_of(campaign: CampaignConfig, found: Estimate) -> Iterator[str]:
    """The attacks that fail on questions, and those that make little of them."""
    for label, faults in found.faults.items():
        number = f"{len(faults)} of {numbers.count(found.looked_at, 'question')}"
        yield f"fault      {label} failed on {number}: {visible(faults[0])}"
    for label, each in found.coverage.items():
        if each.thin:
            yield f"variants   {cautions.few(label, each, asked=campaign.ask_unsure and each.unsure > 0)}"


def _often(originals: int, once: int) -> str:
    """How often the original of each question is asked, if that is more than once."""
    times = originals // once if once else 1
    return f", each asked {times} times" if times > 1 and originals == times * once else ""


def _shared(found: Estimate) -> str:
    return " (what several attacks share is asked once)" * (sum(found.attacks.values()) > found.all)


def _asks(requests: int | None, about: str) -> str:
    """How many requests an attack makes."""
    return "as many requests as it finds" if requests is None else f"{about} {numbers.count(requests, 'request')}"


def _allowed(campaign: CampaignConfig) -> int | None:
    """How many requests the budget pays for; None if it does not say."""
    budget, each = campaign.budget, campaign.target.limits.price.request
    # Of requests that cost a tenth, a budget of 0.3 pays three, not the two that floats make of it.
    paid = floor(budget.cost / each + 1e-9) if budget.cost is not None and each else None
    return min((most for most in (budget.requests, paid) if most is not None), default=None)


def _time(campaign: CampaignConfig, most: int) -> Iterator[str]:
    """How long the pace alone takes for so many requests, and what they cost."""
    limits, budget = campaign.target.limits, campaign.budget
    stopped = "" if budget.seconds is None else f", stopped after {numbers.duration(budget.seconds)}"
    if limits.rate is not None and not limits.unlimited:
        yield f"time       about {numbers.duration(most / limits.rate)} for so many at {limits.rate:g}/s{stopped}"
    elif not limits.unlimited:
        yield f"time       not known before the pace is learned; limits.rate sets it{stopped}"
    if limits.price:
        tokens = ", and that of tokens, which replies tell" if limits.price.token else ""
        yield f"cost       about {most * limits.price.request:,.2f} for so many{tokens}"
