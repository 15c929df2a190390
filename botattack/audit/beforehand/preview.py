"""What attacks make of questions, against a bot that is made up and never asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from botattack.audit.language_parts import parts_of
from botattack.errors import BotattackError, Fault, MissingPart
from botattack.model import Outcome, Question, Reply, Variant, Verdict
from botattack.protocols import Attack, Context, NeedHandler, Proposals, are_needs
from botattack.text.languages import language_among, language_of_all


def variants_of(attack: Attack, sentence: str, lang: str, seed: int) -> list[Variant]:
    """The variants of a sentence; no bot is asked. Its words tell the language if nobody does. Raises MissingPart
    if the attack does not work in that, and BotattackError with the place where it fails."""
    question = Question(sentence, lang=lang or language_among(sentence, language_of_all([sentence])))
    if not attack.works_in(question.language):
        known = ", ".join(sorted(attack.languages or ()))
        raise MissingPart(f"{attack.name} works in {known} only, and the sentence is in {question.lang!r}; see --lang")
    parts = parts_of([attack])
    try:
        return list(made(attack, Context(question, (), parts.data), Random(seed), parts.handlers))
    except BotattackError:
        raise
    except Exception as error:
        raise BotattackError(f"the attack {attack.name} failed: {Fault.of(error).why}") from error


def made(attack: Attack, context: Context, rng: Random, handlers: Mapping[str, NeedHandler]) -> Iterator[Variant]:
    """The variants of a question as they come; its Needs are met at once, by a service, too, if it has any."""
    return against(lambda _: False, attack.propose(context, rng), handlers)


def against(
    breaks: Callable[[Variant], bool], steps: Proposals, handlers: Mapping[str, NeedHandler]
) -> Iterator[Variant]:
    """What is proposed against a bot that breaks under the variants that `breaks` says."""
    answer: Any = None
    while True:
        try:
            batch = steps.send(answer)
        except StopIteration:
            return
        if are_needs(batch):
            answer = [handlers[need.kind].meet([need.payload])[0] for need in batch]
        else:
            yield from batch
            answer = [_outcome(variant, broken=breaks(variant)) for variant in batch]


def _outcome(variant: Variant, *, broken: bool) -> Outcome:
    same = variant.expect == "same"
    verdict = Verdict("wrong" if broken == same else "correct", 0.0 if broken == same else 1.0)
    return Outcome(variant, (Reply(""),), verdict, 1)
