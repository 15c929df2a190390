"""What a campaign file says of hardening: the training set that is made of what broke, and what retrains the bot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from botattack.options import BadValue, Count, Deadline, Program, Share, Word

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
    unsupported: Word = "leave-out"
    """What variants teach whose passages no longer have the answer, as in `botattack export --unsupported`."""
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
