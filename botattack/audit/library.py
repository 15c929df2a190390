"""What `import botattack` offers: campaigns run, recordings replayed and replies judged from Python.

Nothing here prints, handles signals, or changes anything except the recording that it writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from botattack.audit.conduct import conduct_async
from botattack.audit.fleet.leading import lead, result_of
from botattack.audit.games import GamesResult, play_games
from botattack.audit.job import WHOLE, RunSettings, Shard, prepare
from botattack.audit.language_parts import parts_of
from botattack.audit.replays.replaying import today
from botattack.audit.replays.shares import ReplaySettings
from botattack.audit.result import Result, replayed
from botattack.audit.stage import Stage, View
from botattack.cases import cases
from botattack.config.campaign import CampaignConfig, load_campaign
from botattack.config.checking import Checker
from botattack.config.flags import with_flags
from botattack.config.games import GamesConfig
from botattack.config.plugs import matcher_from, with_weights
from botattack.config.run_keys import Changes
from botattack.config.yaml import Document, Source
from botattack.engine.ask import Answer
from botattack.engine.judging import Judging
from botattack.errors import BotattackError
from botattack.matchers.judge import Judge
from botattack.matchers.own import OwnReference
from botattack.matchers.weights import read_weights
from botattack.model import GoldAnswer, Question, Reply, Verdict
from botattack.recordings import manifest
from botattack.recordings.triage import marked_events
from botattack.report.training_sets import exporting
from botattack.report.training_sets.exporting import Exported, order_of
from botattack.text.boilerplate import Boilerplate

RECORDINGS = Path("recordings")


def load(
    path: Path | str, *, allow_code: bool = False, environ: Mapping[str, str] | None = None, **changes: Any
) -> CampaignConfig:
    """A campaign file with its target file, read and checked.

    `changes` are what flags of `botattack run` can change: seed, limit, rate, concurrency, budget,
    stop_when_sure, ask_unsure. Raises ConfigError with all problems of both files, and TrustRefused if they
    need a permission.
    """
    checker = Checker(Document(Source("load"), changes, {}, {}))
    changed = checker.sure(checker.read(Changes, changes))
    return with_flags(load_campaign(Path(path), allow_code=allow_code, environ=environ), changed)


def run(campaign: CampaignConfig, **options: Any) -> Result:
    """Runs a campaign to its end; `options` are those of `run_async`. Inside a running event loop, await that."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run_async(campaign, **options))
    raise BotattackError(
        "botattack.run starts an event loop, and one is running here already; "
        "write: result = await botattack.run_async(campaign)"
    )


async def run_async(
    campaign: CampaignConfig,
    *,
    recordings: Path | str = RECORDINGS,
    resume: Path | str | None = None,
    fail_fast: bool = False,
    shard: Shard = WHOLE,
    on: str = "",
    views: Sequence[View] = (),
) -> Result:
    """Runs a campaign: asks the bot, attacks what it answers correctly, and records everything below `recordings`.

    `resume` is the recording of this run to continue. `on` names several workers as `botattack run --on` does:
    local:4; the campaign must come from `load`, and its file be one they can read.
    A run that was ended by a gate, a budget or the bot has a result, too: see its `exit` and `why`. Raises
    BotattackError if it cannot begin.
    """
    if not isinstance(campaign, CampaignConfig):
        raise BotattackError(f"{campaign!r} is no campaign; write botattack.run(botattack.load(PATH))")
    if not (isinstance(shard, tuple) and len(shard) == 2 and 1 <= shard[0] <= shard[1]):
        raise BotattackError(f"shard is {shard!r}; write it like (2, 4): the second of four parts")
    job = prepare(campaign, replace(_settings(recordings, resume), fail_fast=fail_fast, shard=shard))
    stage = Stage(job, views)
    if on:
        return await _on_workers(stage, on)
    await conduct_async(stage)
    return stage.result()


def _settings(recordings: Path | str, resume: Path | str | None) -> RunSettings:
    return RunSettings(recordings=Path(recordings), resume=Path(resume) if resume else None)


async def _on_workers(stage: Stage, on: str) -> Result:
    stopped = Event()
    running = asyncio.create_task(asyncio.to_thread(lead, stage, on, interrupted=stopped.is_set))
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        stopped.set()
        await running
        raise
    return result_of(stage)


