"""Why no answer came is said as the page showed it, and a swallowed message is sent once more."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.errors import BrokenReply, ExtractionFailed, RateLimited, RequestRefused, TargetError, TimedOut
from botattack.targets.browser.traffic import _carries
from tests.servers import pages
from tests.servers.screens import Screens
from tests.targets.asking import Tally, ask
from tests.targets.browser.conftest import Make

BOT = {"answer": ".from-bot", "settled": {"timeout": "12s"}}
LOGIN = [{"fill": "[name=word]", "with": "s3cret"}, {"click": "button"}, {"wait_for": "#box"}]
TOAST = pages.chat(
    "const e = document.createElement('div'); e.className = 'toast'; e.textContent = 'The model is asleep today';"
    " document.body.append(e); await sleep(400); e.remove();"
)
ALERT = pages.chat("await sleep(50); alert('You have no credit left');")
RELOADS = pages.chat("await sleep(300); location.reload();")


@pytest.mark.parametrize(
    ("sent", "carried"),
    [
        ('{"text": "What is \\"it\\"?\\nCaf\\u00e9"}', True),
        ("/say?q=What+is+%22it%22%3F+Caf%C3%A9", True),
        ('42["msg","{\\"text\\":\\"What is \\\\\\"it\\\\\\"?\\\\nCaf\\\\u00e9\\"}"]', True),
        ("q=V2hhdCBpcyAiaXQiPyBDYWbDqQ==", True),
        (bytes(range(128, 228)), True),
        (b"\x80\x81", False),
        ('{"type": "ping"}', False),
        ('40{"sessionId":"3f2c8d55-7b1e-4b52-9e1c-5a0c2c7f4a11","chatProfile":"","userEnv":"{}"}', False),
    ],
)
def test_what_carries_a_message_is_known_by_its_words(sent: Any, carried: bool) -> None:
    assert _carries(sent, 'What is "it"? Café') is carried


@pytest.mark.anyio
@pytest.mark.live
async def test_a_swallowed_message_is_sent_once_more_though_the_page_talks_for_itself(made: Make) -> None:
    async with Screens("swallows") as screens:
        tally = Tally()
        reply = await ask(made(screens.url, **BOT), "a question?", tally)
    assert screens.said == [("a question?", reply.text)]
    assert tally.left == 3


@pytest.mark.anyio
@pytest.mark.live
async def test_a_message_that_a_talking_page_never_takes_is_said_to_be_in_its_box(made: Make) -> None:
    talks = pages.page("<textarea id=box></textarea><script>setInterval(() => fetch('/beat?n=1'), 300);</script>")
    async with pages.serving(home=talks) as server:
        with pytest.raises(BrokenReply, match="still in its box") as caught:
            await ask(made(server.url, confirm="300ms", settled={"timeout": "3s"}))
    assert (caught.value.delivered, caught.value.place) == (False, "connect.ask")


@pytest.mark.anyio
@pytest.mark.live
@pytest.mark.parametrize(
    ("page", "kind", "said"),
    [
        (TOAST, ExtractionFailed, "The model is asleep today"),
        (ALERT, ExtractionFailed, "You have no credit left"),
        (RELOADS, TimedOut, "loaded again in the middle of it"),
    ],
    ids=["toast", "alert", "reload"],
)
async def test_a_failure_is_named_by_what_the_page_showed(
    made: Make, page: str, kind: type[TargetError], said: str
) -> None:
    async with pages.serving(home=page) as server:
        with pytest.raises(kind) as caught:
            await ask(made(server.url, settled={"timeout": "3s"}))
    assert said in f"{caught.value} {caught.value.said}"


@pytest.mark.anyio
@pytest.mark.live
@pytest.mark.parametrize(("status", "kind"), [(500, RequestRefused), (429, RateLimited), (403, RequestRefused)])
async def test_a_request_of_the_page_that_failed_is_named_before_the_time_is_over(
    made: Make, status: int, kind: type[TargetError]
) -> None:
    async with Screens("plain", status=status) as screens:
        with pytest.raises(kind, match=f"HTTP {status}") as caught:
            await ask(made(screens.url, answer=".from-bot", settled={"timeout": "60s"}), seconds=40)
    assert caught.value.status == status
    assert ("targets login" in str(caught.value)) == (status == 403)


@pytest.mark.anyio
@pytest.mark.live
async def test_a_login_that_expired_is_named_as_such(made: Make) -> None:
    async with Screens("expires", logins=1) as screens:
        target = made(screens.url, login=[{"goto": f"{screens.url}login"}, *LOGIN], **BOT)
        reply = await ask(target, "first")
        assert screens.said == [("first", reply.text)]
        with pytest.raises(RequestRefused, match=r"asks for a login.*targets login"):
            await ask(target, "second")
        with pytest.raises(RequestRefused, match=r"asks for a login.*targets login") as caught:
            await ask(made(screens.url, step_timeout="2s", **BOT), "third")
    assert (caught.value.place, caught.value.delivered) == ("connect.login", False)
