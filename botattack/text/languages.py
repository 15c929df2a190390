"""What botattack knows of a language: the word lists of `botattack/lang`, and a stemmer."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

import msgspec

from botattack.text.folding import folded

CODES = ("en", "de", "fa", "fr", "es")
_BY_SCRIPT = {
    "CYRILLIC": "ru",
    "GREEK": "el",
    "HEBREW": "he",
    "ARMENIAN": "hy",
    "DEVANAGARI": "hi",
    "THAI": "th",
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
}
_ARABIC = {"ur": frozenset("ٹڈڑںےھہ"), "fa": frozenset("پچژگکی"), "ar": frozenset("ةيكىإ")}
"""Letters of the Arabic script that one of its languages writes and the others do not."""
_STEMMERS = {"en": "english", "de": "german", "fr": "french", "es": "spanish"}


class Language(msgspec.Struct, frozen=True, eq=False):
    """The words of a language that evidence looks for, all folded; empty where the language has no file.

    `function_words` carry no content. `negations` deny what they stand beside; `hedges` make a statement uncertain;
    `contrasts` begin what speaks against what came before; `alternatives` stand between possibilities; `conditions`
    begin what is not stated as a fact, `exceptions` what a statement is not true of; `former` speaks of times past;
    `persons` are the speaker and the one spoken to; `yes` and `no` answer a yes/no question, and `fillers` may come
    before them; `grants` and `forbids` answer one, too, `regrets` soften a no, and `obliges` asks what must be done.
    `elisions` are what is left of a word before an apostrophe. Of several words each: `attributions` say whose opinion
    something is, `declines` are ways not to answer, `redirects` send the asker elsewhere; `hesitations` are said where
    a speaker looks for words, `interregna` between what was said wrongly and what was meant; `nonsense` are questions
    to fill with made-up words. `questions` tells what each question word asks for. A sentence of `courtesies` alone
    greets, thanks or offers help; `greetings`, which are among them, begin a sentence that greets. `numbers` maps
    number words to their digits.
    Of values: `scales` multiply what stands before them, `fractions` are parts of one, `months` and `units` (of CLDR,
    or ISO 4217) have names that CLDR lacks, and `values` lists words by what they do.
    `aliases` are names of one thing, as they are written: whoever says one of them may as well say another.
    `turns` are what a user says in a conversation, as it is written, by what it is for: any one of each may be said.
    """

    code: str
    function_words: frozenset[str] = frozenset()
    negations: frozenset[str] = frozenset()
    hedges: frozenset[str] = frozenset()
    contrasts: frozenset[str] = frozenset()
    alternatives: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    exceptions: frozenset[str] = frozenset()
    former: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()
    grants: frozenset[str] = frozenset()
    forbids: frozenset[str] = frozenset()
    regrets: frozenset[str] = frozenset()
    obliges: frozenset[str] = frozenset()
    elisions: frozenset[str] = frozenset()
    attributions: tuple[str, ...] = ()
    declines: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    hesitations: tuple[str, ...] = ()
    interregna: tuple[str, ...] = ()
    nonsense: tuple[str, ...] = ()
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    courtesies: frozenset[str] = frozenset()
    greetings: frozenset[str] = frozenset()
    questions: Mapping[str, str] = {}
    numbers: Mapping[str, str] = {}
    scales: Mapping[str, str] = {}
    fractions: Mapping[str, str] = {}
    months: Mapping[str, str] = {}
    units: Mapping[str, str] = {}
    values: Mapping[str, str] = {}
    aliases: tuple[tuple[str, ...], ...] = ()
    turns: Mapping[str, tuple[str, ...]] = {}


def script_of(text: str) -> str:
    """The script that most letters of a text are of, as the first word of their Unicode names says it; LATIN where
    there are none."""
    if text.isascii():
        return "LATIN"
    letters = Counter(unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    return max(letters, key=letters.__getitem__, default="LATIN")


def language_of(text: str) -> str:
    """The language that the script of a text tells, and English where it is Latin or not known.

    Persian, Urdu and Arabic are distinguished by letters of their own; without any, or with as many of each, it is
    Persian, whose words botattack knows. Of Cyrillic, Devanagari and the like it is the language with most speakers.
    """
    script = script_of(text)
    if script != "ARABIC":
        return _BY_SCRIPT.get(script, "en")
    own = {code: sum(letter in letters for letter in text) for code, letters in _ARABIC.items()}
    return "ur" if own["ur"] else "ar" if own["ar"] > own["fa"] else "fa"


@cache
def language(code: str) -> Language:
    """The language of a two-letter code; one with the few words of `others.yaml`, or none, where it has no file."""
    lists: Mapping[str, Any] = _file(code) if code in CODES else others().get(code, {})
    words: dict[str, Any] = {name: _words(listed) for name, listed in lists.items()}
    return Language(code, **words)


@cache
def others() -> Mapping[str, Mapping[str, Any]]:
    """What is known of languages without a file, by their codes."""
    return _file("others")


def _file(name: str) -> Mapping[str, Any]:
    import yaml

    listed: Mapping[str, Any] = yaml.safe_load((files("botattack.lang") / f"{name}.yaml").read_text(encoding="utf-8"))
    return listed


def _words(listed: str | list[Any] | Mapping[str, Any]) -> frozenset[str] | tuple[Any, ...] | Mapping[str, Any]:
    if isinstance(listed, str):
        return frozenset(map(folded, listed.split()))
    if isinstance(listed, list):
        return tuple(tuple(each) if isinstance(each, list) else each for each in listed)
    return {folded(word): _meaning(said) for word, said in listed.items()}


def _meaning(said: str | float | list[str]) -> str | tuple[str, ...]:
    return tuple(said) if isinstance(said, list) else folded(said) if isinstance(said, str) else str(said)


@cache
def stemmer(code: str) -> Callable[[str], str]:
    """What cuts the endings off a folded word: Snowball's stemmer, or nothing where it has none for the language."""
    if code not in _STEMMERS:
        return str
    import Stemmer

    return cast(
        "Callable[[str], str]", Stemmer.Stemmer(_STEMMERS[code], 0).stemWord
    )  # a cache of its own has words of any length
