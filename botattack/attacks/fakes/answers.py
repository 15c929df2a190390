"""A fake answer of the kind of the right one (Jia and Liang 2017, 3.3, step 2; their tables by type, with names of our
own). Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import add
from random import Random

from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.building.parsed import ENDS, entities_of
from botattack.attacks.fakes.asked import asked_for, asked_noun, asking_word, asks_for_more_than_a_name
from botattack.attacks.fakes.names import (
    PEOPLE,
    fake_names,
    invented,
    is_given,
    is_name,
    known_kind,
    named_anew,
    names_of,
    renamed,
    takes_the,
)
from botattack.attacks.fakes.numbers import ascends, other_roman, shifted
from botattack.attacks.fakes.phrases import phrases
from botattack.attacks.fakes.pool import Answers, keys
from botattack.model import GoldAnswer, Question, Token
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import (
    fake_words,
    function_words,
    grammar_words,
    stated,
    word_kinds,
    word_table,
    word_tuple,
)

_AS_SAID = frozenset(["EVENT", "LAW", "LANGUAGE", "NORP"])
"""Types that are believed of an answer without more."""
_SEVERAL = PEOPLE | {"GPE", "CITY", "COUNTRY", "STATE", "LANGUAGE", "NORP", ""}
"""Types of names of which an answer may have several; a title may have an "and"."""
_SURE = frozenset(["OCCUPATION", "GOVERNMENT", "CONTINENT", "TIMEZONE"])
"""Types of which the lists have better names than other answers are."""
_COMMON = frozenset(["CD", "DT", "JJS", "NN", "NNS", "PRP$", "VBG"])
_LONGEST_TEAM = 3
"""Words of a name in the plural that may be a team's."""
_LONGEST_PLACE = 3
"""Words of the name of a place: a longer text describes one."""
_PLACES = frozenset(["GPE", "LOC", "FAC"])
_TO_PLACES = frozenset(["around", "at", "from", "in", "into", "near", "of", "outside", "through", "to", "towards"])
"""What stands before a place in a sentence, but not before "interphase"."""
_SHARE = 5
"""At least one word in so many of an answer with another number must be a number."""
_NAMES = re.compile(r"\b[A-Z][\w'’-]*(?: (?:(?:of|the|de|van|von) )?[A-Z][\w'’-]*)*")
_MEANING = re.compile(r"what\b.*\b(?:mean(?:s|ing)?|stands? for)\b", re.IGNORECASE)
"""Questions for what something says in other words: of this no name is another answer."""
_ARTICLES = frozenset([*ARTICLES, "the"])


@cache
def _leading() -> frozenset[str]:
    """What an answer that is no name begins with."""
    return grammar_words.pronouns | fake_words.determiners | {"each", "every", "some"}


@cache
def _bare() -> frozenset[str]:
    """What has no article."""
    return frozenset(
        name for kind in ("SPORT", "GENRE", "COLOR", "CURRENCY", "SEASON", "METAL") for name in fake_names()[kind]
    )


def fake_answer(
    question: Question,
    asked: Sequence[Token],
    parsed: Sequence[Token],
    rng: Random,
    *,
    beside: str = "",
    others: Answers | None = None,
    parts: Mapping[str, object] | None = None,
) -> str:
    """Another answer of the same kind and form as the shortest gold answer, or "" if its kind is not known.

    `asked` is the question, parsed; `parsed` the answer, with entities, best as it stands in a passage. Numbers change;
    names come from answers to `others` of the set, then from elsewhere in the question's passages, then from lists, and
    are invented last. The fake is neither in the question, nor near a gold answer, nor in the text it will stand
    `beside`; no name or noun of a gold answer is left in it, but for what says what is named. With `parts`, an answer
    that is neither has one as `phrases` gives it, a `sure` one if there is one.
    """
    gold = shortest_gold(question)
    if not gold or plain(gold) in plain(question.text):  # one of those that are offered, or a part of a name
        return ""
    taken = plain(" ".join((question.text, beside, beside.replace("-", " "), *near_gold(question))))
    counted = (
        any(shifted(gold, Random(0))) or other_roman(gold.split()[-1], Random(0)) or normalised(gold) in ("yes", "no")
    )
    left = set() if counted else {word for answer in question.answers for word in _content(answer.text)}
    made = (other for other in _candidates(question, asked, parsed, rng, others) if plain(other) not in taken)
    golds = [plain(answer.text) for answer in question.answers if not answer.regex]
    whole = (other for other in made if not left & _content(other))
    fake = next((other for other in whole if not any(right in plain(other) for right in golds)), "")
    if fake or counted or not parts:
        return fake
    changed = (
        other for way in (True, False) for other in phrases(parsed, first_before(question), parts, rng, sure=way)
    )
    return next((other for other in changed if plain(other) not in taken and plain(other) not in golds), "")


