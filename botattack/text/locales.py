"""Locales of CLDR, as babel reads them, each with data of its own."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from babel import Locale
from babel.localedata import LocaleDataDict, exists, load


class _Separate(Locale):
    """Babel lets locales share what they inherit, and writes into it what it found for the first that asks: what one
    says of its months would depend on which others were read before."""

    @property
    def _data(self) -> LocaleDataDict:
        return _data_of(str(self))


@cache
def locale(code: str) -> Locale:
    """That of a code such as "en_GB"; English where CLDR does not know it."""
    return _Separate.parse(code if exists(code) else "en")


@cache
def _data_of(code: str) -> LocaleDataDict:
    shared: Any = load(code)
    return LocaleDataDict(deepcopy(shared))
