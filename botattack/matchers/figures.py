"""Figures in plain spelling: "€1.80" is "1.80 euros", "an hour and a half" "1.5 hours", "half a dozen" "6".

What the normal form cannot see, because it drops signs and reads word by word. Only numeric answers are compared so,
and only in replies that hold one of these spellings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from botattack.text.numerals import NUMBER_WORDS, read_number

_READ = 2000
_SIGNS = {
    "€": "euros",
    "£": "pounds sterling",
    "$": "dollars",
    "eur": "euros",
    "usd": "dollars",
    "gbp": "pounds sterling",
}
_PARTS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 0.2, "⅛": 0.125}
_SHARES = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_TENS = ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_DIGIT_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
_NUMBER_WORDS = rf"{_DIGIT_WORDS}|seventeen|eighteen|nineteen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
_N = rf"(?:\d[\d,]*(?:\.\d+)?|\b(?:{_NUMBER_WORDS})(?:[ -](?:{_DIGIT_WORDS}))?\b)"
_LONG_UNITS = (
    r"(?:second|minute|hour|day|week|fortnight|month|year|decade|century|(?:kilo|centi|milli)?(?:metre|meter)|mile|foot"
    r"|inch|yard|kilo(?:gram(?:me)?)?|pound|ton(?:ne)?|litre|liter|pint|gallon|million|billion|thousand)"
)
_ODD_WORDS = (
    "eur|usd|gbp|half|halves|third|thirds|quarters?|fourths?|fifths?|tenths?|dozen|hundred|thousand|till|until|couple|pair|once|twice|thrice|weekly"
    r"|daily|yearly|annually|monthly|hourly|fortnight\w*|every|each|square|sq|cubic|per cent|below zero|minus|times"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|bce|none|oh|pounds|one time|an?\s(?:" + _LONG_UNITS + r")|\d+s"
    r"|\w+ centur\w+|in (?:ten|five)|nothing|gratis|no (?:charge|fee)|free|between|world war|[ivx]+"
    r"|the \w+(?:th|st|nd|rd|first|second|third)"
)
_ODD = re.compile(
    rf"[€£$½¼¾⅓⅔⅕⅛*×²³°−]|\d ?[x/]|\d(?:[,.'\u2019 \u00a0]|, )\d|\b(?:{_ODD_WORDS})\b|'\d\d\b",
    re.I,
)
"""Whether a text could hold a spelling that a rule below knows."""


@dataclass(frozen=True)
class Plain:
    """A text in plain spelling, and for each of its characters where it stands in the raw one."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def raw_span(self, span: tuple[int, int]) -> tuple[int, int]:
        return self.starts[span[0]], self.ends[max(span[0], span[1] - 1)]


@lru_cache(maxsize=64)
def plain(text: str) -> Plain | None:
    """The text with its figures in plain spelling; None where nothing changes."""
    text = text[:_READ]
    made, form = Plain(text, range(len(text)), range(1, len(text) + 1)), _cue_form(text)
    for cues, pattern, write in _RULES:
        if any(map(form.__contains__, cues)):
            before, made = made, _rewritten(made, pattern, write)
            form = form if made is before else _cue_form(made.text)
    return None if made.text == text or not _ODD.search(text) else made


def _rewritten(made: Plain, pattern: re.Pattern[str], write: Callable[[re.Match[str]], str | None]) -> Plain:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    past = 0
    for match in pattern.finditer(made.text):
        written = write(match)
        if written is None or written == match.group():
            continue
        first, last = match.span()
        pieces += [made.text[past:first], written]
        starts += [*made.starts[past:first], *[made.starts[first]] * len(written)]
        ends += [*made.ends[past:first], *[made.ends[last - 1]] * len(written)]
        past = last
    if not past:
        return made
    return Plain("".join([*pieces, made.text[past:]]), (*starts, *made.starts[past:]), (*ends, *made.ends[past:]))


