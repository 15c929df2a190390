"""What was asked and what counts as right, made ready once for all replies to it."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache

import msgspec

from botattack.matchers.evidence.heads import heads, is_sentence
from botattack.matchers.evidence.reading import LONGEST, Reading, read
from botattack.matchers.gold import search
from botattack.model import GoldAnswer
from botattack.text.languages import Language, language, language_by_words
from botattack.text.values.identifiers import code_in, is_number

LONGEST_GOLD = 1_000
"""Characters of a gold answer that are read: to compare two long texts takes the square of their length."""
_NAMED = re.compile(r"(?:the |The )?[^\W_a-z]")
"""Begins with a digit, a capital, or a letter of a script without capitals."""
_UNSAID = "\u16ee"
"""A rune."""
_CONTENT = 0.5
_FUNCTION = 0.1
_NUMBER = 1.5


class Gold(msgspec.Struct, frozen=True, dict=True):
    """A gold answer: its words, how much each weighs, and which of them the question does not already contain."""

    reading: Reading
    weights: tuple[float, ...]
    fresh: tuple[int, ...]
    whole: Reading | None = None
    """The sentence that it is, or of which it is what answers by itself."""

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What it joins, if it joins several names or numbers: "A, B and C". None if it names one thing."""
        joined = _joining(self.reading.language.code)
        if not joined.search(self.reading.text):
            return ()
        found = [part.strip() for part in re.split(rf", |{joined.pattern}", self.reading.text)]
        return tuple(found) if all(_NAMED.match(part) for part in found) else ()


class AnswerKey(msgspec.Struct, frozen=True, dict=True):
    """A question and its gold answers; `patterns` are those that are regular expressions, `content` the stems of the
    question's content words, and `refusals` the sentences by which the bot is known to decline, as joined words."""

    question: Reading
    golds: tuple[Gold, ...]
    patterns: tuple[str, ...]
    language: Language
    content: frozenset[str]
    refusals: tuple[str, ...] = ()

    @cached_property
    def fresh(self) -> frozenset[str]:
        """Stems of the gold answers that the question does not have."""
        return frozenset([gold.reading.stems[at] for gold in self.golds for at in gold.fresh])

    @cached_property
    def telling(self) -> frozenset[str]:
        """The same without function words."""
        fresh = [(gold, at) for gold in self.golds for at in gold.fresh]
        return frozenset([gold.reading.stems[at] for gold, at in fresh if gold.weights[at] > _FUNCTION])

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """The words of the gold answers that are compared only if they are in capitals."""
        return frozenset[str]().union(*(_acronyms(gold.reading) for gold in self.golds))

    @cached_property
    def alone(self) -> tuple[AnswerKey, ...]:
        """The key once for each gold answer or pattern, which is then the only one: how a reply is read beside one of
        them must not depend on the others."""
        golds = [msgspec.structs.replace(self, golds=(each,), patterns=()) for each in self.golds]
        return (*golds, *(msgspec.structs.replace(self, golds=(), patterns=(each,)) for each in self.patterns))


@cache
def _joining(code: str) -> re.Pattern[str]:
    """What CLDR writes between the last two of a list in a language, such as " and ", or a sign of the same meaning."""
    from botattack.text.locales import locale

    listed = locale(code).list_patterns["standard"]
    words = {listed[place].replace("{0}", "").replace("{1}", "") for place in ("2", "end")}
    return re.compile("|".join(re.escape(word) for word in sorted({*words, " & "}, key=len, reverse=True)))


@lru_cache(maxsize=64)
def answer_key(
    question: str, answers: tuple[GoldAnswer, ...], code: str = "", refusals: tuple[str, ...] = ()
) -> AnswerKey:
    """Blank answers, which anything would contain, are left out. Where `code` is empty, the question tells the
    language: a gold answer more must not change how the others are read."""
    texts = tuple(answer.text for answer in answers if not answer.regex and answer.text.strip())
    spoken = language(code or language_by_words(question))
    reading = read(question, spoken)
    forms = dict.fromkeys(form for text in texts for form in (text, *_other_names(text, spoken)))
    golds = tuple(each for text in forms for each in _with_heads(gold_of(text, reading), reading))
    patterns = tuple(answer.text for answer in answers if answer.regex and answer.text.strip())
    said = zip(reading.words, reading.stems, strict=True)
    content = frozenset([stem for word, stem in said if word not in spoken.function_words])
    return AnswerKey(reading, golds, patterns, spoken, content, _joined(refusals, spoken))


