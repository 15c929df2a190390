import io
import re
from collections import Counter

import pytest
from rich.cells import cell_len

from botattack.events import Asked, Event, Paced, QuestionOpened, TurnSaid
from botattack.model import Attempt, Edit, Question, UserTurn
from botattack.report.escape import hidden
from botattack.report.figures.expected import Expected
from botattack.report.figures.metrics import figures_of
from botattack.report.printing import console
from botattack.report.story.blocks import Example, Examples, Fact, Facts, Story, Table
from botattack.report.story.in_terminal import show
from botattack.report.wording.progress import Progress
from botattack.report.writers.material import material
from botattack.report.writers.terminal import Terminal
from tests.report.streams import RUN, Asking, Try, edit, ended, started, stream

TEXT = "what is the capital of france"
HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07\x9b31m[bold red]x[/bold red] :smile: \u202eevil\u200b\r\n"
    "{{ 7*7 }}<script>alert(1)</script>"
)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, tty: bool = False, encoding: str = "utf-8") -> None:
        super().__init__()
        self.tty = tty
        self._encoding = encoding

    @property
    def encoding(self) -> str:
        return self._encoding

    def isatty(self) -> bool:
        return self.tty


@pytest.fixture(autouse=True)
def _no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "FORCE_COLOR", "TTY_COMPATIBLE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def run() -> list[Event]:
    """Forty questions, two kinds of edits, one of two bot texts hostile."""
    typo = (edit(TEXT, "capital", "captial"),)
    both = (edit(TEXT, "what", "waht"), edit(TEXT, "capital", "capitol", "spell-similar"))
    many = [
        Asking(
            text=f"{TEXT}{f' {number}' if number else ''}",
            tries=(
                Try("wrong" if number % 3 == 0 else "correct", typo, reply=HOSTILE),
                Try("refused" if number % 5 == 0 else "correct", both, reply="", distance=2),
                Try("error" if number == 9 else "correct", (), "unchanged"),
            ),
            existing={"dpaeg": 14},
            duplicates=number == 3,
        )
        for number in range(40)
    ]
    many += [Asking(text="who", standing="wrong"), Asking(text="where", standing="unstable")]
    return stream(many, end=ended(seconds=200, requests=170, retried=2, rate_limited=1))


def printed(events: list[Event], out: Screen | None = None, recording: str = "") -> str:
    out = out or Screen()
    with Terminal(out, Screen(), Clock(), recording=recording, width=80) as terminal:
        for event in events:
            terminal.update(event)
        terminal.finish(figures_of(events), material(lambda: events).findings)
    return out.getvalue()


def test_the_report_says_first_how_bad_it_is_and_last_what_was_run() -> None:
    text = printed(run())
    places = [
        text.index(part) for part in ("Typing mistakes break", "[capital → captial]", "Every attack", "About this run")
    ]
    assert places == sorted(places)
    assert max(map(cell_len, text.splitlines())) <= 80


def test_a_small_run_without_answers() -> None:
    typo = (edit(TEXT, "capital", "c\u0430pital"), Edit(26, "n", "\u200bn", "invisible"))
    one = Asking(answers=(), reference="own", tries=(Try("wrong", typo, reply="Lyon"),))
    text = printed(stream([one]))
    assert "too few questions" in " ".join(text.split())
    assert "‹U+0430›" in text
    assert "\u0430" not in text.replace("\u0430‹U+0430›", "")


