"""Whether a sentence that rules made can be read: it is parsed again, and what a wrong parse of its question leaves is
looked for. Pure; English."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from botattack.attacks.building.clauses import BE
from botattack.attacks.building.parsed import body_of
from botattack.attacks.fakes.answers import plain
from botattack.model import Token
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import grammar_words, stated

_SUBJECTS = frozenset(["nsubj", "nsubjpass", "csubj", "csubjpass", "expl"])
_TRAILING = frozenset(["DET", "CCONJ", "SCONJ", "PART"])


def readable(
    said: str, tokens: Sequence[Token], parts: Mapping[str, Any], *, asked: str, answer: str, golds: Sequence[str]
) -> bool:
    """Whether `said`, parsed as `tokens`, is one sentence that says `answer` once and says no gold answer.

    `asked` is the question it was made of. It must have one main verb that agrees with its subject; no word that is in
    neither question nor answer, but a form of its verb; no two finite verbs in a row, no preposition in front of
    another, and no capital inside that question and answer do not have.
    """
    text = _unowned(said)
    if (answer and text.count(_unowned(answer)) != 1) or any(_unowned(gold) in text for gold in golds):
        return False
    checks = (_has_a_verb, _agrees, _opens_well, _ends_well, _none_twice)
    return all(check(tokens) for check in checks) and _of_words(said, asked, answer, parts)


def _unowned(text: str) -> str:
    """The words of a text, without the marks of possessives and hyphens."""
    return plain(text.replace("'s ", " ").replace("-", " "))


def says(text: str, piece: str) -> bool:
    """Whether the words of one text are in another, marks of possessives aside."""
    return _unowned(piece) in _unowned(text)


def _root(tokens: Sequence[Token]) -> int | None:
    roots = [i for i, token in enumerate(tokens) if token.head == i and token.pos != "PUNCT"]
    return roots[0] if len(roots) == 1 and tokens[roots[0]].pos in ("VERB", "AUX") else None


def _has_a_verb(tokens: Sequence[Token]) -> bool:
    return _root(tokens) is not None and not tokens[0].tag.startswith("W")


def _agrees(tokens: Sequence[Token]) -> bool:
    """Number of a common noun and its verb, where both say theirs."""
    root = _root(tokens)
    subject = next((i for i, t in enumerate(tokens) if t.head == root and t.relation in ("nsubj", "nsubjpass")), None)
    if root is None or subject is None:
        return True
    verbs = [t for i, t in enumerate(tokens) if i == root or (t.head == root and t.relation in ("aux", "auxpass"))]
    first = verbs[0]
    joined = any(t.relation == "conj" and t.head == subject and i < root for i, t in enumerate(tokens))
    counted = any(t.head == subject and t.relation in ("nummod", "quantmod") for t in tokens)
    plural = tokens[subject].tag in ("NNS", "NNPS") or joined
    several = tokens[subject].tag == "NNPS" and not tokens[subject].entity.endswith("GPE")  # "the Broncos was"
    if first.text.lower() in ("is", "was", "has", "does") or first.tag == "VBZ":
        return (
            not several and not ((tokens[subject].tag == "NNS" and tokens[subject].text.islower()) or joined)
        ) or counted
    if first.text.lower() in ("are", "were", "have", "do") or first.tag in ("VBP", "VB"):
        named = tokens[subject].tag == "NNP" and tokens[subject].entity.rpartition("-")[2] in _ONE
        singular = (named or (tokens[subject].tag == "NN" and tokens[subject].text.islower())) and not counted
        return plural or not singular or tokens[subject].text.lower() in stated.many
    return True


_ONE = frozenset(["PERSON", "GPE"])


def _opens_well(tokens: Sequence[Token]) -> bool:
    """No verb behind the first comma: "Animorphs told in first person, has books"."""
    comma = next((i for i, token in enumerate(tokens[:-1]) if token.text == ","), None)
    return comma is None or tokens[comma + 1].text.lower() not in BE | grammar_words.finite


def _ends_well(tokens: Sequence[Token]) -> bool:
    body = body_of(tokens)
    return bool(body) and tokens[body[-1]].pos not in _TRAILING and tokens[body[-1]].tag != "IN"


def _none_twice(tokens: Sequence[Token]) -> bool:
    """No word twice, no two finite verbs, no two prepositions beside one another."""
    for one, other in itertools.pairwise(tokens):
        a, b = one.text.lower(), other.text.lower()
        if a == b and a.isalpha():
            return False
        finite = BE | grammar_words.finite
        if (a in BE and b in finite) or (a in finite | {"being", "be"} and b in BE):
            return False
        if (a == "be" and b == "by") or (a in BE and b == "there"):
            return False  # "was voted to be by them the best", "the Volga was there a bridge across"
        stacked = one.tag == "IN" and other.tag == "IN" and one.relation == "prep" and other.relation == "prep"
        if stacked and f"{a}-{b}" not in stated.stacked and a in stated.hanging:
            return False
    return True


def _of_words(said: str, asked: str, answer: str, parts: Mapping[str, Any]) -> bool:
    """Every word is of the question or the answer, as it is written there, or is a form of its verb."""
    written = {word.text for text in (asked, answer) for word in words(text)}
    known = {normalised(word).removesuffix("'s") for word in written} | stated.added
    new = [word.text for word in words(said) if normalised(word.text).removesuffix("'s") not in known]
    if len(new) > 1 or any(not _form_of(word, asked, parts) for word in new):
        return False
    inside = [word.text for word in words(said)][1:]
    return all(not word[:1].isupper() or word in written or word.removesuffix("'s") in written for word in inside)


def _form_of(word: str, asked: str, parts: Mapping[str, Any]) -> bool:
    lemma = parts["inflection"].lemma(word, "VERB")
    return bool(parts["thesaurus"].offsets(lemma, "VERB")) and any(
        parts["inflection"].lemma(other.text, "VERB") == lemma for other in words(asked)
    )
