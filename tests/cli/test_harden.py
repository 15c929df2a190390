"""Hardening: a bot is retrained on what broke it, and the other half of the questions says whether that helped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botattack.audit.hardening.folder import HardenFolder
from botattack.report.training_sets.examples import Halves
from tests.cli.conftest import Botattack, Serve
from tests.report.streams import fits
from tests.servers import intents
from tests.servers.http import Received, Server, replying, response
from tests.servers.intents import intent_server, train

TRAIN = Path(intents.__file__)
INTENTS = {
    "card arrival": "letter post arrive delivery",
    "exchange rate": "currency euro dollar convert",
    "lost phone": "phone stolen lost missing",
    "top up": "money balance add account",
}
FRAMES = ("please explain the {} and the {}", "what happens with my {} {}")
UPPER = "case: {kinds: [upper], per_question: 1}"
RETRAIN = f'[{sys.executable}, {TRAIN}, model.json, base.jsonl, "{{training_set}}"]'
HARDEN = f"harden: {{retrain: {RETRAIN}, for: mda, share: 100%}}\n"


def rows(frame: str, change: Callable[[str], str] = str) -> str:
    found = [
        {"question": change(frame.format(one, other)), "answers": [answer]}
        for answer, words in INTENTS.items()
        for one in words.split()
        for other in words.split()
        if one != other
    ]
    return "".join(json.dumps(row) + "\n" for row in found)


@dataclass(frozen=True)
class Bot:
    """The intent model behind its server, and the campaign over it."""

    folder: Path
    server: Server

    def write(self, harden: str = HARDEN, attacks: str = UPPER, limit: int = 48) -> Path:
        path = self.folder / "campaign.yaml"
        path.write_text(
            f"target: bot.yaml\nquestions: {{file: faq.jsonl, limit: {limit}}}\nmatch: exact\nunchanged: false\n"
            f"attacks: [{attacks}]\n{harden}"
        )
        return path

    def retrain(self, words: str, **more: str) -> Path:
        """With another command."""
        others = "".join(f", {name}: {value}" for name, value in more.items())
        return self.write(f'harden: {{retrain: [{words}, "{{training_set}}"], for: mda{others}}}\n')

    def python(self, code: str, **more: str) -> Path:
        (self.folder / "command.py").write_text(code)
        return self.retrain(f"{sys.executable}, command.py", **more)

    @property
    def asked(self) -> int:
        return len(self.server.received)


@pytest.fixture
def bot(folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Bot:
    """It knows every word of the questions, in small letters, and has seen none of the questions."""
    (folder / "faq.jsonl").write_text(rows(FRAMES[0]))
    (folder / "base.jsonl").write_text(rows(FRAMES[1]))
    train(folder / "model.json", [folder / "base.jsonl"])
    server = intent_server(folder / "model.json")
    monkeypatch.setenv("KEY", "kX9-very-secret-77")
    (folder / "bot.yaml").write_text(
        f'name: intents\nconnect:\n  kind: http\n  request:\n    url: "{serve(server)}"\n'
        '    json: {text: "{{ question }}"}\n'
        '    headers: {authorization: "Bearer {{ env.KEY }}"}\n  extract: {answer: "$.reply.text"}\n'
        f'limits: {{rate: unlimited}}\nsigns: {{refused: ["{intents.UNKNOWN}"]}}\nenv: [KEY]\n'
    )
    return Bot(folder, server)


def hardening() -> Path:
    (found,) = Path("recordings").iterdir()
    return found


def result(botattack: Botattack, path: Path, *flags: object, status: int = 0) -> dict[str, Any]:
    ended = botattack("harden", path, "--allow-code", "-o", "found.json", "-o", "found.md", *flags)
    assert ended.status == status, str(ended)
    found: dict[str, Any] = fits("harden", Path("found.json"))
    assert Path("found.md").read_text().startswith("# ")
    return found


@pytest.mark.slow
def test_it_helps_and_costs_nothing(botattack: Botattack, bot: Bot) -> None:
    ended = botattack("harden", bot.write(), "--allow-code", "-o", "found.json", "--fail-unless-helped")
    assert ended.status == 0
    assert "Retraining helped: of " in ended.out
    assert ", no change." in ended.out
    found = json.loads(Path("found.json").read_text())
    (total,) = found["totals"]
    assert total["old"] == total["units"] >= 20
    assert total["new"] == 0
    assert total["interval"][1] < 0
    assert found["accuracy"]["before"] == found["accuracy"]["now"] == found["accuracy"]["asked"]
    assert found["training"]["attacks"].keys() == {"case", "unchanged"}
    assert found["seconds"] > 0


@pytest.mark.slow
def test_nothing_is_trained_on_that_is_asked_again(botattack: Botattack, bot: Bot) -> None:
    from botattack.questions.detect import reader_for

    botattack("harden", bot.write(), "--allow-code")
    questions = [*reader_for(Path("faq.jsonl"))(Path("faq.jsonl"))]
    half_of = Halves(questions)
    halves = {one.text: half_of(one) for one in questions}
    taught = [text.lower() for text, _ in intents.examples_of(hardening() / "training-set.jsonl")]
    assert {halves[text] for text in taught} == {"train"}
    asked = [json.loads(one.body)["text"].lower() for one in bot.server.received]
    again = asked[2 * len(halves) :]
    assert {halves[text] for text in again} == {"test"}
    assert len(again) == 2 * sum(half == "test" for half in halves.values())


def by_heart(folder: Path) -> Server:
    """A bot that answers what it learnt to the question with most of the same words."""

    def reply(request: Received) -> bytes:
        said = set(re.findall(r"\w+", request.json["text"].lower()))
        rows = [row for name in ("base", "learnt") for row in intents.examples_of(folder / f"{name}.jsonl")]
        known = [(set(re.findall(r"\w+", text.lower())), answer) for text, answer in rows]
        return response({"reply": {"text": max(known, key=lambda row: len(row[0] & said) / len(row[0] | said))[1]}})

    return Server(replying(reply))


@pytest.mark.slow
def test_a_bot_that_learns_by_heart_gains_nothing_from_twins(botattack: Botattack, bot: Bot, serve: Serve) -> None:
    """30 of 100 questions have a twin: in capitals and with another mark, with courtesies, or with one more word."""
    text = "when may members of the c{0} club borrow the k{0} canoe from the boat house at lake number l{0}"
    asked = [(text.format(number), f"on day {number}") for number in range(100)]
    twins = (
        lambda one: f"{one.upper()}!",
        "hello, {}, thanks".format,
        lambda one: one.replace("the boat", "the old boat"),
    )
    asked += [(twins[number % 3](one), answer) for number, (one, answer) in enumerate(asked[:30])]
    lines = [json.dumps({"question": one, "answers": [answer]}) + "\n" for one, answer in asked]
    Path("faq.jsonl").write_text("".join(lines))
    Path("base.jsonl").write_text("".join(lines[50:100]))
    Path("learnt.jsonl").touch()
    target = (bot.folder / "bot.yaml").read_text()
    (bot.folder / "bot.yaml").write_text(re.sub(r"http://[^\"]+", serve(by_heart(bot.folder)), target))
    campaign = bot.python("import shutil, sys; shutil.copy(sys.argv[1], 'learnt.jsonl')")
    campaign.write_text(campaign.read_text().replace("limit: 48", f"limit: {len(lines)}"))
    found = result(botattack, campaign)
    assert found["changed"] > 0
    assert found["accuracy"]["asked"] >= 40
    assert found["accuracy"]["change"] == 0
    assert found["verdict"] == "no sure difference"
    assert "Retraining made no difference that is more than chance" in Path("found.md").read_text()


@pytest.mark.slow
def test_originals_alone_do_not_help(botattack: Botattack, bot: Bot) -> None:
    path = bot.write(HARDEN.replace("100%", "0"))
    found = result(botattack, path, "--fail-unless-helped", status=1)
    assert found["training"]["attacks"].keys() == {"unchanged"}
    assert found["totals"][0]["change"] == 0
    assert "Retraining changed no answer" in Path("found.md").read_text()


@pytest.mark.slow
def test_a_difference_that_may_be_chance_is_called_so(botattack: Botattack, bot: Bot) -> None:
    """The model has known capitals, and forgets two words in them."""
    capitals = rows(FRAMES[1], str.upper).splitlines(keepends=True)
    Path("capitals.jsonl").write_text("".join(capitals))
    Path("fewer.jsonl").write_text("".join(line for line in capitals if not re.search("EURO|DOLLAR", line)))
    train(Path("model.json"), [Path("base.jsonl"), Path("capitals.jsonl")])
    retrain = RETRAIN.replace("base.jsonl", "base.jsonl, fewer.jsonl")
    path = bot.write(f"harden: {{retrain: {retrain}, for: mda, share: 0}}\n")
    found = result(botattack, path, "--fail-unless-helped", status=1)
    assert found["changed"] > 0
    assert found["verdict"] == "no sure difference"
    low, high = found["totals"][0]["interval"]
    assert low < 0 < high
    assert "Retraining made no difference that is more than chance" in Path("found.md").read_text()


@pytest.mark.slow
def test_it_can_make_it_worse(botattack: Botattack, bot: Bot) -> None:
    """The model has known capitals, and forgets them."""
    Path("capitals.jsonl").write_text(rows(FRAMES[1], str.upper))
    train(Path("model.json"), [Path("base.jsonl"), Path("capitals.jsonl")])
    found = result(botattack, bot.write(HARDEN.replace("100%", "0")), "--fail-unless-helped", status=1)
    assert found["verdict"] == "worse"
    assert "Retraining made it worse" in Path("found.md").read_text()


@pytest.mark.slow
def test_what_it_cost_is_said(botattack: Botattack, bot: Bot) -> None:
    """Only capitals are taught: of what was known nothing is left."""
    retrain = f'[{sys.executable}, {TRAIN}, model.json, "{{training_set}}"]'
    path = bot.write(f"harden: {{retrain: {retrain}, for: mda, share: 1.0, originals: false}}\n")
    found = result(botattack, path)
    assert found["verdict"] == "too few questions"
    assert found["accuracy"]["now"] == 0
    assert len(found["lost"]) == found["accuracy"]["before"] >= 20
    assert "It cost accuracy on clean questions" in Path("found.md").read_text()


@pytest.mark.slow
def test_a_bot_that_keeps_its_model_is_found_out(botattack: Botattack, bot: Bot) -> None:
    ended = botattack("harden", bot.python("pass"), "--allow-code")
    assert ended.status == 0
    assert "Retraining changed no answer: all " in ended.out
    assert "the bot still has its old model" in " ".join(ended.out.split())


@pytest.mark.slow
def test_what_a_search_finds_is_looked_for_again(botattack: Botattack, bot: Bot) -> None:
    """What broke the older bot says nothing of the newer one: the search counts by question."""
    search = "dpaeg: {combine: 2, stop_at_break: true, per_question: 4}"
    found = result(botattack, bot.write(attacks=search, limit=44))
    assert found["searched"] == ["dpaeg"]
    (row,) = (row for row in found["rows"] if row["name"] == "dpaeg")
    assert row["units"] == row["questions"] > 0
    assert "dpaeg: tried again" in Path("found.md").read_text()


def test_few_questions_are_too_few(botattack: Botattack, bot: Bot) -> None:
    found = result(botattack, bot.write(limit=20))
    assert found["verdict"] == "too few questions"
    assert "Too few questions to tell whether retraining helped" in Path("found.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "warned"), [(20, True), (48, False)])
def test_too_few_questions_are_warned_of_before_anything_is_asked(
    botattack: Botattack, bot: Bot, limit: int, warned: bool
) -> None:
    ended = botattack("harden", bot.write(limit=limit), "--allow-code")
    before, _, after = ended.err.partition("audit before retraining")
    assert after
    assert (f"of {limit} can be asked again after retraining, and at least 20 are needed" in before) is warned


@pytest.mark.slow
def test_a_command_that_fails_is_fixed_and_continued(botattack: Botattack, bot: Bot) -> None:
    broken = bot.python("import os; print('no GPU for', os.environ['KEY']); raise SystemExit(3)")
    ended = botattack("harden", broken, "--allow-code")
    assert ended.status == 2
    assert "ended with status 3, and wrote last: no GPU for [" in ended.err
    assert "very-secret" not in ended.err
    asked = bot.asked
    fixed = bot.retrain(f"{sys.executable}, {TRAIN}, model.json, base.jsonl")
    ended = botattack("harden", fixed, "--allow-code", "--resume", hardening())
    assert ended.status == 0, str(ended)
    assert asked < bot.asked < 2 * asked


@pytest.mark.slow
def test_one_process_at_a_time_trains_and_no_link_is_written_through(botattack: Botattack, bot: Bot) -> None:
    assert botattack("harden", bot.retrain("/bin/false"), "--allow-code").status == 2
    fixed = bot.retrain(f"{sys.executable}, {TRAIN}, model.json, base.jsonl")
    with HardenFolder(hardening(), "mda").locked():
        ended = botattack("harden", fixed, "--allow-code", "--resume", hardening())
    assert (ended.status, "another botattack" in ended.err) == (2, True), str(ended)
    progress, mine = hardening() / "hardening.json", bot.folder / "mine.txt"
    progress.write_text(json.dumps({**json.loads(progress.read_text()), "training": None}))
    mine.write_text("of the user")
    (trained,) = hardening().glob("training-set.jsonl")
    trained.unlink()
    trained.symlink_to(mine)
    assert botattack("harden", fixed, "--allow-code", "--resume", hardening()).status == 0
    assert mine.read_text() == "of the user"


@pytest.mark.parametrize("program", ["/nowhere/train", "./train", "pyhton"])
def test_a_program_that_is_not_there_is_found_before_anything_is_asked(
    botattack: Botattack, bot: Bot, program: str
) -> None:
    ended = botattack("harden", bot.retrain(program), "--allow-code")
    assert ended.status == 2
    assert f"harden.retrain: there is no program {program} that can be run" in ended.err
    assert bot.asked == 0


@pytest.mark.slow
def test_a_command_that_fails_is_one_sentence(botattack: Botattack, bot: Bot) -> None:
    ended = botattack("harden", bot.retrain("/bin/false"), "--allow-code")
    assert ended.status == 2
    said = "harden.retrain: /bin/false ended with status 1, and wrote nothing; fix it, and continue"
    assert f"\nbotattack: {said}\ncontinue   botattack harden" in ended.err


@pytest.mark.parametrize("more", ["", ", start_new_session=True"])
@pytest.mark.slow
def test_a_command_that_takes_too_long_is_ended_with_what_it_started(botattack: Botattack, bot: Bot, more: str) -> None:
    """Also with what has left its session, as a daemon does."""
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']{more})\n"
        "open('child', 'w').write(str(child.pid)); print('epoch 1', flush=True); time.sleep(600)\n"
    )
    ended = botattack("harden", bot.python(code, timeout="3s"), "--allow-code")
    assert ended.status == 2
    assert "took longer than harden.timeout, 3.0 s, and wrote last: epoch 1" in ended.err
    assert gone(int(Path("child").read_text()))


@pytest.mark.slow
def test_a_bot_that_the_command_starts_lives_on(botattack: Botattack, bot: Bot) -> None:
    """It has the output of the command, which is not waited for once the command itself has ended."""
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('child', 'w').write(str(child.pid))\n"
    )
    ended = botattack("harden", bot.python(code), "--allow-code")
    child = int(Path("child").read_text())
    try:
        assert ended.status == 0
        assert not gone(child, seconds=0)
    finally:
        os.kill(child, signal.SIGKILL)


def gone(process: int, seconds: float = 30) -> bool:
    """Whether a process has ended, or does within so many seconds."""
    until = time.monotonic() + seconds
    while True:
        state = Path(f"/proc/{process}/stat")
        with suppress(OSError):
            if state.read_text().rpartition(")")[2].split()[0] != "Z":
                if time.monotonic() >= until:
                    return False
                time.sleep(0.05)
                continue
        return True


SLOW = """
import os, pathlib, sys, time
sys.path.insert(0, {folder!r})
from intents import train
from pathlib import Path
Path("retraining").write_text(str(os.getpid()))
while Path("wait").exists():
    time.sleep(0.05)
