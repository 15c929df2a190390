"""`botattack export`: training sets that their consumers read, without a word of the questions kept for testing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from botattack.events import Asked, Event, QuestionClosed, QuestionOpened, VariantJudged
from botattack.model import Edit, GoldAnswer, Prompt, Question, Reply, Verdict, content_id
from botattack.questions.detect import reader_for
from botattack.recordings import manifest
from botattack.recordings.reader import events
from botattack.recordings.redaction import Redactor
from botattack.recordings.writer import EVENTS, Recorder
from botattack.report.training_sets.examples import Halves
from tests.cli.conftest import Botattack
from tests.report.streams import RUN, Asking, Try, ended, stream

ATTACKS = {"dpaeg": "same", "negate": "different", "unchanged": "same", "addsent": "same"}


def slip(to: str) -> tuple[Edit, ...]:
    return (Edit(0, "what", to, "typo"),)


def asking(number: int) -> Asking:
    """With a variant of each sort; what its text begins with says of which."""
    tries = (
        Try("wrong", slip("waht")),
        Try("correct", slip("whta")),
        Try("wrong", slip("unsure"), meaning="unsure"),
        Try("wrong", slip("probe"), probe=True),
        Try("wrong", slip("what isn't and"), "negate", expect="different", meaning="changed"),
        Try("wrong", slip("marked")),
        Try("correct", (), "unchanged"),
        Try("wrong", (Edit(0, f"what is the capital of country {number}", "stolen", "all"),), "addsent"),
    )
    return Asking(f"what is the capital of country {number}", (f"City{number}",), tries=tries)


def with_questions(told: list[Event], change: Any) -> list[Event]:
    return [
        msgspec.structs.replace(one, question=change(one.question)) if isinstance(one, QuestionOpened) else one
        for one in told
    ]


def recording(folder: Path, told: list[Event]) -> Path:
    folder.mkdir(parents=True)
    manifest.write(folder, manifest.Manifest(run=RUN, target="alice", started="", seed=7, settings={}, digests={}))
    (folder / EVENTS).touch()
    with Recorder(folder, Redactor()) as recorder:
        for event in told:
            recorder(event)
    return folder


def named(question: Question) -> Question:
    return msgspec.structs.replace(question, key=f"faq-{question.text.split()[-1]}", licence="CC BY-SA 4.0")


LONG = "Which of the two painters born near Bergen finished the large altar of the old harbour chapel first?"


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [
        ("When does the library open?", "when does the Library  open", ""),
        ("When does the library open?", "Please, when does the library open", ""),
        ("When does the library open?", "Hello! When does the library open? Thanks", "en"),
        ("How do I reset my password?", "I reset the password: how?", "en"),
        ("Wann öffnet die Bibliothek?", "Ja, wann öffnet die BIBLIOTHEK", "de"),
        (LONG, LONG.replace("large ", ""), "en"),
        (LONG, LONG.replace("large", "big"), "en"),
    ],
)
def test_questions_that_are_one_to_whoever_learns_them_by_heart_are_in_one_half(
    one: str, other: str, lang: str
) -> None:
    things = [
        [Question(f"{text} {'xyz'[thing % 3] * (2 + thing)}", (), lang=lang) for text in (one, other)]
        for thing in range(30)
    ]
    halves = Halves(each for pair in things for each in pair)
    assert all(halves(first) == halves(second) for first, second in things)
    assert one == LONG or {halves(first) for first, _ in things} == {"train", "test"}


def test_twins_of_twins_are_in_one_half_whatever_the_order_of_the_file() -> None:
    words = [f"word{number}" for number in range(32)]
    chains = [[Question(" ".join([f"c{chain}", *words[at : at + 20]])) for at in range(12)] for chain in range(12)]
    every = [each for chain in chains for each in chain]
    for questions in (every, every[::-1]):
        halves = Halves(questions)
        assert len({halves(each) for each in every}) == 1, "all have 9 of 10 words in common with the next"
    apart = [
        Question(f"{chain.text} {' '.join(f'{n}of{number}' for n in range(9))}")
        for number, (chain, *_) in enumerate(chains)
    ]
    assert {Halves(apart)(each) for each in apart} == {"train", "test"}


@pytest.fixture
def run(folder: Path) -> Path:
    """40 questions. One attack gives all others the words of one of them, which is of the half for testing."""
    asked = [*map(asking, range(40))]
    halves = Halves(one.question for one in asked)
    at = next(n for n, one in enumerate(asked) if halves(one.question) == "test")
    asked[at] = replace(asked[at], tries=asked[at].tries[:-1])
    told = [addressed(one, asked[at].text.upper()) for one in stream(asked, ATTACKS, ended())]
    path = recording(folder / "recordings" / "run", with_questions(told, named))
    marks = {
        one.unit.partition(".")[0]: {"mark": "bad-variant", "why": "nonsense"}
        for one in told
        if isinstance(one, Asked) and one.turns[0].text.startswith("marked")
    }
    (path.parent / "triage.yaml").write_text(yaml.safe_dump({"alice": marks}))
    return path


def addressed(event: Event, stolen: str) -> Event:
    """With units that can be marked, and the stolen words."""
    if isinstance(event, Asked | VariantJudged) and "original" not in event.unit:
        event = msgspec.structs.replace(event, unit=f"{content_id(event.unit)}.0")
    if isinstance(event, Asked) and event.turns[0].text == "stolen":
        event = msgspec.structs.replace(event, turns=(Prompt(stolen),))
    return event


def test_no_variant_has_nearly_the_words_of_a_question_of_the_other_half(botattack: Botattack, folder: Path) -> None:
    asked = [*map(asking, range(40))]
    halves = Halves(one.question for one in asked)
    (taken,) = [one.text for one in asked if halves(one.question) == "test"][:1]
    told = [addressed(one, f"Please: {taken.upper()}!") for one in stream(asked, ATTACKS, ended())]
    run = recording(folder / "recordings" / "run", told)
    made = botattack("export", run, "--for", "mda", "--share", "1", "-o", "train.jsonl")
    assert "nearly the words of a question of the other half" in made.out
    assert not any(row["question"].startswith("Please") for row in rows("train.jsonl"))


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def origins(path: str) -> list[dict[str, Any]]:
    return rows(f"{path}.origins.jsonl")


def unmarked(run: Path) -> None:
    (run.parent / "triage.yaml").unlink()


def test_questions_of_the_same_words_teach_once(botattack: Botattack, folder: Path) -> None:
    asked = [replace(asking(number), tries=()) for number in range(10)]
    asked += [replace(one, text=one.text.upper()) for one in asked[:3]]
    run = recording(folder / "recordings" / "run", stream(asked, ATTACKS, ended()))
    made = botattack("export", run, "--for", "mda", "--half", "all", "-o", "all.jsonl")
    assert sorted(row["question"] for row in rows("all.jsonl")) == sorted(one.text for one in asked[:10])
    assert re.search(r"\b3\b.*the same words", made.out), made


def test_mda_adds_a_share_of_sure_variants_and_our_own_reader_reads_it(botattack: Botattack, run: Path) -> None:
    assert botattack("export", run, "--for", "mda", "-o", "all.jsonl", "--half", "all").status == 0
    texts = [row["question"] for row in rows("all.jsonl")]
    assert len(texts) == 48, "20 % of 40 questions have a variant"
    assert {text.split()[0] for text in texts} <= {"what", "waht", "whta"}
    read = [*reader_for(Path("all.jsonl"))(Path("all.jsonl"))]
    assert [one.text for one in read if isinstance(one, Question)] == texts
    assert {one.licence for one in read if isinstance(one, Question)} == {"CC BY-SA 4.0"}
    assert botattack("export", run, "--for", "mda", "-o", "again.jsonl", "--half", "all").status == 0
    assert botattack("export", run, "--for", "mda", "-o", "other.jsonl", "--half", "all", "--seed", "1").status == 0
    assert Path("again.jsonl").read_bytes() == Path("all.jsonl").read_bytes() != Path("other.jsonl").read_bytes()


def test_marked_unsure_and_probing_variants_never_get_in(botattack: Botattack, run: Path) -> None:
    flags = ("--for", "mda", "--half", "all", "--share", "100%", "--per-attack", "99")
    ended = botattack("export", run, *flags, "-o", "all.jsonl")
    starts = [row["question"].split()[0] for row in rows("all.jsonl")]
    assert {start: starts.count(start) for start in set(starts)} == {"what": 40, "waht": 40, "whta": 40}
    assert re.search("left out: 40 × variant: .*marked", ended.out), ended
    unmarked(run)
    assert botattack("export", run, *flags, "-o", "all.jsonl").status == 0
    assert sum(row["question"].startswith("marked") for row in rows("all.jsonl")) == 40


def test_the_halves_share_no_question_and_no_words(botattack: Botattack, run: Path) -> None:
    words: dict[str, set[str]] = {}
    for half in ("train", "test", "all"):
        flags = ("--for", "mda", "--share", "1", "--per-attack", "9", "--half", half)
        assert botattack("export", run, *flags, "-o", f"{half}.jsonl").status == 0
        words[half] = {row["question"].casefold() for row in rows(f"{half}.jsonl")}
    assert not words["train"] & words["test"]
    assert words["train"] | words["test"] == words["all"]
    assert min(len(words["train"]), len(words["test"])) > len(words["all"]) / 4
    assert botattack("export", run, "--for", "mda", "-o", "default.jsonl").status == 0
    assert {row["question"].casefold() for row in rows("default.jsonl")} <= words["train"]


def test_every_row_says_where_it_comes_from(botattack: Botattack, run: Path) -> None:
    asked = {
        one.unit: one.turns[0].text for one in events(run) if isinstance(one, Asked) and "original" not in one.unit
    }
    ended = botattack("export", run, "--for", "mda", "-o", "train.jsonl", "--share", "100%")
    made, told = rows("train.jsonl"), origins("train.jsonl")
    assert [one["row"] for one in told] == [*range(1, len(made) + 1)]
    assert {one["run"] for one in told} == {RUN}
    for row, one in zip(made, told, strict=True):
        (of,) = one["of"]
        assert row["question"] == (
            asked[of["unit"]] if "attack" in of else f"what is the capital of country {of['id'][4:]}"
        )
        assert of["licence"] == "CC BY-SA 4.0"
    assert f"licence CC BY-SA 4.0: {len(made)} rows" in ended.out, ended


@pytest.mark.slow
def test_pairs_have_what_changes_the_answer_as_negatives_and_nothing_else_has_it(
    botattack: Botattack, run: Path
) -> None:
    assert botattack("export", run, "--for", "pairs", "-o", "pairs.jsonl", "--half", "all").status == 0
    found = rows("pairs.jsonl")
    for label, start in (("positive", {"waht", "whta"}), ("negative", {"what isn't"})):
        variants = [row["variant"]["question"] for row in found if row["label"] == label]
        assert len(variants) == 40
        assert all(text.startswith(tuple(start)) for text in variants)
    assert all(row["original"]["question"].endswith(row["answers"][0].removeprefix("City")) for row in found)
    refused = botattack("export", run, "--for", "pairs", "--no-originals", "-o", "x.jsonl")
    assert (refused.status, Path("x.jsonl").exists()) == (2, False)
    for kind in ("mda", "concat", "rasa", "nlpjs", "openai-jsonl"):
        assert botattack("export", run, "--for", kind, "-o", "other", "--share", "100%").status == 0
        assert "isn't" not in Path("other").read_text()


@pytest.mark.parametrize("kind", ["pairs", "mda", "concat"])
@pytest.mark.parametrize("share", ["20%", "100%"])
def test_the_questions_are_counted_of_which_rows_were_written(
    botattack: Botattack, run: Path, kind: str, share: str
) -> None:
    ended = botattack("export", run, "--for", kind, "-o", "set", "--share", share, "--half", "all")
    of = {one["question"] for row in origins("set") for one in row["of"]}
    assert f"{len(rows('set'))} rows from {len(of)} questions" in ended.out
    assert len(of) == (8 if (kind, share) == ("pairs", "20%") else 40)
    assert ("left out: 40 × variant" in ended.out) is (kind != "concat")


def test_concat_joins_two_questions_and_their_answers(botattack: Botattack, run: Path) -> None:
    assert botattack("export", run, "--for", "concat", "-o", "concat.jsonl", "--no-originals").status == 0
    told = origins("concat.jsonl")
    for row, one in zip(rows("concat.jsonl"), told, strict=True):
        first, second = (of["id"][4:] for of in one["of"])
        assert first != second
        assert row["answers"] == [f"City{first} </s> City{second}"]
        assert row["question"] == f"what is the capital of country {first} </s> what is the capital of country {second}"


def test_openai_chats_have_roles_and_content_alone(botattack: Botattack, run: Path) -> None:
    assert botattack("export", run, "--for", "openai-jsonl", "-o", "chats.jsonl").status == 0
    for row in rows("chats.jsonl"):
        assert row.keys() == {"messages"}
        assert [message["role"] for message in row["messages"]] == ["user", "assistant"]
        assert all(message.keys() == {"role", "content"} and message["content"] for message in row["messages"])


def test_rasa_data_is_what_its_schema_asks_for(botattack: Botattack, folder: Path) -> None:
    texts = ["see [here](city)", "two\nlines\u2028and: more # فارسی", '"quoted" - yes', "no"]
    run = recording(folder / "run", stream([Asking(text, ("yes",)) for text in texts], {}, ended()))
    ended_ = botattack("export", run, "--for", "rasa", "--half", "all", "--lang", "en", "-o", "nlu.yml")
    assert "Rasa takes it for an entity" in ended_.out, ended_
    found = yaml.safe_load(Path("nlu.yml").read_text())
    assert found.keys() == {"version", "nlu"}
    assert (found["version"], all(item.keys() == {"intent", "examples"} for item in found["nlu"])) == ("3.1", True)
    assert [[*item["examples"]] for item in found["nlu"]] == [[{"text": text}] for text in texts[1:]]
    assert len({item["intent"] for item in found["nlu"]}) == 3


def test_a_format_of_one_language_asks_which(botattack: Botattack, run: Path, folder: Path) -> None:
    told = stream([Asking("where"), Asking("wo")], {}, ended())
    two = recording(
        folder / "two",
        with_questions(told, lambda one: msgspec.structs.replace(one, lang="de" if one.text == "wo" else "en")),
    )
    refused = botattack("export", two, "--for", "nlpjs", "--half", "all", "-o", "x.json")
    assert (refused.status, "--lang" in refused.err, Path("x.json").exists()) == (2, True, False)
    assert botattack("export", two, "--for", "nlpjs", "--half", "all", "--lang", "de", "-o", "x.json").status == 0
    assert json.loads(Path("x.json").read_text())["locale"] == "de"
    nothing = botattack("export", two, "--for", "squad", "--half", "all", "-o", "none.json")
    assert (nothing.status, Path("none.json").exists()) == (2, False)
    assert "choose another format" in nothing.err
    nothing = botattack("export", two, "--for", "mda", "--half", "all", "--lang", "fr", "-o", "none.json")
    assert "; leave lang out" in nothing.err


@pytest.mark.parametrize(("added", "wordings"), [(" Rome is old.", 2), (" Paris is old.", 1)])
def test_squad_answers_are_where_it_says_and_our_own_reader_reads_it(
    botattack: Botattack, folder: Path, added: str, wordings: int
) -> None:
    """Nobody knows which Paris is the right one if an attack adds one."""
    context = "Lyon is no capital. Paris is the capital of France. Paris is large."
    question = Question("What is the capital?", (GoldAnswer("paris"),), (context,))
    variant = Prompt("Waht is the capital?", (context + added,))
    told: list[Event] = [
        QuestionOpened(question=question),
        Asked(question=question.id, unit="5f2c9a1b7d3e8f60.0", turns=(variant,), replies=(Reply("Rome"),)),
        VariantJudged(question=question.id, unit="5f2c9a1b7d3e8f60.0", attack="dpaeg", verdict=Verdict("wrong")),
        QuestionClosed(question=question.id),
    ]
    run = recording(folder / "run", told)
    assert botattack("export", run, "--for", "squad", "--share", "1", "--half", "all", "-o", "squad.json").status == 0
    found = json.loads(Path("squad.json").read_text())
    assert found["version"] == "1.1"
    paragraphs = [each for article in found["data"] for each in article["paragraphs"]]
    assert len(paragraphs) == wordings
    for each in paragraphs:
        (asked,) = each["qas"]
        assert asked["answers"] == [{"text": "Paris", "answer_start": context.index("Paris")}]
    read = [*reader_for(Path("squad.json"))(Path("squad.json"))]
    assert [one.passages for one in read if isinstance(one, Question)] == [(context,), variant.passages][:wordings]


@pytest.mark.parametrize("kind", ["mda", "pairs"])
def test_no_variant_teaches_an_answer_that_nothing_in_it_says(botattack: Botattack, folder: Path, kind: str) -> None:
    question = Question("What is the capital?", (GoldAnswer("Paris"),), ("The capital is Paris.",))
    variants = {"5f2c9a1b7d3e8f60.0": "The capital is Lyon.", "5f2c9a1b7d3e8f61.0": "The capital is Paris, not Lyon."}
    told: list[Event] = [QuestionOpened(question=question)]
    for unit, passage in variants.items():
        turns = (Prompt("What is the capital?", (passage,)),)
        told.append(Asked(question=question.id, unit=unit, turns=turns, replies=(Reply("Rome"),)))
        judged = VariantJudged(question=question.id, unit=unit, attack="counterfactual", verdict=Verdict("wrong"))
        told.append(msgspec.structs.replace(judged, decoy="Lyon"))
    run = recording(folder / "run", [*told, QuestionClosed(question=question.id)])
    words = ("export", run, "--for", kind, "--share", "1", "--per-attack", "9", "--half", "all", "-o", "set.jsonl")
    made = botattack(*words)
    assert made.status == 0, str(made)
    told_of = {(row.get("variant") or row)["passages"][0]: row for row in rows("set.jsonl")}
    assert variants["5f2c9a1b7d3e8f60.0"] not in told_of
    assert variants["5f2c9a1b7d3e8f61.0"] in told_of
    assert "no longer have the answer" in made.out


@pytest.mark.parametrize(
    "carriers", [("message",), ("turn", "message"), ("message", "turn"), ("turn", "request", "message")]
)
def test_a_question_asked_through_several_doors_teaches_once(
    botattack: Botattack, folder: Path, carriers: tuple[str, ...]
) -> None:
    """By the door `turn` nothing was right, so that nothing was altered."""
    told: list[Event] = []
    for number in range(10):
        text, passage = f"What is code {number}?", f"Code {number} is {number}x."
        for carrier in carriers:
            question = Question(text, (GoldAnswer(f"{number}x"),), (passage,), carrier=carrier)  # type: ignore[arg-type]
            unit = f"5f2c9a1b7d3e{number}{len(carrier)}60.0"
            tried = [
                Asked(
                    question=question.id, unit=unit, turns=(Prompt(text.upper(), (passage,)),), replies=(Reply("no"),)
                ),
                VariantJudged(question=question.id, unit=unit, attack="case", verdict=Verdict("wrong")),
            ] * (carrier != "turn")
            told += [QuestionOpened(question=question), *tried, QuestionClosed(question=question.id)]
    run = recording(folder / "run", told)
    made = botattack("export", run, "--for", "mda", "--share", "1", "-o", "set.jsonl")
    held = sum(
        Halves([one])(one) == "test" for one in {event.question for event in told if isinstance(event, QuestionOpened)}
    )
    assert f"{10 - held // len(carriers)} questions" in made.out, str(made)
    assert f"{held // len(carriers)} questions of the other half left out" in made.out
    assert "left out: " not in made.out
    questions = [row["question"] for row in rows("set.jsonl")]
    assert sum(map(str.isupper, questions)) * 2 == len(questions) == len(set(questions))


def test_what_a_consumer_would_evaluate_is_left_out(botattack: Botattack, folder: Path) -> None:
    asks = [Asking("who", ("{{ process.exit() }}",)), Asking("call me @name"), Asking("where to")]
    run = recording(folder / "run", stream(asks, {}, ended()))
    assert botattack("export", run, "--for", "nlpjs", "--half", "all", "-o", "corpus.json").status == 0
    (item,) = json.loads(Path("corpus.json").read_text())["data"]
    assert item["utterances"] == ["where to"]


READS = """
const { createRequire } = require('module');
const [corpus, modules] = process.argv.slice(2);
(async () => {
  const { dockStart } = createRequire(`${modules}/`)('@nlpjs/basic');
  const dock = await dockStart({
    settings: { nlp: { autoSave: false, autoLoad: false, log: false, languages: ['en'] } },
    use: ['Basic', 'LangEn'], pathConfiguration: 'none',
  });
  const nlp = dock.get('nlp');
  const read = JSON.parse(require('fs').readFileSync(corpus, 'utf8'));
  await nlp.addCorpus(read);
  await nlp.train();
  const found = [];
  for (const { intent, utterances } of read.data)
    for (const said of utterances) {
      const { intent: got, answer } = await nlp.process('en', said);
      found.push([intent, got, answer]);
    }
  console.log(JSON.stringify(found));
})();
"""


@pytest.mark.live
def test_nlpjs_learns_the_corpus(botattack: Botattack, folder: Path) -> None:
    from tests.live.environments import nlpjs

    things = ("library card", "swimming pool", "parking ticket", "garbage bin", "marriage licence")
    told = stream(
        [
            Asking(f"what does a {each} cost", (f"{n} crowns",), tries=(Try("wrong", slip("waht")),))
            for n, each in enumerate(things)
        ],
        {"dpaeg": "same"},
        ended(),
    )
    run = recording(folder / "run", told)
    assert botattack("export", run, "--for", "nlpjs", "--half", "all", "-o", "corpus.json").status == 0
    Path("reads.js").write_text(READS)
    modules, node = nlpjs().folder(), shutil.which("node")
    assert node
    done = subprocess.run(
        [node, "reads.js", "corpus.json", str(modules)], capture_output=True, check=True, text=True, timeout=120
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == 10
    assert all(wanted == got for wanted, got, _ in found)
    assert {answer for _, _, answer in found} == {f"{n} crowns" for n in range(5)}
