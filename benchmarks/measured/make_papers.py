"""Writes docs/papers.md: what the attacks make of the sentences that the papers print, with the real language parts.

Run from the project's root, with every part of `botattack resources list` there: python -m benchmarks.measured.make_papers
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from botattack import registry
from botattack.config.flags import read_attack_flag
from botattack.model import Need, Outcome, Question, Variant, Verdict
from botattack.protocols import Attack, Context

MARK = "\n<!-- Above this line the page is written by `python -m benchmarks.measured.make_papers`. -->\n"
SHOWN = 3
"""Variants shown of each attack, the paper's own first, then those whose meaning is sure."""


@dataclass(frozen=True)
class Row:
    """A sentence of a paper, what the paper makes of it, our attack, and why they differ."""

    operation: str
    original: str
    printed: str
    attack: str
    why: str = ""


STATE = "what state is the largest in population"
TABLE_1 = [
    Row(
        "Insertion",
        STATE,
        "in what state is the largest in population",
        "insert-function-word:per_question=1000",
    ),
    Row(
        "Deletion",
        STATE,
        "what state is the largest in population",
        "delete-function-word:per_question=1000",
        "The paper's example is its original; ours are never unchanged.",
    ),
    Row(
        "Substitution (f)",
        STATE,
        "what state is the largest among population",
        "substitute-function-word:per_question=1000",
    ),
    Row(
        "Substitution (nf)",
        STATE,
        "what state is the most in population",
        "reword:sources=[thesaurus,neighbours],per_question=1000",
        'Word vectors stand in for ELECTRA; "most" is no neighbour of "largest" with its tag. Siblings that are no '
        "synonyms (area, part) are unsure.",
    ),
    Row(
        "Substitution (nf), Table 4",
        "what are the major river in ohio",
        "what are the main river in ohio",
        "reword:sources=[thesaurus,neighbours],per_question=1000",
        "Found, but unsure: WordNet does not list the two as synonyms, and only readers can say.",
    ),
    Row(
        "Back Translation",
        STATE,
        "state with the largest population",
        "reword:sources=[translation]",
        "Rules and dictionaries (Apertium) change fewer words than Google's models by way of Russian, French and "
        "Japanese; name such a translator in `BOTATTACK_TRANSLATOR` for the paper's method.",
    ),
    Row(
        "Reordering",
        STATE,
        "the largest population is in what state",
        "reorder:per_question=1000",
        "SOW-REAP also rewrites; our rules keep every word, so the preposition stays with its noun.",
    ),
]
DIALOGUE = [
    Row(
        "Random Swap",
        "I don't want you to go",
        "I don't want to you go",
        "swap-words:per_question=1000",
    ),
    Row("Stopword Dropout", "Ben ate the carrot", "Ben ate carrot", "drop-stopwords:per_question=1000"),
    Row(
        "Data-level Paraphrasing",
        "She bought a bike",
        "She purchased a bicycle",
        "reword:sources=[lexicon],per_question=1000",
        "One word a variant; the paper exchanges all that its lexicon has.",
    ),
    Row(
        "Generative-level Paraphrasing",
        "How old are you",
        "What's your age",
        "reword:sources=[model]",
        "A chat model of 135 million parameters in this process; what it writes is rarely a paraphrase, and the checks "
        "of the meaning find that. Name a larger model in `BOTATTACK_PARAPHRASER`.",
    ),
    Row(
        "Grammar Errors",
        "He doesn't like cakes",
        "He don't like cake",
        "grammar-errors:per_question=1000",
        "The table is JFLEG's, not AESW's.",
    ),
    Row("Add Negation", "I want some coffee", "I don't want some coffee", "negate:per_question=1000"),
    Row("Antonym", "You need to install Ubuntu", "You need to uninstall Ubuntu", "antonym:per_question=1000"),
]
ALADDIN = "Who played the voice of Aladdin"
DPAEG = [
    Row(
        "Figure 2, keywords replaced",
        ALADDIN,
        "",
        "dpaeg:per_question=1000",
        "The figure shows the parse alone: played is the root, voice its object. Both are keywords here; Aladdin, "
        "below a preposition, is one with `through_prepositions`.",
    ),
    Row("Figure 2, keywords removed", ALADDIN, "", "dpaeg:edit=remove"),
    Row("4.2.1, restated", ALADDIN, "", "restate:per_question=1000", "The paper restated by hand and prints no rule."),
]
SECTIONS = [
    ("On Robustness of Neural Semantic Parsers, Tables 1 and 4", TABLE_1),
    ("Adversarial over-sensitivity and over-stability strategies for dialogue models, section 3.1", DIALOGUE),
    ("DPAEG, Figure 2 and section 4.2.1", DPAEG),
]
HEAD = """# What the papers print, and what comes out here

Do our attacks do what the papers say? Each row takes a sentence that a paper prints, and shows what the paper makes of
it and what our attack makes of it. Of {all} printed variants, ours include {same}; the last column says why not.

- *same*: whether the paper's variant is one of ours.
- *exist*: how many variants our attack can make of this sentence.
- *here*: up to three of them, the paper's first. ? means that it may ask something else: botattack does not ask such
  variants unless a campaign says `ask_unsure: true`, and counts them separately.

Written by `python -m benchmarks.measured.make_papers` with the language parts of `botattack resources list` and seed 0."""


