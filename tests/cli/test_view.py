"""Recordings in a browser: what is served and to whom, and that a mark made there is the mark of the command."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from botattack.recordings.triage import read
from tests.cli.conftest import Botattack

EVIL = "<script>window.owned = 1</script><img src=x onerror='window.owned = 1'> nobody knows"
TOWNS = ("Oslo", "Rome", "Lima", "Cairo", "Quito", "Sofia", "Tunis", "Minsk", "Paris", "Delhi")
BOT = f'''
"""Knows in which country towns are, by their exact names; it is vague about Delhi."""
TOWNS = {TOWNS!r}
def answer(text):
    if text == "In which famous country is Delhi?":
        return "It is in Country9 or in Country3, depending on whom you ask."
    for n, town in enumerate(TOWNS):
        if text == f"In which famous country is {{town}}?":
            return f"It is in Country{{n}}."
    return {EVIL!r}
'''


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the recording of the first test is kept."""
    return tmp_path_factory.mktemp("kept") / "recordings"


@pytest.fixture
def recordings(folder: Path, kept: Path) -> Path:
    """A folder with one run, in which every question but one was right and altered ones broke."""
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text('name: towns\nconnect: {kind: local, call: "file://bot.py:answer"}\n')
    rows = [
        {"question": f"In which famous country is {town}?", "answers": [f"Country{n}"]} for n, town in enumerate(TOWNS)
    ]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\n"
        "attacks: [unchanged, random-characters: {keywords: all, per_question: 2}]\n"
    )
    if not kept.exists():
        # In a process of its own: the browser of other tests has an event loop in this one.
        command = [sys.executable, "-m", "botattack", "run", "campaign.yaml", "--allow-code", "--quiet"]
        subprocess.run(command, cwd=folder, check=True)
        shutil.copytree(folder / "recordings", kept)
        return folder / "recordings"
    shutil.copytree(kept, folder / "recordings")
    return folder / "recordings"


