"""No file that somebody else wrote makes botattack fail, hang, or print what steers a terminal."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.conftest import PARTS, REFUSED, fuzzed, numbers
from tests.fuzz.mutators import in_bytes, in_json, in_lines, in_yaml, mutated
from tests.questions.test_files_people_have import workbook
from tests.recordings.kinds import CAMPAIGNS, copied

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("part", range(PARTS))]
ROOT = Path(__file__).parents[2]
TARGETS = sorted([*(ROOT / "targets").rglob("*.yaml"), *CAMPAIGNS.glob("*-bot.yaml")])
WITH_HTTP = ("errors", "http", "openai", "opinions", "search", "shard", "similar", "sse")
RECORDINGS = ("local", "sse", "process", "shard-1", "deutsch")
ROWS = {
    "faq.csv": 'question,answers,kind,lang\nWhat is it?,Paris|Rome,a,en\n"How, much?",12,b,de\n',
    "faq.tsv": "question\tanswers\nWhat is it?\tParis\nHow much?\t12\n",
    "faq.txt": "What is it?\nHow much is it?\n",
    "trec.txt": "What is it?\t(Paris|Rome)\nHow much?\t\\d{1,3}\n",
    "movies.txt": "1 what is it?\tParis, Rome\n2 who is it?\tNobody\n",
    "faq.yaml": "questions:\n  - {question: What is it?, answers: [Paris, {text: R.me, regex: true}]}\n  - How much?\n",
    "webquestions.json": '[{"qId": "a", "qText": "what?", "answers": ["Paris"]}, {"qText": "who?", "answers": []}]',
    "utterance.json": '[{"utterance": "what is it?", "targetValue": "(list (description \\"Paris\\") (number 3))"}]',
    "parsed.json": '{"Questions": [{"QuestionId": "a", "RawQuestion": "who is it?", "Parses": [{"Answers": '
    '[{"AnswerType": "Entity", "EntityName": "Ann"}, {"AnswerType": "Value", "AnswerArgument": "3"}]}]}]}',
    "hotpot.json": '[{"_id": "a", "question": "who?", "answer": "Ann", "supporting_facts": [["T", 0]], '
    '"context": [["T", ["One.", " Two."]]], "type": "bridge", "level": "hard"}]',
    "faqs.json": '{"v": 1, "data": [{"name": "x", "faqs": [{"q": "What is it?", "a": "Paris"}]}]}',
    "page.json": '{"@graph": [{"@type": "FAQPage", "mainEntity": [{"name": "What is it?", "acceptedAnswer": '
    '{"text": "<p>Paris</p>"}}]}]}',
    "chat.jsonl": '{"messages": [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "me"}]}\n',
    "traces.json": '[{"input": {"question": "Who?"}, "expectedOutput": {"answer": "me"}}]',
    "examples.json": '[{"inputs": {"messages": [{"type": "human", "content": "Who?"}]}, "outputs": {"a": "me"}}]',
    "log.csv": "sender;Nachricht;Frage;Antwort\nuser;x;Wo?;da\nbot;y;Wer?;ich\n",
    "faq.json": '[{"question": "What is it?", "answers": ["Paris"], "passages": ["It is."], "tags": ["a"], '
    '"history": [{"speaker": "user", "text": "Hi"}]}, "How much?"]',
}


def in_any(name: str) -> tuple[object, ...]:
    kinds = {".yaml": in_yaml, ".json": in_json, ".jsonl": in_lines}
    return (in_bytes, kinds[Path(name).suffix]) if Path(name).suffix in kinds else (in_bytes,)


def test_target_and_campaign_files(part: int, work: Path) -> None:
    for path in filter(Path.is_file, CAMPAIGNS.iterdir()):
        shutil.copy(path, work)

    def made(number: int) -> list[str]:
        rng = Random(f"campaign {number}")
        if rng.random() < 0.5:
            path = rng.choice(TARGETS)
            words = ["run", "-t", "mutated.yaml", "-q", "ferry.jsonl", "-a", rng.choice(("case", "dpaeg")), "--dry-run"]
        else:
            path = CAMPAIGNS / f"{rng.choice(WITH_HTTP)}.yaml"
            words = ["run", "mutated.yaml", "--dry-run"]
        (work / "mutated.yaml").write_bytes(mutated(path.read_bytes(), rng, (in_yaml, in_yaml, in_bytes)))
        return words

    found = fuzzed(numbers(20_000, part), made)
    assert found.misbehaved == {}
    assert found.statuses > {REFUSED}


def test_recordings(part: int, work: Path) -> None:
    runs = work / "runs"
    for name in RECORDINGS:
        copied(name, runs / name)
    whole = {path: path.read_bytes() for path in sorted(runs.rglob("*.json*"))}
    unit = (runs / "sse" / "events.jsonl").read_text().partition('"unit":"')[2][:18]
    commands = (
        *(["replay", "{}"], ["replay", "{}", "--unit", unit], ["replay", "{}", "--as-recorded", "-o", "report.html"]),
        *(
            ["replay", "{}", "--as-recorded", *(f"-oreport.{end}" for end in ("md", "csv", "json", "xml"))],
            ["compare", "{}", "{}"],
            ["compare", "{}", "runs/shard-2"],
        ),
        *(
            ["merge", "{}", "runs/shard-2", "--recordings", "merged"],
            ["nightly", "baseline", "set", "{}"],
            ["nightly", "trend", "runs", "--bisect"],
        ),
        ["run", "sse.yaml", "--resume", "{}"],
    )
    for path in filter(Path.is_file, CAMPAIGNS.iterdir()):
        shutil.copy(path, work)
    copied("shard-2", runs / "shard-2")

    def made(number: int) -> list[str]:
        rng = Random(f"recording {number}")
        for path, content in whole.items():
            path.write_bytes(content)
        name = rng.choice(RECORDINGS)
        path = runs / name / rng.choice(("events.jsonl", "events.jsonl", "run.json"))
        kinds = (in_bytes, in_json) if path.name == "run.json" else (in_bytes, in_lines, in_lines, in_lines)
        path.write_bytes(mutated(whole[path], rng, kinds))
        return [word.format(f"runs/{name}") for word in rng.choice(commands)]

    found = fuzzed(numbers(5_000, part), made)
    assert found.misbehaved == {}
    assert found.statuses > {REFUSED}
    assert not [*work.parent.glob("EVIL*")]


def test_question_files(part: int, work: Path) -> None:
    shutil.copy(CAMPAIGNS / "http-bot.yaml", work)
    samples = {name: text.encode() for name, text in ROWS.items()}
    samples["faq.xlsx"] = workbook(
        work / "faq.xlsx", {"FAQ": [["Frage", "Antwort"], ["Wo?", "da"], ["Wie?", 5]]}
    ).read_bytes()
    samples |= {
        name: (CAMPAIGNS / name).read_bytes() for name in ("ferry.csv", "ferry.jsonl", "squad.json", "talk.jsonl")
    }

    def made(number: int) -> list[str]:
        rng = Random(f"questions {number}")
        name = rng.choice(sorted(samples))
        (work / name).write_bytes(mutated(samples[name], rng, in_any(name)))
        return ["run", "-t", "http-bot.yaml", "-q", name, "-a", "case", "--dry-run"]

    found = fuzzed(numbers(3_000, part), made)
    assert found.misbehaved == {}
    assert found.statuses > {REFUSED}
