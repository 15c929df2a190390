from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import jsonpath as library
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from botattack.errors import BrokenReply, ConfigError, ExtractionFailed, TargetError
from botattack.model import Reply
from botattack.options import BadValue
from botattack.targets.messages import jsonpath, selectors
from botattack.targets.messages.extraction import Extract, decoded
from botattack.targets.messages.markup import readable
from botattack.targets.messages.selectors import Body, JsonPath, selector
from tests.targets.asking import options
from tests.timing import quickest

NAMES = st.sampled_from(["a", "b", "text"])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=20,
)
STEPS = st.one_of(
    NAMES.map(".{}".format),
    NAMES.map("['{}']".format),
    st.integers(-3, 3).map("[{}]".format),
    st.just("[*]"),
    st.just(".*"),
)


@pytest.mark.slow
@given(TREES, st.lists(STEPS, max_size=5).map(lambda steps: "$" + "".join(steps)))
def test_plain_paths_find_what_the_library_finds(tree: Any, path: str) -> None:
    text = json.dumps(tree)  # the library reads a bare text as JSON
    assert JsonPath(path)._steps is not None
    assert JsonPath(path).find(Body(text)) == library.findall(path, text)


def test_a_bare_text_of_a_number_stays_text() -> None:
    assert JsonPath("$").find(Body('"0"')) == ["0"]


def test_filters_see_the_values_of_earlier_calls() -> None:
    tree = {"items": [{"to": "1", "text": "old"}, {"to": "2", "text": "new"}]}
    place = selector("$.items[?@.to == _.request.id].text")
    assert place.find(Body(json.dumps(tree), {"request": {"id": "2"}})) == ["new"]


def extract(text: str, **tree: Any) -> Reply:
    read: Extract = options(Extract, tree)
    return read.reply(Body(text))


def test_everything_a_reply_may_hold() -> None:
    text = json.dumps({"out": ["a", None, ["b"], 3], "best": [{"t": "x"}, {"t": "y"}], "p": 0.5, "tags": [1, 2]})
    reply = extract(
        text,
        answer="$.out",
        ranked="$.best[*].t",
        fields={"confidence": "$.p", "tags": "$.tags[*]", "absent": "$.nothing"},
        separator=" | ",
    )
    assert reply == Reply("a | b | 3", ("x", "y"), {"confidence": 0.5, "tags": [1, 2]})


@pytest.mark.parametrize(("several", "expected"), [("join", "a\nb"), ("first", "a"), ("last", "b")])
def test_several_messages(several: str, expected: str) -> None:
    assert extract('[{"text":"a"},{"text":"b"}]', answer="$[*].text", several=several).text == expected


def test_whole_text_and_regex() -> None:
    assert extract("just text").text == "just text"
    assert extract("A: one\nA: two", answer={"regex": r"A: (\w+)"}).text == "one\ntwo"
    assert extract("x=1 y=2", answer={"regex": r"x=(.) y=(?P<answer>.)"}).text == "2"


