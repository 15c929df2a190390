"""Runs of games: opens the bots, writes the recording, and plays, or reads what was played."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from botattack.audit.connection import connection_of
from botattack.audit.job import RunSettings, address_of, masked
from botattack.audit.secrets import redactor_of
from botattack.closing import IN_ALL, in_time
from botattack.config.games import GamesConfig
from botattack.config.run_keys import MAX_ERRORS
from botattack.engine.clock import loop_clock
from botattack.engine.ending import Ending
from botattack.engine.games import Games, Played
from botattack.errors import RecordingError
from botattack.games.events import GameEvent, decode_game
from botattack.interrupts import hearing_interrupts
from botattack.protocols import Target
from botattack.recordings import manifest, sealing
from botattack.recordings.locks import asking
from botattack.recordings.manifest import Manifest
from botattack.recordings.reader import lines
from botattack.recordings.writer import Recorder
from botattack.report.figures.games import GamesFigures, GamesFold, checked, games_figures
from botattack.version import __version__

Sink = Callable[[GameEvent], None]


class GamesResult(NamedTuple):
    """The result of a run of games: figures, ending, and the folder of its recording."""

    figures: GamesFigures
    ending: Ending
    recording: Path


def replay_games(recording: Path) -> GamesFigures:
    """The figures of a recording of games; raises RecordingError."""
    manifest.read(recording, games=True)
    return games_figures(recorded(recording))


def recorded(recording: Path) -> Iterator[GameEvent]:
    """The events of a recording of games; raises RecordingError."""
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
        first, *rest = opened = [bot.open() for bot in config.bots]
        redactor = redactor_of(config.target, first, list(zip(config.bots[1:], rest, strict=True)))
        made, folder = _begun(masked(_manifest(config, settings.command), redactor), settings)
        past = Played(_recalled(folder, fold)) if settings.resume else None
        recorder = stack.enter_context(Recorder(folder, redactor, [fold.update, *sinks], read=decode_game))
        bots = opened[0], opened[-1]

        def games() -> Games:
            excerpt = redactor.mask.excerpt
            return Games(
                *(config, made.run, made.started, bots, [recorder]),
                clock=loop_clock(),
                past=past,
                excerpt=excerpt,
                conclude=lambda: concluded(config, fold.value()),
            )

        ending = asyncio.run(_played(games, opened, signals=signals))
    sealing.add(folder)
    return GamesResult(fold.value(), replace(ending, why=redactor.text(ending.why)), folder)


def concluded(config: GamesConfig, figures: GamesFigures) -> Ending:
    """0 if every gate held and hardly any game ended in an error."""
    if figures.errors > MAX_ERRORS * figures.over:
        return Ending(1, f"{figures.errors} of {figures.over} games ended in an error")
    gates = tuple(gate.held for gate in config.keys.gates)
    failed = [gate.sentence for gate in checked(gates, figures) if gate.failed]
    return Ending(1, "; ".join(failed), gates) if failed else Ending(0, "all games were played", gates)


def _begun(made: Manifest, settings: RunSettings) -> tuple[Manifest, Path]:
    """The manifest of the recording, and its folder, which is there from now on."""
    folder = settings.resume or settings.recordings / made.run
    if settings.resume:
        old = manifest.read(folder, games=True)
        manifest.refuse_difference(old, made)
        return old, folder
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        manifest.write(folder, made)
    except OSError as error:
        raise RecordingError(f"{folder}: the recording cannot be made: {error.strerror}") from None
    return made, folder


def _recalled(folder: Path, fold: GamesFold) -> Iterator[GameEvent]:
    for event in recorded(folder):
        fold.update(event)
        yield event


def _manifest(config: GamesConfig, command: Sequence[str]) -> Manifest:
    now = datetime.now(UTC)
    address = address_of(config.target)
    settings = {
        manifest.GAMES: config.settings,
        "partner": connection_of(config.partner) if config.partner else None,
        manifest.CONNECTION: connection_of(config.target),
    }
    return Manifest(
        run=f"{now:%Y%m%dT%H%M%SZ}-{config.target.name}-{secrets.token_hex(4)}",
        target=config.target.name,
        started=now.isoformat(timespec="seconds"),
        seed=config.keys.seed,
        settings=settings,
        digests={},
        command=list(command),
        botattack=__version__,
        address=address.key if address else "",
        target_file=str(config.target.path),
    )


async def _played(games: Callable[[], Games], opened: Sequence[Target], *, signals: bool) -> Ending:
    loop, interrupted = asyncio.get_running_loop(), asyncio.Event()
    async with AsyncExitStack() as stack:
        for target in opened:
            stack.push_async_callback(_close, target)
        if signals:
            stack.enter_context(hearing_interrupts(lambda _: loop.call_soon_threadsafe(interrupted.set)))
        return await games().run(interrupted)


async def _close(target: Target) -> None:
    await in_time(target.close(), IN_ALL)
