"""A value that a text says: a number, a measure, an amount of money, a date or a time of day."""

from __future__ import annotations

import msgspec


class TypedValue(msgspec.Struct, frozen=True):
    """From `low` to `high`, which are equal unless the value is a range or a period; `first` and `last` are its words.

    Of the kind `date` they are years (0 if none is said, negative before Christ), and `month` and `day` are 0 where
    left open; months from 13 are seasons, from 21 those of the Persian calendar. Of `clock` they are minutes after
    midnight, and `half` tells whether the half of the day is known. Of `weekday` they are 1 (Monday) to 7, of `code`
    the number behind leading zeros. Other kinds are the dimension ("length", "money EUR", or "number" without a unit),
    in its base unit; `number` is `low` as it was written, and `step` the worth of its last digit that is not zero.
    """

    kind: str
    low: float
    high: float
    first: int
    last: int
    number: float = 0.0
    step: float = 0.0
    month: int = 0
    day: int = 0
    half: bool = False
    rough: bool = False
    either: bool = False
    """Whether day and month may be the other way round: "04/05/2024"."""

    @property
    def is_year(self) -> bool:
        """Whether it is a year and nothing else, which may also be a number."""
        return self.kind == "date" and not self.month and self.low == self.high