FRAME = '42/chat,["reply",{"text":"Say \\"hi\\" \\u2013 or\\nnot","more":"{\\"a\\": [\\"x\\\\ny\\"]}"}]'
SAID = 'Say "hi" \u2013 or\nnot'


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        (FRAME, [{"regex": r"\d+[^\[]*(\[.*)"}, "$[1].text"], SAID),
        (FRAME, [{"regex": r"\d+[^\[]*(\[.*)"}, "$[1].more", "$.a[*]"], "x\ny"),
        (FRAME, [{"regex": r"\d+[^\[]*(\[.*)"}, "$[1].more", {"regex": r'a": \["(.*)"'}], "x\ny"),
        (FRAME, {"regex": r'"text":"((?:[^"\\]|\\.)*)"'}, SAID),
        (FRAME, {"regex": r'"text":"Say (.*?) or'}, '"hi" \u2013'),
        (r"C:\new and \d+", {"regex": ".+"}, r"C:\new and \d+"),
        (r'{"text": "C:\\new"}', {"regex": r'"text": "(.*?)"'}, r"C:\new"),
        ('cb({"a": 1, "t": "x"})', [{"regex": r"\((.*)\)"}, "$.t"], "x"),
        ('{"bytes": "eyJkZWx0YSI6ICJcdTAwZTQifQ"}', ["$.bytes", "base64", "$.delta"], "\xe4"),
        ("w6QgYiBj", "base64", "\xe4 b c"),
        ('[{"d": "[1, 2]"}, {"d": "[3]"}]', ["$[*].d", "$[0]"], "1\n3"),
        ('{"d": {"t": "x"}}', ["$.d", "$.t"], "x"),
    ],
)
def test_one_place_after_another_and_escapes_of_json(text: str, answer: Any, said: str) -> None:
    assert extract(text, answer=answer).text == said


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ('{"d": "no"}', ["$.d", "$.t"], "$.t cannot be applied to what was found before it: the reply is not JSON"),
        ('{"d": "\u00e4"}', ["$.d", "base64"], "base64 cannot be applied to what was found before it: there is no"),
        (json.dumps([[0] * 1000] * 100), ["$..*"] * 3, "cannot be followed in"),
    ],
    ids=["json", "base64", "very many"],
)
def test_places_that_cannot_be_applied(text: str, answer: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "PATH_SECONDS", 0.2)
    with pytest.raises(ExtractionFailed) as caught:
        extract(text, answer=answer)
    assert said in str(caught.value)
    assert caught.value.place == "connect.extract.answer"


@pytest.mark.parametrize(
    ("text", "tags", "said"),
    [
        ("<think>Hm.\n</think>\n\nParis.", None, "Paris."),
        ("Let me see.</think>Paris.", None, "Paris."),
        ("Paris<think>or Rome</think> it <THINK a='1'>is</think >is.", None, "Paris it is."),
        ("Paris.<think>or", None, "Paris."),
        ("[THINK]a < b[/THINK]Paris", None, "Paris"),
        ("<reasoning>x</reasoning><b>Paris</b> <thinking>", ["reasoning"], "<b>Paris</b> <thinking>"),
        ("<think>a</think> b ", [], "<think>a</think> b "),
        (" 1 < 2, [1] ", None, " 1 < 2, [1] "),
    ],
)
def test_reasoning_is_left_out(text: str, tags: Any, said: str) -> None:
    assert extract(text, **({} if tags is None else {"reasoning": tags})).text == said
    assert extract("<think>" * 30_000 + "[" * 30_000, reasoning=["think", "a"]).text == ""


@pytest.mark.slow
def test_a_slow_regex_is_stopped_with_a_sentence() -> None:
    with pytest.raises(ExtractionFailed, match="takes more than") as caught:
        extract("a" * 40 + "b", answer={"regex": r"(a|aa)+$"})
    assert caught.value.place == "connect.extract.answer"


def test_html_is_stripped_on_request_only() -> None:
    page = "<style>x</style><p>Tom &amp; <b>Jerry</b><br>run</p><script>alert(1)</script>"
    assert extract(page).text == page
    assert extract(page, html=True).text == "Tom & Jerry\nrun"
    assert extract("2 < 3", html=False).text == "2 < 3"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<a title='x > y'>k</a>", "k"),
        ("<a it's>k</a> don't", "k don't"),
        ("x < y, x <y", "x < y, x"),
        ("<script>if(a<b){'</p>'}</SCRIPT >z<style>p{}", "z"),
        ("<!-->x-->y<!-- a -- > b -->c<!-- d", "x-->yc"),
        ("<br/>a<template>c<template>d</template>e</template>f", "af"),
        ("</>x</3>y<![CDATA[b]]>c<?php z ?>d", "xycd"),
        ("&#65;&#x41;&copy &lt;b&gt;&nbsp;&bogus;", "AA\xa9 <b> &bogus;"),
        ("&#" + "9" * 5000 + ";&#x" + "f" * 5000, "\ufffd\ufffd"),
        ("<p\n>q<li>1<li>2", "q\n1\n2"),
    ],
)
def test_html_as_people_see_it(markup: str, text: str) -> None:
    assert readable(markup) == text


