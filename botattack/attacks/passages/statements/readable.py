"""Whether a sentence that rules made can be read: it is parsed again, and what a wrong parse of its question leaves is
looked for. Pure; English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from botattack.attacks.building.clauses import BE
from botattack.attacks.building.parsed import body_of
from botattack.attacks.fakes.answers import plain
from botattack.attacks.fakes.names import fake_names
from botattack.model import Token
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import grammar_words, stated, word_tuple

_SUBJECTS = frozenset(["nsubj", "nsubjpass", "csubj", "csubjpass", "expl"])
_TRAILING = frozenset(["DET", "CCONJ", "SCONJ", "PART"])


def readable(
    said: str, tokens: Sequence[Token], parts: Mapping[str, Any], *, asked: str, answer: str, golds: Sequence[str]
) -> bool:
    """Whether `said`, parsed as `tokens`, is one sentence that says `answer` once and says no gold answer.

    `asked` is the question it was made of. It must have a verb with its subject before it, and an auxiliary behind
    that; no question word more than in clauses of its own; no word that is in neither question nor answer, but a form
    of its verb; no two finite verbs in a row, no preposition without an object in front of another, and no capital
    inside that question and answer do not have.
    """
    text = _unowned(said)
    if (answer and text.count(_unowned(answer)) != 1) or any(_unowned(gold) in text for gold in golds):
        return False
    if answer in (*word_tuple("fakes.adjectives"), *fake_names()["NORP"]) and any(
        f" {word} {answer.lower()} " in text for word in stated.hanging - {"in"}
    ):
        return False
    checks = (_has_a_subject, _agrees, _opens_well, _ends_well, _none_twice, _objects)
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


def _has_a_subject(tokens: Sequence[Token]) -> bool:
    """A subject, then all auxiliaries of the one main verb."""
    root = _root(tokens)
    if root is None:
        return False
    mine = [i for i, token in enumerate(tokens) if token.head == root and token.relation in _SUBJECTS]
    helps = [i for i, token in enumerate(tokens) if token.head == root and token.relation in ("aux", "auxpass")]
    return bool(mine) and min(mine) < min([*helps, root]) and not tokens[0].tag.startswith("W")


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


def _objects(tokens: Sequence[Token]) -> bool:
    """No adjective alone as an object, none of a passive but what is given or named, and of one name no plural."""
    for i, token in enumerate(tokens):
        given = token.relation == "dobj" and tokens[token.head].tag == "VBN" and token.head < i
        if given and _is_passive(tokens, token.head) and tokens[token.head].text.lower() not in stated.named:
            return False  # "the gas is absorbed the forest"
        alone = i + 1 == len(tokens) or tokens[i + 1].pos in ("PUNCT", "ADP")
        people = token.tag == "NNP" and token.entity.endswith("NORP")  # "by artists of British"
        if (
            (token.tag == "JJ" or people)
            and token.relation in ("pobj", "dobj")
            and alone
            and not (token.entity and i and tokens[i - 1].text.lower() == "in")
        ):
            return False
        plural = token.relation == "attr" and token.tag == "NNS" and token.text.islower()
        names = any(t.head == token.head and t.relation == "nsubj" and t.tag == "NNP" for t in tokens)
        if plural and names and tokens[token.head].text.lower() in ("is", "was"):
            return False
    return True


def _is_passive(tokens: Sequence[Token], verb: int) -> bool:
    return any(token.head == verb and token.relation == "auxpass" for token in tokens)


def _none_twice(tokens: Sequence[Token]) -> bool:
    """No word twice, no two finite verbs, no two prepositions beside one another."""
    for one, other, third in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
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
        if a in stated.hanging and b == "that" and third is not None and third.pos in ("VERB", "AUX"):
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
