"""Review pages in a real browser: read with the keyboard, on a phone, in two tabs, left and come back to; collected."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from botattack.audit.reviewing.collecting import collect
from botattack.audit.reviewing.planning import ReviewSettings, planned
from botattack.events import LABELS, KnownRead, Reading
from botattack.recordings import reviews
from botattack.recordings.reader import events
from botattack.recordings.reviews import Review
from botattack.recordings.triage import marked_events
from botattack.report.writers import review_files
from botattack.report.writers.material import material, write_report
from tests.report.reviewed import HOSTILE, PERSIAN, a_run, recording
from tests.report.streams import Asking, Try, ended, stream

pytestmark = pytest.mark.live
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1200, "height": 800}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_run(tmp_path_factory.mktemp("recordings") / "run", 60)


@pytest.fixture(scope="module")
def review(run: Path) -> Review:
    made = planned(run, ReviewSettings("meaning", ("anna", "ben", "cem"), 150))
    reviews.write(run, made)
    return made


def plain(view: Any) -> list[str]:
    """What stands in the two blocks, without the slip that every variant has."""
    return [text.lstrip("0123") for text in view.locator(".said").all_inner_texts()]


def key(view: Any) -> str:
    """What a reader presses who can read."""
    first, second = plain(view)
    return "1" if first == second else "2"


def answer(view: Any, times: int) -> None:
    for _ in range(times):
        view.keyboard.press(key(view))


def count(view: Any) -> str:
    text: str = view.inner_text("#count")
    return text


def fits(view: Any) -> bool:
    """Whether nothing has to be scrolled sideways, and every answer is in sight."""
    answers = view.locator("#answers button").all()
    heights = [each.bounding_box() for each in answers]
    bottom = view.viewport_size["height"]
    sideways = view.evaluate("document.documentElement.scrollWidth") > view.viewport_size["width"]
    return not sideways and all(box and box["y"] + box["height"] <= bottom for box in heights)


def test_three_readers_read_150_items_and_the_run_has_their_readings(
    browser: Any, run: Path, review: Review, tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    everything = len(review.items)
    assert everything == 171
    pages = {reader: review_files.write(tmp_path, review, reader) for reader in review.readers}

    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, accept_downloads=True)
    view = phone.new_page()
    view.goto(pages["anna"].as_uri())
    view.tap("#begin")
    assert fits(view)
    for _ in range(30):
        view.locator("#answers button").nth(int(key(view)) - 1).tap()
    assert count(view) == f"30 of {everything}"

    # A second tab is where she was; she closes the first one, comes back, and reads in two at once. A page is
    # killed when it is closed: a very busy Chromium once lost what no other page had seen yet.
    other = phone.new_page()
    other.goto(pages["anna"].as_uri())
    expect(other.locator("#count")).to_have_text(f"30 of {everything}", timeout=30_000)
    view.close()
    view = phone.new_page()
    view.goto(pages["anna"].as_uri())
    expect(view.locator("#count")).to_have_text(f"30 of {everything}", timeout=30_000)
    for done in range(30, 70, 2):
        answer(view, 1)
        expect(other.locator("#count")).to_have_text(f"{done + 1} of {everything}", timeout=30_000)
        answer(other, 1)
        expect(view.locator("#count")).to_have_text(f"{done + 2} of {everything}", timeout=30_000)
    before = plain(view)
    view.keyboard.press("u")
    assert count(view) == f"69 of {everything}"
    assert view.locator("#answers button[aria-pressed=true]").count() == 1
    answer(view, 1)
    assert plain(view) == before
    answer(view, everything - 70)
    assert "Done" in view.inner_text("#ended")
    with view.expect_download() as download:
        view.tap("#download")
    download.value.save_as(tmp_path / "anna.json")
    phone.close()

    # With the keyboard alone, X-ray on the way, and the file saved once in the middle.
    desk = browser.new_context(viewport=DESKTOP, accept_downloads=True)
    view = desk.new_page()
    view.goto(pages["ben"].as_uri())
    view.keyboard.press("Enter")
    assert fits(view)
    view.keyboard.press("x")
    view.keyboard.press("x")
    answer(view, 50)
    view.keyboard.press("s")
    with view.expect_download() as download:
        view.keyboard.press("Enter")
    assert len(json.loads(Path(download.value.path()).read_text())["answers"]) == 50
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    answer(view, everything - 50)
    with view.expect_download() as download:
        view.keyboard.press("Enter")
    assert re.fullmatch(rf"answers-ben-{review.id}\.json", download.value.suggested_filename)
    download.value.save_as(tmp_path / "ben.json")

    # In the same browser another reader starts afresh; she sends the text.
    view.goto(pages["cem"].as_uri())
    assert count(view) == f"0 of {everything}"
    view.keyboard.press("Enter")
    answer(view, everything)
    (tmp_path / "cem.json").write_text(view.input_value("#text"))
    desk.close()

    found = collect(run, [tmp_path / f"{reader}.json" for reader in review.readers])
    assert found.added == 3 * 165
    told = [event for event in events(run) if isinstance(event, Reading)]
    assert Counter((one.reader, one.label) for one in told) == {(reader, "same"): 165 for reader in review.readers}
    known = [event for event in events(run) if isinstance(event, KnownRead)]
    assert Counter((one.reader, one.right) for one in known) == {(reader, True): 6 for reader in review.readers}
    write_report(tmp_path / "report.html", material(lambda: marked_events(run)))
    view = browser.new_page(viewport=PHONE)
    view.goto((tmp_path / "report.html").as_uri())
    shown = view.inner_text("body")
    view.close()
    assert "meaning (3 readers, 150 items)" in shown
    assert "450 of 450" in shown
    assert "anna on a second look 15 of 15" in shown


def test_what_others_wrote_does_nothing_and_is_read_in_its_own_direction(browser: Any, tmp_path: Path) -> None:
    evil = Asking(HOSTILE, (HOSTILE,), tries=(Try("wrong", reply=HOSTILE),), reply=HOSTILE)
    persian = Asking(PERSIAN, ("پاریس",), tries=(Try("wrong"),), reply="پاریس")
    run = recording(tmp_path / "run", stream([evil, persian], {"dpaeg": "same"}, ended()))
    for ask in LABELS:
        review = planned(run, ReviewSettings(ask, ("anna",)))
        view = browser.new_page()
        said: list[str] = []
        requests: list[str] = []
        view.on("console", lambda message, said=said: said.append(message.text))
        view.on("pageerror", lambda error, said=said: said.append(str(error)))
        view.on("request", lambda request, requests=requests: requests.append(request.url))
        view.goto(review_files.write(tmp_path / ask, review, "anna").as_uri())
        view.keyboard.press("Enter")
        view.keyboard.press("x")
        seen = ""
        while view.locator("#answers").is_visible():
            seen += view.inner_text("#item") + view.inner_text("#answers")
            right = view.locator(".said", has_text=re.compile(f"^{PERSIAN.replace(' ', '·')}$"))
            for at in range(right.count()):
                assert right.nth(at).evaluate("one => getComputedStyle(one).direction") == "rtl"
            view.keyboard.press("1")
        assert "<img src=x onerror=" in seen.replace("·", " ")
        assert "U+202E RIGHT-TO-LEFT OVERRIDE" in seen
        assert "U+200B" in seen
        assert view.evaluate("typeof window.owned") == "undefined"
        assert said == []
        assert [url for url in requests if not url.startswith("blob:")] == [view.url]
        view.close()


def test_where_a_browser_keeps_nothing_the_reader_is_warned_and_can_go_on(
    browser: Any, review: Review, tmp_path: Path
) -> None:
    view = browser.new_page(viewport=PHONE)
    view.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })")
    view.goto(review_files.write(tmp_path, review, "anna").as_uri())
    view.keyboard.press("Enter")
    assert view.is_visible("#warning")
    answer(view, 3)
    view.keyboard.press("s")
    assert len(json.loads(view.input_value("#text"))["answers"]) == 3
    view.close()
