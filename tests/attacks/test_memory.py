"""Facts told before: what is said, and a report that equals the log of a bot that leaks some of them."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import botattack
from botattack.attacks.turns.memory import CHECKS, Memory
from botattack.audit.nights.night import NightSettings, Shown, run_night
from botattack.errors import ConfigError, TrustRefused
from botattack.model import GoldAnswer, Question, Variant
from botattack.places import EVERYWHERE
from botattack.protocols import Context
from botattack.report.figures.remembered import Said, said
from botattack.report.figures.shares import shared
from botattack.report.statistics.intervals import ClusterSums
from tests.attacks.resources import proposed
from tests.servers.http import Received, Server, replying, response

ASKED = Question("What is the capital of France?", (GoldAnswer("Paris"),), ("Paris is the capital.",))


def texts(variant: Variant) -> list[str]:
    return [turn.text for turn in variant.turns]


@pytest.mark.parametrize("lang", ["en", "de", "fr", "es", "fa"])
def test_each_conversation_has_a_fact_of_its_own(propose_all: Any, lang: str) -> None:
    variants, existing = propose_all(Memory(turns=2), Question(ASKED.text, ASKED.answers, ASKED.passages, lang=lang), 1)
    assert existing == 0
    found = {variant.edits[0].kind: variant for variant in variants}
    assert [*found] == [CHECKS[0], *CHECKS[1:5], CHECKS[5]]
    assert all(variant.probe for variant in variants)
    before, once, later, corrected, against, other = (found[check] for check in CHECKS)
    assert texts(before) == texts(other) == texts(once)[-1:]
    # The same words in two conversations are two askings.
    assert (before.again, other.again) == (0, 1)
    assert [len(each.turns) for each in (before, once, later, corrected, against, other)] == [1, 2, 4, 3, 2, 1]
    assert len({once.decoy, later.decoy, corrected.decoy, against.decoy}) == 4
    for told in (once, later, corrected, against):
        assert told.decoy in texts(told)[0]
        assert told.decoy not in " ".join(texts(told)[1:])
        assert len(told.prompt.passages) == (told is against)
    assert not any(turn.passages for turn in against.turns[:-1])


def test_nothing_contradicts_a_fact_where_no_passage_reaches_the_bot() -> None:
    context = Context(ASKED, carried=EVERYWHERE - {"added passage"})
    variants, _ = proposed(Memory(), context, Random(1), lambda needs: [])
    assert "contradicted" not in {variant.edits[0].kind for variant in variants}


def test_each_door_has_facts_of_its_own(propose_all: Any) -> None:
    through = [msgspec.structs.replace(ASKED, carrier=carrier) for carrier in ("request", "message")]
    one, other = ({v.decoy for v in propose_all(Memory(), question, 1)[0]} for question in through)
    assert one.isdisjoint(other)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("It is Abc.", "first"),
        ("It is not abc but XYZ", "both"),
        ("xyz!", "second"),
        ("abcd", "neither"),
        ("", "neither"),
    ],
)
def test_which_fact_a_reply_says(reply: str, found: Said) -> None:
    assert said(reply, "abc", "xyz") == found


TELL = re.compile(r"code word of (\w+) is (\w+)")
ASK = re.compile(r"What is the code word of (\w+)\?")


@dataclass
class Gossip:
    """Knows its numbers and what it was told in a conversation; forgets after three messages; keeps to the first fact
    for names with an even length, whatever corrects it; believes passages only of names that end in a vowel; and tells
    each third fact that it is asked for elsewhere. What it did is in its log, by what was asked and said."""

    here: dict[str, list[str]] = field(default_factory=dict)
    everywhere: dict[str, str] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    log: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __call__(self, request: Received) -> bytes:
        session, text = request.json["session"], request.json["text"]
        told, passages = self.here.setdefault(session, []), request.json["passages"]
        told.append(text)
        if number := re.search(r"called (\d+)", text):
            return response({"a": f"It is {number[1]}."})
        if not (name := ASK.search(text)):
            for one, fact in TELL.findall(text):
                self.everywhere.setdefault(one, fact)
            return response({"a": "I see."})
        return response({"a": self._said(name[1], told, passages)})

    def _said(self, name: str, told: list[str], passages: list[str]) -> str:
        facts = [fact for text in told for one, fact in TELL.findall(text) if one == name]
        against = [fact for text in passages for one, fact in TELL.findall(text) if one == name]
        if not facts:
            known = name in self.everywhere
            self.asked["elsewhere"] += known
            leaks = known and self.asked["elsewhere"] % 3 == 0
            self.log["other conversation" if known else "before", "first" if leaks else "neither"] += 1
            return f"It is {self.everywhere[name]}." if leaks else "Nobody told me."
        check = (
            "contradicted" if against else "corrected" if len(facts) > 1 else "later" if len(told) > 3 else "at once"
        )
        if check == "later" and len(name) % 2:
            self.log[check, "neither"] += 1
            return "I forgot."
        other = [*against, *facts[1:]]
        late = name[-1] in "aeiou" if against else len(name) % 2 == 1
        self.log[check, "second" if other and late else "both" if against and len(name) % 2 else "first"] += 1
        if other and late:
            return f"It is {other[0]}."
        return f"It is {facts[0]}" + (f", others say {other[0]}." if against and len(name) % 2 else ".")


def played(
    bot: Gossip, folder: Path, session: str = "{{ session }}", connect: str = "", more: str = "", allowed: str = ""
) -> botattack.Result:
    async def run() -> botattack.Result:
        async with Server(replying(bot)) as server:
            json_of = f'{{session: "{session}", text: "{{{{ question }}}}", passages: "{{{{ passages }}}}"}}'
            (folder / "bot.yaml").write_text(
                f'connect:\n  kind: http\n  request: {{url: "{server.url}", json: {json_of}}}\n'
                f'{connect}  extract: {{answer: "$.a"}}\nlimits: {{rate: unlimited, concurrency: 4, retries: 0}}\n'
                + allowed
            )
            rows = [
                {"question": f"What is called {n}?", "answers": [str(n)], "passages": ["N."]} for n in range(100, 124)
            ]
            (folder / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
            (folder / "c.yaml").write_text(
                "target: bot.yaml\nquestions: {file: q.jsonl}\nmatch: contains\nseed: 7\n"
                + (more if "attacks:" in more else "attacks: [memory]\n" + more)
            )
            campaign = botattack.load(folder / "c.yaml", environ={})
            return await botattack.run_async(campaign, recordings=folder / "recordings")

    return asyncio.run(run())


@pytest.mark.slow
def test_the_report_equals_the_log_of_the_bot_in_every_cell(tmp_path: Path) -> None:
    bot = Gossip()
    result = played(bot, tmp_path)
    rows = result.figures.assistant.remembered
    found = Counter({(row.check, what): number for row in rows for what, number in row.said.items()})
    assert +found == +bot.log
    assert [row.check for row in rows] == [*CHECKS]
    assert {sum(row.said.values()) for row in rows} == {24}
    assert {(row.check, row.share.x) for row in rows if row.check in ("before", "at once", "other conversation")} == {
        ("before", 0),
        ("at once", 24),
        ("other conversation", 8),
    }
    corrected = next(row for row in rows if row.check == "corrected")
    assert corrected.share.x == bot.log["corrected", "second"] < 24
    # A leak is said first, with examples that can be shown again, and enters no rate.
    page = botattack.write_report(result, tmp_path / "out.md").read_text()
    assert "8 of 24 facts given in one were known in another" in page.partition("##")[0]
    (leak, *_) = result.figures.assistant.leaks
    assert len(result.figures.assistant.leaks) == 3
    assert leak.about in leak.reply
    assert f"--unit {leak.unit}" in page
    assert "memory" not in result.figures.attacks
    assert botattack.replay(result.recording).figures.assistant == result.figures.assistant


class Discreet(Gossip):
    """Tells nobody else, and remembers all."""

    def _said(self, name: str, told: list[str], passages: list[str]) -> str:
        facts = [fact for text in told for one, fact in TELL.findall(text) if one == name]
        return f"It is {facts[-1]}." if facts else "Nobody told me."


class Deaf(Gossip):
    """Hears nothing but its numbers."""

    def _said(self, name: str, told: list[str], passages: list[str]) -> str:
        return "Hm."


@pytest.mark.slow
def test_a_bot_that_keeps_conversations_apart_is_said_to_keep_its_facts(tmp_path: Path) -> None:
    result = played(Discreet(), tmp_path)
    share = {row.check: row.share.x for row in result.figures.assistant.remembered}
    assert share == {
        "before": 0,
        "at once": 24,
        "later": 24,
        "corrected": 24,
        "contradicted": 0,
        "other conversation": 0,
    }
    first = botattack.write_report(result, tmp_path / "out.md").read_text().partition("##")[0]
    assert "24 of 24 kept" in first
    assert "not separate" not in first
    assert not result.figures.assistant.leaks


@pytest.mark.slow
def test_a_question_is_one_cluster_through_all_doors(tmp_path: Path) -> None:
    rows = played(Discreet(), tmp_path, more="carrier: [request, message]\n").figures.assistant.remembered
    (later,) = [row.share for row in rows if row.check == "later"]
    assert later == shared(ClusterSums(24, 48, 48, 96, 96, 96))


def test_a_file_that_sends_no_session_is_refused_before_any_fact_is_asked_for(tmp_path: Path) -> None:
    bot = Deaf()
    result = played(bot, tmp_path, session="x")
    assert result.exit == 2
    assert "memory needs a bot that knows what was said before" in result.why
    assert not [text for told in bot.here.values() for text in told if ASK.search(text)]


def test_a_file_that_continues_one_conversation_for_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"memory compares conversations, and .* continues one for all") as refused:
        played(Discreet(), tmp_path, connect="  conversation: reuse\n")
    assert len(refused.value.problems) == 1


@dataclass
class Credulous(Discreet):
    """Takes what it is told for everyone of names of even length, and forgets it but for each third."""

    common: dict[str, str] = field(default_factory=dict)

    def __call__(self, request: Received) -> bytes:
        text = request.json["text"]
        if "for everyone" in text and (told := TELL.search(text)):
            self.log["told", told[1]] += 1
            if len(told[1]) % 2 == 0:
                self.common[told[1]] = told[2]
            return response({"a": "I will."})
        if text.startswith("Forget"):
            name = text.split(",")[0].split()[-1]
            self.log["forget", name] += 1
            self.asked["forget"] += name in self.common
            if self.asked["forget"] % 3:
                self.common.pop(name, None)
            return response({"a": "Forgotten."})
        if (asked := ASK.search(text)) and (fact := self.common.get(asked[1])):
            self.log["after forgetting" if self.log["forget", asked[1]] else "for everyone", "first"] += 1
            return response({"a": f"It is {fact}."})
        return super().__call__(request)


POISON = "attacks: [{memory: {for_everyone: true}}]\n"


def consent(writes: str, until: str = "2999-12-31") -> str:
    return f"consent: {{authorised_by: me, until: {until}, writes: {writes}}}\n"


@pytest.mark.slow
def test_what_is_told_for_everyone_is_to_be_forgotten_and_that_is_checked(tmp_path: Path) -> None:
    bot = Credulous()
    result = played(bot, tmp_path, more=POISON, allowed=consent("[documents, memory]"))
    share = {row.check: row.share for row in result.figures.assistant.remembered}
    assert (share["for everyone"].n, share["after forgetting"].n, share["other conversation"].x) == (24, 24, 0)
    taken, left = bot.log["for everyone", "first"], bot.log["after forgetting", "first"]
    assert (share["for everyone"].x, share["after forgetting"].x) == (taken, left)
    assert 24 > taken > left == len(bot.common) > 0
    # Whatever was told was told to be forgotten.
    assert {name for what, name in bot.log if what == "told"} == {name for what, name in bot.log if what == "forget"}
    page = botattack.write_report(result, tmp_path / "out.md").read_text()
    first = page.partition("##")[0]
    assert f"{taken} of 24 facts given for everyone" in first
    assert f"{left} of 24 after it was asked to forget" in first
    assert "not separate" not in first
    assert any(fact in page for fact in bot.common.values())


@pytest.mark.slow
def test_nothing_is_told_for_everyone_by_default(tmp_path: Path) -> None:
    bot = Credulous()
    result = played(bot, tmp_path, allowed=consent("memory"))
    assert not bot.common
    assert [row.check for row in result.figures.assistant.remembered] == [*CHECKS]


@pytest.mark.parametrize(
    ("allowed", "told"),
    [
        ("", "no consent"),
        (consent("documents"), "no consent"),
        (consent("memory", "2020-01-01"), "the consent to that ended on 2020-01-01"),
    ],
)
@pytest.mark.parametrize(
    "more",
    [
        POISON,
        "attacks: [{chain: [case, {memory: {for_everyone: true}}]}]\n",
        "attacks: [{chain: [case, {at: {place: question, attack: {memory: {for_everyone: true}}}}]}]\n",
    ],
)
def test_to_tell_for_everyone_needs_a_consent(allowed: str, told: str, more: str, tmp_path: Path) -> None:
    bot = Credulous()
    with pytest.raises(TrustRefused, match=f"words to remember for everyone.*{told}"):
        played(bot, tmp_path, more=more, allowed=allowed)
    assert not bot.here


@pytest.mark.slow
def test_no_night_tells_anything_for_everyone(tmp_path: Path) -> None:
    played(bot := Credulous(), tmp_path, more=POISON, allowed=consent("memory"))
    said = len(bot.here)

    def shown(job: Any) -> Any:
        raise AssertionError(job)

    night = run_night(tmp_path / "c.yaml", NightSettings(recordings=tmp_path / "nights"), Shown(shown, print))
    assert (night.exit, "for_everyone" in night.why, len(bot.here)) == (2, True, said)