@cache
def part(name: str) -> Any:
    return registry.find("parts", name)()


def variants_of(attack: Attack, text: str) -> tuple[list[Variant], int]:
    """All variants, their Needs met by the real parts, and how many exist."""
    loaded = {name: part(name) for name in attack.parts()}
    data = {name: found for name, found in loaded.items() if not hasattr(found, "meet")}
    steps = attack.propose(Context(Question(text), (), data), Random(0))
    found: list[Variant] = []
    answer: Any = None
    while True:
        try:
            batch: Sequence[Any] = steps.send(answer)
        except StopIteration as stop:
            return found, len(found) if stop.value is None else stop.value
        if batch and isinstance(batch[0], Need):
            answer = [loaded[need.kind].meet([need.payload])[0] for need in batch]
        else:
            found += batch
            answer = [Outcome(variant, (), Verdict("unsure")) for variant in batch]


def row(item: Row) -> str:
    found, existing = variants_of(read_attack_flag(item.attack), item.original)
    same = [variant for variant in found if alike(variant.prompt.text) == alike(item.printed)]
    sure = [variant for variant in found if variant.meaning_as_claimed and variant not in same]
    unsure = [variant for variant in found if variant.meaning == "unsure" and variant not in same]
    shown = [*same, *sure, *unsure][:SHOWN]
    told = "<br>".join(variant.prompt.text + (" ?" if variant.meaning == "unsure" else "") for variant in shown)
    mark = ("yes" if same else "no") if item.printed else ""
    name = item.attack.partition(":")[0]
    cells = (item.operation, item.original, item.printed, f"`{name}`", mark, f"{existing:,}", told, item.why)
    return f"| {' | '.join(cells)} |"


def alike(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").rstrip("?.! ").split())


def page() -> str:
    lines: list[str] = []
    for title, rows in SECTIONS:
        lines += ["", f"## {title}", "", "| operation | original | paper | attack | same | exist | here | difference |"]
        lines += ["|---|---|---|---|---|---|---|---|", *map(row, rows)]
    yes, no = (sum(f" | {said} | " in line for line in lines) for said in ("yes", "no"))
    return "\n".join([HEAD.format(all=yes + no, same=yes), *lines]) + "\n"


if __name__ == "__main__":
    path = Path(__file__).parents[2] / "docs" / "papers.md"
    path.write_text(page() + MARK + path.read_text("utf-8").partition(MARK)[2], encoding="utf-8")
