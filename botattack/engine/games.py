"""A run of games between two bots: its own small loop beside that of questions. Each game is a conversation of two
bots, asked through the same `Asker`, so that pace, budget, deadlines and retries are those of any run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from typing import Any

from msgspec.structs import replace

from botattack.config.games import GamesConfig
from botattack.engine.ask import Asker, Hears
from botattack.engine.clock import loop_clock
from botattack.engine.ending import Ending, cancelled
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer
from botattack.engine.purse import WHOLE_AGAIN
from botattack.engine.running import LOST
from botattack.errors import BotattackError, Excerpt, RunStopped, withheld
from botattack.events import RunEnded
from botattack.games.events import GameBegun, GameEnded, GameEvent, GamesStarted
from botattack.games.friends import Deal
from botattack.games.game import MutualFriends, Strategy
from botattack.model import Prompt, Reply, Unit, content_id
from botattack.protocols import Pace, Session, Target


class Seats(Target):
    """Two bots as one: each turn of a conversation goes to the bot whose turn it is, in a session of its own. Both may
    be the same bot."""

    def __init__(self, first: Target, second: Target) -> None:
        self.name = first.name if first is second else f"{first.name} and {second.name}"
        self._bots = first, second
        self.signs = first.signs and second.signs and first.signs + second.signs

    @asynccontextmanager
    async def session(self, unit: Unit, pace: Pace) -> AsyncIterator[_Table]:
        one, other = (
            replace(unit, variant_id=f"{unit.variant_id}-{seat}", seed=int(content_id("seat", unit.seed, seat), 16))
            for seat in range(2)
        )
        async with self._bots[0].session(one, pace) as first, self._bots[1].session(other, pace) as second:
            yield _Table((first, second))


class _Table:
    def __init__(self, players: tuple[Session, Session]) -> None:
        self._players = players
        self._turn = 0

    async def ask(self, prompt: Prompt) -> Reply:
        player = self._players[self._turn % 2]
        self._turn += 1
        return await player.ask(prompt)


class Games:
    """Plays all games once, inside a running loop. Every event is recorded before anything is built on it."""

    def __init__(
        self,
        config: GamesConfig,
        run: str,
        started: str,
        bots: tuple[Target, Target],
        record: Callable[[GameEvent], None],
        *,
        past: Mapping[str, float],
        excerpt: Excerpt = withheld,
    ) -> None:
        """`past` has the keys of what was recorded before, with their times: a resumed run records nothing twice.
        `excerpt` is what failures show of the bots' words."""
        self._config, self._record, self._past = config, record, past
        self._run, self._started = run, started
        self._limits = limits = config.limits
        self._clock = clock = loop_clock()
        self._began = clock.now()
        self._before = max(past.values(), default=0.0)
        pacer = Pacer(limits, clock, law_for(limits))
        self._asker = Asker(
            Seats(*bots), pacer, limits, config.keys.budget, clock, tell=lambda *_: None, excerpt=excerpt
        )

    async def run(self, interrupted: asyncio.Event, conclude: Callable[[], Ending]) -> Ending:
        """Plays to the end, or until `interrupted`; a game that is open then begins again once the run is resumed."""
        config = self._config
        self._emit(
            GamesStarted,
            run=self._run,
            target=config.target.name,
            partner=config.partner.name if config.partner else "",
            started=self._started,
            seed=config.keys.seed,
            total=config.keys.games,
            turns=self._limits.turns,
            strategies=config.strategies,
        )
        try:
            ending = await self._played(interrupted) or conclude()
        except BotattackError as error:
            ending = Ending(error.exit_status, str(error))
        seconds = round(self._clock.now() - self._began, 3)
        self._emit(RunEnded, exit=ending.exit, why=ending.why, seconds=seconds, **self._asker.spent.used)
        return ending

    async def _played(self, interrupted: asyncio.Event) -> Ending | None:
        """How the run ended before its time, None if it did not; raises what went wrong."""
        coming, seconds = self._coming(), self._config.keys.budget.seconds
        workers = [asyncio.ensure_future(self._work(coming)) for _ in range(self._limits.concurrency)]
        over: asyncio.Future[Any] = asyncio.gather(*workers)
        stop: asyncio.Future[Any] = asyncio.ensure_future(interrupted.wait())
        try:
            await asyncio.wait([over, stop], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if over.done():
                over.result()
            elif not stop.done():
                raise RunStopped(f"the budget of {seconds:g} s is used up; {WHOLE_AGAIN}")
            return Ending(130, "interrupted") if stop.done() else None
        finally:
            await cancelled([*workers, over, stop])

    def _coming(self) -> Iterator[tuple[int, Deal, Strategy]]:
        """The games that are still to be played: of each deal all strategies, one after the other."""
        for game in range(self._config.keys.games):
            deal = self._config.deal(game)
            for strategy in self._config.strategies:
                if f"ended {game} {strategy}" not in self._past:
                    yield game, deal, strategy

    async def _work(self, coming: Iterator[tuple[int, Deal, Strategy]]) -> None:
        for game, deal, strategy in coming:
            emit = partial(self._emit, game=game, strategy=strategy)
            # The same bots with the same seeds play a deal under every strategy.
            seed = int(content_id("game", self._config.keys.seed, game), 16)
            play = MutualFriends(deal, strategy).played(seed)
            begun = next(number for number in count() if f"begun {game} {strategy} {number}" not in self._past)
            unit = Unit((), 0, seed, content_id("game", play), play, run=self._run, begun=begun)
            answer = LOST
            if self._limits.idempotent or not begun:
                answer = await self._asker.ask(unit, Hears(begun=_begins(emit)))
            heard = tuple([turn.text for turn in answer.turns])
            came = {"replies": answer.replies, "failure": answer.failure, "attempts": answer.attempts}
            emit(GameEnded, deal=deal, heard=heard, **came)

    def _emit(self, make: Callable[..., GameEvent], /, **fields: object) -> None:
        event = make(at=round(self._before + self._clock.now() - self._began, 6), **fields)
        if not event.key or event.key not in self._past:
            self._record(event)


def _begins(emit: Callable[..., None]) -> Callable[[int], None]:
    return lambda number: emit(GameBegun, begun=number)
