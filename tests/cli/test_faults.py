"""What fails while it judges or attacks costs one answer, or one attack of one question, and is counted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from botattack.events import Asked
from botattack.recordings.reader import events
from botattack.registry import names
from tests.cli.conftest import Botattack

HOSTILE = {
    "an answer after a full stop": ("?", "Paris", ". Paris days"),
    "a pattern of signs": ("Is it open today?", {"text": "\\W+", "regex": True}, "yes or no"),
}
"""Questions, gold answers and replies on which a matcher once raised IndexError."""


@pytest.fixture
def ask(campaign: Path) -> Path:
    """A campaign of five questions that needs no language part, and has a bad record no more."""
    rows = [row for row in map(json.loads, Path("faq.jsonl").read_text().splitlines()) if "capital" in row["question"]]
    Path("faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    campaign.write_text("target: bot.yaml\nquestions: {file: faq.jsonl}\nseed: 7\nattacks: [case]\n")
    return campaign


def hostile(name: str) -> str:
    """Adds the question to the campaign, and its reply to the bot; gives the question."""
    question, gold, reply = HOSTILE[name]
    row = json.dumps({"question": question, "answers": [gold]})
    Path("faq.jsonl").write_text(Path("faq.jsonl").read_text() + row + "\n")
    bot = Path("bot.py").read_text()
    Path("bot.py").write_text(
        bot.replace("def answer(text):", f"def answer(text):\n    if text == {question!r}: return {reply!r}")
    )
    return question


def figures(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(Path(name).read_text())
    return read


def counted(read: dict[str, Any]) -> dict[str, Any]:
    """The figures without what differs from process to process."""
    return {name: read[name] for name in ("questions", "attacks", "measures", "faults")}


def recording() -> Path:
    (found,) = Path("recordings").iterdir()
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_a_reply_that_made_a_judge_fail_is_judged(name: str, botattack: Botattack, ask: Path) -> None:
    hostile(name)
    ended = botattack("run", ask, "--allow-code", "-o", "out.json")
    assert ended.status == 0
    live = figures("out.json")
    assert live["questions"]["asked"] == 6
    assert live["faults"] == []
    assert botattack("replay", recording(), "-o", "replayed.json").status == 0
    assert counted(figures("replayed.json")) == counted(live)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_run_that_such_a_reply_ended_before_is_continued(name: str, botattack: Botattack, ask: Path) -> None:
    question = hostile(name)
    botattack("run", ask, "--allow-code", "-o", "whole.json")
    kept = []
    path = recording() / "events.jsonl"
    for line, event in zip(path.read_bytes().splitlines(keepends=True), events(recording()), strict=True):
        kept.append(line)
        if isinstance(event, Asked) and event.turns[0].text == question:
            break
    path.write_bytes(b"".join(kept))
    ended = botattack("run", ask, "--allow-code", "--resume", recording(), "-o", "resumed.json")
    assert ended.status == 0
    assert counted(figures("resumed.json")) == counted(figures("whole.json"))


def test_shards_with_such_replies_are_counted_together(botattack: Botattack, ask: Path) -> None:
    for name in HOSTILE:
        hostile(name)
    for part in (1, 2):
        botattack("run", ask, "--allow-code", "--shard", f"{part}/2")
    botattack("merge", *sorted(Path("recordings").iterdir()), "--recordings", "whole", "-o", "out.json")
    assert figures("out.json")["faults"] == []
    assert figures("out.json")["questions"]["asked"] == 7


PLUG = '''
from dataclasses import dataclass
from botattack.errors import BotattackError
from botattack.model import Need, Verdict
from botattack.protocols import Attack, Matcher, NeedHandler, Opinion, PartInfo
class Mute(Exception):
    def __str__(self): raise ValueError("no words")
def deep(text): return deep(text + " ")
RAISED = {
    "an error": lambda text: [][len(text)],
    "recursion": deep,
    "memory": lambda text: "x" * (1 << 62),
    "a sentence of ours": lambda text: (_ for _ in ()).throw(BotattackError(text)),
    "many words": lambda text: (_ for _ in ()).throw(ValueError("x" * 290 + "s3cret-token-of-28-characters")),
    "no words": lambda text: (_ for _ in ()).throw(Mute()),
    "nothing": lambda text: None,
    "no such verdict": lambda text: Verdict("maybe"),
    "no number": lambda text: Verdict("wrong", float("nan")),
    "fine": lambda text: Verdict("correct", 1.0),
}
def judged(how, reply):
    return RAISED[how](reply.text) if "Oslo" in reply.text else Verdict("correct", 1.0, "picky")
@dataclass(frozen=True)
class Picky(Matcher):
    """Fails on Oslo."""
    how: str
    name = "picky"
    def judge(self, prompt, reply, gold, baseline): return judged(self.how, reply)
@dataclass(frozen=True)
class Needy(Opinion):
    """Fails on Oslo while it says what it needs, or what that means."""
    how: str
    needs_it: bool = False
    name, uses = "needy", ("echo",)
    def needs(self, prompt, reply, gold, verdict):
        if self.needs_it: judged(self.how, reply)
        return (Need("echo", reply.text),)
    def settle(self, reply, verdict, results): return judged(self.how, reply)
class Echo(NeedHandler):
    info, result_type = PartInfo("echo", "1", "none", "0"), str
    def meet(self, payloads): return [{}[text] if BREAKS and "Oslo" in text else text for text in payloads]
WHOLE = BREAKS = False
@dataclass(frozen=True)
class Fails(Attack):
    """Fails on Oslo after its first variant."""
    how: str = "an error"
    name = "fails"
    def propose(self, context, rng):
        from botattack.model import Edit, Prompt, Variant
        def steps():
            for sign in "!", ".":
                text = context.question.text
                yield [Variant((Prompt(text + sign),), "fails", (Edit(len(text), "", sign, "sign"),), distance=1)]
                if "Norway" in text and not WHOLE:
                    if self.how == "garbage": yield ["no variant"]
                    RAISED[self.how](text)
        if self.how == "at once" and "Norway" in context.question.text: raise ValueError("at once")
        return steps()
'''


@pytest.fixture
def acme(ask: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package whose matchers and attack fail on one question of the campaign."""
    (tmp_path / "acme_faults.py").write_text(PLUG)
    package = tmp_path / "acme_faults-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-faults\nVersion: 1\n")
    (package / "entry_points.txt").write_text(
        "[botattack.matchers]\npicky = acme_faults:Picky\n"
        "[botattack.opinions]\nneedy = acme_faults:Needy\n"
        "[botattack.attacks]\nfails = acme_faults:Fails\n[botattack.parts]\necho = acme_faults:Echo\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    names.cache_clear()
    yield ask
    names.cache_clear()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("an error", "the attack fails failed: IndexError"),
        ("no words", "the attack fails failed: acme_faults.Mute"),
        ("at once", "the attack fails failed: ValueError: at once (at acme_faults:"),
        ("garbage", "the attack fails failed: AttributeError"),
        ("a sentence of ours", "botattack: Is it in Norway?"),
    ],
)
@pytest.mark.usefixtures("acme")
def test_a_preview_of_what_fails_blames_its_author(how: str, told: str, botattack: Botattack) -> None:
    ended = botattack("attacks", "preview", f"fails:how={how}", "Is it in Norway?")
    assert (ended.status, "fault of botattack" in ended.err) == (2, False)
    assert told in ended.err


