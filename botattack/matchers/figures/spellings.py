"""The spellings of figures, and how each is written plainly."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from botattack.matchers.figures.written import (
    AMOUNT,
    LONG_UNITS,
    OFTEN,
    SCALE,
    SHORT_STREETS,
    STREETS,
    TIMES,
    N,
    aged,
    and_a_half,
    and_a_quarter,
    birthday,
    coin,
    currency,
    decade,
    dialled,
    figure,
    half_more,
    hundreds,
    in_days,
    mixed,
    nth,
    one_in,
    pairs,
    part_of,
    placed,
    pounds,
    product,
    rate,
    roman,
    scaled,
    share,
    slashed_share,
    small,
    street,
    times_an_hour,
    value,
)


class _Rule(NamedTuple):
    """How a spelling is written plainly. A text that it finds anything in holds one of `cues`, as `cue_form` has it:
    a search for letters is many times quicker than a pattern."""

    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    write: Callable[[re.Match[str]], str | None]


def _rule(cues: str, pattern: str, write: Callable[[re.Match[str]], str | None] | str) -> _Rule:
    if isinstance(write, str):
        fixed = write
        return _rule(cues, pattern, lambda match: match.expand(fixed))
    return _Rule(tuple(cues.split("|")), re.compile(pattern, re.I), write)


def cue_form(text: str) -> str:
    """In small letters, every digit as 0."""
    folded = small(text)
    if text.isascii():
        return folded.translate(_ZEROS)
    return "".join("0" if c.isdecimal() else c for c in folded)


_ZEROS = str.maketrans("123456789", "0" * 9)
_UNITS = (
    "second|minute|hour|day|week|fortnight|month|year|decade|century|metre|meter|mile|foot|inch|yard|kilo|pound|ton"
    "|litre|liter|pint|gallon|million|billion|thousand"
)

_STREET_CUES = ("0 ", "0a ", "0b ", "0, ")
_STREET = re.compile(
    r"\b(?:[Nn]o\.? |[Nn]umber )?(?P<no>\d{1,4}[A-Za-z]?),? (?P<name>(?:[A-Z][\w'\u2019-]+ ){1,3})"
    rf"(?P<kind>{'|'.join(map(str.capitalize, f'{STREETS}|{SHORT_STREETS}'.split('|')))})\b\.?"
)
_YEARS = r"(?:[ -]years?(?: old| of age)?)?"
_AGED = (
    r"(?=\s*(?:$|[.,;:!?)]|(?:and|or|but|can|may|must|get|gets|pay|pays|travel|ride|go|goes|are|is|who|with|receive"
    r"|receives|qualify|qualifies|have|has|need|needs|on|for|in|to|should|do|will|only)\b))"
)
"""What stands behind an age, and not behind "over 65 kg"."""


RULES: tuple[_Rule, ...] = (
    _rule("\u2212", "\u2212", "-"),
    _rule("per cent", r"\bper cent\b", "percent"),
    _rule("dozen,|hundred,|thousand,", rf"(?P<n>{N})\s(?P<scale>dozen|hundred|thousand)(?=,)", scaled),
    _rule("till|until", rf"\bfrom\s+(?P<n>{N})\s+(?:till|until)\s+(?P<by>{N})", r"\g<n> to \g<by>"),
    _rule(",", r"(?<![\d.,])(\d{1,4}),(\d{1,2})(?![\d,])", r"\1.\2"),
    _rule(
        "0 0|0'0|0\u20190|0\u00a00",
        r"(?<![\d.,])(\d{1,3}(?:[ '\u2019\u00a0]\d{3})+)(?![\d.,]*\d)",
        lambda m: re.sub(r"\D", "", m.group()),
    ),
    _rule(
        "0, 0",
        rf"(?<![\d.,])(\d{{1,3}}), (\d{{3}})(?=\s(?:{LONG_UNITS}s?|feet|ft|km|kg|m|cm|mm|miles|euros|dollars)\b)",
        r"\1\2",
    ),
    _rule(
        "0.0",
        r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+)(?![\d.,]*\d)(?=\s*(?:$|[a-z€%]|[.,;!?](?:\s|$)))",
        lambda m: f"{m.group().replace('.', '')}",
    ),
    _rule("€|£|$|eur|usd|gbp", rf"(?P<sign>[€£$]|\b(?:eur|usd|gbp)\b)\s?{AMOUNT}{SCALE}", currency),
    _rule("€|£|$|eur|usd|gbp", rf"{AMOUNT}{SCALE}\s?(?P<sign>[€£$]|(?:eur|usd|gbp)\b)", currency),
    _rule(
        "dozen|couple|pair|score",
        r"\bhalf a dozen\b|(?:\b(?:a|one) )?\b(?:couple|pair)\b(?! of (?:hundred|thousand|dozen))(?: of)?|\ba score\b",
        lambda m: "6" if "dozen" in small(m.group()) else "20" if "score" in small(m.group()) else "2",
    ),
    _rule("pairs", rf"\b(?P<n>{N}) pairs\b(?: of\b)?", pairs),
    _rule("birthday", r"\b(?P<nth>[a-z\d]+(?:-[a-z]+)?) birthday\b", birthday),
    _rule("0h0|0 h 0|0h 0", r"\b(\d{1,2}) ?h ?([0-5]\d)\b", r"\1 hours \2 minutes"),
    _rule("0:00 h|0:00h", r"(?<![\d:])(\d{1,2}):([0-5]\d) ?h(?:ours|rs)?\b", r"\1 hours \2 minutes"),
    _rule(
        " of | x ",
        rf"\b(?P<n>{N}) (?:x|[a-z]+ of|of) (?P<by>{N}) (?=(?:min(?:ute)?s?|hours?|seconds?)\b)",
        lambda m: f"{made} " if (made := product(m)) else None,
    ),
    _rule(
        "once|twice|thrice",
        r"\b(?P<n>once|twice|thrice)\b(?! in a while)",
        lambda m: f"{TIMES[small(m['n'])]} times",
    ),
    _rule(
        "+|(0|0 0|0-0",
        r"(?<![\w.,+])(?:\+\d\d[ (-]?|\(?0)\d[\d ()/-]{6,14}\d(?![\w-])",
        lambda m: dialled(m) if len(re.sub(r"\D", "", m.group())) > 8 else None,
    ),
    _rule("pound", r"\b(?P<n>one|an?|two|five|ten|twenty|\d+)[ -]pound (?=coin|note|voucher|deposit)", coin),
    _rule(
        "quarter",
        rf"\b(?P<n>an?|{N})\s+(?P<unit>hour|year|mile)s?\s+and\s+(?P<part>a|three)\s+quarters?\b",
        and_a_quarter,
    ),
    _rule("half", r"\b(?:every|each)\s+half(?:\s+an|\s+|-)\s?hour\b|\bhalf-hourly\b", "every 30 minutes"),
    _rule("quarter", r"\bevery quarter (?:of an )?hour\b", "every 15 minutes"),
    _rule(
        "0-0|0\u20130|0 - 0",
        r"(?<![\d.,:/-])(\d{1,3}) ?[-\u2013] ?(\d{1,3})(?= (?:working |business )?(?:minutes|hours|days|weeks"
        r"|months|years)\b)",
        r"\1 to \2",
    ),
    _rule(
        "quarterly|every quarter",
        r"\bquarterly\b|\bevery quarter\b(?! of)|\bonce (?:a|every|per) quarter\b",
        "every 3 months",
    ),
    _rule(
        "fortnight|once every|0 times every",
        r"\b(?:once|1 times) (?:a|every|per) fortnight\b|\b(?:once|1 times) every (?:two|2) weeks\b",
        "every 2 weeks",
    ),
    _rule("fortnight", r"(?<!every )\b(?:a|one) fortnight\b", "14 days"),
    _rule(
        " walk|on foot|drive| ride|stroll",
        rf"\b(?P<n>{N})[ -]min(?:ute)?s?['\u2019]?s?(?: (?P<way>walk|drive|ride)| (?:stroll|on foot))\b",
        lambda m: f"{m['n']} minutes {m['way'] or 'walk'}",
    ),
    _rule(
        "s days|k days|g days|kdays|sdays|gdays",
        r"\b(?:business|week|working) ?days\b(?=(?:\W|$))(?<! weekdays)|(?<=\d )weekdays\b",
        "working days",
    ),
    _rule(
        "floor|level",
        r"\b(?:the )?(?P<nth>\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
        r"|tenth) (?:floor|level)\b",
        placed,
    ),
    _rule("level|floor", rf"\b(?:level|floor) (?P<n>{N})(?![\w.])", lambda m: f"floor {figure(value(m['n']) or 0)}"),
    _rule(
        "bus|line|route|tram|no. 0|take the 0",
        r"\b(?:(?:bus(?: number| line| no\.?)?|line|route|tram(?: number)?|no\.) "
        r"|take (?:the )?)(\d{1,3}[A-Z]?)\b(?! (?:minutes|hours|people|times|pounds|euros))",
        r"number \1",
    ),
    _rule(
        "times|an hour|per hour|every hour|each hour",
        rf"\b(?P<n>{N}) (?:times|trains|buses|trams|shuttles|ferries|flights|boats) "
        r"(?:(?:an?|per|each|every) (?P<unit>hour|day|year)|(?P<daily>daily))\b",
        times_an_hour,
    ),
    _rule(
        "cost|complimentary|pay",
        r"\b(?:at|with) no (?:extra |additional )?cost\b|\bcomplimentary\b|\bno cost\b|\b(?:no need|(?:not"
        r"|n't) have) to pay(?: anything)?\b|\bwithout paying\b",
        "free",
    ),
    _rule("half", r"\bhalf[- ](?:the )?(?:price|off)\b|\bhalf off\b", "50 percent"),
    _rule(
        "each|apiece|head|person|per |a piece|a day|a night|a week|a month|a year|an hour|every",
        rf"(?P<n>{N}) (?P<unit>pounds sterling|pounds?|quid|euros?|dollars?|pence|p)(?: each\b(?! (?:day|night"
        rf"|week|month|year))"
        r"| apiece| (?:per|an?) (?:head|person|piece|adult)"
        r"| (?:an?|per|each|every) (?P<per>hour|day|night|week|month|year))\b",
        rate,
    ),
    _rule("full|whole", rf"(?P<n>{N}) (?:full|whole) (?={LONG_UNITS}s?\b)", r"\g<n> "),
    _rule("from 0", r"^(?:from|starting at|starts at) (?=\d[\d.]* (?:pounds|euros|dollars))", ""),
    _rule(
        "½|¼|¾|⅓|⅔|⅕|⅛|0/0",
        r"(?:(?P<whole>\d+)\s*)?(?:(?P<sign>[½¼¾⅓⅔⅕⅛])|(?<=\d )(?P<top>\d{1,2})/(?P<under>\d{1,2}))(?![\d/])",
        mixed,
    ),
    _rule("half", rf"\b(?P<n>an?|{N})\s+(?P<unit>{LONG_UNITS})s?\s+and\s+a\s+half\b", and_a_half),
    _rule("half", rf"(?P<n>{N})\s+and\s+a\s+half\s+(?P<scale>thousand|million|billion|dozen|hundred)\b", half_more),
    _rule(
        "half|third|quarter",
        rf"\b(?:(?P<n>an?|one|two|three)\s+)?(?P<part>half|third|quarter)s?\s+(?:of\s+)?an?\s+(?P<unit>{LONG_UNITS})\b",
        part_of,
    ),
    _rule("0/0", r"(?<![\d/.])(?P<top>\d)/(?P<under>\d{1,2})(?![\d/])", slashed_share),
    _rule(
        "two|three|four|five|six|ten|0",
        rf"\b(?P<n>{N})\s+in\s+(?P<under>two|three|four|five|six|ten|\d{{1,2}})\b(?!\s+(?:{LONG_UNITS}))",
        one_in,
    ),
    _rule(
        "half|halves|third|quarter|fourth|fifth|tenth",
        r"(?<!and )(?<!and a )\b(?:(?P<n>an?|one|two|three|four|five|seven|nine)[\s-]+)?"
        r"(?P<part>half|halves|thirds?|quarters?|fourths?|fifths?|tenths?)\b"
        r"(?!\s+(?:past|to|an?|hours?|\d|of an?|century|time|year|day|after|before|floor|grade|place))",
        share,
    ),
    _rule(
        "*|×|times|multiplied",
        rf"(?P<n>{N})\s*(?:\*|×|\btimes\b|\bmultiplied by\b)\s*(?P<by>{N})(?![\d.,]*\s*(?:=|is\b|equals))",
        product,
    ),
    _rule(
        "below|minus",
        rf"(?P<n>{N})\s+(?P<d>degrees?(?: celsius| centigrade)?|°\s?c?)\s+(?:below zero|below freezing|minus)",
        lambda m: None if value(m["n"]) is None else f"-{figure(value(m['n']) or 0)} degrees",
    ),
    _rule(
        "minus|negative",
        rf"\b(?:minus|negative)\s+(?P<n>{N})",
        lambda m: None if value(m["n"]) is None else f"-{figure(value(m['n']) or 0)}",
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
    _rule("ties", r"(?<=\b)(?P<tens>twen|thir|for|fif|six|seven|eigh|nine)ties\b", decade),
    _rule("'0", r"(?<!\d)'(\d\d)\b(?!s)", r"19\1"),
    _rule("nineteen", r"\bnineteen[\s-]19(\d0s)", r"19\1"),
    _rule("00s", r"\b(?:the\s+)?(?P<century>1[0-9]|20)00s\b", hundreds),
    _rule("once|every|each", r"\b(?:once (?:a|every)|every|each)\s+(day|week|month|year|hour)\b", r"every \1"),
    _rule("0 times", r"\b1 times (?:a|every) (day|week|month|year|hour)\b", r"every \1"),
    _rule(
        "daily|weekly|monthly|yearly|annually|hourly",
        r"\b(daily|weekly|monthly|yearly|annually|hourly)\b",
        lambda m: f"every {OFTEN[small(m[1])]}",
    ),
    _rule(
        "fortnight|every|biweekly",
        r"\bfortnightly\b|\bevery (?:other|second) week\b|\bevery fortnight\b|\bbiweekly\b",
        "every 2 weeks",
    ),
    _rule("every other day", r"\bevery other day\b", "every 2 days"),
    _rule("days a week|days of the week", r"\b(?:seven|7) days (?:a|of the) week\b", "every day"),
    _rule(
        "times a month|times per month|times every month", r"\b(?:2|two) times (?:a|per|every) month\b", "every 2 weeks"
    ),
    _rule("every ", rf"\bevery (?:(?P<n>{N}) weeks|week)\b", in_days),
    _rule("0 times a year|half", r"\b2 times a year\b|\bhalf[- ]yearly\b", "every 6 months"),
    _rule(
        _UNITS,
        rf"(?:(?<=^)|(?<=\bfor )|(?<=\bafter )|(?<=\bwithin )|(?<=\babout )|(?<=\btakes )|(?<=\blasts )|(?<=\bis )"
        rf"|(?<=\bgive )|(?<=\bus )|(?<=\bneed )|(?<=\bthan )|(?<=\bfull )|(?<=\bwhole ))an?\s+(?={LONG_UNITS}\b)",
        "1 ",
    ),
    _rule("world war|wwi|ww0", r"\b(?:first|1st) world war\b|\bwwi\b|\bww1\b", "World War 1"),
    _rule("world war|wwi|ww0", r"\b(?:second|2nd) world war\b|\bwwii\b|\bww2\b", "World War 2"),
    _Rule(
        (" i", " v", " x"),
        re.compile(r"\b(?P<name>[A-Z][a-z]+) (?P<roman>[IVX]{2,4}|[VX])\b(?!\.\w)"),
        roman,
    ),
    _Rule(
        (" the ",),
        re.compile(
            r"\b(?P<name>[A-Z][a-z]+) the (?P<nth>(?:[A-Za-z]+-)?(?:\d+(?:st|nd|rd|th)|[A-Za-z]+(?:th|rst|ond|ird)))\b"
        ),
        nth,
    ),
    _rule("0.0", rf"(\d\.\d+)\s+of\s+an?\s+(?={LONG_UNITS}\b)", r"\1 "),
    _rule(
        "pound|quid",
        rf"\b(?P<n>{N}) (?:pounds?|quid) (?P<p>(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)\b",
        pounds,
    ),
    _rule("0 time|one time", r"\b(?:1|one) time\b", "1 times"),
    _rule("none|not any|not one", r"^\W*(?:none|not (?:any|one))(?: at all| of them)?\W*$", "0"),
    _rule("between", rf"\bbetween\s+(?P<n>{N})\s+and\s+(?P<by>{N})", r"\g<n> to \g<by>"),
    _rule("nothing", r"^\W*nothing(?: at all)?\W*$", "free"),
    _rule(
        "nothing|charge|fee|gratis|0 euros|0 crowns|0 dollars|0 cents",
        r"\b(?:(?:it )?costs nothing|no charge|no fee|gratis|without charge|free of charge|for nothing"
        r"|0 (?:euros|crowns|dollars|cents))\b",
        "free",
    ),
    _Rule(_STREET_CUES, _STREET, street),
    _rule(
        "over|above|older|more|least| up|+|plus",
        rf"\b(?:(?:over|above|older than|at least)[ -](?:the age of )?(?P<n>{N})|(?P<other>{N}){_YEARS}"
        rf"(?:\+| plus| (?:or|and) (?:over|above|older|more|up|upwards)))(?:s\b)?{_YEARS}{_AGED}",
        lambda m: aged(m, "over"),
    ),
    _rule(
        "under|below|younger",
        rf"\b(?:(?:under|below|younger than)[ -](?:the age of )?(?P<n>{N})|(?P<other>{N}){_YEARS}"
        rf" (?:or|and) (?:under|below|younger))(?:s\b)?{_YEARS}{_AGED}",
        lambda m: aged(m, "under"),
    ),
    _rule("century bce", r"\bcentury bce\b", "century bc"),
    _rule("0b|0 b", r"(?<=\d) ?(?:b\.?c\.?e\b\.?)", " bc"),
    _rule("0\u20320|0'0", r"(?<=\d)[\u2032'](?=\d+[\u2033\"])", " feet "),
)
