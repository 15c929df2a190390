"""A gold figure that the reply gives of a neighbouring thing: "Seniors get 20% off, students 15%"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from botattack.matchers.claimless.void import content, stem
from botattack.matchers.figures.periods import DAYS, SHORT_DAYS
from botattack.matchers.figures.quantities import unit_kind
from botattack.matchers.gold import golds
from botattack.matchers.objections.place import Objection, Place
from botattack.text.normalise import normalise

_LONGEST = 600
"""Characters of a sentence that is read: a table is no pair of clauses."""
_PART = re.compile(
    r"\s*\n\s*|;\s+|,\s+(?:and |but |while |whereas )?|\s+(?:and|but|while|whereas)\s+|(?<=[a-z\d])\.\s+", re.I
)
_NUMBERED = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred"
)
_FIGURE = re.compile(
    rf"(?P<money>[£€$]\s?\d[\d.,]*|\b(?:\d[\d.,]*|{_NUMBERED})\s(?:pounds|euros?|dollars|pence|cents)\b"
    rf"|(?<!not )(?<!n\'t )\bfree\b)"
    rf"|(?P<percent>\b(?:\d[\d.,]*|{_NUMBERED})\s?(?:%|per\s?cent))"
    rf"|(?P<clock>\b\d\d?(?:[:.]\d\d)?\s?[ap]\.?m\b|\b[0-2]?\d:[0-5]\d\b|\b(?:noon|midnight)\b|\b(?:at|by|until"
    rf"|till)\s\d\d?\b(?![:.]\d|\s*[a-z%°]))"
    rf"|(?P<time>\bhalf (?:an )?hour\b|\b(?:\d[\d.,]*|{_NUMBERED})[\s-](?:working |business )?(?:minute|hour"
    rf"|day|week|month|year)s?\b)"
    rf"|(?P<nth>\b\d+(?:st|nd|rd|th)\b|\b(?:first|second|third|fourth|fifth|sixth)\b)"
    rf"|(?P<year>\b(?:1\d|20)\d\d\b)"
    rf"|(?P<measure>\b(?:\d[\d.,]*|{_NUMBERED})[\s-]?(?P<of>grams?|g|ml|cl|kg|kilos?|km|kilomet(?:re|er)s?|mm?|cm|met(?:re"
    rf"|er)s?|miles?"
    rf"|feet|foot|inch(?:es)?|lit(?:re|er)s?|degrees?|°)(?![a-z]))"
    rf"|(?P<count>\b(?:\d[\d.,]*|{_NUMBERED})\b)",
    re.I,
)
_DIGIT = re.compile(r"\d")
_NO_DIGITS = bytes(set(range(256)) - set(b"0123456789"))
WORDED_FIGURES = frozenset(["free", "noon", "midnight", "half", "first", "second", "third", "fourth", "fifth", "sixth"])
"""Words that are figures, and that the normal form leaves as they are."""
_KINDS = ("money", "percent", "clock", "time", "nth", "year", "measure", "count")
_MONEY_CUES = ("£", "€", "$", "euro", "dollar", "pound", "EUR", "USD", "GBP", "quid")
MONEY_WORDS = frozenset(("euro", "euros", "eur", "dollar", "dollars", "usd", "pound", "pounds", "gbp", "quid"))
"""A word of each that `in_another_currency` needs, where the reply holds none of its signs."""
_MONEY = re.compile(
    r"(?P<pounds>£\s?\d|\d\s?(?:£|gbp|pounds|quid)\b)|(?P<euros>€\s?\d|\d\s?(?:€|eur\b|euros?\b))"
    r"|(?P<dollars>\$\s?\d|\d\s?(?:\$|usd\b|dollars?\b))",
    re.I,
)
_RANGE = re.compile(r"^ (?:from )?(\S+) to (\S+) $")
UP_OFF = frozenset(("check", "up", "off"))
"""A word of each that `turned_round` needs, where the answer is no range."""
_PAIRS = (
    (" check out ", " check in "),
    (" check in ", " check out "),
    (" pick up ", " drop off "),
    (" drop off ", " pick up "),
)
_FOR_ANOTHER = re.compile(r"\b(?:for|of|to|with|without)\s+(?:the\s+|an?\s+)?([a-z]{3,})", re.I)


def in_another_currency(place: Place) -> Objection | None:
    """The number of a gold price, said of another money: "250 euros" for "£250"."""
    if not any(map(place.text.__contains__, _MONEY_CUES)):
        return None
    said = _currency(place.text[max(0, place.span[0] - 2) : place.span[1] + 10])
    if not said:
        return None
    wanted = {_currency(gold.raw) for gold in golds((*place.context.fresh, *place.context.stale)).literals}
    if "" in wanted or said in wanted:
        return None
    return Objection("elsewhere", "wrong", f"{place.said!r} is said in {said}", place.sentence)


def in_another_unit(place: Place) -> Objection | None:
    """ "60 miles", to "How many litres?", where 60 is the answer."""
    asked = place.context.question.words
    if "many" not in asked[:-1] or not place.phrase.isdecimal():
        return None
    wanted = unit_kind(asked[asked.index("many") + 1])
    said = normalise(place.text[place.span[1] : place.span[1] + 20]).words[:1] if wanted else ()
    kind = unit_kind(said[0]) if said else ""
    if not kind or kind == wanted or {kind, wanted} == {"time", "months"}:
        return None
    return Objection("elsewhere", "wrong", f"{place.said!r} is said in {said[0]}", place.sentence)


def turned_round(place: Place) -> Objection | None:
    """ "From October to Easter", for "from Easter to October"; or of checking in what was asked of checking out."""
    if " to " not in place.phrase and UP_OFF.isdisjoint(place.whole.words):
        return None
    asked, clause = place.context.question.text, normalise(place.text[slice(*place.clause)]).text
    for gold in golds((*place.context.fresh, *place.context.stale)).literals if " to " in place.phrase else ():
        ends = _RANGE.search(gold.padded)
        if ends and f" {ends[2]} to {ends[1]} " in f" {place.phrase} ":
            return Objection("elsewhere", "wrong", f"{place.said!r} is turned round", place.sentence)
    for one, other in _PAIRS if " check " in clause or " up " in clause or " off " in clause else ():
        if one in asked and other in clause and one not in clause and other not in asked:
            return Objection("elsewhere", "wrong", f"{place.said!r} is said of{other}".rstrip(), place.clause)
    return None


def _currency(text: str) -> str:
    found = _MONEY.search(text)
    return next(name for name, part in found.groupdict().items() if part) if found else ""


def of_neighbour(place: Place) -> Objection | None:
    """The answer's part of the sentence speaks of a thing the question does not name, another part of the named one."""
    if not may_have_another_figure(place) or place.context.choice:
        return None
    low, high = (0, len(place.text)) if "\n" in place.text else place.sentence
    if high - low > _LONGEST or not (_FIGURE.search(place.said) and _PART.search(place.text, low, high)):
        return None
    raw, at = place.text[low:high], place.span[0] - low
    parts = list(_parts(raw))
    mine = next(((start, end) for start, end in parts if start <= at < end), None)
    if mine is None or len(parts) == 1:
        return None
    asked = _days_alike(place.context.content)
    own = raw[slice(*mine)]
    lead, kind = _lead(own), _kind_at(raw, at, place.span[1] - low)
    if not kind or not lead or lead in asked:
        return None
    for start, end in parts:
        if (start, end) != mine and _answers(place, raw[start:end], own, kind):
            return Objection("elsewhere", "wrong", f"{place.said!r} is said of {lead!r}", place.sentence)
    return None


