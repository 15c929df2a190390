"""The figures of the literature, counted by hand."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from botattack.config.run_keys import Gate
from botattack.events import Asked, Event, JudgedBy, OriginalJudged, QuestionOpened, RunStarted, VariantJudged
from botattack.model import Edit, Expect, GoldAnswer, Prompt, Reply, Turn, Verdict, VerdictKind
from botattack.report.figures import measures
from botattack.report.figures.figure_values import Figures, Measure
from botattack.report.figures.gates import held
from botattack.report.figures.gates import value as value_of
from botattack.report.figures.measures import NEEDS_ALL, NOT_GRADED, NOT_POOLED
from botattack.report.figures.metrics import figures_of
from botattack.report.figures.ranking import exact_match, likeness, overlap, ranked_figures
from botattack.report.statistics.intervals import ClusterSums, clustered
from botattack.report.writers.material import material
from botattack.report.writers.text_files import markdown
from tests.report.streams import Asking, Try, broken_gates, ended, stream

TYPO = Edit(0, "w", "v", "typo of keyword")
PARIS = (GoldAnswer("Paris"),)


def run(kept: int = 30, wrong: int = 10, asked: str = "right") -> list[Event]:
    """Of thirty right questions ten break under `a` and five under `b`, none unchanged; wrong ones break under all."""
    askings = []
    for number in range(kept + wrong):
        right = number < kept
        verdicts = {"a": number >= 10, "b": number >= 5, "unchanged": True}
        tries = tuple(
            Try("correct" if right and fine else "wrong", (TYPO,) if name != "unchanged" else (), name)
            for name, fine in verdicts.items()
        )
        tries += (Try("wrong" if number % 2 else "correct", (TYPO,), "negate", expect="different", meaning="changed"),)
        attacked = right or asked == "all"
        standing = "kept" if right else "wrong"
        askings.append(Asking(f"w{number}", standing=standing, attacked=attacked, tries=tries if attacked else ()))
    expect = {"a": "same", "b": "same", "unchanged": "same", "negate": "different"}
    return stream(askings, expect, filter=asked)  # type: ignore[arg-type]


def values(measures: dict[str, Measure]) -> dict[str, tuple[float | None, str]]:
    return {name: (None if each.value is None else round(each.value, 4), each.note) for name, each in measures.items()}


def test_accuracies_over_all_questions() -> None:
    figures = figures_of(run(asked="all"))
    assert values(figures.measures) == {
        "standard accuracy": (0.75, ""),
        "accuracy under attack": (0.5, ""),
        "perturbation accuracy, micro": (0.5625, ""),
        "perturbation accuracy, macro": (0.5625, ""),
        "robust accuracy, micro": (0.75, ""),
        "robust accuracy, macro": (0.75, ""),
        "over-sensitivity": (0.25, ""),
        "over-stability": (0.5, ""),
    }
    one = values(figures.attacks["a"].measures)
    assert one["standard accuracy"][0] == 0.75
    assert one["perturbation accuracy"][0] == 0.5
    assert one["robust accuracy"][0] == pytest.approx(0.6667)
    assert one["EM before"] == one["EM after"] == (1.0, "")
    standard = figures.measures["standard accuracy"]
    assert (standard.x, standard.n) == (30, 40)
    assert standard.interval == pytest.approx((0.598, 0.858), abs=1e-3)


def test_over_stability_rests_on_what_is_known_to_be_right_and_leaves_other_answers_out() -> None:
    known = {"attack": "contrast-set", "expect": "different", "meaning": "changed", "right": ("Oslo",)}
    askings = []
    for number in range(60):
        verdict: VerdictKind = "other" if number >= 40 else "wrong" if number >= 10 else "correct"
        negated = Try("correct", (TYPO,), "negate", expect="different", meaning="changed")
        askings.append(Asking(f"w{number}", tries=(negated, Try(verdict, (TYPO,), **known))))  # type: ignore[arg-type]
    figures = figures_of(stream(askings, {"negate": "different", "contrast-set": "different"}))
    assert values(figures.measures)["over-stability"] == (0.25, "")
    row = figures.attacks["contrast-set"].gold
    assert (row.success, row.rated, row.unsure, row.other) == (10, 40, 20, 20)


def test_what_needs_all_questions_says_so() -> None:
    figures = figures_of(run())
    assert values(figures.measures)["perturbation accuracy, micro"] == (None, NEEDS_ALL)
    assert values(figures.measures)["perturbation accuracy, macro"] == (None, NEEDS_ALL)
    assert values(figures.measures)["robust accuracy, micro"] == (0.75, "")
    one = values(figures.attacks["a"].measures)
    for name in ("EM before", "EM after", "F1 before", "F1 after", "perturbation accuracy", "standard accuracy"):
        assert one[name] == (None, NEEDS_ALL)


def test_micro_and_macro_part_where_attacks_differ_in_size() -> None:
    askings = [
        Asking(f"w{number}", tries=(Try("wrong", (TYPO,), "a"), *[Try("correct", (TYPO,), "b")] * 3))
        for number in range(25)
    ]
    figures = figures_of(stream(askings, {"a": "same", "b": "same"}))
    assert figures.measures["robust accuracy, micro"].value == 0.75
    assert figures.measures["robust accuracy, macro"].value == 0.5


HIT = Try("wrong", (TYPO,), "a", search="attempt")
SEARCH = (HIT, replace(HIT, search="outcome"))


def beside(*names: str) -> Figures:
    """A search breaks all questions; the other attacks break none."""
    tries = (*SEARCH, *(Try("correct", (TYPO,), name) for name in names))
    expect: dict[str, Expect] = dict.fromkeys(("a", *names), "same")
    return figures_of(stream([Asking(f"w{number}", tries=tries) for number in range(25)], expect))


def test_outcomes_of_searches_are_pooled_with_nothing_else() -> None:
    alone, mixed = beside().measures, beside("b").measures
    assert (alone["robust accuracy, micro"].value, alone["over-sensitivity"].value) == (0.0, 1.0)
    for name in ("robust accuracy, micro", "over-sensitivity"):
        assert (mixed[name].value, mixed[name].note) == (None, NOT_POOLED)
    assert mixed["robust accuracy, macro"].value == 0.5
    assert mixed["accuracy under attack"].value == 0.0


@pytest.mark.parametrize(("names", "value"), [((), 0.0), (("b",), 0.5), (("b", "c", "d"), 0.75)])
def test_a_gate_over_all_attacks_never_leaves_a_search_out(names: tuple[str, ...], value: float) -> None:
    gate, figures = Gate("robust_accuracy", at_least=0.8), beside(*names)
    assert value_of(gate, figures) == value
    assert len(broken_gates([gate], figures)) == 1


def test_every_rate_is_held_against_the_control() -> None:
    figures = figures_of(run())
    row = figures.attacks["a"].gold
    assert row.difference == pytest.approx(1 / 3)
    assert row.difference_interval is not None
    assert row.difference_interval[0] > 0
    a, b = figures.attacks["a"], figures.attacks["b"]
    assert a.p is not None
    assert b.p is not None
    assert a.p < b.p
    assert (a.q, b.q) == (pytest.approx(min(2 * a.p, b.p)), pytest.approx(b.p))
    assert figures.attacks["unchanged"].p is figures.attacks["negate"].p is None
    assert figures.attacks["a"].splits["kind"]["typo of keyword"].difference == pytest.approx(1 / 3)


def test_too_few_questions_have_counts_only() -> None:
    figures = figures_of(run(kept=10, wrong=0))
    robust = figures.attacks["b"].measures["robust accuracy"]
    assert (robust.value, robust.x, robust.n) == (None, 5, 10)
    assert "too few questions" in robust.note
    assert figures.measures["robust accuracy, macro"].value is None


def scored(scores: dict[str, tuple[float, float]]) -> list[Event]:
    """One question for each: the score of the original and of its variant, right from a half on."""
    events = stream([Asking(name, tries=(Try(edits=(), attack="a"),)) for name in scores], {"a": "same"})
    ids = {Asking(name).question.id: name for name in scores}
    found: list[Event] = []
    for event in events:
        if isinstance(event, OriginalJudged | VariantJudged):
            score = scores[ids[event.question]][isinstance(event, VariantJudged)]
            verdict = Verdict("correct" if score >= 0.5 else "wrong", score)
            found.append(msgspec.structs.replace(event, verdict=verdict))
        else:
            found.append(event)
    return found


def test_black_box_success_counts_wrong_ones_among_those_that_scored_lower() -> None:
    scores = {f"w{number}": (1.0, 0.7 if number < 15 else 0.2 if number < 25 else 1.0) for number in range(40)}
    found = figures_of(scored(scores)).attacks["a"].measures["black-box success"]
    assert (found.x, found.n, found.value) == (10, 25, 0.4)


def test_black_box_success_needs_a_graded_score() -> None:
    scores = {f"w{number}": (1.0, 0.0 if number < 25 else 1.0) for number in range(40)}
    found = figures_of(scored(scores)).attacks["a"].measures["black-box success"]
    assert (found.value, found.note) == (None, NOT_GRADED)


@pytest.mark.data
def test_em_and_f1_are_those_of_squads_script(data: Path) -> None:
    pairs = [json.loads(line) for line in (data / "squad-scores" / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert len(pairs) == 2000
    for pair in pairs:
        answers = tuple(map(GoldAnswer, pair["gold"]))
        assert (exact_match(pair["reply"], answers), overlap(pair["reply"], answers).f1) == (pair["em"], pair["f1"])


@pytest.mark.parametrize(
    ("reply", "gold", "language", "hotpot", "f1"),
    [
        ("a, b", "the b", "en", False, 1.0),
        ("a, b", "the b", "hu", False, 0.5),
        ("no, never", "no", "en", False, 2 / 3),
        ("no, never", "no", "en", True, 0.0),
        ("No!", "no", "en", True, 1.0),
        ("It's 5.5", "its 55", "en", False, 1.0),
        ("twelve", "12", "en", False, 0.0),
    ],
)
def test_f1_by_language_and_script(reply: str, gold: str, language: str, hotpot: bool, f1: float) -> None:
    assert overlap(reply, (GoldAnswer(gold),), language, yes_or_no=hotpot).f1 == pytest.approx(f1)


def test_replies_that_nobody_is_sure_of_have_em_and_f1() -> None:
    standing, kind = ("kept", "unsure"), ("unsure", "correct")
    askings = [
        Asking(f"w{number}", standing=standing[number % 2], attacked=True, tries=(Try(kind[number % 2], (TYPO,), "a"),))
        for number in range(30)
    ]
    figures = figures_of(stream(askings, {"a": "same"}, filter="all"))
    assert figures.attacks["a"].measures["F1 after"].n == 30


def test_em_and_f1() -> None:
    assert exact_match("the Paris!", PARIS) == 1
    assert exact_match("Paris, France", PARIS) == 0
    assert overlap("Paris, France", PARIS).f1 == pytest.approx(2 / 3)
    assert overlap("London", PARIS).f1 == overlap("", PARIS).f1 == 0
    assert overlap("big red dog", (GoldAnswer("a red dog"), GoldAnswer("cat"))).f1 == pytest.approx(4 / 5)


def test_f1_as_the_matcher_counts_it_is_a_mean_over_all_replies() -> None:
    def judged(event: Event, matcher: str) -> Event:
        if isinstance(event, RunStarted):
            return msgspec.structs.replace(event, judge=JudgedBy("0.1.0", matcher))
        if isinstance(event, QuestionOpened):
            opened.append(event.question.id)
        if isinstance(event, OriginalJudged | VariantJudged):
            refused = Verdict("refused", 0.0, "judge")
            score = 0.25 if isinstance(event, VariantJudged) else 0.75
            verdict = refused if event.question in opened[:2] else Verdict("wrong", score, "f1")
            return msgspec.structs.replace(event, verdict=verdict)
        return event

    many = [Asking(f"w{number}", standing="wrong", attacked=True, tries=(Try(edits=(TYPO,)),)) for number in range(20)]
    opened: list[str] = []
    for matcher, before, after in (("f1", 0.675, 0.225), ("words", None, None)):
        events = (judged(event, matcher) for event in stream(many, {"dpaeg": "same"}, filter="all"))
        found = figures_of(events).attacks["dpaeg"].measures
        means = [found.get(f"F1 as matched {when}", Measure()).value for when in ("before", "after")]
        assert means == ([pytest.approx(before), pytest.approx(after)] if before else [None, None])


def test_rankings_by_hand() -> None:
    found = ranked_figures(["London", "Paris", "Rome", "in Paris", "Oslo"], PARIS)
    assert found == {"R@1": 0, "R@5": 1, "R@10": 1, "MRR": 0.5, "MAP": (1 / 2 + 2 / 4) / 2}
    assert set(ranked_figures([], PARIS).values()) == {0.0}


def test_rankings_before_and_after_stand_in_the_figures() -> None:
    def ranked(event: Event) -> Event:
        if not isinstance(event, Asked):
            return event
        order = ("Paris", "Rome") if event.unit.startswith("original") else ("Rome", "Paris")
        return msgspec.structs.replace(event, replies=(Reply("Paris", order),))

    many = [Asking(f"w{number}", tries=(Try(edits=(TYPO,)),)) for number in range(20)]
    events = [ranked(event) for event in stream(many, {"dpaeg": "same"})]
    found = values(figures_of(events).attacks["dpaeg"].measures)
    assert (found["R@1 before"][0], found["R@1 after"][0]) == (1.0, 0.0)
    assert (found["MRR before"][0], found["MRR after"][0]) == (1.0, 0.5)
    assert found["question likeness"][0] == pytest.approx(likeness("w10", "v10"), abs=0.1)
    assert found["reply likeness"][0] == 1.0


TOLD, RETOLD, OTHER = "It was Ann who came.", "It was Amm who came.", "Nobody else was there, all day long."
PLACES = {
    "a passage": (Prompt("Who?", (TOLD, OTHER)), (Prompt("Who?", (RETOLD, OTHER)),), likeness(TOLD, RETOLD)),
    "the question beside a passage": (Prompt("Who?", (TOLD,)), (Prompt("Who", (TOLD,)),), likeness("Who?", "Who")),
    "both": (Prompt("Who?", (TOLD,)), (Prompt("Who", (RETOLD,)),), likeness(f"Who?\n{TOLD}", f"Who\n{RETOLD}")),
    "an earlier message": (
        Prompt("Who?", (), (Turn("user", TOLD),)),
        (Prompt("Who?", (), (Turn("user", RETOLD),)),),
        likeness(TOLD, RETOLD),
    ),
    "an added passage": (Prompt("Who?", (TOLD,)), (Prompt("Who?", (OTHER, TOLD)),), 0.0),
    "an added turn": (Prompt("Who?", (TOLD,)), (Prompt("Please."), Prompt("Who?", (TOLD,))), 0.0),
    "nothing": (Prompt("Who?", (TOLD, OTHER)), (Prompt("Who?", (TOLD, OTHER)),), 1.0),
}


@pytest.mark.parametrize("place", PLACES)
def test_likeness_compares_what_differs(place: str) -> None:
    original, turns, expected = PLACES[place]

    def moved(event: Event) -> Event:
        if not isinstance(event, Asked):
            return event
        return msgspec.structs.replace(event, turns=(original,) if event.unit.startswith("original") else turns)

    many = [Asking(f"w{number}", tries=(Try(edits=(TYPO,)),)) for number in range(20)]
    events = [moved(event) for event in stream(many, {"dpaeg": "same"})]
    found = figures_of(events).attacks["dpaeg"].measures["question likeness"].value
    assert found == pytest.approx(expected, abs=1e-6)


def test_rankings_are_absent_where_no_reply_is_ranked() -> None:
    assert not [name for name in figures_of(run()).attacks["a"].measures if name.startswith(("R@", "M"))]


@pytest.mark.parametrize(
    ("metric", "attack", "bound", "broken"),
    [
        ("robust_accuracy", None, {"at_least": 0.75}, ""),
        ("robust_accuracy", None, {"at_least": 0.8}, "robust accuracy is 75.0 %, below 80.0 %"),
        ("success_rate", "a", {"at_most": 0.3}, "share broken by a is 33.3 %, above 30.0 %"),
        ("perturbation_accuracy", None, {"at_least": 0.1}, "cannot be given"),
        ("success_rate", "a", {"drop_at_most": 0.1}, "from 0.0 % to 33.3 %, more than 10.0 points for the worse"),
        ("robust_accuracy", "a", {"drop_at_most": 0.1}, "from 100.0 % to 66.7 %"),
        ("success_rate", "a", {"drop_at_most": 0.4}, ""),
    ],
)
def test_gates_speak_of_the_figures_shown(metric: str, attack: str | None, bound: dict, broken: str) -> None:
    gate = Gate(metric, attack, **bound)  # type: ignore[arg-type]
    figures = figures_of(run())
    assert broken in "".join(broken_gates([gate], figures, better(figures)))
    assert bool(broken_gates([gate], figures, better(figures))) == bool(broken)
    if "drop_at_most" in bound:
        assert broken_gates([gate], figures) == []


@pytest.mark.parametrize("unstable", [0, 1, 11])
@pytest.mark.parametrize("metric", ["standard_accuracy", "accuracy_under_attack", "robust_accuracy"])
def test_questions_right_only_sometimes_are_said_to_be_in_no_accuracy_of_originals(metric: str, unstable: int) -> None:
    many = [Asking(f"w{number}", tries=(Try(edits=(TYPO,)),)) for number in range(24)]
    many += [Asking(f"v{number}", standing="unstable") for number in range(unstable)]
    before = figures_of(stream(many[:24], {"dpaeg": "same"}))
    gate = Gate(metric, at_least=0.5, drop_at_most=0.1)  # type: ignore[arg-type]
    events = stream(many, {"dpaeg": "same"}, ended(gates=held([gate], before)))
    told, lacks = "\n".join(markdown(material(lambda: events))), f"without {unstable} question"
    row, *_ = [line for line in told.splitlines() if line.startswith(f"| {metric.replace('_', ' ')}")]
    sentences = [found.sentence for found in figures_of(events).gates]
    assert len(sentences) == 2
    for said in (row, *sentences):
        assert ("100.0 %" in said, lacks in said) == (True, unstable > 0 and metric != "robust_accuracy")


def better(figures: Figures) -> Figures:
    """The same where nothing breaks."""
    a = figures.attacks["a"]
    measures = {**a.measures, "robust accuracy": Measure(1.0, 30)}
    return replace(
        figures, attacks={**figures.attacks, "a": replace(a, gold=replace(a.gold, success_rate=0.0), measures=measures)}
    )


def test_a_question_that_cannot_be_measured_is_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    alike = measures.likeness

    def failing(one: str, other: str) -> float:
        if "w3" in (one, other):
            raise IndexError(one)
        return alike(one, other)

    whole = figures_of(run())
    monkeypatch.setattr(measures, "likeness", failing)
    found = figures_of(run())
    (fault,) = found.faults
    assert (fault.part, fault.times) == ("measures", 1)
    assert found.attacks["a"].measures["question likeness"].n == whole.attacks["a"].measures["question likeness"].n - 1
    assert found.attacks["a"].measures["robust accuracy"] == whole.attacks["a"].measures["robust accuracy"]
    assert found.attacks["a"].gold == whole.attacks["a"].gold


def test_an_interval_of_counts_knows_how_many_there_are() -> None:
    """Each question is broken by the same one of three attacks: all clusters are alike, which is no certainty."""
    tries = tuple(Try("wrong" if name == "a" else "correct", (TYPO,), name) for name in "abc")
    asked = [Asking(f"w{number}", tries=tries) for number in range(24)]
    found = figures_of(stream(asked, dict.fromkeys("abc", "same"), ended())).measures["robust accuracy, micro"]
    assert found.interval is not None
    low, high = found.interval
    assert (found.x, found.n) == (48, 72)
    assert (low, high) == pytest.approx(clustered(ClusterSums(24, 48, 72, 96, 144, 216)))
    assert high - low > 0.1
