"""What stands in a statement for the question phrase: the answer, with what it lacks. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from botattack.attacks.building.clauses import Clause
from botattack.attacks.passages.statements.repaired import bare
from botattack.text.numerals import number_words, ordinals
from botattack.text.values.vocabulary import vocabulary
from botattack.text.word_lists import stated

# These follow from how the rules below build a sentence, so they are no list of words.
ADVERBIAL = {"when": "in", "where": "in", "why": "because of", "how": "by"}
COUNTED = frozenset(["many", "much"])
_SHARES = (["percentage", "of"], ["percent", "of"], ["proportion", "of"])


def phrase_for(clause: Clause, answer: str) -> tuple[str, bool]:
    """What stands for the question phrase, and whether it goes to the end."""
    first = clause.tokens[clause.asked[0]]
    if first.pos == "ADP":
        named = answer_named(replace(clause, asked=clause.asked[1:]), answer)
        return f"{first.text.lower()} {named}", True
    word = first.text.lower()
    if word in ADVERBIAL and len(clause.asked) == 1:
        hangs = [i for i in clause.rest if clause.tokens[i].pos == "ADP" and bare(clause.tokens, i, clause.rest)]
        inside = bool(hangs) and word == "where"  # "where is she from originally"
        return answer if inside else adverbial(word, answer), not inside or hangs[-1] == clause.rest[-1]
    noun = clause.tokens[clause.asked[-1]].text.lower()
    if noun.removesuffix("s") in stated.times and clause.root in clause.rest:
        return adverbial("when", answer), True
    return answer_named(clause, answer), False


def counting_words() -> Set[str]:
    """The words that say how many there are."""
    return (number_words() | stated.several) - ordinals().keys()


def adverbial(word: str, answer: str) -> str:
    """An answer to when, where, why or how, with the preposition it lacks."""
    first = answer.split(maxsplit=1)[0].lower()
    begins = first in stated.starts or (word == "how" and first.endswith("ly")) or answer.endswith(" ago")
    found = _when(answer) if word == "when" else ADVERBIAL[word]
    return answer if begins else f"{found} {answer}"


def _when(answer: str) -> str:
    words, known = [piece.strip(",.").lower() for piece in answer.split()], vocabulary("en")
    if words[0] in known.weekdays or (
        any(w in known.calendar.names for w in words) and any(len(w) <= 2 and w.isdigit() for w in words)
    ):
        return "on"
    return "at" if ":" in answer or words[-1] in ("am", "pm", "a.m", "p.m", "noon", "midnight") else "in"


def answer_named(clause: Clause, answer: str) -> str:
    """The answer, with what the question says of it: "how many people" and 12 give "12 people"; what follows the
    noun that is asked about stays ("which king of France"). "" if it is no answer to this phrase."""
    tokens, asked = clause.tokens, clause.asked
    words = [tokens[i].text.lower() for i in asked]
    mark = next((n for n, i in enumerate(asked) if tokens[i].tag == "POS"), None)
    if words[:1] == ["whose"] and len(asked) > 1:
        return f"{answer}'s {clause.said(asked[1:])}"
    if mark is not None and mark + 1 < len(asked) and not any(tokens[i].pos == "ADP" for i in asked[:mark]):
        return f"{answer}'s {clause.said(asked[mark + 1 :])}"  # "which dog's ancestors"
    if words[1:3] in _SHARES and " of " not in answer:
        return f"{answer} {clause.said(asked[2:])}"  # "what percentage of the people"
    if words[:1] == ["how"] and tokens[asked[-1]].tag in ("JJR", "RBR"):
        return ""  # "how much higher"
    if words[:1] == ["how"] and len(asked) > 1:
        return _numbered(clause, answer) if words[1] in COUNTED else answer
    return answer


def _numbered(clause: Clause, answer: str) -> str:
    """The answer to "how many", with the noun it lacks."""
    tokens, asked = clause.tokens, clause.asked
    numbered = any(map(str.isdigit, answer)) or not counting_words().isdisjoint(
        answer.lower().replace("-", " ").split()
    )
    if not numbered and tokens[asked[-1]].text.lower() != "times":
        return ""
    noun = clause.said(asked[2:])
    return f"{answer} {noun}" if is_bare_number(answer) and noun and not _says(answer, noun) else answer


def is_bare_number(answer: str) -> bool:
    """Whether the last word of an answer is a number."""
    last = answer.rsplit(maxsplit=1)[-1]
    counts = last.lower().rpartition("-")[2] in counting_words()
    return counts or all(piece.isdigit() for piece in re.split(r"[-–—.,]", last.strip("~,.")))


def _says(answer: str, noun: str) -> bool:
    said = {word.lower().rstrip("s") for word in answer.split()}
    return any(word.lower().rstrip("s") in said for word in noun.split())
