"""What a plug must implement, and what is refused before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from botattack import registry
from botattack.config.campaign import load_campaign
from botattack.config.target import TargetConfig
from botattack.errors import BotattackError, ConfigError

PLUGS = """
from dataclasses import dataclass
from botattack.protocols import Target, TargetKind

@dataclass(frozen=True)
class Silent(TargetKind):
    def target(self, name, env, folder): return Bot()

@dataclass(frozen=True)
class Duck:
    def target(self, name, env, folder): return Bot()
    def hosts(self, env): return {}

@dataclass(frozen=True)
class Roaming(Silent):
    def hosts(self, env): return {("kind",): "127.0.0.1"}

class Bot(Target):
    name = "roaming"
    def session(self, unit, pace): raise NotImplementedError
"""
GROUPS = """
[botattack.targets]
silent = acme_kinds:Silent
duck = acme_kinds:Duck
roaming = acme_kinds:Roaming
"""
Write = Callable[[str, str], Path]
Read = Callable[..., TargetConfig]


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with kinds of bots."""
    (tmp_path / "acme_kinds.py").write_text(PLUGS)
    package = tmp_path / "acme_kinds-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-kinds\nVersion: 1\n")
    (package / "entry_points.txt").write_text(GROUPS)
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.names.cache_clear()
    yield
    registry.names.cache_clear()


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(("kind", "missing"), [("silent", "hosts()"), ("duck", "protocols.TargetKind")])
def test_a_kind_that_does_not_say_which_hosts_it_asks_is_refused(
    kind: str, missing: str, write: Write, read_target: Read
) -> None:
    path = write("bot.yaml", f"connect: {{kind: {kind}}}\n")
    with pytest.raises(ConfigError) as refused:
        read_target(path)
    (problem,) = refused.value.problems
    assert problem.path == "connect.kind"
    assert missing in problem.message


@pytest.mark.usefixtures("acme")
def test_a_bot_that_cannot_promise_to_stay_here_needs_consent(write: Write, read_target: Read) -> None:
    config = read_target(write("bot.yaml", "connect: {kind: roaming}\n"))
    with pytest.raises(BotattackError, match="consent"):
        config.open()
    allowed = write("other.yaml", "connect: {kind: roaming}\nconsent: {authorised_by: me, until: 2027-01-01}\n")
    assert read_target(allowed).open().name == "roaming"