def value(text: str) -> float | None:
    """The number a text of one number says, in figures or words."""
    text = text.strip().casefold().replace(",", "")
    if text in ("a", "an"):
        return 1.0
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    tokens = re.split(r"[\s-]+", text)
    if not tokens or not NUMBER_WORDS.issuperset(tokens):
        return None
    found = read_number(tokens, 0)
    return float(found[0]) if found and found[1] == len(tokens) and found[0].replace(".", "", 1).isdecimal() else None


def _figure(number: float) -> str:
    return f"{round(number, 6):f}".rstrip("0").rstrip(".")


def _currency(match: re.Match[str]) -> str:
    return f"{match['n'].strip()}{match['scale'] or ''} {_SIGNS[_small(match['sign'])]}"


def _mixed(match: re.Match[str]) -> str | None:
    """ "3½", "3 1/2", "½ hour"."""
    whole = float(match["whole"] or 0)
    part = _PARTS[match["sign"]] if match["sign"] else int(match["top"]) / int(match["under"])
    if not match["sign"] and not (0 < part < 1 and int(match["under"]) <= 16):
        return None
    return _figure(whole + part) if match["whole"] else f"{_figure(part)} "


def _and_a_half(match: re.Match[str]) -> str | None:
    count = value(match["n"])
    return None if count is None else f"{_figure(count + 0.5)} {match['unit']}s"


def _half_more(match: re.Match[str]) -> str | None:
    count = value(match["n"])
    return None if count is None else f"{_figure(count + 0.5)} {match['scale']}"


def _part_of(match: re.Match[str]) -> str | None:
    top = value(match["n"] or "one")
    return None if top is None else f"{_figure(top / _SHARES[_small(match['part'])])} {match['unit']}"


def _share(match: re.Match[str]) -> str | None:
    part = _small(match["part"])
    top = value(match["n"] or "one")
    if part in ("third", "fourth", "fifth", "tenth") and not match["n"]:
        return None
    share = None if top is None else 100 * top / _SHARES[_small(match["part"]).rstrip("s").replace("halve", "half")]
    return None if share is None or share >= 100 else f"{_figure(share)} percent"


def _slashed_share(match: re.Match[str]) -> str | None:
    top, under = int(match["top"]), int(match["under"])
    return f"{_figure(100 * top / under)} percent" if 0 < top < under <= 10 else None


def _one_in(match: re.Match[str]) -> str | None:
    top, under = value(match["n"]), value(match["under"])
    return f"{_figure(100 * top / under)} percent" if top and under and top < under else None


def _scaled(match: re.Match[str]) -> str | None:
    """ "Two dozen, eight of them": the comma ends the number."""
    count = value(match["n"])
    return (
        None
        if count is None
        else _figure(count * {"dozen": 12, "hundred": 100, "thousand": 1000}[_small(match["scale"])])
    )


def _product(match: re.Match[str]) -> str | None:
    one, other = value(match["n"]), value(match["by"])
    return None if one is None or other is None else _figure(one * other)


def _decade(match: re.Match[str]) -> str:
    return f"19{_TENS.index(_small(match['tens'])) + 2}0s"


def _hundreds(match: re.Match[str]) -> str:
    return f"{int(match['century']) + 1}th century"


def _pounds(match: re.Match[str]) -> str | None:
    pounds, pence = value(match["n"]), value(match["p"])
    return None if pounds is None or pence is None else f"{_figure(pounds + pence / 100)} pounds sterling"


def _roman(match: re.Match[str]) -> str | None:
    digits = {"i": 1, "v": 5, "x": 10}
    total, before = 0, 0
    for sign in reversed(match["roman"].casefold()):
        total, before = (total - digits[sign] if digits[sign] < before else total + digits[sign]), digits[sign]
    return f"{match['name']} {total}"


def _nth(match: re.Match[str]) -> str | None:
    tokens = re.split(r"[\s-]+", match["nth"].casefold())
    found = read_number(tokens, 0) if tokens[0] in NUMBER_WORDS else (tokens[0], 1)
    number = re.match(r"\d+", found[0]) if found else None
    return f"{match['name']} {number.group()}" if number else None


