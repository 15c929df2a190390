"""What ten variants of a long text cost each attack that asks no model and no service, in process CPU time against that
of drawing a million letters in the same run.

    python -m benchmarks.long_texts [--digests] [ATTACK ...]

The texts are 10,000 characters of plain sentences, and one word of 70,000 letters. Loading and needs
such as a parse are not counted. `--digests` prints a digest of all variants of a few short questions instead: a faster
attack must still make the same ones.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from inspect import signature
from random import Random
from string import ascii_lowercase
from time import process_time
from typing import Any

from botattack import registry
from botattack.attacks.building.settling import settled
from botattack.audit.language_parts import Parts, parts_of
from botattack.errors import MissingPart
from botattack.model import GoldAnswer, Outcome, Question, Reply, Variant, Verdict
from botattack.protocols import Attack, Context, are_needs

VARIANTS = 10
AT_MOST = 8
"""How many times the floor an attack may take for them: about a second."""
RUNS = 2
HERE = {"parse", "dictionary", "typos", "lemmas", "speller"}
"""Parts that come with botattack or are installed by its tests."""
FREE = {*HERE, "thesaurus", "inflection", "paraphrases", "grammar-errors"}
"""Parts that are no language model of many layers."""
SENTENCES = (
    "What is the capital of the country whose largest city was built by a king in 1859, and who lives there now?",
    "The museum, which isn't far from the river, opened its doors to 120 visitors and their children on Monday.",
    "Can you tell me whether the red train from Toronto to Berlin doesn't stop before the old bridge in winter?",
)
SHORT = (
    *SENTENCES,
    "who plays ken barlow in coronation street?",
    "Is Paris or London the capital of France, and what's the big difference?",
    "naïve café: Straße 12, 北京 or Zürich?",
)


def plain_text(length: int, seed: int) -> str:
    """Sentences of many different words, as a long message has."""
    rng, made = Random(seed), list[str]()
    while sum(map(len, made)) < length:
        name = "".join(rng.choices(ascii_lowercase, k=6)).title()
        made.append(rng.choice(SENTENCES).replace("Toronto", name).replace("Monday", f"Monday {rng.randrange(3000)}"))
    return " ".join(made)[:length]


def one_word(length: int, seed: int) -> str:
    return "".join(Random(seed).choices(ascii_lowercase, k=length))


TEXTS = {"10,000 characters": partial(plain_text, 10_000), "a word of 70,000 letters": partial(one_word, 70_000)}


NAMES = sorted({*registry.BUILT_IN["attacks"]} - {"at", "chain"})
"""All attacks but those made of others."""


def made(name: str) -> Attack:
    """The attack with ten variants a question."""
    kind = registry.find("attacks", name)
    attack: Attack = kind(per_question=VARIANTS) if "per_question" in signature(kind).parameters else kind()
    return attack


def attack_of(name: str) -> Attack | None:
    """The same; None if it needs a model, or a part that is not here."""
    attack = made(name)
    if not set(attack.parts()) <= FREE:
        return None
    try:
        parts_of([attack])
    except MissingPart:
        return None
    return attack


def variants_of(
    attack: Attack, question: Question, parts: Mapping[str, Any], handlers: Mapping[str, Any]
) -> Iterator[tuple[Variant | None, float]]:
    """Variants against a bot that nothing breaks, each with what it cost beside what it needs."""
    steps, answer = settled(attack, Context(question, (), parts), Random(0), control=False), None
    while True:
        start = process_time()
        try:
            batch: Sequence[Any] = steps.send(answer)
        except StopIteration:
            yield None, process_time() - start
            return
        spent = process_time() - start
        if are_needs(batch):
            answer = [handlers[one.kind].meet([one.payload])[0] for one in batch]
            yield None, spent
            continue
        answer = [Outcome(one, (Reply(""),), Verdict("correct", 1.0), 1) for one in batch]
        for one in batch:
            start = process_time()
            one.id  # noqa: B018
            yield one, spent + process_time() - start
            spent = 0.0


def floor() -> float:
    """CPU seconds in which this machine draws a million letters."""
    start = process_time()
    one_word(1_000_000, 0)
    return process_time() - start


def floors(attack: Attack, text: Callable[[int], str]) -> float:
    """What the first variants of a text cost, in floors: the least of several runs, each on another text, so that
    nothing is remembered from the run before, and with a floor of its own, as the machine may be busy for a while."""
    times, parts = list[float](), parts_of([attack])
    digest(attack, parts)  # loads what is loaded once
    for seed in range(RUNS):
        times.append(_spent(attack, text(seed), parts) / floor())
        if times[-1] <= AT_MOST:
            break
    return min(times)


def _spent(attack: Attack, text: str, parts: Parts) -> float:
    made, spent = 0, 0.0
    for variant, cost in variants_of(attack, asked(attack, text), parts.data, parts.handlers):
        made, spent = made + (variant is not None), spent + cost
        if made == VARIANTS:
            break
    return spent


def asked(attack: Attack, text: str) -> Question:
    """The text as the question, or as the passage of a question for attacks that edit passages."""
    gold = (GoldAnswer(text.rsplit(maxsplit=1)[-1][:20].strip(".,?")),)
    if {"passage", "added passage"} & set(attack.edits):
        return Question(SHORT[3], gold, passages=(text,))
    return Question(text, gold)


def digest(attack: Attack, parts: Parts) -> str:
    """Of all variants of a few short questions."""
    found = hashlib.sha256()
    for text in SHORT:
        for variant, _ in variants_of(attack, asked(attack, text), parts.data, parts.handlers):
            found.update(repr(variant).encode() if variant else b"")
    return found.hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description="What ten variants of a long text cost each attack.")
    parser.add_argument("attacks", nargs="*")
    parser.add_argument("--digests", action="store_true")
    given = parser.parse_args()
    attacks = {name: one for name in given.attacks or NAMES if (one := attack_of(name))}
    if given.digests:
        for name, attack in attacks.items():
            print(f"{name:<28}{digest(attack, parts_of([attack]))}", flush=True)
        return
    print(f"{'attack':<28}" + "".join(f"{f'{text}, floors':>34}" for text in TEXTS))
    for name, attack in attacks.items():
        took = [floors(attack, text) for text in TEXTS.values()]
        slow = " too slow" if max(took) > AT_MOST else ""
        print(f"{name:<28}" + "".join(f"{each:>34.2f}" for each in took) + slow, flush=True)


if __name__ == "__main__":
    main()
