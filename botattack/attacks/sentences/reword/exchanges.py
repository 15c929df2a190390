"""Words and phrases of a question exchanged for what sources list in their place; whole questions in another wording,
by our list or a rule. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from botattack.attacks.building.agreeing import edit_of
from botattack.attacks.building.clauses import Clause, asked_for, clause_of
from botattack.attacks.building.guard import KEPT, Draft, Judgement
from botattack.attacks.building.parsed import ENDS, body_of
from botattack.attacks.building.plain_words import word_tokens
from botattack.attacks.words.known_phrases import matched
from botattack.model import Token
from botattack.protocols import PartsByName
from botattack.text.languages import written
from botattack.text.parts.inflection import category
from botattack.text.tokens import match_case, normalised
from botattack.text.word_lists import attack_words, function_words

_I = re.compile(r"\bi\b")
OPEN = ("NOUN", "VERB", "ADJ", "ADV")
OWN = "own"
VERB = "verb: "
_VERBS = ("verbs", "becoming")


class Listed(NamedTuple):
    """What a source lists for a phrase; `lemma` and `pos` are those of a single word that was parsed, else empty."""

    phrase: str
    lemma: str
    pos: str


Source = Callable[[Listed], Sequence[str]]


@cache
def own() -> Mapping[str, tuple[str, ...]]:
    """The words and phrases of our list, each with those that ask the same: those with X are whole questions, verbs
    stand behind VERB."""
    found: dict[str, tuple[str, ...]] = {}
    for name, groups in written("en", "reword").items():
        before, each_way = (VERB if name in _VERBS else ""), name in ("same", "verbs")
        for group in groups:
            for one in group if each_way else group[:1]:
                found[before + one] = (*found.get(before + one, ()), *(other for other in group if other != one))
    return found


def exchanges(
    text: str, tokens: Sequence[Token], sources: Mapping[str, Source], longest: int, parts: Mapping[str, object]
) -> Iterator[Draft]:
    """One draft for each word or phrase that a source knows and each that may stand in its place: kept where our own
    list has the pair, or two other sources."""
    whole = word_tokens(text)
    # Of a text of capitals, or with one at each word, the parser takes all words for names.
    plain = not (text.isupper() or text.istitle())
    places = {(token.start, token.end): i for i, token in enumerate(tokens) if token.tag and plain}

    def place_of(span: Sequence[Token]) -> int | None:
        return places.get((span[0].start, span[-1].end)) if len(span) == 1 else None

    def others(span: Sequence[Token], phrase: str) -> Sequence[str]:
        place = place_of(span)
        if _stays(span, whole[0], plain=plain) or (place is not None and not exchangeable(tokens, place, parts)):
            return ()
        return list(_forms(phrase, None if place is None else tokens[place], sources, parts))

    for phrase in matched(text, whole, longest, others):
        place = place_of(whole[phrase.first : phrase.stop])
        token = None if place is None else tokens[place]
        for after, by in _forms(phrase.text, token, sources, parts).items():
            form = match_case(phrase.text, after)
            form = _I.sub("I", form) if "I" in phrase.text.split() else form
            edit = edit_of(text, whole, phrase.first, form, " + ".join(by), stop=phrase.stop)
            if normalised(edit.before) != normalised(edit.after):
                yield Draft((edit,), _judged(phrase.text, after, by))


def _stays(span: Sequence[Token], first: Token, *, plain: bool) -> bool:
    """Whether a phrase is a name, or a function word alone."""
    named = plain and any(word.text[:1].isupper() and word is not first and word.text != "I" for word in span)
    return named or (len(span) == 1 and span[0].text.lower() in function_words())


def _forms(phrase: str, token: Token | None, sources: Mapping[str, Source], parts: PartsByName) -> dict[str, list[str]]:
    """What may stand in place of a phrase, in its form, and the sources of each."""
    inflection, known = parts["inflection"], parts["dictionary"].parts_of_speech
    pos = category(token.tag) if token else ""
    lemma = inflection.lemma(phrase, pos) if pos else ""
    found: dict[str, list[str]] = {}
    for name, source in sources.items():
        for other in source(Listed(normalised(phrase), lemma, pos)):
            if token is None or not pos:
                form = other
            elif " " in other:
                head = other.split()[0 if pos == "VERB" else -1]
                if pos in ("VERB", "NOUN") and pos not in known(head):
                    continue
                form = inflection.inflected(other, token.tag)
            else:
                base = inflection.lemma(other, pos)
                if pos not in known(base) or base.startswith(lemma) or lemma.startswith(base):
                    continue
                form = inflection.inflected(base, token.tag)
            if normalised(form) != normalised(phrase) and name not in found.setdefault(form, []):
                found[form].append(name)
    return found


def exchangeable(tokens: Sequence[Token], i: int, parts: PartsByName) -> bool:
    """Whether another word can take a token's place: it is no name, no part of a compound, means something by itself,
    and governs nothing that follows ("married to", but not "wedded to")."""
    token, pos = tokens[i], category(tokens[i].tag)
    following = tokens[i + 1] if i + 1 < len(tokens) else token
    governs = following.head == i and following.relation in ("prep", "prt", "dative", "agent")
    governs = governs or following.tag == "TO"
    compound = token.relation == "compound" or any(other.head == i and other.relation == "compound" for other in tokens)
    return (
        pos in OPEN
        and token.pos == pos
        and not (token.entity or compound or (governs and pos != "NOUN"))
        and parts["inflection"].lemma(token.text, pos) not in attack_words.light | attack_words.never_altered
    )


def _judged(before: str, after: str, by: Sequence[str]) -> Judgement:
    if OWN in by or len(by) > 1:
        return KEPT
    return "unsure", f"of the sources {by[0]} alone lists {after!r} for {before!r}"


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
