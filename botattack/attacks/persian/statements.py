"""A Persian question and an answer made into a statement, by rules over its words. Pure; Persian.

Persian asks in place: the answer stands where the question word was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from botattack.attacks.persian.names import lexicon, plain
from botattack.text.languages import language
from botattack.text.tokens import Word, words
from botattack.text.word_lists import persian_words, word_groups

_ENDS = " \t\n؟?!.…؛،,"
_PLURAL = r"(?:[ \u200c]?(?:های|هایی|ها|ای))?"
_WORD = r"[\w\u200c]+"
_START, _STOP = r"(?<![\w\u200c])", r"(?![\w\u200c])"


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    template: str
    """`{}` is the answer; `{1}`, `{2}` the groups."""


@cache
def _rules() -> Sequence[_Rule]:
    """The rules, the first that fits first (`lang/fa/statements.yaml`)."""
    listed = word_groups("statements.rules", "fa")
    return [
        _Rule(re.compile(f"{_START}(?:{pattern.replace('WORD', _WORD).replace('PLURAL', _PLURAL)}){_STOP}"), template)
        for pattern, template in listed
    ]


_DEFINED = frozenset(["WORK", "SPORT", "TEAM", "COMPANY", "COUNTRY", "ORGANISATION", "UNIVERSITY"])
"""What stands before a name at the beginning of a question: what it is is asked for, not which one."""
_POLAR = re.compile(f"{_START}آیا{_STOP}")


def asking_span(text: str) -> tuple[int, int] | None:
    """Where the words that ask are; None if no rule knows them or a question can be answered yes or no."""
    found = _found(text)
    return found[1].span() if found else None


def asked_for(text: str) -> str:
    """The type of name that the words that ask say, the word behind them, or the first of the question; "" where a
    number is asked for."""
    span = asking_span(text) or (0, 0)
    asking = text[slice(*span)]
    behind = [word for word in words(text) if word.start >= span[1]][:1]
    first = [] if behind else [_type_of(word) for word in [*words(text)][:3]]
    beside = behind if asking in ("چه", "چی", "کدام", "کدوم") else []
    near = [*map(_type_of, (*words(asking), *beside)), *(kind for kind in first if kind not in _DEFINED)]
    return "" if "چند" in asking else next(filter(None, near), "")


@cache
def _hints() -> Sequence[tuple[re.Pattern[str], str]]:
    listed = word_groups("fakes.asked", "fa")
    return [(re.compile(f"{_START}(?:{pattern}){_STOP}"), kind) for pattern, kind in listed]


def hinted(text: str) -> str:
    """The type of answer that is no name, by the words of a question (`lang/fa/fakes.yaml`); "" if none says it."""
    return next((kind for pattern, kind in _hints() if pattern.search(text)), "")


def keys(text: str) -> frozenset[str]:
    """What a question asks for, by its words alone: the type or the noun, a reason, a purpose; with "what is", the noun
    that the question begins with."""
    span = asking_span(text)
    if not span:
        return frozenset()
    before, asking = ([word.text for word in words(part)] for part in (text[: span[0]], text[slice(*span)]))
    first = [word for word in before[:1] if asking[0] in ("چیست", "چیه", "چی") and word in persian_words.relations]
    small = persian_words.prepositions | language("fa").function_words
    nouns = [*asking[1:], *first]
    purpose = ["برای"] if before[-1:] == ["برای"] and asking[0] in ("چی", "چه", "چیه") and len(asking) == 1 else []
    reason = ["چرا"] if {*asking} & {"چرا", "دلیلی", "علتی"} else []
    return frozenset(
        [word for word in nouns if word not in small and word.removesuffix("ی") not in persian_words.vague]
        + purpose
        + reason
        + [asked_for(text)]
    ) - {""}


def _type_of(word: Word) -> str:
    """The type that a word asks for, also with the "is" that is spoken at its end."""
    said = plain(word.text)
    return lexicon().asked.get(said) or lexicon().asked.get(said.removesuffix("ه"), "")


def _found(text: str) -> tuple[_Rule, re.Match[str]] | None:
    if _POLAR.search(text):
        return None
    return next(((rule, match) for rule in _rules() if (match := rule.pattern.search(text))), None)


def statement(text: str, answer: str) -> str:
    """The question as a statement that gives the answer, with a full stop; "" if no rule fits it."""
    text, answer = text.strip(_ENDS).replace("بین المللی", "بین\u200cالمللی"), answer.strip(_ENDS)
    found = _found(text)
    if not found or not answer:
        return ""
    rule, match = found
    before, after = text[: match.start()].split(), text[match.end() :].split()
    middle = _filled(rule, match, answer, after)
    said, small = middle.split(), persian_words.prepositions
    if not said:
        return ""
    if before and said[0] in small and before[-1] in small | persian_words.of_places:
        if answer.split()[0] == said[0] and before[-1] in small:  # the answer's own word, not the rule's
            before.pop()
        else:
            said.pop(0)
    whole = " ".join([*before, *said, *after])
    return f"{whole}."


def _filled(rule: _Rule, match: re.Match[str], answer: str, after: list[str]) -> str:
    """What stands in place of the words that ask."""
    group = match[1] if match.re.groups else None
    if rule.template == "{rank}":
        return f"{answer}ین" if after and " " not in answer and answer.endswith("م") else answer
    if rule.template == "{kind}":
        return answer if after[:1] == ["از"] else _of_kind(group or "", answer, after)
    if rule.template == "{count}":
        return _counted(group or "", answer, last=not after)
    template = {
        "{p} سال {}": "{1} سال {}",
        "{how}": "{}" if after and after[0] in persian_words.be else "با {}",
        "{why}": "{}" if answer.startswith("چون") else "به دلیل {}",
        "{who}": "در {}" if any(char.isdigit() for char in answer) else "{}",
    }.get(rule.template, rule.template)
    preposition, _, rest = template.replace("{1}", group or "در").partition(" ")
    leads = preposition in persian_words.prepositions and answer.split(maxsplit=1)[0] in persian_words.prepositions
    return (rest if leads else f"{preposition} {rest}".strip()).replace("{}", answer)


def _counted(noun: str, answer: str, *, last: bool) -> str:
    """ "چند بار" is "سه بار", and what is counted is said once."""
    base, verb = _without_verb(noun, last=last)
    counts = plain(base) in plain(answer) or any(
        word.isalpha() for word in answer.split()[1:] if word not in persian_words.scales
    )
    return (answer if counts else f"{answer} {base}") + verb


def _without_verb(noun: str, *, last: bool) -> tuple[str, str]:
    """A noun without the "is" that is spoken at its end, and that."""
    for spoken in ("هاست", "ه"):
        if last and noun.endswith(spoken):
            return noun.removesuffix(spoken), " است"
    return noun, ""


def _of_kind(noun: str, answer: str, after: list[str]) -> str:
    """ "کدام شهر" is "شهر شیراز" in a statement, "چه رنگی" is "رنگ سبز", and "چه نامی" the name alone."""
    base, verb = _without_verb(noun, last=not after)
    base = base if len(base) < 4 or plain(base) in lexicon().ends_with_i else base.removesuffix("ی")
    alone = plain(base) in persian_words.vague or plain(base) in plain(answer)
    return (answer if alone else f"{base} {answer}") + verb
