"""A question and an answer made into a statement (Jia and Liang 2017, 3.3; reasoning chain 2.4). Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from botattack.attacks.building.clauses import BE, DO, INSIDE, Clause, clause_of, without_do
from botattack.attacks.building.parsed import ENDS, below, body_of
from botattack.attacks.passages.statements.answer_words import (
    ADVERBIAL,
    COUNTED,
    adverbial,
    answer_named,
    is_bare_number,
    phrase_for,
)
from botattack.attacks.passages.statements.repaired import (
    bare,
    by_tags,
    complete,
    with_both,
)
from botattack.model import Token
from botattack.text.parts.inflection import Inflection

_MANY = {"is": "are", "was": "were", "has": "have"}
_MEASURED = {"how old": "be", "how tall": "be", "how long": "take"}
_LEADS = frozenset(["ADP", "SCONJ", "ADV", "ADJ"])
YES = frozenset(["yes", "true"])
NO = frozenset(["no", "false"])


def statement(text: str, tokens: Sequence[Token], answer: str, inflection: Inflection) -> str:
    """The question as a statement that gives the answer, with a full stop; "" if no rule fits its parse.

    A yes/no question with the answer yes is affirmed, with no negated.
    """
    answer = answer.strip().rstrip(ENDS)
    front = _front(tokens)
    if front:
        behind = statement(text, tokens_behind(tokens, front), answer, inflection)
        said = text[: tokens[front - 1].end].rstrip(",")
        return f"{said[:1].upper()}{said[1:]}, {_small(behind, tokens, answer)}" if behind else ""
    if not answer:
        return ""
    said = _said(text, tokens, answer, inflection) or _in_place(text, tokens, answer)
    said = said.strip().rstrip(ENDS + ",")
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _said(text: str, tokens: Sequence[Token], answer: str, inflection: Inflection) -> str:
    found = (with_both(text, tokens), clause_of(text, tokens), by_tags(text, tokens))
    clause = next((one for one in found if one and complete(one)), None)
    if clause is None:
        return ""
    if not clause.asked:
        return _decided(clause, answer.lower())
    if clause.auxiliary is not None:
        return _placed(clause, answer, inflection)
    phrase = answer_named(clause, answer)
    first = clause.word(clause.rest[0])
    verb = inflection.lemma(first, "VERB") if clause.tokens[clause.rest[0]].tag == "VBZ" else ""
    verb = _MANY.get(first, verb) if _is_several(clause, phrase) else ""
    if phrase and _asks_of_what_follows(clause):
        return clause.said(clause.rest[1:], clause.rest[:1], phrase)
    return clause.said(phrase, *([verb, clause.rest[1:]] if verb else [clause.rest])) if phrase else ""


def _asks_of_what_follows(clause: Clause) -> bool:
    """Whether a noun asks, with only "is" and a name or what is definite behind it: "what nationality is Ann"."""
    tokens, (verb, *rest) = clause.tokens, clause.rest
    if len(clause.asked) < 2 or clause.word(verb).lower() not in BE or not rest:
        return False
    definite = tokens[rest[0]].text.lower() == "the" or tokens[rest[0]].pos in ("PROPN", "PRON")
    several = tokens[clause.asked[-1]].tag == "NN" and clause.word(verb).lower() in ("are", "were")
    return (definite or several) and clause.root == verb and not any(tokens[i].pos in ("AUX", "VERB") for i in rest)


def _is_several(clause: Clause, phrase: str) -> bool:
    """Whether one is asked for and several are the answer."""
    last = re.split(" (?:of|in|for|from|with) ", phrase)[0].rpartition(" ")[2]
    one = clause.tokens[clause.asked[-1]].tag in ("NN", "WP")
    return one and last.islower() and last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))


def _front(tokens: Sequence[Token]) -> int:
    """How many tokens with a comma stand in front of the question: "In 1880, what city did Tesla move to"."""
    commas = [i for i, token in enumerate(tokens[:-2]) if token.text == ","]
    comma = next((i for i in commas if any(token.tag.startswith("W") for token in tokens[i + 1 : i + 3])), 0)
    if not comma or any(token.tag in ("WP", "WRB", "WDT") for token in tokens[:comma]):
        return 0
    return comma + 1 if tokens[0].pos in _LEADS or tokens[0].text == "According" else 0


def _small(said: str, tokens: Sequence[Token], answer: str) -> str:
    """A statement behind what stands in front of it: its first letter is small where the question had it so."""
    word = said.split(maxsplit=1)[0].lower()
    small = any(token.text == word for token in tokens) or answer.startswith(word)
    return said[:1].lower() + said[1:] if small else said


def tokens_behind(tokens: Sequence[Token], count: int) -> list[Token]:
    """The tokens without the first ones, whose dependents become roots."""
    return [
        msgspec.structs.replace(token, head=token.head - count if token.head >= count else i)
        for i, token in enumerate(tokens[count:])
    ]


def _in_place(text: str, tokens: Sequence[Token], answer: str) -> str:
    """ "The school is in what city" asks where it would answer: the question phrase becomes the answer."""
    body = body_of(tokens)
    marks = [i for i in body if tokens[i].tag in ("WDT", "WP", "WP$", "WRB") and i > 0]
    final = next((i for i in marks if _ends_in(tokens, i, body[-1])), None)
    if final is not None:
        return text[: tokens[final].start] + answer
    asking = [i for i in marks if _asks_there(tokens, i, body[-1])]
    if len(asking) != 1 or tokens[0].tag.startswith("W"):
        return ""
    first = last = asking[0]
    while tokens[last].relation in INSIDE and last < tokens[last].head:
        last = tokens[last].head
    word = tokens[first].text.lower()
    bare = word in ADVERBIAL and first == last and tokens[first - 1].pos != "ADP"
    answer = adverbial(word, answer) if bare else answer
    if word == "how" and first + 2 <= last and is_bare_number(answer):
        answer = f"{answer} {text[tokens[first + 2].start : tokens[last].end]}"
    return text[: tokens[first].start] + answer + text[tokens[last].end : tokens[body[-1]].end]


def _ends_in(tokens: Sequence[Token], i: int, last: int) -> bool:
    """Whether the text ends in "what" or "which" and a noun, behind a preposition or verb: "under which president"."""
    noun = i < last and all(token.pos in ("NOUN", "PROPN", "ADJ", "NUM") for token in tokens[i + 1 : last + 1])
    return (
        tokens[i].text.lower() in ("what", "which") and tokens[i - 1].pos in ("ADP", "VERB") and (noun or i + 1 == last)
    )


def _asks_there(tokens: Sequence[Token], i: int, last: int) -> bool:
    """Whether a question word asks, and begins no clause of its own."""
    if tokens[i].tag == "WRB":
        return i == last or tokens[i + 1].text.lower() in COUNTED
    top = i
    while tokens[top].relation in INSIDE and top < tokens[top].head:
        top = tokens[top].head
    above = tokens[top].head
    if tokens[above].pos == "ADP":
        above = tokens[above].head
    return above < i or (tokens[i].relation == "dobj" and above < i)


def _decided(clause: Clause, answer: str) -> str:
    """A yes/no question, affirmed or negated."""
    auxiliary = clause.auxiliary
    if auxiliary is None or answer not in YES | NO:
        return ""
    word, subject, rest = clause.word(auxiliary).lower(), clause.subject, clause.rest
    if not rest or (word in DO and clause.root != rest[0]):
        return ""
    if answer in NO:
        return clause.said(subject, f"{word} not", rest)
    return clause.said(subject, word, rest)


def _placed(clause: Clause, answer: str, inflection: Inflection) -> str:
    """The clause in the order of a statement, with the answer where the question phrase belongs."""
    auxiliary = clause.auxiliary
    if auxiliary is None:
        return ""
    verb = clause.word(auxiliary).lower()
    denied = any(clause.tokens[i].relation == "neg" and i < clause.root for i in clause.rest)
    if verb in DO and not denied:
        spoken = without_do(clause, verb, inflection)
        if spoken is None:
            return ""
        clause, verb = spoken, ""
    phrase, end = phrase_for(clause, answer)
    if not phrase:
        return ""
    at = len(clause.rest) if end else _gap(clause)
    return clause.said(clause.subject, verb, clause.rest[:at], phrase, clause.rest[at:])


def _gap(clause: Clause) -> int:
    """How much of the rest stands before the answer: the verb, with what belongs to it, or a stranded preposition."""
    tokens, rest = clause.tokens, clause.rest
    early = _MEASURED.get(clause.said(clause.asked).lower())  # "how long does it take to arrive"
    bares = (tokens[i].text == early or (tokens[i].pos == "ADP" and bare(tokens, i, rest)) for i in rest)
    hanging = [n for n, is_bare in enumerate(bares) if is_bare]
    if hanging or not rest:
        return hanging[-1] + 1 if hanging else 0
    if clause.root not in rest and tokens[rest[0]].tag in ("VBN", "VBG"):  # "what was the ship named"
        return 1
    helping = clause.auxiliary is not None and tokens[clause.auxiliary].text.lower() in DO
    heads = {clause.root, *rest, *([clause.auxiliary] if helping else [])}
    asked = {tokens[i].relation for i in clause.asked if tokens[i].head in heads}
    if clause.root in rest and asked & {"dobj", "attr", "pobj", "nsubjpass", "nsubj", "oprd", "dative"}:
        verbs = [n for n, i in enumerate(rest) if i == clause.root or tokens[i].relation == "prt"]
        inner = [n for n, i in enumerate(rest) if tokens[i].relation == "xcomp" and tokens[i].head == clause.root]
        inner = [n for n in inner if not any(tokens[i].relation == "dobj" and tokens[i].head == rest[n] for i in rest)]
        objects = [n for n, i in enumerate(rest) if tokens[i].relation == "dobj" and tokens[i].head in (clause.root,)]
        if objects:  # "what did they call the dog": behind the object
            return max(n for n, i in enumerate(rest) if i in below(tokens, rest[objects[-1]])) + 1
        return max([*verbs, *inner]) + 1
    # "how many points did they score in the game", but "how old is the school of"
    named = tokens[clause.asked[0]].tag != "WRB" or tokens[clause.asked[-1]].pos == "NOUN"
    if clause.root == rest[0] and named and [tokens[i].pos for i in rest[1:2]] == ["ADP"]:
        return 1
    return len(rest) if clause.root in rest else 0
