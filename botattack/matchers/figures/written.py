"""How a figure in one of many spellings is written plainly: what the rules of `spellings` write."""

from __future__ import annotations

import re

from botattack.text.numerals import NUMBER_WORDS, read_number

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
TIMES = {"once": 1, "twice": 2, "thrice": 3}
_DIGIT_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
_NUMBER_WORDS = rf"{_DIGIT_WORDS}|seventeen|eighteen|nineteen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
N = rf"(?:\d[\d,]*(?:\.\d+)?|\b(?:{_NUMBER_WORDS})(?:[ -](?:{_DIGIT_WORDS}))?\b)"
LONG_UNITS = (
    r"(?:second|minute|hour|day|week|fortnight|month|year|decade|century|(?:kilo|centi|milli)?(?:metre|meter)|mile|foot"
    r"|inch|yard|kilo(?:gram(?:me)?)?|pound|ton(?:ne)?|litre|liter|pint|gallon|million|billion|thousand)"
)


def small(text: str) -> str:
    """As patterns that ignore case see it: to them an i without a dot is an i."""
    return text.casefold().replace("\u0131", "i").replace("i\u0307", "i")


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


def figure(number: float) -> str:
    return f"{round(number, 6):f}".rstrip("0").rstrip(".")


def currency(match: re.Match[str]) -> str:
    amount, scale = match["n"].strip(), match["scale"] or ""
    if small(scale).strip() == "k":
        amount, scale = figure(1000 * float(amount.replace(",", ""))), ""
    return f"{amount}{scale} {_SIGNS[small(match['sign'])]}"


def mixed(match: re.Match[str]) -> str | None:
    """ "3½", "3 1/2", "½ hour"."""
    whole = float(match["whole"] or 0)
    part = _PARTS[match["sign"]] if match["sign"] else int(match["top"]) / int(match["under"])
    if not match["sign"] and not (0 < part < 1 and int(match["under"]) <= 16):
        return None
    return figure(whole + part) if match["whole"] else f"{figure(part)} "


def and_a_half(match: re.Match[str]) -> str | None:
    count = value(match["n"])
    return None if count is None else f"{figure(count + 0.5)} {match['unit']}s"


def and_a_quarter(match: re.Match[str]) -> str | None:
    count, part = value(match["n"]), 0.75 if small(match["part"]).startswith("three") else 0.25
    return None if count is None else f"{figure(count + part)} {match['unit']}s"


def times_an_hour(match: re.Match[str]) -> str | None:
    """How far apart: "three times an hour" is "every 20 minutes"."""
    count, (parts, unit) = value(match["n"]), _PARTED[small(match["unit"] or match["daily"])]
    return None if not count or count < 2 or parts % count else f"every {figure(parts / count)} {unit}"


def aged(match: re.Match[str], side: str) -> str | None:
    """ "65 or older", "over-65s": one word, as no reply has it by chance."""
    age = value(match["n"] or match["other"])
    return None if age is None or not 0 < age < 120 else f"{side}{figure(age)}"


def street(match: re.Match[str]) -> str:
    """ "14 Mill Ln." is "Mill Lane 14"."""
    kind = match["kind"]
    return f"{match['name']}{_STREETS.get(kind, kind)} {match['no']}"


STREETS = "street|road|avenue|lane|drive|square|way|court|row|terrace|gardens|close|crescent|place|boulevard|hill|quay"
SHORT_STREETS = "st|rd|ave|ln|dr|sq|blvd"
_STREETS = {
    "St": "Street",
    "Rd": "Road",
    "Ave": "Avenue",
    "Ln": "Lane",
    "Dr": "Drive",
    "Sq": "Square",
    "Blvd": "Boulevard",
}


def pairs(match: re.Match[str]) -> str | None:
    count = value(match["n"])
    return None if count is None else figure(2 * count)


def birthday(match: re.Match[str]) -> str | None:
    """ "From the 18th birthday on": from 18 years."""
    nth = _nth_of(match["nth"])
    return None if nth is None else f"{nth} years"


def in_days(match: re.Match[str]) -> str | None:
    """ "Every two weeks" is "every 14 days"."""
    weeks = value(match["n"] or "one")
    return None if weeks is None else f"every {figure(7 * weeks)} days"


