"""What botattack knows of a language: its word lists, and a stemmer.

The lists are data. A language is a file `CODE.yaml` or a folder `CODE/` of YAML files, in one of three places: the
folder that the environment variable BOTATTACK_LANGUAGES names, a package that an entry point of the group
`botattack.languages` names, or `botattack/lang`. `words.yaml`, or `CODE.yaml`, has the lists of `Language`; other files
have lists that attacks read by name. A file is read when a list of it is first asked for.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

import msgspec

from botattack.errors import BotattackError
from botattack.registry import BUILT_IN, names
from botattack.text.folding import folded

# What tells a language before any of its files is read.
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
_LETTERS = re.compile(r"[^\W\d_]+")
_ASCII_LETTERS = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalpha() else 32 for code in range(256))
"""Small letters, and spaces for all else: words of ASCII are found so in a quarter of the time of the pattern."""
_ENOUGH = 1_000
"""Characters of a reply in which its language shows."""
_TELLING = 2
"""So many function words of a language tell it: one alone may be a word of another, unless there is no English one."""
_OPENS = "¿"
"""Only Spanish and its neighbours write it; a short question has often nothing else that tells."""
FOLDER = "BOTATTACK_LANGUAGES"
"""The environment variable that names a folder with languages of one's own."""


class Language(msgspec.Struct, frozen=True, eq=False, dict=True, forbid_unknown_fields=True):
    """The words of a language that evidence looks for, all folded; all empty, and `known` false, where it has no file.

    `function_words` carry no content. `negations` deny what they stand beside, `neither` all that a question offers;
    `untrue` words call something false, and `beliefs` may be between a negation and what it denies; `hedges` make a
    statement uncertain; `contrasts` begin what speaks against what came before; `alternatives` stand between
    possibilities; `conditions` begin what is not stated as a fact, `exceptions` what a statement is not true of (they
    deny nothing before them); `persons` are the speaker and the one spoken to; `yes` and `no` answer a yes/no question,
    and `fillers` may come before them; `grants` and `forbids` answer one, too, and `regrets` soften a no; what is
    `free` costs nothing. `elisions` are what is left of a word before an apostrophe. Of several words each:
    `attributions` say whose opinion something is; `replaced` stand before what is not meant ("instead of"), `conceded`
    say what others believe, `repeated` what was asked, and `corrections` begin what is so, after these or after a
    negation that one of `only` does not follow; `compared` stand before what something is more than; `most` and `least`
    make a bound of a number, and the other one after a negation, and `versions` name a version; `sources` head what a
    reply cites, or says to whoever grades it; `declines` are ways not to answer, `redirects` send the asker elsewhere;
    `errors` begin an error message, as they are written: one word only before a sign or a number; `hesitations` are
    said where a speaker looks for words, `interregna` between what was said wrongly and what was meant. `questions`
    tells what each question word asks for. A sentence of `courtesies` alone greets, thanks or offers help; `greetings`,
    which are among them, begin a sentence that greets. `numbers` maps number words to their digits. Of values: `scales`
    multiply what stands before them, `fractions` are parts of one, `months` and `units` (of CLDR, or ISO 4217) have
    names that CLDR lacks, and `values` lists words by what they do. `aliases` are names of one thing, as they are
    written: whoever says one of them may as well say another. `turns` are what a user says in a conversation, as it is
    written, by what it is for: any one of each may be said. `stop_words` can be dropped without confusing a reader: no
    pronoun, no verb, no question word, no negation. `said_before` and `said_after` a question add nothing to it.
    `marks` are the question mark, the full stop and the comma, where they are not `?`, `.` and `,`; `keyboard` has the
    rows of keys from above. `asked_nouns` tells what a noun beside a question word asks for: a time or a number.
    `columns` are names of columns in files of questions, by the fields of a question they have."""

    code: str
    function_words: frozenset[str] = frozenset()
    negations: frozenset[str] = frozenset()
    untrue: frozenset[str] = frozenset()
    neither: frozenset[str] = frozenset()
    beliefs: frozenset[str] = frozenset()
    hedges: frozenset[str] = frozenset()
    contrasts: frozenset[str] = frozenset()
    alternatives: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    exceptions: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()
    grants: frozenset[str] = frozenset()
    forbids: frozenset[str] = frozenset()
    regrets: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    elisions: frozenset[str] = frozenset()
    attributions: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    conceded: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    compared: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    least: tuple[str, ...] = ()
    versions: frozenset[str] = frozenset()
    declines: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    hesitations: tuple[str, ...] = ()
    interregna: tuple[str, ...] = ()
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
    stop_words: tuple[str, ...] = ()
    said_before: tuple[str, ...] = ()
    said_after: tuple[str, ...] = ()
    marks: tuple[str, ...] = ("?", ".", ",")
    keyboard: tuple[str, ...] = ()
    asked_nouns: Mapping[str, str] = {}
    columns: Mapping[str, tuple[str, ...]] = {}
    stemmer: str = ""
    """The name of the language in Snowball; empty if that has no stemmer for it."""

    @property
    def known(self) -> bool:
        """Whether the language has a file of its own."""
        return self.code in codes()

    @cached_property
    def polar(self) -> frozenset[str]:
        return self.yes | self.no

    @cached_property
    def denying(self) -> frozenset[str]:
        """All that says yes or no, or negates."""
        return self.polar | self.negations


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


