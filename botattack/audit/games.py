"""Runs of games: opens the bots, writes the recording, and plays, or reads what was played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from botattack.audit.connection import connection_of
from botattack.audit.job import RunSettings, address_of, begun, make_folder, masked
from botattack.audit.secrets import redactor_of
from botattack.closing import IN_ALL, in_time
from botattack.config.games import GamesConfig
from botattack.config.run_keys import MAX_ERRORS
from botattack.engine.ending import Ending
from botattack.engine.games import Games
from botattack.games.events import GameEvent, decode_game
from botattack.interrupts import hearing_interrupts
from botattack.protocols import Target
from botattack.recordings import manifest, sealing
from botattack.recordings.locks import asking
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import lines
from botattack.recordings.writer import Recorder
from botattack.report.figures.games import GamesFigures, GamesFold

Sink = Callable[[GameEvent], None]


class GamesResult(NamedTuple):
    """The result of a run of games: figures, ending, and the folder of its recording."""

    figures: GamesFigures
    ending: Ending
    recording: Path


def recorded(recording: Path) -> Iterator[GameEvent]:
    """The events of a recording of games; raises RecordingError."""
    manifest.read(recording, games=True)
    return lines(recording, decode_game)


def play_games(
    config: GamesConfig,
    settings: RunSettings,
    *,
    sinks: Sequence[Sink] = (),
    waiting: Callable[[str], None] | None = None,
    signals: bool = True,
) -> GamesResult:
    """Plays all games, or those that a recording to resume has not. Raises RecordingError for another run than that,
    and if another process asks one of the bots, unless `waiting` is there to hear of the wait. `signals`: Ctrl-C ends
    the run so that it can be resumed."""
    addresses = {address for bot in config.bots if (address := address_of(bot))}
    fold = GamesFold()
    with ExitStack() as stack:
        # In one order everywhere: two processes that each hold a bot the other waits for would wait for ever.
        for address in sorted(addresses, key=lambda address: address.place):
            stack.enter_context(asking(address, waiting=waiting))
        opened = [bot.open() for bot in config.bots]
        redactor = redactor_of(config.target, opened[0], list(zip(config.bots[1:], opened[1:], strict=True)))
        made = masked(_manifest(config, settings.command), redactor)
        folder = settings.resume or settings.recordings / made.run
        past: dict[str, float] = {}
        if settings.resume:
            made, new = manifest.read(folder, games=True), made
            manifest.refuse_difference(made, new)
            for event in recorded(folder):
                # Those who count games count all of the run.
                for sink in (fold.update, *sinks):
                    sink(event)
                past[event.key] = event.at
        else:
            make_folder(folder, made)
        recorder = stack.enter_context(Recorder(folder, redactor, [fold.update, *sinks], read=decode_game))

        async def played() -> Ending:
            loop, interrupted = asyncio.get_running_loop(), asyncio.Event()
            async with AsyncExitStack() as closing:
                for target in opened:
                    closing.push_async_callback(_close, target)
                if signals:
                    wake = partial(loop.call_soon_threadsafe, interrupted.set)
                    closing.enter_context(hearing_interrupts(lambda _: wake()))
                bots, excerpt = (opened[0], opened[-1]), redactor.mask.excerpt
                games = Games(config, made.run, made.started, bots, recorder, past=past, excerpt=excerpt)
                return await games.run(interrupted, lambda: _concluded(fold.value()))

        ending = asyncio.run(played())
    sealing.add(folder)
    return GamesResult(fold.value(), replace(ending, why=redactor.text(ending.why)), folder)


def _concluded(figures: GamesFigures) -> Ending:
    """0 if hardly any game ended in an error."""
    if figures.errors > MAX_ERRORS * figures.over:
        return Ending(1, f"{figures.errors} of {figures.over} games ended in an error")
    return Ending(0, "all games are over")


def _manifest(config: GamesConfig, command: Sequence[str]) -> Manifest:
    connections = {"partner": connection_of(config.partner) if config.partner else None}
    settings = {manifest.GAMES: config.settings, **connections, manifest.CONNECTION: connection_of(config.target)}
    return begun(config.target, config.keys.seed, settings=settings, digests={}, command=list(command))


async def _close(target: Target) -> None:
    await in_time(target.close(), IN_ALL)
