"""How many of so many independent draws may come out one way before a claim about their rate is refuted."""

from __future__ import annotations

from math import comb

SELDOM = 0.01
"""How often a test fails although the true rate is exactly what it claims; seeds are fixed, so it does so only after a
change of what is drawn."""


def most(draws: int, rate: float) -> int:
    """The most hits of something that has at most this rate: a true rate of `rate` has more in one run of a hundred.

    Of 300 draws at 5 % that is 24; a true rate of 10 % has more in six runs of seven, one of 12 % in 98 of 100.
    """
    beyond = 1.0
    for count in range(draws):
        beyond -= comb(draws, count) * rate**count * (1 - rate) ** (draws - count)
        if beyond <= SELDOM:
            return count
    return draws


def fewest(draws: int, rate: float) -> int:
    """The fewest hits of something that has at least this rate."""
    return draws - most(draws, 1 - rate)