def near_gold(question: Question) -> Iterator[str]:
    """The gold answers, and the sentences of passages that have one."""
    yield from (answer.text for answer in question.answers)
    for text in question.passages:
        if answer_spans(text, question.answers):
            found = [text[start:end] for start, end in sentence_spans(text)]
            yield from (one for one in found if answer_spans(one, question.answers))


def _content(text: str) -> set[str]:
    """The words of a text that are neither small nor say what is named."""
    small = function_words().keys() | fake_words.heads | fake_words.between | fake_words.particles
    return {word.text for word in words(normalised(text))} - small


def plain(text: str) -> str:
    """The words of a text in lower case, each with a space before and behind it: what may be in another."""
    return f" {' '.join(word.text for word in words(normalised(text)))} "


def shortest_gold(question: Question) -> str:
    """The shortest gold answer that is no pattern; "" if there is none."""
    return min((a.text for a in question.answers if not a.regex), key=len, default="")


def _candidates(
    question: Question, asked: Sequence[Token], parsed: Sequence[Token], rng: Random, others: Answers | None
) -> Iterator[str]:
    gold = shortest_gold(question)
    if normalised(gold) in ("yes", "no"):
        yield "no" if normalised(gold) == "yes" else "yes"
        return
    numbers = [*shifted(gold, rng)] if asked_for(asked) != "TIMEZONE" else []
    if numbers and asked_for(asked) == "GPE" and any(char.isdigit() for char in gold):  # "where was it published"
        return
    if numbers:  # of a long text with one number in it, another number changes little
        counted = sum(any(shifted(word, Random(0))) for word in gold.split())
        fitting = [number for number in numbers if ascends(gold, number)]
        yield from fitting if _SHARE * counted >= len([token for token in parsed if token.pos != "PUNCT"]) else ()
        return
    if _MEANING.match(question.text):
        return
    before = first_before(question)
    kind, body = kind_of(gold, asked, parsed, before), gold.strip(ENDS)
    people, named = kind in PEOPLE, _NAMES.findall(" | ".join(question.passages))
    if others and kind not in _SURE:
        wanted = word_table("fakes.asked")["PERSON"] if people else keys(question.text) - {"who"}
        found = [each for each in others.asked_like(wanted, keys, question.language, rng) if _form(each) == _form(body)]
        found = [each for each in found if gold.endswith(".") or not each.endswith(".")]
        sized = [each for each in found if abs(len(each.split()) - len(body.split())) <= 1]
        typed = [each for each in sized if not kind or is_given(each, kind if people else "PERSON") == people]
        yield from typed if " " in body or not people else ()
    if is_name(gold) and not asks_for_more_than_a_name(asked):
        yield from (name for name in dict.fromkeys(named) if _is_like(body, name, kind))
        a_kind = not kind and any(token.text.lower() in stated.kind_of for token in asked)
        unclear = a_kind or _is_unclear(body, kind, parsed, before)
        yield from renamed(body, rng, article=False) if unclear else _listed(body, kind, parsed, rng)
    elif is_name(gold):
        yield from names_of("NORP", rng) if kind == "NORP" else renamed(body, rng, article=False)
    elif kind in fake_names() and fake_names()[kind][0].islower():
        yield from names_of(kind, rng)


