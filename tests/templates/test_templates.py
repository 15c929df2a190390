"""Templates place values, verbatim and bounded, and do nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botattack.templates import MAX_OUTPUT, Template, TemplateError
from tests.timing import quickest

VALUES: dict[str, Any] = {
    "question": "who?",
    "history": [{"role": "user", "content": "hi"}],
    "passages": ["one", "two"],
    "session": "s1",
    "turn": 3,
    "uuid": "u1",
    "env": {"TOKEN": "secret"},
}
TEXTS = st.text() | st.sampled_from(
    ['{"a": 1}', "{{ 7*7 }}", "[1, 2]", "{% raw %}", "null", "{{ env.TOKEN }}", '"', "\\", "\r\n", "é\u200c\U0001f600"]
)


def fill(template: Any, **values: Any) -> Any:
    return Template.compile(template).fill({**VALUES, **values})


def nested(depth: int) -> Any:
    value: Any = "{{ turn }}"
    for _ in range(depth):
        value = [value]
    return value


def faults(template: Any) -> list[tuple[tuple[str | int, ...], str]]:
    with pytest.raises(TemplateError) as caught:
        Template.compile(template)
    return [(fault.path, fault.message) for fault in caught.value.mistakes]


@given(TEXTS)
def test_any_question_arrives_unchanged_in_json(question: str) -> None:
    body = fill({"text": "{{ question }}", "deep": [{"say": "Q: {{question}}!"}]}, question=question)
    sent = json.loads(json.dumps(body))
    assert sent == {"text": question, "deep": [{"say": f"Q: {question}!"}]}


@given(TEXTS)
def test_tojson_makes_a_json_text_of_any_question(question: str) -> None:
    assert json.loads(fill('{"q": {{ question | tojson }}}', question=question)) == {"q": question}


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text("abc{}"),
        lambda s: st.lists(s) | st.dictionaries(st.text("ab"), s),
    )
)
def test_a_value_without_placeholders_stays_as_it_is(value: Any) -> None:
    if "{{" not in json.dumps(value):
        assert fill(value) == value


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{{ history }}", VALUES["history"]),
        ("{{ turn }}", 3),
        ("turn {{ turn }}", "turn 3"),
        ("{{ passages }}", ["one", "two"]),
        ("all: {{ passages }}", 'all: ["one", "two"]'),
        ("{{ passages | join('\n') }}", "one\ntwo"),
        ("{{ passages[1] }}", "two"),
        ("{{ passages[9] | default('none') }}", "none"),
        ("{{ history[0].content }}", "hi"),
        ("{{ passages[-1] | tojson }}", '"two"'),
        (r"{{ passages | join(' \n\' ') }}", "one \n' two"),
        (r"{{ passages | join('\t\"\\') }}", 'one\t"\\two'),
        ("{{ passages[-2] }}", "one"),
        ("{{ passages[-3] | default('none') }}{{ passages[2] | default('none') }}", "nonenone"),
        ("{{ turn + 0 }}{{ turn+123456789 }}", "3123456792"),
        ("{{turn+1}} {{ turn + 10 | default }}", "4 13"),
        ("{{ question | uuid }}", "7c677c49-cc13-4382-8aed-edb8670ffde4"),
        ("Bearer {{ env.TOKEN }}", "Bearer secret"),
        ("{{ '{{' }} stays", "{{ stays"),
        ("a\r\nb {{ turn }}", "a\r\nb 3"),
        ("{ not } a { template }", "{ not } a { template }"),
        ([1, None, True, 2.5], [1, None, True, 2.5]),
    ],
)
def test_filling(template: Any, filled: Any) -> None:
    assert fill(template) == filled


def test_extra_names_are_known_only_where_they_are_handed_in() -> None:
    assert Template.compile("{{ conversation.id }}", ("conversation",)).fill({"conversation": {"id": 7}}) == 7
    assert faults("{{ conversation.id }}")[0][1] == "no placeholder is called 'conversation'"


def test_names_and_places_of_environment_names() -> None:
    template = Template.compile({"a": "{{ env.ONE }}", "b": ["{{ question }}{{ env.TWO }}"]})
    assert template.names == {"env", "question"}
    assert template.env_places == ((("a",), "ONE"), (("b", 0), "TWO"))


def test_every_fault_is_reported_at_its_place() -> None:
    found = faults({"a": "{{ qestion }}", "b": [1, "{{ 2 ** 9 }} {{ turn"], "{{ c }}": 1})
    assert [path for path, _ in found] == [("{{ c }}",), ("a",), ("b", 1), ("b", 1)]


@pytest.mark.parametrize(
    "hostile",
    [
        "{% for i in range(9) %}x{% endfor %}",
        "{# hidden #}",
        "{{ range(10 ** 9) }}",
        "{{ 'a' * 200000000 }}",
        "{{ 9 ** 9 ** 9 }}",
        "{{ 2 * 3 }}",
        "{{ turn + '1' }}",
        "{{ question + 1 }}",
        "{{ question.__class__ }}",
        "{{ history.__class__.__mro__ }}",
        "{{ history[0]['__class__'] }}",
        "{{ env }}",
        "{{ env[question] }}",
        "{{ env.A.b }}",
        "{{ lipsum }}",
        "{{ cycler.__init__.__globals__.os }}",
        "{{ self }}",
        "{{ history | map(attribute='x') }}",
        "{{ question | attr('__class__') }}",
        "{{ question.format(1) }}",
        "{{ [1, 2] }}",
        "{{ }}",
        "{{ question | urlencode }}",
        "{{ question | tojson('x') }}",
        "{{ 'never closed }}",
        "{{ " + "'a' " * 900 + "}}",
        "{{ turn" + " " * 100_000 + "~ }}",
        "{{ question if turn else uuid }}",
        "{{ " + "(" * 900 + "turn" + ")" * 900 + " }}",
        "{{ " + "turn ~ " * 900 + "turn }}",
        "{{ turn }}" * 1001,
    ],
)
def test_hostile_templates_are_refused_before_anything_is_filled(hostile: str) -> None:
    assert faults(hostile)


def test_environment_names_that_were_not_handed_in_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_SECRET", "do not read")
    with pytest.raises(TemplateError, match=r"env.OTHER_SECRET is not there"):
        fill("{{ env.OTHER_SECRET }}")


@pytest.mark.parametrize(
    ("template", "question"),
    [
        ("{{ question }}" * 1000, "x" * 1001),
        ({"a": "{{ question }}", "b": "{{ question }}"}, "é" * 300_000),
        ("{{ question | tojson }}", "é" * 60_000),
        ("{{ question | tojson | tojson }}", "x" * 60_000),
    ],
)
def test_a_filling_is_bounded_in_size_and_time(template: Any, question: str) -> None:
    compiled = Template.compile(template)

    def fill() -> None:
        with pytest.raises(TemplateError):
            compiled.fill({"question": question})

    assert quickest(fill, enough=0.15, goes=5) <= 0.15  # 50 ms, with room for a busy machine


@pytest.mark.parametrize("template", ["{{ deep }}", "x {{ deep }}", "{{ deep | tojson }}"])
def test_a_value_of_any_depth_is_refused_with_a_sentence(template: str) -> None:
    deep: list[Any] = []
    for _ in range(20_000):
        deep = [deep]
    with pytest.raises(TemplateError, match="nested too deeply"):
        Template.compile({"a": template}, ("deep",)).fill({"deep": deep})


@pytest.mark.parametrize("sign", ["x", "é", "\U0001f600"])
def test_a_filling_up_to_the_limit_goes_through(sign: str) -> None:
    """A million bytes, whatever the letters."""
    most = MAX_OUTPUT // len(sign.encode())
    assert (MAX_OUTPUT, len(fill("{{ question }}", question=sign * most))) == (1_000_000, most)
    with pytest.raises(TemplateError, match="longer than 1,000,000 bytes"):
        fill("{{ question }}", question=sign * (most + 1))


@pytest.mark.parametrize(
    ("template", "piece", "most"),
    [
        ("{{ question | uuid }}", "x", 1_000_000),
        ("{{ question | uuid }}{{ question | uuid }}", "x", 500_000),
        ("{{ question | tojson }}", "x", 100_000),
        ('{"q": "{{ question }}"}', "x", 100_000),
        ("<q>{{ question }}</q>", "x", 100_000),
        # An item counts one more than it has, and what is no text counts 8.
        ("{{ question | join }}", ["x" * 9_999], 100),
        ("{{ question | join('--') }}", ["x" * 9_997], 100),
        ("{{ question | tojson }}", ["x" * 990, 1.5], 100),
        ("{{ question | tojson }}", [{"key": "x" * 995}], 100),
    ],
)
def test_filters_go_through_no_more_than_a_million_characters(template: str, piece: Any, most: int) -> None:
    """Writing JSON or XML counts ten times."""
    compiled = Template.compile(template)
    compiled.fill({"question": piece * most})
    with pytest.raises(TemplateError, match="more than 1,000,000 characters to go through"):
        compiled.fill({"question": piece * (most + 1)})


@pytest.mark.parametrize(
    ("most", "made", "told"),
    [(1000, lambda n: "{{ turn }}" * n, "more than 1,000 placeholders"), (50, nested, "nested deeper than 50 levels")],
)
def test_a_template_is_bounded_itself(most: int, made: Callable[[int], Any], told: str) -> None:
    Template.compile(made(most))
    assert [message for _, message in faults(made(most + 1))] == [told]


@pytest.mark.parametrize(
    "key_or_part",
    ["{{ env }}", "{{ env.A.b }}", "{{ question.text }}", "{{ session.id }}", "{{ turn.x }}", "{{ uuid[0] }}"],
)
def test_what_is_one_text_has_no_parts(key_or_part: str) -> None:
    assert [message for _, message in faults(key_or_part)]


@pytest.mark.parametrize("name", ["question", "session", "uuid", "env.A"])
def test_only_numbers_are_added_to(name: str) -> None:
    assert [message for _, message in faults(f"{{{{ {name} + 1 }}}}")] == ["only numbers can be added"]


@pytest.mark.parametrize(
    ("frame", "digits"), [('42["ask",{"q":"{{ question }}","n":{{ turn }}}]', "42"), ('{"q": "Q: {{ question }}"}', "")]
)
@given(question=TEXTS)
def test_any_question_stays_a_string_of_json_that_is_written_as_text(frame: str, digits: str, question: str) -> None:
    text = fill(frame, question=question)
    value = json.loads(text.removeprefix(digits))
    assert (value[1]["q"] if digits else value["q"].removeprefix("Q: ")) == question


@pytest.mark.parametrize("frame", ["<?xml version='1.0'?>\n<a><b>{}</b></a>", '<a b="{}"/>', "<a><b/>{}</a>"])
@given(question=TEXTS)
def test_any_question_stays_one_text_of_xml_that_is_written_as_text(frame: str, question: str) -> None:
    question = "".join(character for character in question if character.isprintable() and character < "\ud800")
    root = ElementTree.fromstring(fill(frame.format("{{ question }}!"), question=question))
    read = "".join(root.itertext()) + "".join(root.attrib.values())
    assert read.strip() == f"{question}!".strip()


def test_text_that_is_neither_json_nor_xml_is_left_as_it_is() -> None:
    assert fill("<a><![CDATA[{{ question }}]]></a>", question="a < b") == "<a><![CDATA[a < b]]></a>"
    assert fill("< {{ question }} >", question="a < b") == "< a < b >"
    assert fill('He said "{{ question }}" [1]', question='"no"') == 'He said ""no"" [1]'
    assert fill('{"q": {{ question | tojson }}}', question='"no"') == '{"q": "\\"no\\""}'
    assert fill('{say "{{ question }}"}', question='"') == '{say """}'
