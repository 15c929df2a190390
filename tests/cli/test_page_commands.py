"""`targets login` and `targets discover`; those that need Chromium are marked live."""

from __future__ import annotations

import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from botattack.targets.browser.launch import SYSTEM
from tests.cli.conftest import Botattack, Serve
from tests.servers import pages
from tests.servers.chats import Chats, Traits
from tests.servers.http import Server, response
from tests.targets.browser.conftest import chromium, shell, shell_found

__all__ = ["chromium", "shell", "shell_found"]  # fixtures
needs_chromium = pytest.mark.skipif(not any(map(shutil.which, SYSTEM)), reason="no Chromium on this machine")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("targets", "discover", "chat.example"), 2, "is not a whole URL"),
        (("targets", "discover", "http://[::1"), 2, "is not a whole URL"),
        (("targets", "discover", "http://192.0.2.1/"), 2, "say who allowed it with --authorised-by"),
        (("targets", "discover", "http://192.0.2.1/", "-o", "bot.yaml"), 2, "bot.yaml is there already"),
        (("targets", "discover", "http://192.0.2.1/", "-o", "other.yaml"), 2, "--authorised-by"),
        (("targets", "discover", "http://127.0.0.1:9/", "-o", "bot.yaml/x"), 2, "bot.yaml/x: the report cannot be"),
        (("targets", "discover", "http://127.0.0.1:9/", "--ask", "Who?"), 2, "one question is not enough"),
        (("targets", "discover", "http://127.0.0.1:9/", "--login", "bot.yaml"), 2, "login: is required, but not given"),
        (("targets", "discover", "http://127.0.0.1:9/", "--login", "in.yaml"), 2, "WORD is not set in the environment"),
        (("targets", "discover", "http://127.0.0.1:9/", "--login", "afar.yaml"), 2, "--authorised-by"),
        (("targets", "login", "bot.yaml"), 2, "only bots of kind browser are logged in to"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    botattack: Botattack, folder: Path, words: tuple[str, ...], status: int, said: str
) -> None:
    (folder / "bot.yaml").write_text('connect: {kind: local, call: "botattack.bots.alice:bot"}\n')
    (folder / "in.yaml").write_text('env: [WORD]\nlogin: [{goto: "http://127.0.0.1:9/"}]\n')
    (folder / "afar.yaml").write_text('login: [{goto: "http://192.0.2.1/"}]\n')
    ended = botattack(*words)
    assert ended.status == status
    assert said in ended.err


@pytest.mark.live
@needs_chromium
@pytest.mark.usefixtures("shell_found")
@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("BUSY", ['answer: ".bot"', 'fill: "#box"', "press: Enter", 'gone: ".typing"']),
        ("SHADOW_ECHO", ['answer: ".bot"', 'fill: "#box"']),
        (
            "WIDGET",
            ['dismiss: "#ok"', 'click: "#chat-launcher"', 'fill: "#box"', 'answer: ".assistant"', 'click: "#send"'],
        ),
    ],
)
def test_a_page_is_looked_over_and_the_file_proven(
    botattack: Botattack, folder: Path, serve: Serve, page: str, wanted: list[str]
) -> None:
    url = serve(pages.serving(home=getattr(pages, page)))
    ended = botattack("targets", "discover", url, "-o", "found.yaml")
    text = (folder / "found.yaml").read_text()
    assert ended.status == 0, ended
    assert text.splitlines()[1].startswith("# Proven: it read ")
    assert [each for each in wanted if each not in text] == []
    checked = botattack("check", "found.yaml")
    assert checked.status == 0, checked


@pytest.mark.live
@needs_chromium
def test_a_page_without_a_chat_is_said(botattack: Botattack, serve: Serve) -> None:
    ended = botattack("targets", "discover", serve(pages.serving(home=pages.page("<h1>News</h1>"))))
    assert ended.status != 0
    assert "no box to write a message in was found" in ended.err


@pytest.mark.live
@needs_chromium
def test_a_login_is_kept_for_this_user_alone(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def behave(request: Any, writer: Any) -> None:
        if request.method == "POST":
            writer.write(response("", status=303, location="/", set_cookie="in=secret-cookie; Path=/"))
        else:
            inside = "in=secret-cookie" in request.headers.get("cookie", "")
            writer.write(response(pages.ECHO if inside else pages.LOGIN, kind="text/html"))

    url = serve(Server(behave))
    steps = f"""open: [{{goto: "{url}"}}]
  ask: [{{fill: "#box", with: "{{{{ question }}}}"}}, {{press: Enter}}]
  answer: .bot
  settled: {{quiet: 200ms}}
"""
    login = f"""  login:
    - {{goto: "{url}"}}
    - {{fill: "[name=word]", with: "{{{{ env.WORD }}}}"}}
    - {{click: "text=Log in"}}
    - {{wait_for: "#box"}}
"""
    monkeypatch.setenv("WORD", "open sesame")
    (folder / "page.yaml").write_text(f"env: [WORD]\nconnect:\n  kind: browser\n  {steps}{login}")
    ended = botattack("targets", "login", "page.yaml")
    assert ended.status == 0, ended
    kept = next((folder / "botattack" / "logins").glob("*.json"))
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "secret-cookie" in kept.read_text()
    (folder / "page.yaml").write_text(f"connect:\n  kind: browser\n  {steps}")
    checked = botattack("check", "page.yaml", "--ask", "inside?")
    assert checked.status == 0, checked
    assert "You said inside?" in checked.out
    assert "secret-cookie" not in checked.out


@pytest.mark.live
@needs_chromium
@pytest.mark.usefixtures("shell_found")
def test_a_page_is_asked_once_and_its_pauses_are_measured(botattack: Botattack, folder: Path, serve: Serve) -> None:
    chats = Chats(Traits(echo=(3.5, 4.0), pause=(2.0, 2.2), pausing=1.0))
    ended = botattack("targets", "discover", serve(chats), "-o", "found.yaml")
    text = (folder / "found.yaml").read_text()
    assert ended.status == 0, ended
    assert chats.twice == []
    (quiet,) = re.findall(r"quiet: (\d+)ms", text)
    assert 2200 < int(quiet) < 4000
    assert "confirm" not in text


@pytest.mark.live
@needs_chromium
@pytest.mark.usefixtures("shell_found")
def test_a_page_that_shows_no_messages_is_written_down_so(botattack: Botattack, folder: Path, serve: Serve) -> None:
    ended = botattack("targets", "discover", serve(pages.serving(home=pages.MUTE)), "-o", "found.yaml")
    text = (folder / "found.yaml").read_text()
    assert ended.status == 0, ended
    assert "confirm: 0s" in text


def test_nobody_can_log_in_by_hand_in_a_browser_elsewhere(botattack: Botattack, folder: Path) -> None:
    page = 'open: [{goto: "http://127.0.0.1:9/"}], ask: [{fill: a, with: "{{ question }}"}], answer: p'
    (folder / "page.yaml").write_text(f"connect: {{kind: browser, browser: 'ws://127.0.0.1:9/', {page}}}")
    ended = botattack("targets", "login", "page.yaml")
    assert (ended.status, ended.out) == (2, "")
    assert "opens no window here: give the file login steps" in ended.err
