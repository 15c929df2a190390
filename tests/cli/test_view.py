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
from concurrent.futures import ThreadPoolExecutor
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


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every test fills anew: starting a process for each test cost more than all that is asked of them."""
    return tmp_path_factory.mktemp("shown")


@pytest.fixture
def folder(folder: Path, shown: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for left in shown.iterdir():
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    monkeypatch.chdir(shown)
    return shown


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


Serve = Callable[[], httpx.Client]


@pytest.fixture(scope="module")
def processes() -> Iterator[list[tuple[subprocess.Popen[str], str]]]:
    """The commands that serve, each with its address."""
    started: list[tuple[subprocess.Popen[str], str]] = []
    yield started
    for process, _ in started:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture
def serve(processes: list[tuple[subprocess.Popen[str], str]], folder: Path) -> Iterator[Serve]:
    """A client of the pages of the recordings of this folder, as the command serves them; of another command each
    time that a test asks for one."""
    clients: list[httpx.Client] = []

    def open_() -> httpx.Client:
        if len(clients) == len(processes):
            command = [sys.executable, "-m", "botattack", "view", str(folder / "recordings")]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            assert process.stdout is not None
            processes.append((process, process.stdout.readline().strip()))
        address = processes[len(clients)][1]
        clients.append(httpx.Client(base_url=address, timeout=60, follow_redirects=True))
        return clients[-1]

    yield open_
    for client in clients:
        client.close()


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
    ("POST", "{root}run/{run}/settle", {"Origin": "https://evil.invalid"}, {"said": "right"}, 403),
    ("POST", "{root}run/{run}/decide", {"Origin": "https://evil.invalid"}, {"said": "drop"}, 403),
    ("POST", "{root}run/{run}/propose", {"Sec-Fetch-Site": "cross-site"}, {}, 403),
    ("POST", "{root}run/{run}/decide", {}, {"said": "drop"}, 400),
    ("POST", "{root}run/{run}/decide", {}, {"said": "anything"}, 404),
    ("GET", "{root}run/{run}/why", {}, None, 404),
    ("POST", "{root}run/{run}/mark", {}, {"unit": "0000000000000000.0"}, 400),
    ("POST", "{root}run/{run}/mark", {}, {"why": " "}, 400),
    ("GET", "{root}run/{run}/unit/0000000000000000.0", {}, None, 400),
)


@pytest.mark.slow
def test_what_is_refused_changes_nothing(serve: Serve, recordings: Path) -> None:
    client, run = serve(), run_of(recordings)
    (one, *_) = units(client.get(f"run/{run}").text)
    host, mark = root(client).rsplit("/", 2)[0], {"unit": one, "kind": "accepted", "why": "somebody else"}
    for method, where, headers, form, status in REFUSED:
        url, data = where.format(host=host, root=root(client), run=run), None if form is None else mark | form
        reply = client.request(method, url, headers=headers, data=data)
        assert (where, headers, reply.status_code) == (where, headers, status)
        assert "Traceback" not in reply.text
    assert not (recordings / "triage.yaml").exists()


@pytest.mark.slow
def test_only_loopback_is_served_and_nothing_foreign_is_loaded(serve: Serve, recordings: Path) -> None:
    client = serve()
    assert root(client).startswith("http://127.0.0.1:")
    for where in ("", f"run/{run_of(recordings)}", f"run/{run_of(recordings)}/report"):
        page = client.get(where)
        assert page.status_code == 200
        assert "default-src 'none'" in page.text
        assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
        assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", page.text)
        assert "<script>window" not in page.text
        assert "<img" not in page.text


@pytest.mark.slow
def test_a_mark_is_that_of_the_command_and_is_seen_at_once(
    serve: Serve, recordings: Path, botattack: Botattack
) -> None:
    client, run = serve(), run_of(recordings)
    before, here = client.get(f"run/{run}/now").text, f"run/{run}"
    first, second, *rest = units(client.get(here).text)

    told = client.post(f"{here}/mark", data={"unit": first, "kind": "accepted", "why": "<b>known</b>", "by": "Anna"})

    assert told.status_code == 200
    # What comes next is where it was; another failure of the same question may come sooner now.
    assert units(told.text)[0] == second
    assert sorted(units(told.text)) == sorted([second, *rest])
    (mark,) = read(recordings / "triage.yaml").of("towns").values()
    assert (mark.mark, mark.why, mark.by, mark.run) == ("accepted", "<b>known</b>", "Anna", run)
    assert "&lt;b&gt;known&lt;/b&gt;" in told.text
    assert client.get(f"{here}/now").text != before

    # Another process marks meanwhile: the next look shows it, and neither mark is lost.
    assert botattack("mark", second, "bad-variant", "--why", "asks about another town").status == 0
    assert sorted(units(client.get(here).text)) == sorted(rest)
    assert len(read(recordings / "triage.yaml").of("towns")) == 2

    client.post(f"{here}/undo", data={"unit": first})
    assert sorted(units(client.get(here).text)) == sorted([first, *rest])


def test_failures_are_filtered(serve: Serve, recordings: Path) -> None:
    client, run = serve(), run_of(recordings)
    page = client.get(f"run/{run}").text
    every, country = units(page), re.search(r"Country[0-9]", page)
    assert country is not None
    assert units(client.get(f"run/{run}?attack=random-characters").text) == every
    assert units(client.get(f"run/{run}?attack=nothing").text) == []
    assert 0 < len(units(client.get(f"run/{run}", params={"text": country[0].lower()}).text)) < len(every)


def test_what_the_judge_was_unsure_of_is_settled_there(serve: Serve, recordings: Path) -> None:
    client, run = serve(), run_of(recordings)
    page = client.get(f"run/{run}/unsure").text
    (unit,) = units(page)
    assert "Delhi" in page

    page = client.post(f"run/{run}/settle", data={"unit": unit, "said": "right"}).text

    assert units(page) == []
    (mark,) = read(recordings / "triage.yaml").of("towns").values()
    assert (mark.mark, mark.label) == ("settled", "correct")


def test_a_run_becomes_the_baseline(serve: Serve, recordings: Path) -> None:
    client, run = serve(), run_of(recordings)
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
    client = serve()
    unanswered = recordings / "20200105T000000Z-towns-00000005"
    shutil.copytree(whole, unanswered)
    begun, *_, ended = (whole / "events.jsonl").read_bytes().splitlines(keepends=True)
    (unanswered / "events.jsonl").write_bytes(begun + ended.replace(b'"exit":0', b'"exit":3'))

    with (written / "events.jsonl").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        page = client.get("").text
        assert units(client.get(f"run/{written.name}").text)

    states = re.findall(r'<span class="state (\w+)">', page)
    assert states == ["finished", "stopped", "damaged", "running", "stopped"]
    assert page.count(f"run/{unanswered.name}") == 1 < page.index("1 start without an answer")
    assert damaged.name in page
    assert client.get(f"run/{damaged.name}").status_code == 400


def test_a_run_has_the_newest_of_the_causes_that_were_asked_of_it(serve: Serve, recordings: Path) -> None:
    first = recordings / run_of(recordings)

    def copied(day: int, command: list[str], *, of: str = "", into: Path = recordings) -> str:
        name = f"2020010{day}T000000Z-towns-0000000{day}"
        shutil.copytree(first, into / name)
        made = json.loads((first / "run.json").read_text())
        attacks = {"why": {"why": {"run": of}}} if of else made["settings"]["attacks"]
        settings = made["settings"] | {"attacks": attacks}
        (into / name / "run.json").write_text(
            json.dumps(made | {"run": name, "settings": settings, "command": command})
        )
        return name

    one, two = (copied(day, ["run"]) for day in (1, 2))
    late = copied(5, ["why", "a/link/to/it"], of=one)
    copied(3, ["why", one], of=one)
    # As if a night had asked of its own accord before somebody asked again.
    (recordings / one / "why").mkdir()
    copied(4, ["why", one], of=one, into=recordings / one / "why")
    alone = copied(6, ["why", two, one], of=two)
    shutil.rmtree(first)
    rows = rows_of(serve().get("").text)
    assert [re.findall(r'run/([^"]+)/(?:report|why)"', rows[name]) for name in (one, two)] == [[late], [alone]]


@pytest.mark.parametrize(
    ("command", "shard", "said"),
    [
        (["run"], (1, 2), "part 1 of 2"),
        (["run"], (2, 2), "part 2 of 2"),
        ([], (1, 1), ""),
        (["nightly"], (1, 1), "night"),
    ],
)
def test_a_part_is_told_from_the_whole(
    serve: Serve, recordings: Path, command: list[str], shard: tuple[int, int], said: str
) -> None:
    path = recordings / run_of(recordings) / "run.json"
    made = json.loads(path.read_text())
    path.write_text(json.dumps(made | {"settings": made["settings"] | {"shard": shard}, "command": command}))
    (row,) = rows_of(serve().get("").text).values()
    assert re.findall(r"part \d of \d|night", re.sub("<[^>]+>", "", row)) == [said] * bool(said)


@pytest.mark.parametrize("attacks", [5, [1, "case"], {"case": None}, None])
@pytest.mark.slow
def test_settings_that_make_no_sense_end_in_a_page(serve: Serve, recordings: Path, attacks: object) -> None:
    path = recordings / run_of(recordings) / "run.json"
    made = json.loads(path.read_text())
    path.write_text(json.dumps(made | {"settings": made["settings"] | {"attacks": attacks}, "command": ["why"]}))
    client = serve()
    page = client.get(f"run/{run_of(recordings)}")
    assert "<!doctype html>" in page.text
    assert "Traceback" not in page.text
    assert client.get("").status_code == 200


@pytest.mark.slow
def test_a_port_that_is_taken_is_named(recordings: Path, serve: Serve, botattack: Botattack) -> None:
    port = root(serve()).split(":")[2].split("/")[0]
    ended = botattack("view", recordings, "--port", port)
    assert ended.status == 2
    assert port in ended.err
    assert len(ended.err.splitlines()) == 2


NUMBERS = '''
"""Knows the number in a question; forgets those that forgotten.txt lists."""
import pathlib, re
FORGOTTEN = pathlib.Path(__file__).parent / "forgotten.txt"
def answer(text):
    match = re.search("number ([0-9]+)", text)
    if not match or match[1] in FORGOTTEN.read_text().split():
        return "I only know numbers."
    return f"The double of number {match[1]} is {int(match[1]) * 7}."
'''


# A night that got worse ends with 1. Names of recordings begin with the second, and are what nights are ordered by.
NIGHTS = """
import sys, time
from pathlib import Path
from botattack.cli import main

