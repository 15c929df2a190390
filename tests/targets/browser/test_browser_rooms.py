"""Pages like those of real products: what is read of a message, how a chat begins again, why no answer came."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from botattack.errors import ExtractionFailed
from botattack.model import Prompt
from tests.servers import pages, rooms
from tests.targets.asking import Tally, ask, unit_of
from tests.targets.browser.conftest import Make

pytestmark = [pytest.mark.anyio, pytest.mark.live]
ROOM = {"ask": [{"fill": "#prompt", "with": "{{ question }}"}, {"press": "Enter"}]}
CODE = "def f():\n    if x:\n        return 1\nthe end"
RICH = pages.chat(
    "const p = say('bot', ''); p.innerHTML = '<pre><code></code></pre><div class=x>the <a href=\"#\">end</a></div>'"
    ' + \'<div><a href="#">And then?</a> · <a class=tap>What else?</a></div><a href="#" class=chip>Go on</a>\''
    " + '<div role=toolbar><span>Like</span></div><button>Copy</button>';"
    r" p.querySelector('code').textContent = 'def f():\n    if x:\n        return 1\n';",
    head="<style>.bot{display:block} .tap{cursor:pointer} .chip{display:inline-block}</style>",
)
THUMB = pages.chat("const p = say('bot', ''); p.innerHTML = '<img alt=\"\U0001f44d\" width=9 height=9>';")
FAILS = pages.chat(
    "say('name', 'Assistant'); say('time', '12:03'); await sleep(50);"
    " const e = document.createElement('div'); e.className = 'toast error';"
    " e.innerHTML = '<b>!</b> <span>The model is overloaded, try again later.</span>'; document.body.append(e);"
)
SPEAKS = pages.chat("say('name', 'Assistant'); say('note', 'Something went wrong: quota used up.');")


@pytest.mark.parametrize("conversation", ["fresh", "reuse"])
async def test_a_page_that_replaces_its_answer_is_asked(made: Make, conversation: str) -> None:
    async with rooms.rooms() as server:
        page = {**ROOM, "answer": "#reply", "conversation": conversation}
        target = made(f"{server.url}/inplace", in_place=True, **page)
        texts = ["Tell me of France.", "How many legs has a spider?", "hello"]
        replies = [await ask(target, text) for text in texts]
        async with target.session(unit_of("turns"), Tally()) as session:
            turns = [(await session.ask(Prompt(text))).text for text in texts]
    assert [reply.text for reply in replies] == turns == [rooms.answer(text) for text in texts]


async def test_a_replaced_answer_is_said_to_be_one(made: Make) -> None:
    async with rooms.rooms() as server:
        target = made(f"{server.url}/inplace", **ROOM, answer="#reply", settled={"timeout": "3s"})
        with pytest.raises(ExtractionFailed, match="set in_place: true") as caught:
            await ask(target, "hello")
    assert caught.value.place == "connect.in_place"


async def test_code_keeps_its_indentation_and_what_is_there_to_be_clicked_is_no_text(made: Make) -> None:
    async with pages.serving(home=RICH) as server:
        reply = await ask(made(server.url), "code?")
    assert reply.text == CODE


PIECES = pages.chat(
    "const p = say('bot', text.includes('colours') ? 'It comes in:' : 'We open at nine.');"
    " const list = document.createElement('ul'); list.className = 'picks'; p.after(list);"
    " const box = document.createElement('div'); box.className = 'bot'; p.replaceWith(box); box.append(p, list);"
    " p.className = ''; p.innerHTML += ' <a href=\"/more\">More</a> <b class=tap><i>(twice)</i></b>';"
    " for (const name of text.includes('colours') ? ['Red', 'Blue'] : ['Where are you?', 'Any parking?']) {"
    " const li = document.createElement('li'); li.textContent = name; li.onclick = () => {}; list.append(li); }",
    head="<style>.picks li{cursor:pointer}</style>",
)


@pytest.mark.parametrize(
    ("text", "exclude", "lines", "named"),
    [
        ("Which colours?", None, ["Red", "Blue"], "'Red', 'Blue'"),
        ("When do you open?", None, ["Where are you?", "Any parking?"], "'Where are you?', 'Any parking?'"),
        ("When do you open?", ".picks > li", [], ""),
    ],
)
async def test_what_can_be_clicked_is_kept_as_it_may_be_the_answer_and_named(
    made: Make, text: str, exclude: str | None, lines: list[str], named: str
) -> None:
    """Nothing on a page tells a list to choose from, which is the answer, from suggested questions."""
    notes: list[str] = []
    async with pages.serving(home=PIECES) as server:
        target = made(server.url, exclude=exclude)
        target.watch(lambda what, said: notes.append(said) if what == "note" else None)
        reply = await ask(target, text)
    assert reply.text.split("\n")[1:] == lines
    about = [note for note in notes if "can be clicked" in note]
    assert [named in note and "'.picks > li'" in note for note in about] == [True] * bool(named)


async def test_an_emoji_that_is_a_picture_is_an_answer(made: Make) -> None:
    async with pages.serving(home=THUMB) as server:
        assert (await ask(made(server.url), "fine?")).text == "\U0001f44d"


@pytest.mark.parametrize(
    ("page", "reason"),
    [(FAILS, "! The model is overloaded, try again later."), (SPEAKS, "Something went wrong: quota used up.")],
)
async def test_the_reason_of_a_failed_page_is_its_error(made: Make, page: str, reason: str) -> None:
    async with pages.serving(home=page) as server:
        with pytest.raises(ExtractionFailed) as caught:
            await ask(made(server.url, settled={"timeout": "2s"}), "hello?")
    said: Any = caught.value.said
    assert (said, caught.value.place) == (reason, "connect.answer")


async def test_an_asking_after_the_first_ones_is_not_watched_for_long(made: Make) -> None:
    """Two answers ended with the page's own requests, so the next ones need not be watched after the quiet time."""
    async with rooms.rooms(delay=0.0) as server:
        target = made(
            f"{server.url}/dressed", **ROOM, answer=".bot-row .bubble", settled={"quiet": "500ms", "linger": None}
        )
        for n in range(3):
            await ask(target, f"question {n}?")
            await asyncio.sleep(0)
        assert target.habits.spare(target.options.settled) == target.habits.linger(target.options.settled) > 0
