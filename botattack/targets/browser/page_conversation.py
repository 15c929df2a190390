"""One conversation on a page: a message is sent, seen to arrive, and its answer watched until it has settled."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from botattack.errors import BrokenReply, ExtractionFailed, RequestRefused, TargetError, TimedOut
from botattack.model import Prompt, Reply, Unit
from botattack.protocols import Pace
from botattack.targets.browser.answer_watch import NOTHING, AnswerWatch, Before, Message, Taken, fresh
from botattack.targets.browser.page import POLL, Page, step_place
from botattack.targets.browser.page_failures import LOG_IN, of_request
from botattack.targets.browser.page_options import PageOptions
from botattack.targets.browser.settling import BETWEEN, Habits, PageRow, Settling, longest, together
from botattack.targets.messages.chat_messages import Conversation
from botattack.targets.messages.placed_values import place_values
from botattack.targets.messages.quiet import AwakeClock

REFUSED = 4.0
"""Seconds for which a page may try again after its request for the answer has failed."""
NAMES = frozenset({"history", "messages", "passages", "uuid"})


class PageConversation(Conversation):
    """One conversation on one page."""

    def __init__(
        self, page: Page, options: PageOptions, env: Mapping[str, str], unit: Unit, pace: Pace, *, habits: Habits
    ) -> None:
        super().__init__(unit, pace)
        self.page = page
        self._options = options
        self._env = env
        self._habits = habits

    async def begin(self, steps: Literal["login", "open"]) -> None:
        await self.page.do(self._options.stages[steps], steps, self._values(Prompt("")), self._pace)

    async def again(self) -> None:
        """Begins on a page that was asked before; raises BrokenReply if anything of that is still to come."""
        async with self.page.failing("connect.answer"):
            await self._see_quiet()

    async def ask(self, prompt: Prompt) -> Reply:
        """Raises a TargetError that names the place in the target file, if one is to blame."""
        if self._options.history == "ask" and not self._turns:
            for turn in prompt.history:
                if turn.speaker == "user":
                    await self._ask(Prompt(turn.text))
        return await self._ask(prompt)

    async def _ask(self, prompt: Prompt) -> Reply:
        await self._leave()
        before = await self._before(prompt)
        with AwakeClock() as clock:
            watch = self._watch(before, clock, await self._send(prompt, clock))
            async with self.page.failing("connect.answer", delivered=None):
                await self._wait(watch, before, prompt)
        async with self.page.failing("connect.answer", delivered=None):
            reply = await self._reply(watch, before, prompt)
        self._habits.took(watch.settling)
        self._heard(prompt, reply)
        if self.page.is_watched:
            await self._remark(watch)
        return reply

    async def _remark(self, watch: AnswerWatch) -> None:
        """Tells what looks wrong though an answer came."""
        rule, tell, settling = self._options.settled, self.page.tell, watch.settling
        if rule.gone and not watch.busy:
            tell("note", f"the busy sign {rule.gone!r} was never visible: too fast to be seen, or the wrong selector")
        if not watch.echoed:
            tell("note", "the sent message never showed up on the page: set connect.confirm to 0s")
        if watch.times > 1:
            tell("note", "the message had to be sent twice: let connect.open wait until the page is ready")
        async with self.page.failing("connect.answer", delivered=True):
            clicked = await self.page.clickable()
        if pieces := [text for css, text in clicked if css == clicked[0][0]]:
            told = ", ".join(repr(text) for text in pieces[:3])
            tell("note", f"in the answer, {told} can be clicked: unless it is part of it, exclude: {clicked[0][0]!r}")
        if settling.silence > rule.quiet:
            tell(
                "note",
                f"the answer continued after {settling.silence:.1f} s of silence, so later ones are watched for "
                f"{settling.still:.1f} s: raise connect.settled.quiet above the longest pause",
            )

    async def _leave(self) -> None:
        if all(step.goto is None for step in self._options.ask):  # a page that is opened asks for leave itself
            await self._pace.leave()

    async def _before(self, prompt: Prompt) -> Before:
        options = self._options
        async with self.page.failing("connect.answer"):
            await self._see_quiet()
            await self.page.heed()
            messages = await self.page.messages()
            return Before(
                len(messages),
                await self.page.shown(options.settled.done),
                await self.page.echoes(prompt.text) if options.confirm else -1,
                await self.page.shown(options.settled.gone),
                frozenset(await self.page.lines()),
                tuple(messages),
                await self.page.asks_for_login(),
            )

    async def _see_quiet(self) -> None:
        """Raises BrokenReply if the page shows more than when the last answer was taken from it."""
        if self.page.taken is None:
            return
        await self._see_idle()
        messages = await self.page.messages()
        self._check_taken(messages)
        if more := self.page.taken.further(messages):
            raise self._too_early("the bot said more after its answer was taken", more)

    async def _see_idle(self) -> None:
        """Waits until the busy sign has gone."""
        gone = self._options.settled.gone
        if not await self.page.sees_gone(gone):
            sentence = f"the busy sign {gone!r} of the last answer is still there"
            raise BrokenReply(sentence, delivered=bool(self._turns), place="connect.settled.gone")

    def _check_taken(self, messages: Sequence[Message], delivered: bool | None = False) -> None:
        """Raises BrokenReply if the last answer has grown since it was taken."""
        taken = self.page.taken
        if taken is not None and (grown := taken.grown(messages)):
            raise self._too_early("the answer before this one continued", grown, delivered)

    def _too_early(self, what: str, said: str, delivered: bool | None = False) -> BrokenReply:
        """The last answer was taken too early: this asking may be mixed with it, and later ones wait longer."""
        taken = self.page.taken
        if taken is not None and (since := _now() - taken.at) <= taken.still:
            self._habits.took_too_early(taken.still + since)
        sentence = f"{what}, so answers may be mixed: raise connect.settled.quiet, or exclude what changes by itself"
        arrived = True if self._turns else delivered
        return BrokenReply(sentence, said=said, last=True, delivered=arrived, place="connect.settled.quiet")

    async def _send(self, prompt: Prompt, clock: AwakeClock) -> float:
        """The moment just before the last step, the one that sends."""
        *first, last = self._options.ask
        values = self._values(prompt)
        await self.page.do(tuple(first), "ask", values, self._pace)
        self.page.mark()
        sent = clock.now()
        await self.page.step(last, step_place("ask", len(first)), values, self._pace)
        return sent

    def _watch(self, before: Before, clock: AwakeClock, sent: float) -> AnswerWatch:
        return AnswerWatch(self._settling(before), clock, sent, echoed=before.echoes < 0)

    def _settling(self, before: Before) -> Settling:
        rule = self._options.settled
        linger = self._habits.linger(rule)
        return Settling(
            rule.quiet + linger,
            rule.gone is not None,
            rule.done is not None,
            before.messages,
            before.done,
            linger,
            longest(rule),
            self._habits.spare(rule),
        )

    async def _wait(self, watch: AnswerWatch, before: Before, prompt: Prompt) -> None:
        """Until the answer has settled; raises if it does not in time."""
        while True:
            settled = watch.see(await self._look(watch, before, prompt))
            passed = watch.now() - watch.sent
            if settled and self._is_own(watch, passed):
                return
            if self._is_refused(watch, prompt):
                raise await self._silence(watch, before, prompt)
            if passed > self._options.settled.timeout and (settled or not watch.is_in_time(self._options.settled)):
                raise await self._late(watch, before, prompt)
            if not watch.echoed and watch.unsent is None and passed >= self._options.confirm:
                await self._confirm(watch, before, prompt)
            if watch.last.coming and watch.stood >= longest(self._options.settled):
                self._habits.keeps_open = True
            await asyncio.sleep(_pause(watch.settling, watch.now()))

    def _is_refused(self, watch: AnswerWatch, prompt: Prompt) -> bool:
        """Whether the message was refused, and for a while the page has neither tried again nor said anything."""
        if watch.settling.first is not None or watch.last.busy or self.page.traffic.refusal(prompt.text) is None:
            watch.refused = None
            return False
        watch.refused = watch.now() if watch.refused is None else watch.refused
        return watch.now() - watch.refused > REFUSED

    def _is_own(self, watch: AnswerWatch, passed: float) -> bool:
        """Whether the answer is that to the sent message: the message has shown up before it, or the page shows no
        messages. That is known once a run's first answer has waited for its message for as long as is learnt at all."""
        habits = self._habits
        if not watch.echoed and habits.shows_messages is None and passed >= longest(self._options.settled):
            habits.shows_messages = False
        return watch.echoed or habits.shows_messages is False

    async def _look(self, watch: AnswerWatch, before: Before, prompt: Prompt) -> PageRow:
        """A row with the latest moment at which a change in it can have happened, or, if nothing has changed, the
        earliest at which that was seen: quiet is never overestimated."""
        early = await watch.clock.looked_at() - watch.began
        busy = await self.page.shown(self._options.settled.gone)
        done = await self.page.shown(self._options.settled.done)
        messages = await self.page.messages()
        new = self._new(watch, before, messages)
        if not watch.echoed:
            await self._look_for_echo(watch, before, prompt, new)
        if not self._options.in_place:
            self._check_taken(messages, delivered=None)
        own = watch.own(new)
        watch.messages, watch.there = tuple(new), tuple(messages)
        count, text = before.messages + len(own) if new else len(messages), BETWEEN.join(each.text for each in own)
        coming, over = watch.coming(text, self.page.traffic.coming), int(self.page.traffic.over)
        row = PageRow(round(early, 4), count, busy, done, text, 0 if self._habits.keeps_open else coming, over)
        return row if row.shows(watch.last) else replace(row, at=round(watch.now(), 4))

    def _new(self, watch: AnswerWatch, before: Before, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages that have come; where they replace others, all of them once one has changed."""
        watch.changed = watch.changed or [each.text for each in messages] != [each.text for each in before.said]
        if self._options.in_place:
            return messages if watch.changed else ()
        return fresh(before.said, messages)

    async def _look_for_echo(self, watch: AnswerWatch, before: Before, prompt: Prompt, new: Sequence[Message]) -> None:
        """Messages are read before the echo is looked for: what is there without it came before it. It is looked
        for twice, as a message of the bot that comes in the middle of a look does not count as the bot's yet."""
        if not (await self._shows(before, prompt) and await self._shows(before, prompt)):
            watch.strays = tuple(new)
            return
        watch.echoed = self._habits.shows_messages = True
        if self.page.taken is not None and (said := "".join(each.text for each in watch.strays).strip()):
            sentence = "this came before the sent message showed up, so that it answers an earlier one"
            raise BrokenReply(sentence, said=said, delivered=True, place="connect.answer")
        if watch.strays:
            watch.last, watch.busy = NOTHING, False
            watch.settling = self._settling(before)

    async def _shows(self, before: Before, prompt: Prompt, times: int = 1) -> bool:
        """Whether the message stands on the page so many times more than before."""
        return await self.page.echoes(prompt.text) >= before.echoes + times

    async def _confirm(self, watch: AnswerWatch, before: Before, prompt: Prompt) -> None:
        """Sends the message once more where it is proven that it has not left. Otherwise it is only waited for."""
        watch.unsent = await self._is_unsent(before, prompt)
        if not watch.unsent:
            return
        await self._leave()
        if await self._is_unsent(before, prompt):  # leave may have taken a while
            watch.times, watch.sent = 2, await self._send(prompt, watch.clock) - watch.began

    async def _is_unsent(self, before: Before, prompt: Prompt) -> bool:
        """Whether it is proven that the message has not left the page: its box still holds it, and nothing that left
        since carries it. A page from which nothing left at all may answer by itself, so it must say nothing new."""
        traffic = self.page.traffic
        if traffic.carries(prompt.text) or not (traffic.left or not await self._new_lines(before, prompt)):
            return False
        return await self.page.holds_all(self._options.ask, "ask", self._values(prompt))

    async def _reply(self, watch: AnswerWatch, before: Before, prompt: Prompt) -> Reply:
        settling = watch.settling
        first = settling.first - watch.sent if settling.first is not None else None
        self.page.taken = Taken(watch.messages, settling.still, _now(), watch.there)
        if before.echoes >= 0 and await self._shows(before, prompt, times=2):
            self.page.stale = True  # shown twice, it may have been received twice: one more answer may come
        text = together(watch.last.text)
        return Reply(text, (), {}, max(0.0, settling.complete - watch.sent), first)

    async def _late(self, watch: AnswerWatch, before: Before, prompt: Prompt) -> TargetError:
        """Why no answer settled in time, and what in the file would fix it."""
        rule, last = self._options.settled, watch.last
        within = f"within {rule.timeout:g} s"
        if watch.settling.settled is not None:
            sentence = (
                f"the sent message did not show up on the page {within}, as earlier ones did, so this may answer "
                "something else; if the page alters messages, set confirm to 0s"
            )
            return ExtractionFailed(sentence, said=last.text, delivered=True, place="connect.confirm")
        if last.count > before.messages and last.text.strip():
            return _unsettled(watch, self._options, within)
        if not watch.echoed and await self._is_unsent(before, prompt):
            sentence = f"the message is still in its box, and nothing that left the page {within} carries it"
            return BrokenReply(sentence, delivered=False, place=step_place("ask"))
        return await self._silence(watch, before, prompt)

    async def _silence(self, watch: AnswerWatch, before: Before, prompt: Prompt) -> TargetError:
        """Why the bot said nothing, as far as the page tells."""
        last, within = watch.last, f"within {self._options.settled.timeout:g} s"
        if watch.changed and not self._options.in_place and len(await self.page.messages()) == before.messages:
            sentence = "no message was added, but one has changed: set in_place: true if the page replaces its answer"
            return ExtractionFailed(sentence, delivered=True, place="connect.in_place")
        said, loud = await self.page.complaint(before.lines, prompt.text)
        if dialogs := " ".join(self.page.dialogs):
            said, loud = dialogs, True
        if not before.login and await self.page.asks_for_login():
            sentence = f"the page asks for a login in place of an answer{LOG_IN}"
            return RequestRefused(sentence, said=said if loud else "", delivered=None, place="connect.login")
        if failed := self.page.traffic.refusal(prompt.text) or next(iter(self.page.traffic.failed), None):
            return of_request(failed, said if loud else "", self._pace)
        if said and last.count <= before.messages and not (last.busy or self.page.loads):
            sentence = f"nothing new matches {self._options.answer!r}, but the page says"
            return ExtractionFailed(sentence, said=said, delivered=True, place="connect.answer")
        sentence = f"no answer {within}"
        if self.page.loads:
            sentence = f"{sentence}: the page was loaded again in the middle of it"
        if said and loud:
            sentence = f"{sentence}, and the page says"
        return TimedOut(sentence, said=said if loud else "", delivered=watch.echoed or None)

    async def _new_lines(self, before: Before, prompt: Prompt) -> str:
        sent = prompt.text.strip()
        return next((line for line in await self.page.lines() if line not in before.lines and sent not in line), "")

    def _values(self, prompt: Prompt) -> dict[str, object]:
        values = place_values(self._id, self._seed, prompt, self._turns, NAMES)
        return {**values, "env": self._env}


def _now() -> float:
    return asyncio.get_running_loop().time()


def _pause(settling: Settling, passed: float) -> float:
    """Until the next look: the moment at which the answer may have settled, where that is nearer than POLL."""
    left = settling.due - passed
    return left if 0.0 < left < POLL else POLL


def _unsettled(watch: AnswerWatch, options: PageOptions, within: str) -> TimedOut:
    rule, last = options.settled, watch.last
    if rule.gone and last.busy:
        sentence = f"the busy sign {rule.gone!r} is still there, so the answer did not settle {within}"
        return TimedOut(sentence, delivered=True, place="connect.settled.gone")
    if last.coming:
        return TimedOut(f"a response is still coming, so the answer did not settle {within}", delivered=True)
    if rule.done and not rule.gone:
        sentence = f"the done sign {rule.done!r} did not show up {within}"
        return TimedOut(sentence, delivered=True, place="connect.settled.done")
    return TimedOut(
        f"the answer did not settle {within}: its text kept changing", delivered=True, place="connect.settled"
    )