def command(*words):
    time.sleep(1 - time.time() % 1)  # the names of recordings, and so their order, tell seconds apart
    sys.argv[1:] = words  # a recording says by which command it was made
    try:
        main()
    except SystemExit as ended:
        if ended.code not in (None, 0, 1):
            raise

command("run", "campaign.yaml", "--allow-code", "--quiet")
(baseline,) = map(str, Path("recordings").glob("2*"))
command("nightly", "baseline", "set", baseline)
command("why", baseline, "--each", "1", "--allow-code", "--quiet")
command("nightly", "campaign.yaml", "--allow-code")
Path("forgotten.txt").write_text("3 5")
command("nightly", "campaign.yaml", "--allow-code")
Path("forgotten.txt").write_text("")
command("run", "-t", "bot.yaml", "-q", "log.jsonl", "-a", "case", "--allow-code", "--quiet")
"""


@pytest.fixture(scope="module")
def made_nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A baseline, a night as good as it, one that lost answers and asked why, and a run that asked why of the
    baseline; then a run without right answers."""
    folder = tmp_path_factory.mktemp("nights")
    (folder / "bot.py").write_text(NUMBERS)
    (folder / "bot.yaml").write_text(
        'name: numbers\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
        'signs: {refused: ["I only know numbers."]}\n'
    )
    rows = [{"question": f"What is the famous double of number {n}?", "answers": [str(7 * n)]} for n in range(1, 9)]
    never = [{"question": f"Who is the mayor of {town}?", "answers": ["nobody"]} for town in TOWNS[:4]]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows + never))
    (folder / "log.jsonl").write_text("".join(json.dumps({"question": row["question"]}) + "\n" for row in rows[:4]))
    (folder / "campaign.yaml").write_text(
        "target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nwhy: {each: 2}\n"
        "attacks: [random-characters: {keywords: all, per_question: 1}]\n"
    )
    (folder / "forgotten.txt").write_text("")
    # One process for all of them, which starts once; not this one, where the browser of other tests has an event loop.
    ended = subprocess.run([sys.executable, "-c", NIGHTS], cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return folder / "recordings"


@pytest.fixture
def nights(folder: Path, made_nights: Path) -> Path:
    shutil.copytree(made_nights, folder / "recordings")
    return folder / "recordings"


def made_by(recordings: Path, word: str) -> list[str]:
    """The names of the recordings that a command made, oldest first."""
    found = [
        path.parent.name
        for path in sorted(recordings.glob("*/run.json"))
        if word in json.loads(path.read_text())["command"]
    ]
    assert found
    return found


def pinned(recordings: Path) -> str:
    """The name of the recording that is the baseline."""
    return str(json.loads((recordings / "baselines" / "numbers.json").read_text())["recording"])


def rows_of(page: str) -> dict[str, str]:
    """What the list says of each recording, by its name."""
    return {
        name: row
        for row in page.split("<li ")[1:]
        for name in re.findall(r'class="open" href="[^"]*run/([^"/]+)"', row)
    }


@pytest.mark.slow
def test_a_night_is_listed_with_its_trend_and_its_cause(serve: Serve, nights: Path) -> None:
    page = rows_of(serve().get("").text)
    calm, worse = made_by(nights, "nightly")
    (why,), baseline = made_by(nights, "why"), pinned(nights)
    assert "latest night" in page[worse]
    assert not any("latest night" in row for name, row in page.items() if name != worse)
    # Of the figures of a night those of the nights before: 8 were right, of which it lost 2.
    text = " ".join(re.sub("<[^>]+>", " ", page[worse]).split())
    assert "right unchanged, of 12: 8 → 6" in text
    assert '<strong class="worse">6</strong>' in page[worse]
    assert "→" not in page[calm]
    # A night that was stopped shows nothing of the bot.
    report = nights / calm / "report.json"
    report.write_text(re.sub(r'("run":\s*{[^}]*?"exit":\s*)0', r"\g<1>3", report.read_text()))
    assert "→" not in rows_of(serve().get("").text)[worse]
    # A night has its causes within its folder, another run those that were asked of it.
    assert f"run/{worse}/why" in page[worse]
    assert f"run/{why}/report" in page[baseline]
    assert "Why:" not in page[calm]


@pytest.mark.slow
def test_the_failures_of_a_night_begin_with_what_it_lost(serve: Serve, nights: Path) -> None:
    client, (_, worse) = serve(), made_by(nights, "nightly")
    page = client.get(f"run/{worse}").text
    lost = [set(re.findall("number ([35])", item)) for item in page.split("<li tabindex")[1:3]]
    assert lost in ([{"3"}, {"5"}], [{"5"}, {"3"}])
    assert client.get(f"run/{worse}/why").status_code == 200
    before = client.get(f"run/{worse}/now").text
    assert "2 answers lost" in before
    mark = {"unit": units(page)[0], "kind": "wrong-verdict", "why": "it says so"}
    assert "it says so" in client.post(f"run/{worse}/mark", data=mark).text
    assert "1 answer lost" in client.get(f"run/{worse}/now").text
    report = client.get(f"run/{worse}/report").text
    assert "1 answer lost" in report
    commands = re.findall(r"botattack replay \S+", report)
    assert commands
    assert all(worse in command for command in commands)


@pytest.mark.slow
def test_a_night_that_lost_answers_becomes_the_baseline_only_with_a_word(
    serve: Serve, nights: Path, botattack: Botattack
) -> None:
    client, (calm, worse), first = serve(), made_by(nights, "nightly"), pinned(nights)
    asked = client.post(f"run/{worse}/baseline").text
    assert "lost 2 answers" in asked
    told = botattack("nightly", "baseline", "set", nights / worse)
    assert told.status == 2
    assert "lost 2 answers" in told.err
    assert "“What is the famous double of number 3?”" in told.err
    assert "--yes" in told.err
    assert pinned(nights) == first
    (name, value), action = re.findall(r'button name="(\w+)" value="(\w+)"', asked)[0], f"run/{worse}/baseline"
    assert action in asked
    assert client.post(action, data={name: value}).status_code == 200
    assert pinned(nights) == worse
    # It has all that the other has, and more.
    assert botattack("nightly", "baseline", "set", nights / calm).status == 0
    assert botattack("nightly", "baseline", "set", nights / worse, "--yes").status == 0
    assert pinned(nights) == worse


@pytest.mark.slow
def test_a_night_whose_baseline_leads_elsewhere_is_shown_alone(serve: Serve, nights: Path) -> None:
    _, worse = made_by(nights, "nightly")
    run, other = nights / worse / "run.json", nights.parent / "elsewhere"
    (nights / pinned(nights)).rename(other)
    made = json.loads(run.read_text())
    for each in made["settings"]["attacks"].values():
        for option in each.values():
            option["suite"] = "../elsewhere"
    run.write_text(json.dumps(made))
    assert "lost" not in serve().get(f"run/{worse}/now").text


@pytest.mark.slow
def test_right_answers_are_confirmed_corrected_and_dropped(serve: Serve, nights: Path, botattack: Botattack) -> None:
    client, run = serve(), made_by(nights, "log.jsonl")[0]
    here, table = f"run/{run}", nights / run / "golds.csv"
    assert "/golds" not in client.get(f"run/{made_by(nights, 'nightly')[0]}").text
    assert "/propose" in client.get(f"{here}/golds").text
    page = client.post(f"{here}/propose").text
    first, second, third, fourth = units(page)
    asked = re.findall(r"(number \d)\?</p>", page)

    def said(unit: str, what: str, **more: str) -> str:
        return client.post(f"{here}/decide", data={"unit": unit, "said": what, **more}).text

    evil = f"={EVIL}"
    page = said(first, "confirm", answer=evil)
    assert units(page) == [second, third, fourth]
    assert "nobody knows" in page
    assert "<script>window" not in page
    assert "<img" not in page
    assert units(said(second, "drop")) == [third, fourth]
    assert units(said(third, "drop")) == [fourth]
    assert units(said(third, "open again")) == [third, fourth]
    # Another process decides meanwhile, and proposing again takes nothing back.
    other = serve()
    kept = re.search(r'name="answer" required value="([^"]+)"', said(third, "open again").split(f'id="{fourth}"')[1])
    assert kept is not None
    other.post(f"{here}/decide", data={"unit": fourth, "said": "confirm", "answer": kept[1]})
    assert units(client.post(f"{here}/propose").text) == [third]
    assert client.post(f"{here}/decide", data={"unit": third, "said": "confirm", "answer": " "}).status_code == 400

    # A spreadsheet is not given a formula, and the command reads what was decided.
    assert ",'=<script>" in table.read_text()
    assert botattack("judge", "golds", nights / run, "--collect", table, "-o", "suite.jsonl").status == 0
    suite = {
        row["question"]: row.get("answers") for row in map(json.loads, Path("suite.jsonl").read_text().splitlines())
    }
    answers = {name: answer for question, answer in suite.items() for name in asked if name in question}
    assert answers == {asked[0]: [evil], asked[2]: None, asked[3]: [kept[1]]}


@pytest.mark.slow
def test_two_processes_decide_at_once(serve: Serve, nights: Path) -> None:
    client, other, run = serve(), serve(), made_by(nights, "log.jsonl")[0]
    every = units(client.post(f"run/{run}/propose").text)
    with ThreadPoolExecutor(4) as pool:
        asked = zip((client, other) * 2, every, strict=True)
        done = [
            pool.submit(each.post, f"run/{run}/decide", data={"unit": unit, "said": "drop"}) for each, unit in asked
        ]
        assert {one.result().status_code for one in done} == {200}
    assert (nights / run / "golds.csv").read_text().count(",no,") == 4


@pytest.mark.slow
def test_a_table_that_is_no_such_table_is_named(serve: Serve, nights: Path) -> None:
    client, run = serve(), made_by(nights, "log.jsonl")[0]
    (nights / run / "golds.csv").write_text("a,b\n1,2\n")
    page = client.get(f"run/{run}/golds")
    assert page.status_code == 400
    assert "golds.csv:2" in page.text


@pytest.mark.live
def test_right_answers_by_keyboard_alone(browser, serve: Serve, nights: Path) -> None:
    client, run = serve(), made_by(nights, "log.jsonl")[0]
    view = browser.new_page(viewport={"width": 1200, "height": 800})
    view.goto(root(client))
    view.keyboard.press("Enter")
    view.wait_for_url(f"**/run/{run}")
    for key in ("3", "p"):
        with view.expect_navigation():
            view.keyboard.press(key)
    _, second, *rest = units(view.content())
    view.keyboard.press("c")
    view.keyboard.type("twice as much")
    for key, left in (("Enter", [second, *rest]), ("d", rest), ("u", [second, *rest]), ("y", rest)):
        with view.expect_navigation():
            view.keyboard.press(key)
        assert units(view.content()) == left
    table = (nights / run / "golds.csv").read_text()
    assert "twice as much" in table
    assert (table.count(",yes,"), table.count(",no,")) == (2, 0)
    # Every key that this page knows is on it.
    assert set(view.locator(".keys kbd").all_inner_texts()) == {"j", "k", "y", "c", "d", "u"}
    view.close()


@pytest.mark.live
@pytest.mark.parametrize("width", [390, 1200])
def test_by_keyboard_alone_in_a_browser(browser, serve: Serve, recordings: Path, width: int) -> None:
    client, run = serve(), run_of(recordings)
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
    view.wait_for_url("**done=*")

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
