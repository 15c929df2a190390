"""What an attack that tries until the bot breaks says of a question: more effort never makes the bot look safer, and
chance does not make it look weaker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

import pytest

from botattack.attacks.building.combinations import Option
from botattack.attacks.building.listing import Listing, Slots
from botattack.attacks.building.settling import CONFIRMATIONS, REPEATED, most_of, settled
from botattack.attacks.passages.add_any import AddAny
from botattack.attacks.unchanged import Unchanged
from botattack.config.gates import Gate
from botattack.engine.plan import Plan
from botattack.events import AnyEvent, Asked, AttackEnded, OriginalJudged, QuestionOpened, VariantJudged
from botattack.model import Edit, GoldAnswer, Outcome, Prompt, Question, Reply, Variant, Verdict
from botattack.protocols import Attack, Context, Proposals
from botattack.report.comparison.diff import compare
from botattack.report.figures.gates import checked, held
from botattack.report.figures.metrics import figures_of
from botattack.report.wording import words
from tests.engine.bots import Listed, Script
from tests.engine.test_run import a_plan, of, play

BUDGETS = (6, 20, 40)
"""Each contains those before it."""


@dataclass(frozen=True)
class Tries(Attack):
    """A plug-in that says only how long it tries: appends one number after the other."""

    name: ClassVar[str] = "tries"
    queries: int = 20

    @property
    def per_question(self) -> int:
        return self.queries

    @property
    def counts_questions(self) -> bool:
        return True

    def propose(self, context: Context, rng: Random) -> Proposals:
        text = context.question.text
        for number in range(1000):
            edit = Edit(len(text), "", f" {number}", "number")
            yield [Variant((Prompt(text + edit.after),), self.name, (edit,), distance=len(edit.after))]
        return 1000


def play_(attack: Attack, bot: Script, count: int, **changes: Any) -> list[AnyEvent]:
    texts = [f"what is the number called exactly {number:04d}" for number in range(count)]
    asked = Listed(Question(text, (GoldAnswer(f"it is {text[-4:]}"),)) for text in texts)
    attacks = {"search": attack, "unchanged": Unchanged()}
    return play(a_plan(**{"attacks": attacks, **changes}), bot, asked)[1]


def broken(events: list[AnyEvent]) -> set[str]:
    return {one.question for one in of(events, VariantJudged) if one.search == "outcome" and one.result == "success"}


def number_of(text: str) -> str:
    return next((word for word in text.split() if len(word) == 4 and word.isdigit()), "")


def alike(text: str, seed: int) -> str:
    """Answers alike each time; what it gives in to is drawn once for each text, the unchanged ones left out."""
    number = number_of(text)
    unchanged = text == f"what is the number called exactly {number}"
    return f"it is {number}" if unchanged or Random(text).random() > 0.03 else "what?"


def errs(share: float) -> Callable[[str, int], str]:
    """Is never broken, and errs in this share of all askings, whatever is asked."""
    return lambda text, seed: "what?" if Random(seed).random() < share else f"it is {number_of(text)}"


@dataclass(frozen=True)
class Letters(Listing):
    """Puts another letter in place of the second of a word. Touches no digit of the number that the bot must repeat."""

    name: ClassVar[str] = "letters"

    def slots(self, context: Context, rng: Random) -> Slots:
        del rng
        yield from ()
        text = context.question.text
        return [
            [Option.of(Edit(text.index(word), word, word[0] + letter + word[2:], "letter"), 1) for letter in "zxqjvkwy"]
            for word in ("number", "called", "exactly")
        ]


SEARCHES: dict[str, Callable[[int], Attack]] = {
    "plug-in": lambda queries: Tries(queries=queries),
    "drawn": lambda queries: Letters(stop_at_break=True, combine=None, per_question=queries),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_on_a_bot_that_answers_alike_a_longer_search_breaks_more(name: str) -> None:
    runs = [play_(SEARCHES[name](queries), Script(alike), 20) for queries in BUDGETS]
    sets = [broken(events) for events in runs]
    assert sets[0] < sets[-1]
    rates = []
    for smaller, larger in pairwise(sets):
        assert smaller <= larger
    for events, found in zip(runs, sets, strict=True):
        figures = figures_of(events)
        row = figures.attacks["search"].gold
        assert (row.success, row.rated) == (len(found), len({one.question for one in of(events, OriginalJudged)}))
        rates.append(row.success_rate)
        (gate,) = checked(held([Gate("success_rate", "search", at_most=0.05)]), figures)
        assert gate.failed == (row.success_rate > 0.05)
        assert figures.measures["accuracy under attack"].x == row.robust
    assert rates == sorted(rates)


@pytest.mark.slow
def test_on_a_bot_that_is_never_broken_chance_breaks_few() -> None:
    """The longest search shows at most what the bot errs in, and its control no less than it."""
    events = play_(Tries(queries=100), Script(errs(0.05), latency=0.0), 50)
    attack = figures_of(events).attacks["search"]
    assert 0 < attack.gold.rated < 50, "originals err as well"
    assert attack.gold.success <= 0.05 * attack.gold.rated
    assert attack.control.rated == attack.gold.rated
    assert sum(one.search == "attempt" and one.result == "success" for one in of(events, VariantJudged)) > 100


@pytest.mark.slow
@pytest.mark.parametrize("queries", [1, 6, 20, 40, 100])
def test_chance_breaks_few_at_every_budget(queries: int) -> None:
    """A bot that errs in 5 % of askings and is never broken shows at most 5 % of 2,000 questions. Askings are drawn
    here as the engine would draw them, as 200,000 of them take the engine minutes."""
    rng, tries, broke = Random(queries), Tries(queries=queries), 0
    for number in range(2000):
        context = Context(Question(f"what is {number}", (GoldAnswer("a"),)), (), {})
        steps = settled(tries, context, rng, control=False)
        sent: Any = None
        known: dict[tuple[str, int], str] = {}
        while True:
            try:
                (variant,) = steps.send(sent)
            except StopIteration:
                break
            if variant.search == "outcome":
                broke += known[variant.id, variant.again] == "wrong"
                sent = [Outcome(variant, (), Verdict("correct"))]
                continue
            kind = "wrong" if rng.random() < 0.05 else "correct"
            known[variant.id, variant.again] = kind
            sent = [Outcome(variant, (Reply("x"),), Verdict(kind, float(kind == "correct")), 1)]  # type: ignore[arg-type]
    assert broke <= 100


def test_a_break_counts_only_if_the_variant_breaks_again_and_the_original_holds() -> None:
    def only_first(text: str, seed: int) -> str:
        return "what?" if text.endswith(" 3") and Random(seed).random() < 0.5 else f"it is {number_of(text)}"

    events = play_(Tries(queries=6), Script(only_first), 60)
    asked = Counter(
        one.unit.partition(".")[0] for one in of(events, VariantJudged) if one.search in ("attempt", "again")
    )
    results: dict[tuple[str, str], list[str]] = {}
    for one in of(events, VariantJudged):
        if one.search in ("attempt", "again") and one.edits:
            results.setdefault((one.question, one.unit.partition(".")[0]), []).append(one.result)
    sure = {question for (question, _), found in results.items() if found == ["success"] * (1 + CONFIRMATIONS)}
    assert sure
    assert broken(events) == sure
    doubted = {question for (question, _), found in results.items() if "success" in found} - sure
    assert doubted
    outcomes = {one.question: one for one in of(events, VariantJudged) if one.search == "outcome"}
    assert {outcomes[question].result for question in doubted} == {"robust"}
    assert max(asked.values()) >= 1 + CONFIRMATIONS


def test_an_attack_asks_so_often_whatever_requests_each_takes() -> None:
    """Of five askings one makes sure of a variant that broke the bot by chance; what is not asked is none."""
    steps = settled(Tries(queries=5), Context(Question("what is it")), Random(0), control=True)
    sent: Any = None
    passed, heard, repeats = list[Variant](), list[str](), list[int]()
    while True:
        try:
            batch: Any = steps.send(sent)
        except StopIteration:
            break
        (variant,) = batch
        if variant.search in ("outcome", "control"):
            sent = [Outcome(variant, (), Verdict("correct"))]
        elif len(passed) < 2:
            passed.append(variant)
            sent = [Outcome(variant, (), Verdict("unsure", why="not asked"))]
        else:
            heard.append(variant.search)
            repeats += [variant.again] * (variant.search == "repeat")
            sent = [Outcome(variant, (Reply("x"),), Verdict("wrong" if len(heard) == 1 else "correct"), 3)]
    assert heard == ["attempt", "again", *["attempt"] * 3, *["repeat"] * 4]
    assert repeats == [*range(REPEATED, REPEATED + 4)]


def test_the_control_repeats_the_original_as_often_as_the_search_asked() -> None:
    events = play_(Tries(queries=7), Script(alike), 30)
    for question in {one.question for one in of(events, OriginalJudged)}:
        of_search = [one for one in of(events, VariantJudged) if one.question == question and one.attack == "search"]
        roles = Counter(one.search for one in of_search)
        assert roles["attempt"] == roles["repeat"]
        assert roles["outcome"] == roles["control"] == 1
    without = play_(Tries(queries=7), Script(alike), 30, attacks={"search": Tries(queries=7)})
    assert not [one for one in of(without, VariantJudged) if one.search in ("repeat", "control")]
    bound = most_of(Tries(queries=7), control=True)
    assert bound is not None
    each = Counter((one.question) for one in of(events, Asked))
    assert max(each.values()) <= bound + 2, "the original and its control are asked as well"


def test_what_was_asked_is_cost_and_no_rate() -> None:
    events = play_(Tries(queries=9), Script(alike), 30)
    figures = figures_of(events)
    row = figures.attacks["search"].gold
    attempts = [one for one in of(events, VariantJudged) if one.search == "attempt"]
    assert (
        row.variants == len(attempts) == sum(one.variants for one in of(events, AttackEnded) if one.attack == "search")
    )
    assert row.asked == 30
    (answers, lines), (questions, searches) = words.tables(
        figures, ("attack", "broken", "share", "likely range", "unchanged")
    )
    assert not set(answers[:3]) & set(questions[:3])
    assert [line.name for line in searches] == ["search"]
    assert all(line.name != "search" for line in lines)


@pytest.mark.slow
def test_two_runs_of_a_search_are_compared_by_question() -> None:
    short, long = (play_(Tries(queries=queries), Script(alike), 60) for queries in BUDGETS[:2])
    (row,) = [row for row in compare(short, long).rows if row.name == "search"]
    assert (row.units, row.missing, row.added) == (60, 0, 0)
    assert (row.old, row.new, row.fixed) == (len(broken(short)), len(broken(long)), 0)


def test_a_resumed_search_ends_as_one_that_was_never_interrupted() -> None:
    whole = play_(Tries(), Script(alike), 20)
    plan: Plan = a_plan(attacks={"search": Tries(), "unchanged": Unchanged()})
    asked = Listed(one.question for one in of(whole, QuestionOpened))
    _, rest = play(plan, Script(alike), asked, past=whole[: len(whole) // 2])
    assert broken([*whole[: len(whole) // 2], *rest]) == broken(whole)
    assert not {one.key for one in of(rest, VariantJudged)} & {
        one.key for one in of(whole[: len(whole) // 2], VariantJudged)
    }


def test_longer_searches_for_words_break_more(english: Any) -> None:
    """AddAny itself, on a reader that answers alike: which questions break only grows."""
    found = []
    for queries in BUDGETS:
        attack = AddAny(queries=queries)
        found.append({number for number in range(40) if _broken_by(attack, number, english)})
    assert found[0] <= found[1] <= found[2]
    assert found[0] < found[2]


def _broken_by(attack: Attack, number: int, parts: Any) -> bool:
    passage = f"The river is {number} miles long. It flows to the sea."
    question = Question("how long is the river", (GoldAnswer(f"{number} miles"),), passages=(passage,))
    steps, sent = settled(attack, Context(question, (), parts), Random(number), control=False), None
    kind = "correct"
    while True:
        try:
            batch: Any = steps.send(sent)
        except StopIteration:
            return kind == "wrong"
        (variant,) = batch
        kind = "wrong" if variant.edits and Random(variant.id).random() < 0.03 else "correct"
        reply = Reply("the sea" if kind == "wrong" else f"about {number} miles")
        sent = [Outcome(variant, (reply,), Verdict(kind, float(kind == "correct")), 1)]  # type: ignore[arg-type]


def test_f1_after_is_that_of_the_worst_variant_and_the_curve_falls() -> None:
    def rambles(text: str, seed: int) -> str:
        words_more = sum(map(int, filter(str.isdigit, text[38:].split()))) if len(text) > 38 else 0
        return f"it is {number_of(text)}" + " or so" * words_more

    figures = figures_of(play_(Tries(queries=9), Script(rambles), 30, filter="all"))
    found = figures.attacks["search"].measures
    curve = [found[f"lowest F1 within {n}"].value for n in ("1 request", "2 requests", "5 requests", "10 requests")]
    assert curve == sorted(curve, reverse=True)
    assert curve[0] > curve[-1] == found["F1 after"].value
    assert found["F1 before"].value == 1.0