@pytest.mark.parametrize("width", [80, 120])
def test_tables_and_labels_are_wrapped_at_words(width: int) -> None:
    """No heading is cut, no word of a label either, and what a label belongs to keeps most of the line."""
    heading = "first of the bots broken by it"
    header = ("attack", *(f"{heading} {number}" for number in range(5)), "verdict")
    table = Table.of(header, [("typing mistakes", *["1,000/1,000"] * 5, "no difference shown")] * 3, after=6)
    label = "an easy question that quotes words as they were changed, the most changed"
    example = Example("", (), (Fact(label, "said " * 30),))
    out = Screen()
    show(Story("", "wide", (table, Examples((example,)), Facts((Fact(label, "told " * 30),)))), console(out, width))
    text = out.getvalue()
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    counts = Counter(text.split())
    assert all(counts[word] == 5 * heading.split().count(word) for word in ("first", "bots", "broken", "by"))
    assert all(counts[word] >= 2 for word in label.split())
    assert text.count("1,000/1,000") == 15
    assert all(cell_len(line.strip()) > width / 2 for line in text.splitlines() if line.count("said ") > 4)


def test_an_attack_with_too_few_questions_is_in_the_table_of_every_attack() -> None:
    typo, both = (edit(TEXT, "capital", "captial"),), (edit(TEXT, "france", "frnace"),)
    many = [
        Asking(
            text=f"{TEXT} {number}",
            tries=(
                Try("wrong" if number % 3 == 0 else "correct", typo),
                *((Try("correct", both, "filler"),) if number < 4 else ()),
            ),
        )
        for number in range(40)
    ]
    text = printed(stream(many, {"dpaeg": "same", "filler": "same"})).partition("Every attack")[2]
    rows = dict(re.findall(r"^\S.*\((dpaeg|filler)\)(.*)$", text, re.MULTILINE))
    assert ("too few questions" in rows["filler"], "too few questions" in rows["dpaeg"]) == (True, False)
    assert "0/4" in rows["filler"]


def test_expect_different() -> None:
    negated = (Edit(8, "", "not ", "negation"),)
    one = Asking(tries=(Try("correct", negated, "negate", expect="different", meaning="changed"),))
    text = printed(stream([one], {"negate": "different"}, filter="all"))
    assert "did not notice the change" in text
    assert "another answer than Paris" in text


@pytest.mark.slow
def test_nothing_a_bot_says_alters_the_terminal() -> None:
    hostile = [
        Asking(
            text=f"{HOSTILE}{number}",
            answers=(HOSTILE,),
            reply=HOSTILE,
            tries=(Try("wrong", (Edit(0, HOSTILE[0], HOSTILE, HOSTILE),), HOSTILE, reply=HOSTILE * 5_000),),
        )
        for number in range(3)
    ]
    text = printed(stream(hostile, {HOSTILE: "same"}, end=ended(why=HOSTILE), target=HOSTILE, run=HOSTILE))
    assert not any(hidden(character) for character in text if character != "\n")
    assert "[bold red]x[/bold red]" in text
    assert ":smile:" in text


def test_the_report_fits_80_columns() -> None:
    wide = "weiß 東京 " * 40
    typo = (Edit(0, wide[:4], "weis", "typo " * 20),)
    long = Asking(text=wide, answers=(wide,), tries=(Try("wrong", typo, "an-attack-with-a-long-name", reply=wide),))
    text = printed(stream([long], {"an-attack-with-a-long-name": "same"}), recording=f"recordings/{RUN}-and-more")
    assert all(cell_len(line) <= 80 for line in text.splitlines())
    assert f"botattack replay recordings/{RUN}-and-more \\\n      --unit " in text


def test_colour_on_a_terminal_unless_told_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in printed(run(), Screen(tty=True))
    monkeypatch.setenv("NO_COLOR", "1")
    plain = printed(run(), Screen(tty=True))
    assert not re.search(r"\x1b\[[\d;]*3[0-7]m", plain)


def test_an_old_encoding_gets_escapes() -> None:
    assert "[capital \\u2192 captial]" in printed(run(), Screen(encoding="ascii"))


def lines_every(seconds: float) -> list[str]:
    clock, err = Clock(), Screen()
    events = run()
    with Terminal(Screen(), err, clock, width=80) as terminal:
        for event in events:
            clock.now += seconds
            terminal.update(event)
    return err.getvalue().splitlines()