@pytest.mark.parametrize(
    ("how", "told"),
    [("an error", "IndexError"), ("no words", "acme_faults.Mute"), ("at once", "ValueError: at once")],
)
def test_a_dry_run_says_which_attack_fails(how: str, told: str, acme: Path, botattack: Botattack) -> None:
    acme.write_text(acme.read_text().replace("[case]", f"[case, {{fails: {{how: {how}}}}}]"))
    ended = botattack("run", acme, "--dry-run", "--allow-code")
    assert ended.status == 0
    (line,) = [line for line in ended.out.splitlines() if line.startswith("fault ")]
    assert re.search(rf"fails\S* failed on 1 of \d+ questions: {re.escape(told)}", line)


def judged_by(campaign: Path, matcher: str) -> None:
    campaign.write_text(f"{campaign.read_text()}max_errors: 1\nmatch: {matcher}\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("an error", "IndexError at acme_faults:"),
        ("recursion", "RecursionError at acme_faults:"),
        ("memory", "MemoryError at acme_faults:"),
        ("a sentence of ours", "BotattackError at acme_faults:"),
        ("many words", "ValueError at acme_faults:"),
        ("no words", "Mute at acme_faults:"),
        ("nothing", " at botattack."),
        ("no such verdict", "ValidationError at botattack."),
        ("no number", "ValidationError at botattack."),
    ],
)
@pytest.mark.parametrize("matcher", ["{picky: {how: HOW}}", "{second: {ask: [needy: {how: HOW}]}}"])
def test_whatever_a_matcher_of_a_third_party_does(
    matcher: str, how: str, reason: str, botattack: Botattack, acme: Path
) -> None:
    judged_by(acme, matcher.replace("HOW", how))
    assert botattack("run", acme, "--allow-code", "-o", "out.json").status == 0
    live = figures("out.json")
    assert (live["questions"]["kept"], live["questions"]["unsure"]) == (4, 1)
    (fault,) = live["faults"]
    assert (fault["part"], fault["times"]) == ("judge", 1)
    assert reason in fault["reason"]
    assert "s3cret" not in (recording() / "events.jsonl").read_text()
    botattack("replay", recording(), "-o", "replayed.json")
    assert figures("replayed.json")["faults"] == live["faults"]


