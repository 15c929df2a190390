"""One conversation on a page: a message is sent, seen to arrive, and its answer watched until it has settled."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from botattack.errors import BrokenReply, ExtractionFailed, TargetError, TimedOut
from botattack.model import Prompt, Reply, Turn, Unit
from botattack.protocols import Pace
from botattack.targets.browser.page import POLL, Page, step_place
from botattack.targets.browser.page_options import PageOptions
from botattack.targets.browser.recorded import BETWEEN, MAX_HTML, PageRow, Settling, changes, raw_of, together
from botattack.targets.messages.placed_values import place_values, session_id
from botattack.targets.messages.quiet import AwakeClock
from botattack.targets.messages.selectors import excerpt

NAMES = frozenset({"history", "messages", "passages", "uuid"})


@dataclass
class _Before:
    """What the page showed before a message was sent."""

    messages: int
    done: int
    echoes: int
    busy: int
    lines: frozenset[str]


@dataclass
class _Watch:
    """What is seen of one answer. Times are seconds since the message was sent, without those for which the machine
    stood still, and the page with it."""

    settling: Settling
    clock: AwakeClock
    began: float
    rows: list[PageRow] = field(default_factory=list)
    arrived: bool = False
    sent: float = 0.0
    """When it was sent last."""
    times: int = 1

    def see(self, row: PageRow) -> bool:
        self.rows.append(row)
        if len(self.rows) > 400:
            self.rows = changes(self.rows)
        return self.settling.see(row)

    def now(self) -> float:
        return self.clock.now() - self.began


class Conversation:
    """One conversation on one page."""

    def __init__(self, page: Page, options: PageOptions, env: Mapping[str, str], unit: Unit, pace: Pace) -> None:
        self.page = page
        self._options = options
        self._env = env
        self._unit = unit
        self._id = session_id(unit)
        self._pace = pace
        self._turns: tuple[Turn, ...] = ()

    async def begin(self, steps: Literal["login", "open", "reset"]) -> None:
        await self.page.do(getattr(self._options, steps), steps, self._values(Prompt("")), self._pace)

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError that names the place in the target file, where one is to blame."""
        if self._options.history == "ask" and not self._turns:
            for turn in prompt.history:
                if turn.speaker == "user":
                    await self._ask(Prompt(turn.text))
        return await self._ask(prompt)

    async def _ask(self, prompt: Prompt) -> Reply:
        before = await self._before(prompt)
        with AwakeClock() as clock:
            watch = self._watch(before, clock, await self._send(prompt, clock))
            async with self.page.failing("connect.answer", delivered=None):
                await self._wait(watch, before, prompt)
                await self._linger(watch)
        async with self.page.failing("connect.answer", delivered=None):
            reply = await self._reply(watch, before, prompt)
        self._turns += (Turn("user", prompt.text), Turn("bot", reply.text))
        self._remark(watch, reply)
        return reply

    def _remark(self, watch: _Watch, reply: Reply) -> None:
        """Tells what looks wrong though an answer came."""
        rule, tell = self._options.settled, self.page.tell
        if rule.gone and not any(row.busy for row in watch.rows):
            tell("note", f"the busy sign {rule.gone!r} was never visible: too fast to be seen, or the wrong selector")
        if not watch.arrived:
            tell("note", "the sent message never showed up on the page: set connect.confirm to 0s")
        if watch.times > 1:
            tell("note", "the message had to be sent twice: let connect.open wait until the page is ready")
        if reply.fields:
            tell("note", "the text changed after it had settled: raise connect.settled.quiet")

    async def _before(self, prompt: Prompt) -> _Before:
        options = self._options
        async with self.page.failing("connect.answer"):
            return _Before(
                len(await self.page.messages()),
                await self.page.shown(options.settled.done),
                await self.page.echoes(prompt.text),
                await self.page.shown(options.settled.gone),
                frozenset(await self.page.lines()),
            )

    async def _send(self, prompt: Prompt, clock: AwakeClock) -> float:
        """The moment just before the last step, the one that sends."""
        *first, last = self._options.ask
        values = self._values(prompt)
        if all(step.goto is None for step in self._options.ask):  # a page that is opened asks for leave itself
            await self._pace.leave()
        await self.page.do(tuple(first), "ask", values, self._pace)
        sent = clock.now()
        await self.page.step(last, step_place("ask", len(first)), values, self._pace)
        return sent

    def _watch(self, before: _Before, clock: AwakeClock, sent: float) -> _Watch:
        rule = self._options.settled
        settling = Settling(rule.quiet, rule.gone is not None, rule.done is not None, before.messages, before.done)
        return _Watch(settling, clock, sent, arrived=before.echoes < 0 or self._options.confirm == 0)

    async def _wait(self, watch: _Watch, before: _Before, prompt: Prompt) -> None:
        """Until the answer has settled; raises where it does not in time."""
        while not watch.see(await self._look(watch, before)):
            if not watch.arrived:
                await self._confirm(watch, before, prompt)
            passed = watch.now()
            if passed - watch.sent > self._options.settled.timeout:
                raise await self._late(watch, before, prompt)
            await asyncio.sleep(_pause(watch.settling, passed))

    async def _look(self, watch: _Watch, before: _Before) -> PageRow:
        """A row with the latest moment at which a change in it can have happened, or, where nothing has changed, the
        earliest at which that was seen: quiet is never overestimated."""
        early = await watch.clock.looked_at() - watch.began
        busy = await self.page.shown(self._options.settled.gone)
        done = await self.page.shown(self._options.settled.done)
        messages = await self.page.messages()
        text = BETWEEN.join(messages[before.messages :])
        row = PageRow(early, len(messages), busy, done, text)
        if watch.rows and row.shows(watch.rows[-1]):
            return row
        return PageRow(watch.now(), len(messages), busy, done, text)

    async def _confirm(self, watch: _Watch, before: _Before, prompt: Prompt) -> None:
        """Sees that the message has arrived; sends it once more where it has not."""
        last = watch.rows[-1]
        if last.count > before.messages or last.busy > before.busy:
            watch.arrived = True
            return
        watch.arrived = await self.page.echoes(prompt.text) > before.echoes
        if watch.arrived or watch.times > 1 or watch.now() - watch.sent < self._options.confirm:
            return
        watch.times, watch.sent = 2, await self._send(prompt, watch.clock) - watch.began

    async def _linger(self, watch: _Watch) -> None:
        rule = self._options.settled
        end = watch.now() + (rule.quiet if rule.linger is None else rule.linger)
        count = watch.settling.before
        while (left := end - watch.now()) > 0:
            await asyncio.sleep(min(POLL, left))
            watch.see(await self._look(watch, _Before(count, 0, 0, 0, frozenset())))

    async def _reply(self, watch: _Watch, before: _Before, prompt: Prompt) -> Reply:
        settling = watch.settling
        rows = changes(watch.rows)
        settled = next(row for row in reversed(rows) if row.at <= (settling.settled or 0.0))
        raw = raw_of(self._options, rows, before.messages, before.done, await self.page.html(prompt.text, MAX_HTML))
        first = settling.first - watch.sent if settling.first is not None else None
        fields: dict[str, Any] = {"late_change": True} if rows[-1].text != settled.text else {}
        text = together(settled.text, self._options.several)
        return Reply(text, (), fields, max(0.0, settling.complete - watch.sent), first, raw)

    async def _late(self, watch: _Watch, before: _Before, prompt: Prompt) -> TargetError:
        """Why no answer settled in time, and what in the file would mend it."""
        rule, last = self._options.settled, watch.rows[-1]
        within = f"within {rule.timeout:g} s"
        if last.count > before.messages and last.text.strip():
            return _unsettled(watch, self._options, within)
        if not watch.arrived and watch.times > 1:
            sentence = f"the message was sent twice and never showed up on the page, nor any answer {within}"
            return BrokenReply(sentence, delivered=None, place=step_place("ask"))
        said = await self._new_lines(before, prompt)
        if said and last.count <= before.messages and not last.busy:
            sentence = f"the page says {excerpt(said)!r}, but nothing new matches {self._options.answer!r}"
            return ExtractionFailed(sentence, delivered=True, place="connect.answer")
        return TimedOut(f"no answer {within}", delivered=watch.arrived or None)

    async def _new_lines(self, before: _Before, prompt: Prompt) -> str:
        sent = prompt.text.strip()
        return next((line for line in await self.page.lines() if line not in before.lines and sent not in line), "")

    def _values(self, prompt: Prompt) -> dict[str, Any]:
        values = place_values(self._id, self._unit.seed, prompt, self._turns, NAMES)
        return {**values, "env": self._env}


def _pause(settling: Settling, passed: float) -> float:
    """Until the next look: the moment at which the answer may have settled, where that is nearer than POLL."""
    left = settling.due - passed
    return left if 0.0 < left < POLL else POLL


def _unsettled(watch: _Watch, options: PageOptions, within: str) -> TimedOut:
    rule, last = options.settled, watch.rows[-1]
    if rule.gone and last.busy:
        sentence = f"the busy sign {rule.gone!r} is still there, so the answer did not settle {within}"
        return TimedOut(sentence, delivered=True, place="connect.settled.gone")
    if rule.done and not rule.gone:
        sentence = f"the done sign {rule.done!r} did not show up {within}"
        return TimedOut(sentence, delivered=True, place="connect.settled.done")
    return TimedOut(
        f"the answer did not settle {within}: its text kept changing", delivered=True, place="connect.settled"
    )