_SCALE = r"(?P<scale>\s?(?:million|billion|thousand|trillion|m|bn|k)\b)?"
_AMOUNT = r"(?P<n>\d[\d,]*(?:\.\d+)?)"
_OFTEN = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annually": "year",
    "hourly": "hour",
}


class _Rule(NamedTuple):
    """How a spelling is written plainly. A text that it finds anything in holds one of `cues`, as `_cue_form` has it:
    a search for letters is many times quicker than a pattern."""

    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    write: Callable[[re.Match[str]], str | None]


def _rule(cues: str, pattern: str, write: Callable[[re.Match[str]], str | None] | str) -> _Rule:
    if isinstance(write, str):
        fixed = write
        return _rule(cues, pattern, lambda match: match.expand(fixed))
    return _Rule(tuple(cues.split("|")), re.compile(pattern, re.I), write)


def _small(text: str) -> str:
    """As patterns that ignore case see it: to them an i without a dot is an i."""
    return text.casefold().replace("\u0131", "i").replace("i\u0307", "i")


def _cue_form(text: str) -> str:
    """In small letters, every digit as 0."""
    folded = _small(text)
    if text.isascii():
        return folded.translate(_ZEROS)
    return "".join("0" if c.isdecimal() else c for c in folded)


_ZEROS = str.maketrans("123456789", "0" * 9)
_UNITS = (
    "second|minute|hour|day|week|fortnight|month|year|decade|century|metre|meter|mile|foot|inch|yard|kilo|pound|ton"
    "|litre|liter|pint|gallon|million|billion|thousand"
)


