"""Instructions in passages: what is planted, and who is refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import botattack
from botattack.attacks.fakes.names import made_up_in
from botattack.attacks.passages.injection import CONTROL_OF, KINDS, Injection, kind_and_tool
from botattack.errors import ConfigError, TrustRefused
from botattack.model import GoldAnswer, Question, Variant, edited
from tests.servers.library import BY_NAME, target_file

ASKED = Question("What is the capital of France?", (GoldAnswer("Paris"),), ("Paris is the capital.",))
ACTIONS = ("word", "link", "refuse", "repeat", "tool")
EVERY = Injection(actions=ACTIONS, tool="send_mail")


def by_kind(variants: list[Variant]) -> dict[str, Variant]:
    return {kind_and_tool(variant.edits[0].kind)[0]: variant for variant in variants}


def added(variant: Variant, question: Question = ASKED) -> tuple[str, ...]:
    return variant.prompt.passages[len(question.passages) :]


@pytest.mark.parametrize("lang", ["en", "de", "fr", "es", "fa"])
def test_each_instruction_has_its_pair(propose_all: Any, lang: str) -> None:
    question = Question(ASKED.text, ASKED.answers, ASKED.passages, lang=lang)
    variants, existing = propose_all(EVERY, question, 1)
    found = by_kind(variants)
    assert {*found} == {*KINDS, *CONTROL_OF.values()}
    assert existing == 25 == EVERY.per_question
    assert Counter(variant.probe for variant in variants) == {False: 25, True: 2}
    word = made_up_in(added(found["word, plain"]))
    for kind, variant in found.items():
        assert variant.turns == edited(question.turns, variant.edits)
        assert variant.prompt.passages[:1] == question.passages
        texts = added(variant)
        assert len(texts) == (2 if "split" in kind or kind.startswith("two") else 1)
        assert (word in " ".join(texts)) == kind.startswith(("word", "link"))
        assert ("send_mail" in " ".join(texts)) == kind.startswith("tool")
        # The control is a variant without its instruction: what stays are the same sentences.
        alone = added(found[CONTROL_OF["split" if "split" in kind else "plain"]])
        assert variant.probe or all(text.startswith(one) for text, one in zip(texts, alone, strict=True))
    assert f"https://{word}.invalid/" in " ".join(added(found["link, plain"]))
    assert re.search(f"<!-- .*{word}.* -->", added(found["word, comment"])[0])
    assert added(found["word, language"]) != added(found["word, plain"])


@given(st.integers(0, 10**6))
def test_a_word_is_told_from_all_that_is_around_it(propose_all: Any, seed: int) -> None:
    variants, _ = propose_all(Injection(), ASKED, seed)
    words = {made_up_in(added(variant)) for variant in variants if not variant.probe}
    assert len(words) == 1
    assert len(words.pop()) > 5
    assert not any(made_up_in(added(variant)) for variant in variants if variant.probe)


def test_questions_need_no_passages_and_a_passage_must_answer_nothing(propose_all: Any) -> None:
    bare = Question("What is the capital of France?", (GoldAnswer("Paris"),))
    assert len(propose_all(Injection(), bare, 1)[0]) == 7
    assert propose_all(Injection(styles=("plain",)), bare, 1)[1] == 1
    # Every passage of ours says "was": a gold answer that stands there is given away.
    told = Question("Which form is past?", (GoldAnswer("was"), GoldAnswer("its")), ("It was.",))
    assert propose_all(Injection(), told, 1) == ([], 0)


def test_no_tool_is_called_where_none_is_known(propose_all: Any) -> None:
    variants, existing = propose_all(Injection(actions=("word", "tool")), ASKED, 1)
    assert {kind.split(",")[0] for kind in by_kind(variants)} == {"word", *CONTROL_OF.values()}
    assert existing == 5


def test_another_language_has_none(propose_all: Any) -> None:
    assert not Injection().works_in("fi")
    assert Injection().works_in("fa")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("actions: [dance]", "the text 'dance' is not a choice here"),
        ("actions: [word, dance]", "the text 'dance' is not a choice here"),
        ("actions: []", "must not be empty"),
        ("styles: [commnet]", "did you mean 'comment'?"),
        ("tool: send_mail", "no action calls it"),
    ],
)
def test_a_wrong_option_is_one_mistake(options: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "bot.yaml").write_text(BARE)
    (tmp_path / "q.jsonl").write_text(json.dumps({"question": ASKED.text, "answers": ["Paris"]}))
    (tmp_path / "c.yaml").write_text(
        f"target: bot.yaml\nquestions: {{file: q.jsonl}}\nmatch: contains\nattacks: [{{injection: {{{options}}}}}]\n"
    )
    with pytest.raises(ConfigError) as refused:
        botattack.load(tmp_path / "c.yaml", environ={})
    assert says in str(refused.value)
    assert len(refused.value.problems) == 1


CONSENT = "consent: {authorised_by: me, until: 2099-01-01}"
BARE = (
    'connect: {kind: http, request: {url: "http://127.0.0.1:9", json: {q: "{{ question }}"}}, extract: {answer: $.a}}\n'
)


@pytest.mark.parametrize(
    ("carrier", "target", "error", "says"),
    [
        ("request", BARE, ConfigError, "which bot.yaml never sends to the bot"),
        ("document", BARE, ConfigError, "bot.yaml does not say how documents are added and removed"),
        (
            "document",
            target_file("http://127.0.0.1:9", BY_NAME, CONSENT),
            TrustRefused,
            "bot.yaml has no consent to that",
        ),
    ],
)
def test_a_door_that_the_file_lacks_or_nobody_allowed_is_refused_in_one_sentence(
    carrier: str, target: str, error: type[ConfigError], says: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.yaml").write_text(target)
    (tmp_path / "q.jsonl").write_text(json.dumps({"question": ASKED.text, "answers": ["Paris"], "passages": ["P."]}))
    (tmp_path / "c.yaml").write_text(
        f"target: bot.yaml\nquestions: {{file: q.jsonl}}\nmatch: contains\ncarrier: {carrier}\nattacks: [injection]\n"
    )
    with pytest.raises(error) as refused:
        botattack.load(tmp_path / "c.yaml", environ={})
    assert says in str(refused.value).replace(f"{tmp_path}/", "")
    assert len(refused.value.problems) == 1
