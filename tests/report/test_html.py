"""The HTML report: what stands in it, and that nothing a bot says runs in a real browser."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from botattack.cases import cases
from botattack.events import BoilerplateKnown, Event, OriginalJudged, VariantJudged
from botattack.model import Edit, Verdict
from botattack.report.figures.heat import Heat
from botattack.report.story.blocks import Bar, Row, Story, Table
from botattack.report.story.in_html import page as story_page
from botattack.report.wording import headlines
from botattack.report.writers import html
from botattack.report.writers.material import material, write_report
from tests.report.streams import Asking, Try, ended, started, stream
from tests.report.test_terminal import HOSTILE, run

MANY = ("correct",) * 5 + ("wrong",) * 10
EVIL = (
    HOSTILE
    + "<script>window.owned = 1</script><img src=x onerror='window.owned=1'>"
    + "</script><script>owned=1</script><!-- outcomes --><!--<script>\"'{{ 7*7 }}${7*7}javascript:alert(1)"
)


class Page(HTMLParser):
    """Tags, scripts and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self.inside.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in {"script", "style"} and self.inside and not self.inside[-1]:
            self.inside[-1] = data


def page(events: list[Event], folder: Path) -> str:
    path = folder / "report.html"
    write_report(path, material(lambda: events))
    return path.read_text("utf-8")


def evil() -> list[Event]:
    tries = tuple(
        Try(verdict, (Edit(0, EVIL[:1], EVIL, EVIL, relation=EVIL, pos=EVIL),), EVIL, reply=EVIL)
        for verdict in ("wrong", "refused", "error", "unsure", "correct")
    )
    many = [Asking(text=f"{EVIL}{number}", answers=(EVIL,), reply=EVIL, tries=tries) for number in range(24)]
    return stream(many, {EVIL: "same"}, ended(why=EVIL), target=EVIL, run=EVIL)


def test_the_policy_names_exactly_the_pages_own_script_and_style(tmp_path: Path) -> None:
    text = page(run(), tmp_path)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    style, *scripts = Page(text).inside
    assert f"style-src '{hashed(style)}'" in policy[1]
    assert f"script-src '{hashed(scripts[-1])}'" in policy[1]
    assert policy[1].startswith("default-src 'none';")
    assert all(json.loads(data) for data in scripts[:-1])
    tags = Page(text).tags
    assert not {"src", "style"} & {name for _, attributes in tags for name in attributes}
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in tags)


