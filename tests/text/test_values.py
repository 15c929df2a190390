"""Values that texts say, in five languages, and how far two of them agree."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.matchers.evidence.reading import read
from botattack.text.languages import codes, language
from botattack.text.values import finding
from botattack.text.values.number_words import WordCursor
from botattack.text.values.typed_value import TypedValue, likeness

DAY, LIGHT_YEAR = 86400, 9.4607304725808e15
READ: dict[str, list[tuple[str, str]]] = {
    "en": [
        ("twenty-two", "number 22"),
        ("two hundred and five", "number 205"),
        ("3.5 million", "number 3500000"),
        ("a dozen", "number 12"),
        ("half a dozen", "number 6"),
        ("three quarters", "number 0.75"),
        ("1,350", "number 1350"),
        ("an hour and a half", "duration 5400"),
        ("3\u00bd hours", "duration 12600"),
        ("5 feet 4 inches", "length 1.6256"),
        ("one metre ninety", "length 1.9"),
        ("20 square miles", "area 51799762.21"),
        ("60 miles per hour", "length/duration 26.8224"),
        ("-5 \u00b0C", "temperature -5"),
        ("68 \u00b0F", "temperature 20"),
        ("5 GB", "data 5000000000"),
        ("35 per cent", "percent 35"),
        ("$3.5 million", "money USD 3500000"),
        ("5 GBP", "money GBP 5"),
        ("EUR 5", "money EUR 5"),
        ("April 1, 2016", "date 2016 4 1"),
        ("the 1st of April, 2016", "date 2016 4 1"),
        ("the fourth of July", "date 0 7 4"),
        ("2016-04-01", "date 2016 4 1"),
        ("March 1994", "date 1994 3 0"),
        ("25 December", "date 0 12 25"),
        ("in the 1920s", "date 1920-1929 0 0"),
        ("in the 1900s", "date 1900-1999 0 0"),
        ("in the 2000s", "date 2000-2009 0 0"),
        ("the 19th century", "date 1801-1900 0 0"),
        ("44 BC", "date -44 0 0"),
        ("summer of 1994", "date 1994 14 0"),
        ("9 am", "clock 540"),
        ("9:30 p.m.", "clock 1290"),
        ("half past nine", "clock 570"),
        ("quarter to ten", "clock 585"),
        ("noon", "clock 720"),
        ("Friday", "weekday 5"),
        ("April 1, 20161", "date 2016 4 1"),
        ("Henry VIII", "number 8"),
    ],
    "de": [
        ("3,5 Millionen Euro", "money EUR 3500000"),
        ("1.500 Meter", "length 1500"),
        ("1. April 2016", "date 2016 4 1"),
        ("am 11.1.", "date 0 1 11"),
        ("im 19. Jahrhundert", "date 1801-1900 0 0"),
        ("21 Uhr 30", "clock 1290"),
        ("44 v. Chr.", "date -44 0 0"),
        ("44 n. Chr.", "date 44 0 0"),
        ("halb zehn", "clock 570"),
        ("zweiundzwanzig Tage", f"duration {22 * DAY}"),
    ],
    "fr": [
        ("le 14 juillet 1789", "date 1789 7 14"),
        ("1er avril 2016", "date 2016 4 1"),
        ("21h30", "clock 1290"),
        ("quatre-vingt-dix-sept", "number 97"),
        ("20 %", "percent 20"),
    ],
    "es": [
        ("1 de abril de 2016", "date 2016 4 1"),
        ("treinta y cinco kil\u00f3metros", "length 35000"),
        ("3,5 millones de d\u00f3lares", "money USD 3500000"),
        ("20 por ciento", "percent 20"),
    ],
    "fa": [
        ("\u06f1\u06f3\u06f4\u06f9", "date 1349 0 0"),
        ("\u0633\u0647 \u06a9\u06cc\u0644\u0648\u0645\u062a\u0631", "length 3000"),
        ("\u0628\u06cc\u0633\u062a \u0648 \u062f\u0648", "number 22"),
        ("\u06f1 \u0641\u0631\u0648\u0631\u062f\u06cc\u0646 \u06f1\u06f3\u06f9\u06f5", "date 1395 21 1"),
        ("\u06f2\u06f0 \u062f\u0631\u0635\u062f", "percent 20"),
    ],
}


def values(text: str, code: str = "en") -> tuple[TypedValue, ...]:
    return read(text, language(code)).values


def shown(value: TypedValue) -> str:
    ends = [f"{end:.10g}" for end in dict.fromkeys((round(value.low, 6), round(value.high, 6)))]
    date = f" {value.month} {value.day}" if value.kind == "date" else ""
    return f"{value.kind} {'-'.join(ends)}{date}"


@pytest.mark.parametrize(("code", "text", "wanted"), [(code, *row) for code, rows in READ.items() for row in rows])
def test_one_value(code: str, text: str, wanted: str) -> None:
    assert [shown(value) for value in values(text, code)] == [wanted]


APRIL = {"en": "April", "de": "April", "fr": "avril", "es": "abril", "fa": "\u0622\u0648\u0631\u06cc\u0644"}


def words_of(role: str, code: str) -> list[str]:
    return language(code).values.get(role, "").split()


SAID: dict[str, tuple[str, str]] = {
    "about": ("{} 5", "number 5"),
    "ad": ("44 {}", "date 44 0 0"),
    "am": ("9:30 {}", "clock 570"),
    "and": ("{from} 4 {} 6 km", "length 4000-6000"),
    "article": ("{} {scale}", "number {size}"),
    "bc": ("44 {}", "date -44 0 0"),
    "before": ("10 min {} 9", "clock 530"),
    "by": ("5 {} 6", "number 5"),
    "century": ("19 {}", "date 1801-1900 0 0"),
    "decade": ("1920 {}", "date 1920-1929 0 0"),
    "from": ("{} 4 {and} 6 km", "length 4000-6000"),
    "midnight": ("{}", "clock 0"),
    "minus": ("{} 5", "number -5"),
    "noon": ("{}", "clock 720"),
    "oclock": ("9 {} 30", "clock 570"),
    "of": ("1 {} {april} 2016", "date 2016 4 1"),
    "ordinal": ("19{} {century}", "date 1801-1900 0 0"),
    "past": ("10 min {} 9", "clock 550"),
    "pm": ("9:30 {}", "clock 1290"),
    "quarter": ("{} {past} 9", "clock 555"),
    "to": ("4 {} 6 {km}", "length 4000-6000"),
}
"""What each role of a word makes of the figures beside it."""
ROLES = [
    (code, role, word)
    for code in codes()
    for role in SAID
    for word in words_of(role, code)
    if (code, role) != ("fr", "quarter")  # "moins le quart" is not read
]


def test_every_role_has_a_sentence() -> None:
    assert {*language("en").values} == {*SAID}


@pytest.mark.parametrize(("code", "role", "word"), ROLES)
def test_each_word_that_values_are_written_with_has_its_effect(code: str, role: str, word: str) -> None:
    firsts = {other: words_of(other, code)[0] for other in ("from", "and", "past", "century") if words_of(other, code)}
    scale, size = next(iter(language(code).scales.items()), ("", "0"))
    firsts |= {"scale": scale, "size": f"{float(size):.10g}", "april": APRIL[code], "km": "km"}
    if code == "fa":  # which writes no unit of one letter
        firsts["km"] = "\u06a9\u06cc\u0644\u0648\u0645\u062a\u0631"
    said, wanted = (part.replace("6 km", "6 {km}").format(word, **firsts) for part in SAID[role])
    found = values(said, code)
    assert wanted in [shown(value) for value in found]
    assert found[0].rough is (role == "about")


@pytest.mark.parametrize("code", codes())
def test_each_word_of_a_number_a_month_and_a_unit_is_read(code: str) -> None:
    spoken = language(code)
    for word, size in spoken.scales.items():
        assert f"number {3 * float(size):.10g}" in [shown(value) for value in values(f"3 {word}", code)]
    for sign, share in zip("½¼¾" * ("1⁄2" in spoken.fractions), (0.5, 0.25, 0.75), strict=False):
        assert [shown(value) for value in values(sign, code)] == [f"number {share}"]
    for word, share in spoken.fractions.items():
        amount = f"number {round(float(share), 6):.10g}"
        alone = amount in [shown(value) for value in values(word, code)]
        assert alone or "\u2044" in word or word in ("third", "tenth")  # which are ordinals alone
    for word, month in spoken.months.items():
        dated = [shown(value) for value in values(f"5 {word} 1994", code)]
        assert any(value.startswith(f"date 1994 {month} ") for value in dated), word
    for word in spoken.units:
        assert values(f"3 {word}", code)[0].kind != "number", word


@pytest.mark.parametrize(
    ("code", "text", "number"),
    [
        ("it", "3,5 milioni", 3_500_000),
        ("it", "mille", 1000),
        ("it", "12 mila", 12_000),
        ("pt", "3 mil", 3000),
        ("ru", "3 миллиона", 3_000_000),
        ("pl", "5 tysięcy", 5000),
        ("nl", "3 miljoen", 3_000_000),
        ("tr", "3 milyon", 3_000_000),
        ("ja", "12万", 120_000),
        ("zh", "3 亿", 300_000_000),
        ("ko", "3만", 30_000),
    ],
)
def test_a_million_is_read_in_languages_without_a_file(code: str, text: str, number: int) -> None:
    assert [shown(value) for value in values(text, code)] == [f"number {number:.10g}"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("20 °C", "temperature 20"),
        ("9 heures du soir", "clock 1260"),
        ("3 h de l'après-midi", "clock 900"),
        ("9 heures", "duration 32400"),
        ("midi", "clock 720"),
        ("l'après-midi", None),
    ],
)
def test_french_hours_and_degrees(text: str, wanted: str | None) -> None:
    assert [shown(value) for value in values(text, "fr")] == [wanted] * bool(wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("from 1985 to 1993", "date 1985-1993 0 0"),
        ("1985\u20131993", "date 1985-1993 0 0"),
        ("between 4 and 6 km", "length 4000-6000"),
        ("10:00-15:00", "clock 600-900"),
        ("Monday to Thursday", "weekday 1-4"),
        ("Mon-Fri 8-18h", "clock 480-1080"),
        ("Sunday 7.30-15.30", "clock 450-930"),
        ("Friday from 9 to 6", "clock 540-360"),
        ("8.30-12.30", "clock 510-750"),
        ("8.3-12.35", "number 8.3-12.35"),
        ("from 3 to 5 pm", "clock 900-1020"),
        ("from 9 to 21 o'clock", "clock 540-1260"),
        ("09:00-21:00", "clock 540-1260"),
        ("Monday 3-5 minutes", "duration 180-300"),
        ("it takes 8-18h", "duration 28800-64800"),
    ],
)
def test_a_range_is_read_beside_its_ends(text: str, wanted: str) -> None:
    assert wanted in [shown(value) for value in values(text)]


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("pl", "w styczniu 1994", "date 1994 1 0"),
        ("cs", "v lednu 1994", "date 1994 1 0"),
        ("ru", "в январе 1994", "date 1994 1 0"),
        ("uk", "у січні 1994", "date 1994 1 0"),
        ("hr", "u siječnju 1994", "date 1994 1 0"),
        ("fi", "tammikuussa 1994", "date 1994 1 0"),
        ("et", "jaanuaris 1994", "date 1994 1 0"),
        ("lt", "sausį 1994", "date 1994 1 0"),
        ("hu", "januárban 1994", "date 1994 1 0"),
        ("el", "τον Ιανουάριο 1994", "date 1994 1 0"),
        ("pl", "w marcu 1994", "date 1994 3 0"),
        ("pl", "w maju 1994", "date 1994 0 0"),  # too short for another ending
    ],
)
def test_a_month_of_a_language_without_a_file_may_have_another_ending(code: str, text: str, wanted: str) -> None:
    assert wanted in [shown(value) for value in values(text, code)]


@pytest.mark.parametrize(
    "text", ["You may go.", "March on!", "a second thought", "He is in.", "Augusta and Marching", ""]
)
def test_words_that_are_no_values(text: str) -> None:
    assert not [value for value in values(text) if value.kind != "number"]


@pytest.mark.parametrize("text", ["in 19691.", "in 19691 and then"])
def test_a_footnote_mark_at_a_year(text: str) -> None:
    assert "date 1969 0 0" in [shown(value) for value in values(text)]


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "pt", "nl", "cs", "pl", "ru", "tr", "ar", "it", "fa"])
@pytest.mark.parametrize("sign", "./-")
def test_a_day_in_figures_comes_first_unless_the_language_writes_the_month_first(code: str, sign: str) -> None:
    both = {"date 2016 4 1", "date 2016 1 4"} if code == "en" and sign != "." else {"date 2016 4 1"}
    assert {shown(value) for value in values(sign.join(("01", "04", "2016")), code)} == both
    assert [shown(value) for value in values(sign.join(("04", "13", "2016")), code)] == ["date 2016 4 13"]


def level(said: str, gold: str, code: str = "en") -> float | None:
    found = [like.level for one in values(said, code) for other in values(gold, code) if (like := likeness(one, other))]
    return max(found, default=None)


@pytest.mark.parametrize(
    ("said", "gold", "wanted"),
    [
        ("3000 metres", "3 km", 1),
        ("3 miles", "3 km", 0),
        ("90 minutes", "1 hour 30 minutes", 1),
        ("68 \u00b0F", "20 \u00b0C", 1),
        ("about 4 light years", "4.37 light years", 0),
        ("14", "14 days", 0.75),
        ("1,642 m", "1,640 m", 0.75),
        ("5 dollars", "5 euros", None),
        ("1994", "March 1994", 0.5),
        ("March 1994", "1994", 1),
        ("March 4, 1994", "March 3, 1994", 0.25),
        ("July 1994", "summer of 1994", 1),
        ("1613", "17th century", 1),
        ("in the 1920s", "1925", 0.5),
        ("1925", "1926", 0),
        ("16:30", "4:30 pm", 1),
        ("4:30", "4:30 pm", 1),
        ("4:30 am", "4:30 pm", 0),
        ("25 %", "a quarter", 0.75),
        ("Tuesday", "March 3", None),
        *(
            (said, gold, 0.75)
            for said, gold in (("1.5 %", "1.5"), ("1.5", "1.5 %"), ("25 %", "0.25"), ("0.25", "25 %"))
        ),
        ("1,000 m", "1,040 m", 0.75),
        ("1,000 m", "1,060 m", 0),
        ("0.13 m", "0.125 m", 0.75),
        ("0.12 m", "0.126 m", 0),
        ("4 to 6 km", "5 km", 0.5),
        ("4 to 6 km", "7 km", 0),
        ("4:30", "16:30", 1),
        ("4:30 pm", "4 to 5 pm", 0),
        ("17", "5 pm", 1),
        ("25", "1 am", None),
        ("1994", "the 1990s", 1),
        ("20th century", "1994", 0.5),
        ("May 4", "May 4, 1994", 0.5),
    ],
)
def test_agreement(said: str, gold: str, wanted: float | None) -> None:
    assert level(said, gold) == wanted


@pytest.mark.parametrize(
    ("season", "months"),
    [
        ("spring", "March April May June"),
        ("summer", "June July August September"),
        ("autumn", "September October November December"),
        ("winter", "December January February March"),
    ],
)
def test_a_season_has_four_months(season: str, months: str) -> None:
    every = [*month_name][1:]
    same = [month for month in every if level(f"{month} 1994", f"{season} of 1994") == 1]
    assert {*same} == {*months.split()}
    assert same == [month for month in every if level(f"{season} of 1994", f"{month} 1994") == 1]


_PIECES = (
    "1 12 1994 20161 1,350 3.5 01.04.2016 two hundred and half a the past to am p.m. : - / % $ \u20ac \u00b0 C km "
    "miles hour May April century BC st th s in of Uhr halb siglo \u0633\u0627\u0639\u062a \u06f1\u06f2 \u00bd x by "
    "from between noon Friday quarter dozen million . ,"
)
PIECES = st.sampled_from([*_PIECES.split(), "\n"])


@given(st.lists(PIECES, max_size=30), st.sampled_from([" ", ""]), st.sampled_from(codes()))
def test_any_text_is_read(pieces: list[str], joint: str, code: str) -> None:
    text = joint.join(pieces)
    words = read(text, language(code)).words
    for value in values(text, code):
        assert 0 <= value.first <= value.last < len(words)
        for other in values("3 March 1994, 5 km, 9:00, 12", code):
            like = likeness(value, other)
            assert like is None or (0 <= like.level <= 1 and -6 <= like.distance <= 1)


@given(st.text(max_size=200), st.sampled_from(codes()))
def test_any_characters_are_read(text: str, code: str) -> None:
    assert len(values(text, code)) <= 2 * finding.MOST


@pytest.mark.parametrize(
    "piece", ["1 ", "1-", "two hundred and ", "a half and ", "1 km ", "May 1 ", "12:", "from 1 to ", "of 1 "]
)
def test_reading_takes_as_many_steps_as_there_are_words(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0

    def counted(look: Callable[[WordCursor, int], str]) -> Callable[[WordCursor, int], str]:
        def looked(words: WordCursor, at: int) -> str:
            nonlocal steps
            steps += 1
            return look(words, at)

        return looked

    for look in ("word", "gap"):
        monkeypatch.setattr(WordCursor, look, counted(getattr(WordCursor, look)))
    counts = []
    for times in (20, 40):
        steps = 0
        assert values(f"{piece * times}."), piece
        counts.append(steps)
    assert counts[1] <= 2.2 * counts[0] + 50


@pytest.mark.parametrize("word", ["Ærø", "Straße", "Þór", "ﬁne", "œuvre", "½", "Ǆ", "①②", "ژوئیه"])
def test_a_date_is_where_it_stands_behind_any_letters(word: str) -> None:
    for many in range(1, 4):
        (date,) = (
            one for one in read(f"{word} " * many + "on 5 March 1998", language("en")).values if one.kind == "date"
        )
        assert (date.day, date.month, date.low, date.last - date.first) == (5, 3, 1998, 2)


@pytest.mark.parametrize("hour", range(1, 25))
def test_a_number_of_an_hour_is_a_time_before_noon_or_after_it(hour: int) -> None:
    """Up to twelve it may be either."""

    def level(said: str, gold: str) -> float:
        (one,), (other,) = values(said, "en"), values(gold, "en")
        found = likeness(one, other)
        return found.level if found else -1

    twelve = (hour - 1) % 12 + 1
    after = 12 < hour < 24
    assert (level(f"{hour}", f"{twelve} am"), level(f"{twelve} am", f"{hour}")) == (float(not after),) * 2
    assert (level(f"{hour}", f"{twelve} pm"), level(f"{twelve} pm", f"{hour}")) == (float(hour < 24),) * 2
    assert level(f"{hour}", f"{hour % 24}:00") == 1
