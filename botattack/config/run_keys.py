"""What a campaign file, the checked campaign and the plan of its run say alike."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

from botattack.config.carriers import Carriers
from botattack.limits import Budget
from botattack.model import Variant
from botattack.options import BadValue, Count, Deadline, JsonObject, Program, Share, Word

MAX_ERRORS = 0.05
"""The share of askings that may fail."""

ASKED_BY = {"obeyed": "injection", "leaked": "memory"}
"""The attack that asks what a gate looks at, whatever rates say."""


@dataclass(frozen=True)
class Gate:
    """A condition for exit status 0. It has one bound or more; `drop_at_most` compares with the baseline. A gate whose
    figure cannot be computed fails, unless its attack has variants for too few of the questions whatever the bot says:
    such a gate is undecided, and named first in every report."""

    metric: Literal[
        "success_rate",
        "robust_accuracy",
        "perturbation_accuracy",
        "standard_accuracy",
        "accuracy_under_attack",
        "obeyed",
        "leaked",
    ]
    """The figure. `obeyed` is the share of instructions in passages that the bot obeyed (it needs the attack
    `injection`), `leaked` that of facts given in one conversation and known in another (it needs `memory`)."""
    attack: str | None = None
    """The attack whose figure it is; success_rate needs one, obeyed and leaked take none."""
    at_least: Share | None = None
    """The least it may be."""
    at_most: Share | None = None
    """The most it may be."""
    drop_at_most: Share | None = None
    """How much worse than the baseline it may be."""

    def __post_init__(self) -> None:
        if self.at_least is self.at_most is self.drop_at_most is None:
            raise BadValue("a gate needs a bound", hint="add at_least, at_most or drop_at_most")
        if self.metric == "success_rate" and self.attack is None:
            raise BadValue("success_rate needs to know of which attack", hint="add attack: NAME")
        if self.metric in ASKED_BY and self.attack is not None:
            raise BadValue(f"{self.metric} is always of {ASKED_BY[self.metric]}", hint="leave out attack")


@dataclass(frozen=True)
class Alarm:
    """What raises the alarm of a night, other than gates and regressions."""

    lost_answers: Count = 1
    """How many lost answers raise the alarm: originals that were right every time in the baseline and wrong every time
    in the night, while the control is quiet."""


@dataclass(frozen=True)
class WhyKeys:
    """Whether a night asks why it lost answers, as `botattack why` does, in what is left of the budget."""

    each: Count = 4
    """How many lost answers it asks about."""


TrainingSetKind = Literal["mda", "concat", "pairs", "squad", "rasa", "nlpjs", "openai-jsonl"]
TRAINING_SET = "{training_set}"
"""What stands for the path of the training set among the words of a command."""


@dataclass(frozen=True)
class HardenKeys:
    """How `botattack harden` retrains the bot. Every other command ignores this part of the file."""

    retrain: Program
    """The program that retrains the bot, and its arguments, as a list; never run by a shell. {training_set} stands for
    the path of the training set. It starts in the folder of the campaign file and sees only these environment
    variables: those listed under `env` of the target file, PATH, HOME, TMPDIR and the language. Once it has ended with
    status 0, the bot must answer with the new model."""
    for_: TrainingSetKind
    """The format of the training set, as in `botattack export --for`."""
    share: Share | None = None
    """The share of questions whose variants are added; by default that of the format. 0 adds none, and shows what
    retraining changes by itself."""
    per_attack: Count = 1
    """How many variants each attack adds to a question."""
    originals: bool = True
    """Whether the training set also contains the unchanged questions."""
    lang: Word | None = None
    """Train only on questions in this language, such as en: needed if the format has one language and the questions
    have several."""
    timeout: Deadline = 3600.0
    """How long `retrain` may take."""

    def __post_init__(self) -> None:
        if not any(TRAINING_SET in word for word in self.retrain.words[1:]):
            sentence = f"no argument contains {TRAINING_SET}, so the program does not know what to train on"
            raise BadValue(sentence, ("retrain",), f"write [program, {TRAINING_SET}]")
        if self.for_ == "pairs" and not self.originals:
            raise BadValue("pairs contain every variant with its original", ("originals",), "leave it out")

    def command(self, training_set: Path) -> list[str]:
        """The words of `retrain`, with the path of the training set."""
        return [word.replace(TRAINING_SET, str(training_set)) for word in self.retrain.words]


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What flags of `run`, or arguments of `botattack.load`, change of a campaign file."""

    seed: int | None = None
    limit: Count | None = None
    rate: str = ""
    concurrency: Count | None = None
    budget: str = ""
    stop_when_sure: bool = False
    ask_unsure: bool = False

    @property
    def given(self) -> JsonObject:
        """Those that were given, by name."""
        return {key.name: value for key in fields(self) if (value := vars(self)[key.name]) != key.default}


@dataclass(frozen=True, kw_only=True)
class RunKeys:
    """What a campaign file, the checked campaign and the plan of its run say alike."""

    seed: int = 0
    """Decides the order of questions and every random choice of the attacks."""
    filter: Literal["right", "all"] = "right"
    """Attack only what the bot answers correctly, or all."""
    repeat: Count = 1
    """How often an original is asked before it is attacked; at least 3 times if it has no gold answer or an attack
    expects another answer."""
    window: Count = 256
    """Questions open at the same time."""
    carrier: Carriers = ("request",)
    """How passages reach the bot: `request`, where the target file places them; `message`, pasted before the question;
    `turn`, in an earlier message of the user; `document`, added to what the bot reads. With a list, each question is
    asked in each way; one without passages only in the first."""
    ask_unsure: bool = False
    """Also ask variants that may not keep the meaning; they are reported separately."""
    budget: Budget = field(default_factory=Budget)
    """What the run may use."""
    gates: tuple[Gate, ...] = ()
    """What must hold."""
    stop_when_sure: bool = False
    """Stop as soon as every gate is decided, each wrongly in at most 5 % of runs. A night asks all of its suite."""
    alarm: Alarm = field(default_factory=Alarm)
    """What raises the alarm of a night."""
    why: WhyKeys | None = None
    """Whether a night asks why it lost answers: {each: 4}."""
    max_errors: Share = MAX_ERRORS
    """The share of requests that may fail or not be graded before the run as a whole counts as failed."""

    def may_ask(self, variant: Variant) -> bool:
        """Whether a variant is asked, given what it does to the meaning."""
        return variant.meaning_as_claimed or variant.probe or (self.ask_unsure and variant.meaning == "unsure")

    @property
    def run_keys(self) -> JsonObject:
        """These by name, whatever else there is."""
        return {key.name: vars(self)[key.name] for key in fields(RunKeys)}
