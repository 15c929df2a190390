"""A few names of each type, for fake answers and altered questions. Pure."""

from __future__ import annotations

from collections.abc import Mapping


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


INVENTED = _names("Kelmar,Ostrel,Tarvane,Brellin,Veldor,Harnow,Milstrad,Dorvane,Quenbar,Sarvick,Lorath,Wexbar")
"""Names of nobody: each may be a person, a place, a company or a ship, so that none is of the wrong type."""
ACRONYMS = _names("KTO,VRB,OLM,QDS,WNL,TBU")

_PEOPLE = _names(
    "Alex Tremblay,Robin Halvorsen,Kim Okafor,Jordan Petrov,Morgan Ferreira,Casey Lindqvist,Jamie Novak,Riley Moreau,"
    "Sasha Ibarra,Noor Haddad,Dana Kowalski,Jules Brandt"
)
"""Of no sex, so that they agree with every "he" and "she" of a question; nobody that is known for anything."""
_CITIES = _names("Chicago,Oslo,Lima,Cairo,Sydney,Bombay,Porto,Nairobi,Helsinki,Montreal")
_COUNTRIES = _names("Brazil,Norway,Kenya,Vietnam,Canada,Portugal,Finland,Peru,Thailand,Morocco")
_PLACES = _names("Brazil,Norway,Kenya,Vietnam,Canada,Portugal,Chicago,Oslo,Lima,Cairo,Sydney,Bombay,Texas")
_GROUPS = _names("Siemens,Toyota,Oxford University,the Red Cross,Nestle,Interpol,Samsung,Greenpeace,UNICEF")
_WORKS = _names("Hamlet,Moby Dick,Casablanca,Swan Lake,Don Quixote,Star Trek,The Odyssey,Guernica")

NAMES: Mapping[str, tuple[str, ...]] = {
    "PERSON": _PEOPLE,
    "GPE": _PLACES,
    "CITY": _CITIES,
    "COUNTRY": (*_COUNTRIES, "the Netherlands", "the Philippines", "the Maldives", "the Bahamas"),
    "STATE": _names("Texas,Oregon,Bavaria,Queensland,Vermont,Andalusia,Tasmania,Kerala"),
    "SCHOOL": _names("Oxford University,Heidelberg University,Lund University,Tulane University"),
    "BAND": _names("ABBA,Radiohead,Coldplay,Kraftwerk,Metallica"),
    "TEAM": _names("Ajax Amsterdam,Celtic Glasgow,Real Madrid,Benfica,Inter Miami"),
    "MUSEUM": _names("the Louvre,the Prado,Tate Modern,the Guggenheim Museum,the Uffizi Gallery"),
    "RIVER": _names("the Danube,the Mekong,the River Clyde,the Volga,the Hudson River"),
    "ISLAND": _names("Tasmania,Crete,Zanzibar,Bornholm,Madagascar"),
    "LAKE": _names("Lake Geneva,Lake Victoria,Loch Ness,Lake Titicaca,Lake Ontario"),
    "MOUNTAIN": _names("Mount Kenya,Mont Blanc,Mount Fuji,Ben Nevis,Mount Etna"),
    "AIRPORT": _names("Heathrow Airport,Oslo Airport,Narita Airport,Denver Airport"),
    "PARTY": _names("the Green Party,the Labour Party,the Pirate Party,the Farmers' Party"),
    "MAGAZINE": _names("National Geographic,The Economist,Vogue,Der Spiegel"),
    "CONTINENT": _names("Africa,Asia,Europe,Australia,Antarctica,South America"),
    "COMPANY": _names("Siemens,Toyota,Nestle,Samsung,Nokia"),
    "DIRECTION": _names("north,south,east,west,northeast,northwest,southeast,southwest"),
    "ORG": _GROUPS,
    "WORK_OF_ART": _WORKS,
    "GENRE": _names("polka,tango,reggae,opera,flamenco"),
    "COLOR": _names("purple,orange,turquoise,beige,maroon"),
    "RELIGION": _names("Buddhism,Shinto,Sikhism,Jainism,Zoroastrianism"),
    "SPORT": _names("handball,rugby,badminton,polo,curling"),
    "PRODUCT": _names("Walkman,Game Boy,Polaroid,Vespa,Thermos"),
    "EVENT": _names("the Renaissance,the Olympic Games,the French Revolution,the Boxer Rebellion"),
    "NORP": _names("Danish,Mexican,Finnish,Korean,Nigerian,Portuguese"),
    "LANGUAGE": _names("Swahili,Danish,Tamil,Welsh,Finnish"),
    "LAW": _names("the Magna Carta,the Geneva Convention,the Bill of Rights"),
    "NAME": INVENTED,
}
"""By entity type, as spaCy names types; NAME is a proper noun of a type that is not known; CITY,
COUNTRY, STATE and those that no label of spaCy has are finer types of our own."""
