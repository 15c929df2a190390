"""What somebody who is new to botattack is told of files and flags that do not say what they mean."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from botattack.audit.reviewing.answers import BadAnswers, rows
from botattack.events import Asked
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack
from tests.questions.test_files_people_have import workbook

FLAGS = ("-t", "bot.yaml", "-a", "case:per_question=1", "--allow-code")


@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
def test_a_file_without_right_answers_is_named_with_its_columns(
    botattack: Botattack, folder: Path, campaign: Path, flags: tuple[str, ...]
) -> None:
    (folder / "faq.csv").write_text("question,Notes\nWhat is the famous capital of Italy?,Rome\n")
    said = " ".join(botattack("run", *FLAGS, "-q", "faq.csv", *flags).out.split())
    assert "faq.csv says of no question what a right reply is (its columns are question, Notes)" in said
    assert "columns: {answers: NAME}" in said


MISSPELT = "target: targts/bot.yaml\nquestions: {file: fqa.csv}\nattacks: [case]\n"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("run campains/dmeo.yaml", "campaigns/demo.yaml"),
        ("run campaigns/demo", "campaigns/demo.yaml"),
        ("run campains/nothing.yaml", "campaigns"),
        ("run -t bto.yaml -q faq.csv -a case", "bot.yaml"),
        ("run -t bot.yaml -q FAQ.cvs -a case", "faq.csv"),
        ("replay recordigns/2026-11-30T0806", "recordings/2026-11-30T0807"),
        ("view recording", "recordings"),
        ("judge fit labls.jsonl -o weights.json", "labels.jsonl"),
        ("init --openapi opnapi.json", "openapi.json"),
        ("check ./bot.yml", "bot.yaml"),
        ("run misspelt.yaml", "targets/bot.yaml"),
        ("run misspelt.yaml", "faq.csv"),
        ("run zzz.yaml", ""),
        ("check bot.yaml/zzz", ""),
    ],
)
def test_a_misspelt_path_names_the_one_beside_it(botattack: Botattack, folder: Path, words: str, meant: str) -> None:
    files = ("campaigns/demo.yaml", "campaigns/other.yaml", "bot.yaml", "faq.csv", "labels.jsonl", "openapi.json",
             "recordings/2026-11-30T0807/manifest.json", "targets/bot.yaml", "misspelt.yaml")  # fmt: skip
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(MISSPELT if name == "misspelt.yaml" else "{}")
    said = botattack(*words.split())
    assert said.status == 2
    assert (f"did you mean {meant!r}?" in said.err) if meant else ("did you mean" not in said.err), said.err


TABLE = """Nr;Lang;Request;Approved answer;owner
1;EN;Who wrote Emma?;It was Jane Austen.;Claims team
2;EN;What is the capital of Italy?;Rome is the capital.;Claims team
3;EN;What is left?;;Claims team
"""


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (
            ("question=Request",),
            ["question from 'Request', 0 of 3 questions with", "Request, Approved answer"],
        ),
        (
            ("question=Request", "answers=Approved answer"),
            ["question from 'Request', answers from 'Approved answer', 2 of 3 questions with right answers"],
        ),
    ],
)
@pytest.mark.parametrize("end", ["", "4;EN\n"])
def test_init_says_which_columns_it_reads(
    botattack: Botattack, folder: Path, columns: tuple[str, ...], says: list[str], end: str
) -> None:
    (folder / "faq.csv").write_text(TABLE + TABLE.partition("\n")[2] * 30 + end)
    flags = [word for each in columns for word in ("--column", each)]
    ended = botattack("init", "--kind", "openai", "--url", "http://127.0.0.1:9/v1", "--model", "m", "-q", "faq.csv",
                      "--no-send", "--yes", *flags)  # fmt: skip
    said = " ".join(ended.err.split())
    for sentence in says:
        assert sentence in said
    assert ("skipped 1 bad record" in said) is bool(end)
    assert "repeated " in said
    assert ended.status == 0


def test_the_sheets_of_a_workbook_may_have_other_columns(botattack: Botattack, folder: Path, campaign: Path) -> None:
    sheets = {name: [["question", name], ["Who is the mayor?", f"It is {name}."]] for name in ("Notes", "Remarks")}
    workbook(folder / "faq.xlsx", sheets)
    planned = botattack("run", *FLAGS, "-q", "faq.xlsx", "--dry-run")
    assert planned.status == 0, planned
    assert "faq.xlsx says of no question what a right reply is" in " ".join(planned.out.split())


def test_a_file_with_a_right_answer_is_not(botattack: Botattack, folder: Path, campaign: Path) -> None:
    (folder / "faq.csv").write_text("question,answers\nWhat is the famous capital of Italy?,Rome\nWho are you?,\n")
    planned = botattack("run", *FLAGS, "-q", "faq.csv", "--dry-run")
    assert planned.status == 0, planned
    assert "faq.csv says" not in planned.out


def test_what_init_would_ask_is_named_at_once(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ended = botattack("init")
    assert ended.status == 2
    for flag in ("--kind", "--url", "--send-json", "--ask", "--send", "--questions"):
        assert f"{flag};" in " ".join(ended.err.split())


def test_init_reads_the_questions_before_it_asks_anything(botattack: Botattack, folder: Path) -> None:
    (folder / "faq.csv").write_text("question,answers\n")
    ended = botattack("init", "-q", "faq.csv")
    assert ended.status == 2
    assert "faq.csv contains no question" in ended.err
    assert "What is the bot?" not in ended.err


def test_the_next_command_of_init_can_be_pasted(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curl = "curl http://127.0.0.1:9/chat -H 'Authorization: Bearer s3cr3t-4711-xyz' -d '{\"text\": \"hi\"}'"
    began = botattack("init", "--curl", curl, "--answer", "$.reply", "--no-send", "--yes")
    assert began.status == 0, began
    (following,) = (line.removeprefix("next").strip() for line in began.out.splitlines() if line.startswith("next"))
    monkeypatch.setenv("EDITOR", "true")
    there, *_ = following.rpartition(" && ")
    subprocess.run(there, shell=True, cwd=folder, check=True, timeout=60)  # as a user pastes it
    words = shlex.split(following.rpartition(" && ")[2])
    env = Path(words[-1])
    env.write_text(env.read_text().replace("=\n", "=x\n"))
    assert words[:2] == ["botattack", "check"]
    checked = botattack(*words[1:])
    assert checked.status == 3, checked  # nobody is there, but everything was read


@pytest.mark.parametrize("key", ["--repeat", "--per-question"])
def test_a_key_of_a_campaign_that_is_given_as_a_flag_is_named_as_one(
    botattack: Botattack, campaign: Path, key: str
) -> None:
    refused = botattack("run", campaign, key, "3")
    assert (refused.status, "is a key of campaign files" in refused.err) == (2, True), refused
    assert "campaign files" not in botattack("run", campaign, "--sed", "3").err


def test_flags_that_are_missing_are_named(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("run", "-t", "bot.yaml", "-q", "faq.jsonl")
    assert ended.status == 2
    assert "; -a ATTACK is missing" in " ".join(ended.err.split())


def test_a_budget_in_words_is_refused_with_what_it_may_be(botattack: Botattack, campaign: Path) -> None:
    ended = botattack("run", campaign, "--allow-code", "--budget", "twenty")
    assert ended.status == 2
    assert "a number of requests, or requests=N" in ended.err


def test_a_unit_by_its_beginning_is_completed(botattack: Botattack, folder: Path, campaign: Path) -> None:
    assert botattack("run", campaign, "--allow-code").status in (0, 1)
    (recording,) = (folder / "recordings").iterdir()
    unit = next(str(each.unit) for each in events(recording) if isinstance(each, Asked))
    ended = botattack("replay", recording, "--unit", unit[:6])
    assert ended.status == 2
    assert unit in ended.err


def test_a_folder_of_runs_names_the_newest(botattack: Botattack, folder: Path, campaign: Path) -> None:
    assert botattack("run", campaign, "--allow-code").status in (0, 1)
    ended = botattack("replay", "recordings")
    assert ended.status == 2
    assert "recordings/TIME-capitals-ID" in ended.err


def test_a_review_page_in_place_of_its_answers_is_recognised(tmp_path: Path) -> None:
    page = tmp_path / "anna.html"
    page.write_text("<!doctype html>\n<title>Review</title>\n")
    with pytest.raises(BadAnswers, match="page itself"):
        rows(page)
