"""The decision of `botattack why`: simulated replies in, a cause out, in at most six askings."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from botattack.attacks.building.diagnosing import STEPS, Answer, Named, diagnose
from botattack.attacks.combined.failures import NOBODY, Easy, Failure, listed
from botattack.attacks.combined.why import PROBES, Inquiry, probe
from botattack.model import Edit, GoldAnswer, Prompt, Question, Reply, Result, Turns, Variant, edited
from botattack.places import Place

RIGHT, WRONG, DEAD = Answer("robust"), Answer("success"), Answer("error")
SAME = Answer("success", same=True)
REFUSED = Answer("success", refused=True, same=True)
DECLINED = Answer("success", refused=True)
EASY = Answer("success", took=True)
FAKED = Answer("success", took=True)
OLD = Answer("success", took=True)


def lists(place: int, *, right: bool = False) -> Answer:
    return Answer("robust" if right else "success", listed=place)


WAS = ("was right", "easy")
LIBRARY = (*WAS, "gold", "library")
GIVEN = (*WAS, "gold", "given")
NEVER = ("easy", "gold", "library")
HEALTHY = {"original": RIGHT, "again": WRONG, "quoted": EASY, "neutral": EASY, "easy": EASY}
"""What a bot says that is right but for what was changed; what is not listed is wrong."""

ONE_FILTERED = {"again": REFUSED, "only letters": WRONG, "only added": REFUSED, "padding": RIGHT, "quoted": REFUSED}

ROWS: list[tuple[str, tuple[str, ...], dict[str, Answer], str, tuple[str, ...]]] = [
    ("misspelt", (*WAS, "letters"), {}, "input", ()),
    ("misspelt, and refused", (*WAS, "letters", "refused"), {"again": REFUSED}, "input", ()),
    ("too long", (*WAS, "added", "long"), {"padding": WRONG}, "input", ()),
    ("a word more", (*WAS, "added"), {"padding": WRONG}, "understanding", ()),
    ("reworded", (*WAS, "words"), {}, "understanding", ()),
    ("added", (*WAS, "added", "long"), {"padding": RIGHT}, "understanding", ()),
    ("reworded beside its passages", (*GIVEN, "words"), {}, "understanding", ()),
    ("reworded, led astray by others", (*GIVEN, "words"), {"alone": RIGHT}, "reading", ()),
    ("asks something else", (*WAS, "words", "changes"), {}, "understanding", ()),
    ("filtered", (*WAS, "words", "refused"), {"again": REFUSED, "quoted": REFUSED}, "policy", ()),
    ("wrong in the same words", (*WAS, "words"), {"quoted": SAME}, "understanding", ()),
    (
        "declined, as with any words",
        (*WAS, "words", "refused"),
        {"quoted": REFUSED, "neutral": REFUSED},
        "understanding",
        (),
    ),
    (
        "its letters are filtered",
        (*WAS, "letters", "refused"),
        {"again": REFUSED, "quoted letters": REFUSED, "some letters": RIGHT},
        "policy",
        (),
    ),
    (
        "filtered, and not read",
        (*WAS, "letters", "refused"),
        {"again": REFUSED, "quoted letters": REFUSED},
        "input",
        ("policy",),
    ),
    (
        "filtered for one thing about its letters, and not read for another",
        (*WAS, "letters", "refused", "other letters"),
        {"again": REFUSED, "quoted letters": REFUSED, "some letters": REFUSED, "other letters": WRONG},
        "input",
        ("policy",),
    ),
    (
        "its letters are filtered, and other words are right",
        (*WAS, "letters", "added", "refused"),
        {"only added": RIGHT, "quoted letters": REFUSED, "neutral": DECLINED, "some letters": RIGHT},
        "policy",
        (),
    ),
    (
        "forgets, and refuses all turns in one message",
        (*WAS, "turns", "misspelt turns"),
        {"again": DECLINED, "joined": DECLINED, "joined, spelled": RIGHT},
        "memory",
        (),
    ),
    (
        "forgets, and a filter refuses what it was not stopped by",
        (*WAS, "turns", "refused"),
        {"again": DECLINED, "quoted": DECLINED},
        "memory",
        (),
    ),
    (
        "misspelt, and knows by heart what its passages say no more",
        (*GIVEN, "letters", "passages", "changes"),
        {"only letters": RIGHT, "bare": OLD},
        "by-heart",
        (),
    ),
    (
        "what was added is filtered",
        (*WAS, "added", "refused"),
        {"again": REFUSED, "padding": RIGHT, "quoted": REFUSED},
        "policy",
        (),
    ),
    (
        "filtered, and not understood",
        (*WAS, "added", "refused"),
        {"again": REFUSED, "padding": DECLINED, "quoted": REFUSED},
        "understanding",
        ("policy",),
    ),
    (
        "filtered, and not found",
        (*LIBRARY, "added", "refused"),
        {"again": REFUSED, "padding": lists(-1), "quoted": REFUSED, "padded gold": RIGHT},
        "retrieval",
        ("policy",),
    ),
    (
        "filtered, listed second, and misread",
        (*LIBRARY, "added", "refused"),
        {"again": REFUSED, "padding": lists(1), "quoted": REFUSED, "padded gold": lists(0)},
        "ranking",
        ("reading", "policy"),
    ),
    ("one of two parts is filtered", (*WAS, "letters", "added", "refused"), ONE_FILTERED, "input", ("policy",)),
    (
        "its own library lacks it, and it believes a fake",
        (*GIVEN, "passages", "faked"),
        {"again": Answer("success", took=True, listed=0), "bare": lists(-1)},
        "retrieval",
        ("reading",),
    ),
    (
        "has not the passage among sources of its own, and believes a fake",
        (*GIVEN, "passages", "faked"),
        {"again": Answer("success", took=True, listed=0), "bare": lists(-1)},
        "retrieval",
        ("reading",),
    ),
    (
        "has no sources of its own, and believes a fake",
        (*GIVEN, "passages", "faked"),
        {"again": Answer("success", took=True, listed=0), "bare": WRONG},
        "reading",
        (),
    ),
    (
        "names no source for these words, and none for a mark more",
        (*LIBRARY, "letters"),
        {"original": lists(0, right=True), "gold as sent": RIGHT},
        "retrieval",
        (),
    ),
    (
        "its passage is filtered",
        ("easy", "gold", "given", "refused"),
        {"original": REFUSED, "quoted": EASY, "alone": REFUSED, "quoted passage": REFUSED},
        "policy",
        (),
    ),
    (
        "filtered, with a fake that it does not repeat",
        (*GIVEN, "added", "passages", "faked", "refused"),
        {"only passages": REFUSED, "only added": REFUSED, "padding": RIGHT, "quoted": REFUSED},
        "policy",
        (),
    ),
    (
        "no longer found, and its letters are not read",
        (*LIBRARY, "letters"),
        {"original": lists(-1), "gold": lists(0, right=True)},
        "input",
        ("retrieval",),
    ),
    (
        "no longer found, and its letters are filtered",
        (*LIBRARY, "letters", "added", "refused"),
        {"original": lists(-1), "again": REFUSED, "gold": RIGHT, "quoted letters": REFUSED, "gold as sent": REFUSED},
        "retrieval",
        ("policy",),
    ),
    (
        "no longer found, and its letters are read",
        (*LIBRARY, "letters"),
        {"original": lists(-1), "gold": RIGHT, "gold as sent": RIGHT},
        "retrieval",
        (),
    ),
    (
        "of three parts the letters are filtered",
        (*WAS, "letters", "added", "turns", "refused"),
        {"only letters": REFUSED, "only added": RIGHT, "only turns": RIGHT, "quoted letters": REFUSED},
        "policy",
        (),
    ),
    (
        "filtered, as the other passages are, and not found",
        (*LIBRARY, "added", "refused", "others"),
        {"again": REFUSED, "padding": lists(-1), "quoted": REFUSED, "padded among": REFUSED, "padded gold": lists(0)},
        "retrieval",
        ("reading", "policy"),
    ),
    ("misspelt turns", (*WAS, "turns", "misspelt turns"), {"spelled": RIGHT}, "input", ()),
    (
        "forgets, and misspelt turns",
        (*WAS, "turns", "misspelt turns"),
        {"joined, spelled": RIGHT},
        "input",
        ("memory",),
    ),
    (
        "any other words are not found",
        (*LIBRARY, "letters"),
        {"again": lists(-1), "marked": lists(-1), "gold as sent": RIGHT},
        "retrieval",
        (),
    ),
    (
        "nor read",
        (*LIBRARY, "letters"),
        {"again": lists(-1), "marked": lists(-1), "gold": RIGHT},
        "input",
        ("retrieval",),
    ),
    (
        "not listed, and misread among others",
        (*LIBRARY, "words", "others"),
        {"again": lists(-1), "among": lists(0), "gold": lists(0, right=True)},
        "retrieval",
        ("reading",),
    ),
    (
        "any other words are not found, nor these letters read among others",
        (*LIBRARY, "letters", "others"),
        {"again": lists(-1), "marked": lists(-1), "among": RIGHT, "gold as sent": RIGHT},
        "input",
        ("retrieval",),
    ),
    (
        "declines when it finds nothing, whatever is quoted",
        (*LIBRARY, "words", "refused"),
        {"original": lists(0, right=True), "again": DECLINED, "gold": lists(0, right=True), "quoted": REFUSED},
        "retrieval",
        (),
    ),
    ("only these letters are not found", (*LIBRARY, "letters"), {"again": lists(-1), "marked": RIGHT}, "input", ()),
    (
        "declined from its first source",
        (*LIBRARY, "added", "refused"),
        {"again": lists(0), "quoted": REFUSED},
        "reading",
        (),
    ),
    ("no longer found", (*LIBRARY, "words"), {"original": lists(-1), "gold": RIGHT}, "retrieval", ()),
    ("in this order only", (*GIVEN, "passages", "order"), {"order": RIGHT}, "ranking", ()),
    ("believes it in any order", (*GIVEN, "passages", "order", "faked"), {"alone": RIGHT}, "reading", ()),
    ("the answer before", (*WAS, "words", "leaked"), {"again": RIGHT}, "carry-over", ()),
    ("as its neighbours", (*WAS, "words", "burst"), {"again": RIGHT}, "outage", ()),
    ("repeats what no turn said", (*WAS, "turns"), {"again": FAKED}, "memory", ()),
    ("not understood", (*WAS, "words", "refused"), {"quoted": REFUSED, "neutral": REFUSED}, "understanding", ()),
    (
        "down",
        (*WAS, "words", "refused"),
        {"quoted": REFUSED, "neutral": REFUSED, "easy": REFUSED},
        "outage",
        (),
    ),
    ("filtered as it is", ("easy", "refused"), {"original": REFUSED, "quoted": REFUSED}, "policy", ()),
    ("not found in these words", (*LIBRARY, "words"), {"gold": RIGHT}, "retrieval", ()),
    ("found with the sentence", (*LIBRARY, "words"), {"sentence": RIGHT}, "retrieval", ()),
    ("not even with the passage", (*LIBRARY, "words"), {}, "understanding", ()),
    ("not listed", (*LIBRARY, "words"), {"again": lists(-1), "gold": lists(0, right=True)}, "retrieval", ()),
    ("listed second", (*LIBRARY, "words"), {"again": lists(1), "gold": lists(0, right=True)}, "ranking", ()),
    ("missing", NEVER, {"original": lists(-1), "gold": RIGHT}, "retrieval", ()),
    ("missing, silently", NEVER, {"original": WRONG, "gold": RIGHT}, "retrieval", ()),
    ("missing, misread", NEVER, {"original": lists(-1), "gold": lists(0)}, "retrieval", ("reading",)),
    (
        "no source until it is given one, misread",
        NEVER,
        {"original": DECLINED, "gold": lists(0)},
        "retrieval",
        ("reading",),
    ),
    ("second, misread", NEVER, {"original": lists(1), "gold": lists(0)}, "ranking", ("reading",)),
    ("second", NEVER, {"original": lists(2), "gold": RIGHT}, "ranking", ()),
    ("first, misread", NEVER, {"original": lists(0), "gold": lists(0)}, "reading", ()),
    ("always wrong", NEVER, {"original": WRONG}, "reading", ()),
    ("led astray by others", (*GIVEN, "passages"), {"alone": RIGHT}, "reading", ()),
    (
        "found behind a fake of its library",
        (*LIBRARY, "passages", "faked"),
        {"again": lists(2), "among": RIGHT},
        "ranking",
        (),
    ),
    ("not found behind fakes", (*LIBRARY, "passages", "faked"), {"again": lists(-1), "gold": RIGHT}, "retrieval", ()),
    ("believes a fake", (*GIVEN, "passages"), {"again": FAKED}, "reading", ()),
    ("misled by a fake that it does not repeat", (*GIVEN, "passages", "faked"), {}, "reading", ()),
    ("misread", (*GIVEN, "passages"), {"sentence": RIGHT}, "reading", ()),
    ("knows by heart", (*GIVEN, "passages", "changes"), {"bare": OLD}, "by-heart", ()),
    ("reads the old passage", (*GIVEN, "passages", "changes"), {"bare": RIGHT}, "reading", ()),
    ("answers without support", (*GIVEN, "passages", "declines"), {"bare": OLD}, "by-heart", ()),
    ("says something else without support", (*GIVEN, "passages", "declines"), {"bare": WRONG}, "reading", ()),
    ("answers what has no answer", (*GIVEN, "words", "declines"), {}, "reading", ()),
    ("gives in to doubts", (*GIVEN, "added", "turns", "pressed"), {}, "yielding", ()),
    ("answers what has no answer, with no passage", (*WAS, "words", "declines"), {}, "yielding", ()),
    (
        "reads the first passage alone",
        ("easy", "gold", "given", "order"),
        {"original": WRONG, "order": RIGHT},
        "ranking",
        (),
    ),
    ("forgets", (*WAS, "turns"), {"joined": RIGHT}, "memory", ()),
    ("forgot in the file's own dialogue", ("easy", "earlier"), {"original": WRONG, "joined": RIGHT}, "memory", ()),
    (
        "forgot in the file's own dialogue, of which it refuses the end",
        ("easy", "earlier", "refused"),
        {"original": REFUSED, "quoted": REFUSED, "joined": RIGHT},
        "memory",
        (),
    ),
    (
        "errs at times, and no request is left to try other words",
        (*WAS, "added", "refused", "noisy"),
        {"again": REFUSED, "padding": RIGHT, "quoted": REFUSED},
        "understanding",
        (),
    ),
    (
        "forgets, and no request is left to try other words",
        (*WAS, "turns", "misspelt turns", "refused"),
        {"again": REFUSED, "joined": REFUSED, "quoted": REFUSED},
        "memory",
        (),
    ),
    ("believes an earlier turn", (*WAS, "turns", "stated"), {"again": FAKED}, "yielding", ()),
    ("believes it beside passages", (*GIVEN, "turns", "stated"), {"again": FAKED}, "reading", ()),
    ("by chance", (*WAS, "words", "noisy"), {"again": RIGHT}, "chance", ()),
    ("silent", (*WAS, "words"), {"again": DEAD}, "outage", ()),
    ("all is wrong now", (*WAS, "words"), {"original": WRONG, "easy": WRONG}, "outage", ()),
    ("the bot has changed", (*WAS, "words"), {"original": WRONG}, "unclear", ("carry-over", "outage")),
    ("one wrong original", (*WAS, "letters"), {"original": WRONG, "plain": RIGHT}, "input", ()),
    ("nothing is known", ("easy",), {"original": WRONG}, "unclear", ("understanding", "retrieval", "reading")),
    ("two at once", (*WAS, "letters", "words"), {}, "input", ("understanding",)),
    ("the letters alone", (*WAS, "letters", "words"), {"only words": RIGHT}, "input", ()),
    ("the words alone", (*WAS, "letters", "words"), {"only letters": RIGHT}, "understanding", ()),
    (
        "only together",
        (*WAS, "letters", "words"),
        {"only letters": RIGHT, "only words": RIGHT},
        "input",
        (),
    ),
    ("misspelt and faked", (*GIVEN, "letters", "passages"), {"again": FAKED}, "input", ("reading",)),
]


def played(has: tuple[str, ...], bot: Callable[[str, int], Answer], most: int = 6) -> tuple[Named, list[str]]:
    """`bot` says what comes of a probe that was asked so many times before."""
    asked, answers = list[str](), list[Answer]()
    while isinstance(step := diagnose(has, answers, most), str):
        assert step in {"original", *PROBES}
        answers.append(bot(step, asked.count(step)))
        asked.append(step)
    return step, asked


def decide(has: tuple[str, ...], said: dict[str, Answer], most: int = 6) -> tuple[Named, list[str]]:
    return played(has, lambda name, _: said.get(name, HEALTHY.get(name, WRONG)), most)


def test_of_two_changed_parts_one_alone_may_be_enough() -> None:
    """That the other breaks the bot follows if this one does not."""
    right, wrong = (decide((*WAS, "letters", "words"), {"only words": said})[1] for said in (RIGHT, WRONG))
    assert ("only letters" in right, "only letters" in wrong) == (False, True)


@pytest.mark.parametrize(("has", "said", "cause", "also"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_cause_is_the_earliest_step_that_fails(
    has: tuple[str, ...], said: dict[str, Answer], cause: str, also: tuple[str, ...]
) -> None:
    named, asked = decide(has, said)
    assert (named.cause, named.also) == (cause, also)
    assert len(asked) <= 6
    assert named.told


@pytest.mark.parametrize("most", range(2, 7))
def test_no_budget_is_overdrawn_and_a_cause_is_named_all_the_same(most: int) -> None:
    for _, has, said, *_ in ROWS:
        named, asked = decide((*has, "normalisable"), said, most)
        assert len(asked) <= most
        assert named.cause in STEPS


def test_a_cause_found_is_kept_when_requests_run_out() -> None:
    unsure = {"original": lists(-1), "gold": RIGHT, "again": REFUSED, "quoted": REFUSED, "neutral": REFUSED}
    assert decide((*LIBRARY, "words", "refused"), unsure, 5)[0].cause == "retrieval"


def test_a_fake_is_repeated_only_if_the_reply_says_it() -> None:
    has = (*GIVEN, "passages", "faked")
    repeats, misled = (decide(has, {"again": again})[0] for again in (FAKED, WRONG))
    assert "repeats" in repeats.told
    assert "does not repeat" in misled.told


def test_what_was_sent_already_is_not_sent_again_under_another_name() -> None:
    for has, asked in (("alone", ["original"]), ("others", ["original", "alone"])):
        named, probes = decide(("easy", "gold", "given", has), {"original": WRONG})
        assert (named.cause, probes) == ("reading", asked)


def test_a_filter_is_looked_for_in_a_passage_that_was_sent_alone() -> None:
    has = ("easy", "gold", "given", "alone", "refused")
    said = {"original": WRONG, "quoted passage": REFUSED}
    assert decide(has, said)[0].cause == "policy"


def test_what_needs_passages_falls_away_without_them() -> None:
    for part in ("letters", "words", "added", "turns"):
        _, asked = decide((*WAS, part), {})
        assert {"gold", "alone", "sentence", "bare"}.isdisjoint(asked)


@pytest.mark.parametrize(("part", "also"), [("turns", ("memory",)), ("added", ("understanding",))])
def test_what_a_filter_stops_is_named_once(part: str, also: tuple[str, ...]) -> None:
    has = (*WAS, "words", part, "refused")
    stopped = dict.fromkeys(("again", "only words", f"only {part}", "quoted", "joined"), REFUSED)
    assert decide(has, {**stopped, "padding": RIGHT}, 12)[0].also == ()
    assert decide(has, {**stopped, "padding": RIGHT, "quoted": WRONG}, 12)[0].also in (also, ())


def test_what_was_never_right_need_not_fail_twice() -> None:
    assert diagnose(("easy", "noisy"), [WRONG, WRONG]) != "again" == diagnose((*WAS, "noisy"), [RIGHT, WRONG])


@pytest.mark.parametrize("noise", ["noisy", "again twice"])
def test_what_may_be_chance_has_to_come_back_twice(noise: str) -> None:
    has, answers = (*WAS, "letters", noise), [RIGHT, WRONG, RIGHT]
    assert [diagnose(has, answers[:count]) for count in range(3)] == ["original", "again", "again"]
    named = diagnose(has, answers)
    assert isinstance(named, Named)
    assert named.cause == "chance"


@pytest.mark.parametrize(("has", "said"), [row[1:3] for row in ROWS], ids=[row[0] for row in ROWS])
def test_one_refusal_by_chance_changes_no_cause_of_a_noisy_bot(has: tuple[str, ...], said: dict[str, Answer]) -> None:
    """Every probe is refused the first time, but for a question that was wrong in the run already."""
    noisy, once = tuple(dict.fromkeys((*has, "noisy"))), {"original"}
    once |= set() if "was right" in has else {"again"}

    def bot(name: str, before: int) -> Answer:
        by_chance = before % 2 == 0 and name not in once
        return DECLINED if by_chance else said.get(name, HEALTHY.get(name, WRONG))

    assert played(noisy, bot, 40)[0] == decide(noisy, said, 40)[0]


@pytest.mark.parametrize(("second", "cause"), [(EASY, "input"), (DECLINED, "policy")])
def test_a_refusal_in_other_words_has_to_come_twice(second: Answer, cause: str) -> None:
    said = {"quoted letters": (DECLINED, second), "some letters": (REFUSED,)}
    named, _ = played(
        (*WAS, "letters", "refused"),
        lambda name, before: said[name][before] if name in said else HEALTHY.get(name, WRONG),
    )
    assert named.cause == cause


@pytest.mark.parametrize("unsure", ["again", "only words"])
def test_nothing_is_sure_of_which_the_judge_is_not(unsure: str) -> None:
    has = (*WAS, "letters", "words")
    assert decide(has, {})[0].sure
    assert not decide(has, {unsure: Answer("unsure")})[0].sure


def test_what_is_left_over_is_likely_and_what_was_seen_to_fail_is_sure() -> None:
    assert decide((*LIBRARY, "words"), {"again": lists(-1), "gold": RIGHT})[0].sure
    assert not decide((*LIBRARY, "words"), {})[0].sure


PARIS = "Paris is a city. The capital of France is Paris."
ROME = "Rome is old. The capital of Italy is Rome."
FRANCE = Question("What is the capital of France?", (GoldAnswer("Paris"),), (PARIS, ROME))
EASIER = Easy(Question("Who wrote Emma?"), "Austen")


def failure(*edits: Edit, given: bool = True) -> Failure:
    turns = edited(FRANCE.turns, edits)
    return failed(turns, {"please", "tell", "me", "what"}, *edits, given=given, unlike=(EASIER, NOBODY))


def failed(turns: Turns, known: Collection[str], *edits: Edit, **of: Any) -> Failure:
    variant = Variant(turns, "why", edits, parent="1.0")
    return Failure(FRANCE, "noise", variant, words=written(known), **of)


def asked_of(text: str = FRANCE.text, **of: Any) -> Failure:
    return Failure(FRANCE, "noise", Variant((Prompt(text, FRANCE.passages),), "why", **of))


def written(words: Collection[str]) -> dict[str, str]:
    return {word.lower(): word for word in words}


def changed(before: str, after: str) -> Edit:
    return Edit(FRANCE.text.index(before), before, after, "test")


EDITS: list[tuple[Edit, set[str]]] = [
    (changed("capital", "cpaital"), {"letters"}),
    (changed("capital", "CAPITAL"), {"letters"}),
    (changed("capital", "ctpalai"), {"letters"}),
    (changed("capital", "cap\u200bital"), {"letters"}),
    (changed("capital", "main city"), {"words"}),
    (changed("What is", "Please tell me, what is"), {"added"}),
    (Edit(0, "", "Oslo is cold.", "test", Place("added passage", 0)), {"passages"}),
    (Edit(0, "", "I like maps.", "test", Place("added turn", 0)), {"turns"}),
]


@pytest.mark.parametrize(("edit", "parts"), EDITS)
def test_parts_are_told_by_what_changed(edit: Edit, parts: set[str]) -> None:
    assert failure(edit).parts == parts


def test_what_is_added_to_a_question_that_stays_whole_is_asked_without_the_turns_before_it() -> None:
    turn = Edit(0, "", "I like maps.", "test", Place("added turn", 0))
    assert failure(turn, changed("What is", "Please tell me, what is")).parts == {"added", "turns"}
    assert failure(turn, changed("France", "it")).parts == {"turns"}


def test_each_part_is_asked_alone() -> None:
    both = failure(changed("What", "Whatt"), changed("capital", "main city"))
    words, letters = (probe(both, f"only {part}").prompt.text for part in ("words", "letters"))
    assert (words, letters) == ("What is the main city of France?", "Whatt is the capital of France?")


def test_each_probe_can_be_made_and_says_which_it_is() -> None:
    for given in (True, False):
        found = failure(changed("capital", "main city"), given=given)
        for name in PROBES:
            made = probe(found, name)
            assert (made.why, made.parent, made.probe) == (name, "1.0", True)
            assert (made.distance, made.edits) == (0, ()) or made.turns == found.variant.turns


def test_probes_of_passages_send_what_supports_the_answer() -> None:
    given, library = (failure(changed("capital", "main city"), given=given) for given in (True, False))
    assert probe(given, "alone").prompt.passages == (PARIS,)
    assert probe(given, "sentence").prompt.passages[0].endswith("is Paris.")
    message = probe(library, "gold").prompt
    assert (message.text, message.passages) == (f"{PARIS}\n\nWhat is the main city of France?", ())


def test_a_passage_that_was_sent_alone_is_known_to_be_read_wrongly() -> None:
    one = msgspec.structs.replace(FRANCE, passages=(PARIS,))
    for question, alone in ((one, True), (FRANCE, False)):
        found = Failure(question, "original", Variant(question.turns, "why"), given=True)
        assert ("alone" in found.has()) == alone == (probe(found, "alone").turns == question.turns)


KNOWN: dict[str, tuple[Failure, Failure]] = {
    "declines": (asked_of(expect="declines"), asked_of(expect="same")),
    "changes": (asked_of(expect="different"), asked_of(expect="declines")),
    "faked": (asked_of(decoy="Oslo"), asked_of()),
    "stated": (asked_of("It is Oslo.", decoy="Oslo"), asked_of("It is Rome.", decoy="Oslo")),
    "long": (asked_of(FRANCE.text + "x" * 81), asked_of(FRANCE.text + "x" * 80)),
    "easy": (replace(asked_of(), unlike=(EASIER, NOBODY)), asked_of()),
    "order": (asked_of(), replace(asked_of(), seen=frozenset(["held"]))),
    "given": (replace(asked_of(), given=True), asked_of()),
    "others": (replace(asked_of(), others=(ROME,)), asked_of()),
    "library": (asked_of(), replace(asked_of(), given=True)),
    "gold": (asked_of(), replace(asked_of(), question=msgspec.structs.replace(FRANCE, passages=(ROME,)))),
    "restored": (asked_of(FRANCE.text.replace("What", "Whаt")), asked_of()),
    "normalisable": (asked_of("Now: " + FRANCE.text.replace("What", "Whаt")), asked_of("Now: " + FRANCE.text)),
    "earlier": (
        replace(asked_of(), question=msgspec.structs.replace(FRANCE, earlier=(Prompt("Hi"),))),
        asked_of(),
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_diagnosis_has_to_know_is_told_by_its_name(name: str) -> None:
    holds, misses = KNOWN[name]
    assert name in holds.has()
    assert name not in misses.has()


def test_a_reply_is_the_same_if_it_is_what_the_message_got_that_failed() -> None:
    inquiry = Inquiry(FRANCE, ("easy", "was right", "words"), 6)
    heard: list[tuple[Result, str]] = [("robust", "Paris"), ("success", "Rome"), ("success", "Oslo")]
    for result, said in [*heard, ("success", "Oslo"), ("success", " Rome\n"), ("success", "")]:
        inquiry.hear(result, [Reply("Hi"), Reply(said)], ())
    assert [answer.same for answer in inquiry.answers] == [False, False, False, False, True, False]
    assert [answer.right for answer in inquiry.answers] == [True, *[False] * 5]


def test_earlier_turns_come_first_and_keep_their_passages_in_one_message() -> None:
    other = Prompt("Where was Emma written?", ("Emma was written in Chawton.",))
    found = failed(
        (other, *edited(FRANCE.turns, [changed("What", "To be exact, what")])), {"to", "be", "exact", "what"}
    )
    said = f"{other.text}\nTo be exact, what is the capital of France?"
    assert probe(found, "joined").turns == (Prompt(said, (*other.passages, *FRANCE.passages)),)
    assert found.put == f"{other.text} To be exact,"


@pytest.mark.parametrize(
    ("ranked", "place"),
    [
        ((ROME, PARIS), 1),
        (("The capital of France is Paris.", ROME), 0),
        (("Rome", "Paris"), None),  # candidates, which stand in many passages
        ((ROME,), None),
        ((), None),
    ],
)
def test_whole_sentences_that_a_bot_ranks_are_its_sources(ranked: tuple[str, ...], place: int | None) -> None:
    assert listed(FRANCE, Reply("Rome", ranked), ()) == place
    assert listed(FRANCE, Reply("Rome", ranked, {"sources": [ROME]}), ()) == -1


def test_earlier_turns_are_spelled_as_in_the_file_and_no_others() -> None:
    told = Question("Where do I live?", (GoldAnswer("Rome"),), earlier=(Prompt("There I moved late: to Rome."),))
    said = Prompt("Tehre I mvoed late: to Rome."), Prompt("There is a new bakery. My train was late."), told.turns[-1]
    found = Failure(told, "chain", Variant(said, "why"), words=written({"where", "rate", "rome"}))
    assert [turn.text for turn in found.spelled] == [told.turns[0].text, *(turn.text for turn in said[1:])]
    again = Prompt("Whre do I lvie?"), Prompt("I had pasta."), Prompt("And what was the answer to that?")
    found = Failure(told, "chain", Variant(again, "why"))
    assert [turn.text for turn in found.spelled] == [told.text, *(turn.text for turn in again[1:])]


def test_a_question_that_is_asked_again_in_one_conversation_is_pressed() -> None:
    asked = msgspec.structs.replace(FRANCE.prompt, asks=0)
    for turns, pressed in (((asked, Prompt("No!", asks=0)), True), ((asked, Prompt("Thanks.")), False)):
        assert ("pressed" in Failure(FRANCE, "are-you-sure", Variant(turns, "why")).has()) == pressed


def test_the_old_answer_is_looked_for_where_passages_are_taken_away() -> None:
    for expect, decoy in (("declines", "Paris"), ("different", "Paris"), ("same", "")):
        made = Variant((Prompt(FRANCE.text, (ROME,)),), "why", expect=expect, right=(GoldAnswer("Oslo"),))
        assert probe(Failure(FRANCE, "unanswerable", made, given=True), "bare").decoy == decoy


def test_the_old_answer_is_right_without_the_passages_that_changed_it() -> None:
    edits = changed("What", "Whta"), Edit(PARIS.rindex("Paris"), "Paris", "Oslo", "test", Place("passage", 0))
    made = Variant(edited(FRANCE.turns, edits), "why", edits, "different", parent="1.0", right=(GoldAnswer("Oslo"),))
    found = Failure(FRANCE, "chain", made, given=True, unlike=(EASIER, NOBODY))
    assert found.parts == {"letters", "passages"}
    asked = {name: probe(found, name) for name in ("only letters", "only passages", "again", "bare")}
    assert {name: (one.expect, len(one.right)) for name, one in asked.items()} == {
        "only letters": ("same", 0),
        **dict.fromkeys(("only passages", "again", "bare"), ("different", 1)),
    }
    assert asked["bare"].turns == (Prompt(FRANCE.text),)


def test_the_supporting_passage_is_moved_to_the_other_end() -> None:
    fake = "Oslo is the capital of France."
    first, last = (failure(Edit(0, "", fake, "test", Place("added passage", at))) for at in (2, 0))
    assert [one.order[-1] == PARIS for one in (first, last)] == [True, True]
    assert all(sorted(one.order) == sorted((PARIS, ROME, fake)) for one in (first, last))
    assert failed((Prompt(FRANCE.text, (ROME, fake, PARIS)),), {"what"}).order == (PARIS, ROME, fake)
    # A bot that has its passages in a library gets no order of them.
    assert ["order" in replace(first, seen=frozenset(seen)).has() for seen in ((), ("held",))] == [True, False]
    moved = failed((FRANCE.prompt,), {"what"}, given=True).order
    assert sorted(moved) == sorted(FRANCE.passages)
    assert moved != FRANCE.passages


def test_most_letters_of_a_message_with_some_changed_words_are_as_in_the_file() -> None:
    said = "What is the famous capital of Norway and Sweden today?"
    question = Question(said, (GoldAnswer("Oslo"),))
    shouted = Failure(question, "case", Variant((Prompt(said.upper()),), "why"))
    text = probe(shouted, "some letters").prompt.text
    assert 0 < sum(map(str.isupper, text)) < sum(map(str.islower, text))


@pytest.mark.parametrize(
    ("said", "some", "other"),
    [
        ("WHAT IS THE CPAITAL OF FRANCE?", "what is the cpaital of france?", None),
        ("What is the cpаitаl of Frаnce?", "What is the cpaital of France?", None),
        ("WHAT IS THE CАPITАL OF FRАNCE?", "WHAT IS THE CAPITAL OF FRANCE?", "what is the cаpitаl of frаnce?"),
        ("What is the cаpitаl of Frаnce?", "What is the cаpitаl of France?", "What is the capital of Frаnce?"),
    ],
)
def test_a_filter_of_letters_is_passed_with_less_of_what_is_odd(said: str, some: str, other: str | None) -> None:
    found = failed((Prompt(said, FRANCE.passages),), {"France"})
    assert probe(found, "some letters").prompt.text == some
    assert other in (None, probe(found, "other letters").prompt.text)


def test_odd_letters_of_a_question_in_other_words_are_shown_to_a_filter() -> None:
    said = Variant((Prompt("What mаy be the cаpital of Frаnce?", FRANCE.passages),), "why")
    found = Failure(FRANCE, "chain", said, words=written({"may", "be", "France"}), unlike=(EASIER, NOBODY))
    assert "words" in found.parts
    assert {"mаy", "cаpital", "Frаnce?"} & set(found.odd_letters.split())


@pytest.mark.parametrize(("many", "shown"), [(1, 1), (2, 1), (3, 2), (4, 2), (6, 3)])
def test_a_filter_of_letters_is_shown_half_of_the_words(many: int, shown: int) -> None:
    words = FRANCE.text.split()
    said = " ".join([*(word.upper() for word in words[:many]), *words[many:]])
    found = failed((Prompt(said, FRANCE.passages),), set())
    assert len({*found.odd_letters.split()}) == shown


def test_a_filter_of_letters_is_shown_those_that_were_changed_most() -> None:
    mixed = failure(changed("What", "what"), changed("capital", "CAPITAL"))
    quoted = probe(mixed, "quoted letters").prompt.text.removeprefix(EASIER.question.text)
    assert "CAPITAL" in quoted
    assert "what" not in quoted
    assert sum(map(str.isupper, quoted)) > 3 * len(EASIER.question.text)


def test_what_was_added_is_asked_alone_in_usual_letters() -> None:
    """Else it fails for its letters as well."""
    said = "pLeAse tell me, WHAT IS THE CAPITAL OF FRANCE?"
    both = failed((Prompt(said, FRANCE.passages),), {"please", "tell", "me"})
    assert both.parts == {"added", "letters"}
    assert probe(both, "only added").prompt.text == f"Please tell me, {FRANCE.text}"


def test_neutral_words_stand_beside_the_question() -> None:
    turns = edited(FRANCE.turns, [changed("What", "please tell me, what"), changed("France?", "France, thanks")])
    other = Easy(Question("When did Shakespeare publish Macbeth and Hamlet?"), "1603")
    found = failed(turns, {"please", "tell", "me", "what", "thanks"}, unlike=(EASIER, other))
    text = probe(found, "padding").prompt.text
    assert FRANCE.text in text
    assert len(text.split()) == len(turns[-1].text.split())
    assert not {"please", "tell", "me", "thanks"} & set(text.split())
    # A bot without passages may take any word of another question for what it is asked.
    alone = replace(found, question=msgspec.structs.replace(FRANCE, passages=()))
    assert set(probe(alone, "padding").prompt.text.split()) == set(FRANCE.text.split())


def test_as_many_words_are_quoted_of_other_questions_as_were_put_in() -> None:
    """A bot may lose the easy question among many words of any kind."""
    turn = Edit(0, "", "I finally repaired the squeaking door in the kitchen.", "test", Place("added turn", 0))
    others = [Easy(Question(f"Who wrote the {n} book?"), "Austen") for n in ("first", "second")]
    found = failed(edited(FRANCE.turns, [turn]), {"i", "the"}, turn, unlike=(EASIER, *others))
    put, neutral = (probe(found, name).prompt.text.removeprefix(EASIER.question.text) for name in ("quoted", "neutral"))
    assert len(put.split()) == len(neutral.split())
    assert "first" in neutral
    assert "second" in neutral


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("where to exchange euros in pittsburgh?", "hi, wһere to exchаոɡe eurօs іո рittsburgh, you know?"),
        ("where is jay cutler now?", "well, where іs jay cutler ոоԝ, you know?"),
    ],
)
def test_a_word_in_other_letters_is_the_nearest_and_none_that_is_there_already(before: str, after: str) -> None:
    question = Question(before, (GoldAnswer("yes"),))
    said, known = Variant((Prompt(after),), "why"), {"hi", "well", "you", "know"}
    found = Failure(question, "chain", said, words=written(known))
    assert found.parts == {"letters", "added"}
    assert found.text("added").endswith(" you know?")
    assert "know" not in found.text("letters")


@pytest.mark.parametrize(
    "said",
    [
        "hello, WHAT IS THE CAPITAL OF FRANCE?",
        "hello, What is the cаpitаl of Frаnce?",
        "hello, What is the captial of Frnace?",
    ],
)
def test_words_in_other_letters_are_told_apart_from_what_is_put_in_beside_them(said: str) -> None:
    found = failed((Prompt(said, FRANCE.passages),), {"hello"}, given=True)
    assert found.parts == {"letters", "added"}
    assert found.text("added").lower() == f"hello, {FRANCE.text}".lower()
    assert f"hello, {found.text('letters')}" == said
