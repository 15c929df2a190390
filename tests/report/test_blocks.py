"""A story of every kind of block, as each writer draws it."""

import io
import re
from collections.abc import Iterable
from itertools import pairwise

import pytest
from rich.console import Console

from botattack.report.story.blocks import (
    Block,
    Chart,
    Charts,
    Command,
    Example,
    Examples,
    Fact,
    Facts,
    Figure,
    FigureRow,
    Listing,
    Point,
    Row,
    Section,
    Sentence,
    Story,
    Table,
    Tone,
)
from botattack.report.story.in_html import page
from botattack.report.story.in_markdown import lines
from botattack.report.story.in_terminal import EDITS, show
from botattack.report.wording.marks import MarkedText

DIM, BOLD, ALARM = "2", "1", "1;31"
TONES: dict[Tone, str] = {
    "plain": "",
    "strong": BOLD,
    "note": DIM,
    "good": "32",
    "warning": "33",
    "bad": ALARM,
}


HEADS = ("name", "number", "told")
ROWS = (Row(("usual", "1", "z")), Row(("part", "2", ""), depth=1), Row(("alarm", "3", "z"), depth=1, bad=True))
EVERY = (
    Facts((Fact("l", "a", "good"), Fact("l", "b"), Fact("m", "c", "bad"))),
    Listing(("i", "j"), "warning"),
    FigureRow((Figure("9", "says", ("s", "t"), bad=True), Figure("8", "more"))),
    Table(HEADS, ROWS, after=2, note="footnote"),
    Section("folded", (Command("pasted"),), folded=True, id="f"),
    Section("open", (Section("inner", ()),), id="o"),
)


def drawn(*blocks: Block, width: int = 80, colour: bool = False) -> list[str]:
    out = io.StringIO()
    system = "standard" if colour else None
    made = Console(file=out, width=width, force_terminal=colour, color_system=system, legacy_windows=False)  # type: ignore[arg-type]
    show(Story("title", "headline", blocks), made)
    return out.getvalue().splitlines()


def styles(*blocks: Block) -> dict[str, str]:
    """The words of a story on a terminal and the codes they are drawn with."""
    found: dict[str, str] = {}
    for line in drawn(*blocks, colour=True):
        codes = ""
        for code, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
            if text:
                found |= dict.fromkeys(text.split(), codes)
            else:
                codes = "" if code == "0" else code
    return found


def test_a_terminal_draws_each_tone_in_its_colour() -> None:
    every: tuple[Tone, ...] = tuple(TONES)
    for blocks in (
        [Sentence(tone, tone) for tone in every],
        [Listing((tone,), tone) for tone in every],
        [Facts(tuple(Fact(f"of-{tone}", tone, tone) for tone in every))],
        [Examples((Example("", (), tuple(Fact(f"of-{tone}", tone, tone) for tone in every)),))],
    ):
        found = styles(*blocks)
        assert found["headline"] == BOLD
        assert {tone: found[tone] for tone in every} == TONES


def test_a_terminal_draws_parts_of_a_line_rows_and_headings_by_what_they_are() -> None:
    usual, dim = MarkedText("plain", " plain "), ("before", "user", "bot", "verdict")
    parts = [MarkedText(role, f" {role} ") for role in (*dim, "after", "broke")]  # type: ignore[arg-type]
    found = styles(Sentence((usual, *parts)))
    assert {role: found[role] for role in ("plain", *dim)} == {"plain": "", **dict.fromkeys(dim, DIM)}
    assert found["after"] == found["broke"] == ALARM
    rows = (Row(("usual", "1")), Row(("part", "2"), depth=1), Row(("alarm", "3"), depth=1, bad=True))
    told = styles(
        Table(("name", "number"), rows, note="footnote"),
        Section("titled", (Command("pasted"),)),
        Facts((Fact("l", "t"),)),
    )
    assert {word: told[word] for word in ("name", "number", "usual", "part", "alarm", "footnote")} == {
        "name": BOLD,
        "number": BOLD,
        "usual": "",
        "part": DIM,
        "alarm": ALARM,
        "footnote": DIM,
    }
    assert (told["titled"], told["pasted"], told["l"], told["t"]) == (BOLD, DIM, DIM, "")


@pytest.mark.parametrize(("more", "rest"), [(-1, ""), (0, ""), (1, " … and 1 more edit"), (2, " … and 2 more edits")])
def test_a_line_shows_its_first_edits_and_counts_the_others(more: int, rest: str) -> None:
    pairs = [(MarkedText("before", "a"), MarkedText("after", "b")) for _ in range(EDITS + more)]
    (line,) = drawn(Sentence(tuple(piece for pair in pairs for piece in pair)), width=200)[2:]
    assert line == "[a → b]" * min(EDITS, EDITS + more) + rest


