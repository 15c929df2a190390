"""Numbers as every report writes them."""

from __future__ import annotations

NONE = "–"


def percent(rate: float | None) -> str:
    return NONE if rate is None else f"{100 * rate:.1f} %"


def points(difference: float) -> str:
    """Of a difference of two rates, which is no share of either."""
    return f"{100 * difference:.1f} points"


def rounded(rate: float) -> str:
    """To whole percent, as one says it: `38 %`; neither 0 nor 100 unless it is that."""
    shown = f"{100 * rate:.0f}"
    if shown in ("0", "100") and rate not in (0.0, 1.0):
        return "under 1 %" if shown == "0" else "over 99 %"
    return f"{shown} %"


def span(interval: tuple[float, float] | None) -> str:
    return NONE if interval is None else f"{100 * interval[0]:.1f} – {100 * interval[1]:.1f} %"


def duration(seconds: float) -> str:
    """As exact as a reader needs: `12.5 s`, `3 min 20 s`, `2 h 05 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
