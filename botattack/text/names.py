"""Names whose type is known: which words are a country, a city, a person's first name, and what to put in place of
them. Pure; our own lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Named(NamedTuple):
    """A name to put in place of another, and words of answers that may be right for it."""

    name: str
    facts: frozenset[str]


def _known(text: str) -> frozenset[str]:
    return frozenset(text.replace("\n", " ").split(","))


def _named(text: str) -> tuple[Named, ...]:
    pairs = (line.partition(":") for line in text.splitlines() if line.strip())
    return tuple(Named(name.strip(), frozenset((name.lower() + " " + facts).split())) for name, _, facts in pairs)


KNOWN: Mapping[str, frozenset[str]] = {
    "country": _known(
        "afghanistan,albania,algeria,angola,argentina,armenia,australia,austria,azerbaijan,bahrain,"
        "bangladesh,belarus,belgium,belize,bolivia,botswana,brazil,bulgaria,burma,cambodia,cameroon,canada,"
        "chile,china,colombia,costa rica,croatia,cuba,cyprus,czech republic,denmark,dominican republic,"
        "ecuador,egypt,el salvador,england,estonia,ethiopia,fiji,finland,france,germany,ghana,great britain,"
        "greece,guatemala,haiti,honduras,hungary,iceland,india,indonesia,iran,iraq,ireland,israel,italy,"
        "jamaica,japan,kazakhstan,kenya,kuwait,laos,latvia,lebanon,liberia,libya,lithuania,luxembourg,"
        "madagascar,malaysia,mali,malta,mexico,moldova,mongolia,morocco,mozambique,myanmar,namibia,nepal,"
        "netherlands,new zealand,nicaragua,nigeria,north korea,norway,oman,pakistan,panama,paraguay,peru,"
        "philippines,poland,portugal,qatar,romania,russia,rwanda,saudi arabia,scotland,senegal,serbia,"
        "singapore,slovakia,slovenia,somalia,south africa,south korea,spain,sri lanka,sudan,sweden,"
        "switzerland,syria,taiwan,tanzania,thailand,tunisia,uganda,ukraine,united kingdom,united states,"
        "uruguay,usa,uzbekistan,venezuela,vietnam,wales,yemen,zambia,zimbabwe,uk,britain"
    ),
    "city": _known(
        "amsterdam,athens,atlanta,baghdad,baltimore,bangkok,barcelona,beijing,berlin,boston,brussels,"
        "bucharest,budapest,buenos aires,cairo,chicago,cleveland,copenhagen,dallas,delhi,denver,detroit,"
        "dubai,dublin,edinburgh,frankfurt,fresno,geneva,glasgow,hamburg,helsinki,hong kong,houston,istanbul,"
        "jakarta,jerusalem,kiev,las vegas,lima,lisbon,liverpool,london,los angeles,madrid,manchester,"
        "melbourne,memphis,miami,milan,minneapolis,montreal,moscow,mumbai,munich,nairobi,nashville,new delhi,"
        "new orleans,new york city,newcastle,oslo,paris,philadelphia,phoenix,pittsburgh,prague,rome,"
        "san antonio,san diego,san francisco,san jose,seattle,seoul,shanghai,st. louis,stockholm,sydney,"
        "tehran,tokyo,toronto,vancouver,venice,vienna,warsaw,zurich"
    ),
    "state": _known(
        "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,georgia,hawaii,"
        "idaho,illinois,indiana,iowa,kansas,kentucky,louisiana,maine,maryland,massachusetts,michigan,"
        "minnesota,mississippi,missouri,montana,nebraska,nevada,new hampshire,new jersey,new mexico,new york,"
        "north carolina,north dakota,ohio,oklahoma,oregon,pennsylvania,rhode island,south carolina,"
        "south dakota,tennessee,texas,utah,vermont,virginia,west virginia,wisconsin,wyoming"
    ),
}
"""Names of places by their type, in lower case; none is a common word or a first name as well."""

MEN = _known(
    "aaron,abraham,adam,adolf,alan,albert,alexander,alfred,andrew,andy,anthony,antonio,arnold,arthur,"
    "barack,ben,benjamin,bill,bob,bobby,brad,brian,bruce,carl,charles,charlie,chris,christopher,dan,"
    "daniel,david,dennis,donald,douglas,eddie,edward,elvis,eric,ernest,frank,franklin,frederick,fred,"
    "gary,george,gerald,harold,harry,heinrich,henry,howard,hugh,isaac,jack,jackie,jacob,james,jamie,"
    "jason,jeff,jeremy,jerry,jim,jimmy,joe,joel,john,johnny,joseph,josh,joshua,juan,justin,karl,keith,"
    "ken,kenneth,kevin,kurt,larry,leonardo,louis,ludwig,luis,marcus,martin,matt,matthew,max,michael,mike,"
    "mitch,nelson,neil,nick,nicholas,nikola,oliver,oscar,otto,pablo,patrick,paul,pete,peter,philip,ralph,"
    "randy,ray,richard,rick,robert,robin,roger,ronald,russell,ryan,sam,samuel,scott,sean,sigmund,simon,"
    "stephen,steve,steven,ted,terry,theodore,thomas,tim,timothy,todd,tom,tony,victor,vincent,vladimir,"
    "walt,walter,warren,wayne,will,william,winston,wolfgang,woodrow"
)
WOMEN = _known(
    "agatha,alice,alicia,amanda,amy,angela,angelina,ann,anna,anne,audrey,barbara,beth,betty,britney,"
    "carol,caroline,catherine,celine,charlotte,christina,claire,cynthia,diana,diane,dorothy,eleanor,"
    "elizabeth,ella,ellen,emily,emma,eva,florence,grace,hannah,harriet,heather,helen,hillary,jane,janet,"
    "jennifer,jessica,joan,judy,julia,julie,karen,kate,katherine,kathleen,katy,kim,kristen,laura,lauren,"
    "linda,lisa,louise,lucy,madonna,margaret,maria,marie,marilyn,martha,mary,megan,melissa,michelle,"
    "miley,miranda,monica,nancy,naomi,natalie,nicole,olivia,pamela,patricia,rachel,rebecca,rita,rosa,"
    "rosemary,ruth,sally,sandra,sarah,selena,serena,sharon,shirley,sophia,stephanie,susan,sylvia,taylor,"
    "teresa,vanessa,victoria,virginia,whitney,zoe"
)
"""First names that are seldom anything else."""

OTHERS: Mapping[str, Sequence[Named]] = {
    "country": _named(
        """
        Brazil: brazilian portuguese real america south latin amazon carnival football soccer bra brl utc-03
        Norway: norwegian krone nok europe european scandinavia scandinavian nordic sami
        Kenya: kenyan swahili english shilling africa african east
        Vietnam: vietnamese dong asia asian southeast buddhism
        Turkey: turkish lira kurdish islam muslim europe asia
        Poland: polish zloty europe european catholic catholicism
        Japan: japanese yen asia asian buddhism shinto
        Peru: peruvian spanish sol nuevo quechua america south latin andes
        """
    ),
    "city": _named(
        """
        Oslo: norway norwegian europe
        Cairo: egypt egyptian africa arabic nile
        Lima: peru peruvian spanish america
        Tokyo: japan japanese asia
        Warsaw: poland polish europe
        Nairobi: kenya kenyan africa
        """
    ),
    "state": _named(
        """
        Vermont: new england montpelier eastern burlington united states america usa us
        Alaska: juneau anchorage pacific united states america usa us
        Nebraska: lincoln omaha central midwest united states america usa us
        Arizona: phoenix tucson mountain united states america usa us
        Oregon: salem portland pacific united states america usa us
        """
    ),
    "man alive": _named(
        """
        Barack Obama: honolulu hawaii harvard columbia law chicago michelle malia sasha president kenya
        Paul McCartney: liverpool england linda heather musician beatles
        Tom Hanks: concord california rita wilson actor
        """
    ),
    "man dead": _named(
        """
        Nelson Mandela: mvezo south africa qunu winnie graca president pneumonia johannesburg fort hare
        Albert Einstein: ulm germany zurich princeton mileva elsa eth aneurysm physicist
        Bob Marley: jamaica nine mile rita miami cancer melanoma musician
        """
    ),
    "woman alive": _named(
        """
        Michelle Obama: chicago illinois princeton harvard barack malia sasha
        Serena Williams: saginaw michigan compton richard oracene tennis florida
        Meryl Streep: summit new jersey vassar yale actress
        """
    ),
    "woman dead": _named(
        """
        Marie Curie: warsaw poland paris sorbonne pierre irene physicist chemist anaemia anemia radiation
        Agatha Christie: torquay devon england archie max mallowan writer author
        Grace Kelly: philadelphia monaco rainier princess actress stroke
        """
    ),
}
"""What to put in place of a name of a type. Each differs from the others in what is usually asked."""

SAME_FOR_MANY = _known(
    "government,religion,religions,religious,type,types,kind,kinds,form,system,color,colors,colour,"
    "continent,hemisphere,climate,weather,side,plug,voltage,season,zone,time,timezone,sport,sports"
)
"""What is asked with these has one answer for many places."""
LIVES = _known(
    "born,birth,birthday,birthplace,die,died,dies,death,dead,buried,grave,marry,married,wife,wives,"
    "husband,husbands,spouse,father,mother,parent,parents,dad,mom,son,sons,daughter,daughters,child,"
    "children,kid,kids,sister,sisters,brother,brothers,sibling,siblings,school,schools,college,"
    "university,attend,attended,study,studied,educated,education,grow,grew,raised,live,lived,lives,"
    "hometown,home,nationality,old,age,tall,height,famous,known"
)
"""What is asked with these everybody has."""
DEATH = _known("die,died,dies,death,dead,buried,grave,killed")