def language_of_all(texts: Sequence[str]) -> str:
    """The language that texts in Latin letters share: Spanish if most have its opening mark, else the one whose
    function words they have most of, and English unless that one has more different ones, too: questions of one pattern
    repeat a word that tells nothing."""
    if 2 * sum(_OPENS in text for text in texts) > len(texts):
        return "es"
    seen = Counter(word for text in texts for word in _folded_words(text))
    counted = {code: _seen(seen, code) for code in codes()}
    if counted["en"].total() < _TELLING * len(texts):
        counted |= {code: _seen(seen, code) for code in others()}
    enough = len(counted["en"]) + (_TELLING if counted["en"] else 1)
    found = {code: words.total() for code, words in counted.items() if len(words) >= enough}
    best = max(found, key=found.__getitem__, default="en")
    return best if found.get(best, 0) > counted["en"].total() else "en"


def _seen(words: Counter[str], code: str) -> Counter[str]:
    known = language(code).function_words
    return Counter({word: times for word, times in words.items() if word in known})


def language_among(text: str, common: str) -> str:
    """The language of one text of a file whose texts share a language: another one only where the script or the
    function words say so. A title in another language may follow the first word."""
    if script_of(text) != "LATIN":
        return language_of(text)
    if (own := _function_words(text, common)) >= _TELLING:
        return common
    if _OPENS in text:
        return "es"
    best = max(codes(), key=lambda code: _function_words(text, code))
    begins = next(map(folded, _LETTERS.findall(text)), "")
    if begins in language(common).function_words - language(best).function_words:
        return common
    return best if _function_words(text, best) >= own + _TELLING else common


def in_another(text: str, common: str, others: Iterable[str]) -> bool:
    """Whether a text is in another language than the one that it should share with others, and none of them is in that
    one, too. Of languages whose words are not known, this is not told."""
    spoken = language_among(text, common)
    return (
        language(common).known and spoken != common and all(language_among(each, common) != spoken for each in others)
    )


def spoken_in(question: str, reply: str) -> str:
    """The language of a question; of question and reply if the question has too few words to tell."""
    return language_by_words(question if _tells(question) else f"{question} {reply[:_ENOUGH]}")


@lru_cache(maxsize=64)
def _tells(question: str) -> bool:
    return language_of(question) != "en" or _function_words(question, language_by_words(question)) >= _TELLING


@lru_cache(maxsize=64)
def language_by_words(text: str) -> str:
    """The language whose function words a text has most of, but English unless another has at least two, and more than
    English, or the letters are not Latin."""
    script = language_of(text)
    words = {*_folded_words(text), *(text if script in ("zh", "ja") else "")}
    counted = {code: len(language(code).function_words & words) for code in (*codes(), *others(), script)}
    best = max(counted, key=counted.__getitem__)
    return best if counted[best] > max(1, counted["en"]) else script


def _function_words(text: str, code: str) -> int:
    return len(language(code).function_words.intersection(_folded_words(text)))


@lru_cache(4)
def _folded_words(text: str) -> Sequence[str]:
    if text.isascii():
        return text.encode().translate(_ASCII_LETTERS).decode().split()
    return [*map(folded, _LETTERS.findall(text))]


