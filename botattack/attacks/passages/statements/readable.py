"""Whether a sentence that rules made can be read: it is parsed again, and what a wrong parse of its question leaves is
looked for. Pure; English."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from botattack.attacks.building.clauses import BE, DO, stranded
from botattack.attacks.fakes.answers import plain
from botattack.model import Token
from botattack.protocols import PartsByName
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import grammar_words, stated

_FINITE = frozenset(["VBD", "VBP", "VBZ", "MD"])
_INNER = frozenset(["relcl", "acl", "advcl", "ccomp", "xcomp", "pcomp", "csubj"])


def readable(
    said: str, tokens: Sequence[Token], parts: PartsByName, *, asked: str, answer: str, golds: Sequence[str]
) -> bool:
    """Whether `said`, parsed as `tokens`, is one sentence that says `answer` once and says no gold answer.

    `asked` is the question it was made of. It must have one main verb; no word that is in
    neither question nor answer, but a form of its verb; no two finite verbs in a row, no preposition in front of
    another, and no capital inside that question and answer do not have.
    """
    text = _unowned(said)
    if (answer and text.count(_unowned(answer)) != 1) or any(_unowned(gold) in text for gold in golds):
        return False
    root, lemma = _root(tokens), parts["inflection"].lemma
    if root is not None and lemma(tokens[root].text, "VERB") in {lemma(one, "VERB") for one in answer.split()}:
        return False  # "can seat 4,118 seated"
    checks = (_has_a_verb, _is_whole, _opens_well, _none_twice)
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


def _is_whole(tokens: Sequence[Token]) -> bool:
    """What is done to somebody has no object, and no preposition lacks one, but in a clause of its own: "13 are
    absorbed the lake", "they played five teams for"."""
    root = _root(tokens)
    under = [i for i, token in enumerate(tokens) if token.head == root and i != root]
    if root is None:
        return False
    relations = {tokens[i].relation for i in under}
    given = {"auxpass", "dobj"} <= relations and tokens[root].text.lower() not in stated.giving
    return not given and not any(tokens[i].relation == "prep" and stranded(tokens, i) for i in under)


def _opens_well(tokens: Sequence[Token]) -> bool:
    """No verb behind the first comma: "Animorphs told in first person, has books"."""
    comma = next((i for i, token in enumerate(tokens[:-1]) if token.text == ","), None)
    return comma is None or tokens[comma + 1].text.lower() not in BE | grammar_words.finite


def _none_twice(tokens: Sequence[Token]) -> bool:
    """No word twice, no two finite verbs, no two prepositions beside one another."""
    return not any(_clash(tokens, one, other) for one, other in itertools.pairwise(tokens))


def _clash(tokens: Sequence[Token], one: Token, other: Token) -> bool:
    a, b, finite = one.text.lower(), other.text.lower(), BE | grammar_words.finite
    lost = one.relation == "pcomp" and tokens[tokens[one.head].head].pos == "ADJ"
    stacked = one.tag == "IN" and other.tag == "IN" and one.relation == "prep" and other.relation == "prep"
    return any(
        (
            a == b and a.isalpha(),
            (lost and b in BE) or (a in BE and b in finite),  # "is famous for using is"
            a in finite | {"being", "be"} and b in BE,
            one.tag in _FINITE and other.tag in _FINITE and one.relation not in _INNER,  # "plays has she starred in"
            a in DO and one.pos == "AUX" and b != "not",
            a in ("called", "known", "named") and b in BE,  # "this expression called is"
            a.isdigit() and b.isdigit(),
            (a == "be" and b == "by") or (a in BE and b == "there"),  # "the Volga was there a bridge across"
            a == "by" and other.tag == "VBN" and other.relation != "amod",  # "by married outside"
            one.tag == "IN" and b == "that",  # "played five teams for that won"
            stacked and f"{a}-{b}" not in stated.stacked and a in stated.hanging,
        )
    )


def _of_words(said: str, asked: str, answer: str, parts: Mapping[str, object]) -> bool:
    """Every word is of the question or the answer, as it is written there, or is a form of its verb."""
    written = {word.text for text in (asked, answer) for word in words(text)}
    known = {normalised(word).removesuffix("'s") for word in written} | stated.added
    new = [word.text for word in words(said) if normalised(word.text).removesuffix("'s") not in known]
    if len(new) > 1 or any(not _form_of(word, asked, parts) for word in new):
        return False
    inside = [word.text for word in words(said)][1:]
    return all(not word[:1].isupper() or word in written or word.removesuffix("'s") in written for word in inside)


def _form_of(word: str, asked: str, parts: PartsByName) -> bool:
    lemma = parts["inflection"].lemma(word, "VERB")
    return bool(parts["thesaurus"].offsets(lemma, "VERB")) and any(
        parts["inflection"].lemma(other.text, "VERB") == lemma for other in words(asked)
    )