def test_plain_lines_come_seldom(snapshot) -> None:
    lines = lines_every(0.1)
    passed = 0.1 * len(run())
    told = [line for line in lines if not line.startswith("note: ")]
    assert 2 + passed / 5 >= len(told) >= passed / 5 - 1
    assert lines == snapshot


@pytest.mark.parametrize(("carriers", "says"), [(("message",), True), (("request", "message"), False)])
def test_no_number_of_questions_is_made_of_askings_through_doors(carriers: tuple[str, ...], says: bool) -> None:
    err = Screen()
    with Terminal(Screen(), err, Clock(), width=80) as terminal:
        terminal.update(started(30, carriers=carriers))
        terminal.update(ended())
    assert ("30 questions are too few" in err.getvalue()) is says
    assert ("of 30 questions, once for each door" in err.getvalue()) is not says


def test_a_live_view_leaves_nothing_behind() -> None:
    err, out = Screen(tty=True), Screen(tty=True)
    events = run()
    with Terminal(out, err, Clock(), width=80, refresh=False) as terminal:
        for event in events:
            terminal.update(event)
        assert "\x1b[?25l" in err.getvalue()
        terminal.finish(figures_of(events), ())
    assert err.getvalue().count("\x1b[?25h") == 1
    assert "42 of 42 questions" in err.getvalue()
    assert "\x1b[?25l" not in out.getvalue()


def test_the_cursor_comes_back_after_an_error() -> None:
    err = Screen(tty=True)
    terminal = Terminal(Screen(), err, Clock(), width=80, refresh=False)
    terminal.update(started(3))
    with pytest.raises(ZeroDivisionError), terminal:
        terminal.update(1 / 0)  # type: ignore[arg-type]
    assert "\x1b[?25h" in err.getvalue()


def test_progress_says_rate_rest_and_what_it_waits_for() -> None:
    clock = Clock()
    progress = Progress(clock)
    progress.update(started(100, {"dpaeg": "same"}))
    assert progress.line() == (
        "0 of at least 100 conversations · 0 of 100 questions · 0 broken answers · waits for the first answer"
    )
    for number in range(20):
        for event in Asking(text=str(number), tries=(Try("correct"), Try("wrong"))).events():
            progress.update(event)
        clock.now += 1.0
    # A third of each question's requests is its original; the rest is known of the questions that are done.
    assert progress.line() == (
        "60 of about 300 conversations · 20 of 100 questions · 20 broken answers · 3.1/s · about 1 min 17 s left"
    )
    progress.update(Paced(why="429 from the bot\x1b[2J", wait=12.0))
    clock.now += 2.0
    assert progress.line().endswith("waits 10.0 s: 429 from the bot\\x1b[2J")
    clock.now += 20.0
    assert progress.line().endswith("waits for an answer, 23.0 s so far")
    progress.update(ended())
    assert "waits" not in progress.line()


@pytest.mark.parametrize("requests", [1, 2, 7])
def test_progress_counts_conversations_however_many_requests_they_take(requests: int) -> None:
    clock = Clock()
    progress = Progress(clock)
    progress.update(started(100, {"dpaeg": "same"}))
    for number in range(20):
        for event in Asking(text=str(number), tries=(Try("correct", requests=requests),)).events():
            progress.update(event)
        clock.now += 1.0
    assert "40 of about 200 conversations" in progress.line()
    assert 1.9 < float(progress.going().partition("/s")[0]) < 2.2


