"""Before a run: what its attacks and its judging can do with the languages of its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from random import Random

from botattack.config.campaign import CampaignConfig, QuestionsConfig
from botattack.errors import BotattackError, MissingPart
from botattack.matchers.judge import Judge
from botattack.model import Need, Question, Variant, code_of
from botattack.protocols import Attack, Context, NeedHandler, PartsByName, are_needs
from botattack.questions.detect import columns_of
from botattack.questions.files import read_as
from botattack.questions.order import Disputed, QuestionSet
from botattack.report.escape import visible
from botattack.text.languages import codes, language

SHOWN = 5
"""Languages that are named one by one."""
MOST_COLUMNS = 8
"""Columns of a question file that are named."""


def rehearse(
    attacks: Mapping[str, Attack],
    data: PartsByName,
    handlers: Mapping[str, NeedHandler],
    samples: Iterable[Question],
) -> None:
    """Lets each attack begin on one question of each language it works in, up to its first variant or what a service
    would be asked. Raises MissingPart with every attack that cannot, or that works in none of the languages."""
    asked = {sample.language: sample for sample in samples}
    said: list[str] = []
    for sample in asked.values():
        faults = [
            fault
            for attack in attacks.values()
            if (fault := _unfit(attack, asked) or _fault(attack, sample, data, handlers))
        ]
        if faults:
            said += [*faults, f"leave them out for questions in {sample.lang!r}; botattack attacks list shows others"]
    if said:
        raise MissingPart("; ".join(dict.fromkeys(said)))


def left_out(attacks: Mapping[str, Attack], languages: Iterable[str]) -> Iterator[str]:
    """A sentence for each attack that is not tried on all questions, as it works in the languages of some alone."""
    known = sorted({code_of(lang) for lang in languages})
    for label, attack in attacks.items():
        if others := [lang for lang in known if not attack.works_in(lang)]:
            yield f"{label} is not tried on questions in {_listed(others)}: {_works_in(attack)}"


def _unfit(attack: Attack, languages: Iterable[str]) -> str:
    return "" if any(map(attack.works_in, languages)) else _works_in(attack)


def _works_in(attack: Attack) -> str:
    known = attack.languages or ()
    return f"{attack.name} works in {', '.join(sorted(known))} only" if known else f"{attack.name} works in no language"


def _listed(languages: Sequence[str]) -> str:
    more = f" and {len(languages) - SHOWN} more" if len(languages) > SHOWN else ""
    return ", ".join(map(repr, languages[:SHOWN])) + more


def weaker_judging(campaign: CampaignConfig, languages: Iterable[str]) -> tuple[str, ...]:
    """What judging lacks in languages whose words botattack does not know and how to fix it, in one sentence; nothing
    where it knows all of them."""
    others = sorted({lang for lang in languages if not language(code_of(lang)).known})
    if not others:
        return ()
    target = campaign.target.path.name
    fixes = ["give every form of an answer"]
    if not campaign.target.refusals:
        fixes.append(f"list the bot's own refusals in {target} (signs: {{refused: […]}})")
    if not Judge(campaign.match).parts():
        fixes.append("ask for second opinions (match: {second: {ask: [judge]}})")
    said = f"{', '.join(fixes[:-1])} and {fixes[-1]}" if len(fixes) > 1 else fixes[0]
    known = f"botattack knows the words of {', '.join(codes())} only"
    return (f"a reply in {_listed(others)} that denies, hedges or declines may be misjudged, for {known}: {said}",)


def doubtful(asked: QuestionsConfig, questions: QuestionSet) -> tuple[str, ...]:
    """What of a question file makes its right answers doubtful, a sentence each."""
    return (*without_gold(asked, questions), *map(_disputed, questions.disputed))


def _disputed(found: Disputed) -> str:
    each = [
        f"{' or '.join(visible(answer, 60) for answer in answers)} (record {number:,})"
        for number, answers in zip(found.records[:SHOWN], found.answers, strict=False)
    ]
    return f"“{visible(found.text, 100)}” is there with different answers, and all count as right: {', '.join(each)}"


def without_gold(asked: QuestionsConfig, questions: QuestionSet) -> tuple[str, ...]:
    """That no question of the file has a right answer, with the columns it has instead, in one sentence; nothing if any
    question has one."""
    if questions.has_gold:
        return ()
    header = columns_of(asked.file, asked.format, asked.columns) if asked.file.is_file() else []
    has = f" (its columns are {', '.join(name[:60] for name in header[:MOST_COLUMNS])})" if header else ""
    where = (asked.pipe or asked.file).name
    return (
        f"{where} says of no question what a right reply is{has}: replies are compared with the bot's own. If you know "
        "right answers, give them in `answers`, or name their column: columns: {answers: NAME} in a campaign, --column "
        "answers=NAME for botattack init",
    )


def guessed(asked: QuestionsConfig) -> tuple[str, ...]:
    """In which encoding a file of questions that is not UTF-8 was read, in one sentence; nothing for any other."""
    found = read_as(asked.file) if asked.file.is_file() else ""
    where = (asked.pipe or asked.file).name
    return (f"{where} is read as {found}: if a question looks wrong, save it as UTF-8",) if found else ()


def _fault(attack: Attack, sample: Question, data: PartsByName, handlers: Mapping[str, NeedHandler]) -> str:
    if sample.language == "en" or not attack.works_in(sample.language):
        return ""  # parts for English were looked for when they were loaded
    try:
        _first(attack, sample, data, handlers)
    except MissingPart as error:
        return str(error)
    except BotattackError:
        raise
    except Exception:
        # One that ends at once has no fault, and what fails on this question costs the run that question alone.
        return ""
    return ""


def _first(
    attack: Attack, sample: Question, data: PartsByName, handlers: Mapping[str, NeedHandler]
) -> Sequence[Variant | Need]:
    """The first variants, or what else than a parse is needed for them; raises what the attack raises."""
    with closing(attack.propose(Context(sample, (), data), Random(0))) as steps:
        batch: Sequence[Variant] | Sequence[Need] = next(steps, ())
        while batch and are_needs(batch) and all(need.kind == "parse" for need in batch):
            batch = steps.send(handlers["parse"].meet([need.payload for need in batch]))
        return batch