_RULES: tuple[_Rule, ...] = (
    _rule("\u2212", "\u2212", "-"),
    _rule("per cent", r"\bper cent\b", "percent"),
    _rule("dozen,|hundred,|thousand,", rf"(?P<n>{_N})\s(?P<scale>dozen|hundred|thousand)(?=,)", _scaled),
    _rule("till|until", rf"\bfrom\s+(?P<n>{_N})\s+(?:till|until)\s+(?P<by>{_N})", r"\g<n> to \g<by>"),
    _rule(",", r"(?<![\d.,])(\d{1,4}),(\d{1,2})(?![\d,])", r"\1.\2"),
    _rule(
        "0 0|0'0|0\u20190|0\u00a00",
        r"(?<![\d.,])(\d{1,3}(?:[ '\u2019\u00a0]\d{3})+)(?![\d.,]*\d)",
        lambda m: re.sub(r"\D", "", m.group()),
    ),
    _rule(
        "0, 0",
        rf"(?<![\d.,])(\d{{1,3}}), (\d{{3}})(?=\s(?:{_LONG_UNITS}s?|feet|ft|km|kg|m|cm|mm|miles|euros|dollars)\b)",
        r"\1\2",
    ),
    _rule(
        "0.0",
        r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+)(?![\d.,]*\d)(?=\s*(?:$|[a-z€%]|[.,;!?](?:\s|$)))",
        lambda m: f"{m.group().replace('.', '')}",
    ),
    _rule("€|£|$|eur|usd|gbp", rf"(?P<sign>[€£$]|\b(?:eur|usd|gbp)\b)\s?{_AMOUNT}{_SCALE}", _currency),
    _rule("€|£|$|eur|usd|gbp", rf"{_AMOUNT}{_SCALE}\s?(?P<sign>[€£$]|(?:eur|usd|gbp)\b)", _currency),
    _rule(
        "dozen|couple|pair|score",
        r"\bhalf a dozen\b|\ba? ?(?:couple|pair)\b(?! of (?:hundred|thousand|dozen))(?: of)?|\ba score\b",
        lambda m: "6" if "dozen" in _small(m.group()) else "20" if "score" in _small(m.group()) else "2",
    ),
    _rule(
        "once|twice|thrice",
        r"\b(?P<n>once|twice|thrice)\b(?! in a while)",
        lambda m: f"{_TIMES[_small(m['n'])]} times",
    ),
    _rule(
        "½|¼|¾|⅓|⅔|⅕|⅛|0/0",
        r"(?:(?P<whole>\d+)\s*)?(?:(?P<sign>[½¼¾⅓⅔⅕⅛])|(?<=\d )(?P<top>\d{1,2})/(?P<under>\d{1,2}))(?![\d/])",
        _mixed,
    ),
    _rule("half", rf"\b(?P<n>an?|{_N})\s+(?P<unit>{_LONG_UNITS})s?\s+and\s+a\s+half\b", _and_a_half),
    _rule("half", rf"(?P<n>{_N})\s+and\s+a\s+half\s+(?P<scale>thousand|million|billion|dozen|hundred)\b", _half_more),
    _rule(
        "half|third|quarter",
        rf"\b(?:(?P<n>an?|one|two|three)\s+)?(?P<part>half|third|quarter)s?\s+(?:of\s+)?an?\s+(?P<unit>{_LONG_UNITS})\b",
        _part_of,
    ),
    _rule("0/0", r"(?<![\d/.])(?P<top>\d)/(?P<under>\d{1,2})(?![\d/])", _slashed_share),
    _rule(
        "two|three|four|five|six|ten|0",
        rf"\b(?P<n>{_N})\s+in\s+(?P<under>two|three|four|five|six|ten|\d{{1,2}})\b(?!\s+(?:{_LONG_UNITS}))",
        _one_in,
    ),
    _rule(
        "half|halves|third|quarter|fourth|fifth|tenth",
        r"(?<!and )(?<!and a )\b(?:(?P<n>an?|one|two|three|four|five|seven|nine)[\s-]+)?"
        r"(?P<part>half|halves|thirds?|quarters?|fourths?|fifths?|tenths?)\b"
        r"(?!\s+(?:past|to|an?|hours?|\d|of an?|century|time|year|day|after|before|floor|grade|place))",
        _share,
    ),
    _rule(
        "*|×|times|multiplied",
        rf"(?P<n>{_N})\s*(?:\*|×|\btimes\b|\bmultiplied by\b)\s*(?P<by>{_N})(?![\d.,]*\s*(?:=|is\b|equals))",
        _product,
    ),
    _rule(
        "below|minus",
        rf"(?P<n>{_N})\s+(?P<d>degrees?(?: celsius| centigrade)?|°\s?c?)\s+(?:below zero|below freezing|minus)",
        lambda m: None if value(m["n"]) is None else f"-{_figure(value(m['n']) or 0)} degrees",
    ),
    _rule(
        "minus|negative",
        rf"\b(?:minus|negative)\s+(?P<n>{_N})",
        lambda m: None if value(m["n"]) is None else f"-{_figure(value(m['n']) or 0)}",
    ),
    _rule(
        "sq",
        r"\b(?:square|sq\.?)\s+(kilo|centi)?(?:metres?|meters?|m\b)",
        lambda m: "sqkm" if (m[1] or "").lower() == "kilo" else "sqcm" if m[1] else "sqm",
    ),
    _rule(
        "sq",
        r"\b(?:square|sq\.?)\s+(kms?|kilometres?|cms?|feet|foot|ft|miles?|mi)\b",
        lambda m: (
            "sqkm" if m[1][:1] in "kK" else "sqcm" if m[1][:1] in "cC" else "sqft" if m[1][:1] in "fF" else "sqmi"
        ),
    ),
    _rule("m²|m0|m^0", r"\b(k|c)?m(?:²|\^?2\b)", lambda m: f"sq{(m[1] or '').lower()}m"),
    _rule("cubic|m³", r"\bcubic\s+met(?:re|er)s?|\bm³", "cbm"),
    _rule("ties", r"(?<=\b)(?P<tens>twen|thir|for|fif|six|seven|eigh|nine)ties\b", _decade),
    _rule("'0", r"(?<!\d)'(\d\d)\b(?!s)", r"19\1"),
    _rule("nineteen", r"\bnineteen[\s-]19(\d0s)", r"19\1"),
    _rule("00s", r"\b(?:the\s+)?(?P<century>1[0-9]|20)00s\b", _hundreds),
    _rule("once|every|each", r"\b(?:once (?:a|every)|every|each)\s+(day|week|month|year|hour)\b", r"every \1"),
    _rule("0 times", r"\b1 times (?:a|every) (day|week|month|year|hour)\b", r"every \1"),
    _rule(
        "daily|weekly|monthly|yearly|annually|hourly",
        r"\b(daily|weekly|monthly|yearly|annually|hourly)\b",
        lambda m: f"every {_OFTEN[_small(m[1])]}",
    ),
    _rule(
        "fortnight|every|biweekly",
        r"\bfortnightly\b|\bevery (?:other|second) week\b|\bevery fortnight\b|\bbiweekly\b",
        "every 2 weeks",
    ),
    _rule("every other day", r"\bevery other day\b", "every 2 days"),
    _rule("0 times a year|half", r"\b2 times a year\b|\bhalf[- ]yearly\b", "every 6 months"),
    _rule(
        _UNITS,
        rf"(?:(?<=^)|(?<=\bfor )|(?<=\bafter )|(?<=\bwithin )|(?<=\babout )|(?<=\btakes )|(?<=\blasts )|(?<=\bis )"
        rf"|(?<=\bfull )|(?<=\bwhole ))an?\s+(?={_LONG_UNITS}\b)",
        "1 ",
    ),
    _rule("world war|wwi|ww0", r"\b(?:first|1st) world war\b|\bwwi\b|\bww1\b", "World War 1"),
    _rule("world war|wwi|ww0", r"\b(?:second|2nd) world war\b|\bwwii\b|\bww2\b", "World War 2"),
    _Rule(
        (" i", " v", " x"),
        re.compile(r"\b(?P<name>[A-Z][a-z]+) (?P<roman>[IVX]{2,4}|[VX])\b(?!\.\w)"),
        _roman,
    ),
    _Rule(
        (" the ",),
        re.compile(
            r"\b(?P<name>[A-Z][a-z]+) the (?P<nth>(?:[A-Za-z]+-)?(?:\d+(?:st|nd|rd|th)|[A-Za-z]+(?:th|rst|ond|ird)))\b"
        ),
        _nth,
    ),
    _rule("0.0", rf"(\d\.\d+)\s+of\s+an?\s+(?={_LONG_UNITS}\b)", r"\1 "),
    _rule(
        "pound|quid",
        rf"\b(?P<n>{_N}) (?:pounds?|quid) (?P<p>(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)\b",
        _pounds,
    ),
    _rule("0 time|one time", r"\b(?:1|one) time\b", "1 times"),
    _rule("none|not any|not one", r"^\W*(?:none|not (?:any|one))(?: at all| of them)?\W*$", "0"),
    _rule("between", rf"\bbetween\s+(?P<n>{_N})\s+and\s+(?P<by>{_N})", r"\g<n> to \g<by>"),
    _rule("nothing", r"^\W*nothing(?: at all)?\W*$", "free"),
    _rule(
        "nothing|charge|fee|gratis|0 euros|0 crowns|0 dollars|0 cents",
        r"\b(?:(?:it )?costs nothing|no charge|no fee|gratis|without charge|free of charge|for nothing"
        r"|0 (?:euros|crowns|dollars|cents))\b",
        "free",
    ),
    _rule("century bce", r"\bcentury bce\b", "century bc"),
    _rule("0b|0 b", r"(?<=\d) ?(?:b\.?c\.?e\b\.?)", " bc"),
    _rule("0\u20320|0'0", r"(?<=\d)[\u2032'](?=\d+[\u2033\"])", " feet "),
)