@lru_cache(maxsize=8)
def _joined(refusals: tuple[str, ...], spoken: Language) -> tuple[str, ...]:
    """Those of a bot are the same for every question."""
    return tuple(read(sentence, spoken).joined for sentence in refusals)


def _with_heads(gold: Gold, question: Reading) -> list[Gold]:
    """A gold answer and, if it is a sentence, its heads; nothing if it has no words."""
    if not is_sentence(gold.reading):
        return [gold] if gold.reading.words else []
    every = [gold, *(gold_of(head, question) for head in heads(gold.reading, question))]
    return [msgspec.structs.replace(each, whole=gold.reading) for each in every]


def _other_names(text: str, spoken: Language) -> tuple[str, ...]:
    """What else is called what a text names as a whole: "the US" is "United States", too."""
    name = text.strip().removeprefix("the ").removeprefix("The ")
    return next((forms for forms in spoken.aliases if name in forms), ())


def _acronyms(gold: Reading) -> frozenset[str]:
    """Function words in capitals, unless all words are in capitals, or tell a time ("7 PM"); no article that several
    words begin with."""
    if (len(gold.words) > 1 and gold.text.isupper()) or any(is_number(word) for word in gold.words):
        return frozenset()
    common = (gold.language.function_words | gold.language.persons) - gold.language.denying
    first = len(gold.words) > 1 and len(gold.words[0]) == 1  # "A request line"
    places = range(first, len(gold.words))
    return frozenset([gold.words[at] for at in places if gold.words[at] in common and gold.raw(at).isupper()])


def as_written(reply: Reading, key: AnswerKey) -> Reading:
    """A reply in which the words that are a gold answer in capitals only ("tell us" for "US") are compared as others.

    Nothing is known of replies that have small letters only, or capitals only.
    """
    if key.acronyms.isdisjoint(reply.vocabulary) or reply.text.isupper() or reply.text.islower():
        return reply
    apart = [word in key.acronyms and not reply.raw(at).isupper() for at, word in enumerate(reply.words)]
    stems = [f"{stem}'" if is_other else stem for stem, is_other in zip(reply.stems, apart, strict=True)]
    return msgspec.structs.replace(reply, stems=tuple(stems))


def gold_of(text: str, question: Reading) -> Gold:
    """A gold answer, beside its question."""
    reading = read(text[:LONGEST_GOLD], question.language)
    fresh = tuple([at for at, stem in enumerate(reading.stems) if stem not in question.known])
    return Gold(reading, tuple([weight(word, reading.language) for word in reading.words]), fresh)


def weight(word: str, spoken: Language) -> float:
    """How much a word tells: long words are rarer than short ones, and function words tell next to nothing."""
    if word in spoken.function_words:
        return _FUNCTION
    return _NUMBER if is_number(word) else _CONTENT + min(len(word), 10) / 10


def with_patterns(context: AnswerKey, reply: str) -> AnswerKey:
    """Gold answers that are codes, grouped as the reply groups them. Those that are regular expressions, as what of the
    reply they match; as a letter that no reply has if they match nothing, or take too long."""
    codes_said = [code_in(gold.reading.text.strip(), reply) for gold in context.golds]
    if not context.patterns and not any(codes_said):
        return context
    pairs = zip(context.golds, codes_said, strict=True)
    known = [gold_of(said, context.question) if said else gold for gold, said in pairs]
    golds = [gold_of(_matched(pattern, reply), context.question) for pattern in context.patterns]
    golds = [gold if gold.reading.words else gold_of(_UNSAID, context.question) for gold in golds]
    return msgspec.structs.replace(context, golds=(*known, *golds), patterns=())


def _matched(pattern: str, reply: str) -> str:
    try:
        found = search(pattern, reply[:LONGEST])
    except TimeoutError:
        return ""
    return found.group()[:LONGEST_GOLD] if found else ""