@pytest.mark.parametrize("longer", [-1, 0, 1])
def test_a_command_stays_whole_and_is_broken_where_it_can_be_pasted(longer: int) -> None:
    command = "botattack replay  --unit 12"
    command = command.replace("  ", f" {'r' * (76 + longer - len(command))} ")
    for width in (20, 200):
        shown = drawn(Command(command), width=width)[2:]
        assert "".join(f"{line.strip()}\n" for line in shown).replace(" \\\n", " ").strip() == command
        assert len(shown) == 1 + (len(f"    {command}") > 80)


def test_a_terminal_sets_the_columns_of_a_table() -> None:
    rows = (Row(("usual", "1", "z")), Row(("part", "20,000", "y"), depth=1), Row(("w " * 18 + "next", "3", "z")))
    table = Table(("name", "a number wrapped", "told"), rows, after=2, note="small")
    assert drawn(table)[2:] == [
        f"{'':<38}a number",
        f"{'name':<39}wrapped  told",
        f"{'usual':<45}1  z",
        f"{'  part':<40}20,000  y",
        f"{'w ' * 18:<45}3  z",
        "next",
        "small",
    ]


@pytest.mark.parametrize("more", [0, 1])
def test_a_label_is_wrapped_from_thirty_columns_on(more: int) -> None:
    label = f"{'l' * 10} {'m' * (19 + more)}"
    for block in (Facts((Fact(label, "told"),)), Examples((Example("", (), (Fact(label, "told"),)),))):
        assert len(drawn(block)[2:]) == 1 + more


@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_folds_words_that_are_longer_than_a_line(width: int) -> None:
    long = "0123456789" * 12
    facts = (Fact("l", long),)
    for block in (
        Sentence(long),
        Listing((long,)),
        Facts(facts),
        Table.of(("", "told"), [("n", long)], numbers=9),
        Examples((Example("", (), facts), Example(long, ()), Example("", (), notes=(long,)))),
        Section("s", (Sentence((MarkedText("plain", long),)),)),
    ):
        shown = drawn(block, width=width)
        assert max(map(len, shown)) <= width
        assert re.sub(r"\D", "", "".join(shown)).count(long) == (3 if isinstance(block, Examples) else 1)


def test_a_terminal_leaves_room_between_what_differs() -> None:
    same = (Sentence("a"), Sentence("b"), Sentence("strong", "strong"), Listing(("c", "d")), Facts((Fact("l", "e"),)))
    text = drawn(*same, FigureRow((Figure("9", "left out"),)), Section("f", (Sentence("g"),)), Section("h", ()))
    assert text == ["headline", "", "a", "b", "", "strong", "", "  - c", "  - d", "", "l  e", "", "f", "g", "", "h"]
    folded = (Section("f", (), folded=True), Section("p", (), shown="page"), Section("q", (), shown="files"))
    assert drawn(*folded) == ["headline"]
    answers = (Fact("lab", "a"), Fact("l", "b"))
    two = Examples((Example("one", (), answers, "c", notes=("n",)), Example("two", ())))
    assert drawn(two)[1:] == ["", "  1 one", "    n", "    lab a", "    l   b", "    c", "", "  2 two"]
    assert drawn(Facts((Fact("l", "a"), Fact("l", "b"), Fact("m", "c"))))[2:] == ["l  a", "   b", "m  c"]


def marked(*blocks: Block) -> list[str]:
    return [*lines(Story("title", "headline", blocks))]


def test_markdown_draws_each_block() -> None:
    tones: Iterable[Tone] = TONES
    said = marked(*(Sentence(tone, tone) for tone in tones))[4:]
    assert [*filter(None, said)] == ["plain", "**strong**", "note", "good", "warning", "**bad**"]
    assert marked()[:3] == ["# title", "", "**headline**"]
    assert marked(Facts((Fact("l", "t"),)), Listing(("a", "b")))[4:] == ["- l: t", "", "- a", "- b"]
    row = FigureRow((Figure("9", "says", ("s", "t")), Figure("8", "more")))
    assert marked(row)[4:] == ["- **9** says (s; t)", "- **8** more"]
    table = Table(("n", "m", "o"), (Row(("x", "1", "z")), Row(("y", "2", "z"), depth=1)), after=2, note="note")
    assert marked(table)[4:] == [
        "note",
        "",
        "| n | m | o |",
        "| --- | ---: | --- |",
        "| x | 1 | z |",
        "| &emsp;y | 2 | z |",
    ]
    example = Example("one", (), (Fact("lab", "t"), Fact("l", "u")), notes=("n",), command="c")
    assert marked(Examples((example, Example("two", ()))))[4:] == [
        *("```text", "one", "n", "lab  t", "l    u", "c", "```"),
        *("", "```text", "two", "```"),
    ]
    assert marked(Command("a ```` b"))[4:] == ["`````text", "a ```` b", "`````"]
    inner = Section("in", (Sentence("deep"),))
    assert marked(Section("out", (inner,)), Section("never", (), shown="page"))[4:] == [
        *("## out", "", "### in", "", "deep"),
    ]
    assert "## files" in marked(Section("files", (), shown="files"))


