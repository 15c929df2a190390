"""A campaign put together in Python: a callable that answers, questions as values, attacks by name."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botattack.config.campaign import CampaignConfig, QuestionsConfig, build
from botattack.config.target import TargetConfig, read_name
from botattack.config.yaml import Document, Source
from botattack.limits import Limits
from botattack.model import Question
from botattack.places import PlaceKind
from botattack.protocols import BadRecord, QuestionReader, Target, TargetKind
from botattack.questions.records import reading, to_question
from botattack.targets.local.callables import Bot
from botattack.targets.local.local_kind import LocalTarget
from botattack.targets.messages.signs import Signs

GivenQuestion = Question | Mapping[str, Any] | str


@dataclass(frozen=True)
class Called(TargetKind):
    """A callable of this process that is there already: no file names it, so nothing has to be trusted."""

    name: str
    function: Callable[..., Any] = field(repr=False, compare=False)

    def target(self, name: str, env: Mapping[str, str], folder: Path) -> Target:
        del env, folder
        return LocalTarget(name, self._bot)

    def hosts(self, env: Mapping[str, str]) -> Mapping[tuple[str | int, ...], str]:
        """None that botattack asks: what the code itself asks is up to whoever wrote it."""
        del env
        return {}

    def carries(self, folder: Path) -> frozenset[PlaceKind]:
        del folder
        return self._bot.carries

    @property
    def _bot(self) -> Bot:
        return Bot(self.name, self.function, inspect.isclass(self.function), {})


@dataclass(frozen=True)
class GivenQuestions(QuestionsConfig):
    """Questions that are there already."""

    rows: tuple[GivenQuestion, ...] = ()

    def reader(self) -> QuestionReader:
        def read(path: Path) -> Iterator[Question | BadRecord]:
            del path
            for number, row in enumerate(self.rows, 1):
                yield row if isinstance(row, Question) else _read(number, row)

        return read


def _read(number: int, row: Mapping[str, object] | str) -> Question | BadRecord:
    record = row if isinstance(row, str) else dict(row)
    return reading(number, "", to_question, record, {})


def campaign(
    bot: Callable[..., object] | TargetConfig,
    questions: Iterable[GivenQuestion] | Path | str,
    attacks: Sequence[str | Mapping[str, object]],
    *,
    name: str = "bot",
    refusals: Sequence[str] = (),
    concurrency: int = Limits.concurrency,
    limit: int | None = None,
    **keys: object,
) -> CampaignConfig:
    """A campaign without files.

    `bot` answers a text with a text; it may be `async`, and a class is called once for each conversation. `questions`
    are texts, mappings as in a line of a JSON Lines file, `Question`s, or the path of a question file.
    `attacks` and the other `keys` are as a campaign file has them, such as seed, match, gates or budget.
    Raises ConfigError with all problems.
    """
    read_name(name)
    target = bot if isinstance(bot, TargetConfig) else _called(bot, name, tuple(refusals), concurrency)
    if isinstance(questions, Path | str):
        asked = QuestionsConfig(Path(questions), limit=limit)
    else:
        asked = GivenQuestions(Path("the questions given"), limit=limit, rows=tuple(questions))
    value = {**keys, "target": target.name, "questions": {"file": "questions"}, "attacks": list(attacks)}
    return build(Document(Source("campaign"), value, {}, {}), Path(), target, None, "", questions=asked)


def _called(bot: Callable[..., object], name: str, refusals: tuple[str, ...], concurrency: int) -> TargetConfig:
    if not callable(bot):
        raise TypeError(f"the bot is {type(bot).__name__}: give a callable that takes a text and returns one")
    document = Document(Source(name), {"connect": {"kind": "local"}}, {}, {})
    limits = Limits(rate=math.inf, concurrency=concurrency)
    options = Called(name, bot)
    return TargetConfig(name, Path(name), "local", options, limits, Signs(refusals), {}, None, True, "", document)