REQUEST = "kind: http, request: {url: 'http://127.0.0.1:9/', json: "
CALL = "kind: local, call: 'file://bot.py:"
AT = "{at: {place: context, attack: case}}"
BOTS = {
    "placed": (REQUEST + "['{{ question }}', '{{ passages }}']}", True),
    "not placed": (REQUEST + "['{{ question }}']}", False),
    "in messages": (REQUEST + "'{{ messages }}'}", True),
    "left out of messages": (REQUEST + "'{{ messages }}'}, chat: {user: '{{ question }}'}", False),
    "a server of the OpenAI shape": ("kind: openai, url: 'http://127.0.0.1:9/', model: m", True),
    "its own user message": ("kind: openai, url: 'http://127.0.0.1:9/', model: m, user: '{{ question }}'", False),
    "a program": ("kind: process, command: [cat]", False),
    "a program that is told": ("kind: process, command: [cat], send: {q: '{{ question }}', p: '{{ passages }}'}", True),
    "a function": (CALL + "answer'", False),
    "a function with a parameter": (CALL + "answer_from'", True),
    "a class": (CALL + "Answer'", True),
    "a factory of such a class": (CALL + "made'", True),
    "a factory of a class that takes the question": (CALL + "made_deaf'", False),
    "a factory that does not say what it makes": (CALL + "made_somehow'", False),
    "a factory with an annotation that cannot be read": (CALL + "made_oddly'", False),
    "ALICE": ("kind: local, call: 'botattack.bots.alice:bot'", False),
    "a page": (
        "kind: browser, open: [{goto: 'http://127.0.0.1:9/'}], ask: [{fill: a, with: '{{ question }}'}], answer: p",
        False,
    ),
}


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("attack", [AT, "{chain: [case, " + AT + "]}"])
def test_an_attack_on_passages_needs_a_bot_that_gets_them(
    bot: str, attack: str, write: Write, allowed: dict[str, Any]
) -> None:
    connect, reaches = BOTS[bot]
    write("bot.yaml", f"connect: {{{connect}}}\n")
    write(
        "bot.py",
        """
        def answer(text): return text
        def answer_from(text, passages): return text
        class Answer:
            def __call__(self, text, passages): return text
        class Deaf:
            def __call__(self, text): return text
        def made() -> Answer: return Answer()
        def made_deaf() -> "Deaf": return Deaf()
        def made_somehow(): return Answer()
        def made_oddly() -> "Nothing.of.the.kind": return Answer()
        for factory in (made, made_deaf, made_somehow, made_oddly):
            factory.per_session = True
        """,
    )
    write("faq.jsonl", '{"question": "Who?", "answers": ["Ann"], "passages": ["It was Ann."]}\n')
    path = write("campaign.yaml", f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nattacks: [case, {attack}]\n")
    if reaches:
        assert "passage" in load_campaign(path, **{**allowed, "allow_code": True}).carried
        return
    with pytest.raises(ConfigError) as refused:
        load_campaign(path, **{**allowed, "allow_code": True})
    (problem,) = refused.value.problems
    assert problem.path == "attacks[1]"
    assert "bot.yaml" in problem.message
    assert "case at context" in problem.message or "case | case at context" in problem.message
    assert "{{ passages }}" in problem.hint


def test_several_places_are_attacked_as_far_as_they_reach_the_bot(write: Write, allowed: dict[str, Any]) -> None:
    write("bot.yaml", f"connect: {{{BOTS['not placed'][0]}}}\n")
    write("faq.jsonl", '{"question": "Who?", "answers": ["Ann"], "passages": ["It was Ann."]}\n')
    attacks = "[{at: {place: everywhere, attack: case}}, {at: {place: everywhere, attack: invisible}}]"
    path = write("campaign.yaml", f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nattacks: {attacks}\n")
    assert load_campaign(path, **allowed).carried == {"question", "turn", "added turn"}


@pytest.mark.parametrize("place", ["question", "context", "history", "everywhere"])
@pytest.mark.parametrize(
    "inner", ["injection", "order", "{distractor: {rungs: [random]}}", "{chain: [order, injection]}"]
)
def test_an_attack_that_alters_passages_by_itself_has_no_other_place(
    place: str, inner: str, write: Write, allowed: dict[str, Any]
) -> None:
    write("bot.yaml", f"connect: {{{BOTS['in messages'][0]}}}\n")
    faq = '{"question": "Who?", "answers": ["Ann"], "passages": ["It was Ann.", "It was a dog."]}\n'
    write("faq.jsonl", faq + faq.replace("Who", "Who else"))
    attack = f"{{at: {{place: {place}, attack: {inner}}}}}"
    for listed in (attack, f"{{chain: [case, {attack}]}}"):
        path = write("campaign.yaml", f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nattacks: [case, {listed}]\n")
        with pytest.raises(ConfigError) as refused:
            load_campaign(path, **allowed)
        (problem,) = refused.value.problems
        assert problem.path == "attacks[1]"
        assert "alters or adds passages by itself" in problem.message


@pytest.mark.parametrize("tree", ["{any: [exact, SECOND]}", "{not: SECOND}", "{all: [{not: SECOND}]}", "{any: [KIND]}"])
def test_an_opinion_that_would_never_be_asked_is_refused(tree: str, write: Write, allowed: dict[str, Any]) -> None:
    tree = tree.replace("SECOND", "{second: {ask: [judge]}}").replace("KIND", "{by-kind: {number: numeric}}")
    write("faq.jsonl", '{"question": "Who?", "answers": ["Ann"]}\n')
    write("bot.yaml", f"connect: {{{BOTS['not placed'][0]}}}\n")
    path = write("campaign.yaml", f"target: bot.yaml\nquestions: {{file: faq.jsonl}}\nattacks: [case]\nmatch: {tree}\n")
    with pytest.raises(ConfigError) as refused:
        load_campaign(path, **allowed)
    (problem,) = refused.value.problems
    assert problem.path.startswith("match.")


TALKS = {
    "not placed": (REQUEST + "['{{ question }}', '{{ passages }}']}", False),
    "placed": (REQUEST + "['{{ question }}', '{{ history }}']}", True),
    "in messages": (REQUEST + "'{{ messages }}'}", True),
    "asked turn by turn": (REQUEST + "['{{ question }}']}, history: ask", True),
    "a program": ("kind: process, command: [cat]", False),
    "a class": ("kind: local, call: 'botattack.bots.gguf:Gguf', options: {model: ./m.gguf}", True),
    "ALICE": ("kind: local, call: 'botattack.bots.alice:bot'", False),
}


@pytest.mark.parametrize("bot", TALKS)
def test_an_attack_on_earlier_messages_needs_a_bot_that_gets_them(
    bot: str, write: Write, allowed: dict[str, Any]
) -> None:
    connect, reaches = TALKS[bot]
    write("bot.yaml", f"connect: {{{connect}}}\n")
    write("m.gguf", "")
    row = '{"question": "And he?", "answers": ["Ann"], "history": [{"speaker": "user", "text": "Who came?"}]}\n'
    write("talk.jsonl", row)
    attack = "{at: {place: history, attack: case}}"
    allowed = {**allowed, "allow_code": True}
    path = write("campaign.yaml", f"target: bot.yaml\nquestions: {{file: talk.jsonl}}\nattacks: [{attack}]\n")
    if reaches:
        assert "history" in load_campaign(path, **allowed).carried
        return
    with pytest.raises(ConfigError) as refused:
        load_campaign(path, **allowed)
    (problem,) = refused.value.problems
    assert problem.path == "attacks[0]"
    assert "case at history" in problem.message
    assert "{{ history }}" in problem.hint
