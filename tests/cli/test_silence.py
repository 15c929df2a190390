"""A bot in Rasa's shape that says nothing, `[]`, to whatever it does not understand, through the whole command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from botattack.events import Asked, OriginalJudged, VariantJudged
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Received, Server, replying, response

CITIES = {
    "France": "Paris",
    "Italy": "Rome",
    "Spain": "Madrid",
    "Norway": "Oslo",
    "Portugal": "Lisbon",
    "Poland": "Warsaw",
    "Greece": "Athens",
    "Finland": "Helsinki",
}
TARGET = """name: rasa
connect:
  kind: http
  request: {url: "URL", json: {sender: "{{ session }}", message: "{{ question }}"}}
  extract: {answer: "$[*].text"}
signs: {SIGNS}
limits: {rate: unlimited, concurrency: 2}
"""
WARNING = (
    "the bot may block questions or go silent under attack; "
    "if that is how it refuses, write signs: {refused: [nothing, 400, 403]}, or what else it shows, in its target file"
)


class Rasa(Server):
    """Understands whatever names one of its countries."""

    def __init__(self) -> None:
        super().__init__(replying(self.reply))
        self.silences: list[str] = []

    def reply(self, request: Received) -> bytes:
        asked = request.json["message"]
        known = next((city for land, city in CITIES.items() if land in asked), None)
        if known is None:
            self.silences.append(asked)
            return response([])
        return response([{"recipient_id": request.json["sender"], "text": f"The capital is {known}."}])


@pytest.fixture
def bot(folder: Path, serve: Serve) -> Rasa:
    """Its target file, its questions and a campaign are in the folder."""
    server = Rasa()
    url = serve(server)
    for name, signs in (("error", ""), ("refused", "refused: [nothing]")):
        (folder / f"{name}.yaml").write_text(TARGET.replace("URL", url).replace("SIGNS", signs))
    rows = [{"question": f"What is the capital of {land}?", "answers": [city]} for land, city in CITIES.items()]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return server


def campaign(nothing: str) -> str:
    attack = "random-characters: {keywords: all, per_question: 8, meaning: paper}"
    Path("campaign.yaml").write_text(
        f"target: {nothing}.yaml\nquestions: {{file: faq.jsonl}}\nseed: 3\nattacks: [{attack}]\n"
    )
    return "campaign.yaml"


def figures(name: str = "report.json") -> Any:
    return json.loads(Path(name).read_text())


def only() -> Path:
    (recording,) = Path("recordings").iterdir()
    return recording


def test_its_true_rate_is_shown_where_saying_nothing_is_refusing(botattack: Botattack, bot: Rasa) -> None:
    ended = botattack("run", campaign("refused"), "-o", "report.json")
    altered = figures()["attacks"]["random-characters"]["gold"]
    assert ended.status == 0
    assert 10 < len(bot.silences) < altered["asked"]
    assert (altered["success"], altered["refused"], altered["error"]) == (len(bot.silences), len(bot.silences), 0)
    assert not figures()["unanswered"]["rises"]
    assert WARNING not in ended.err + ended.out
    silent = {event.unit for event in events(only()) if isinstance(event, Asked) and not event.replies[-1].text}
    judged = [event for event in events(only()) if isinstance(event, VariantJudged) and event.unit in silent]
    assert {(event.verdict.kind, event.verdict.why) for event in judged} == {("refused", "the bot said nothing")}
    assert len(judged) == len(bot.silences)


@pytest.mark.slow
def test_what_was_refused_by_saying_nothing_stays_so_in_replay_and_resume(botattack: Botattack, bot: Rasa) -> None:
    cut = botattack("run", campaign("refused"), "--budget", "40")
    assert cut.status == 4
    botattack("run", "campaign.yaml", "--resume", only(), "-o", "report.json")
    for again in (("replay", only()), ("replay", only(), "--reextract")):
        assert botattack(*again, "-o", "again.json").status == 0
        for part in ("questions", "attacks", "unanswered"):
            assert figures("again.json")[part] == figures()[part]
    assert figures()["attacks"]["random-characters"]["gold"]["refused"] == len(bot.silences)


def test_errors_that_rise_with_the_attacks_are_told_everywhere(botattack: Botattack, bot: Rasa) -> None:
    reports = [word for name in ("report.json", "report.md", "report.html") for word in ("-o", name)]
    ended = botattack("run", campaign("error"), *reports)
    altered, unanswered = figures()["attacks"]["random-characters"]["gold"], figures()["unanswered"]
    assert (altered["success"], altered["error"]) == (0, len(bot.silences))
    assert unanswered["rises"]
    assert unanswered["altered"] == len(bot.silences)
    assert (unanswered["unchanged"], unanswered["of_unchanged"]) == (0, len(CITIES))
    told = (
        f"errors: {len(bot.silences)} of {altered['asked']} altered questions, 0 of {len(CITIES)} unchanged: {WARNING}"
    )
    assert ended.status == 1
    assert f"warning: {told}" in ended.err
    assert f"more than max_errors (5.0 %); {told}" in ended.err
    assert "--retry-errors" not in ended.err
    assert told in " ".join(ended.out.split())
    for name in ("report.md", "report.html"):
        assert told in Path(name).read_text().replace("\\", "").replace("E", "e")


def test_a_run_whose_errors_come_again_keeps_its_figures(botattack: Botattack, bot: Rasa) -> None:
    """The bot answered before: it is there, though the first to be asked again fail again."""
    run, few = ("run", campaign("error"), "-o", "report.json"), Path("campaign.yaml")
    few.write_text(few.read_text().replace("per_question: 8", "per_question: 2"))  # no ten failures in a row
    ended, first = botattack(*run), figures()["attacks"]["random-characters"]["gold"]
    again = botattack(*run, "--resume", only(), "--retry-errors")
    assert (again.status, figures()["attacks"]["random-characters"]["gold"]) == (ended.status, first)


def test_silence_about_what_it_does_not_know_does_not_hide_that_under_attack(botattack: Botattack, bot: Rasa) -> None:
    rows = [{"question": f"What is the capital of land {number}?", "answers": ["Nowhere"]} for number in range(12)]
    with Path("faq.jsonl").open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    botattack("run", campaign("error"), "-o", "report.json")
    standings = [event.standing for event in events(only()) if isinstance(event, OriginalJudged)]
    assert standings.count("error") == 12
    assert figures()["unanswered"]["of_unchanged"] == len(CITIES)
    assert figures()["unanswered"]["rises"]


def test_check_proposes_what_to_set(botattack: Botattack, bot: Rasa) -> None:
    silent = botattack("check", "error.yaml")
    assert silent.status == 2
    assert "error.yaml:5:21: connect.extract.answer: there is nothing at $[*].text" in silent.err
    assert "set signs: {refused: [nothing]}" in silent.err
    assert botattack("check", "refused.yaml").status == 0


@pytest.mark.parametrize(
    ("written", "reply", "named"),
    [
        ("$.anwort", {"antwort": "Guten Tag", "id": "a1"}, "$.antwort"),
        ("$.data.txt", {"data": {"text": "Hello", "at": "noon"}}, "$.data.text"),
        ("$.mesages[*].text", {"messages": [{"text": "Hello"}, {"text": "there"}]}, "$.messages[*].text"),
        ("$.answer", {"error": "no"}, ""),
        ("$.answer", {}, ""),
    ],
)
def test_check_names_the_place_that_is_nearly_the_one_written(
    botattack: Botattack, folder: Path, serve: Serve, written: str, reply: object, named: str
) -> None:
    url = serve(Server(replying(lambda _: response(reply))))
    text = TARGET.replace("URL", url).replace("SIGNS", "").replace("$[*].text", written)
    (folder / "misread.yaml").write_text(text)
    ended = botattack("check", "misread.yaml")
    assert ended.status == 2
    assert f"there is nothing at {written}" in ended.err
    assert (f"there is a text at {named}:" in ended.err) if named else ("there is a text at" not in ended.err)
