"""A few names of each type, for fake answers and altered questions. Pure."""

from __future__ import annotations

from collections.abc import Mapping


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


_PEOPLE = _names(
    "Amelia Earhart,Nelson Mandela,Marie Curie,Charles Darwin,Frida Kahlo,Louis Armstrong,Ada Lovelace,Bob Marley,"
    "Jane Austen,Mahatma Gandhi,Coco Chanel,Isaac Newton"
)
_CITIES = _names("Chicago,Oslo,Lima,Cairo,Sydney,Bombay,Porto,Nairobi,Helsinki,Montreal")
_COUNTRIES = _names("Brazil,Norway,Kenya,Vietnam,Canada,Portugal,Finland,Peru,Thailand,Morocco")
_PLACES = _names("Brazil,Norway,Kenya,Vietnam,Canada,Portugal,Chicago,Oslo,Lima,Cairo,Sydney,Bombay,Texas")
_GROUPS = _names("Siemens,Toyota,Oxford University,the Red Cross,Nestle,Interpol,Samsung,Greenpeace,UNICEF")
_WORKS = _names("Hamlet,Moby Dick,Casablanca,Swan Lake,Don Quixote,Star Trek,The Odyssey,Guernica")

NAMES: Mapping[str, tuple[str, ...]] = {
    "PERSON": _PEOPLE,
    "GPE": _PLACES,
    "CITY": _CITIES,
    "COUNTRY": _COUNTRIES,
    "STATE": _names("Texas,Oregon,Bavaria,Queensland,Vermont,Andalusia,Tasmania,Kerala"),
    "SCHOOL": _names(
        "Oxford University,the University of Cape Town,Heidelberg University,Lund University,Tulane University"
    ),
    "BAND": _names("the Beatles,ABBA,Radiohead,Coldplay,the Kinks,Kraftwerk"),
    "TEAM": _names(
        "Ajax Amsterdam,the Boston Celtics,Boca Juniors,the Toronto Raptors,Celtic Glasgow,the Chicago Bulls"
    ),
    "MUSEUM": _names("the Louvre,the Prado,Tate Modern,the Guggenheim Museum,the Uffizi Gallery"),
    "RIVER": _names("the Danube,the Mekong,the River Clyde,the Volga,the Hudson River"),
    "ISLAND": _names("Tasmania,Crete,Zanzibar,Bornholm,Madagascar"),
    "LAKE": _names("Lake Geneva,Lake Victoria,Loch Ness,Lake Titicaca,Lake Ontario"),
    "MOUNTAIN": _names("Mount Kenya,Mont Blanc,Mount Fuji,Ben Nevis,Mount Etna"),
    "AIRPORT": _names("Heathrow Airport,Oslo Airport,Narita Airport,Denver Airport"),
    "PARTY": _names("the Green Party,the Labour Party,the Pirate Party,the Farmers' Party"),
    "MAGAZINE": _names("National Geographic,The Economist,Vogue,Der Spiegel"),
    "ORG": _GROUPS,
    "WORK_OF_ART": _WORKS,
    "PRODUCT": ("Walkman", "Game Boy", "Polaroid", "Vespa", "Rubik's Cube", "Thermos"),
    "EVENT": ("the Renaissance", "the Olympic Games", "the French Revolution", "Woodstock", "the Boxer Rebellion"),
    "NORP": ("Danish", "Mexican", "Finnish", "Korean", "Nigerian", "Portuguese"),
    "LANGUAGE": ("Swahili", "Danish", "Tamil", "Welsh", "Finnish"),
    "LAW": ("the Magna Carta", "the Geneva Convention", "the Bill of Rights"),
    "DATE": ("last winter", "yesterday", "next spring", "last March", "this week"),
    "TIME": ("this morning", "tonight", "last night", "this evening"),
    "ORDINAL": ("second", "fourth", "seventh", "ninth", "tenth"),
    "CARDINAL": ("two", "five", "eleven", "forty", "ninety"),
    "NUM": ("two", "five", "eleven", "forty", "ninety"),
    "NAME": (*_PEOPLE, *_PLACES, *_WORKS),
}
"""By entity type, as spaCy names types; NAME is a proper noun of a type that is not known; CITY,
COUNTRY, STATE and those that no label of spaCy has are finer types of our own."""
