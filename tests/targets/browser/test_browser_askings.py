"""Whose answer is taken, whether it is whole, and that nothing is sent twice, on pages with a log of their own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import anyio
import pytest

from botattack.errors import BrokenReply, ExtractionFailed, TargetError, TimedOut
from botattack.model import Prompt
from botattack.targets.browser.browser_target import BrowserTarget
from tests.servers import pages
from tests.servers.chats import LATE, PAUSING, SPINNER, Chats, Traits
from tests.servers.screens import Screens
from tests.targets.asking import Tally, ask, unit_of
from tests.targets.browser.conftest import Make

pytestmark = [pytest.mark.anyio, pytest.mark.live]
QUICK = Traits(thinks=(0.1, 0.2), gap=(0.0, 0.0))


async def asked(target: Any, text: str = "hello?", pace: Tally | None = None) -> Any:
    return await ask(target, text, pace)


async def all_asked(target: BrowserTarget, texts: list[str]) -> dict[str, Any]:
    """What came of each text, a reply or an error, asked in two conversations at a time."""
    came: dict[str, Any] = {}
    left = iter(texts)

    async def work() -> None:
        for text in left:
            try:
                came[text] = await asked(target, text)
            except TargetError as error:
                came[text] = error

    await asyncio.gather(work(), work())
    return came


@pytest.mark.parametrize("traits", [LATE, PAUSING, SPINNER], ids=["late", "pausing", "early"])
async def test_every_answer_is_the_one_that_the_page_gave(made: Make, traits: Traits) -> None:
    async def look(conversation: str) -> None:
        async with Chats(traits) as chats:
            settled = {"quiet": "800ms", "linger": None, "gone": ".typing" if traits.typing else None}
            target = made(chats.url, conversation=conversation, settled=settled, confirm="1s")
            texts = [f"question {n} of {conversation}?" for n in range(4)]
            came = await all_asked(target, texts)
            said = dict(chats.said)
        assert chats.twice == []
        replies = {text: reply for text, reply in came.items() if not isinstance(reply, TargetError)}
        assert {text: reply.text for text, reply in replies.items()} == {text: said[text] for text in replies}
        assert len(replies) >= 3, came

    # Together: most of an asking is waiting until nothing more comes.
    async with anyio.create_task_group() as group:
        for conversation in ("fresh", "reuse"):
            group.start_soon(look, conversation)


@pytest.mark.parametrize("socket", [True, False])
@pytest.mark.parametrize("clears", [True, False])
async def test_what_may_have_left_is_never_sent_again(made: Make, socket: bool, clears: bool) -> None:
    async with Chats(replace(QUICK, socket=socket, clears=clears, echo=(2.0, 2.0))) as chats:
        reply = await asked(made(chats.url, confirm="500ms"), "only once")
    assert chats.said == [("only once", reply.text)]


async def test_a_message_that_is_proven_to_have_stayed_is_sent_once_more(made: Make) -> None:
    async with pages.serving(home=pages.LATE_LISTENER) as server:
        tally = Tally()
        assert (await asked(made(server.url, confirm="2s"), "hello", tally)).text == "heard hello"
        assert tally.left == 3
        tally = Tally()
        with pytest.raises(TimedOut, match="no answer within 3 s"):
            await asked(made(server.url, confirm="0s", settled={"timeout": "3s"}), "hello", tally)
        assert tally.left == 2


async def test_a_message_that_came_before_the_socket_was_open_is_sent_once_more(made: Make) -> None:
    async with Chats(replace(QUICK, connects=1.5)) as chats:
        reply = await asked(made(chats.url, confirm="3s"), "too early")
    assert chats.said == [("too early", reply.text)]


async def test_a_message_that_never_left_is_said_to_be_undelivered(made: Make) -> None:
    async with pages.serving(home=pages.page("<textarea id=box></textarea>")) as server:
        with pytest.raises(BrokenReply, match="still in its box") as caught:
            await asked(made(server.url, confirm="300ms", settled={"timeout": "2s"}))
    assert (caught.value.delivered, caught.value.place) == (False, "connect.ask")


async def test_a_message_whose_box_was_emptied_is_only_waited_for(made: Make) -> None:
    async with pages.serving(home=pages.DEAF) as server:
        tally = Tally()
        with pytest.raises(TimedOut) as caught:
            await asked(made(server.url, confirm="500ms", settled={"timeout": "2s"}), "hello", tally)
    assert (caught.value.delivered, tally.left) == (None, 2)


async def test_a_page_that_shows_no_messages_is_waited_for_once(made: Make) -> None:
    async with pages.serving(home=pages.MUTE) as server:
        target = made(server.url, settled={"timeout": "6s"})
        began = asyncio.get_running_loop().time()
        assert (await asked(target, "first")).text == "You said first"
        assert asyncio.get_running_loop().time() - began >= 3
        assert target.habits.shows_messages is False
        assert (await asked(target, "second")).text == "You said second"


async def test_an_answer_without_its_message_is_an_error_where_others_had_theirs(made: Make) -> None:
    async with pages.serving(home=pages.STARS) as server:
        target = made(server.url, settled={"timeout": "3s"})
        assert (await asked(target, "plain")).text == "You said plain"
        with pytest.raises(ExtractionFailed) as caught:
            await asked(target, "#1 dad")
        assert (caught.value.place, caught.value.delivered) == ("connect.confirm", True)
        assert (await asked(made(server.url, confirm="0s"), "#1 dad")).text == "You said #1 dad"


async def test_what_came_before_the_message_showed_up_is_not_its_answer(made: Make) -> None:
    async with pages.serving(home=pages.GREETS) as server:
        reply = await asked(made(server.url), "hi")
        assert reply.text == "You said hi"


@pytest.mark.parametrize("how", ["add()", "grow()"])
async def test_a_page_that_goes_on_after_its_answer_is_replaced(made: Make, how: str) -> None:
    async with pages.serving(home=pages.GOES_ON) as server:
        target = made(server.url, conversation="reuse")
        assert (await asked(target, "a")).text == "1: a"
        async with target.session(unit_of("b"), Tally()) as session:
            assert (await session.ask(Prompt("b"))).text == "2: b"
            page = session.page.page
        await page.evaluate(how)
        assert (await asked(target, "c")).text == "1: c"


@pytest.mark.parametrize("how", ["add()", "grow()"])
async def test_a_later_turn_tells_that_an_earlier_answer_was_cut(made: Make, how: str) -> None:
    async with pages.serving(home=pages.GOES_ON) as server:
        async with made(server.url).session(unit_of("x"), Tally()) as session:
            await session.ask(Prompt("x"))
            await session.page.page.evaluate(how)
            with pytest.raises(BrokenReply) as caught:
                await session.ask(Prompt("and now?"))
        assert (caught.value.place, caught.value.delivered) == ("connect.settled.quiet", True)


async def test_an_answer_that_grows_while_the_next_is_awaited_ends_that_and_is_learnt_from(made: Make) -> None:
    home = pages.chat(
        "if (globalThis.p) p.textContent += ' and on'; await sleep(400); globalThis.p = say('bot', text);"
    )
    async with pages.serving(home=home) as server:
        for quiet in (2, 6):  # it is learnt from if it is seen as soon as that; a busy machine takes a while
            target = made(server.url, conversation="reuse", settled={"quiet": f"{quiet}s"})
            assert (await asked(target, "a")).text == "a"
            with pytest.raises(BrokenReply, match="continued"):
                await asked(target, "b")
            if target.habits.grown:
                break
        assert target.habits.grown == 1
        assert (await asked(target, "c")).text == "c"


async def test_a_page_that_shows_a_message_twice_is_not_asked_again(made: Make) -> None:
    async with pages.serving(home=pages.DOUBLES) as server:
        target = made(server.url, conversation="reuse")
        assert [(await asked(target, f"q{n}")).text for n in range(2)] == ["1: q0", "1: q1"]


async def test_a_response_that_is_still_coming_is_waited_for(made: Make) -> None:
    async with Chats(replace(QUICK, socket=False, pausing=1.0, pause=(1.0, 1.2))) as chats:
        replies = [(await asked(made(chats.url), f"q{n}")).text for n in range(3)]
    assert replies == [answer for _, answer in chats.said]


async def test_a_page_that_keeps_responses_open_is_waited_for_once(made: Make) -> None:
    async with Chats(replace(QUICK, socket=False, open_for=20.0)) as chats:
        target = made(chats.url, settled={"timeout": "8s"})
        replies = [(await asked(target, f"q{n}")).text for n in range(2)]
    assert replies == [answer for _, answer in chats.said]
    assert target.habits.keeps_open


@pytest.mark.parametrize("conversation", ["fresh", "reuse"])
@pytest.mark.parametrize(("name", "answer"), [("newest", ".bot"), ("virtual", ".bot"), ("bubbles", ".from-bot")])
async def test_messages_are_known_wherever_they_stand(made: Make, name: str, answer: str, conversation: str) -> None:
    async with Screens(name) as screens:
        target = made(screens.url, answer=answer, conversation=conversation, settled={"quiet": "700ms"})
        # The fourth message is in an element that is used again; a fresh page has one.
        times = 4 if conversation == "reuse" else 2
        replies = [(await ask(target, f"question {n}")).text for n in range(times)]
    assert replies == [said for _, said in screens.said]
