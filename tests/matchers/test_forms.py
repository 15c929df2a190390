"""Matchers of lists, exact match and logical forms, each by itself."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from botattack.matchers.forms import ExactMatch, LogicalForm, parse
from botattack.matchers.lexical import Listed
from botattack.model import GoldAnswer, Prompt, Reply
from botattack.protocols import Matcher
from botattack.registry import find


def judged(matcher: Matcher, gold: str, reply: str, question: str = "?") -> str:
    return matcher.judge(Prompt(question), Reply(reply), (GoldAnswer(gold),), ()).kind


def test_lists_take_any_order_and_all_items() -> None:
    assert judged(Listed(), "red, green and blue", "Blue, then red, and green") == "correct"
    assert judged(Listed(), "red, green and blue", "red and blue") == "unsure"
    assert judged(Listed(), "red, green and blue", "yellow") == "wrong"
    assert judged(Listed(), "Mexico City", "City") == "wrong"


def test_exact_match_is_that_of_squad() -> None:
    assert judged(ExactMatch(), "The Eiffel Tower", "eiffel tower!") == "correct"
    assert judged(ExactMatch(), "twelve", "12") == "wrong"
    assert judged(ExactMatch(), "Paris", "It is Paris") == "wrong"


LISP = "( lambda $0 e ( and ( flight $0 ) ( > ( time $0 ) 1700:ti ) ( from $0 baltimore:ci ) ) )"


@pytest.mark.parametrize(
    ("gold", "reply", "kind"),
    [
        (LISP, "(lambda $x e (and (from $x baltimore:ci) (flight $x) (> (time $x) 1700:ti)))", "correct"),
        (LISP, "(lambda $x e (and (from $x boston:ci) (flight $x) (> (time $x) 1700:ti)))", "wrong"),
        (LISP, "(lambda $x e (and (from $y baltimore:ci) (flight $x) (> (time $x) 1700:ti)))", "wrong"),
        (LISP, "(lambda $x e (or (from $x baltimore:ci) (flight $x) (> (time $x) 1700:ti)))", "wrong"),
        ("( > $0 $1 )", "(> $1 $0)", "correct"),
        ("( and ( > $0 $1 ) ( f $0 ) )", "(and (f $1) (> $0 $1))", "wrong"),
        ("job(ANS), loc(ANS, austin)", "loc ( X , austin ) , job ( X )", "correct"),
        ("job(ANS), \\+ loc(ANS, austin)", "job(ANS), loc(ANS, austin)", "wrong"),
        ("job(ANS), \\+ loc(ANS, austin)", "\\+ loc(A, austin), job(A)", "correct"),
        ("job(A), \\+ (deg(A), exp(A))", "job(B), \\+(deg(B), exp(B))", "correct"),
        ("job(A), \\+ (deg(A), exp(A))", "job(A), (deg(A), exp(A))", "wrong"),
        (LISP, "(" * 5000, "wrong"),
        (LISP, "", "wrong"),
    ],
)
def test_logical_forms(gold: str, reply: str, kind: str) -> None:
    assert judged(LogicalForm(), gold, reply) == kind


@pytest.mark.parametrize("sign", ["and", "or", "&", "|", "∧", "∨", ";", "=", "intersection", "union", "AND"])
def test_terms_of_some_operators_may_have_any_order(sign: str) -> None:
    form, turned, other = (f"( {sign} {terms} )" for terms in ("( f a ) ( g b )", "( g b ) ( f a )", "( g b ) ( f b )"))
    assert judged(LogicalForm(), form, turned) == "correct"
    assert judged(LogicalForm(), form, other) == "wrong"
    assert judged(LogicalForm(), form.replace(sign, "next"), turned.replace(sign, "next")) == "wrong"
    assert judged(LogicalForm(), form, turned.replace(sign, "next")) == "wrong"


@pytest.mark.parametrize(
    ("one", "same"), [("$a", True), ("?a", True), ("_a", True), ("_", True), ("ANS_1", True), ("a", False)]
)
def test_variables_are_known_by_their_form(one: str, same: bool) -> None:
    assert judged(LogicalForm(), f"( f {one} c )", "( f $other c )") == ("correct" if same else "wrong")
    assert judged(LogicalForm(), f"( f {one} c )", f"( f {one} C )") == "wrong"
    assert judged(LogicalForm(), "( f abc )", "( f Abc )") == "correct"


@pytest.mark.parametrize(("deep", "kind"), [(60, "correct"), (61, "wrong")])
def test_brackets_are_read_to_their_limit(deep: int, kind: str) -> None:
    form = "( f " * deep + "a" + " )" * deep
    assert judged(LogicalForm(), form, form[:-2]) == kind


@pytest.mark.parametrize("article", ["a", "an", "the", "The"])
def test_articles_are_none_of_an_exact_answer(article: str) -> None:
    assert judged(ExactMatch(), "red sea", f"{article} red, sea") == "correct"
    assert judged(ExactMatch(), "red sea", f"{article}red sea") == "wrong"


def test_a_form_that_takes_too_long_is_unsure() -> None:
    many = " ".join(f"( f $a{at} $b{at} )" for at in range(12))
    other = many.replace("$b11", "$a11")
    assert judged(LogicalForm(), f"( and {many} )", f"( and {other} )") in ("unsure", "wrong")


@pytest.mark.data
def test_published_forms_stay_the_same_under_renaming_and_shuffling(data: Path) -> None:
    lines = (data / "semantic-parsing" / "geo.tsv").read_text(encoding="utf-8").splitlines()
    for line in Random(3).sample(lines, 60):
        form = line.split("\t")[1]
        renamed = re.sub(r"\$(\d)", r"?v\1", form).replace(" ", "  ")
        assert judged(LogicalForm(), form, renamed) == "correct"
        assert parse(form)


def test_all_are_known_by_name() -> None:
    for name in ("em", "numeric", "date", "list", "logical-form"):
        assert find("matchers", name)().name == name