@pytest.mark.parametrize(
    ("rate", "silences", "says"),
    [
        (None, [0.0], "waits for the first answer"),
        (None, [7.0], "waits for the first answer, 7.0 s so far"),
        (0.1, [0.0], "at least 16 min 40 s left · waits for the first answer"),
        (0.1, [10.0] * 5 + [6.0], "0.1/s · about 15 min 50 s left · waits as long as the rate says"),
        # Answers come in bursts: what is left neither grows nor shrinks between two of them.
        (None, [10.0] * 5 + [0.0], "0.1/s · about 15 min 50 s left"),
        (None, [10.0] * 5 + [9.0], "0.1/s · about 15 min 50 s left · waits for an answer, 9.0 s so far"),
        (None, [10.0] * 5 + [60.0], "2.7/min · about 35 min 38 s left · waits for an answer, 1 min 00 s so far"),
    ],
)
def test_it_is_seen_that_a_slow_bot_is_waited_for(rate: float | None, silences: list[float], says: str) -> None:
    clock = Clock()
    progress = Progress(clock, Expected(rate=rate))
    progress.update(started(100, {}))
    *before, last = silences
    for number, silence in enumerate(before):
        clock.now += silence
        for event in list(Asking(text=str(number)).events())[:3]:
            progress.update(event)
    clock.now += last
    assert progress.going() == says


def test_what_is_left_is_steady_while_the_bot_asked_to_wait() -> None:
    clock = Clock()
    progress = Progress(clock)
    progress.update(started(100, {}))
    for number in range(10):
        clock.now += 1.0
        for event in list(Asking(text=str(number)).events())[:3]:
            progress.update(event)
    progress.update(Paced(why="the bot asked to wait", wait=20.0))
    said = []
    for _ in range(20):
        said.append(progress.going().partition(" · waits")[0])
        clock.now += 1.0
    assert len({*said}) == 1


def test_the_turns_of_a_dialogue_are_counted_while_it_goes_on() -> None:
    dialogue = Question("And who am I?", earlier=(UserTurn("I am Ann."), UserTurn("Hello?")))
    progress = Progress(Clock())
    progress.update(started(10, {}))
    progress.update(QuestionOpened(question=dialogue))
    for turn in range(2):
        said = TurnSaid(question=dialogue.id, unit="u.0", turn=turn, said="x", reply="y", requests=1)
        progress.update(said)
    # Ten dialogues of three turns, of which two turns are answered.
    assert (progress.sent, progress.left) == (2, 28)
    progress.update(Asked(question=dialogue.id, unit="u.0", turns=dialogue.turns, attempts=(Attempt(3, 0.1),)))
    assert (progress.sent, progress.left) == (3, 27)


def test_progress_says_what_was_spent() -> None:
    progress = Progress(Clock())
    progress.update(started(100))
    asked = Asked(question="0" * 16, unit="u.0", turns=(), attempts=(Attempt(1, 0.1, None, 0.25), Attempt(1, cost=1)))
    progress.update(asked)
    assert progress.line().startswith(
        "1 of at least 100 conversations · 0 of 100 questions · 0 broken answers · 1.25 spent"
    )


def test_a_long_wait_is_told_at_once() -> None:
    out, err = Screen(), Screen()
    terminal = Terminal(out, err, Clock(), width=80)
    terminal.update(started(3))
    terminal.update(Paced(why="the bot asked to wait", wait=2.0))
    assert "asked to wait" not in err.getvalue()
    terminal.update(Paced(why="the bot asked to wait", wait=120.0))
    assert "waits 2 min 00 s: the bot asked to wait" in err.getvalue()


def test_what_was_recorded_before_tells_nothing_of_the_pace_of_now() -> None:
    clock, screen = Clock(), Screen()
    terminal = Terminal(io.StringIO(), screen, clock)
    past = [event for event in run() if type(event).__name__ != "RunEnded"]
    sent = 0
    for event in [*past[:-40], Paced(why="the bot asked to wait", wait=30.0, rate=2.0), ended()]:
        terminal.recall(event)
        sent += sum(attempt.requests for attempt in getattr(event, "attempts", ()))
    assert not screen.getvalue()
    progress = terminal._progress
    assert (progress.waits(), progress.sent, progress.ended) == ("waits for the first answer", sent, False)
    for event in past[-40:]:
        clock.now += 0.5
        terminal.update(event)
    assert progress.sent > sent
    rates = [float(rate) for rate in re.findall(r"([\d.]+)/s", screen.getvalue())]
    assert rates
    assert max(rates) <= 2.0
    assert "asked to wait" not in screen.getvalue()
