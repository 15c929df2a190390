"""A campaign put together in Python: a callable that answers, questions as values, attacks by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botattack.config.campaign import CampaignConfig, QuestionsConfig, build
from botattack.config.checking import Checker
from botattack.config.target import TargetConfig, TargetFile, check_signs
from botattack.config.yaml import Document, Source
from botattack.errors import BotattackError
from botattack.limits import Limits
from botattack.model import Question
from botattack.places import PlaceKind
from botattack.protocols import BadRecord, QuestionReader, Target, TargetKind
from botattack.questions.records import reading, to_question
from botattack.targets.local.callables import Bot
from botattack.targets.local.local_kind import LocalTarget

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
                record = dict(row) if isinstance(row, Mapping) else row
                yield row if isinstance(row, Question) else reading(number, "", to_question, record, {})

        return read


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
    target = bot if isinstance(bot, TargetConfig) else _called(bot, name, refusals, concurrency)
    if isinstance(questions, Path | str):
        asked = QuestionsConfig(Path(questions), limit=limit)
    elif isinstance(rows := _listed(questions), list):
        asked = GivenQuestions(Path("the questions given"), limit=limit, rows=tuple(rows))
    else:
        raise BotattackError(f"the questions are {type(rows).__name__}: give a list of them, or the path of a file")
    given = {"target": target.name, "questions": {"file": "questions", "limit": limit}, "attacks": _listed(attacks)}
    return build(Document(Source("campaign"), {**keys, **given}, {}, {}), Path(), target, None, "", questions=asked)


def _listed(value: object) -> object:
    """A list of what a list may be given as; anything else, such as a text or a mapping, as it is."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str | Mapping) else value


def _called(bot: Callable[..., object], name: str, refusals: object, concurrency: int) -> TargetConfig:
    if not callable(bot):
        raise BotattackError(f"the bot is {type(bot).__name__}: give a callable that takes a text and returns one")
    given = {"connect": {"kind": "local"}, "name": name, "limits": {"rate": "unlimited", "concurrency": concurrency}}
    document = Document(Source("campaign"), {**given, "signs": {"refused": _listed(refusals)}}, {}, {})
    checker = Checker(document)
    raw, options = checker.read(TargetFile, document.value), Called(name, bot)
    check_signs(checker, raw, options)
    raw = checker.sure(raw)
    return TargetConfig(name, Path(name), "local", options, raw.limits, raw.signs, {}, None, True, "", document)
