"""A fake answer of the kind of the right one (Jia and Liang 2017, 3.3, step 2; their tables by type, with names of our
own). Pure; English."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from botattack.attacks.passages.fake_names import NAMES
from botattack.attacks.passages.name_kinds import kind_of_name
from botattack.attacks.words.entities import entities_of
from botattack.model import Question, Token
from botattack.text.function_word_list import word_list
from botattack.text.tokens import match_case, normalised, words

MONTHS = word_list("January February March April May June July August September October November December")
_DAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_NUMBERS = word_list("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty")
_ORDINALS = word_list("first second third fourth fifth sixth seventh eighth ninth tenth")
_ROWS = tuple(tuple(word.lower() for word in row) for row in (MONTHS, _DAYS, _NUMBERS, _ORDINALS))
_MOST_DIGITS = 100
_DIGITS = re.compile(r"\d+")
_LATEST = 2020
"""No year of a fake answer is later, unless the right one is."""
_AS_SAID = frozenset(["EVENT", "LAW", "LANGUAGE", "NORP"])
"""Types that are believed of an answer without more."""
_SUFFIXES = frozenset(["st", "nd", "rd", "th"])
_DAYS_OF_MONTH = 31
_WHOLE = 100
_MOST = 5
"""Words of an answer whose last is exchanged for one of its part of speech; of more words, that makes no sense."""

_ASKS = frozenset(["WP", "WDT", "WRB"])
BY_WORD: Mapping[str, str] = {
    "who": "PERSON",
    "whom": "PERSON",
    "whose": "PERSON",
    "where": "GPE",
    "city": "CITY",
    "town": "CITY",
    "capital": "CITY",
    "country": "COUNTRY",
    "nation": "COUNTRY",
    "state": "STATE",
    "company": "ORG",
    "organization": "ORG",
    "organisation": "ORG",
    "university": "SCHOOL",
    "college": "SCHOOL",
    "school": "SCHOOL",
    "band": "BAND",
    "group": "ORG",
    "team": "TEAM",
    "club": "TEAM",
    "film": "WORK_OF_ART",
    "movie": "WORK_OF_ART",
    "book": "WORK_OF_ART",
    "novel": "WORK_OF_ART",
    "song": "WORK_OF_ART",
    "album": "WORK_OF_ART",
    "language": "LANGUAGE",
    "nationality": "NORP",
    "river": "RIVER",
    "island": "ISLAND",
    "lake": "LAKE",
    "mountain": "MOUNTAIN",
    "museum": "MUSEUM",
    "gallery": "MUSEUM",
    "airport": "AIRPORT",
    "magazine": "MAGAZINE",
    "newspaper": "MAGAZINE",
    "party": "PARTY",
    **dict.fromkeys(word_list("area region place town village coast continent location colony district"), "GPE"),
    **dict.fromkeys(
        word_list(
            "actor actress director singer player president writer author king queen leader scientist "
            "chemist physicist engineer artist musician guitarist drummer composer pilot driver politician "
            "emperor quarterback researcher general inventor founder owner teacher explorer philosopher "
            "mathematician monarch defender nephew son daughter brother sister wife husband father mother "
            "uncle aunt person man woman architect poet"
        ),
        "PERSON",
    ),
}
"""What a word of the question phrase asks for; it is preferred to what a parser takes the answer for."""
BY_TAG: Mapping[str, tuple[str, ...]] = {
    "NN": ("hamster", "umbrella", "limestone", "violin", "harvest", "carpentry"),
    "NNS": ("hamsters", "umbrellas", "violins", "lanterns", "bakeries", "carpets"),
    "NNP": NAMES["ORG"],
    "NNPS": NAMES["ORG"],
    "JJ": ("wooden", "purple", "shallow", "seasonal", "musical"),
    "JJR": ("deeper", "cooler", "narrower"),
    "JJS": ("deepest", "coolest", "narrowest"),
    "RB": ("silently", "rarely", "by hand"),
    "RBR": ("more quietly", "more rarely"),
    "VB": ("learn", "paint", "rest"),
    "VBP": ("learn", "paint", "rest"),
    "VBZ": ("learns", "paints", "rests"),
    "VBD": ("learned", "painted", "rested"),
    "VBN": ("learned", "painted", "forgotten"),
    "VBG": ("learning", "painting", "resting"),
}
"""For an answer of no known type, by the tag of its last word."""


def fake_answer(
    question: Question, asked: Sequence[Token], parsed: Sequence[Token], rng: Random, beside: str = ""
) -> str:
    """Another answer of the same kind as the shortest gold answer, or "" if its kind is not known.

    `asked` is the question, parsed; `parsed` the answer, with entities, best as it stands in a passage. The fake is in
    none of the question's texts, nor in the text it will stand `beside`: nobody could take it for right.
    """
    gold = shortest_gold(question)
    if not gold:
        return ""
    taken = plain(" ".join((question.text, beside, *question.passages, *(a.text for a in question.answers))))
    new = (other for other in _candidates(gold, asked, parsed, rng) if plain(other) not in taken)
    return next((_cased(gold, other) for other in new), "")


def plain(text: str) -> str:
    """The words of a text in lower case, each with a space before and behind it: what may be in another."""
    return f" {' '.join(word.text for word in words(normalised(text)))} "


def shortest_gold(question: Question) -> str:
    """The shortest gold answer that is no pattern; "" if there is none."""
    return min((a.text for a in question.answers if not a.regex), key=len, default="")


def _candidates(gold: str, asked: Sequence[Token], parsed: Sequence[Token], rng: Random) -> Iterator[str]:
    if normalised(gold) in ("yes", "no"):
        yield "no" if normalised(gold) == "yes" else "yes"
        return
    yield from shifted(gold, rng)
    kinds = (_asked_for(asked), _entity(gold, parsed)) if any(piece[:1].isupper() for piece in gold.split()) else ()
    other = any(token.tag in _ASKS and [*_phrase(asked, i)] for i, token in enumerate(asked))
    if other and kinds and not kinds[0] and kinds[1] == "PERSON":
        kinds = ()  # what is asked for is no person, whatever the parser says
    for kind in (*kinds, *([_asked_for(asked)] if not parsed else [])):
        names = NAMES.get(kind, ())
        others = rng.sample(names, len(names))
        pairs = " and " in gold and kind == "PERSON"
        yield from (f"{one} and {other}" for one, other in itertools.pairwise(others)) if pairs else others
    tag = parsed[-1].tag if parsed else ""
    verbs = any(token.tag.startswith("V") or token.tag == "MD" for token in parsed)
    plain_phrase = len(parsed) <= _MOST and (len(parsed) == 1 or not verbs)
    unknown = tag.startswith("NNP") and any(
        token.tag in _ASKS and [*_phrase(asked, i)] for i, token in enumerate(asked)
    )
    fillers = BY_TAG.get(tag, ()) if plain_phrase and not unknown else ()
    before = gold[: parsed[-1].start - parsed[0].start] if len(parsed) > 1 and tag[:2] in ("NN", "JJ") else ""
    before = "" if tag.startswith("NNP") else before
    if (
        len(parsed) == 1
        and tag == "JJ"
        and not any(t.tag in _ASKS and [*_phrase(asked, i)] for i, t in enumerate(asked))
    ):
        fillers = BY_TAG["NN"]
    yield from (before + word for word in rng.sample(fillers, len(fillers)))


def shifted(text: str, rng: Random, years: int = 0, tries: int = 4) -> Iterator[str]:
    """A text with other numbers, number words, months and days in it, if it has any. All years move alike, by so many
    if they are given."""
    pieces = [piece for piece in re.split(r"(\d[\d,.]*\d|\d|[^\W\d_]+)", text) if piece]
    if not any(piece[:1].isdecimal() or _row(piece) for piece in pieces):
        return
    for _ in range(tries):
        far = years or rng.choice([-1, 1]) * rng.randint(3, 40)
        far = -abs(far) if any(_is_year(piece) and int(piece) + far > _LATEST for piece in pieces) else far
        dated = any(piece in MONTHS for piece in pieces)
        beside = zip(("", *pieces), pieces, (*pieces[1:], ""), strict=False)
        yield "".join(_other(before, piece, after, _Move(far, dated), rng) for before, piece, after in beside)


def _is_year(piece: str) -> bool:
    return len(piece) == 4 and piece.isdecimal() and 1000 <= int(piece) <= 2100


class _Move(NamedTuple):
    """How far years move, and whether a month is named, so that small numbers are days."""

    years: int
    dated: bool


def _other(before: str, piece: str, after: str, move: _Move, rng: Random) -> str:
    if piece[:1].isdecimal():
        return _other_number(before, piece, after, move, rng)
    if piece in _SUFFIXES and before.isdecimal():
        return "th"
    row = _row(piece)
    return match_case(piece, rng.choice([word for word in row if word != piece.lower()])) if row else piece


def _other_number(before: str, piece: str, after: str, move: _Move, rng: Random) -> str:
    if len(piece) > _MOST_DIGITS:
        return piece
    if _is_year(piece):
        return f"{(int(piece) + move.years) // 10 * 10 if after == 's' else int(piece) + move.years}"
    if piece.isdecimal() and after in _SUFFIXES:
        return f"{rng.randint(4, 20)}"  # all of which have "th", which is set below
    if piece.isdecimal() and len(piece) == 2 and before.endswith(":"):
        return f"{(int(piece) + rng.randint(5, 50)) % 60:02}"
    if move.dated and piece.isdecimal() and int(piece) <= _DAYS_OF_MONTH:
        return f"{(int(piece) + rng.randint(1, 27)) % 28 + 1}"
    new = _number(piece, rng)
    share = after.lstrip()[:1] == "%" and piece.isdecimal() and int(piece) <= _WHOLE < int(new)
    return f"{rng.randint(5, 90)}" if share else new


def _row(piece: str) -> tuple[str, ...]:
    """The row a word is of; a month or a day has a capital."""
    rows = _ROWS if piece[:1].isupper() else _ROWS[2:]
    return next((row for row in rows if piece.lower() in row), ())


def _number(text: str, rng: Random) -> str:
    """A number of the same form and size: it moves by a tenth to a half, at least 1."""
    digits = text.replace(",", "").replace(".", "")
    value = int(digits)
    far = max(1, value * rng.randint(10, 50) // 100)
    new = f"{value - far if value > far + 1 and rng.random() < 0.5 else value + far}"
    if len(new) != len(digits):
        new = (
            f"{max(value + far, 1)}"
            if len(f"{value + far}") == len(digits)
            else f"{max(value - far, 1)}".zfill(len(digits))
        )
    place = iter(new)
    return _DIGITS.sub(lambda run: "".join(next(place, "") for _ in run[0]), text) + "".join(place)


def _asked_for(asked: Sequence[Token]) -> str:
    """What the question phrase says the answer is: its word, or the noun behind "what" or "which"."""
    for i, token in enumerate(asked):
        if token.tag in ("WP", "WDT", "WRB", "WP$"):
            near = [token.text.lower(), *(other.lemma or other.text.lower() for other in _phrase(asked, i))]
            if len(near) == 1 and near[0] in ("what", "which"):
                near += _said_to_be(asked, i)
            return next((BY_WORD[word] for word in reversed(near) if word in BY_WORD), "")
    return ""


def _phrase(asked: Sequence[Token], i: int) -> Iterator[Token]:
    """The nouns that follow a question word without a verb or preposition between."""
    for token in asked[i + 1 :]:
        if token.pos not in ("NOUN", "PROPN", "ADJ", "NUM", "DET", "PART"):
            return
        if token.pos == "NOUN":
            yield token


def _said_to_be(asked: Sequence[Token], i: int) -> list[str]:
    """The noun that "what is the" is followed by, and the one behind "name of the"."""
    found = [n for n, token in enumerate(asked) if n > i and token.pos == "NOUN" and token.relation != "compound"][:2]
    if len(asked) < i + 2 or asked[i + 1].pos != "AUX" or not found:
        return []
    first = asked[found[0]].text.lower()
    return [asked[found[-1]].text.lower()] if first == "name" else [first]


def _entity(gold: str, parsed: Sequence[Token]) -> str:
    """The type of a name that is all of an answer, but for an article."""
    spans = entities_of(parsed)
    if not spans or not parsed:
        return ""
    start, end, kind = spans[0]
    outside = [token for token in parsed if not start <= token.start < end and token.tag not in ("DT", "POS", "CC")]
    inside = [token for token in outside if not any(a <= token.start < b for a, b, _ in spans)]
    if inside or (outside and " and " not in gold):
        return ""
    return kind if kind in _AS_SAID else kind_of_name(gold.removeprefix("the "), kind)


def _cased(gold: str, fake: str) -> str:
    """A first letter as the right answer's, but for names."""
    name = any(word[:1].isupper() for word in fake.split())
    return fake[:1].upper() + fake[1:] if gold[:1].isupper() and not name else fake
