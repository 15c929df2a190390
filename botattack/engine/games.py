"""A run of games between two bots: its own small loop beside that of questions. Each game is a conversation of two
bots, asked through the same `Asker`, so that pace, budget, deadlines and retries are those of any run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace

from botattack.config.games import GamesConfig
from botattack.engine.ask import Answer, Asker, Hears
from botattack.engine.clock import Clock
from botattack.engine.ending import Ending
from botattack.engine.pacing.laws import law_for
from botattack.engine.pacing.pacer import Pacer
from botattack.engine.purse import WHOLE_AGAIN
from botattack.engine.running import LOST
from botattack.errors import BotattackError, Excerpt, RunStopped, withheld
from botattack.events import Event, RunEnded
from botattack.games.events import Dealt, GameBegun, GameEnded, GameEvent, GamesStarted, GameTurn
from botattack.games.friends import Deal
from botattack.games.game import MutualFriends
from botattack.games.strategies import Strategy
from botattack.model import Exchange, Prompt, Reply, Unit, content_id
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


class Played:
    """What a recording says was played before: a resumed run emits nothing twice."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.keys: set[str] = set()
        self.elapsed = 0.0
        for event in events:
            self.keys.add(event.key)
            self.elapsed = max(self.elapsed, event.at)

    def begun(self, game: int, strategy: Strategy) -> int:
        """How often a game broke off."""
        number = 0
        while GameBegun(game=game, strategy=strategy, begun=number).key in self.keys:
            number += 1
        return number


class Games:
    """Plays all games once, inside a running loop. Every event goes to every sink before anything is built on it."""

    def __init__(
        self,
        config: GamesConfig,
        run: str,
        started: str,
        bots: tuple[Target, Target],
        sinks: Sequence[Callable[[GameEvent], None]],
        *,
        clock: Clock,
        past: Played | None = None,
        excerpt: Excerpt = withheld,
        conclude: Callable[[], Ending] = lambda: Ending(0, "all games were played"),
    ) -> None:
        """`excerpt` is what failures show of the bots' words; `conclude` says how a run ends that nothing stopped."""
        self._config = config
        self._limits = limits = config.limits
        self._run, self._started = run, started
        self._sinks = sinks
        self._clock = clock
        self._conclude = conclude
        self._past = past or Played()
        self._began = clock.now()
        pacer = Pacer(limits, clock, law_for(limits))
        budget = config.keys.budget
        self._asker = Asker(Seats(*bots), pacer, limits, budget, clock, tell=lambda *_: None, excerpt=excerpt)

    async def run(self, interrupted: asyncio.Event | None = None) -> Ending:
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
            ending = await self._played(interrupted or asyncio.Event())
        except BotattackError as error:
            ending = Ending(error.exit_status, str(error))
        self._emit(
            RunEnded,
            exit=ending.exit,
            why=ending.why,
            seconds=round(self._clock.now() - self._began, 3),
            gates=ending.gates,
            **self._asker.spent.used,
        )
        return ending

    async def _played(self, interrupted: asyncio.Event) -> Ending:
        """Raises what ends the run before its time."""
        coming = self._coming()
        workers = [asyncio.ensure_future(self._work(coming)) for _ in range(self._limits.concurrency)]
        ends: list[asyncio.Future[Any]] = [asyncio.gather(*workers)]
        ends += map(asyncio.ensure_future, (interrupted.wait(), self._time_out()))
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in done:
                end.result()
            return Ending(130, "interrupted") if interrupted.is_set() else self._conclude()
        finally:
            for task in (*workers, *ends):
                task.cancel()
            await asyncio.gather(*workers, *ends, return_exceptions=True)

    async def _time_out(self) -> None:
        if (seconds := self._config.keys.budget.seconds) is None:
            await asyncio.Event().wait()
        else:
            await self._clock.sleep(seconds)
            raise RunStopped(f"the budget of {seconds:g} s is used up; {WHOLE_AGAIN}")

    def _coming(self) -> Iterator[tuple[int, Deal, Strategy]]:
        """The games that are still to be played: of each deal all strategies, one after the other."""
        for game in range(self._config.keys.games):
            keys = {one: GameEnded(game=game, strategy=one).key for one in self._config.strategies}
            left = [one for one, key in keys.items() if key not in self._past.keys]
            if left:
                deal = self._config.deal(game)
                self._emit(Dealt, game=game, deal=deal)
                yield from ((game, deal, strategy) for strategy in left)

    async def _work(self, coming: Iterator[tuple[int, Deal, Strategy]]) -> None:
        for game, deal, strategy in coming:
            begun = self._past.begun(game, strategy)
            if begun and not self._limits.idempotent:
                answer = LOST
            else:
                answer = await self._asker.ask(self._unit(game, deal, strategy, begun), self._hears(game, strategy))
            self._tell_ended(game, strategy, answer)

    def _unit(self, game: int, deal: Deal, strategy: Strategy, begun: int) -> Unit:
        """The same bots with the same seeds play a deal under every strategy."""
        seed = int(content_id("game", self._config.keys.seed, game), 16)
        play = MutualFriends(deal, strategy).played(seed)
        name = content_id("game", play)
        return Unit((), 0, seed, name, play, run=self._run, begun=begun)

    def _hears(self, game: int, strategy: Strategy) -> Hears:
        """A game is recorded turn by turn."""

        def begun(number: int) -> None:
            self._emit(GameBegun, game=game, strategy=strategy, begun=number)

        def said(number: int, turn: int, exchange: Exchange, requests: int) -> None:
            heard, reply = exchange.prompt.text, exchange.reply.text
            place = {"game": game, "strategy": strategy, "begun": number, "turn": turn}
            self._emit(GameTurn, **place, heard=heard, said=reply, requests=requests)

        return Hears(None, begun, said)

    def _tell_ended(self, game: int, strategy: Strategy, answer: Answer) -> None:
        self._emit(
            GameEnded,
            game=game,
            strategy=strategy,
            heard=tuple([turn.text for turn in answer.turns]),
            replies=answer.replies,
            failure=answer.failure,
            attempts=answer.attempts,
        )

    def _emit(self, make: Callable[..., GameEvent], /, **fields: Any) -> None:
        event = make(at=round(self._past.elapsed + self._clock.now() - self._began, 6), **fields)
        if not event.key or event.key not in self._past.keys:
            for sink in self._sinks:
                sink(event)
