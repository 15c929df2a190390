"""The file that discover finds for each of twelve pages reads what the page's own log says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from botattack.targets.browser.discover import discover
from botattack.targets.browser.found import Login
from botattack.targets.browser.page_options import Step
from botattack.targets.messages.calls import read_text, read_url
from tests.servers.screens import PAGES, Screens
from tests.targets.asking import Tally, ask
from tests.targets.browser.conftest import Make

pytestmark = [pytest.mark.anyio, pytest.mark.live]


def login_to(url: str) -> Login:
    written = ({"goto": url}, {"fill": "[name=word]", "with": "s3cret"}, {"click": "button"}, {"wait_for": "#box"})
    word = Step(fill="[name=word]", with_=read_text("s3cret"))
    return Login((Step(goto=read_url(url)), word, Step(click="button"), Step(wait_for="#box")), written)


@pytest.mark.parametrize("name", PAGES)
async def test_what_is_recorded_is_what_the_page_said(name: str, made: Make, tmp_path: Path) -> None:
    async with Screens(name) as screens:
        login, done = login_to(f"{screens.url}login") if name == "expires" else None, list[str]()
        found = await discover(screens.url, Tally(), tmp_path, login=login, tell=done.append)
        text = found.yaml("page")
        connect = yaml.safe_load(text)["connect"]
        del connect["kind"]
        screens.said.clear()
        target = made(connect["open"][0]["goto"], **connect)
        replies = [(await ask(target, f"question {n}?")).text for n in range(3)]
    assert "# Proven: " in text, found.doubt
    assert "limits: {rate: 1/s" not in text
    assert len(done) >= 4
    assert replies == [said for _, said in screens.said]
