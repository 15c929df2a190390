"""The same passages through every door: what arrives, what is taken away again, and how the doors compare."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

import botattack
from botattack.audit.beforehand.dryrun import describe
from botattack.audit.beforehand.reach import reach
from botattack.audit.conduct import conduct_async
from botattack.audit.job import RunSettings, prepare
from botattack.audit.stage import Stage
from botattack.doors import MOST_DOCUMENTS, documents
from botattack.errors import ConfigError, TrustRefused
from botattack.events import Asked, DocumentAdded, DocumentAdding, DocumentRemoved, OriginalJudged, RunEnded
from botattack.model import GoldAnswer, Question
from botattack.recordings.reader import events
from botattack.recordings.suite import suite_of
from botattack.recordings.writer import locked
from botattack.report.comparison.diff import compare
from botattack.report.comparison.side_by_side import ReadRun, side_by_side
from botattack.report.figures.metrics import figures_of
from botattack.report.wording.progress import Progress
from tests.doors.reading import NAMES, campaign_file, left_by, passage, questions, run, with_library
from tests.report.streams import of_unit
from tests.servers.library import BY_ID, BY_NAME, CONSENT, FIND, Library

AT = "homoglyph at context"


@pytest.mark.parametrize(
    ("carrier", "passages", "says"),
    [("message", (), False), ("message", ("A note.",), True), ("turn", (), False), ("request", ("A note.",), False)],
)
def test_how_passages_were_sent_is_said_only_of_what_had_some(
    tmp_path: Path, carrier: Literal["request", "message", "turn"], passages: tuple[str, ...], *, says: bool
) -> None:
    def bot(text: str, passages: Sequence[str] = ()) -> str:
        return "red" if text.endswith(" there?") else "blue"

    asked = [Question(f"What colour is door {n} there?", (GoldAnswer("red"),), passages) for n in range(3)]
    campaign = botattack.campaign(bot, asked, ["punctuation"], carrier=carrier)
    result = botattack.run(campaign, recordings=tmp_path)
    assert result.figures.broken.answers > 0
    assert ("passages sent" in botattack.write_report(result, tmp_path / "out.md").read_text()) is says
    original = next(event.units[0] for event in result.events() if isinstance(event, OriginalJudged))
    assert ("passages sent" in of_unit(result.events(), original)) is says


@pytest.mark.parametrize(
    ("carrier", "shown"),
    [("message", "in the message"), ("turn", "in an earlier turn"), ("document", "as a document")],
)
def test_passages_get_in_and_out(carrier: str, shown: str, tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        result = await run(tmp_path, url, carrier)
        assert result.exit in (0, 1)
        figures = result.figures
        assert figures.questions.kept == len(NAMES)
        assert figures.attacks["unchanged"].gold.robust == len(NAMES)
        assert figures.attacks[AT].gold.success > 0
        assert library.documents == {}
        page = botattack.write_report(result, tmp_path / "out.md").read_text()
        assert f"passages sent {shown}" in page
        (row, *_) = csv.DictReader(botattack.write_report(result, tmp_path / "out.csv").open())
        assert row["door"] == shown

    with_library(test)


def test_what_arrives_by_each_door(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        for carrier in ("message", "turn", "document"):
            folder = tmp_path / carrier
            folder.mkdir()
            library.asked.clear()
            await run(folder, url, carrier)
            arrived = set(library.asked)
            question, text = questions()[0]["question"], passage(NAMES[0])
            wanted = {
                "message": {(f"{text}\n\n{question}", ())},
                "turn": {(text, ()), (question, ())},
                "document": {(question, (text,))},
            }
            assert wanted[carrier] <= arrived

    with_library(test)


def test_no_asking_finds_the_documents_of_another(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        library.latency = 0.01
        result = await run(tmp_path, url, "[document, message]")
        assert result.exit in (0, 1)
        for message, there in library.asked:
            assert len(there) == (0 if "\n\n" in message else 1)
        kept = [
            one for one in events(result.recording) if isinstance(one, DocumentAdding | DocumentAdded | DocumentRemoved)
        ]
        # One at a time, each recorded before it leaves, once it is there and once it is gone.
        assert [type(one) for one in kept] == [DocumentAdding, DocumentAdded, DocumentRemoved] * (len(kept) // 3)
        assert len(kept) == 3 * library.added
        (end,) = [one for one in events(result.recording) if isinstance(one, RunEnded)]
        assert end.requests == len(library.asked) + 3 * library.added
        assert result.figures.requests.sent == end.requests

    with_library(test)


def test_documents_are_added_in_a_session_of_the_run(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        await run(tmp_path, url, "document")
        assert len(library.sessions) == 1 < library.added
        await run(tmp_path, url, "document")
        assert len(library.sessions) == 2

    with_library(test)


def test_every_report_compares_the_doors(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        result = await run(tmp_path, url, "[request, message, turn, document]")
        doors = ["as a document", "in an earlier turn", "in the message", "in the request"]
        told = json.loads(botattack.write_report(result, tmp_path / "out.json").read_text())
        assert told["questions"]["kept"] == 4 * len(NAMES)
        for name in ("unchanged", AT):
            rows = told["attacks"][name]["splits"]["door"]
            assert sorted(rows) == doors
            # The attacks are the same by every door, and this bot reads them all alike.
            assert len({(row["questions"], row["asked"], row["success"]) for row in rows.values()}) == 1
            assert sum(row["success"] for row in rows.values()) == told["attacks"][name]["gold"]["success"]
            # What came of one question through four doors is no evidence of four questions.
            assert told["attacks"][name]["coverage"]["attacked"] == len(NAMES)
            assert told["attacks"][name]["gold"]["questions"] == len(NAMES)
        # The page shows no table of which every rate has too few questions.
        page = botattack.write_report(result, tmp_path / "out.md").read_text()
        assert all(door in page for door in doors)
        compared = compare(events(result.recording), events(result.recording))
        for row in compared.rows:
            assert row.questions == len(NAMES)
        # Nor does a question break four times.
        assert told["broken"]["attacked"] == compared.old_broken.attacked == len(NAMES)
        assert told["broken"]["questions"] == compared.new_broken.questions <= len(NAMES)
        both = side_by_side([ReadRun(lambda: events(result.recording), "run")] * 2)
        assert both.questions == len(NAMES)
        assert {breaks.questions for row in both.attacks.values() for breaks in row} == {len(NAMES)}
        assert both.transfers[0].both.questions <= len(NAMES)
        replayed = botattack.replay(result.recording)
        assert (replayed.figures.attacks, replayed.changes) == (result.figures.attacks, ())
        names = botattack.write_report(result, tmp_path / "out.xml").read_text().split("<testcase ")
        assert len(names) == len(set(names))

    with_library(test)


class Forgetful(defaultdict[str, list[str]]):
    """What was said in no conversation is known."""

    def __missing__(self, session: str) -> list[str]:
        return []


def test_a_door_by_which_nothing_is_right_is_shown(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        library.said = Forgetful()
        result = await run(tmp_path, url, "[request, turn]")
        told = json.loads(botattack.write_report(result, tmp_path / "out.json").read_text())
        assert told["questions"]["doors"] == {"in an earlier turn": [3, 0], "in the request": [3, 3]}
        page = botattack.write_report(result, tmp_path / "out.md").read_text()
        assert "in an earlier turn 0 of 3 right, in the request 3 of 3 right" in page
        assert "passages in an earlier turn: none of 3 questions was answered correctly" in page

    with_library(test)


@pytest.mark.parametrize("carriers", ["[message, document]", "[document, request, message]"])
def test_a_question_without_passages_has_one_door(carriers: str, tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        campaign = campaign_file(tmp_path, url, carriers, more="repeat: 2\n")
        bare = {"question": "The code of Nobody is xy. What is the code of Nobody?", "answers": ["xy"]}
        with (tmp_path / "questions.jsonl").open("a") as file:
            file.write(json.dumps(bare) + "\n")
        loaded = botattack.load(campaign, environ={})
        result = await botattack.run_async(loaded, recordings=tmp_path / "recordings")
        ways = len(loaded.carrier)
        asked = [message for message, _ in library.asked if "Nobody" in message]
        assert len(asked) == 3  # twice, and once more as the control
        told = json.loads(botattack.write_report(result, tmp_path / "out.json").read_text())
        assert told["questions"]["total"] == ways * len(NAMES) + 1
        rows = told["attacks"]["unchanged"]["splits"]["door"].values()
        assert [row["questions"] for row in rows] == [len(NAMES)] * ways
        # 3 questions with passages, and one without, are asked twice each; 3 requests for each document.
        assert f": {2 * (ways * len(NAMES) + 1) + 2 * 3 * len(NAMES)} requests" in describe(loaded)

    with_library(test)


@pytest.mark.parametrize(
    ("consent", "said"),
    [
        ("", "no consent"),
        (CONSENT.replace(", writes: documents", ""), "no consent"),
        (CONSENT.replace("2099", "2020"), "ended on 2020-01-01"),
    ],
    ids=["none", "without the word", "ended"],
)
def test_nothing_is_added_without_consent_to_that(consent: str, said: str, tmp_path: Path) -> None:
    path = campaign_file(tmp_path, "http://127.0.0.1:9", "[request, document]", consent=consent)
    with pytest.raises(TrustRefused, match=r"campaign\.yaml:5:\d+: carrier: .*writes: documents") as refused:
        botattack.load(path, environ={})
    assert said in str(refused.value)


def test_a_bot_whose_file_knows_no_documents_gets_none(tmp_path: Path) -> None:
    path = campaign_file(tmp_path, "http://127.0.0.1:9", "document")
    file = tmp_path / "bot.yaml"
    lines = file.read_text().splitlines(keepends=True)
    start = lines.index("  documents:\n")
    end = next(n for n, line in enumerate(lines) if line.startswith("limits"))
    file.write_text("".join(lines[:start] + lines[end:]))
    with pytest.raises(ConfigError, match=r"carrier: .*bot\.yaml does not say how documents are added"):
        botattack.load(path, environ={})


@pytest.mark.parametrize(
    ("written", "said"),
    [("mail", "'mail' is not a choice"), ("[turn, turn]", "turn is listed twice"), ("[]", "expected a carrier")],
)
def test_a_carrier_that_is_none(written: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        botattack.load(campaign_file(tmp_path, "http://127.0.0.1:9", written), environ={})


def test_a_knowledge_base_that_holds_the_passages_gets_only_what_is_added(tmp_path: Path) -> None:
    holds = '    remove: {{method: DELETE, url: "{url}/documents/{{{{ document.name }}}}"}}\n    holds_passages: true\n'

    async def test(library: Library, url: str) -> None:
        path = campaign_file(tmp_path, url, "document", documents=holds)
        with pytest.raises(ConfigError, match=r"attacks\[0\].*are there anyway"):
            botattack.load(path, environ={})
        path.write_text(path.read_text().replace("attacks: [", "attacks: []\n# ["))
        for name in NAMES:
            library.documents[name] = (name, passage(name))
        result = await botattack.run_async(botattack.load(path, environ={}), recordings=tmp_path / "recordings")
        assert result.figures.questions.kept == len(NAMES)
        assert library.added == 0

    with_library(test)


def test_shards_would_find_each_others_documents(tmp_path: Path) -> None:
    campaign = botattack.load(campaign_file(tmp_path, "http://127.0.0.1:9", "document"), environ={})
    with pytest.raises(botattack.BotattackError, match="--shard and carrier: document"):
        botattack.run(campaign, shard=(1, 2), recordings=tmp_path)


def test_a_document_that_cannot_be_added_costs_that_asking(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        library.fails = lambda method, _: 500 if method == "POST" and library.added == 2 else 0
        result = await run(tmp_path, url, "[message, document]")
        assert result.figures.failures.keys() == {"server error"}
        assert library.documents == {}
        assert not any(len(there) > 1 for _, there in library.asked)

    with_library(test)


def test_a_document_that_stays_stops_the_run_until_it_is_removed(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        library.fails = lambda method, _: 500 if method == "DELETE" else 0
        result = await run(tmp_path, url, "document")
        assert result.exit == 1
        assert "cannot be removed" in result.why
        assert "--resume" in result.why
        assert len(library.documents) == 1
        (name, text), asked = next(iter(library.documents.values())), len(library.asked)
        assert name in result.why
        assert {there for _, there in library.asked} == {(text,)}
        library.fails = lambda *_: 0
        campaign = botattack.load(tmp_path / "campaign.yaml", environ={})
        again = await botattack.run_async(campaign, recordings=tmp_path / "recordings", resume=result.recording)
        assert again.exit in (0, 1)
        assert library.documents == {}
        assert all(len(there) == 1 for _, there in library.asked[asked:])

    with_library(test)


@pytest.mark.parametrize(("documents", "cleans"), [(BY_ID + FIND, True), (BY_ID, False)], ids=["found", "lost"])
def test_what_the_bot_calls_a_document_is_looked_up_where_its_reply_was_lost(
    documents: str, cleans: bool, tmp_path: Path
) -> None:
    async def test(library: Library, url: str) -> None:
        def cut() -> None:
            raise ConnectionError

        library.while_adding = cut
        result = await run(tmp_path, url, "document", documents=documents)
        assert (library.documents == {}) is cleans
        assert (result.exit == 1) is not cleans or "gave no answer" in result.why
        if not cleans:
            assert "by hand" in result.why
            assert result.why.count("botattack-") == 1

    with_library(test)


def test_a_used_up_budget_still_pays_for_removing(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        result = await run(tmp_path, url, "document", documents=BY_ID, more="budget: {requests: 5}\n")
        assert result.exit == 4
        assert library.documents == {}

    with_library(test)


@pytest.mark.slow
def test_questions_of_a_night_go_through_their_doors_again(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        first = await run(tmp_path, url, "[document, message]")
        suite = suite_of(events(first.recording))
        assert {question.carrier for question, _ in suite} == {"document", "message"}
        campaign = botattack.load(tmp_path / "campaign.yaml", environ={})
        job = prepare(campaign, RunSettings(recordings=tmp_path / "again"))
        plan = replace(job.plan, attacks=dict(suite.attacks), pinned=suite.attacked)
        stage = Stage(replace(job, plan=plan, suite=suite))
        await conduct_async(stage)
        again = [one.unit for one in events(job.folder) if isinstance(one, Asked)]
        assert sorted(again) == sorted(one.unit for one in events(first.recording) if isinstance(one, Asked))
        assert library.documents == {}

    with_library(test)


def test_a_document_that_the_bot_never_finds_is_removed_and_said(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        looks = 0

        def not_found(method: str, path: str) -> int:
            nonlocal looks
            looks += method == "GET"
            return 404 if method == "GET" and path.startswith("/documents/") else 0

        library.fails = not_found
        campaign = botattack.load(campaign_file(tmp_path, url, "document"), environ={})
        limits = replace(campaign.target.limits, question_timeout=0.2, timeout=5.0, retries=3, breaker=2)
        campaign = replace(campaign, target=replace(campaign.target, limits=limits))
        result = await botattack.run_async(campaign, recordings=tmp_path / "recordings")
        assert result.exit == 3
        assert "find" in result.why
        assert library.documents == {}
        # Its time is not given to it once more by each retry.
        assert looks <= library.added

    with_library(test)


@pytest.mark.slow
@pytest.mark.parametrize(("found", "tried"), [(0, 3), (1, 5)], ids=["never", "no more"])
def test_a_knowledge_base_that_fails_again_and_again_ends_the_run(found: int, tried: int, tmp_path: Path) -> None:
    """Though the bot answers through another door all the time."""

    async def test(library: Library, url: str) -> None:
        library.fails = lambda method, path: 404 * (method == "GET" and library.added > found)
        path = campaign_file(tmp_path, url, "[document, message]", more="filter: all\n")
        campaign = botattack.load(path, environ={})
        limits = replace(campaign.target.limits, question_timeout=0.6, breaker=5)
        campaign = replace(campaign, target=replace(campaign.target, limits=limits))
        result = await botattack.run_async(campaign, recordings=tmp_path / "recordings")
        assert result.exit == 3
        assert "bot.yaml:12:12: connect.documents.ready" in result.why
        assert tried <= library.added - found <= tried + 1  # another may have begun
        assert library.documents == {}
        assert library.asked

    with_library(test)


def test_an_interruption_does_not_wait_for_what_the_bot_never_finds(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        looked = asyncio.Event()

        def not_found(method: str, path: str) -> int:
            if method == "GET" and path.startswith("/documents/"):
                looked.set()
                return 404
            return 0

        library.fails = not_found
        asked = asyncio.create_task(run(tmp_path, url, "document"))
        await looked.wait()
        asked.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait_for(asked, 120)
        assert library.documents == {}

    with_library(test)


def test_what_would_be_asked_counts_the_turn_that_carries_the_passages(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        result = await run(tmp_path, url, "[message, turn]", more="filter: all\n")
        planned = describe(botattack.load(tmp_path / "campaign.yaml", environ={}))
        assert f"at most {result.figures.requests.sent}" in planned.replace(",", "")
        assert "correctly" not in planned

    with_library(test)


@pytest.mark.parametrize("carrier", ["document", "[message, document]"])
def test_requests_for_documents_are_foreseen_and_shown_and_told_of_a_killed_run(carrier: str, tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        result = await run(tmp_path, url, carrier, documents=BY_ID, more="filter: all\n")
        told = list(events(result.recording))
        sent = next(one.requests for one in told if isinstance(one, RunEnded))
        assert sent == len(library.asked) + 3 * library.added
        planned = describe(botattack.load(tmp_path / "campaign.yaml", environ={}))
        (total,) = re.findall(r"^requests .* (\d+) and more", planned, re.MULTILINE)
        assert sent / 1.5 <= int(total) <= sent * 1.5
        # A killed run has no last event.
        progress, open_ = Progress(lambda: 0.0), [one for one in told if not isinstance(one, RunEnded)]
        for one in open_:
            progress.update(one)
        assert progress.sent == figures_of(open_).requests.sent == sent

    with_library(test)


@pytest.mark.parametrize(
    ("documents", "place", "fix"),
    [
        (BY_ID.replace("add.id", "add.nope") + FIND, "remove", "add nope to take: of documents.add"),
        (BY_ID + FIND.replace("id: $.id", "name: $.id"), "remove", "add id to take: of documents.find"),
        (BY_NAME, "ready", "add nope to take: of documents.add"),
    ],
    ids=["remove", "find", "ready"],
)
def test_what_no_reply_gives_is_refused_before_anything_is_added(
    documents: str, place: str, fix: str, tmp_path: Path
) -> None:
    path = campaign_file(tmp_path, "http://127.0.0.1:9", "document", documents=documents)
    bot = tmp_path / "bot.yaml"
    if place == "ready":
        bot.write_text(bot.read_text().replace("add.id", "add.nope"))
    with pytest.raises(ConfigError, match=rf"bot\.yaml:\d+:\d+: connect\.documents\.{place}: .*") as refused:
        botattack.load(path, environ={})
    assert fix in str(refused.value)


@pytest.mark.parametrize(("documents", "warns"), [(BY_ID, True), (BY_ID + FIND, False), (BY_NAME, False)])
def test_a_document_that_a_crash_may_leave_is_said_before(documents: str, warns: bool, tmp_path: Path) -> None:
    campaign = botattack.load(
        campaign_file(tmp_path, "http://127.0.0.1:9", "document", documents=documents), environ={}
    )
    assert ("by hand" in describe(campaign)) is warns
    assert any("by hand" in line for line in reach(campaign.target)) is warns  # as check shows it


def false_removals() -> dict[str, Callable[[Library], None]]:
    """Ways in which a knowledge base says that it removed a document, and has not."""

    def answers(status: int) -> Callable[[Library], None]:
        def lies(library: Library) -> None:
            library.fails = lambda method, _: status if method == "DELETE" else 0

        return lies

    return {"200": answers(200), "204": answers(204), "404": answers(404), "410": answers(410), "302": answers(302)}


@pytest.mark.parametrize("documents", [BY_ID + FIND, BY_NAME + FIND, BY_ID, BY_NAME])
@pytest.mark.parametrize("lie", false_removals())
def test_a_removal_is_not_believed_where_anything_shows_that_it_is_not_so(
    lie: str, documents: str, tmp_path: Path
) -> None:
    async def test(library: Library, url: str) -> None:
        false_removals()[lie](library)
        path = campaign_file(tmp_path, url, "document", documents=documents)
        bot = tmp_path / "bot.yaml"
        bot.write_text(bot.read_text().replace('{{ add.id }}"}', '{{ add.id }}", every: 1ms}', 1))
        result = await botattack.run_async(botattack.load(path, environ={}), recordings=tmp_path / "recordings")
        # What nothing can show is said before.
        if lie in ("200", "204") and FIND not in documents:
            assert any("by the reply's status alone" in line for line in reach(botattack.load(path, environ={}).target))
            return
        assert result.exit == 1
        assert "cannot be removed from the bot's knowledge base" in result.why
        ((id_, (name, text)),) = library.documents.items()
        assert name in result.why
        assert f"id: {id_}" in result.why
        assert {there for _, there in library.asked} <= {(text,)}

    with_library(test)


def test_what_is_added_is_looked_for(tmp_path: Path) -> None:
    """A store that says that it added a document and has not is no basis for any figure."""

    async def test(library: Library, url: str) -> None:
        library.while_adding = library.documents.clear
        campaign = botattack.load(campaign_file(tmp_path, url, "document", documents=BY_NAME + FIND), environ={})
        limits = replace(campaign.target.limits, question_timeout=0.5, breaker=1)
        campaign = replace(campaign, target=replace(campaign.target, limits=limits))
        result = await botattack.run_async(campaign, recordings=tmp_path / "recordings")
        assert result.exit == 3
        assert library.asked == []

    with_library(test)


@pytest.mark.parametrize(
    ("documents", "carrier"),
    [
        *((documents, "document") for documents in (BY_NAME, BY_ID, BY_NAME + FIND)),
        (BY_NAME, "message"),
        *(pytest.param(documents, "message", marks=pytest.mark.slow) for documents in (BY_ID, BY_NAME + FIND)),
    ],
)
def test_a_new_run_first_removes_what_another_left(documents: str, carrier: str, tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        first = await run(tmp_path, url, "document", documents=documents)
        left = left_by(first.recording, library)
        asked = len(library.asked)
        result = await run(tmp_path, url, carrier, documents=documents)
        assert result.exit in (0, 1)
        assert library.documents == {}
        assert all(len(there) == (carrier == "document") for _, there in library.asked[asked:])
        told = [one for one in events(result.recording) if isinstance(one, DocumentRemoved) and one.left_by]
        assert [(one.name, one.left_by) for one in told] == [(left, first.recording.name)]
        sent = next(one.requests for one in events(result.recording) if isinstance(one, RunEnded))
        assert figures_of(events(result.recording)).requests.sent == sent
        # Nobody does it twice.
        again = await run(tmp_path, url, "message", documents=documents)
        assert not any(isinstance(one, DocumentRemoved) for one in events(again.recording))

    with_library(test)


def test_what_another_left_stays_its_own_where_that_runs_or_nobody_may_remove_it(tmp_path: Path) -> None:
    async def test(library: Library, url: str) -> None:
        first = await run(tmp_path, url, "document")
        left_by(first.recording, library)
        with locked(first.recording):
            await run(tmp_path, url, "message")
        assert len(library.documents) == 1
        with pytest.raises(TrustRefused, match="writes: documents"):
            await run(tmp_path, url, "message", consent="")
        library.fails = lambda method, _: 500 if method == "DELETE" else 0
        asked = len(library.asked)
        result = await run(tmp_path, url, "message")
        assert result.exit == 1
        assert f"what {first.recording.name} added" in result.why
        assert len(library.asked) == asked

    with_library(test)


def test_no_name_of_a_document_is_a_part_of_another() -> None:
    names = [one.name for one in documents([f"text {number}" for number in range(MOST_DOCUMENTS)])]
    assert not [(one, other) for one in names for other in names if one != other and one in other]