def hashed(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def test_a_stranger_reads_how_bad_and_how_to_reproduce(tmp_path: Path) -> None:
    text = page(run(), tmp_path)
    assert headlines.headline(material(run).figures) in text
    assert "18.5 – 38.8 %" in text
    assert "<del>capital</del><ins>captial</ins>" in text
    assert "botattack replay 20261120T120000Z-alice-0a1b --unit b19eabe60000.0" in text


def test_every_outcome_is_in_the_data(tmp_path: Path) -> None:
    scripts = Page(page(run(), tmp_path)).inside[1:]
    questions = [question for block in scripts[1:-1] for question in json.loads(block)]
    assert len(questions) == 42
    assert sum(len(question[5]) for question in questions) == 120
    assert questions[0][5][0][:4] == [0, "broken", "wrong", [["what is the ", ["capital", "captial"], " of france"]]]


def test_without_gold_answers_the_bots_own_reply_is_what_is_expected(tmp_path: Path) -> None:
    own = Asking(answers=(), reference="own", reply="It is Paris.", tries=(Try("wrong", reply="Rome"),))
    _, _, block, _ = Page(page(stream([own], end=ended()), tmp_path)).inside
    ((_, _, _, expected, said, _, _),) = json.loads(block)
    assert (expected, said) == ("It is Paris. (its own reply)", "It is Paris.")


@pytest.mark.slow
def test_blocks_stay_small(tmp_path: Path) -> None:
    many = [Asking(text=str(number), tries=(Try("correct"),) * 9) for number in range(500)]
    assert page(stream(many), tmp_path).count('class="outcomes"') == 3


@pytest.mark.parametrize(("questions", "note"), [(2, ""), (3, "40 of 60 outcomes")])
def test_a_page_of_too_many_outcomes_says_what_it_leaves_out(
    questions: int, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MOST", 40)
    asked = [Asking(text=str(number), tries=(Try("correct"),) * 19) for number in range(questions)]
    text = page(stream(asked), tmp_path)
    _, _, block, _ = Page(text).inside
    assert len(json.loads(block)) == 2
    assert ("--as-recorded -o all.csv" in text) == bool(note)
    assert note in text


@pytest.mark.slow
def test_foreign_text_makes_no_tag(tmp_path: Path) -> None:
    harmless = [tag for tag, _ in Page(page(run(), tmp_path)).tags]
    hostile = Page(page(evil(), tmp_path))
    assert {tag for tag, _ in hostile.tags} <= set(harmless) | {"strong"}
    assert not any(name.startswith("on") for _, attributes in hostile.tags for name in attributes)
    assert [tag for tag, _ in hostile.tags].count("script") == 3


def ids(text: str) -> list[str]:
    return [attributes["id"] or "" for _, attributes in Page(text).tags if "id" in attributes]


def units(text: str) -> set[str]:
    scripts = Page(text).inside[2:-1]
    return {case[5] for block in scripts for question in json.loads(block) for case in question[5]}


def test_every_link_leads_somewhere_and_no_place_is_there_twice(tmp_path: Path) -> None:
    text = page(run(), tmp_path)
    links = {(attributes["href"] or "")[1:] for tag, attributes in Page(text).tags if tag == "a"}
    assert len(set(ids(text))) == len(ids(text))
    assert len(links & set(ids(text))) > 20
    assert {link for link in links if "=" not in link} <= set(ids(text)) | units(text)


def test_a_fragile_question_has_its_variants_with_replies_and_reasons(tmp_path: Path) -> None:
    reasons = tuple(Try(kind, (Edit(0, "w", "v", f"typo {n}"),), reply=f"reply {n}") for n, kind in enumerate(MANY))
    asking = Asking("who", tries=reasons)
    events = [
        msgspec.structs.replace(event, verdict=Verdict(event.verdict.kind, matcher="words", why=f"reason {number}"))
        if isinstance(event, VariantJudged)
        else event
        for number, event in enumerate(stream([asking, Asking("held", tries=(Try("correct"),))], {"dpaeg": "same"}))
    ]
    fragile = page(events, tmp_path).partition('id="fragile"')[2].partition("</section>")[0]
    assert fragile.count("reply 14") == 1
    assert fragile.index("reply 14") < fragile.index("reply 0<")
    assert fragile.count("<li>") + fragile.count("<li id=") == 12
    assert "wrong answer, by words: reason" in fragile
    assert "3 more variants in the list of all outcomes." in fragile


def test_a_reply_in_markdown_is_read_as_text(tmp_path: Path) -> None:
    reply = "## It is\n**Lyon**, see [here](https://example.org/a) and `x`. 2**3 is 8."
    asking = Asking(tries=(Try("wrong", (Edit(0, "w", "v", "typo"),), reply=reply),))
    text = page(stream([asking], {"dpaeg": "same"}, ended()), tmp_path)
    assert text.count("It is Lyon, see here (https://example.org/a) and x. 2**3 is 8.") == 3
    assert "**Lyon" not in text


def greeting(text: str) -> list[Event]:
    said = [f"Hello, I am Bo! It is city {number}. Anything else?" for number in range(12)]
    typo = (Edit(0, "w", "v", "typo"),)
    asked = [Asking(f"w{n}", reply=each, tries=(Try("wrong", typo, reply=text),)) for n, each in enumerate(said)]
    first, *others = stream(asked, {"dpaeg": "same"}, ended())
    return [first, BoilerplateKnown(sentences=("Hello, I am Bo!", "Anything else?"), learnt_from=12), *others]


def test_what_a_bot_says_around_every_answer_is_left_out_of_examples(tmp_path: Path) -> None:
    text = page(greeting("Hello, I am Bo! No idea."), tmp_path)
    assert re.search("<dt>got</dt><dd[^>]*>… No idea[.]", re.sub(r">\s+", ">", text))
    assert re.search("… It is city 3[.] … [(]", text)
    assert re.search("<dt>left out</dt><dd[^>]*>2 sentences", text)
    alone = page(greeting("Anything else?"), tmp_path)
    assert re.search("<dt>got</dt><dd[^>]*>Anything else[?]", re.sub(r">\s+", ">", alone))
    assert "left out" not in page(stream([Asking()], {"dpaeg": "same"}, ended()), tmp_path)


def test_a_table_with_no_rate_is_a_list(tmp_path: Path) -> None:
    few = page(stream([Asking(tries=(Try("wrong"),))], {"dpaeg": "same"}, ended()), tmp_path)
    assert "Typing mistakes" in few
    assert 'class="bar"' not in few
    assert "Accuracies and noise" not in few
    assert few.count("oo few questions") <= 3
    many = page(run(), tmp_path)
    assert 'class="bar"' in many
    assert "Accuracies and noise" in many


@pytest.mark.parametrize("noise", [0.0, 0.1, None])
def test_whatever_a_bar_shows_is_explained(noise: float | None) -> None:
    table = Table(("attack", "share"), (Row(("typos", "30.0 %"), bar=Bar(0.3, (0.2, 0.4), noise)),))
    text = story_page(Story("bot", "It breaks.", (table,)))
    assert ('class="noise"' in text, "the blue tick" in text) == (noise is not None,) * 2


@pytest.mark.live
@pytest.mark.parametrize("width", [1200, 390])
def test_parts_of_an_attack_are_indented(browser, tmp_path: Path, width: int) -> None:
    table = Table.of(("attack", "broken"), [("typos", "3/9")])
    table = replace(table, rows=(*table.rows, Row(("swapped", "1/3"), depth=1)))
    view = browser.new_page(viewport={"width": width, "height": 800})
    view.set_content(story_page(Story("bot", "It breaks.", (table,))))
    attack, part = (view.get_by_text(name, exact=True).bounding_box()["x"] for name in ("typos", "swapped"))
    assert part > attack
    view.close()


def test_an_empty_run_has_a_page_too(tmp_path: Path) -> None:
    assert "No variant was judged." in page([started(0, {}), ended()], tmp_path)


def test_heat_counts_each_edited_word() -> None:
    text = "who was  it"
    tries = (
        Try("wrong", (Edit(0, "who", "hwo", "typo"),)),
        Try("correct", (Edit(0, "who was", "who", "cut"),)),
        Try("wrong", (Edit(9, "", "x", "insert"),)),
        Try("error", (Edit(0, "who", "x", "typo"),)),
    )
    heat = Heat()
    for question in cases(stream([Asking(text=text, tries=tries), Asking(text="no", tries=(Try("correct"),))])):
        heat.add(question)
    (hot,) = heat.value()
    assert [(word.text, word.broken, word.rated) for word in hot.words] == [("who", 1, 2), ("was", 0, 1), ("it", 1, 1)]
    assert (hot.broken, hot.rated) == (2, 3)


@pytest.mark.live
def test_nothing_a_bot_says_runs_in_a_browser(browser, tmp_path: Path) -> None:
    page(evil(), tmp_path)
    view = browser.new_page()
    said: list[str] = []
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    requests: list[str] = []
    view.on("request", lambda request: requests.append(request.url))
    view.goto((tmp_path / "report.html").as_uri())
    view.wait_for_selector("#list tbody tr")
    assert view.evaluate("typeof window.owned") == "undefined"
    assert said == []
    assert len(requests) == 1
    assert "<img src=x onerror=" in view.inner_text("#list")
    view.close()


@pytest.mark.live
@pytest.mark.parametrize(("width", "shown"), [(1200, 50), (390, 15)])
def test_paging_and_filters_in_a_browser(browser, tmp_path: Path, width: int, shown: int) -> None:
    from playwright.sync_api import expect

    page(run(), tmp_path)
    view = browser.new_page(viewport={"width": width, "height": 800})
    view.goto((tmp_path / "report.html").as_uri())
    expect(view.locator("#count")).to_have_text("122 of 122")
    expect(view.locator("#list tbody tr")).to_have_count(shown)
    pages, rest = divmod(122, shown)
    for _ in range(pages):
        view.click("#next")
    expect(view.locator("#page")).to_have_text(f"page {pages + 1} of {pages + 1}")
    expect(view.locator("#list tbody tr")).to_have_count(rest)
    view.select_option("#result", "broken")
    expect(view.locator("#count")).to_have_text("22 of 122")
    view.fill("#text", "france 9")
    expect(view.locator("#count")).to_have_text("1 of 122")
    again = browser.new_page(viewport={"width": width, "height": 800})
    again.goto(view.url)
    expect(again.locator("#count")).to_have_text("1 of 122")
    assert (again.input_value("#result"), again.input_value("#text")) == ("broken", "france 9")
    again.click("#all")
    expect(again.locator("#count")).to_have_text("122 of 122")
    again.close()
    view.close()


@pytest.mark.live
def test_a_link_leads_to_its_unit_whether_or_not_it_is_among_the_fragile(browser, tmp_path: Path) -> None:
    text = page(run(), tmp_path)
    fragile, held = next(iter(set(ids(text)) & units(text))), next(iter(units(text) - set(ids(text))))
    for unit in (fragile, held):
        view = browser.new_page()
        view.goto(f"{(tmp_path / 'report.html').as_uri()}#{unit}")
        shown = f"li[id='{unit}']" if unit == fragile else "#list tbody tr"
        assert unit in view.locator(shown).text_content()
        assert view.locator(shown).count() == 1
        assert view.locator(shown).is_visible()
        assert view.evaluate("scrollY") > 0
        view.close()


@pytest.mark.live
def test_every_asking_has_a_link_those_of_originals_too(browser, tmp_path: Path) -> None:
    without = Asking("w without variants")
    wrong = Asking("w not known", standing="wrong", attacked=False)
    typo = Try("correct", (Edit(0, "w", "v", "typo"),))
    events = stream(
        [without, wrong, Asking("w held", tries=(typo,)), *(Asking(f"w{n}", tries=(typo,)) for n in range(9))]
    )
    told = [
        msgspec.structs.replace(event, units=(f"{event.question[:8]}.0", f"{event.question[:8]}.1"))
        if isinstance(event, OriginalJudged)
        else event
        for event in events
    ]
    text = page(told, tmp_path)
    view = browser.new_page()
    for event in told:
        for unit in event.units if isinstance(event, OriginalJudged) else ():
            view.goto("about:blank")
            view.goto(f"{(tmp_path / 'report.html').as_uri()}#{unit}")
            assert view.inner_text("#count").startswith("1 of 12")
    assert len(units(text)) == 10
    view.close()


@pytest.mark.live
def test_a_command_is_copied(browser, tmp_path: Path) -> None:
    page(run(), tmp_path)
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    view = context.new_page()
    view.goto((tmp_path / "report.html").as_uri())
    view.locator("#examples .replay summary").first.click()
    view.locator("#examples .copy").first.click()
    view.wait_for_selector("text=copied")
    assert view.evaluate("navigator.clipboard.readText()") == view.locator("#examples code.command").first.inner_text()
    context.close()


@pytest.mark.live
def test_on_a_phone_the_first_example_is_within_two_screens_and_needs_no_script(browser, tmp_path: Path) -> None:
    page(run(), tmp_path)
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    view = context.new_page()
    view.goto((tmp_path / "report.html").as_uri())
    example = view.locator("#examples li").first.bounding_box()
    assert example["y"] + example["height"] < 2 * 844
    view.locator("#fragile details summary").first.click()
    assert view.locator("#fragile details li").first.is_visible()
    context.close()


@pytest.mark.live
@pytest.mark.parametrize("width", [1200, 390])
def test_nothing_is_cut_at_the_side(browser, tmp_path: Path, width: int) -> None:
    page(run(), tmp_path)
    view = browser.new_page(viewport={"width": width, "height": 800})
    view.goto((tmp_path / "report.html").as_uri())
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert (
        view.evaluate("[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).length")
        == 0
    )
    view.close()


def test_a_reply_of_several_lines_is_shown_on_one_to_read(tmp_path: Path) -> None:
    typo = (Edit(0, "w", "v", "typo"),)
    asking = Asking(tries=(Try("wrong", typo, reply="It is Lyon.\r\n\r\n  Or\tNice."),))
    shown = page(stream([asking], {"dpaeg": "same"}, ended()), tmp_path)
    assert "It is Lyon. Or Nice." in shown
    assert "Lyon.\\" not in shown


@pytest.mark.parametrize(("questions", "split"), [(3, False), (60, True)])
def test_a_split_without_any_rate_is_left_out(questions: int, split: bool, tmp_path: Path) -> None:
    askings = [
        Asking(text=f"w{number}", tries=(Try("wrong", (Edit(0, "w", "v", f"typo {number % 2}"),)),))
        for number in range(questions)
    ]
    assert ("Where it breaks" in page(stream(askings, {"dpaeg": "same"}, ended()), tmp_path)) is split
