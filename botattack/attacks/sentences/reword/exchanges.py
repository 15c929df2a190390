"""Words and phrases of a question exchanged for what sources list in their place. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from botattack.attacks.building.agreeing import edit_of
from botattack.attacks.building.guard import KEPT, Draft, Judgement
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
