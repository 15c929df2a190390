"""Writes benchmarks/measured/yield.md: how many variants of a question each attack claims, by the questions' language.

Run from the project's root, with every part of `botattack resources list` there and BOTATTACK_DATA set:
python -m benchmarks.measured.make_yield
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from msgspec import structs

from benchmarks.measured.make_papers import part
from benchmarks.measured.measure import PARTS
from botattack import registry
from botattack.attacks.passages.reasoning_chain.graph import NEAR, near
from botattack.config.flags import read_attack_flag
from botattack.model import GoldAnswer, Need, Outcome, Question, Variant, Verdict
from botattack.protocols import Attack, Context
from botattack.questions.detect import reader_for

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).with_name("yield.md")
LOOKED_AT = 60
"""Questions of each set whose variants are made."""
SETS = ("FAQ en", "trivia en", "FAQ de", "FAQ es", "FAQ fr", "FAQ fa")
HEAD = """# How many variants a question each attack claims

Variants whose meaning is as the attack claims, made with its default options (most make at most ten), a question of these sets on
average; – is a language that the attack does not work in. Attacks that are made of others are left out; those on passages have
[a table of their own](#of-how-many-questions-with-passages).

- *FAQ en*: `campaigns/faq-questions.jsonl`, {0} questions about eight services, our own.
- *trivia en*: WebQuestions (CC BY 4.0), {1} questions of `devtest`.
- *FAQ de*, *FAQ fa*: {2} and {5} questions to a swimming pool and a library, of `tests/verdicts/pool-de.jsonl` and `library-fa.jsonl`.
- *FAQ es*, *FAQ fr*: {3} and {4} questions to a swimming pool, our own (`benchmarks/measured/faq-es-fr.jsonl`).

At most {looked} questions of each set, drawn by a seed, are altered; what an attack takes from other questions, it takes from the
whole set. Written by `python -m benchmarks.measured.make_yield`.
"""
PASSAGES = {
    "SQuAD": "xquad/xquad.en.part1.json",
    "HotpotQA": "hotpotqa/hotpot_dev_distractor_first50.json",
    "PersianQA": "persianqa/pqa_test.part1.json",
}
ON_PASSAGES = (
    *("add-any", "add-doc", "add-sent", "counterfactual", "distractor:rungs=[topic]", "distractor:rungs=[answer]"),
    *("order", "reasoning-chain", "reasoning-chain:change=entities", "unanswerable:ways=[support]"),
    *("unanswerable:ways=[hop]", "unanswerable:ways=[entity]"),
)
HEAD_OF_PASSAGES = """
## Of how many questions with passages

Questions that have at least one variant whose meaning is as claimed. *SQuAD*: XQuAD, English, part 1 (CC BY-SA 4.0), one passage
each; *HotpotQA*: the first 50 of its development set (CC BY-SA 4.0), ten passages each; *PersianQA*: part 1 of its test set.
The paper of AddSent had variants for 79 % of its SQuAD questions, after people had corrected them.
"""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    text = path.read_text("utf-8")
    yield from json.loads(text) if path.suffix == ".json" else map(json.loads, text.splitlines())


def questions(data: Path) -> dict[str, list[Question]]:
    """Each set of questions, equal ones once."""
    trivia = [(row["qText"], row["answers"], "en") for row in rows(data / "webquestions" / "devtest.json")]
    ours = [(row["question"], row["answers"], "en") for row in rows(ROOT / "campaigns" / "faq-questions.jsonl")]
    by_hand = [(row["question"], row["answers"], row["lang"]) for row in rows(PAGE.with_name("faq-es-fr.jsonl"))]
    found = {"FAQ en": ours, "trivia en": trivia}
    for code, name in (("de", "pool-de"), ("es", ""), ("fr", ""), ("fa", "library-fa")):
        graded = rows(ROOT / "tests" / "verdicts" / f"{name}.jsonl") if name else iter(())
        found[f"FAQ {code}"] = [(row["question"], [gold["text"] for gold in row["gold"]], code) for row in graded]
        found[f"FAQ {code}"] += [row for row in by_hand if row[2] == code]
    return {
        name: [*{text: Question(text, tuple(map(GoldAnswer, gold)), lang=lang) for text, gold, lang in each}.values()]
        for name, each in found.items()
    }


def attacks() -> Iterator[Attack]:
    """Those that alter questions or add turns by themselves."""
    for name in sorted({*registry.BUILT_IN["attacks"]} - {"at", "chain", "all-should-not-change", "unchanged"}):
        attack: Attack = registry.find("attacks", name)()
        if not any("passage" in kind for kind in attack.edits):
            yield attack


def claimed(attack: Attack, question: Question) -> int:
    """How many variants of a question an attack claims, its Needs met by the real parts."""
    loaded = {name: part(name) for name in attack.parts()}
    data = {name: found for name, found in loaded.items() if not hasattr(found, "meet")}
    steps = attack.propose(Context(question, (), data), Random(question.id))
    count, answer = 0, None
    while True:
        try:
            batch: Sequence[Any] = steps.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            return count
        if batch and isinstance(batch[0], Need):
            answer = [loaded[need.kind].meet([need.payload])[0] for need in batch]
        else:
            count += sum(isinstance(one, Variant) and one.meaning_as_claimed for one in batch)
            answer = [Outcome(variant, (), Verdict("unsure")) for variant in batch]


def given(every: Sequence[Question], _: object, **others: object) -> Sequence[Question]:
    del others
    return every


def cell(attack: Attack, every: Sequence[Question]) -> str:
    if not attack.works_in(every[0].language):
        return "–"
    knowing = attack.with_questions(partial(given, every))
    some = Random(1).sample(every, min(len(every), LOOKED_AT))
    return f"{sum(claimed(knowing, each) for each in some) / len(some):.2f}"


def with_passages(path: Path) -> Iterator[Question]:
    return (each for each in reader_for(path)(path) if isinstance(each, Question) and each.passages and each.answers)


def covered(label: str, every: Sequence[Question]) -> str:
    attack = read_attack_flag(label)
    if not attack.works_in(every[0].language):
        return "–"
    knowing = attack.with_questions(partial(given, every))
    found = sum(claimed(knowing, each) > 0 for each in every)
    return f"{found} of {len(every)} ({100 * found / len(every):.0f} %)"


def kept_by_filter(every: Sequence[Question]) -> str:
    """How many of the passages with a fact the filter of `reasoning-chain` keeps, with the answers known and without."""
    facts = [{fact.passage for fact in each.facts} for each in every]
    sure, blind = (
        sum(len(gold & {*near(each)}) for gold, each in zip(facts, questions, strict=True))
        for questions in (every, [structs.replace(each, answers=()) for each in every])
    )
    return (
        f"Of ten passages the filter of `reasoning-chain` leaves {NEAR}. Of the {sum(map(len, facts))} passages that the "
        f"facts of these HotpotQA questions are in, it keeps {sure}; {blind} if it is not told the answers (a trained model in "
        "the paper, which is not: 97.1 %, with fewer than four passages left for 85.5 % of the questions)."
    )


def of_passages(data: Path) -> str:
    sets = {name: [*{each.id: each for each in with_passages(data / path)}.values()] for name, path in PASSAGES.items()}
    lines = [f"| attack | {' | '.join(sets)} |", f"|---|{'--:|' * len(sets)}"]
    lines += [
        f"| `{label}` | {' | '.join(covered(label, every) for every in sets.values())} |" for label in ON_PASSAGES
    ]
    return "\n".join((HEAD_OF_PASSAGES, *lines, "", kept_by_filter(sets["HotpotQA"]), ""))


def page(sets: Mapping[str, list[Question]]) -> str:
    lines = [f"| attack | {' | '.join(SETS)} |", f"|---|{'--:|' * len(SETS)}"]
    lines += [f"| `{attack.name}` | {' | '.join(cell(attack, sets[name]) for name in SETS)} |" for attack in attacks()]
    return HEAD.format(*(len(sets[name]) for name in SETS), looked=LOOKED_AT) + "\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    data = Path(os.environ["BOTATTACK_DATA"])
    for variable, name in PARTS.items():
        os.environ.setdefault(variable, str(data / name))
    PAGE.write_text(page(questions(data)) + of_passages(data), encoding="utf-8")
