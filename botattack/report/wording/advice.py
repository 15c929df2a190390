"""What to do next, from what a run found: a few sentences for whoever has to act on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from botattack.config.labels import AttackLabel
from botattack.report.escape import quoted
from botattack.report.figures.figure_values import CONTROL, Figures
from botattack.report.numbers import count, rounded
from botattack.report.statistics.intervals import MIN_QUESTIONS
from botattack.report.wording.cautions import by_chance, longer
from botattack.report.wording.headlines import Rated, control_of, ranked, share_of

NOISY = 0.05
"""The share of repeated questions that break from which on the bot itself is the first thing to look at."""
WEAK = 0.5
"""The share of questions answered wrongly, or not at all, above which there is more to fix than robustness."""
_REMEDIES: Mapping[str, tuple[str, ...]] = {
    "Correct the spelling of a question, or match it fuzzily, before an answer is looked up.": (
        *("dpaeg", "noise", "random-characters", "homophone", "grammar-errors"),
    ),
    "Ignore case, punctuation, short forms and filler words before an answer is looked up.": (
        *("case", "punctuation", "contraction", "filler"),
    ),
    "Normalise letters first: remove invisible characters, and write look-alikes in one script.": (
        *("homoglyph", "invisible"),
    ),
    "Add the wordings that broke to what the bot learns from, or let it compare meanings rather than words.": (
        *("restate", "paraphrase", "paraphrase-lexicon", "back-translation", "substitute-word", "reorder"),
        *("swap-words", "drop-stopwords", "insert-function-word", "delete-function-word", "substitute-function-word"),
        *("disfluency", "all-should-not-change"),
    ),
    "Tell the bot to keep a right answer when a user doubts it or suggests something else.": (
        *("are-you-sure", "leading", "false-premise"),
    ),
    "Make sure that every earlier turn reaches the bot, and that it asks back when something is missing.": (
        *("sharded", "ellipsis", "topic-shift", "carry-over"),
    ),
    "Check where its passages come from, and let it weigh them against each other before it answers.": (
        *("add-any", "add-doc", "add-sent", "counterfactual", "distractor", "order", "reasoning-chain"),
    ),
    "Let the bot compare the names, numbers and negations of a question with those of its answer.": (
        *("negate", "antonym", "random-input", "random-input-keep-entities", "confuse-entity"),
    ),
    "Let the bot say that it does not know when nothing supports an answer.": ("unanswerable",),
}


def advice(figures: Figures, fragile: int, recording: str) -> Iterator[tuple[str, str]]:
    """Sentences on what to do, each with a command to run or nothing; `fragile` is how many questions broke."""
    if figures.shrunk:
        return
    questions, found = figures.questions, [one for one in ranked(figures) if one.row.success]
    if questions.wrong + questions.refused > WEAK * questions.asked:
        right = rounded(questions.correct / questions.asked)
        yield f"First fix what it does not know: as asked, it answers {right} of {questions.asked:,} correctly.", ""
    remedies = (_remedy(one.label) for number, one in enumerate(found) if _evident(figures, one, worst=number == 0))
    yield from ((remedy, "") for remedy in dict.fromkeys(remedies) if remedy)
    if fragile:
        yield f"Read {_these(fragile)}; the replay command of an answer shows how its verdict came about.", ""
    if (noise := figures.control) and noise.rated and noise.success >= NOISY * noise.rated:
        yield f"Make the bot answer alike each time: asked again unchanged, it broke {share_of(noise)}.", ""
    if questions.correct < MIN_QUESTIONS:
        yield f"Ask more: rates need {MIN_QUESTIONS} questions that the bot answers correctly.", ""
    else:
        command = f"botattack baseline set {quoted(recording)}"
        yield "Pin this run, so that a nightly run raises the alarm when an answer is lost:", command


def _evident(figures: Figures, one: Rated, *, worst: bool) -> bool:
    """Whether to advise something against an attack: not if chance would explain what it broke; else against the worst
    one, and against others that failed a gate or broke clearly more than the control did."""
    control = figures.attacks.get(CONTROL)
    if one.attack.expect == "same" and by_chance(one.attack, one.row, control_of(figures, one), control):
        return False
    failed = any(gate.failed and gate.attack == one.label for gate in figures.gates)
    compared = one.attack.q is not None or one.row.difference_interval is not None or longer(one.attack, control)
    return worst or failed or compared


def _these(fragile: int) -> str:
    return "the fragile question" if fragile == 1 else f"the {count(fragile, 'fragile question')}"


def _remedy(label: str) -> str:
    """What helps against the attack of a label, or against the last of a chain; empty if nothing is known."""
    name = AttackLabel.parse(label).links[-1].name
    return next((remedy for remedy, names in _REMEDIES.items() if name in names), "")
