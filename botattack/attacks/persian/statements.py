"""A Persian question and an answer made into a statement, by rules over its words. Pure; Persian.

Persian asks in place: the answer stands where the question word was.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from botattack.attacks.persian.names import lexicon, plain

_ENDS = " \t\n؟?!.…؛،,"
_PLURAL = r"(?:[ \u200c]?(?:های|هایی|ها|ای))?"
_WORD = r"[\w\u200c]+"
_START, _STOP = r"(?<![\w\u200c])", r"(?![\w\u200c])"
_PREPOSITIONS = frozenset(
    ("در", "به", "از", "با", "برای", "تا", "توسط", "بر", "روی", "تو", "بین", "درون", "بعد", "قبل", "جهت")
)
_IS = frozenset(("است", "بود", "هست", "هستند", "بودند", "شد", "شده", "می", "باشد"))
_TIMES = frozenset(("سال", "قرن", "بعد", "قبل", "پس", "پیش", "ماه", "روز", "دهه", "اوایل", "اواخر", "سده", "زمان"))
_SCALES = frozenset(("هزار", "میلیون", "میلیارد", "صد"))
_VAGUE = frozenset(["کس", "شخص", "فرد", "چیز", "کار", "کسان", "کسا", "چیزها", "صورت", "نوع", "اندازه", "جور"])
"""Nouns that a question word goes with and that stand beside no answer."""


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    template: str
    """`{}` is the answer; `{1}`, `{2}` the groups."""


def _rule(pattern: str, template: str) -> _Rule:
    return _Rule(re.compile(f"{_START}(?:{pattern}){_STOP}"), template)


_RULES = (
    _rule("چیست|چیه|کیست|کیه|چقدره|چنده|چه جوریه|(?:کدام|کدوم) (?:است|هست)|کدامست", "{} است"),
    _rule("چی بود|چه بود", "{} بود"),
    _rule("کدامند|کدام اند|کدامها هستند", "{} هستند"),
    _rule("چندتاست|چند تاست", "{} تا است"),
    _rule("کجاست", "در {} است"),
    _rule("چه (?:کسی|کسانی|کسایی|شخصی|فردی|افرادی|چیزی|چیزهایی|چیز|کاری|کاره)", "{}"),
    _rule(r"(در|از|تا|تو) چه سالی|چه سالی", "{p} سال {}"),
    _rule(r"(?:در )?(?:چه (?:زمانی|وقتی|وقت|موقع|موقعی|روزی|تاریخی)|کدام زمان)", "در {}"),
    _rule(r"(?:به چه صورت|چه جوری|چگونه|چطور|چجوری|به چه شکل)", "{how}"),
    _rule(r"به چه (?:دلیلی|منظوری|علتی)|چرا", "{why}"),
    _rule(r"(در|به|از|تو|توسط) کجای", "{1} {} در"),
    _rule(r"(در|به|از|تو|توسط) کجا", "{1} {}"),
    _rule(r"کجای", "در {} در"),
    _rule(r"کجا", "در {}"),
    _rule("چندمین", "{}"),
    _rule(rf"(?:چندتا|چند تا|چند) ({_WORD})", "{count}"),
    _rule("چقدر|چه قدر", "{}"),
    _rule("چه نام", "{} نام"),
    _rule("(?:چه|چی)(?= (?:می|نمی) )", "{}"),
    _rule(rf"(?:کدام|کدوم|چه) ({_WORD}){_PLURAL}", "{kind}"),
    _rule("کی", "{who}"),
    _rule("چی|چه", "{}"),
)
_POLAR = re.compile(f"{_START}آیا{_STOP}")


def asking_span(text: str) -> tuple[int, int] | None:
    """Where the words that ask are; None if no rule knows them or a question can be answered yes or no."""
    found = _found(text)
    return found[1].span() if found else None


def _found(text: str) -> tuple[_Rule, re.Match[str]] | None:
    if _POLAR.search(text):
        return None
    return next(((rule, match) for rule in _RULES if (match := rule.pattern.search(text))), None)


def statement(text: str, answer: str) -> str:
    """The question as a statement that gives the answer, with a full stop; "" if no rule fits it."""
    text, answer = text.strip(_ENDS), answer.strip(_ENDS)
    found = _found(text)
    if not found or not answer:
        return ""
    rule, match = found
    before, after = text[: match.start()].split(), text[match.end() :].split()
    middle = _filled(rule, match, answer, after)
    first = middle.split()[0]
    if before and before[-1] in _PREPOSITIONS and first in _PREPOSITIONS:
        before.pop()
    said = middle.split()
    if after and said[-1] == after[0]:
        after.pop(0)
    whole = " ".join([*before, *said, *after])
    return f"{whole}."


def _filled(rule: _Rule, match: re.Match[str], answer: str, after: list[str]) -> str:
    """What stands in place of the words that ask."""
    group = match[1] if match.re.groups else None
    timed = any(plain(word) in _TIMES for word in answer.split())
    if rule.template == "{kind}":
        return answer if after[:1] == ["از"] else _of_kind(group or "", answer, last=not after)
    if rule.template == "{count}":
        return _counted(group or "", answer, last=not after)
    template = {
        "{p} سال {}": "{1} {}" if timed else "{1} سال {}",
        "{how}": "{}" if after and after[0] in _IS else "با {}",
        "{why}": "{}" if answer.startswith("چون") else "به دلیل {}",
        "{who}": "در {}" if timed or any(char.isdigit() for char in answer) else "{}",
    }.get(rule.template, rule.template)
    preposition, _, rest = template.replace("{1}", group or "در").partition(" ")
    leads = preposition in _PREPOSITIONS and answer.split(maxsplit=1)[0] in _PREPOSITIONS
    return (rest if leads else f"{preposition} {rest}".strip()).replace("{}", answer)


def _counted(noun: str, answer: str, *, last: bool) -> str:
    """ "چند بار" is "سه بار", and what is counted is said once."""
    base, verb = _without_verb(noun, last=last)
    counts = plain(base) in plain(answer) or any(word.isalpha() for word in answer.split()[1:] if word not in _SCALES)
    return (answer if counts else f"{answer} {base}") + verb


def _without_verb(noun: str, *, last: bool) -> tuple[str, str]:
    """A noun without the "is" that is spoken at its end, and that."""
    return (noun.removesuffix("ه"), " است") if last and noun.endswith("ه") else (noun, "")


def _of_kind(noun: str, answer: str, *, last: bool) -> str:
    """ "کدام شهر" is "شهر شیراز" in a statement, "چه رنگی" is "رنگ سبز", and "چه نامی" the name alone."""
    base, verb = _without_verb(noun, last=last)
    base = base if len(base) < 4 or plain(base) in lexicon().ends_with_i else base.removesuffix("ی")
    alone = plain(base) in _VAGUE or plain(base) in plain(answer)
    return (answer if alone else f"{base} {answer}") + verb
