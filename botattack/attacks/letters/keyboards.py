"""Which keys lie beside which: for slips of a finger. Pure."""

from __future__ import annotations

from functools import cache
from itertools import product

from botattack.text.languages import language


@cache
def _beside(code: str) -> dict[str, str]:
    rows = language(code).keyboard or language("en").keyboard
    keys = {key: (x + y / 2, y) for y, row in enumerate(rows) for x, key in enumerate(row)}
    found: dict[str, str] = dict.fromkeys(keys, "")
    for (one, (x, y)), (other, (far, low)) in product(keys.items(), keys.items()):
        # A slip is within the row, or to one of the two keys that touch it above or below.
        if one != other and abs(y - low) <= 1 and abs(x - far) <= (1 if y == low else 0.5):
            found[one] += other
    return found


def neighbours(key: str, lang: str = "en") -> str:
    """Return the keys beside a lower-case one; "" if the keyboard, English for a language without its own, lacks it."""
    return _beside(lang.partition("-")[0]).get(key, "")