def _is_unclear(gold: str, kind: str, parsed: Sequence[Token], before: str) -> bool:
    """Whether nothing says what an answer names, so that an invented name may be of another kind.

    That is so if neither the question says it, nor a sentence shows that the capital is a name's; of an office, as of
    the king of one country, and of places that are described rather than named.
    """
    words = gold.split()
    if _is_team(gold) or known_kind(gold):
        return False
    if kind == "GPE":
        plural = _is_plural(gold, parsed) and words[-1].lower() not in fake_words.heads  # "Psalms"
        described = len(words) > _LONGEST_PLACE or any(token.tag in ("PRP$", "POS") for token in parsed)
        shown = not before or before in _TO_PLACES or _entity(gold, parsed) in _PLACES
        return plural or described or not shown
    if not before:  # all answers of a set may begin with a capital: "Fever"
        return not kind or (kind in PEOPLE and parsed[-1].tag == "NN")
    return kind in PEOPLE and words[0] == "the"


def _form(text: str) -> tuple[bool | str, ...]:
    """What answers to questions that are alike must have in common."""
    return (*_shape(text), known_kind(text))


def _shape(text: str) -> tuple[bool | str, ...]:
    """The same without the kind that a text is known to be of."""
    first, whole = text.split(maxsplit=1)[0].lower(), plain(text)
    small = first if first in function_words() else ""
    several = text.endswith("s") and not is_given(text)
    shape = (is_name(text), text.isupper(), several, " and " in whole, "," in text)
    return (*shape, any(shifted(text, Random(0))), small)


def kind_of(gold: str, asked: Sequence[Token], parsed: Sequence[Token], before: str = "") -> str:
    """The type that is asked for, if the answer may be of it; "" if that is not known. Nobody has an article
    `before` the name."""
    kind, label = asked_for(asked), _entity(gold, parsed)
    office = gold.partition(" of ")[0].lower()
    sure = "OCCUPATION" if word_kinds("fakes.asked").get(office) in PEOPLE else known_kind(gold)
    said_last = word_kinds("fakes.said").get(gold.lower().rpartition(" ")[2])
    if kind == "GOVERNMENT" or said_last or sure in _SURE:
        return kind if kind == "GOVERNMENT" else said_last or sure
    measures = kind == "INSTRUMENT" and not any(token.text.lower().startswith("play") for token in asked)
    if measures or _is_team(gold):
        return ""  # "what instrument measures"
    who = not asked_noun(asked)
    acts = {token.text.lower() for token in asked[1:2]} & fake_words.deeds and " " in gold and not known_kind(gold)
    group = _is_plural(gold, parsed) or takes_the(gold) or not is_name(gold) or (before == "the" and not is_given(gold))
    group = group or (who and (label in ("ORG", "NORP") or known_kind(gold) != "") and not is_given(gold))
    if kind in PEOPLE and group and not acts:
        return ""  # "who lost to the Broncos"
    if kind == "PERSON" or (not kind and is_given(gold) and not known_kind(gold)):
        return next((each for each in ("MAN", "WOMAN") if is_given(gold, each)), "PERSON")
    kind = (known_kind(gold) or kind) if kind in ("GPE", "") else kind
    said = parsed[-1].tag == "JJ" if label == "NORP" else who and label in _AS_SAID
    said = said or (label == "PERSON" and not asking_word(asked) and not takes_the(gold))
    return kind or (label if said else "")


def _is_team(gold: str) -> bool:
    """Whether a place and a plural follow each other: "Atlanta Falcons"."""
    return gold.endswith("s") and bool(known_kind(gold.rpartition(" ")[0]))


def _is_plural(gold: str, parsed: Sequence[Token]) -> bool:
    tag = parsed[-1].tag if parsed else ""
    many = gold.endswith("s") and _entity(gold, parsed) not in ("PERSON", "GPE")
    return many if " " in gold and tag != "NNPS" else tag in ("NNS", "NNPS")


