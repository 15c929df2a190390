"""`--dry-run`: what would be asked of whom, without asking anything."""

from __future__ import annotations

from collections.abc import Iterator

from botattack.audit.beforehand.estimate import Estimate, bound, estimated, requests_for
from botattack.audit.beforehand.reach import reach
from botattack.audit.beforehand.rehearsal import left_out, rehearse, weaker_judging, without_gold
from botattack.audit.job import WHOLE, Shard, load_questions
from botattack.audit.language_parts import Parts, load_parts
from botattack.audit.secrets import unmasked
from botattack.config.campaign import CampaignConfig
from botattack.config.target import TargetConfig
from botattack.doors import DOORS
from botattack.engine.memory import MESSAGES
from botattack.engine.plan import ASKED_OF_ITSELF
from botattack.protocols import BadRecord
from botattack.questions.order import bad_places
from botattack.report import numbers
from botattack.report.wording import cautions, words


def describe(campaign: CampaignConfig, shard: Shard = WHOLE) -> str:
    """Reads the questions and checks the language parts, as the run itself would."""
    parts = load_parts(campaign)
    bad: list[BadRecord] = []
    with load_questions(campaign, bad, shard) as questions:
        rehearse(dict(campaign.attacks), parts.data, parts.handlers, questions.samples)
        own = any(attack.expect == "different" for _, attack in campaign.attacks)
        askings = max(campaign.repeat, ASKED_OF_ITSELF if own else 1)
        once, originals, bare = 0, 0, 0
        for question, _ in questions:
            bare += not question.passages
            here = requests_for(campaign, question, question.turns)
            once += here
            originals += here * (askings if question.has_gold else ASKED_OF_ITSELF)
        found = estimated(campaign, parts, (question for question, _ in questions), len(questions))
        asked = [*_target(campaign.target), *_services(parts), *_doors(campaign, bare)]
        lines = [*asked, *_requests(campaign, len(questions), originals, once, found)]
        languages = {sample.lang for sample in questions.samples}
        weaker = (*weaker_judging(campaign, languages), *left_out(dict(campaign.attacks), languages))
        weaker = (*without_gold(campaign.questions, questions), *weaker, *unmasked(campaign.target))
        lines += [f"weaker     {sentence}" for sentence in words.weaker(weaker)]
        if shard != WHOLE:
            lines.append(f"shard      {shard[0]} of {shard[1]}: what is asked in it depends on each question alone")
        if questions.duplicates:
            again = "records ask" if questions.duplicates > 1 else "record asks"
            lines.append(f"duplicates {questions.duplicates:,} {again} a question again: their answers are joined")
        if bad:
            lines.append(f"skipped    {bad_places(len(bad), bad)}")
    return "\n".join([*lines, "nothing was asked: this is a dry run"])


def _services(parts: Parts) -> Iterator[str]:
    """The translators and models that attacks ask, beside the bot."""
    for kind, handler in parts.handlers.items():
        if handler.asks is not None:
            first, *others = _target(handler.asks)
            yield f"{kind:<10} {first[11:]}"
            yield from (f"  {line}" for line in others)


def _target(target: TargetConfig) -> Iterator[str]:
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
    through = f", each through {len(campaign.carrier)} doors" if len(campaign.carrier) > 1 else ""
    yield f"questions  {questions} from {source}{through}: {numbers.count(originals, 'request')}"
    about = "at most" if found.exact else "about"
    most = originals + found.all
    for label, attack in campaign.attacks:
        known = found.attacks.get(label)
        bounded = bound(campaign, attack, questions, once) if known is None else known
        open_ended = "added turn" in attack.edits
        most += 0 if known is not None else bounded or 0
        whole = whole and bounded is not None and not open_ended
        further = ", without its further turns" if open_ended else ""
        asks = _asks(bounded, "at most" if known is None else about)
        kept = ", of the questions the bot answers correctly" if campaign.filter == "right" else ""
        yield f"attack     {label}: {asks}{kept}{further}"
    if campaign.conversing:
        most += MESSAGES * times
        yield f"memory     {numbers.count(MESSAGES * times, 'request')} to see whether the bot remembers a conversation"
    for label, each in found.coverage.items():
        if each.thin:
            yield f"variants   {cautions.few(label, each, asked=campaign.ask_unsure and each.unsure > 0)}"
    if not found.exact:
        yield f"estimate   from the variants of {found.looked_at} questions, drawn at random"
    total = f"{about} {most}" if whole else f"about {most} and more"
    budget = f", never over {campaign.budget.requests}" if campaign.budget.requests else ""
    yield f"requests   {total}, and retries{budget}"
    yield from _time(campaign, most)
    for gate in campaign.gates:
        yield f"gate       {' and '.join(words.bounds(gate))}"


def _asks(requests: int | None, about: str) -> str:
    """How many requests an attack makes."""
    return "as many requests as it finds" if requests is None else f"{about} {numbers.count(requests, 'request')}"


def _time(campaign: CampaignConfig, most: int) -> Iterator[str]:
    """How long the pace alone takes for so many requests."""
    limits, budget = campaign.target.limits, campaign.budget
    stopped = "" if budget.seconds is None else f", stopped after {numbers.duration(budget.seconds)}"
    if limits.unlimited:
        return
    if limits.rate is not None:
        seconds = min(most, budget.requests or most) / limits.rate
        yield f"time       about {numbers.duration(seconds)} for so many at {limits.rate:g}/s{stopped}"
    else:
        yield f"time       not known before the pace is learned; limits.rate sets it{stopped}"