def dialled(match: re.Match[str]) -> str:
    """A telephone number without its gaps, as dialled within the country."""
    return re.sub(r"^\+\d\d(?:\(?0\)?)?", "0", re.sub(r"[ ()/-]", "", match.group()))


def placed(match: re.Match[str]) -> str | None:
    nth = _nth_of(match["nth"])
    return None if nth is None else f"floor {nth}"


def half_more(match: re.Match[str]) -> str | None:
    count = value(match["n"])
    return None if count is None else f"{figure(count + 0.5)} {match['scale']}"


def part_of(match: re.Match[str]) -> str | None:
    top = value(match["n"] or "one")
    return None if top is None else f"{figure(top / _SHARES[small(match['part'])])} {match['unit']}"


def share(match: re.Match[str]) -> str | None:
    part = small(match["part"])
    top = value(match["n"] or "one")
    if part in ("third", "fourth", "fifth", "tenth") and not match["n"]:
        return None
    share = None if top is None else 100 * top / _SHARES[small(match["part"]).rstrip("s").replace("halve", "half")]
    return None if share is None or share >= 100 else f"{figure(share)} percent"


def slashed_share(match: re.Match[str]) -> str | None:
    top, under = int(match["top"]), int(match["under"])
    return f"{figure(100 * top / under)} percent" if 0 < top < under <= 10 else None


def one_in(match: re.Match[str]) -> str | None:
    top, under = value(match["n"]), value(match["under"])
    return f"{figure(100 * top / under)} percent" if top and under and top < under else None


def scaled(match: re.Match[str]) -> str | None:
    """ "Two dozen, eight of them": the comma ends the number."""
    count = value(match["n"])
    return (
        None
        if count is None
        else figure(count * {"dozen": 12, "hundred": 100, "thousand": 1000}[small(match["scale"])])
    )


def product(match: re.Match[str]) -> str | None:
    one, other = value(match["n"]), value(match["by"])
    return None if one is None or other is None else figure(one * other)


def decade(match: re.Match[str]) -> str:
    return f"19{_TENS.index(small(match['tens'])) + 2}0s"


def hundreds(match: re.Match[str]) -> str:
    return f"{int(match['century']) + 1}th century"


def pounds(match: re.Match[str]) -> str | None:
    pounds, pence = value(match["n"]), value(match["p"])
    return None if pounds is None or pence is None else f"{figure(pounds + pence / 100)} pounds sterling"


def coin(match: re.Match[str]) -> str:
    return f"{figure(value(match['n']) or 0)} pounds sterling "


def rate(match: re.Match[str]) -> str | None:
    """ "5 pounds a day", "five euros each": what everyone pays is paid each."""
    amount, unit, per = value(match["n"]), match["unit"], match["per"]
    if amount is None:
        return None
    unit = "pence" if unit == "p" else "pounds sterling" if unit.casefold().startswith(("pound", "quid")) else unit
    return f"{figure(amount)} {unit}" + (f" per {per}" if per else "")


def roman(match: re.Match[str]) -> str | None:
    digits = {"i": 1, "v": 5, "x": 10}
    total, before = 0, 0
    for sign in reversed(match["roman"].casefold()):
        total, before = (total - digits[sign] if digits[sign] < before else total + digits[sign]), digits[sign]
    return f"{match['name']} {total}"


def nth(match: re.Match[str]) -> str | None:
    number = _nth_of(match["nth"])
    return None if number is None else f"{match['name']} {number}"


def _nth_of(nth: str) -> str | None:
    tokens = re.split(r"[\s-]+", nth.casefold())
    found = read_number(tokens, 0) if tokens[0] in NUMBER_WORDS else (tokens[0], 1)
    number = re.match(r"\d+", found[0]) if found else None
    return number.group() if number else None


SCALE = r"(?P<scale>\s?(?:million|billion|thousand|trillion|m|bn|k)\b)?"
AMOUNT = r"(?P<n>\d[\d,]*(?:\.\d+)?)"
_PARTED = {"hour": (60, "minutes"), "day": (24, "hours"), "daily": (24, "hours"), "year": (12, "months")}
OFTEN = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annually": "year",
    "hourly": "hour",
}
