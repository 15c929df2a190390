"""A fake answer of the kind of the right one (Jia and Liang 2017, 3.3, step 2; their tables by type, with names of our
own). Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.building.parsed import ENDS, entities_of
from botattack.attacks.fakes.asked_kinds import asked_for, asks_for_a_surname, asks_for_more_than_a_name, noun_asked_for
from botattack.attacks.fakes.name_kinds import is_name, known_kind, named_anew, renamed, takes_the
from botattack.attacks.fakes.names import fake_names, invented
from botattack.attacks.fakes.numbers import shifted
from botattack.attacks.fakes.written import ranks
from botattack.model import GoldAnswer, Question, Token
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import fake_words, function_words, grammar_words, word_tuple

_AS_SAID = frozenset(["EVENT", "LAW", "LANGUAGE", "NORP"])
"""Types that are believed of an answer without more."""
_TRIES = 20
"""Other numbers that are looked at: few ordinals fit the word behind."""
_SHARE = 5
"""At least one word in so many of an answer with another number must be a number."""
_MOST = 4
"""Words of an answer of which one is exchanged; of more words, that makes no sense."""
_OF_A_LIST = frozenset(["DIRECTION", "SPORT", "GENRE", "COLOR", "RELIGION"])
"""Types whose names need no capital: any of the list answers."""

_ARTICLES = frozenset([*ARTICLES, "the"])
_EACH = frozenset(["each", "every"])


@cache
def _leading() -> frozenset[str]:
    """What an answer that is no name begins with."""
    return grammar_words.pronouns | fake_words.determiners | {"each", "every", "some"}


@cache
def _bare() -> frozenset[str]:
    """What has no article."""
    return frozenset(name for kind in ("SPORT", "GENRE", "COLOR") for name in fake_names()[kind])


@cache
def _common() -> frozenset[str]:
    """Words of fakes that are no names."""
    return (
        frozenset(
            [
                *word_tuple("fakes.forms"),
                *word_tuple("fakes.person"),
                *word_tuple("fakes.people"),
                *word_tuple("fakes.adjectives"),
            ]
        )
        | _bare()
    )


def fake_answer(
    question: Question,
    asked: Sequence[Token],
    parsed: Sequence[Token],
    parts: Mapping[str, Any],
    rng: Random,
    *,
    beside: str = "",
) -> str:
    """Another answer of the same kind as the shortest gold answer, or "" if its kind is not known.

    `asked` is the question, parsed; `parsed` the answer, with entities, best as it stands in a passage. The fake is in
    none of the question's texts, nor in the text it will stand `beside`: nobody could take it for right. `parts` has
    the speller.
    """
    gold = shortest_gold(question)
    if not gold or plain(gold) in plain(question.text):  # one of those that are offered, or a part of a name
        return ""
    taken = plain(
        " ".join(
            (question.text, beside, beside.replace("-", " "), *question.passages, *(a.text for a in question.answers))
        )
    )
    golds = [plain(answer.text) for answer in question.answers if not answer.regex]
    new = (
        other
        for other in _candidates(question, asked, parsed, parts, rng)
        if plain(other) not in taken and not any(right in plain(other) for right in golds)
    )
    return next((_cased(gold, other) for other in new), "")


def plain(text: str) -> str:
    """The words of a text in lower case, each with a space before and behind it: what may be in another."""
    return f" {' '.join(word.text for word in words(normalised(text)))} "


def shortest_gold(question: Question) -> str:
    """The shortest gold answer that is no pattern; "" if there is none."""
    return min((a.text for a in question.answers if not a.regex), key=len, default="")


_MARKS = frozenset("\"'“”‘’")
_NO_NOUN = frozenset(["VERB", "AUX", "ADV", "SCONJ", "PRON", "INTJ", "SYM"])


def _candidates(
    question: Question, asked: Sequence[Token], parsed: Sequence[Token], parts: Mapping[str, Any], rng: Random
) -> Iterator[str]:
    gold = shortest_gold(question)
    if normalised(gold) in ("yes", "no"):
        yield "no" if normalised(gold) == "yes" else "yes"
        return
    body = [token for token in parsed if token.pos != "PUNCT"]
    words = [token.text for token in body]
    listed_kind = asked_for(asked)
    if listed_kind in _OF_A_LIST:
        yield from rng.sample(fake_names()[listed_kind], len(fake_names()[listed_kind]))
        return
    if noun_asked_for(asked) in fake_words.roles and gold[:1].isupper():
        return
    ranked = (other for other in shifted(gold, rng, tries=_TRIES) if ranks(body, (0, len(body) - 1), other, parts))
    numbers = [*islice(ranked, _MOST)]
    person = "PERSON" in (asked_for(asked), "" if noun_asked_for(asked) else _entity(gold, parsed))
    if numbers:  # of a long text with one number in it, another number changes little
        said = any(token.pos in ("VERB", "AUX") for token in body)
        yield from (
            numbers
            if not said and _SHARE * sum(any(shifted(word, Random(0))) for word in gold.split()) >= len(words)
            else ()
        )
    elif len(listed := _listed(gold)) > 1:
        yield from _other_lists(listed, gold, rng, people=person)
    elif asks_for_a_surname(asked):
        yield from (rng.sample(invented(), len(invented())) if is_name(gold) and len(words) == 1 else ())
    elif is_name(gold):
        unsure = {*words} & _JOINED or first_before(question) in ("a", "an") or asks_for_more_than_a_name(asked)
        yield from (
            () if unsure else _other_names(gold.strip(ENDS), asked, parsed, rng, the=first_before(question) == "the")
        )
    else:
        yield from _otherwise(question, body, asked, parts, rng)


def _otherwise(
    question: Question, body: Sequence[Token], asked: Sequence[Token], parts: Mapping[str, Any], rng: Random
) -> Iterator[str]:
    """Instead of an answer that is no name: another thing, or a longer one with another name in it."""
    gold, words = shortest_gold(question), [token.text for token in body]
    if not body or "-" in gold or {"and", "or"} & {*words} or words[0].lower() in fake_words.quantities:
        return
    if any(token.pos in _NO_NOUN and token.tag not in ("VBG", "VBN") for token in body):
        return
    if len(words) <= _MOST:
        who = any(token.tag in ("WP", "WP$") and token.text.lower() != "what" for token in asked)
        yield from _other_words(body, first_before(question), parts, rng, who=who)
    if body[0].pos != "VERB" and not _MARKS & {*gold}:
        yield from _with_another_name(gold, body, rng)


def _with_another_name(gold: str, parsed: Sequence[Token], rng: Random) -> Iterator[str]:
    """A longer answer, with another person or place in it: "king of Norway"."""
    for start, end, label in entities_of(parsed):
        name = gold[start - parsed[0].start : end - parsed[0].start]
        if label not in ("PERSON", "GPE") or not is_name(name) or name not in gold:
            continue
        places = [other for other in fake_names()[known_kind(name) or "NAME"] if not other.startswith("the ")]
        yield from (gold.replace(name, other) for other in rng.sample(places, len(places)))
        return


_JOINED = frozenset(["and", "or"])


def _listed(gold: str) -> list[str]:
    """The names that an answer lists; nothing if it lists none."""
    pieces = [piece.strip() for piece in gold.replace(", and ", ", ").replace(" and ", ", ").split(",")]
    return pieces if 1 < len(pieces) <= _MOST and all(map(is_name, pieces)) else []


def _other_lists(listed: Sequence[str], gold: str, rng: Random, *, people: bool) -> Iterator[str]:
    """As many other names, joined alike, of persons, of places of one kind, or of one word each, that are joined by
    "and": what "Paris, France" would become nobody knows."""
    kinds = {known_kind(name) for name in listed}
    kind = "PERSON" if people else kinds.pop() if len(kinds) == 1 else None
    words = sum(len(name.split()) for name in listed)
    if kind is None or " and " not in gold or (not kind and words > len(listed)):
        return
    names = [name for name in fake_names()[kind] if not name.startswith("the ")] if kind else invented()
    for _ in range(_MOST):
        *first, last = rng.sample(names, len(listed))
        yield f"{', '.join(first)}{',' * (', and ' in gold)} and {last}"


_WITHOUT = frozenset(["PERSON", "GPE", "COUNTRY", "STATE", "CITY", "CONTINENT", "COMPANY"])
"""Types of names before which no "the" stands."""


def _other_names(
    gold: str, asked: Sequence[Token], parsed: Sequence[Token], rng: Random, *, the: bool
) -> Iterator[str]:
    """Names of the type that is asked for, else that the parser says, else of any type."""
    kind, noun = asked_for(asked), noun_asked_for(asked)
    label = _entity(gold, parsed)
    many = gold.endswith("s") and label not in ("PERSON", "GPE")
    tag = parsed[-1].tag if parsed else ""
    plural = (many or tag == "NNPS") if " " in gold else tag == "NNS"
    who = any(token.tag.startswith("WP") for token in asked)
    if kind == "PERSON" and (
        (plural and " " in gold) or takes_the(gold) or (who and (label in ("ORG", "NORP") or known_kind(gold)))
    ):
        kind = ""  # "who lost to the Broncos"
    same = noun and gold.rsplit(maxsplit=1)[-1].lower() == noun
    new = renamed(gold, rng, article=plural or bool(same)) if is_name(gold) else []
    if kind == "GPE" or not kind:
        kind = known_kind(gold) or kind
    if kind == "GPE" and new:
        yield from new
    elif kind:
        names = [name for name in fake_names()[kind] if name.startswith("the ") or not the or kind not in _WITHOUT]
        yield from rng.sample(names, len(names)) or named_anew(gold, rng, article=False)
    elif new:
        yield from new
    elif label in _AS_SAID and not noun and (label != "NORP" or parsed[-1].tag == "JJ"):
        yield from rng.sample(fake_names()[label], len(fake_names()[label]))
    elif is_name(gold):
        yield from named_anew(gold, rng, article=plural)


def _other_words(
    body: Sequence[Token], before: str, parts: Mapping[str, Any], rng: Random, *, who: bool
) -> Iterator[str]:
    """Of a thing with something said of it, the same with something else said that people write of it; another person.
    Of another thing or quality nobody knows whether it is of the kind."""
    words, tag = [token.text for token in body], body[-1].tag
    led = words[0].lower() in _leading()
    said, start = body[led:], f"{words[0]} " if led else ""
    an = takes_an(said[0].text) if said else False
    article = "a" in (before, words[0].lower()) or "an" in (before, words[0].lower())
    if not said or any(token.pos in ("ADP", "PART") or token.text.lower() in _leading() for token in said):
        return
    noun = tag.startswith("NN") and words[-1].islower() and body[0].tag != "VBG"
    things: Sequence[str] = ()
    if who and noun and words[0].lower() not in _EACH:
        things = word_tuple("fakes.people") if tag in ("NNS", "NNPS") else word_tuple("fakes.person")
    elif len(said) > 1 and noun:
        things = [
            f"{form} {words[-1]}"
            for form in word_tuple("fakes.forms")
            if parts["speller"].together(form, words[-1].lower())
        ]
    fits = [thing for thing in things if not article or takes_an(thing) == an]
    yield from (start + thing for thing in rng.sample(fits, len(fits)))


def spoken(question: Question, fake: str, parsed: Sequence[Token]) -> str:
    """An answer, mostly a fake one, as it stands in a sentence: it has the article that the gold answer (`parsed`) has
    in its passage, and a name of several ("the Patriots") has one anyway; "" where that has another word in its place
    ("his", "Poland's"), without which neither can be said."""
    gold, before = shortest_gold(question), first_before(question)
    last = fake.rsplit(maxsplit=1)[-1] if fake else ""
    things = {*word_tuple("fakes.adjectives"), *gold.split()} if " " not in fake else word_tuple("fakes.adjectives")
    common = last.isalpha() and not any(shifted(last, Random(0))) and (last.islower() or last.lower() in _common())
    word = fake if not common or _begins_with_a_name(fake, parsed) else fake[:1].lower() + fake[1:]
    if not fake or word.split()[0].lower() in _leading() or word in _bare():
        return word
    if common and (before in fake_words.owners or before.endswith(("'s", "s'"))):
        return ""
    shared = {*fake.split()} & {*gold.split()} - function_words().keys()
    several = last == gold.split()[-1] and _is_several(gold, parsed)
    if takes_the(fake) or several or (shared and _has_article(question, gold)):
        return f"the {word}"
    if before not in _ARTICLES or not common or last in things:
        return word
    return f"{'the' if before == 'the' else ARTICLES[takes_an(word)]} {word}"


def _begins_with_a_name(fake: str, parsed: Sequence[Token]) -> bool:
    """Whether an answer begins with a name, as the gold answer does: "Turkish forces"."""
    first = parsed[0] if parsed else None
    if first is None or fake.split(maxsplit=1)[0].lower() in _common():
        return False
    return first.pos == "PROPN" or bool(first.entity) or first.text[1:2].isupper()


def _is_several(gold: str, parsed: Sequence[Token]) -> bool:
    """Whether a name is that of several, as a team's is: "New England Patriots"."""
    plural = bool(parsed) and parsed[-1].tag in ("NNPS", "NNS") and _entity(gold, parsed) != "PERSON"
    return plural and " " in gold and is_name(gold) and all(word[:1].isupper() for word in gold.split())


def _has_article(question: Question, gold: str) -> bool:
    """Whether "the" stands before an answer where a passage first says it, or before a name with no noun behind it."""
    if " " in gold and first_before(question) == "the":
        return True
    said = re.compile(rf"\b[Tt]he {re.escape(gold)}\b(?!['’-])\W*(\w*)")
    behind = [found[1] for text in question.passages for found in said.finditer(text)] if is_name(gold) else []
    return any(not word or word in function_words() for word in behind)


def first_before(question: Question) -> str:
    """The word before the gold answer where it first stands in a passage, in lower case."""
    gold = shortest_gold(question)
    for text in question.passages:
        spans = answer_spans(text, (GoldAnswer(gold),))
        if spans:
            found = text[: spans[0][0]].split()
            return found[-1].lower() if found else ""
    return ""


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
    return kind


def _cased(gold: str, fake: str) -> str:
    """A first letter as the right answer's, but for names."""
    name = any(word[:1].isupper() for word in fake.split())
    return fake[:1].upper() + fake[1:] if gold[:1].isupper() and not name else fake