def may_have_another_figure(place: Place) -> bool:
    """Whether anything in the reply beside the answer may be a figure."""
    whole, text, (start, end) = place.whole, place.text, place.span
    return bool(whole.changes) or _digits(text) > _digits(text[start:end]) or not WORDED_FIGURES.isdisjoint(whole.words)


def _digits(text: str) -> int:
    """How many, of any script; counted by letters where that is quick."""
    return len(text.encode().translate(None, _NO_DIGITS)) if text.isascii() else len(_DIGIT.findall(text))


def _kind_at(raw: str, start: int, end: int) -> str:
    """The kind of the last figure of the answer, its sign and unit seen."""
    reaching = [found for found in _FIGURE.finditer(raw) if found.start() < end and found.end() > start]
    return _kind(reaching[-1]) if reaching else ""


def _kind(found: re.Match[str]) -> str:
    name = next(name for name in _KINDS if found[name])
    return f"{name} {found['of'][:2].casefold()}" if name == "measure" else name


def _parts(raw: str) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in _PART.finditer(raw):
        yield start, cut.start()
        start = cut.end()
    yield start, len(raw)


def _lead(part: str) -> str:
    """The stem of the first word that says something, where it stands before the figure or right behind it."""
    bare = _FIGURE.sub(lambda found: found.group() if found["nth"] else " ", part)
    return next((min(kept) for word in normalise(bare).words if (kept := _content(word))), "")


def _content(text: str) -> frozenset[str]:
    """The stems of what a part speaks of."""
    return _days_alike(content(normalise(text)))


def _days_alike(stems: frozenset[str]) -> frozenset[str]:
    """Of "Sat" and "Saturdays" as of "Saturday"."""
    if stems.isdisjoint(_DAY_FORMS):
        return stems
    return frozenset(_DAY_FORMS.get(one, one) for one in stems)


_DAY_FORMS = {**{short: stem(DAYS[at]) for short, at in SHORT_DAYS.items()}, **{day: stem(day) for day in DAYS}}


def _answers(place: Place, part: str, own: str, kind: str) -> bool:
    """Whether a part gives a figure of the same kind, and none of a gold answer, of what was asked about."""
    asked = _days_alike(place.context.content)
    figures = [each for each in _FIGURE.finditer(part) if _kind(each) == kind]
    if not figures or _lead(part) not in asked or f" {place.phrase} " in normalise(part).text:
        return False
    golden = golds((*place.context.fresh, *place.context.stale)).literals
    others = (
        each
        for each in figures
        if not any(f" {word} " in gold.padded for gold in golden for word in normalise(each.group()).words[:1])
    )
    figure = next(others, None)
    if figure is None:
        return False
    for other in _FOR_ANOTHER.findall(part):
        if content(normalise(other)) - asked and not _FIGURE.match(other):
            return False
    mine, said = _content(own) & asked, _content(part) & asked
    return bool(said - mine) and (mine <= said or _content(part[: figure.start()]) <= asked)
