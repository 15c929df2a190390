"""Flags on meaning: whether a reader takes the altered question for the original."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rapidfuzz.distance import OSA

from benchmarks.measured.make_catalogue import page
from botattack.attacks.building.recovering import Reader, by_letters, one_alone
from botattack.attacks.letters.characters import RandomCharacters
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.attacks.sentences.reword.attack import MODEL, drafts_of
from botattack.attacks.sentences.rewriting import doubt, in_form_of
from botattack.attacks.words.function_words import InsertFunctionWord, judged
from botattack.errors import MissingPart
from botattack.model import Edit, GoldAnswer, Question
from botattack.text.parts import speller
from botattack.text.spelling import distance
from botattack.text.word_lists import attack_words, grammar_words, word_groups
from tests.attacks.resources import reads
from tests.variants.measured import (
    FLAGGED_NOW,
    counted,
    lines,
    newest,
    table_of_passages,
    table_of_readers,
    total,
    typed,
)


def edit(text: str, before: str, after: str) -> Edit:
    return Edit(text.index(before), before, after, "x")


def meaning(text: str, *changes: tuple[str, str]) -> str:
    return Reader(Question(text), reads()).judge(tuple(edit(text, *change) for change in changes))[0]


@pytest.mark.slow
def test_flags_agree_with_readers() -> None:
    found = counted()
    every = total(found)
    assert every.variants >= 300
    assert every.agree >= 0.85 * every.variants
    for name in FLAGGED_NOW:
        one = found[name]
        assert one.both >= 0.85 * one.flagged, (name, one.wrong)


def test_every_attack_does_what_it_claims_to_those_who_read_it_last() -> None:
    for name, (read, _) in newest().items():
        assert read.claimed >= 0.85 * read.variants, name
        assert read.garbled <= 0.2 * read.variants, name


@pytest.mark.parametrize("readers", ["kl", "gh", "cd", "ef"])
def test_the_page_on_meaning_has_the_newest_tables(readers: str) -> None:
    page = (Path(__file__).parents[2] / "benchmarks" / "measured" / "meaning.md").read_text("utf-8")
    assert table_of_readers(readers, flagged_so=True) in page


@pytest.mark.parametrize(
    "draw", sorted({line["draw"] for line in lines("passages.jsonl") if "why" in line and line.get("draw", 0) > 10})
)
def test_the_page_on_passages_counts_every_label_of_a_draw(draw: int) -> None:
    page = (Path(__file__).parents[1] / "variants" / "passages.md").read_text("utf-8")
    assert table_of_passages(draw) in page


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        ("Which university was founded in Ohio", ("founded", "funded"), "unsure"),
        ("Where are your bikes kept", ("bikes", "brides"), "unsure"),
        ("Where did French trappers travel", ("trappers", "trasfers"), "unsure"),
        ("Where do the bikes live", ("live", "lie"), "unsure"),
        ("Which language do they speak in Pakistan", ("speak", "steak"), "kept"),
        ("How do I activate my card", ("activate", "acitvate"), "kept"),
        ("How do I activate my card", ("activate", "eivtacat"), "kept"),
        ("How do I activate my card", ("activate", "xyzivabc"), "unsure"),
        ("Who invented the V 8", ("V", "C"), "unsure"),
        ("Help me reset the passcode", ("reset", "despt"), "unsure"),
        ("What was the mission AS-278", ("AS-278", "AS-272"), "unsure"),
        ("What was the mission AS-278", ("AS-278", "SA-278"), "unsure"),
    ],
)
def test_one_word_is_recovered_or_not(text: str, change: tuple[str, str], expected: str) -> None:
    assert meaning(text, change) == expected


def test_of_two_other_words_neither_tells_what_the_other_was() -> None:
    text = "Which language do they speak in the capital of Pakistan"
    assert meaning(text, ("speak", "steak")) == meaning(text, ("capital", "capitol")) == "kept"
    assert meaning(text, ("speak", "steak"), ("capital", "capitol")) == "unsure"
    assert meaning(text, ("speak", "spaek"), ("capital", "capitol")) == "kept"


def test_the_papers_counting_is_an_option(attack_english: Any) -> None:
    text = "who played the voice in the river"
    paper, _ = attack_english(Dpaeg(meaning="paper", per_question=200), text)
    now, _ = attack_english(Dpaeg(per_question=200), text)
    assert {variant.meaning for variant in paper} == {"kept"}
    assert {variant.meaning for variant in now} == {"kept", "unsure"}
    assert {variant.id for variant in paper} == {variant.id for variant in now}
    assert all(variant.why for variant in now if variant.meaning == "unsure")


def test_what_may_be_asked_comes_first(propose_all: Any) -> None:
    found, _ = propose_all(RandomCharacters(per_question=12, keywords="all"), "Can I pay by card at the till")
    assert len(found) == 12
    assert [variant.meaning for variant in found] == sorted(variant.meaning for variant in found)


def test_function_words_that_cannot_stand_where_they_are_put_are_read_past(propose_all: Any) -> None:
    found, _ = propose_all(InsertFunctionWord(per_question=10**6), "Who lives in the city")
    meanings = {variant.prompt.text: variant.meaning for variant in found}
    assert meanings["Who lives in into the city"] == "kept"
    assert meanings["Who lives in all the city"] == "unsure"
    assert meanings["Who never lives in the city"] == "changed"


@pytest.mark.parametrize(
    ("before", "after", "meaning"),
    [
        ("bank", "bamk", "kept"),
        ("bank", "nbka", "unsure"),
        ("krankenversicherungskarte", "krnakenvsericherunskgarte", "unsure"),
    ],
)
def test_in_other_languages_letters_alone_count(before: str, after: str, meaning: str) -> None:
    text = f"wo ist die {before}"
    assert by_letters(text, (edit(text, before, after),))[0] == meaning


def test_one_word_alone_of_a_short_question_changes(propose_all: Any) -> None:
    for text, most in (("wo ist die alte bank", 1), ("wo ist die alte bank mit dem schalter in der stadt", 4)):
        found, _ = propose_all(RandomCharacters(keywords="all"), Question(text, lang="de"))
        assert max(len(variant.edits) for variant in found if variant.meaning == "kept") <= most
        assert any(variant.meaning == "kept" for variant in found)


def test_without_the_list_of_words_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speller, "package_folder", lambda name: None)
    with pytest.raises(MissingPart, match=r'pip install .*\[english\]", or set `meaning: paper`'):
        speller.load()


@pytest.mark.slow
def test_the_catalogue_says_how_many_variants_a_person_might_type_once_they_are_read() -> None:
    units = [line["unit"] for line in lines("plausible.jsonl") if line["attack"] == "filler"]
    given = {"r": ["typed", "typed", "odd"], "s": ["typed", "odd", "odd"]}
    labels = [
        {"unit": unit, "reader": reader, "label": label}
        for reader, each in given.items()
        for unit, label in zip(units, each, strict=False)
    ]
    assert typed(labels) == {"filler": (1.5, 3)}
    rows = {line.split("`")[1]: line for line in page(labels).splitlines() if line.startswith("| [`")}
    assert rows["filler"].endswith(" | 1.5 of 3 |")
    assert rows["dpaeg"].endswith(" | – |")
    assert "| typed |" not in page([])


QUESTIONS = (
    "what is the capital of france",
    "who played ken barlow",
    "when did the angels play in california",
    "where are the great lakes",
    "what was the name of president lincolns oldest son",
)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_word_is_recovered_as_if_every_known_word_was_compared(text: str) -> None:
    known, asked = speller.load(), text.split()
    rng = Random(text)
    found: Counter[str] = Counter()
    for place, word in enumerate(asked):
        before, after = (["", *asked][place], [*asked, ""][place + 1])
        meant = speller.Meant(known, word, before, after)
        for _ in range(20):
            letters = list(word)
            for _ in range(rng.randint(1, 3)):
                at = rng.randrange(len(letters))
                letters[at : at + 2] = rng.choice(
                    [letters[at : at + 2][::-1], [rng.choice("aeinorst"), *letters[at + 1 : at + 2]]]
                )
            written = "".join(rng.sample(letters, len(letters)) if rng.random() < 0.3 else letters)
            doubt = meant.doubt(written)
            found[doubt] += 1
            assert doubt == slowly(known, word, written, before, after), (word, written, before, after)
    assert len(found) == 3


@cache
def by_ends(known: speller.Speller) -> defaultdict[str, list[str]]:
    found = defaultdict(list)
    for word in known.counts:
        found[word[0] + word[-1]].append(word)
    return found


def slowly(known: speller.Speller, word: str, written: str, before: str, after: str) -> str:
    """What `Meant` doubts, word by word."""

    def likely(other: str) -> float:
        pairs = known.known_pairs
        behind, ahead = pairs.behind(before).get(other, 0), pairs.before(after).get(other, 0)
        first = log(behind / pairs.all_of(before)) if behind else known.used(other) - (speller.UNSEEN if before else 0)
        unseen = known.used(after) - speller.UNSEEN if after else 0
        return first + (log(ahead / pairs.all_of(other)) if ahead else unseen)

    far = OSA.distance(word, written)
    if far > min(speller.FAR, len(word) // 3) and sorted(word) != sorted(written):
        return "far"
    far = min(far, speller.FAR)
    if written in known.counts and likely(word) - likely(written) < speller.SURE:
        return "other"
    for other in by_ends(known)[written[0] + written[-1]]:
        if other not in (word, written):
            edits = distance(written, other)
            if edits <= min(far, speller.LOOKED_AT) and likely(other) > likely(word) - (far - edits) * speller.AN_EDIT:
                return "other"
    return ""


@pytest.mark.parametrize(("letters", "most"), [(2, 0), (3, 1), (5, 1), (6, 2), (8, 2), (9, 3), (12, 3), (20, 3)])
def test_a_third_of_the_letters_of_a_word_may_change_and_three_at_most(letters: int, most: int) -> None:
    word = "abcdefghijklmnopqrst"[:letters]
    for changed in range(1, min(letters, 5)):
        assert by_letters(word, (edit(word, word, "ß" * changed + word[changed:]),))[0] == (
            "kept" if changed <= most else "unsure"
        )


@pytest.mark.parametrize(("count", "short"), [(2, True), (8, True), (9, False)])
def test_two_words_may_change_of_a_question_of_more_than_eight(count: int, short: bool) -> None:
    text = " ".join(["haus", "baum", *["und"] * (count - 2)])
    edits = (edit(text, "haus", "hauß"), edit(text, "baum", "baun"))
    assert by_letters(text, edits)[0] == ("unsure" if short else "kept")
    assert by_letters(text, edits[:1])[0] == "kept"
    assert one_alone(Question(text, lang="de")) is short
    assert not one_alone(Question(text))


ASKED = "where did Ann buy boats"


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("where Ann", "it has 2 words"),
        ("where did Ann", "it leaves out 'buy'"),
        ("where" + " the" * 12, "it leaves out 'ann'"),
        ("where" + " the" * 13, "it has 14 words"),
        ("Ann did buy boats", "it does not ask"),
        ("tell me, Ann did buy boats", ""),
        ("where did Ann not buy boats", "it negates"),
        ("where didn't Ann buy boats", "it negates"),
        ("where did Ann buy ships", ""),
        ("where did Anna buys boat", ""),
        ("where did Ann buy big red boats", ""),
        ("where did Ann buy big red old boats", "it adds 'big' and more"),
    ],
)
def test_rules_doubt_a_sentence_that_may_ask_for_something_else(sentence: str, why: str) -> None:
    assert doubt(Question(ASKED), sentence, compared=True).startswith(why)
    assert bool(doubt(Question(ASKED), sentence, compared=True)) is bool(why)
    assert bool(doubt(Question(ASKED, lang="de"), sentence, compared=True)) is ("words" in why)


def test_half_of_the_content_words_stay_where_no_model_looks() -> None:
    for sentence, shared in (("what games did boys lose", 2), ("what games did girls lose", 1)):
        question = Question("what games did boys win")
        assert (doubt(question, sentence, compared=False) == "") is (shared == 2)
        assert doubt(question, sentence, compared=True) == ""


def test_numbers_stay_and_no_answer_comes_in() -> None:
    assert doubt(Question("in 1990 who won"), "in 1991 who won", compared=True) == "it lost the number 1990"
    asked = Question("who won", (GoldAnswer("Rome"),))
    assert doubt(asked, "who won, Rome", compared=True) == "it contains the answer 'Rome'"
    assert doubt(Question("who won Rome", asked.answers), "who won Rome", compared=True) == ""


@pytest.mark.parametrize(
    ("original", "text", "said"),
    [
        ("who is it?", "It is Ann.", "it is Ann?"),
        ("Who is it?", "it is ann", "It is ann?"),
        ("who?", "NASA won", "NASA won?"),
        ("who is it \n", "he is", "he is \n"),
        ("Who is it...", "he is!", "He is..."),
        (" Who is it ?", " he is ", "He is ?"),
    ],
)
def test_a_sentence_takes_the_form_of_the_question(original: str, text: str, said: str) -> None:
    assert in_form_of(original, text) == said
    assert in_form_of(original, text, asks=False) == said.replace("?", ".")


@pytest.mark.parametrize(
    ("sentence", "by_model", "by_others"),
    [
        ("how old is it?", None, None),  # the same
        ("сколько ему лет?", None, None),  # in the language of the model
        ("what age is it?", "kept", "unsure"),
        ("who is it?", "unsure", "unsure"),
    ],
)
def test_a_sentence_of_a_model_may_ask_with_another_word(
    sentence: str, by_model: str | None, by_others: str | None
) -> None:
    for kind, meaning in ((MODEL, by_model), ("eo", by_others)):
        drafts = [*drafts_of(Question("how old is it?"), [(sentence, kind)], compared=True)]
        assert [draft.judgement[0] for draft in drafts] == ([meaning] if meaning else [])
        assert {edit.kind for draft in drafts for edit in draft.edits} <= {kind}


@pytest.mark.parametrize("pair", word_groups("attacks.opposite_function_words"))
def test_opposite_function_words_change_the_meaning(pair: tuple[str, str]) -> None:
    one, other = pair
    for before, after in (pair, (other, one)):
        meaning, why = judged(before, f" {after.upper()}")
        assert meaning == "changed"
        assert "negates" in why or (repr(one) in why and repr(other) in why)


@pytest.mark.parametrize("word", sorted(attack_words.sense))
def test_a_function_word_with_sense_of_its_own_is_missed(word: str) -> None:
    denies = word in grammar_words.denials
    for before, after in ((word, ""), ("", word), (word, "the")):
        meaning, why = judged(before, after)
        assert meaning == ("changed" if denies or "opposites" in why else "unsure")
        assert repr(word) in why


@pytest.mark.parametrize(
    ("before", "after", "meaning"),
    [
        *(("is", after, "unsure") for after in ("of", "and", "while")),
        *(("did", after, "unsure") for after in ("of", "and")),
        *(("is", after, "kept") for after in ("are", "the", "")),
        *(("of", after, "kept") for after in ("the", "")),
        ("not", "never", "unsure"),
    ],
)
def test_an_auxiliary_that_becomes_a_preposition_or_conjunction_is_missed(
    before: str, after: str, meaning: str
) -> None:
    assert judged(before, after)[0] == meaning
