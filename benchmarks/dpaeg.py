"""What DPAEG makes and costs on 500 WebQuestions: one count and three costs, in process CPU time.

    BOTATTACK_DATA=FOLDER python benchmarks/dpaeg.py

FOLDER holds webquestions/trainmodel.json.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from botattack.attacks.building import combinations as combine
from botattack.attacks.building.combinations import Combinations, Slot, unambiguous
from botattack.attacks.building.guard import emit
from botattack.attacks.building.keywords import dependency_keywords, is_content
from botattack.attacks.letters.dpaeg import Dpaeg, WordRules, adversarial_words
from botattack.model import Question, Token, Variant
from botattack.protocols import Context
from botattack.text.parts import dictionary, parse, speller, typos
from botattack.text.parts.dictionary import Dictionary
from botattack.text.parts.typos import Typos

QUESTIONS = 500
RUNS = 5
EVERY = 10**12
DATA = Path(os.environ.get("BOTATTACK_DATA") or Path(__file__).parents[2] / "shared" / "data")

Tokens = tuple[Token, ...]


def cpu(work: Callable[[], Any], runs: int = RUNS, before: Callable[[], Any] = lambda: None) -> float:
    """Seconds of CPU that `work` takes: the least of several runs, for other processes only ever add to it."""
    times = []
    for _ in range(runs):
        before()
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def line(what: str, value: str, limit: str = "") -> None:
    print(f"{what:<58}{value:>16}   {limit}")


def keywords_of(parsed: Sequence[Tokens]) -> list[list[Token]]:
    return [[tokens[i] for i in dependency_keywords(tokens, is_content, False)] for tokens in parsed]


def propose(attack: Dpaeg, question: Question, tokens: Tokens, parts: Mapping[str, Any]) -> Iterator[Variant]:
    """The variants of a question whose parse is known."""
    steps = attack.propose(Context(question, (), parts), Random(0))
    next(steps)
    answer: list[Any] = [tokens]
    while batch := next_batch(steps, answer):
        yield from batch
        answer = []


def next_batch(steps: Any, answer: Sequence[Any]) -> Sequence[Variant]:
    try:
        batch: Sequence[Variant] = steps.send(answer)
    except StopIteration:
        return ()
    return batch


def consume(variants: Iterable[Variant]) -> int:
    """How many there are; each with its id, which is what a run needs of it first."""
    count = 0
    for count, variant in enumerate(variants, 1):  # noqa: B007
        variant.id  # noqa: B018
    return count


def measure_index() -> tuple[Dictionary, Typos]:
    start = process_time()
    words = dictionary.load()
    for pos in ("NOUN", "PROPN", "VERB", "ADJ", "ADV"):
        words.similar("", 1, pos, "same")
    line("dictionary read and indexed", f"{process_time() - start:.2f} s", "<= 1.5 s")
    return words, typos.load()


def measure_parse(questions: Sequence[Question]) -> list[Tokens]:
    parser = parse.load()
    payloads = [{"text": question.text, "lang": question.lang} for question in questions]
    parsed = parser.meet(payloads)
    line("parse a question", f"{cpu(lambda: parser.meet(payloads)) / len(questions) * 1e3:.3f} ms", "<= 0.6 ms")
    return list(parsed)


def measure_search(keywords: Sequence[Sequence[Token]], words: Dictionary, misspelt: Typos) -> None:
    distinct = list({(word.text.lower(), word.pos): word for found in keywords for word in found}.values())

    def forget() -> None:
        combine.slack.cache_clear()
        for index in words._of.values():
            index.similar.cache_clear()

    def search(reach: Callable[[Token], int]) -> None:
        for word in distinct:
            words.similar(word.text.lower(), reach(word), word.pos, "same")

    def all_words(rules: WordRules) -> None:
        for word in distinct:
            adversarial_words(word, rules, words, misspelt)

    def each(work: Callable[[], Any], before: Callable[[], Any] = forget) -> str:
        return f"{cpu(work, before=before) / len(distinct) * 1e6:.0f} us"

    half = WordRules()
    line(f"search for a distinct keyword ({len(distinct)}), d = 2", each(lambda: search(lambda _: 2)), "<= 60 us")
    line("  d = half its length", each(lambda: search(lambda word: max(1, len(word.text) // 2))), "<= 120 us")
    line("  d = half its length, 1 for a verb (the paper's)", each(lambda: search(half.reach)), "<= 120 us")
    line("  with its typos, case, distances, edits, d = 2", each(lambda: all_words(WordRules(d=2))))
    line("  the same, the paper's d", each(lambda: all_words(half)), "<= 120 us")
    line("  the same once cached", each(lambda: all_words(half), lambda: None))


def measure_emission(questions: Sequence[Question], slots: Sequence[Sequence[Slot]]) -> None:
    def every() -> int:
        return sum(
            consume(emit(question, Combinations(question.text, unambiguous(question.text, of, 4), 4).every(), "dpaeg"))
            for question, of in zip(questions, slots, strict=True)
        )

    total = every()
    line("emission of a variant with edits, distance and id", f"{cpu(every) / total * 1e6:.2f} us", "<= 3 us")


def measure_sampled(questions: Sequence[Question], parsed: Sequence[Tokens], parts: Mapping[str, Any]) -> None:
    def ten() -> int:
        return sum(consume(propose(Dpaeg(), q, t, parts)) for q, t in zip(questions, parsed, strict=True))

    line("a question after its parse, 10 variants drawn", f"{cpu(ten) / len(questions) * 1e6:.0f} us")


def measure_loose(questions: Sequence[Question], parts: Mapping[str, Any]) -> None:
    attack = Dpaeg(keywords="content", pos="free", d=2, per_question=EVERY)
    parser = parse.load()
    payloads = [{"text": question.text, "lang": question.lang} for question in questions]
    parser.meet(payloads[:1])

    def variants() -> Iterator[Variant]:
        for question, tokens in zip(questions, parser.meet(payloads), strict=True):
            yield from propose(attack, question, tokens, parts)

    distinct = len({variant.id for variant in variants()})
    rate = distinct / cpu(lambda: consume(variants()), runs=3)
    line(f"loose rules, with parsing: distinct a second (of {distinct:,})", f"{rate:,.0f}", ">= 60,000")


def main() -> None:
    path = DATA / "webquestions" / "trainmodel.json"
    if not path.is_file():
        sys.exit(f"no {path}: set BOTATTACK_DATA to the folder that holds webquestions/")
    records = json.loads(path.read_bytes())[:QUESTIONS]
    questions = [Question(record["qText"]) for record in records]
    words, misspelt = measure_index()
    parts = {"dictionary": words, "typos": misspelt, "speller": speller.load()}
    line("typos", "; ".join(misspelt.sources))
    parsed = measure_parse(questions)
    keywords = keywords_of(parsed)
    measure_search(keywords, words, misspelt)
    slots = [[adversarial_words(word, WordRules(), words, misspelt) for word in found] for found in keywords]
    single = sum(len(slot) for of in slots for slot in of)
    distinct = sum(
        len({variant.id for variant in propose(Dpaeg(per_question=EVERY), question, tokens, parts)})
        for question, tokens in zip(questions, parsed, strict=True)
    )
    line("distinct variants a question, one keyword changed", f"{single / len(questions):.1f}", "reference 14")
    line("distinct variants a question, keywords combined", f"{distinct / len(questions):.1f}", "reference 113")
    measure_emission(questions, slots)
    measure_sampled(questions, parsed, parts)
    measure_loose(questions, parts)


if __name__ == "__main__":
    main()