def _is_like(gold: str, name: str, kind: str) -> bool:
    """Whether a name says by itself that it is of the kind of the gold answer: a known place, somebody's given name, or
    the same last word."""
    if kind in PEOPLE:
        return is_given(name, kind) and len(name.split()) == len(gold.split())
    last = gold.rsplit(maxsplit=1)[-1]
    same = last.lower() in fake_words.heads and name.endswith(f" {last}")
    return same or known_kind(name) == known_kind(gold) != ""


def _listed(gold: str, kind: str, parsed: Sequence[Token], rng: Random) -> Iterator[str]:
    """Names of the type from lists, else with the word that says what is named, else of any type; each of several as
    another."""
    gold = re.sub(",? [JS]r[.]?$", "", gold)
    pieces = re.split("(, and |, | and | & )", gold) if kind in _SEVERAL else [gold]
    made = [_of_one(name, kind or known_kind(name), parsed, rng) for name in pieces[::2]]
    yield from ("".join(map(add, some, [*pieces[1::2], ""])) for some in zip(*made, strict=False))


def _of_one(gold: str, kind: str, parsed: Sequence[Token], rng: Random) -> Iterator[str]:
    label, tag = _entity(gold, parsed), parsed[-1].tag if parsed else ""
    odd = gold.isalnum() and not gold.istitle() and not gold.isupper()  # "OpenTV"
    several = gold.endswith("s") and _is_plural(gold, parsed) and bool(label or " " in gold)
    new = renamed(gold, rng, article=False)
    team = several and tag in ("NNPS", "NNS") and label != "NORP" and len(gold.split()) <= _LONGEST_TEAM
    team = team and (" " in gold or label == "ORG")  # "Aztecs" are no team
    if not new and not kind and (team or _is_team(gold)):
        others = rng.choice(word_tuple("fakes.several"))
        yield from (f"{city} {others}" for city in names_of("CITY", rng)) if " " in gold else [others]
    elif new and (kind in _AS_SAID or kind == "GPE" or kind not in fake_names()):
        yield from new
    elif kind == "GPE":  # a place of any size
        yield from invented(rng)
    elif kind:
        names = names_of(kind, rng, len(gold.split()))
        yield from (name.capitalize() if gold[:1].isupper() and name.islower() else name for name in names)
    elif label or odd:  # of a single noun with a capital nobody knows what it names
        yield from named_anew(gold, rng, plural=several)


def spoken(question: Question, fake: str, parsed: Sequence[Token]) -> str:
    """An answer, mostly a fake one, as it stands in a sentence: it has the article that the gold answer (`parsed`) has
    in its passage, and a name of several ("the Patriots") has one anyway."""
    gold, before = shortest_gold(question), first_before(question)
    first, last = (fake.split(maxsplit=1)[0].lower(), fake.rsplit(maxsplit=1)[-1]) if fake else ("", "")
    common = parsed and parsed[0].tag in _COMMON and parsed[0].entity.rpartition("-")[2] in ("", "CARDINAL")
    if common and (not is_name(fake) or any(shifted(first, Random(0)))):
        first_word = fake.split(" ", maxsplit=1)[0]  # as it was written at the start of a sentence
        fake = fake[:1].lower() + fake[1:] if first_word.istitle() or first_word == "A" else fake
    if not fake or first in _leading() or fake in _bare():
        return fake
    if before == "the" and first.endswith("0s"):
        return f"the {fake}"
    if takes_the(fake) or (
        is_name(fake) and last.endswith("s") and " " in gold and is_name(gold) and _is_plural(gold, parsed)
    ):
        return f"the {fake}"
    small = any(word.isalpha() and word.islower() for word in (fake.split(" ")[0], last))
    if before not in _ARTICLES or not small or any(shifted(last, Random(0))):
        return fake
    return f"{'the' if before == 'the' else ARTICLES[takes_an(fake)]} {fake}"


def first_before(question: Question) -> str:
    """The word before the gold answer where it first stands in a passage, in lower case."""
    gold = shortest_gold(question)
    for text in question.passages:
        spans = answer_spans(text, (GoldAnswer(gold),))
        if spans:
            found = text[: spans[0][0]].rstrip("\"“'‘").split()
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
