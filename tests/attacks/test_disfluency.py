"""What `disfluency` promises: questions as people dictate them, each of which gives the original back."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botattack.attacks.sentences.disfluency.attack import SHARES, Disfluency, pools_of
from botattack.attacks.sentences.disfluency.mistaken_words import clashes, like, naming, oddity, short, words_by_kind
from botattack.attacks.sentences.disfluency.slips import Slip, Spoken
from botattack.model import GoldAnswer, Question, Token, Variant, edited_text
from botattack.text.languages import language
from tests.attacks.everything import Parts

VENICE = Question(
    "How many times did plague occur in Venice?",
    (GoldAnswer("22"),),
    (
        "In 1466, perhaps 40,000 people died of the plague in Paris. Plague occurred in Venice 22 times between 1361 "
        "and 1528. The Second Pandemic was widespread.",
    ),
)
HUTTON = Question(
    "What was the name of the first modern geologist in 1785?",
    (GoldAnswer("James Hutton"),),
    ("James Hutton presented a short paper to the Royal Society of Edinburgh. The last volume appeared in 1795.",),
)
BETWEEN = language("en").interregna


def parsed(text: str, everything: Parts) -> tuple[Token, ...]:
    tokens: tuple[Token, ...] = everything.met("parse", {"text": text, "lang": "en"})
    return tokens


def candidates(question: Question, everything: Parts) -> tuple[Spoken, dict[str, Any], list[Slip]]:
    texts = [(text, parsed(text, everything)) for text in (question.text, *question.passages)]
    said = Spoken(question.text, texts[0][1])
    return said, dict(pools_of(question, texts)), [*said.slips(), *said.repetitions(), *said.fillers()]


def asked(attack: Disfluency, question: Question, propose_all: Any, seed: int = 0) -> list[Variant]:
    variants: list[Variant] = propose_all(attack, question, seed)[0]
    return variants


# Questions of Disfl-QA (CC BY 4.0), as their writers put them; the interregnum is the one they chose.
@pytest.mark.parametrize(
    ("text", "passage", "form", "wrong", "between", "human"),
    [
        (
            "How many times did plague occur in Venice?",
            VENICE.passages[0],
            "correction",
            "Paris",
            "no sorry",
            "How many times did plague occur in Paris no sorry Venice?",
        ),
        (
            "How many people died of plague in Paris in 1466?",
            "It struck in 1654.",
            "correction",
            "1654",
            "no wait",
            "How many people died of plague in Paris in 1654 no wait in 1466?",
        ),
        (
            "What are cilia used for?",
            "All ctenophores have cilia.",
            "late-correction",
            "ctenophores",
            "or I guess",
            "What are ctenophores used for or I guess cilia?",
        ),
        (
            "Who is viewed as the first modern geologist?",
            "The paper was presented in 1785.",
            "correction",
            "presented",
            "no",
            "Who is presented no viewed as the first modern geologist?",
        ),
        (
            "Why is the second timeline needed?",
            "",
            "correction",
            "first",
            "no",
            "Why is the first no second timeline needed?",
        ),
        (
            "What is the Saxon Garden in Polish?",
            "",
            "restart",
            "how long is",
            "no actually",
            "How long is no actually what is the Saxon Garden in Polish?",
        ),
        (
            "How many households has kids under the age of 18 living in them?",
            "",
            "restart",
            "what percentage",
            "or uh instead",
            "What percentage or uh instead how many households has kids under the age of 18 living in them?",
        ),
        (
            "What career doesn't Joseph Stiglitz have?",
            "",
            "correction",
            "does",
            "no I mean",
            "What career does no I mean doesn't Joseph Stiglitz have?",
        ),
        (
            "Where was Marin's first fort constructed?",
            "",
            "late-correction",
            "when",
            "sorry I meant",
            "When was Marin's first fort constructed sorry I meant where?",
        ),
        (
            "How long was Warsaw occupied by Germany?",
            "",
            "correction",
            "Germany",
            "oh no",
            "How long was Germany oh no was Warsaw occupied by Germany?",
        ),
        (
            "What area of Brookhaven is still known for its high levels of crime?",
            "",
            "correction",
            "part",
            "or rather",
            "What part or rather area of Brookhaven is still known for its high levels of crime?",
        ),
        (
            "Since Thoreau was not a well known writer what happened when he was arrested?",
            "",
            "restart",
            "when was",
            "no wait",
            "Since Thoreau was not a well known writer when was no wait what happened when he was arrested?",
        ),
    ],
)
def test_says_what_people_said(
    text: str, passage: str, form: str, wrong: str, between: str, human: str, everything: Parts
) -> None:
    question = Question(text, passages=(passage,) if passage else ())
    said, pools, slips = candidates(question, everything)
    made = {
        edited_text(text, said.edits(slip, wrong, between))
        for slip in slips
        if slip.form == form and may_be_said(slip, wrong, pools)
    }
    assert human in made


def may_be_said(slip: Slip, wrong: str, pools: dict[str, Any]) -> bool:
    if slip.pool != "opening":
        return wrong in pools.get(slip.pool, ())
    return any(wrong in beginnings for beginnings in (*short(), *(some for some, _ in naming(pools))))


@pytest.mark.parametrize("question", [VENICE, HUTTON])
def test_every_candidate_without_its_slip_is_the_question(question: Question, everything: Parts) -> None:
    said, _, slips = candidates(question, everything)
    assert {slip.form for slip in slips} == set(SHARES)
    for slip in slips:
        wrong = "WRONG" if slip.pool else ""
        before, _, behind = edited_text(question.text, said.edits(slip, wrong, "BETWEEN")).partition("BETWEEN ")
        rest, right = question.text[slip.at :], question.text[slip.start : slip.end]
        assert behind.lower().endswith(rest.lower())
        repair = behind[: len(behind) - len(rest)]
        if slip.end:
            assert right.lower() in repair.lower()
            fluent = before.removesuffix(" ").replace("WRONG", right) + rest
        else:
            assert repair.strip().lower() == slip.again.lower()
            fluent = before.replace("WRONG ", "") + rest
        assert fluent == question.text


def test_what_is_drawn_agrees_and_is_like_the_right_words() -> None:
    assert [said for said in ("how many was", "what is the cells", "who are the cell") if not clashes(said)] == []
    assert [said for said in ("how many", "what is", "what is the cell", "when did the cells") if clashes(said)] == []
    known = ["a short paper", "the Royal Society of Edinburgh", "Smith", "rocks", "the rock"]
    for right, likeliest in (("Hutton", "Smith"), ("the paper", "the rock"), ("cells", "rocks")):
        assert min(known, key=lambda said: oddity(said, right)) == likeliest


def test_wrong_words_are_of_the_kind_of_the_right_ones(everything: Parts) -> None:
    passage = HUTTON.passages[0]
    found: dict[str, set[str]] = {}
    for kind, said in words_by_kind(passage, parsed(passage, everything)):
        found.setdefault(kind, set()).add(said)
    assert found["number"] == {"1795"}
    assert {"presented", "appeared", "presented a short paper"} <= found["past"]
    assert {"short", "last"} <= found["adjective"]
    assert {"a short paper", "the short paper", "the Royal Society of Edinburgh"} <= found["whole noun"]
    assert not found["number"] & found["whole noun"]
    assert "last" in like("first")
    assert not like("plague")


def test_no_wrong_word_is_an_answer_and_none_is_in_the_question(propose_all: Any) -> None:
    for seed in range(12):
        for variant in asked(Disfluency(per_question=20), VENICE, propose_all, seed):
            added = " ".join(edit.after for edit in variant.edits)
            assert "22" not in added
            assert variant.meaning == "kept"


def test_forms_come_as_often_as_people_use_them(propose_all: Any) -> None:
    kinds = [
        variant.edits[0].kind
        for seed in range(60)
        for variant in asked(Disfluency(per_question=10), HUTTON, propose_all, seed)
    ]
    assert len(kinds) == 600
    for form, share in SHARES.items():
        assert abs(100 * kinds.count(form) / len(kinds) - share) < 8


def test_only_the_forms_that_are_wanted(propose_all: Any) -> None:
    variants = asked(Disfluency(forms=("restart",)), VENICE, propose_all)
    assert len(variants) == 10
    for variant in variants:
        (edit,) = variant.edits
        assert (edit.kind, edit.start, edit.before) == ("restart", 0, "How")
        assert variant.prompt.text.endswith("how many times did plague occur in Venice?")
    with pytest.raises(ValueError, match="forms must name at least one of restart, correction"):
        Disfluency(forms=())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), question=st.sampled_from([VENICE, HUTTON, Question("why"), Question("Is it old?")]))
def test_a_seed_gives_the_same_and_undoing_the_edits_gives_the_question(
    seed: int, question: Question, propose_all: Any
) -> None:
    variants = asked(Disfluency(), question, propose_all, seed)
    assert variants == asked(Disfluency(), question, propose_all, seed)
    for variant in variants:
        text = variant.prompt.text
        for n, edit in reversed(list(enumerate(variant.edits))):
            start = edit.start + sum(len(one.after) - len(one.before) for one in variant.edits[:n])
            assert text[start : start + len(edit.after)] == edit.after
            text = text[:start] + edit.before + text[start + len(edit.after) :]
        assert text == question.text


def test_persian_has_persian_words_only(propose_all: Any) -> None:
    question = Question("پایتخت کشور اسپانیا کجاست؟", passages=("Madrid is the capital.",), lang="fa")
    variants = asked(Disfluency(per_question=40), question, propose_all)
    assert len(variants) == 40
    known = {*question.text.split(), *language("fa").hesitations}
    for variant in variants:
        assert {edit.kind for edit in variant.edits} <= {"repetition", "filler"}
        assert set(variant.prompt.text.split()) <= known


def test_it_works_where_it_has_fillers() -> None:
    codes = ("de", "en", "es", "fa", "fr", "tr", "ru")
    assert [code for code in codes if Disfluency().works_in(code)] == [
        code for code in codes if language(code).hesitations
    ]


@pytest.mark.data
def test_begins_again_as_people_do(data: Path) -> None:
    """Most false starts without a word of a passage are beginnings that it may draw (docs/attacks.md)."""
    known = {said for beginnings in short() for said in beginnings}
    pairs = json.loads((data / "disflqa" / "dev.json").read_bytes())
    words = {word for said in known for word in said.split()}
    between = sorted({"no", "or", "er", "uh", "um", "was", *BETWEEN}, key=len, reverse=True)
    tail = re.compile(rf"(?: (?:{'|'.join(map(re.escape, (one.lower() for one in between)))}))+$")
    found = made = 0
    for pair in pairs.values():
        original, human = (" ".join(re.findall(r"[\w']+", pair[side].lower())) for side in ("original", "disfluent"))
        if human.endswith(f" {original}"):
            start = tail.sub("", f" {human[: -len(original) - 1]}").strip()
            if start and set(start.split()) <= words:
                found, made = found + 1, made + (start in known)
    assert found > 100
    assert made / found > 0.8


SAID_BETWEEN = (
    "no nope nah yeah or and ok er err erm erg uh uhh um umm ah ahh oh oops whoops wow shoot darn hmm well like wait "
    "hold_on hold_up sorry i'm_sorry sorry_about_that apologies my_bad pardon excuse_me rather actually instead better "
    "better_yet make_that change_that_to scratch_that forget_that never_mind correction let_me_rephrase "
    "let_me_rephrase_that let_me_ask i_mean i_meant i_meant_to_say i_guess i_think i_want_to_know tell_me just "
    "not_that not_that_but it's that_was really maybe specifically more_generally"
)
"""What people say between the wrong and the right words, in at least two training questions beside the 140 counted
below; any may stand for any other."""
PIECES = sorted((piece.replace("_", " ") for piece in SAID_BETWEEN.split()), key=len, reverse=True)
INTERREGNUM = re.compile(rf"(?:(?:{'|'.join(map(re.escape, PIECES))})(?: |$))*")


def said_words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['.&-]\w+)*", text.lower().replace("’", "'").replace("\\n", " "))


@cache
def known_beginnings() -> frozenset[str]:
    return frozenset(" ".join(said_words(one)) for some in short() for one in some)


def said_by_people(question: Question, human: str, everything: Parts) -> bool:
    """Whether some slip, with words of its pool and any interregnum, is the human question word for word."""
    said, pools, slips = candidates(question, everything)
    words = said_words(human)
    lower = {kind: {" ".join(said_words(one)) for one in known} for kind, known in pools.items()}
    begins: list[Any] = [known_beginnings()]
    begins += [some for some, _ in naming({kind: tuple(known) for kind, known in lower.items()})]  # type: ignore[arg-type]
    for slip in slips:
        before = question.text[: slip.start if slip.end else slip.at]
        if not " ".join(words).startswith(" ".join(said_words(before))) or not {*said_words(slip.again)} <= {*words}:
            continue
        frame = said_words(
            edited_text(question.text, said.edits(slip, "wrongwords" if slip.pool else "", "betweenthem"))
        )
        at = frame.index("betweenthem")
        place = frame.index("wrongwords") if slip.pool else 0
        if words[:place] != frame[:place]:
            continue
        for length in range(1, 11) if slip.pool else (0,):
            wrong = " ".join(words[place : place + length])
            new = [word for one in frame for word in ([*wrong.split()] if one == "wrongwords" else [one])]
            at = new.index("betweenthem")
            behind = new[at + 1 :]
            between = " ".join(words[at : len(words) - len(behind)])
            fits = words[:at] == new[:at] and words[len(words) - len(behind) :] == behind
            if not fits or not INTERREGNUM.fullmatch(between) or (not between and slip.form != "restart"):
                continue
            if wrong and slip.form != "restart" and f"{' '.join(said_words(said.next(slip)))} ".startswith(f"{wrong} "):
                continue
            known = begins if slip.pool == "opening" else [lower.get(slip.pool, set())]
            if not slip.pool or any(wrong in some for some in known):
                return True
    return False


@pytest.mark.slow
@pytest.mark.data
def test_how_many_of_the_questions_of_people_it_can_make(data: Path, everything: Parts) -> None:
    """Counted strictly: word for word, but for the interregnum. Of the others, 19 do not keep every word of the
    original, and most of the rest say a word that is neither in the passage nor common in questions."""
    pairs = {}
    for half in ("train", "dev"):
        pairs.update(json.loads((data / "disflqa" / f"{half}.json").read_bytes()))
    document = json.loads((data / "xquad" / "xquad.en.part1.json").read_bytes())
    found = made = 0
    for part in (part for article in document["data"] for part in article["paragraphs"]):
        for asked_of in part["qas"]:
            if pair := pairs.get(asked_of["id"]):
                answers = tuple(GoldAnswer(answer["text"]) for answer in asked_of["answers"])
                question = Question(pair["original"], answers, (part["context"],))
                found, made = found + 1, made + said_by_people(question, pair["disfluent"], everything)
    assert found == 140
    assert made >= 65