@given(st.text(alphabet="<>/!-=\"'?[] a&#;9", min_size=1, max_size=8))
@example("<a ")
@example("<!--")
@example("<a x='")
@example("<script>")
@example("<a ='\"")
@settings(max_examples=30, deadline=None)
def test_markup_that_never_ends_takes_no_time(unit: str) -> None:
    markup = (unit * 100_000)[:100_000]
    assert quickest(lambda: readable(markup), enough=3) <= 3


@given(st.text())
def test_readable_never_fails_and_leaves_no_empty_lines(markup: str) -> None:
    assert "" not in readable(markup).split("\n")[1:]


def test_half_surrogates_nan_and_big_numbers_of_a_hostile_bot() -> None:
    reply = extract('{"text": "\\ud83d!", "n": NaN, "big": 123456789012345678901234567890}', answer="$.text")
    assert reply.text == "\ufffd!" or reply.text.encode()
    reply.text.encode()


def test_half_surrogates_in_what_is_kept_are_replaced() -> None:
    reply = extract('{"text": "a", "f": {"\\ud800": ["\\udfff", 1]}}', answer="$.text", fields={"f": "$.f"})
    assert reply.fields == {"f": {"\ufffd\ufffd\ufffd": ["\ufffd\ufffd\ufffd", 1]}}


@pytest.mark.parametrize(("levels", "fits"), [(49, True), (51, False), (900, False)])
def test_what_is_kept_is_not_nested_without_end(levels: int, fits: bool) -> None:
    text = '{"text": ' + "[" * levels + '"x"' + "]" * levels + "}"
    if fits:
        assert extract(text, answer="$.text").text == "x"
        return
    for wanted in ({"answer": "$.text"}, {"fields": {"f": "$.text"}}):
        with pytest.raises(ExtractionFailed, match="nested deeper than 50 levels") as caught:
            extract(text, **wanted)
        assert caught.value.place in ("connect.extract.answer", "connect.extract.fields.f")


def nested(levels: int, inner: str) -> str:
    return "[" * levels + inner + "]" * levels


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("$..*..nothing", nested(90, ",".join(["1"] * 50_000))),
        ("$..*..*..*..*", nested(90, "1")),
        ("$..[?@..*..*..nothing]", nested(90, "1")),
        ("$" + "[*,*,*,*,*,*]" * 12 + ".nothing", nested(14, "1")),
        ("$" + "['a','a','a','a']" * 12 + ".nothing", '{"a":' * 14 + "1" + "}" * 14),
        ("$.a[?@ in $.b]", json.dumps({"a": [*range(50_000)], "b": [*range(50_000, 100_000)]})),
    ],
)
def test_a_path_that_explodes_is_stopped_with_a_sentence(path: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonpath, "PATH_SECONDS", 0.2)

    def follow() -> None:
        with pytest.raises(ExtractionFailed, match=r"cannot be followed in 0\.2 s; make it simpler$") as caught:
            extract(text, answer=path)
        assert caught.value.place == "connect.extract.answer"

    assert quickest(follow, enough=10) <= 10


def test_an_ordinary_path_is_followed_however_long_the_machine_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("monotonic", "thread_time"):
        monkeypatch.setattr(jsonpath, name, count(step=60).__next__)
    items = json.dumps([{"id": i, "text": f"line {i}"} for i in range(100)])
    assert extract(items, answer="$[?@.id == 99].text").text == "line 99"


