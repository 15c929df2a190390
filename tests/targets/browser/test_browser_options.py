"""Target files for pages: what is accepted, what is refused and where, and what a page may load."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import async_playwright

from botattack.config.target import load_target
from botattack.errors import ConfigError, MissingPart, TrustRefused, Unreachable
from botattack.options import Executable
from botattack.targets.browser.browser_kind import Browser
from botattack.targets.browser.launch import DISABLED, Walls, launch_options, program, start, system_browser
from tests.targets.asking import options
from tests.targets.browser.conftest import described

URL = "http://127.0.0.1:8000/chat"


def load(folder: Path, environ: dict[str, str] | None = None, env: tuple[str, ...] = (), **connect: Any) -> Any:
    path = folder / "page.yaml"
    path.write_text(yaml.safe_dump({"env": list(env), "connect": {"kind": "browser"} | described(URL, **connect)}))
    return load_target(
        path,
        environ=environ or {},
        today=date(2026, 11, 20),
        resolve=lambda host: [host if host[0] == "1" else "9.9.9.9"],
    )


def test_a_page_is_described_and_its_hosts_are_known(tmp_path: Path) -> None:
    found = load(tmp_path, {"PW": "x"}, ("PW",), login=[{"goto": URL}, {"fill": "#pw", "with": "{{ env.PW }}"}])
    assert found.hosts == {"127.0.0.1"}
    assert found.env_places == {"PW": ["connect.login[1].with"]}
    assert found.open().name == "page"


@pytest.mark.parametrize(
    ("connect", "place", "words"),
    [
        ({"open": []}, "connect.open", "needs at least one step"),
        ({"open": [{"click": "#a"}]}, "connect.open[0]", "the first step opens a page"),
        ({"ask": [{"press": "Enter"}]}, "connect.ask", "no step uses {{ question }}"),
        ({"ask": [{"click": "#a", "fill": "#b", "with": "{{ question }}"}]}, "connect.ask[0]", "not click and fill"),
        ({"ask": [{"fill": "#b"}]}, "connect.ask[0]", "fill needs with"),
        ({"ask": [{"klick": "#b"}]}, "connect.ask[0].klick", "no such key"),
        ({"open": [{"goto": "/chat"}]}, "connect.open[0].goto", "is not a whole URL"),
        ({"open": [{"goto": "http://{{ question }}/"}]}, "connect.open[0].goto", "cannot depend on the question"),
        ({"reset": [{"click": "#a"}]}, "connect.reset", "no such key"),
        ({"settled": {"quiet": 1200}}, "connect.settled.quiet", "without a unit"),
        ({"settled": {"busy": ".x"}}, "connect.settled.busy", "no such key"),
        ({"browser": "opera"}, "connect.browser", "expected the address of a Chromium, found the text 'opera'"),
        ({"browser": "firefox"}, "connect.browser", "expected the address of a Chromium"),
        ({"browser": "localhost:9222"}, "connect.browser", "expected the address"),
        ({"browser": "ws://{{ question }}/"}, "connect.browser", "can depend on the environment alone"),
        ({"browser": "ws:///x"}, "connect.browser", "names no host"),
        ({"browser": "ws://127.0.0.1/", "sandbox": False}, "connect.sandbox", "a browser that botattack starts"),
        ({"browser": "ws://127.0.0.1/", "executable": "./x"}, "connect.executable", "a browser that botattack starts"),
        ({"answer": ""}, "connect.answer", "expected text"),
    ],
)
def test_what_is_wrong_is_said_at_its_place(tmp_path: Path, connect: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, **connect)
    assert [problem.path for problem in caught.value.problems] == [place]
    assert words in caught.value.problems[0].message


@pytest.mark.parametrize(
    "connect",
    [
        {"hosts": ["cdn.example"]},
        {"open": [{"goto": "https://chat.example/"}]},
        {"browser": "ws://grid.example:4444/"},
        {"browser": "https://grid.example/?token=x"},
        {"ask": [{"goto": "https://chat.example/?q={{ question }}"}]},
    ],
)
def test_other_hosts_need_consent(tmp_path: Path, connect: dict[str, Any]) -> None:
    with pytest.raises(TrustRefused, match="no consent"):
        load(tmp_path, **connect)


WALLS = Walls([URL, "https://[::1]/x"], ["cdn.example", "api.example:8443"])


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://127.0.0.1:8000/x.png", True),
        ("ws://127.0.0.1:8000", True),
        ("https://127.0.0.1:8000/", True),
        ("http://127.0.0.1:80001/", False),
        ("http://127.0.0.1:8000@evil.example/", False),
        ("http://127.0.0.1:8000.evil.example/", False),
        ("http://127.0.0.1/", False),
        ("http://localhost:8000/", False),
        ("https://[::1]/a", True),
        ("https://[::1]:443/a", True),
        ("https://[::1]:444/a", False),
        ("http://cdn.example/a", True),
        ("wss://cdn.example:99/a", True),
        ("http://x.cdn.example/a", False),
        ("http://api.example:8443/a", True),
        ("http://api.example/a", False),
        ("data:text/html,x", True),
        ("about:blank", True),
        ("file:///etc/passwd", False),
        ("ftp://127.0.0.1:8000/", False),
    ],
)
def test_what_a_page_may_load(url: str, allowed: bool) -> None:
    assert WALLS.allow(url) is allowed


def test_the_browser_has_no_address_for_anything_else() -> None:
    rules = WALLS.rules.split(",")
    assert rules[-1] == "MAP * ~NOTFOUND"
    assert {rule.split()[1] for rule in rules[:-1]} == {
        "127.0.0.1:8000", "[::1]:443", "cdn.example", "api.example:8443",
    }  # fmt: skip
    assert all(rule.split()[1] == rule.split()[2] for rule in rules[:-1])


def test_a_page_without_consent_stays_on_this_machine_whatever_its_name_stands_for() -> None:
    urls = ["http://bot.test:8000/", "http://localhost:81/", "http://127.0.0.1:82/", "https://[::1]/x"]
    rules = dict(rule.split()[1:] for rule in Walls(urls, ["cdn.example"], here=True).rules.split(","))
    assert rules == {
        "bot.test:8000": "127.0.0.1:8000",
        "localhost:81": "localhost:81",
        "127.0.0.1:82": "127.0.0.1:82",
        "[::1]:443": "[::1]:443",
        "cdn.example": "cdn.example",
        "*": "~NOTFOUND",
    }


@given(st.from_regex(r"(https?|wss?)://[a-z0-9.:@\[\]-]{1,20}(/|\?|#|)", fullmatch=True))
def test_only_named_origins_pass(url: str) -> None:
    if WALLS.allow(url):
        rest = url.split("://")[1].rstrip("/?#")
        host = rest.rpartition(":")[0] if rest.rpartition(":")[2].isdigit() and not rest.endswith("]") else rest
        assert host in ("127.0.0.1", "[::1]", "cdn.example", "api.example")


def test_a_browser_sees_no_secret_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_ANOTHER", "x")
    monkeypatch.setenv("DISPLAY", ":0")
    made: Any = options(Browser, described("http://127.0.0.1:8000/"))
    seen = launch_options(made, WALLS)["env"]
    assert {"PATH", "DISPLAY"} <= set(seen)
    assert "SECRET_OF_ANOTHER" not in seen


@pytest.mark.slow
@pytest.mark.anyio
async def test_what_playwright_turns_off_stays_off(tmp_path: Path) -> None:
    """Chromium heeds the last list of features alone, which is ours."""
    program = tmp_path / "chromium"
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >{tmp_path}/given\n")
    program.chmod(0o700)
    made: Any = options(Browser, described("http://127.0.0.1:8000/", executable=str(program)))
    async with async_playwright() as playwright:
        with pytest.raises(Unreachable):
            await start(playwright, made, WALLS, headless=True, folder=tmp_path)
    theirs, ours = [line for line in (tmp_path / "given").read_text().splitlines() if "--disable-features" in line]
    assert ours == f"--disable-features={DISABLED}"
    assert {*theirs.partition("=")[2].split(",")} <= {*DISABLED.split(",")}


def test_which_browser_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert system_browser(lambda name: f"/bin/{name}" if "chrome" in name else None) == "/bin/google-chrome"
    assert system_browser(lambda _: None) == ""
    (tmp_path / "own").write_text("")
    own = str(tmp_path / "own")
    assert program(own) == own
    with pytest.raises(MissingPart, match="there is no browser at /nowhere"):
        program(own, Executable("/nowhere"))
    (tmp_path / "mine").write_text("")
    assert program(own, Executable("mine"), tmp_path) == str(tmp_path / "mine")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match="playwright install --with-deps chromium"):
        program(str(tmp_path / "gone"))