Serve = Callable[[Path], httpx.Client]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """A client of the pages of a folder, as the command serves them."""
    started: list[tuple[subprocess.Popen[str], httpx.Client]] = []

    def open_(recordings: Path) -> httpx.Client:
        command = [sys.executable, "-m", "botattack", "view", str(recordings)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        client = httpx.Client(base_url=process.stdout.readline().strip(), timeout=60, follow_redirects=True)
        started.append((process, client))
        return client

    yield open_
    for process, client in started:
        client.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stdout is not None
        process.stdout.close()


def run_of(recordings: Path) -> str:
    return next(path.name for path in recordings.iterdir() if (path / "run.json").exists())


def units(page: str) -> list[str]:
    return re.findall(r'<li tabindex="-1" id="([0-9a-f.]+)"', page)


def root(client: httpx.Client) -> str:
    return str(client.base_url)


REFUSED: tuple[tuple[str, str, dict[str, str], dict[str, str] | None, int], ...] = (
    ("GET", "{host}/", {}, None, 403),
    ("GET", "{host}/wrong/", {}, None, 403),
    ("GET", "{root}", {"Host": "evil.invalid"}, None, 403),
    ("GET", "{root}", {"Host": "127.0.0.1:1"}, None, 403),
    ("POST", "{root}run/{run}/mark", {"Origin": "https://evil.invalid"}, {}, 403),
    ("POST", "{root}run/{run}/mark", {"Origin": "null"}, {}, 403),
    ("POST", "{root}run/{run}/mark", {"Sec-Fetch-Site": "cross-site"}, {}, 403),
    ("POST", "{host}/wrong/run/{run}/mark", {}, {}, 403),
    ("POST", "{root}run/{run}/mark", {}, {"why": "x" * 100_000}, 413),
    ("PUT", "{root}", {}, None, 405),
    ("GET", "{root}run/..%2f..%2fetc", {}, None, 404),
    ("GET", "{root}run/%2e%2e", {}, None, 404),
    ("GET", "{root}run/{run}/..%2f..%2fcampaign.yaml", {}, None, 404),
    ("GET", "{root}run/nowhere", {}, None, 404),
    ("POST", "{root}run/{run}/nothing", {}, {}, 404),
    ("POST", "{root}run/{run}/mark", {}, {"unit": "0000000000000000.0"}, 400),
    ("POST", "{root}run/{run}/mark", {}, {"why": " "}, 400),
    ("GET", "{root}run/{run}/unit/0000000000000000.0", {}, None, 400),
)


def test_what_is_refused_changes_nothing(serve: Serve, recordings: Path) -> None:
    client, run = serve(recordings), run_of(recordings)
    (one, *_) = units(client.get(f"run/{run}").text)
    host, mark = root(client).rsplit("/", 2)[0], {"unit": one, "kind": "accepted", "why": "somebody else"}
    for method, where, headers, form, status in REFUSED:
        url, data = where.format(host=host, root=root(client), run=run), None if form is None else mark | form
        reply = client.request(method, url, headers=headers, data=data)
        assert (where, headers, reply.status_code) == (where, headers, status)
        assert "Traceback" not in reply.text
    assert not (recordings / "triage.yaml").exists()


def test_only_loopback_is_served_and_nothing_foreign_is_loaded(serve: Serve, recordings: Path) -> None:
    client = serve(recordings)
    assert root(client).startswith("http://127.0.0.1:")
    for where in ("", f"run/{run_of(recordings)}", f"run/{run_of(recordings)}/report"):
        page = client.get(where)
        assert page.status_code == 200
        assert "default-src 'none'" in page.text
        assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
        assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", page.text)
        assert "<script>window" not in page.text
        assert "<img" not in page.text


def test_a_mark_is_that_of_the_command_and_is_seen_at_once(
    serve: Serve, recordings: Path, botattack: Botattack
) -> None:
    client, run = serve(recordings), run_of(recordings)
    before, here = client.get(f"run/{run}/now").text, f"run/{run}"
    first, second, *rest = units(client.get(here).text)

    told = client.post(f"{here}/mark", data={"unit": first, "kind": "accepted", "why": "<b>known</b>", "by": "Anna"})

    assert told.status_code == 200
    assert units(told.text) == [second, *rest]
    (mark,) = read(recordings / "triage.yaml").of("towns").values()
    assert (mark.mark, mark.why, mark.by, mark.run) == ("accepted", "<b>known</b>", "Anna", run)
    assert "&lt;b&gt;known&lt;/b&gt;" in told.text
    assert client.get(f"{here}/now").text != before

    # Another process marks meanwhile: the next look shows it, and neither mark is lost.
    assert botattack("mark", second, "bad-variant", "--why", "asks about another town").status == 0
    assert units(client.get(here).text) == rest
    assert len(read(recordings / "triage.yaml").of("towns")) == 2

    client.post(f"{here}/undo", data={"unit": first})
    assert units(client.get(here).text) == [first, *rest]


def test_failures_are_filtered(serve: Serve, recordings: Path) -> None:
    client, run = serve(recordings), run_of(recordings)
    page = client.get(f"run/{run}").text
    every, country = units(page), re.search(r"Country[0-9]", page)
    assert country is not None
    assert units(client.get(f"run/{run}?attack=random-characters").text) == every
    assert units(client.get(f"run/{run}?attack=nothing").text) == []
    assert 0 < len(units(client.get(f"run/{run}", params={"text": country[0].lower()}).text)) < len(every)


def test_what_the_judge_was_unsure_of_is_settled_there(serve: Serve, recordings: Path) -> None:
    client, run = serve(recordings), run_of(recordings)
    page = client.get(f"run/{run}/unsure").text
    (unit,) = units(page)
    assert "Delhi" in page

    page = client.post(f"run/{run}/settle", data={"unit": unit, "said": "right"}).text

    assert units(page) == []
    (mark,) = read(recordings / "triage.yaml").of("towns").values()
    assert (mark.mark, mark.label) == ("settled", "correct")


def test_a_run_becomes_the_baseline(serve: Serve, recordings: Path) -> None:
    client, run = serve(recordings), run_of(recordings)
    assert "<strong>baseline</strong>" not in client.get("").text
    assert client.post(f"run/{run}/baseline").status_code == 200
    assert json.loads((recordings / "baselines" / "towns.json").read_text())["run"] == run
    assert "<strong>baseline</strong>" in client.get("").text


def test_every_recording_is_listed_with_how_it_is(serve: Serve, recordings: Path) -> None:
    whole = recordings / run_of(recordings)
    torn, written, damaged, killed = (recordings / f"2020010{n}T000000Z-towns-0000000{n}" for n in (1, 2, 3, 4))
    for folder in (torn, written, damaged, killed):
        shutil.copytree(whole, folder)
    # What the workers of a killed run leave is being written by nobody.
    (killed / "leases" / "0001-of-0001").mkdir(parents=True)
    (killed / "events.jsonl").replace(killed / "leases" / "0001-of-0001" / "events.jsonl")
    for folder in (torn, written):
        lines = (folder / "events.jsonl").read_bytes().splitlines(keepends=True)
        (folder / "events.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    (damaged / "run.json").write_text("{}")
    client = serve(recordings)

    with (written / "events.jsonl").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        page = client.get("").text
        assert units(client.get(f"run/{written.name}").text)

    states = re.findall(r'<span class="state (\w+)">', page)
    assert states == ["finished", "stopped", "damaged", "running", "stopped"]
    assert damaged.name in page
    assert client.get(f"run/{damaged.name}").status_code == 400


@pytest.mark.parametrize("attacks", [5, [1, "case"], {"case": None}, None])
def test_settings_that_make_no_sense_end_in_a_page(serve: Serve, recordings: Path, attacks: object) -> None:
    path = recordings / run_of(recordings) / "run.json"
    made = json.loads(path.read_text())
    path.write_text(json.dumps(made | {"settings": made["settings"] | {"attacks": attacks}}))
    client = serve(recordings)
    page = client.get(f"run/{run_of(recordings)}")
    assert "<!doctype html>" in page.text
    assert "Traceback" not in page.text
    assert client.get("").status_code == 200


def test_a_port_that_is_taken_is_named(recordings: Path, serve: Serve, botattack: Botattack) -> None:
    port = root(serve(recordings)).split(":")[2].split("/")[0]
    ended = botattack("view", recordings, "--port", port)
    assert ended.status == 2
    assert port in ended.err
    assert len(ended.err.splitlines()) == 2


@pytest.mark.live
@pytest.mark.parametrize("width", [390, 1200])
def test_by_keyboard_alone_in_a_browser(browser, serve: Serve, recordings: Path, width: int) -> None:
    client, run = serve(recordings), run_of(recordings)
    view = browser.new_page(viewport={"width": width, "height": 800})
    said: list[str] = []
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.goto(root(client))
    other = browser.new_page()
    other.goto(f"{root(client)}run/{run}")
    view.keyboard.press("Enter")
    view.wait_for_url(f"**/run/{run}")
    first, second, *_ = units(view.content())
    headline = view.inner_text("#now")

    view.keyboard.press("j")
    view.keyboard.press("m")
    view.keyboard.type("known for long")
    view.keyboard.press("Enter")
    view.wait_for_url("**marked=*")

    # What comes after it has the focus, and the first sentence counts the mark.
    assert view.evaluate("document.activeElement.id") not in ("", first, second)
    view.wait_for_function("before => document.getElementById('now').textContent !== before", arg=headline)
    assert view.inner_text("#then span") == headline
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    (mark,) = read(recordings / "triage.yaml").of("towns").values()
    assert mark.why == "known for long"

    # The other tab still shows what is marked meanwhile; to mark it again there does no harm.
    other.locator(f"li[id='{second}'] summary", has_text="Mark").click()
    other.locator(f"li[id='{second}'] [name=why]").fill("seen here, too")
    with other.expect_navigation():
        other.keyboard.press("Enter")
    (mark,) = read(recordings / "triage.yaml").of("towns").values()
    assert mark.why == "seen here, too"

    view.goto(f"{root(client)}run/{run}/unsure")
    with view.expect_navigation():
        view.keyboard.press("r")
    assert units(view.content()) == []
    for where in ("", f"run/{run}", f"run/{run}/report", f"run/{run}/unit/{first}", f"run/{run}/unit/{second}"):
        view.goto(f"{root(client)}{where}")
        assert view.evaluate("typeof window.owned") == "undefined"
        assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert "window.owned" in view.inner_text("main")
    assert said == []
    view.close()
    other.close()