def test_an_opinion_that_cannot_say_what_it_needs(botattack: Botattack, acme: Path) -> None:
    judged_by(acme, "{second: {ask: [needy: {how: an error, needs_it: true}]}}")
    assert botattack("run", acme, "--allow-code", "-o", "out.json").status == 0
    assert figures("out.json")["questions"]["unsure"] == 1


def test_a_judge_that_fails_too_often_is_told_by_the_exit_status(botattack: Botattack, acme: Path) -> None:
    judged_by(acme, "{picky: {how: an error}}")
    acme.write_text(acme.read_text().replace("max_errors: 1", "max_errors: 0.01"))
    ended = botattack("run", acme, "--allow-code")
    assert ended.status == 1
    assert "0 of 50 askings failed and 1 could not be judged, more than max_errors (1.0 %)" in ended.err


def test_a_part_that_fails_costs_the_verdict_that_needed_it(
    botattack: Botattack, acme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import acme_faults  # type: ignore[import-not-found]

    monkeypatch.setattr(acme_faults, "BREAKS", True)
    judged_by(acme, "{second: {ask: [needy: {how: fine}]}}")
    assert botattack("run", acme, "--allow-code", "-o", "out.json").status == 0
    live = figures("out.json")
    assert (live["questions"]["kept"], live["questions"]["unsure"]) == (4, 1)
    (fault,) = live["faults"]
    assert (fault["part"], fault["times"]) == ("judge", 1)
    assert fault["reason"].startswith("KeyError at acme_faults:")
    botattack("replay", recording(), "-o", "replayed.json")
    assert counted(figures("replayed.json")) == counted(live)


@pytest.mark.parametrize(
    ("how", "reason", "asked"),
    [
        ("an error", "IndexError at acme_faults:", 9),
        ("garbage", "TypeError at botattack.engine.question:", 9),
        ("at once", "ValueError at acme_faults:", 8),
    ],
)
def test_an_attack_that_fails_costs_itself_on_that_question(
    how: str, reason: str, asked: int, botattack: Botattack, acme: Path
) -> None:
    acme.write_text(
        f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nseed: 7\nattacks: [case, fails: {{how: {how}}}]\n"
    )
    ended = botattack("run", acme, "--allow-code", "-o", "out.json", "-o", "out.xml")
    assert ended.status == 1
    assert '<testsuite name="faults" tests="1" failures="0" errors="1"' in Path("out.xml").read_text()
    assert "attack fails failed on 1 question before its end: 1 × " in ended.err
    read = figures("out.json")
    (fault,) = read["faults"]
    assert (fault["part"], fault["attack"], fault["times"]) == ("attack", "fails", 1)
    assert reason in fault["reason"]
    assert read["attacks"]["fails"]["gold"]["asked"] == asked
    assert read["attacks"]["case"]["gold"]["questions"] == 5
    botattack("replay", recording(), "-o", "replayed.json")
    assert figures("replayed.json")["faults"] == read["faults"]


@pytest.mark.slow
def test_what_failed_is_done_again_without_asking_once_it_is_repaired(
    botattack: Botattack, acme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_by(acme, "{picky: {how: an error}}")
    acme.write_text(acme.read_text().replace("attacks: [", "attacks: [fails, "))
    botattack("run", acme, "--allow-code", "-o", "first.json")
    import acme_faults  # type: ignore[import-not-found]

    monkeypatch.setattr(acme_faults, "WHOLE", True)
    monkeypatch.setitem(acme_faults.RAISED, "an error", lambda text: acme_faults.Verdict("correct", 1.0, "picky"))
    before = {event.unit for event in events(recording()) if isinstance(event, Asked)}
    ended = botattack("run", acme, "--allow-code", "--resume", recording(), "--retry-errors", "-o", "again.json")
    assert ended.status == 0
    assert figures("again.json")["faults"] == []
    assert figures("again.json")["questions"]["kept"] == 5
    asked = [event.unit for event in events(recording()) if isinstance(event, Asked)]
    assert len(asked) == len({*asked})
    assert before < {*asked}
