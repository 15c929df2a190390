"""What stands in a statement for the question phrase: the answer, with what it lacks. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence, Set
from dataclasses import replace

from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.clauses import Clause
from botattack.attacks.passages.statements.repaired import bare
from botattack.text.numerals import number_words, ordinals
from botattack.text.values.vocabulary import vocabulary
from botattack.text.word_lists import function_words, stated, word_table

ADVERBIAL = {"when": "in", "where": "in", "why": "because of", "how": "by"}
COUNTED = frozenset(["many", "much"])
_TIMED = frozenset(["during", "in"])


def phrase_for(clause: Clause, answer: str) -> tuple[str, bool]:
    """What stands for the question phrase, and whether it goes to the end."""
    first = clause.tokens[clause.asked[0]]
    if first.pos == "ADP":
        named = answer_named(replace(clause, asked=clause.asked[1:]), answer)
        if _is_unnamed(clause, answer):
            return "", True
        begins = answer.split(maxsplit=1)[0].lower() in (*prepositions(), "well")  # "well into the century"
        return named if begins else f"{first.text.lower()} {placed_behind(first.text, named)}", True
    word = first.text.lower()
    said = answer.lower().replace("-", " ").split()
    ranked = word == "where" and not (number_words() | stated.several).isdisjoint(said)
    if ranked:  # "where does it rank"
        return "", True
    if word in ADVERBIAL and len(clause.asked) == 1:
        hangs = [i for i in clause.rest if clause.tokens[i].pos == "ADP" and bare(clause.tokens, i, clause.rest)]
        inside = bool(hangs) and word == "where"  # "where is she from originally"
        return answer if inside else adverbial(word, answer), not inside or hangs[-1] == clause.rest[-1]
    noun = clause.tokens[clause.asked[-1]].text.lower()
    if (
        noun in stated.times
        and not is_counted(clause)  # "how many passengers a year"
        and not any(clause.tokens[i].pos == "ADP" for i in clause.rest[-1:])
        and clause.root in clause.rest
    ):
        return adverbial("when", answer), True
    return answer_named(clause, answer), False


def prepositions() -> Collection[str]:
    return word_table("grammar.classes")["preposition"]


def counting_words() -> Set[str]:
    """The words that say how many there are."""
    return (number_words() | stated.several) - ordinals().keys()


def _counts(answer: str) -> bool:
    return not counting_words().isdisjoint(answer.lower().replace("-", " ").split())


def _is_unnamed(clause: Clause, answer: str) -> bool:
    """Whether a number alone does not say what it numbers: "on what yard line" and 24."""
    noun = clause.tokens[clause.asked[-1]].text.lower()
    what = clause.tokens[clause.asked[1]].text.lower() if len(clause.asked) > 2 else ""
    return (
        what in ("what", "which")
        and is_bare_number(answer)
        and noun not in stated.times | stated.kinds | stated.numbered
    )


def adverbial(word: str, answer: str) -> str:
    """An answer to when, where, why or how, with the preposition it lacks."""
    first = answer.split(maxsplit=1)[0].lower()
    begins = (
        first in stated.starts
        or answer.endswith((" ago", " later", " earlier"))
        or (word == "how" and first.endswith("ly"))
    )
    found = _when(answer) if word == "when" else _where(answer) if word == "where" else ADVERBIAL[word]
    return answer if begins else f"{found} {answer}"


def placed_behind(preposition: str, answer: str) -> str:
    """An answer behind a preposition: a direction has an article ("from the west"), a range of years begins itself."""
    if answer.lower() in stated.directions:
        return f"the {answer}"
    return f"from {answer}" if preposition.lower() in _TIMED and _is_range(answer) else answer


def _is_range(answer: str) -> bool:
    """Whether something lasts from the one to the other: "1969 until 1974"."""
    words = answer.lower().split()
    return len(words) > 2 and bool(stated.until & {*words[1:-1]}) and words[0][:1].isdigit() and words[-1][:1].isdigit()


def _where(answer: str) -> str:
    return "at" if answer.rsplit(maxsplit=1)[-1].lower() in stated.sites else "in"


def _when(answer: str) -> str:
    words, known = [piece.strip(",.").lower() for piece in answer.split()], vocabulary("en")
    if _is_range(answer):
        return "from"
    if words[0] in known.weekdays or (
        any(w in known.months for w in words) and any(len(w) <= 2 and w.isdigit() for w in words)
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
    if words[:1] == ["how"] and len(asked) > 1:
        return _numbered(clause, answer) if words[1] in COUNTED else answer
    if len(asked) > 3 and words[1] in stated.kind_of and words[2] == "of":
        return of_kind([tokens[i].text for i in asked], answer)
    return _followed(clause, answer)


def _numbered(clause: Clause, answer: str) -> str:
    """The answer to "how many", with the noun it lacks."""
    tokens, asked = clause.tokens, clause.asked
    numbered = any(char.isdigit() for char in answer) or _counts(answer)
    last = tokens[asked[-1]]
    if (last.pos == "ADJ" and len(asked) > 2) or (not numbered and last.text.lower() != "times"):
        return ""  # "how many miles large"
    noun = clause.said(asked[2:])
    if noun[:1].isdecimal():  # "how many 2015 season interceptions"
        return ""
    if is_bare_number(answer) and noun and not _says(answer, noun):
        return f"{answer} {noun}"
    return _followed(clause, answer, of=True) if noun and _says(answer, noun) else answer


def _followed(clause: Clause, answer: str, *, of: bool = False) -> str:
    """The answer, with what follows the noun of the question phrase, also behind "of" if told; of a share, only a
    number."""
    behind = _behind(clause, of=of)
    share = behind and any(clause.tokens[i].text.lower() in stated.kinds for i in clause.asked[1:2])
    if share and not any(char.isdigit() for char in answer) and not _counts(answer):
        return ""  # "what part of his career"
    return f"{answer} {behind}" if behind and not _says(answer, behind.split()[-1]) else answer


def of_kind(phrase: Sequence[str], answer: str) -> str:
    """The answer to "what kind of": with the noun it lacks."""
    words = list(phrase[3:])
    end = next((n for n, word in enumerate(words) if word.lower() in prepositions()), len(words))
    said = end and _says(answer, words[end - 1])
    one = end and not said and not words[end - 1].endswith("s") and words[end - 1].lower() not in stated.mass
    led = answer.split(maxsplit=1)[0].lower() in function_words()
    article = [ARTICLES[takes_an(answer)]] if one and not led else []
    return " ".join([*article, answer, *([] if said else words[:end]), *words[end:]])


def is_counted(clause: Clause) -> bool:
    words = [clause.tokens[i].text.lower() for i in clause.asked]
    return words[:1] == ["how"] and len(words) > 1 and words[1] in COUNTED and words[-1] not in ("times", "often")


def is_bare_number(answer: str) -> bool:
    """Whether the last word of an answer is a number."""
    last = answer.rsplit(maxsplit=1)[-1]
    counts = last.lower().rpartition("-")[2] in counting_words()
    return counts or all(piece.isdigit() for piece in re.split(r"[-–—.,]", last.strip("~,.")))


def _behind(clause: Clause, *, of: bool) -> str:
    """What follows the noun of the question phrase and belongs to it."""
    nouns = [i for i in clause.asked if clause.tokens[i].pos in ("NOUN", "PROPN")]
    preposition = next((i for i in clause.asked if clause.tokens[i].pos == "ADP" and nouns and i > nouns[0]), None)
    named = preposition is not None and clause.tokens[preposition].text.lower() == "of" and not of
    if preposition is None or (named and clause.tokens[nouns[0]].text.lower() not in stated.kinds):
        return ""
    return clause.said([i for i in clause.asked if i >= preposition])


def _says(answer: str, noun: str) -> bool:
    said = {word.lower().rstrip("s") for word in answer.split()}
    return any(word.lower().rstrip("s") in said for word in noun.split())