def test_a_page_draws_each_block_by_what_it_is() -> None:
    text = page(Story("title", "headline", (*(Sentence(f"of-{tone}", tone) for tone in TONES), *EVERY)))
    found = re.findall(r'<p class="([a-z]+)">\s*of-([a-z]+)', text)
    assert [one for one, other in found if one == other] == [*TONES]
    assert [text.count(f'<dd class="said {tone}">') for tone in ("good", "plain", "bad", "note")] == [1, 1, 1, 0]
    assert re.findall(r"<dt>(.*)</dt>", text) == ["l", "", "m"]
    assert re.search(r'<ul class="warning">\s*<li>i</li>\s*<li>j</li>', text)
    assert re.findall(r'<li class="broken"><strong>(.)</strong>', text) == ["9"]
    assert re.findall(r'class="n"(?: data-head="number")?><bdi>(\w+)', text) == ["number", "1", "2", "3"]
    assert re.findall(r'<tr class="(\w+)"><th scope="row"><bdi>(\w+)', text) == [("part", "part"), ("bad", "alarm")]
    assert re.search(r'<details id="f"><summary>folded</summary>\s*<p class="run"><code class="command">pasted', text)
    assert re.search(r'<section id="o">\s*<h2>open</h2>\s*<section>\s*<h2>inner', text)


@pytest.mark.parametrize("number", range(1, 14))
def test_a_chart_places_shares_on_its_scale_and_as_many_days_as_have_room(number: int) -> None:
    points = tuple(
        Point(f"day {at}", "", at % 3 / 2, (0, 0.5), marked=at == 0)
        if at != 1 or number < 3
        else Point("day 1", "", None)
        for at in range(number)
    )
    text = page(Story("title", "headline", (Charts((Chart("c", "9 %", points),)),)))
    scale = [float(y) for y, again in re.findall(r'class="grid" .*? y1="(.*?)" y2="(.*?)"', text) if y == again]
    dots = re.findall(r'class="dot" cx="(.*?)" cy="(.*?)"', text)
    assert [float(y) for _, y in dots] == [scale[round(2 * point.share)] for point in points if point.share is not None]
    assert re.findall(r'class="base" cx="(.*?)"', text) == [dots[0][0]]
    ends = {(float(low), float(high)) for low, high in re.findall(r'class="whisk" .*? y1="(.*?)" y2="(.*?)"', text)}
    assert ends == {(scale[0], scale[1])}
    left, right = (float(found) for found in re.findall(r'class="grid" x1="(.*?)" x2="(.*?)"', text)[0])
    across = [float(x) for x, _ in dots]
    assert left < across[0] <= across[-1] < right
    days = [int(day) for day in re.findall(r">day (\d+)</text>", text)]
    assert days[-1] == number - 1
    assert days == [*range(number)] if number <= 4 else 2 <= len(days) <= 4
    assert len({later - day for day, later in pairwise(days)}) <= 1
    paths = [len(line.split()) for line in re.findall(r'points="(.*?)"', text)]
    assert paths == ([number] if number < 3 else [1, number - 2])
    if number == 1:
        two = page(Story("", "", (Charts((Chart("c", "9 %", points * 2),)),)))
        first, last = re.findall(r'class="dot" cx="(.*?)"', two)
        assert across[0] == pytest.approx((float(first) + float(last)) / 2, abs=0.1)


def test_a_terminal_and_markdown_show_the_last_point_of_a_chart() -> None:
    charts = Charts((Chart("one", "9 %", ()), Chart("two", "8 %", ())))
    assert drawn(charts)[2:] == ["one: 9 %", "two: 8 %"]
    assert marked(charts)[4:] == ["- one: 9 %", "- two: 8 %"]
