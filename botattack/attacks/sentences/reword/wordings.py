"""Whole questions in another wording: by our list, with a preposition at the front, or without a modal verb. Pure;
English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

from botattack.attacks.building.clauses import Clause, asked_for, clause_of
from botattack.attacks.building.parsed import ENDS, body_of
from botattack.attacks.sentences.reword.exchanges import own
from botattack.model import Token

_SLOT = re.compile(r"\b([XY])\b")
_FRONTED = ("at", "by", "for", "from", "in", "of", "on", "to", "with")
_WHO = {"what": "what", "which": "which", "who": "whom", "whom": "whom"}
_MODALS = {"can": "able to", "may": "allowed to", "must": "have to", "should": "supposed to", "will": "going to"}
_PLURAL = frozenset({"and", "we", "you", "they", "these", "those"})


def wordings(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """The question in every other wording that a rule or our list has for it."""
    yield from _framed(text)
    if body := body_of(tokens):
        yield from _fronted(text, tokens, body)
        clause = clause_of(text, tokens)
        yield from chain(_without_modal(clause), _found(clause)) if clause else ()


@cache
def _frames() -> Sequence[tuple[re.Pattern[str], tuple[str, ...]]]:
    """The whole questions of our list, X and Y some words in them that begin with no preposition."""
    slots = {slot: f"(?!(?:{'|'.join(_FRONTED)})\\b)(?P<{slot}>[^,;]+?)" for slot in "XY"}
    found = {
        one: "".join(slots.get(piece, re.escape(piece)) for piece in _SLOT.split(one))
        for one in own()
        if _SLOT.search(one)
    }
    return [(re.compile(pattern, re.IGNORECASE), own()[one]) for one, pattern in found.items()]


def _framed(text: str) -> Iterator[str]:
    asked = text.strip().rstrip(ENDS + " ")
    for frame, others in _frames():
        if found := frame.fullmatch(asked):
            said = found.groupdict()
            yield from ("".join(said.get(piece, piece) for piece in _SLOT.split(other)) for other in others)


def _fronted(text: str, tokens: Sequence[Token], body: Sequence[int]) -> Iterator[str]:
    """ "What team does he play for" becomes "for what team does he play"."""
    asked = asked_for(tokens, body)
    first, last = tokens[0].text.lower(), tokens[body[-1]]
    there = len(asked) < len(body) - 2 and tokens[len(asked)].pos == "AUX"
    there = there and not any(token.relation == "cc" for token in tokens)  # it may belong to a second question
    if asked and there and first in _WHO and last.relation == "prep" and last.text.lower() in _FRONTED:
        yield f"{last.text} {_WHO[first]}{text[tokens[0].end : tokens[body[-2]].end]}"


def _without_modal(clause: Clause) -> Iterator[str]:
    """ "May a drone fly here" becomes "is a drone allowed to fly here", and "who can help" "who is able to help"."""
    asks, tokens = clause.asks_for_subject, clause.tokens
    at = clause.rest[0] if asks and clause.rest else clause.auxiliary
    doing = clause.rest[1:] if asks else clause.rest
    said = clause.asked if asks else clause.subject
    word = "" if at is None else clause.word(at).lower()
    if word in _MODALS and said and doing and tokens[doing[0]].tag == "VB":
        head = next((tokens[i] for i in said if tokens[i].head not in said), tokens[said[-1]])
        several = head.tag in ("NNS", "NNPS") or any(tokens[i].text.lower() in _PLURAL for i in said)
        me = head.text.lower() == "i"
        finite = ("do" if several or me else "does") if word == "must" else "am" if me else "are" if several else "is"
        subject = () if asks else clause.subject
        yield clause.said(clause.lowered(clause.asked), finite, clause.lowered(subject), _MODALS[word], doing)
        if word == "can" and not clause.asked and head.tag != "PRP":
            yield clause.said("is it possible for", clause.lowered(subject), "to", doing)


def _found(clause: Clause) -> Iterator[str]:
    """ "Where is the tower" becomes "where can I find the tower"."""
    where = len(clause.asked) == 1 and clause.tokens[0].text.lower() == "where"
    if (
        where
        and clause.auxiliary == clause.root
        and not clause.rest
        and clause.tokens[clause.root].tag in ("VBZ", "VBP")
    ):
        yield clause.said("where can I find", clause.subject)
        yield clause.said("where", clause.lowered([clause.root]), clause.subject, "located")