@cache
def codes() -> tuple[str, ...]:
    """The two-letter codes of the languages whose words are known: ours first, then those that were added."""
    folder = Path(os.environ.get(FOLDER) or os.devnull)
    added = {path.stem for path in folder.iterdir() if len(path.stem) == 2} if folder.is_dir() else set[str]()
    return tuple(dict.fromkeys((*BUILT_IN["languages"], *sorted({*names("languages"), *added}))))


@cache
def language(code: str) -> Language:
    """The language of a two-letter code; one with the few words of `others.yaml`, and not `known`, if it has no file.

    Raises BotattackError, with the file, if a list in it is not one that a language has.
    """
    lists = written(code, "words") or others().get(code, {})
    words = {name: listed if name == "stemmer" else _words(listed) for name, listed in lists.items()}
    try:
        return msgspec.convert({**words, "code": code}, Language)
    except msgspec.ValidationError as error:
        known = ", ".join(Language.__struct_fields__[1:])
        raise BotattackError(f"{_file(code, 'words')}: {error}. A language may have these lists: {known}") from error


@cache
def column_names() -> Mapping[str, str]:
    """The field that a column of a file of questions has, by what all languages call it: folded, words set apart by
    spaces."""
    known = {code: language(code).columns for code in (*codes(), *others())}
    return {folded(name): field for columns in known.values() for field, names in columns.items() for name in names}


def having(*lists: str) -> frozenset[str]:
    """The languages that have all these lists."""
    return frozenset(code for code in (*codes(), *others()) if all(getattr(language(code), name) for name in lists))


def _file(code: str, name: str) -> Traversable | None:
    """The file of a language that has some of its lists; None if there is none. One in your own folder comes first."""
    homes: list[Traversable] = [Path(os.environ[FOLDER])] if os.environ.get(FOLDER) else []
    paths = (f"{code}/{name}.yaml", f"{code}.yaml")[: 2 if name == "words" else 1]
    found = (
        home.joinpath(path)
        for home in (*homes, files(names("languages").get(code, "botattack.lang")))
        for path in paths
    )
    # A question file may give any text as its language, which must not lead out of the folder.
    return next((path for path in found if path.is_file()), None) if code.isalpha() else None


@cache
def written(code: str, name: str) -> Mapping[str, Any]:
    """The lists of one file of a language as they are written; none if there is no such file."""
    path = _file(code, name)
    return read_lists(path) if path else {}


def read_lists(path: Traversable) -> Mapping[str, Any]:
    """A YAML file of lists of words; raises BotattackError."""
    import yaml

    try:
        loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader  # ten times as fast in C
        lists = yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506  both are safe
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BotattackError(f"{path} is no YAML file: {error}") from error
    if not isinstance(lists, dict):
        raise BotattackError(
            f"{path} must be a mapping from names of lists to words, as in botattack/lang/de/words.yaml"
        )
    return lists


@cache
def others() -> Mapping[str, Mapping[str, Any]]:
    """What is known of languages without a file, by their codes."""
    return read_lists(files("botattack.lang") / "others.yaml")


def _words(listed: str | list[Any] | Mapping[str, Any]) -> frozenset[str] | tuple[object, ...] | Mapping[str, object]:
    if isinstance(listed, str):
        return frozenset(map(folded, listed.split()))
    if isinstance(listed, list):
        return tuple(tuple(each) if isinstance(each, list) else each for each in listed)
    return {folded(word): _meaning(said) for word, said in listed.items()}


def _meaning(said: str | float | list[str]) -> str | tuple[str, ...]:
    return tuple(said) if isinstance(said, list) else folded(said) if isinstance(said, str) else str(said)


_FIRST_LETTERS = 5
"""What is behind these letters of a word is mostly an ending, in languages whose endings nobody listed."""


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """What the forms of a folded word have in common: by the rules of English if it is ASCII, else first letters."""
    return stemmer("en")(word.removesuffix("'s")) if word.isascii() else word[:_FIRST_LETTERS]


@cache
def stemmer(code: str) -> Callable[[str], str]:
    """What cuts the endings off a folded word: Snowball's stemmer, or nothing where it has none for the language."""
    name = language(code).stemmer
    if not name:
        return str
    import Stemmer

    # Its cache (second argument) is off, as it would keep words of any length.
    return cast("Callable[[str], str]", Stemmer.Stemmer(name, 0).stemWord)
