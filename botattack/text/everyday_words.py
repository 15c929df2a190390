"""What people type day by day: contractions, fillers, words that sound alike, marks of punctuation. Pure."""

from __future__ import annotations

from collections.abc import Mapping

_PRONOUNS = {"i": "am", "you": "are", "we": "are", "they": "are", "he": "is", "she": "is", "it": "is", "that": "is"}
_ASKING = ("what", "who", "where", "when", "how", "why", "there", "here")
_NEGATED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "do": "don't", "does": "doesn't",
    "did": "didn't", "has": "hasn't", "have": "haven't", "had": "hadn't", "could": "couldn't", "would": "wouldn't",
    "should": "shouldn't", "will": "won't", "can": "can't", "must": "mustn't",
}  # fmt: skip
_ENDINGS = {"am": "'m", "are": "'re", "is": "'s"}

CONTRACTIONS: Mapping[str, str] = {
    **{f"{who} {be}": who + _ENDINGS[be] for who, be in _PRONOUNS.items()},
    **{f"{word} is": f"{word}'s" for word in _ASKING},
    **{f"{who} will": f"{who}'ll" for who in ("i", "you", "we", "they", "he", "she", "it")},
    **{f"{who} have": f"{who}'ve" for who in ("i", "you", "we", "they")},
    **{f"{who} would": f"{who}'d" for who in ("i", "you", "we", "they", "he", "she")},
    **{f"{verb} not": short for verb, short in _NEGATED.items()},
    "cannot": "can't",
    "let us": "let's",
}
"""Written out in full and short, in lower case."""

NEGATED: Mapping[str, str] = _NEGATED
"""Auxiliaries with `not` run into them."""

FILLERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        ("um, ", "hey, ", "hi, ", "so, ", "well, ", "ok, ", "please, ", "like, ", "hmm, ", "quick question: "),
        (" please", ", thanks", ", you know", " lol", " pls"),
    ),
    "fa": (("ببخشید، ", "سلام، ", "خب، ", "لطفا ", "راستی، "), (" لطفا", "، ممنون")),
    "ar": (("مرحبا، ", "من فضلك، ", "طيب، "), (" من فضلك", "، شكرا")),
    "de": (("äh, ", "hallo, ", "also, ", "bitte, "), (" bitte", ", danke")),
    "fr": (("euh, ", "bonjour, ", "alors, ", "bon, "), (" s'il vous plaît", ", merci")),
    "es": (("eh, ", "hola, ", "bueno, ", "pues, "), (" por favor", ", gracias")),
    "ru": (("э-э, ", "привет, ", "ну, "), (" пожалуйста", ", спасибо")),
}
"""What is said before and after a question without adding to it, by language."""


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split("/")) for group in text.split())


FINAL_MARKS: Mapping[str, tuple[str, ...]] = {
    "ar": ("؟", "."), "fa": ("؟", "."), "ur": ("؟", "۔"), "zh": ("？", "。"), "ja": ("？", "。"), "el": (";", "."),
    "hi": ("?", "।"), "am": ("፧", "።"), "hy": ("՞", "։"),
}  # fmt: skip
"""The question mark and the full stop of languages that do not write `?` and `.`."""
COMMAS: Mapping[str, str] = {"ar": "،", "fa": "،", "ur": "،", "zh": "，", "ja": "、", "am": "፣"}
