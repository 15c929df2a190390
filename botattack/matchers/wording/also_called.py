"""Other names by which a thing is as well known: "CO2", "JPY", "the UK", "the WHO", "Arsenal Football Club"."""

from __future__ import annotations

import re

_SAME_TEXT = (
    "carbon dioxide = co2 / water = h2o / oxygen = o2 / nitrogen = n2 / methane = ch4 / ammonia = nh3 / ozone = o3 / "
    "sodium chloride = nacl = table salt / hydrogen peroxide = h2o2 / sulphuric acid = sulfuric acid = h2so4 / "
    "nitrous oxide = laughing gas = n2o / vitamin c = ascorbic acid / sulphur = sulfur / aluminium = aluminum / "
    "yen = jpy / us dollar = usd = american dollar / pound sterling = gbp = british pound / swiss franc = chf / "
    "indian rupee = inr / yuan = renminbi = cny / polish zloty = zloty = pln / swedish krona = sek / rouble = ruble / "
    "united kingdom = uk / united states = usa = united states of america / netherlands = holland / "
    "united arab emirates = uae / czech republic = czechia / myanmar = burma / soviet union = ussr / "
    "new york city = nyc / kyiv = kiev / mumbai = bombay / ho chi minh city = saigon / beijing = peking / "
    "united nations = un / european union = eu / television = tv / refrigerator = fridge / influenza = flu / "
    "artificial intelligence = ai / personal computer = pc / whooping cough = pertussis / chickenpox = varicella / "
    "danube = donau / vienna = wien / munich = munchen / cologne = koln / prague = praha / warsaw = warszawa / "
    "florence = firenze / venice = venezia / lisbon = lisboa / coriander = cilantro / aubergine = eggplant / "
    "courgette = zucchini / maize = corn / peanut = groundnut / icing sugar = powdered sugar / "
    "baking soda = bicarbonate of soda = sodium bicarbonate / football = soccer / table tennis = ping pong / "
    "autumn = in fall / in autumn = in fall"
)
_SAME = {name: group for each in _SAME_TEXT.split(" / ") for group in (each.split(" = "),) for name in group}
_CLUB = re.compile(r"(?P<name>.+) (?:fc|football club)")
_FIRM = re.compile(r"(?P<name>.+) (?P<kind>ltd|limited|inc|plc|gmbh|llc|corp|corporation)")
_KINDS = {"ltd": "limited", "limited": "ltd", "corp": "corporation", "corporation": "corp"}
_SHIP = re.compile(r"(?:ms|ss|mv|hms|rms|uss) (?P<name>.+)")
_TITLED = re.compile(r"(?P<name>(?:prince|princess|king|queen|duke|duchess|emperor|empress|pope) \S+) of \S+")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_JOINING = frozenset(("of", "the", "and", "for", "on"))
_FEWEST = 3
"""Initials that make a name of their own: "WHO", but no "UN", which is listed."""


def also_called(raw: str, phrase: str) -> tuple[str, ...]:
    """The other names of what a gold answer names; `phrase` is its normal form."""
    listed = [name for name in _SAME[phrase] if name != phrase] if phrase in _SAME else []
    if " " not in phrase:
        return tuple(listed)
    if club := _CLUB.fullmatch(phrase):
        listed += [f"{club['name']} fc", f"{club['name']} football club"]
    if (firm := _FIRM.fullmatch(phrase)) and firm["kind"] in _KINDS:
        listed.append(f"{firm['name']} {_KINDS[firm['kind']]}")
    listed += [found["name"] for form in (_FIRM, _SHIP, _TITLED) if (found := form.fullmatch(phrase))]
    named = raw[0].isupper()
    return tuple(name.title() if named else name for name in listed)


def initials(raw: str) -> tuple[str, ...]:
    """ "WHO", of "World Health Organization": in capitals, as no reply has it by chance."""
    words = [word for word in _WORD.findall(raw) if word not in _JOINING]
    named = len(words) >= _FEWEST and all(word[0].isupper() for word in words)
    return ("".join(word[0] for word in words),) if named else ()