def play(games: GamesConfig, *, recordings: Path | str = RECORDINGS, resume: Path | str | None = None) -> GamesResult:
    """Lets two bots play the games of a file that `load_games` read. `resume` is the recording to continue. Raises
    BotattackError if it cannot begin; not inside a running event loop."""
    return play_games(games, _settings(recordings, resume), signals=False)


def replay(
    recording: Path | str,
    *,
    reextract: bool = False,
    target: Path | str | None = None,
    allow_code: bool = False,
    judge: Path | str | None = None,
    jobs: int = 1,
) -> Result:
    """Judges a recorded run again with this version's judge; no bot is asked. `changes` of the result are the verdicts
    that differ now.

    `reextract` also finds the answer in every raw reply again, as the target file says now; `target` is that file, if
    it has moved. `judge` is a file of weights to use instead of those that the campaign names. `jobs` is how many
    processes judge; the result is the same with any number. Raises RecordingError.
    """
    settings = ReplaySettings(
        reextract=reextract,
        target=Path(target) if target else None,
        allow_code=allow_code,
        judge=Path(judge) if judge else None,
        jobs=jobs,
    )
    as_of = today(Path(recording), settings)
    result, _ = replayed(Path(recording), as_of)
    as_of.check()
    return result


def export(recording: Path | str, kind: str, file: Path | str, **options: Any) -> Exported:
    """Writes a training set from the questions and variants of a run, and next to it a file that says where each row
    comes from.

    `kind` is mda, concat, pairs, squad, rasa, nlpjs or openai-jsonl. The `options` are those of `botattack export`:
    `share`, from 0 to 1, is that of the questions whose variants are added, by default what the kind's paper says;
    `half` is which half of the questions is written, train, test or all; `originals` is whether unchanged questions
    are, too; then `per_attack`, `seed` and `lang`. Raises BotattackError if there is nothing to write.
    """
    order = order_of(kind, **options)
    recording = Path(recording)
    run = manifest.read(recording).run
    return exporting.export(run, lambda: cases(marked_events(recording)), kind, order, Path(file))


def judge(
    question: str,
    reply: str,
    answers: Sequence[str] | str = (),
    *,
    before: Sequence[str] | str = (),
    match: object = None,
    refusals: Sequence[str] = (),
    boilerplate: Sequence[str] = (),
    passages: Sequence[str] = (),
    lang: str = "en",
    weights: Path | str | None = None,
) -> Verdict:
    """Judges one reply: correct, wrong, refused or unsure, with the probability that a reader would call it correct,
    the reason, and the part of the reply that decided.

    `answers` are the gold answers: any one of them is enough. Without one, the reply is compared with `before`, the
    bot's own earlier replies to the question. `match`, `refusals` and `boilerplate` are written as in the files;
    `weights` is a file written by `botattack judge fit`.
    """
    given = answers, before, refusals, boilerplate, passages
    answers, before, refusals, boilerplate, passages = ((each,) if isinstance(each, str) else each for each in given)
    if wrong := [one for one in (question, reply, *answers, *before) if not isinstance(one, str)]:
        raise BotattackError(f"judge compares texts, and {wrong[0]!r} is none; write it as a text")
    if not any(answers) and not any(before):
        raise BotattackError("judge has nothing to compare the reply with; give it answers=[…], or before=[…]")
    matcher = with_weights(matcher_from(match, "match"), read_weights(Path(weights)) if weights else None)
    judging = Judging(
        Judge(matcher, tuple(refusals)),
        OwnReference(refusals=tuple(refusals)),
        Boilerplate(tuple(boilerplate), tuple(refusals)),
    )
    asked = Question(question, tuple(map(GoldAnswer, answers)), tuple(passages), lang=lang)
    answer = Answer((Reply(reply),), None, ())
    needs = judging.needs(asked, [answer])
    handlers = parts_of([], judging.parts).handlers if needs else {}
    return judging.variant(
        asked,
        answer,
        expect="same",
        own={0: tuple(map(Reply, before))},
        met={need.id: handlers[need.kind].meet([need.payload])[0] for need in needs},
    ).verdict
