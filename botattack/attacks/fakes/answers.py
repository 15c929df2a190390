"""A fake answer of the kind of the right one (Jia and Liang 2017, 3.3, step 2; their tables by type, with names of our
own). Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from botattack.attacks.building.agreeing import ARTICLES, takes_an
from botattack.attacks.building.clauses import BE
from botattack.attacks.building.guard import answer_spans
from botattack.attacks.building.parsed import ENDS, entities_of
from botattack.attacks.fakes.names import fake_names, is_name, known_kind, named_anew, renamed, takes_the
from botattack.attacks.fakes.numbers import shifted
from botattack.model import GoldAnswer, Question, Token
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import fake_words, grammar_words, word_kinds

_AS_SAID = frozenset(["EVENT", "LAW", "LANGUAGE", "NORP"])
"""Types that are believed of an answer without more."""
_SHARE = 5
"""At least one word in so many of an answer with another number must be a number."""
_MOST = 4
"""Words of an answer of which one is exchanged; of more words, that makes no sense."""
_OF_A_LIST = frozenset(["DIRECTION", "SPORT", "GENRE", "COLOR", "RELIGION"])
"""Types whose names need no capital: any of the list answers."""

_ARTICLES = frozenset([*ARTICLES, "the"])


@cache
def _leading() -> frozenset[str]:
    """What an answer that is no name begins with."""
    return grammar_words.pronouns | fake_words.determiners | {"each", "every", "some"}


@cache
def _bare() -> frozenset[str]:
    """What has no article."""
    return frozenset(name for kind in ("SPORT", "GENRE", "COLOR") for name in fake_names()[kind])


def fake_answer(
    question: Question,
    asked: Sequence[Token],
    parsed: Sequence[Token],
    rng: Random,
    *,
    beside: str = "",
) -> str:
    """Another answer of the same kind as the shortest gold answer, or "" if its kind is not known.

    `asked` is the question, parsed; `parsed` the answer, with entities, best as it stands in a passage. The fake is in
    none of the question's texts, nor in the text it will stand `beside`: nobody could take it for right.
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
        for other in _candidates(question, asked, parsed, rng)
        if plain(other) not in taken and not any(right in plain(other) for right in golds)
    )
    return next(new, "")


def plain(text: str) -> str:
    """The words of a text in lower case, each with a space before and behind it: what may be in another."""
    return f" {' '.join(word.text for word in words(normalised(text)))} "


def shortest_gold(question: Question) -> str:
    """The shortest gold answer that is no pattern; "" if there is none."""
    return min((a.text for a in question.answers if not a.regex), key=len, default="")


def _candidates(question: Question, asked: Sequence[Token], parsed: Sequence[Token], rng: Random) -> Iterator[str]:
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
    numbers = [*shifted(gold, rng)]
    if numbers:  # of a long text with one number in it, another number changes little
        counted = sum(any(shifted(word, Random(0))) for word in gold.split())
        yield from numbers if _SHARE * counted >= len(words) else ()
    elif is_name(gold):
        yield from () if asks_for_more_than_a_name(asked) else _other_names(gold.strip(ENDS), asked, parsed, rng)


def _other_names(gold: str, asked: Sequence[Token], parsed: Sequence[Token], rng: Random) -> Iterator[str]:
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
    new = renamed(gold, rng, article=plural) if is_name(gold) else []
    if kind == "GPE" or not kind:
        kind = known_kind(gold) or kind
    if kind == "GPE" and new:
        yield from new
    elif kind:
        yield from rng.sample(fake_names()[kind], len(fake_names()[kind]))
    elif new:
        yield from new
    elif label in _AS_SAID and not noun and (label != "NORP" or parsed[-1].tag == "JJ"):
        yield from rng.sample(fake_names()[label], len(fake_names()[label]))
    elif is_name(gold):
        yield from named_anew(gold, rng)


def spoken(question: Question, fake: str, parsed: Sequence[Token]) -> str:
    """An answer, mostly a fake one, as it stands in a sentence: it has the article that the gold answer (`parsed`) has
    in its passage, and a name of several ("the Patriots") has one anyway."""
    gold, before = shortest_gold(question), first_before(question)
    first, last = (fake.split(maxsplit=1)[0].lower(), fake.rsplit(maxsplit=1)[-1]) if fake else ("", "")
    if not fake or first in _leading() or fake in _bare():
        return fake
    if takes_the(fake) or (last == gold.split()[-1] and _is_several(gold, parsed)):
        return f"the {fake}"
    if before not in _ARTICLES or not (last.isalpha() and last.islower()) or any(shifted(last, Random(0))):
        return fake
    return f"{'the' if before == 'the' else ARTICLES[takes_an(fake)]} {fake}"


def _is_several(gold: str, parsed: Sequence[Token]) -> bool:
    """Whether a name is that of several, as a team's is: "New England Patriots"."""
    plural = bool(parsed) and parsed[-1].tag in ("NNPS", "NNS") and _entity(gold, parsed) != "PERSON"
    return plural and " " in gold and is_name(gold) and all(word[:1].isupper() for word in gold.split())


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


_ASKS = frozenset(["WP", "WDT", "WRB"])


def asked_for(asked: Sequence[Token]) -> str:
    """What the question phrase says the answer is: its word, or the noun behind "what" or "which"."""
    for i, token in enumerate(asked):
        if token.tag in ("WP", "WDT", "WRB", "WP$"):
            near = [token.text.lower(), *(other.lemma or other.text.lower() for other in _phrase(asked, i))]
            if len(near) == 1 and near[0] in ("what", "which"):
                near += _said_to_be(asked, i)
            return next(
                (word_kinds("fakes.asked")[word] for word in reversed(near) if word in word_kinds("fakes.asked")), ""
            )
    return ""


def noun_asked_for(asked: Sequence[Token]) -> str:
    """The noun behind "what" or "which", as it is written."""
    for i, token in enumerate(asked):
        if token.tag in _ASKS:
            found = [*_phrase(asked, i)]
            return found[-1].text.lower() if found else ""
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
    if len(asked) < i + 2 or asked[i + 1].text.lower() not in BE or not found:
        return []
    first = asked[found[0]].text.lower()
    return [asked[found[-1]].text.lower()] if first == "name" else [first]


def asks_for_more_than_a_name(asked: Sequence[Token]) -> bool:
    """Whether several are asked for, or what something is called: of these no single name of somebody is one."""
    noun, lower = _asked_noun(asked), [token.text.lower() for token in asked]
    if noun is None or noun.tag == "NNS":
        return noun is not None
    at = asked.index(noun)
    return lower[at] == "name" and lower[at - 1] in fake_words.partial


def _asked_noun(asked: Sequence[Token]) -> Token | None:
    """The noun behind the question word, or the one that "what is the" is followed by."""
    for i, token in enumerate(asked):
        if token.tag in _ASKS:
            found = [*_phrase(asked, i)]
            if found or token.text.lower() not in ("what", "which"):
                return found[-1] if found else None
            near = asked[i + 1 : i + 2]
            nouns = [other for other in asked[i + 2 :] if other.pos == "NOUN" and other.relation != "compound"]
            verb = near and near[0].text.lower() in BE and near[0].head == i + 1
            return nouns[0] if verb and nouns else None
    return None
