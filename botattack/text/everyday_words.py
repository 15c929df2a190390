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


CONFUSED = _groups(
    "there/their/they're your/you're its/it's to/too/two whose/who's then/than of/off were/we're/where "
    "by/buy/bye for/four know/no here/hear right/write which/witch weather/whether won/one our/hour would/wood"
)
"""Words that sound alike and that writers mix up so often that a reader sees past it."""

HOMOPHONES = _groups(
    "capital/capitol principal/principle sea/see sun/son sail/sale mail/male tail/tale pair/pear/pare bear/bare "
    "deer/dear flower/flour steel/steal meet/meat week/weak red/read blue/blew made/maid piece/peace plain/plane "
    "brake/break cell/sell cent/sent/scent cite/site/sight eight/ate fair/fare feet/feat great/grate hair/hare "
    "heal/heel heard/herd hole/whole knight/night knew/new main/mane missed/mist morning/mourning none/nun "
    "oar/ore/or pain/pane past/passed poor/pour/pore pray/prey rain/reign/rein road/rode/rowed roll/role "
    "root/route rose/rows sew/so/sow some/sum stair/stare stake/steak stationary/stationery tide/tied toe/tow "
    "vain/vein/vane waist/waste wait/weight war/wore way/weigh wear/ware world/whirled born/borne board/bored "
    "higher/hire lead/led aloud/allowed altar/alter band/banned base/bass beach/beech build/billed "
    "coarse/course complement/compliment council/counsel currant/current desert/dessert dual/duel "
    "die/dye isle/aisle key/quay loan/lone mayor/mare miner/minor muscle/mussel naval/navel profit/prophet "
    "serial/cereal soul/sole stories/storeys throne/thrown vice/vise"
)
"""Other words that sound alike: each is a word of its own, so what is meant may change."""

FINAL_MARKS: Mapping[str, tuple[str, ...]] = {
    "ar": ("؟", "."), "fa": ("؟", "."), "ur": ("؟", "۔"), "zh": ("？", "。"), "ja": ("？", "。"), "el": (";", "."),
    "hi": ("?", "।"), "am": ("፧", "።"), "hy": ("՞", "։"),
}  # fmt: skip
"""The question mark and the full stop of languages that do not write `?` and `.`."""
COMMAS: Mapping[str, str] = {"ar": "،", "fa": "،", "ur": "،", "zh": "，", "ja": "、", "am": "፣"}
