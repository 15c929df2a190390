"""Characters that look like others, or like nothing. Pure."""

from __future__ import annotations

from collections.abc import Mapping

INVISIBLE: Mapping[str, str] = {
    "left-to-right-mark": "\u200e",
    "right-to-left-mark": "\u200f",
    "zero-width-space": "\u200b",
    "word-joiner": "\u2060",
    "zero-width-no-break-space": "\ufeff",
    "invisible-separator": "\u2063",
    "invisible-times": "\u2062",
    "function-application": "\u2061",
    "soft-hyphen": "\u00ad",
    "arabic-letter-mark": "\u061c",
}
"""Characters that take no room by themselves. Joiners (U+200C, U+200D, variation selectors) are not among them: they
become one cluster with the letter before them and change how Persian, Indic scripts and emoji are drawn."""

SPACES: Mapping[str, str] = {
    "no-break-space": "\u00a0",
    "narrow-no-break-space": "\u202f",
    "figure-space": "\u2007",
    "thin-space": "\u2009",
    "hair-space": "\u200a",
    "en-space": "\u2002",
    "em-space": "\u2003",
    "punctuation-space": "\u2008",
    "ideographic-space": "\u3000",
    "braille-blank": "\u2800",
    "hangul-filler": "\u3164",
}
"""Characters that look like a space. The first nine are spaces to whoever normalises (NFKC), the last two are not."""

LOOKALIKES: Mapping[str, str] = {
    "a": "а", "c": "сϲ", "d": "ԁ", "e": "е", "g": "ɡ", "h": "һ", "i": "іı", "j": "јϳ", "k": "κ", "l": "ӏ",
    "n": "ո", "o": "оοօ", "p": "рρ", "q": "ԛ", "r": "г", "s": "ѕ", "t": "т", "u": "սυ", "v": "ѵν", "w": "ԝ",
    "x": "хχ", "y": "уү", "z": "ᴢ",
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "D": "Ꭰ", "E": "ЕΕ", "F": "Ϝ", "G": "Ԍ", "H": "НΗ", "I": "ІΙ", "J": "Ј",
    "K": "КΚ", "L": "Ꮮ", "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "Q": "Ԛ", "R": "Ꭱ", "S": "Ѕ", "T": "ТΤ",
    "U": "Ս", "V": "Ѵ", "W": "Ԝ", "X": "ХΧ", "Y": "ҮΥ", "Z": "Ζ",
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ѕ": "s",
    "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X",
    "α": "a", "ο": "o", "ν": "v", "ρ": "p", "υ": "u",
    "ی": "يى", "ک": "كڪ", "ه": "ەہ", "و": "ۋ", "ي": "ی", "ك": "ک", "ى": "ی",
    "۴": "٤", "۵": "٥", "۶": "٦", "ו": "ן",
}  # fmt: skip
"""Letters and the letters of another script, or another letter of the same, that most fonts draw alike. None is a
compatibility form, so that normalising (NFKC, case) does not undo it."""
