"""What a user can do to a run: interrupt it, go on, split it, ask errors again, start it twice."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from botattack.events import Asked, QuestionClosed, RunEnded
from tests.crash.campaign import Campaign, knows_numbers, outcomes, session_in
from tests.servers.bare import BareServer, Line, ok, said

pytestmark = pytest.mark.crash
LIMITS = "{rate: unlimited, concurrency: 8, retries: 0, breaker: 1000}"


class Slow:
    """Answers after `latency` seconds; fails where `ill` says so, and says nothing while it is `silent`. `reached` is
    set at the n-th request."""

    def __init__(self, latency: float = 0.02, until: int = 100) -> None:
        self.latency = latency
        self.until = until
        self.ill: Callable[[bytes], bool] = lambda _: False
        self.silent = False
        self.asked: Counter[str] = Counter()
        self.reached = asyncio.Event()

    def __call__(self, line: Line, body: bytes) -> None:
        self.asked[session_in(body)] += 1
        if self.asked.total() >= self.until:
            self.reached.set()
        reply = said(500, "ill") if self.ill(body) else ok(knows_numbers(body))
        asyncio.get_running_loop().call_later(self.latency, self._answer, line, reply)

    def _answer(self, line: Line, reply: bytes) -> None:
        if not self.silent:
            line.write(reply)


def on_loopback(test: Callable[[Slow, BareServer, Path], Awaitable[None]], folder: Path) -> None:
    async def run() -> None:
        bot = Slow()
        async with BareServer(bot) as server:
            await test(bot, server, folder)

    asyncio.run(run())


def log(campaign: Campaign) -> str:
    """What was printed, in one line."""
    return " ".join((campaign.folder / "log.txt").read_text().split())


async def calm(server: BareServer, folder: Path, count: int) -> Campaign:
    campaign = Campaign(folder / "calm", server.url, count, limits=LIMITS)
    await campaign.finish_here()
    return campaign


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, times: int) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        campaign = Campaign(folder / "stopped", server.url, 30, limits=LIMITS)
        process = await campaign.start()
        await bot.reached.wait()
        bot.silent = times == 2  # what is on its way stays there
        process.send_signal(signal.SIGINT)
        if times == 2:
            await asyncio.sleep(1.0)  # two that arrive at once count as one
            assert process.returncode is None
            process.send_signal(signal.SIGINT)
        assert await process.wait() == 130
        bot.silent = False
        assert "botattack: interrupted" in log(campaign)
        assert "continue botattack run" in log(campaign)
        assert isinstance(campaign.events()[-1], RunEnded)
        lost = bot.asked.keys() - set(campaign.answered())
        # The first Ctrl-C waits for what is on its way, the second does not.
        assert len(lost) == 0 if times == 1 else 0 < len(lost) <= 8
        bot.latency = 0.01
        assert await campaign.finish() in (0, 1)
        assert {session for session, asked in bot.asked.items() if asked > 1} == lost
        bot.asked.clear()
        other = await calm(server, folder, 30)
        assert outcomes(campaign.events()) == outcomes(other.events())
        if times == 1:
            assert campaign.figures == other.figures

    on_loopback(test, tmp_path)


def test_errors_are_asked_again_and_nothing_else(tmp_path: Path) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        campaign = Campaign(folder / "ill", server.url, 20, limits=LIMITS)
        # A bot of which nothing answers at first is not asked on, and a quarter of all requests may be the first ones.
        bot.ill = lambda body: bot.asked.total() > 8 and sum(body) % 4 == 0
        assert await campaign.finish() == 1
        assert "failed, not counted: " in log(campaign)
        failed = sum(event.failure is not None for event in campaign.events() if isinstance(event, Asked))
        answered = set(campaign.answered())
        bot.ill = lambda _: False
        bot.asked.clear()
        assert await campaign.finish("--retry-errors") in (0, 1)
        assert f"{failed} askings that ended in an error will be asked again" in log(campaign)
        assert bot.asked.keys() - answered or len(bot.asked) == failed
        other = await calm(server, folder, 20)
        told, calm_told = campaign.figures, other.figures
        assert told["questions"] == calm_told["questions"]
        assert told["attacks"] == calm_told["attacks"]

    on_loopback(test, tmp_path)


def test_shards_side_by_side_are_merged_into_the_whole(tmp_path: Path) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        shards = [Campaign(folder / f"shard{part}", server.url, 20, limits=LIMITS) for part in (1, 2, 3)]
        ends = await asyncio.gather(*(one.finish("--shard", f"{part}/3") for part, one in enumerate(shards, 1)))
        assert set(ends) <= {0, 1}
        assert set(bot.asked.values()) == {1}
        results = folder / "merged.json"
        folders = [str(one.recording) for one in shards]
        merged = await shards[0].command("merge", *folders, "-o", str(results), "--recordings", str(folder / "all"))
        assert merged == 0, log(shards[0])
        other = await calm(server, folder, 20)
        told = json.loads(results.read_text())
        assert {name: told[name] for name in ("questions", "attacks", "requests")} == other.figures

    on_loopback(test, tmp_path)


def test_a_second_process_refuses_or_waits(tmp_path: Path) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        first, second = (Campaign(folder / name, server.url, 40, limits=LIMITS) for name in ("first", "second"))
        bot.latency, bot.until = 2.0, 1
        process = await first.start()
        await bot.reached.wait()
        assert await second.finish() == 2
        assert f"another botattack (process {process.pid}) is asking 127.0.0.1:{server.port}" in log(second)
        assert second.recording is None
        waiting = await second.start("--wait")
        async with asyncio.timeout(240):
            while "waits: another botattack" not in log(second):  # noqa: ASYNC110 - a file tells nobody
                await asyncio.sleep(0.1)
        bot.latency = 0.01
        assert await process.wait() in (0, 1)
        assert await waiting.wait() in (0, 1)
        assert outcomes(first.events()) == outcomes(second.events())

    on_loopback(test, tmp_path)


def test_a_longer_and_reordered_file_is_taken_up(tmp_path: Path) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        campaign = Campaign(folder / "grown", server.url, 10, limits=LIMITS)
        await campaign.finish()
        asked = set(bot.asked)
        bot.asked.clear()
        file = folder / "grown" / "questions.jsonl"
        Campaign(folder / "more", server.url, 15)
        lines = (folder / "more" / "questions.jsonl").read_text().splitlines(keepends=True)
        file.write_text("".join(reversed(lines)))
        await campaign.finish()
        assert not bot.asked.keys() & asked
        assert sum(isinstance(event, QuestionClosed) for event in campaign.events()) == 15
        other = await calm(server, folder, 15)
        assert campaign.figures == other.figures

    on_loopback(test, tmp_path)


def test_another_seed_or_option_is_refused_by_name(tmp_path: Path) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        campaign = Campaign(folder / "run", server.url, 5, "[{climb: {rounds: 1}}]", LIMITS)
        await campaign.finish()
        assert await campaign.finish("--seed", "4") == 2
        assert "seed was 3 and is now 4" in log(campaign)
        text = (campaign.folder / "campaign.yaml").read_text()
        (campaign.folder / "campaign.yaml").write_text(text.replace("rounds: 1", "rounds: 2"))
        assert await campaign.finish() == 2
        assert "attacks.climb.climb.rounds was 1 and is now 2" in log(campaign)

    on_loopback(test, tmp_path)


def test_what_was_learned_of_the_pace_is_offered_to_the_next_run(tmp_path: Path) -> None:
    async def test(bot: Slow, server: BareServer, folder: Path) -> None:
        pushed = [0]

        def limited(line: Line, body: bytes) -> None:
            pushed[0] += 1
            if pushed[0] == 12:
                line.write(said(429, retry_after=1))
            else:
                bot(line, body)

        server.asked = limited
        campaign = Campaign(folder / "run", server.url, 15, "[unchanged]", "{concurrency: 8}")
        assert await campaign.finish() in (0, 1)
        made = json.loads((campaign.recording / "run.json").read_text())  # type: ignore[operator]
        assert 3 < made["ceiling"] < 20
        (campaign.folder / "recordings" / "zzz").mkdir()
        assert await campaign.command(
            "run", str(campaign.folder / "campaign.yaml"), "--recordings", str(campaign.folder / "recordings")
        ) in (0, 1)
        runs = [json.loads(path.read_text()) for path in campaign.folder.glob("recordings/*/run.json")]
        assert len(runs) == 2

    on_loopback(test, tmp_path)