def test_what_is_followed_takes_no_memory_for_a_long_name_on_the_way() -> None:
    text = json.dumps({"k" * 400_000: [{"text": str(i)} for i in range(10_000)]})
    assert len(extract(text, answer="$..text").text.split()) == 10_000


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("$.a[*] & $.b[*]", "several JSONPaths"),
        ("$.a[*] | $.b[*]", "several JSONPaths"),
        ("$[?@ =~ /HEL+o/i]", "no patterns"),
        ("$[?match(@, '.ello')]", "is not a JSONPath"),
        ("$[?search (@, 'ell')]", "is not a JSONPath"),
    ],
)
def test_what_a_path_has_not_is_said(path: str, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        selector(path)


def test_a_reply_that_is_one_json_text_is_not_read_as_json_again() -> None:
    with pytest.raises(ExtractionFailed, match="nothing at"):
        extract('"[{\\"a\\": 1"', answer="$[?@.a]")


@pytest.mark.parametrize(
    ("text", "kind"),
    [("<html>", ExtractionFailed), ('{"text": "cut', BrokenReply), ("", ExtractionFailed), ("x", ExtractionFailed)],
)
def test_failures_name_the_option_to_mend(text: str, kind: type[TargetError]) -> None:
    with pytest.raises(kind) as caught:
        extract(text, answer="$.text", ranked="$.ranked")
    assert caught.value.place in ("connect.extract.answer", "connect.extract.ranked")


@given(st.text(), st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers())))
def test_raw_brings_the_body_back(text: str, values: dict[str, Any]) -> None:
    body = Body(text, values)
    again = Body.of_raw(body.raw)
    assert (again.text, dict(again.values)) == (text, values)


def test_a_reply_too_long_to_keep_is_not_kept_in_part() -> None:
    assert Body("a" * 300_000).raw == ""


@pytest.mark.parametrize(
    "value", ["text", 3, None, {"regex": "("}, {"regex": "a", "x": 1}, "$[", "$.a[?", ["$.a", "x"], []]
)
def test_bad_places_are_refused(value: Any) -> None:
    with pytest.raises(BadValue):
        selector(value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        *[(text, "empty") for text in ("", " ", "\n\t")],
        *[(f" <{tag}>x", "HTML") for tag in ("!DOCTYPE html", "html", "head", "body", "?xml")],
        *[(text, "not JSON") for text in ("Hello", "<p>Hello", "NaN?")],
    ],
)
def test_a_reply_that_is_no_json_is_named_by_what_it_is(text: str, what: str) -> None:
    with pytest.raises(ExtractionFailed, match=rf"the reply is {what}$"):
        extract(text, answer="$.d")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("audio/mpeg", "the reply is audio/mpeg, which is no text"),
        ("application/vnd.amazon.eventstream", "the reply is application/vnd.amazon.eventstream, which is no text"),
        ("application/json", "'utf-8' does not fit the reply's bytes; name the right one"),
        ("", "'utf-8' does not fit the reply's bytes; name the right one"),
    ],
)
def test_replies_that_are_no_text_are_named(kind: str, said: str) -> None:
    with pytest.raises(ExtractionFailed, match=said):
        decoded(b"\xff\xfb\x90", kind, "")


def test_charsets() -> None:
    assert decoded("größe".encode("latin-1"), "text/plain; charset=ISO-8859-1", "") == "größe"
    assert decoded("привет".encode("cp1251"), "text/plain; charset=utf-8", "cp1251") == "привет"
    assert decoded("\ufeffBOM".encode(), "", "") == "BOM"


def test_a_function_of_the_users_finds_the_answer(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def find(text):\n    return text.split('|')[1:] if '|' in text else 1 / 0\n")
    read: Extract = options(Extract, {"answer": "file://mine.py:find"})
    bound = read.bound(tmp_path)
    assert bound.reply(Body("x|a|b")).text == "a\nb"
    with pytest.raises(ExtractionFailed, match="ZeroDivisionError") as caught:
        bound.reply(Body("nothing"))
    assert caught.value.place == "connect.extract.answer"
    with pytest.raises(ConfigError, match="cannot be loaded"):
        options(Extract, {"answer": "file://mine.py:other"}).bound(tmp_path)