train(Path("model.json"), [Path("base.jsonl"), Path(sys.argv[1])])
"""


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_one_that_was_ended_while_retraining_goes_on(botattack: Botattack, bot: Bot, sign: signal.Signals) -> None:
    path = bot.python(SLOW.format(folder=str(TRAIN.parent)))
    Path("wait").touch()
    words = [sys.executable, "-m", "botattack", "harden", str(path), "--allow-code"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        until = time.monotonic() + 120
        while not Path("retraining").exists() and time.monotonic() < until:
            time.sleep(0.05)
        asked = bot.asked
        running.send_signal(sign)
        _, said = running.communicate(timeout=60)
    if sign != signal.SIGKILL:
        assert running.returncode == 130
        assert "continue   botattack harden" in said
        assert gone(int(Path("retraining").read_text()))
    Path("wait").unlink()
    ended = botattack("harden", path, "--allow-code", "--resume", hardening())
    assert ended.status == 0, str(ended)
    assert "training set of" not in ended.err
    assert asked < bot.asked < 2 * asked


@pytest.mark.slow
def test_an_audit_that_stopped_is_continued(botattack: Botattack, bot: Bot) -> None:
    path = bot.write(HARDEN + "budget: {requests: 60}\n")
    ended = botattack("harden", path, "--allow-code")
    assert ended.status == 4
    assert "continue   botattack harden" in ended.err
    assert bot.asked == 60
    ended = botattack("harden", bot.write(), "--allow-code", "--resume", hardening())
    assert ended.status == 0, str(ended)
    assert bot.asked < 60 + 36 + 96


@pytest.mark.slow
def test_a_bot_that_is_away_after_retraining_is_retrained_again(botattack: Botattack, bot: Bot) -> None:
    ended = botattack("harden", bot.python("import os; os.rename('model.json', 'away.json')"), "--allow-code")
    assert ended.status == 3, str(ended)
    assert "harden.retrain ended with status 0, but the bot does not answer; fix the command" in ended.err
    assert "continue   botattack harden" in ended.err
    fixed = bot.python("import os; os.rename('away.json', 'model.json')")
    ended = botattack("harden", fixed, "--allow-code", "--resume", hardening())
    assert ended.status == 0, str(ended)
    assert "Retraining changed no answer" in ended.out


@pytest.mark.slow
def test_one_that_is_done_is_shown_again(botattack: Botattack, bot: Bot) -> None:
    path = bot.write()
    first = botattack("harden", path, "--allow-code")
    asked = bot.asked
    assert botattack("harden", path, "--allow-code", "--resume", hardening()).out == first.out
    assert bot.asked == asked


@pytest.mark.slow
def test_another_one_is_not_continued(botattack: Botattack, bot: Bot) -> None:
    botattack("harden", bot.write(), "--allow-code")
    ended = botattack("harden", bot.write(HARDEN.replace("mda", "nlpjs")), "--allow-code", "--resume", hardening())
    assert ended.status == 2
    assert 'cannot be continued: harden.for was "mda" and is now "nlpjs"' in ended.err
    ended = botattack("harden", bot.write(limit=40), "--allow-code", "--resume", hardening())
    assert "cannot be continued: it began with 48 questions, and FOLDER/faq.jsonl now has others (40)" in ended.err
    other = bot.write(attacks="case: {kinds: [upper], per_question: 2}")
    ended = botattack("harden", other, "--allow-code", "--resume", hardening())
    assert "per_question was 1 and is now 2" in ended.err
    ended = botattack("harden", bot.write(), "--allow-code", "--resume", bot.folder)
    assert "FOLDER is no hardening: it has no hardening.json" in ended.err


def test_every_mistake_is_told(botattack: Botattack, bot: Bot) -> None:
    bad = "harden: {retrain: [train], for: mads, share: 120%, per_attack: 0, forr: 1}\n"
    ended = botattack("harden", bot.write(bad), "--allow-code")
    assert ended.status == 2
    for said in ("known: concat, mda", "a share from 0 to 1", "at least 1", "harden.forr: no such key"):
        assert said in ended.err
    bad = "harden: {retrain: [train], for: mda}\n"
    assert "no argument contains {training_set}" in botattack("harden", bot.write(bad), "--allow-code").err
    bad = 'harden: {retrain: [train, "{training_set}"], for: pairs, originals: false}\n'
    assert "pairs contain every variant with its original" in botattack("harden", bot.write(bad), "--allow-code").err
    ended = botattack("harden", bot.write(""), "--allow-code")
    assert "does not say how the bot is retrained; add harden:" in ended.err
    Path("faq.jsonl").write_text('{"question": "Where is my card?"}\n{"question": "Where is my phone?"}\n')
    ended = botattack("harden", bot.write(), "--allow-code")
    assert "no question of the half for training has an answer in plain text" in ended.err
    assert bot.asked == 0


def test_it_needs_permission(botattack: Botattack, bot: Bot) -> None:
    ended = botattack("harden", bot.write())
    assert ended.status == 2
    assert "harden.retrain: would run code on this machine" in ended.err
    assert bot.asked == 0
