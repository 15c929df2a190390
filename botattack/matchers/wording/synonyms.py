"""Roots of words: what a word shares with those derived from it, and with those for which a reader would as soon say
the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_VERBS_TEXT = (
    "move flow travel / begin start begun began commence / end finish conclude / rise increase rose risen growth "
    "grow grew grown / use employ utilise utilize / make made produce create / turn change convert transform "
    "alter modify / show display exhibit shown prove proof proven demonstrate / teach taught instruct teacher "
    "instructor / write wrote written writer author / work labour labor / cure heal / buy purchase bought / help "
    "aid assist support / pay paid / meet met / sit sat / stand stood / hear heard listen / feel felt / burn "
    "burnt / learn learnt / lend lent / loan borrow / shoot shot / steal stole stolen / throw threw thrown / catch "
    "caught / fight fought / hide hidden conceal / ride rode ridden / blow blown / feed fed / sing sang sung / "
    "build built construct / fall fell fallen / eat ate eaten meal dine / fly flew flown flight / tell told "
    "inform / keep kept hold held stored storing retain / sell sold sale / lose lost loss / win won victory / "
    "speak spoke spoken speech talk / give gave given gift donate donation / take took taken / see saw seen look "
    "view / know knew known / draw drew drawn / drive drove driven / wear wore worn / tear tore torn / say said / "
    "think thought / bring brought / send sent post mail / spend spent / break broke broken / choose chose chosen "
    "choice select pick click press tap / run ran / swim swam swum / freeze froze frozen / believe belief / live "
    "lives life living reside resident inhabitant / die died dies dying dead death / birth born / leave exit "
    "depart / arrive arrival / renovate renovation refurbish refurbishment redecorate modernise modernize "
    "redevelop / repair fix mend / damage harm / promise pledge vow swear swore sworn oath / practise practice / "
    "protect protection shield safeguard guard / prevent avoid / stop halt cease / remove delete erase / wash "
    "clean / allow permit / forbid forbidden ban prohibit / require need necessary / provide supply / receive "
    "receipt obtain gain acquire / join connect attach fasten link / divide split separate / mix blend combine "
    "mixture / chop slice cut / destroy demolish wreck / own possess / cancel annul revoke / postpone defer delay "
    "/ happen occur / revolve orbit / rotate spin / try attempt / hire rent rental lease / find found discover "
    "locate / kill murder assassinate slay / restart reboot / report notify / search seek sought / bathe bath / "
    "sleep slept / reply respond answer response / strike struck hit / lead leash / grow-up adult / measure gauge "
    "/ warn alert warning / limit restrict / insure insurer insurance / expire expiry / refund reimburse "
    "reimbursement / breathe breath / apply application applicant / admit admission / decide decision / describe "
    "description / explain explanation / compete competition competitor / reduce reduction / extend extension "
    "prolong / expand expansion / maintain maintenance / analyse analysis analyze / advise advice / prepare "
    "preparation / deny denial / consume consumption / absorb absorption / subscribe subscription / solve "
    "solution / explode explosion / invade invasion / succeed success successful / fail failed failure "
    "unsuccessful / lock block / rot rotted rotten decay decompose / enrich fertilise / enter entrance entry / "
    "deliver delivery / pronounce pronunciation / perceive perception / go goes going gone went"
)
_NOUNS_TEXT = (
    "kind form type sort variety / picture image photo photograph / person someone somebody human people anyone / "
    "path way route / region area / illness sickness disease ill sick / house home / sea ocean / rock stone / "
    "road street / shop store / child kid children / car automobile / seller vendor / doctor physician / job "
    "occupation profession / film movie / man men / woman women / foot feet / tooth teeth / leaf leaves / length "
    "long / width wide / sum amount quantity / identification id / depth deep / strength strong / warmth warm / "
    "hot heat / fee charge / page screen / customer client / guest visitor / staff employee worker personnel / "
    "student pupil / luggage baggage / voucher coupon / infant baby / instrument tool / rule regulation / law "
    "legislation / lawyer attorney solicitor / crime offence offense / prison jail gaol / court tribunal / "
    "contract agreement / permission consent / danger hazard risk peril hazardous dangerous / accident crash "
    "collision / border boundary frontier / summit peak top / bottom base / rear back / centre center middle / "
    "desk counter / lobby foyer / basement cellar / plane airplane aeroplane aircraft / railway railroad rail / "
    "bicycle bike / ship boat / taxi cab / underground subway metro / flat apartment / holiday vacation / rubbish "
    "trash garbage litter / petrol gasoline / phone telephone mobile smartphone / software program programme / "
    "price cost / salary wage / problem issue / password passcode / energy power / velocity speed / weight weigh "
    "/ vapour vapor steam / rain rainfall precipitation / country nation / city town / forest woodland / coast "
    "shore seaside / king monarch / medicine medication drug / tablet pill / vaccine vaccination jab / surgery "
    "operation / pharmacist chemist pharmacy / statue sculpture / tomb grave / castle fortress / harbour harbor "
    "port / song tune / cloth fabric / clothes clothing garment / year annual / reservation booking reserve / "
    "sunlight sunshine / soil ground / animal creature / study research / plug outlet / handbook manual / "
    "pavement sidewalk / garden yard / lorry truck / cooker stove / nappy diaper / pram pushchair stroller buggy "
    "/ biscuit cookie / toilet restroom bathroom lavatory loo / cupboard closet / postcode zip / spectacles "
    "glasses eyeglasses / purse wallet / thief robber burglar / soldier troops / disagreement dispute"
)
_QUALITIES_TEXT = (
    "large big huge great massive enormous vast giant / small little tiny / quick fast rapid swift / round "
    "spherical circular / several many / clever intelligent / old ancient / near close / whole entire / hard "
    "difficult tough / easy simple / main chief principal primary major / common widespread / empty vacant / cold "
    "cool chilly / wrong incorrect / rich wealthy / famous renowned celebrated / safe secure / same identical / "
    "real genuine authentic / fake counterfeit / ethical moral / faulty fault defect defective flaw / indoor "
    "indoors inside / outdoor outdoors outside / nearest closest / free gratis complimentary / enough sufficient "
    "/ thin slim / silent quiet / mandatory compulsory obligatory / extra additional / secret confidential / wet "
    "damp moist moisture / rare scarce / brave courageous / angry furious / glad happy / sad unhappy / missing "
    "absent incomplete / cheap inexpensive / expensive costly dear"
)
_ENDINGS = (
    ("ements", 3), ("ement", 3), ("ments", 4), ("ment", 4), ("ations", 4), ("ation", 4), ("ically", 4), ("ical", 4),
    ("ure", 4), ("ities", 4), ("ity", 4), ("ness", 4), ("ances", 5), ("ance", 5), ("ences", 5), ("ence", 5),
    ("ions", 5), ("ion", 5), ("isms", 4), ("ism", 4), ("ists", 4),
    ("ist", 4), ("ings", 3), ("ing", 3), ("ies", 3), ("ied", 3), ("ers", 4), ("ors", 5), ("er", 4), ("or", 5),
    ("ally", 4), ("ly", 4), ("al", 5), ("ic", 5), ("ed", 3), ("es", 3), ("ful", 4), ("s", 3), ("y", 4), ("e", 3),
)  # fmt: skip
_DOUBLING = ("ing", "ed", "er", "ers")
_BRITISH = re.compile(r"(?<=\w\w)our(?=$|s$|ed$|ful|ing|ite|able)")
_METRE = re.compile(r"(?<=\w\w)tre(?=s?$)")
"""American spelling has "color", "organize" and "theater"; here they are "color", "organise" and "theater"."""
_VOWEL = re.compile(r"[aeiouy]")
_PHRASES_TEXT = (
    "go up = rise / come up = rise / go down = fall / come down = fall / take place = happen / find out = discover / "
    "throw away = discard / give back = return / send back = return / bring back = return / "
    "turn into = change / get rid = remove / put off = postpone / call off = cancel / run out = expire / "
    "hand in = submit"
)
"""Two words that say what one says; the first in any form."""


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """What a word shares with those derived from it, and with those that say the same: "moves", "movement", "flows"."""
    word = _BRITISH.sub("or", _METRE.sub("ter", word.replace("iz", "is")))
    bare = _stripped(word)
    return _ROOTS.get(word) or _ROOTS.get(bare, bare)


def _stripped(word: str) -> str:
    """ "governmental" is "govern"."""
    for _ in range(3):
        ending = next((each for each in _ENDINGS if _ends(word, *each)), None)
        if ending is None:
            break
        rest = word[: -len(ending[0])]
        word = rest[:-1] if rest[-1] == rest[-2] and ending[0] in _DOUBLING else rest
    return word


def _ends(word: str, ending: str, least: int) -> bool:
    if not word.endswith(ending) or len(word) - len(ending) < least or (ending == "s" and word.endswith(("ss", "us"))):
        return False
    return bool(_VOWEL.search(word, 0, len(word) - len(ending)))


def _roots() -> dict[str, str]:
    """A word that is listed goes before what is left of another one: "worker" is no "work"."""
    groups = [group.split() for text in (_VERBS_TEXT, _NOUNS_TEXT, _QUALITIES_TEXT) for group in text.split(" / ")]
    found = {word: _stripped(words[0]) for words in groups for word in words}
    for first, *rest in groups:
        for word in rest:
            found.setdefault(_stripped(word), _stripped(first))
    return found


_ROOTS = _roots()
_PHRASES = {
    (root(first), second): root(same)
    for first, second, _, same in (each.split() for each in _PHRASES_TEXT.split(" / "))
}
_SECONDS = frozenset(second for _, second in _PHRASES)


def roots_of(words: Sequence[str]) -> list[str]:
    """The root of each word; of two that say what one says ("goes up") that one's, and an empty one."""
    found = [root(word) for word in words]
    for at in range(1, len(words)) if not _SECONDS.isdisjoint(words) else ():
        if same := _PHRASES.get((found[at - 1], words[at])):
            found[at - 1 : at + 1] = [same, ""]
    return found
