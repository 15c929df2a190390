"""Attacks of several turns say something only of a bot that knows the turns before: found out before they are asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from botattack.engine.memory import ASK, TELL
from botattack.events import Asked, MemoryProbed, QuestionOpened
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Received, Server, replying, response

WORD = TELL.rpartition(" ")[2]
QUESTIONS = [f"What is the number called {number:03d}?" for number in range(100, 125)]
SESSION = '{session: "{{ session }}", text: "{{ question }}"}'
BARE = '{text: "{{ question }}"}'
ATTACKS = {
    "are-you-sure": "are-you-sure: {rungs: [doubt], recover: false}",
    "carry-over": "carry-over: {rungs: [one]}",
    "topic-shift": "topic-shift",
    "dpaeg at turns": "at: {place: turns, attack: dpaeg}",
}


@dataclass
class Bot:
    """Knows its numbers; `recalls(told here, told anywhere, text)` is what it says of anything else."""

    recalls: Callable[[list[str], list[str], str], str]
    cookie: bool = False
    texts: list[str] = field(default_factory=list)
    here: dict[str, list[str]] = field(default_factory=dict)

    def __call__(self, request: Received) -> bytes:
        if request.target == "/open":
            return response({"id": f"c{len(self.here)}"})
        session, text = str(request.json.get("session", "")), request.json["text"]
        told = self.here.setdefault(session, [])
        known = next((word for word in text.split() if word.rstrip("?").isdecimal()), "")
        said = f"It is {known.rstrip('?')}." if known else self.recalls(told, self.texts, text)
        told.append(text)
        self.texts.append(text)
        return response({"a": said}, **({"Set_Cookie": "s=1"} if self.cookie else {}))


def _of(told: list[str], text: str) -> str:
    if WORD in text:
        return f"I keep {WORD}."
    return f"It was {WORD}." if any(WORD in one for one in told) else "I was told no word."


BOTS: dict[str, Callable[[list[str], list[str], str], str]] = {
    "kept": lambda here, every, text: _of(here, text),
    "lost": lambda here, every, text: _of([], text),
    "unseen": lambda here, every, text: "I only know numbers.",
    "leaks": lambda here, every, text: _of(every, text),
}


@pytest.fixture
def files(folder: Path, serve: Serve) -> Callable[..., Bot]:
    """A campaign over some questions, and its bot. No rate is told of fewer than twenty."""

    def make(
        seen: str = "unseen", body: str = SESSION, attacks: tuple[str, ...] = ("topic-shift",), connect: str = "",
        cookie: bool = False, more: str = "", number: int = 10,
    ) -> Bot:  # fmt: skip
        bot = Bot(BOTS[seen], cookie)
        url = serve(Server(replying(bot)))
        (folder / "bot.yaml").write_text(
            f'connect:\n  kind: http\n  request: {{url: "{url}", json: {body}}}\n{connect.replace("URL", url)}'
            '  extract: {answer: "$.a"}\nlimits: {rate: unlimited, concurrency: 1, retries: 0}\n'
        )
        rows = [
            {"question": text, "answers": [text.split()[-1][:-1]], "passages": ["Numbers."]}
            for text in QUESTIONS[:number]
        ]
        (folder / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
        listed = "".join(f"  - {ATTACKS.get(name, name)}\n" for name in attacks)
        (folder / "c.yaml").write_text(
            f"target: bot.yaml\nquestions: {{file: q.jsonl}}\nmatch: contains\nseed: 7\n{more}attacks:\n{listed}"
        )
        return bot

    return make


def recording(folder: Path) -> Path:
    return max((folder / "recordings").glob("*/"), key=lambda path: path.stat().st_mtime_ns)


def row(botattack: Botattack, *flags: str) -> tuple[int, dict[str, Any]]:
    ended = botattack("run", "c.yaml", "--json", *flags)
    return ended.status, json.loads(ended.out)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("seen", ["lost", "unseen"])
def test_a_file_that_carries_no_memory_is_refused_in_one_sentence_before_any_attack(
    botattack: Botattack, files: Callable[..., Bot], folder: Path, attack: str, seen: str
) -> None:
    bot = files(seen, BARE, ("case", attack))
    ended = botattack("run", "c.yaml")
    assert ended.status == 2
    assert f"bot.yaml:3:12: connect.request: {attack} needs a bot that knows what was said before" in str(ended)
    assert bot.texts == [TELL, ASK, ASK]
    assert not [event for event in events(recording(folder)) if isinstance(event, Asked | QuestionOpened)]
    # Whoever continues that run is refused again, and the bot is asked nothing.
    assert botattack("run", "c.yaml", "--resume", recording(folder)).status == 2
    assert len(bot.texts) == 3


@pytest.mark.parametrize(
    ("body", "connect", "cookie"),
    [
        (SESSION, "", False),
        ('{history: "{{ history }}", text: "{{ question }}"}', "", False),
        ('{all: "{{ messages }}", text: "{{ question }}"}', "", False),
        (BARE, '  open: {url: "URL/open"}\n', False),
        (
            '{session: "{{ open.id }}", text: "{{ question }}"}',
            '  open: {url: "URL/open", take: {id: "$.id"}}\n',
            False,
        ),
        (BARE, "", True),
    ],
    ids=["session", "history", "messages", "open", "taken", "cookie"],
)
def test_a_file_that_may_carry_memory_is_not_refused(
    botattack: Botattack, files: Callable[..., Bot], body: str, connect: str, cookie: bool
) -> None:
    files("unseen", body, connect=connect, cookie=cookie)
    status, figures = row(botattack)
    assert (status, figures["memory"]["possible"]) == (0, True)
    assert figures["attacks"]["topic-shift"]["gold"]["asked"] == 2 * 10


@pytest.mark.parametrize("attack", ["case", "unchanged"])
def test_nothing_is_found_out_where_no_attack_needs_memory(
    botattack: Botattack, files: Callable[..., Bot], attack: str
) -> None:
    bot = files("unseen", BARE, (attack,))
    status, figures = row(botattack)
    assert (status, figures["memory"]) == (0, None)
    assert TELL not in bot.texts


def test_passages_in_an_earlier_turn_need_memory_too(botattack: Botattack, files: Callable[..., Bot]) -> None:
    bot = files("lost", BARE, ("order",), more="carrier: turn\n")
    ended = botattack("run", "c.yaml")
    assert ended.status == 2
    assert "connect.request: order needs a bot that knows" in str(ended)
    assert bot.texts == [TELL, ASK, ASK]


GATE = "gates: [{metric: success_rate, attack: topic-shift, at_most: 1.0}]\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seen", "rated", "status", "said"),
    [
        ("kept", True, 0, ""),
        ("lost", False, 1, "no memory shown"),
        ("unseen", True, 0, "memory not shown"),
        ("leaks", True, 0, "Conversations are not separate"),
    ],
)
def test_what_was_seen_of_memory_is_said_beside_the_rate_or_in_its_place(
    botattack: Botattack, files: Callable[..., Bot], folder: Path, seen: str, rated: bool, status: int, said: str
) -> None:
    files(seen, attacks=("topic-shift", "case"), more=GATE, number=len(QUESTIONS))
    ended, figures = row(botattack)
    assert (ended, figures["memory"]["seen"]) == (status, seen)
    shifted = figures["attacks"]["topic-shift"]["gold"]
    assert (shifted["success_rate"] is not None) is rated
    assert shifted["success"] + shifted["robust"] + shifted["probes"] == 2 * len(QUESTIONS)
    assert figures["attacks"]["case"]["gold"]["success_rate"] is not None
    assert (figures["measures"]["robust accuracy, micro"]["value"] is not None) is rated
    printed = str(botattack("replay", recording(folder), "-o", "report.md", "-o", "report.html"))
    texts = [printed, Path("report.md").read_text(), Path("report.html").read_text()]
    for text in texts:
        assert said in " ".join(text.split())
        assert ("memory shown" in text or "memory not shown" in text) == (seen in ("lost", "unseen"))
        assert ("Conversations are not separate" in text) == (seen == "leaks")
    assert ("Hand all earlier turns to the bot" in texts[1]) == (seen == "lost")
    if seen == "leaks":
        assert texts[1].splitlines()[2].startswith("**Conversations are not separate")


@pytest.mark.slow
def test_what_a_forgetful_bot_is_asked_through_another_door_counts(
    botattack: Botattack, files: Callable[..., Bot], folder: Path
) -> None:
    body = '{session: "{{ session }}", text: "{{ question }}", passages: "{{ passages }}"}'
    files("lost", body, ("injection", "topic-shift"), more="carrier: [request, turn]\n", number=len(QUESTIONS))
    ended, figures = row(botattack, "-o", "run.xml")
    assert (ended, figures["memory"]["seen"]) == (0, "lost")
    gold, shifted = (figures["attacks"][name]["gold"] for name in ("injection", "topic-shift"))
    assert gold["success_rate"] is not None
    assert gold["success"] + gold["robust"] == figures["broken"]["rated"]
    assert (shifted["success"] + shifted["robust"], shifted["probes"]) == (0, 4 * len(QUESTIONS))
    # A night asks all of it again.
    assert botattack("nightly", "baseline", "set", recording(folder)).status == 0
    listed = botattack("nightly", "baseline", "show", "--units").out
    assert listed.count(" topic-shift: ") == 4 * len(QUESTIONS)


def test_one_conversation_may_change_the_next_where_the_file_says_so(
    botattack: Botattack, files: Callable[..., Bot]
) -> None:
    files("leaks", connect="  conversation: reuse\n")
    assert row(botattack)[1]["memory"]["seen"] == "kept"


def test_an_attack_without_a_rate_is_no_headline(botattack: Botattack, files: Callable[..., Bot]) -> None:
    files("lost")
    first = str(botattack("run", "c.yaml")).splitlines()[2]
    assert first.startswith("topic-shift: no memory shown")


@pytest.mark.slow
@pytest.mark.parametrize("seen", BOTS)
def test_a_recording_tells_the_same_again_and_is_asked_no_second_time(
    botattack: Botattack, files: Callable[..., Bot], folder: Path, seen: str
) -> None:
    bot = files(seen)
    status, figures = row(botattack, "--budget", "30")
    assert (status, bot.texts.count(TELL), len(bot.texts)) == (4, 1, 30), "the probe is paid from the budget"
    made = recording(folder)
    resumed = botattack("run", "c.yaml", "--json", "--resume", made)
    whole = json.loads(resumed.out)
    assert bot.texts.count(TELL) == 1
    assert whole["memory"] == figures["memory"]
    assert len([event for event in events(made) if isinstance(event, MemoryProbed)]) == 1
    asked = len(bot.texts)
    assert whole["requests"]["sent"] == asked
    again = json.loads(botattack("replay", made, "--json").out)
    assert (again["memory"], again["attacks"]) == (whole["memory"], whole["attacks"])


def test_a_dry_run_counts_the_messages(botattack: Botattack, files: Callable[..., Bot]) -> None:
    bot = files()
    ended = botattack("run", "c.yaml", "--dry-run")
    assert "memory     3 requests" in ended.out
    assert not bot.texts


def test_a_bot_that_does_not_answer_what_it_is_told_is_asked_its_questions(
    botattack: Botattack, files: Callable[..., Bot]
) -> None:
    """It refuses the made-up word alone; that proves nothing about the questions."""
    bot = files("unseen", attacks=("carry-over",))
    known = bot.recalls

    def refuses(here: list[str], every: list[str], text: str) -> str:
        return 17_000_000 * "x" if WORD in text else known(here, every, text)

    bot.recalls = refuses
    status, figures = row(botattack)
    assert (status, figures["memory"]["replies"], figures["memory"]["seen"]) == (0, [], "unseen")
    assert figures["questions"]["correct"] == 10


@pytest.mark.slow
def test_a_night_that_says_the_same_again_finds_out_too(
    botattack: Botattack, files: Callable[..., Bot], folder: Path
) -> None:
    bot = files("kept")
    assert botattack("run", "c.yaml").status == 0
    assert botattack("nightly", "baseline", "set", recording(folder)).status == 0
    bot.recalls = BOTS["lost"]
    botattack("nightly", "c.yaml")
    (found,) = [event for event in events(recording(folder)) if isinstance(event, MemoryProbed)]
    assert (found.attacks, found.seen) == (("topic-shift",), "lost")


@pytest.mark.parametrize(("seen", "status"), [("kept", 0), ("lost", 0), ("unseen", 0), ("leaks", 1)])
def test_check_sees_what_a_run_sees(botattack: Botattack, files: Callable[..., Bot], seen: str, status: int) -> None:
    files(seen)
    ended = botattack("check", "bot.yaml")
    assert ended.status == status
    assert "it cannot know which conversation continues" not in ended.out
    files(seen, BARE)
    ended = botattack("check", "bot.yaml")
    assert ("it cannot know which conversation continues" in ended.out) is (seen in ("lost", "unseen"))


def test_check_names_an_id_that_is_always_the_same(
    botattack: Botattack, files: Callable[..., Bot], folder: Path
) -> None:
    files("lost", BARE)
    path = folder / "bot.yaml"
    known = path.read_text()
    for key, value, fixed in (("conversation", "c1", True), ("session_id", "x", True), ("tone", "c1", False)):
        path.write_text(known.replace("json: {", f"json: {{{key}: {value}, "))
        ended = botattack("check", "bot.yaml")
        assert (f"connect.request.json.{key} is always '{value}'" in ended.out) is fixed
