from random import Random

from botattack.attacks.building.guard import Draft, answer_spans, guarded, take, whole
from botattack.attacks.letters.invisible import Homoglyph, Invisible
from botattack.model import Edit, GoldAnswer, Question, Variant
from botattack.protocols import Context
from botattack.text.spelling import distance

QUESTION = Question("is New York or Rome older", (GoldAnswer("New York"), GoldAnswer(".*", regex=True)), ("a b",))


def passed(*drafts: Draft, question: Question = QUESTION, spare: bool = True) -> list[Variant]:
    return list(guarded(question, drafts, attack="x", spare=spare))


def test_nothing_unchanged_and_nothing_twice() -> None:
    assert passed(Draft(())) == []
    assert passed(Draft((Edit(0, "is", "IS", "x"),)), Draft((Edit(2, " ", "  ", "x"),))) == []
    (variant,) = passed(Draft((Edit(0, "is", "was", "x"),)), Draft((Edit(0, "is", "Was", "x"),)))
    assert (variant.prompt.text, variant.distance) == ("was New York or Rome older", 2)


def test_words_of_an_answer_stay() -> None:
    assert answer_spans(QUESTION.text, QUESTION.answers) == ((3, 11),)
    touching = (
        Draft((Edit(3, "New", "Old", "x"),)),
        Draft((Edit(6, "", "-", "x"),)),
        Draft((Edit(0, "is New", "New is", "x"),)),
    )
    assert passed(*touching) == []
    assert len(passed(*touching, spare=False)) == 3
    around = Draft((Edit(3, "", "big ", "x"),)), Draft((Edit(3, "New York or Rome", "Rome or New York", "x"),))
    assert len(passed(*around)) == 2


def test_an_answer_within_a_word_is_no_answer() -> None:
    assert answer_spans("renewal of york", (GoldAnswer("new"), GoldAnswer("YORK"), GoldAnswer(" "))) == ((11, 15),)


def test_characters_are_whole() -> None:
    family = "a \U0001f468\u200d\U0001f469 b"
    assert not whole(family, (Edit(3, "\u200d", "", "x"),))
    assert not whole("e\u0301", (Edit(0, "e", "a", "x"),))
    assert whole("e\u0301", (Edit(0, "e\u0301", "a", "x"),))
    assert not whole("ab", (Edit(1, "", "\u0301", "x"),))
    assert not whole("a\r\nb", (Edit(2, "\n", " ", "x"),))


def test_what_is_taken() -> None:
    variants = [Variant((QUESTION.prompt,), "x", distance=far) for far in (3, 1, 2, 1)]
    whole = take(variants, 9, "sample", Random(0))
    assert sorted(variant.distance for variant in whole) == [1, 1, 2, 3]
    assert [variant.distance for variant in take(variants, 2, "nearest", Random(0))] == [1, 1]
    assert len(take(variants, 2, "sample", Random(0))) == 2


def test_distances_that_are_not_measured_are_true() -> None:
    for attack in (Homoglyph(share=0.5, per_question=40), Invisible(per_question=40), Invisible(position="in-words")):
        question = Question("what state is the largest in population of all")
        steps = attack.propose(Context(question), Random(2))
        for variant in next(steps):
            assert variant.distance == distance(question.text, variant.prompt.text) == len(variant.edits)
