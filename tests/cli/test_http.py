"""Bots behind HTTP, through the whole command."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from botattack.events import OriginalJudged, RunEnded, VariantJudged
from botattack.recordings.reader import events
from tests.cli.conftest import Botattack, Serve
from tests.servers.alice import alice_server
from tests.servers.http import Behave, Server, always, response, silent

ROOT = Path(__file__).parents[2]
CAMPAIGN = """
target: {target}
questions: {{file: {root}/campaigns/demo-questions.jsonl, limit: 6}}
seed: 7
attacks: [dpaeg: {{per_question: 4}}]
"""


def web(url: str, timeout: str = "30s") -> str:
    body = 'json: {text: "{{ question }}", session: "{{ session }}", seed: "{{ seed }}"}'
    return (
        "name: alice\nconnect:\n  kind: http\n"
        f'  request: {{url: "{url}/chat", method: POST, {body}}}\n'
        '  extract: {answer: "$.reply.text"}\n'
        f"limits: {{rate: unlimited, timeout: {timeout}, retries: 1, breaker: 3}}\n"
    )


def verdicts(recordings: Path) -> Counter[str]:
    (recording,) = recordings.iterdir()
    kinds = (OriginalJudged, VariantJudged)
    return Counter(
        f"{event.key} {event.verdict} {getattr(event, 'edits', '')}"
        for event in events(recording)
        if isinstance(event, kinds)
    )


@pytest.mark.slow
def test_a_bot_gives_the_same_verdicts_over_http_as_in_process(
    botattack: Botattack, folder: Path, serve: Serve
) -> None:
    pytest.importorskip("aiml", reason='ALICE is not installed: pip install "botattack[demo]"')
    server = alice_server()
    refusals = (ROOT / "targets" / "bots" / "alice.yaml").read_text().partition("signs:")[2]
    Path("web.yaml").write_text(web(serve(server)) + "signs:" + refusals)
    for name, target in (("local", ROOT / "targets" / "bots" / "alice.yaml"), ("http", folder / "web.yaml")):
        Path(f"{name}.yaml").write_text(CAMPAIGN.format(target=target, root=ROOT))
        assert botattack("run", f"{name}.yaml", "--recordings", name).status == 0
    assert verdicts(Path("http")) == verdicts(Path("local"))
    (recording,) = Path("http").iterdir()
    ended = next(event for event in events(recording) if isinstance(event, RunEnded))
    assert ended.requests == len(server.received) > 25


def test_a_cookie_that_cannot_be_read_shows_no_traceback(
    botattack: Botattack, folder: Path, serve: Serve, recwarn: pytest.WarningsRecorder
) -> None:
    bad = response({"reply": {"text": "fine"}}, Set_Cookie=f"a=b; max-age={'9' * 400}")
    Path("bot.yaml").write_text(web(serve(Server(always(bad)))))
    assert botattack("check", "bot.yaml").status == 0
    assert not [warning for warning in recwarn if "cookiejar" in str(warning.message)]


WRONG: dict[str, Behave] = {
    "silent": silent,
    "no JSON": always(response("<h1>It works!</h1>", kind="text/html")),
    "no such field": always(response({"text": "Paris"})),
    "refused": always(response({"error": "who are you?"}, status=401)),
    "broken": always(response({"error": "oops"}, status=500)),
    "hangs up": always(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{", close=True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_bot_that_answers_nothing_is_told_in_one_sentence(
    name: str, botattack: Botattack, folder: Path, serve: Serve, snapshot: SnapshotAssertion
) -> None:
    url = serve(Server(WRONG[name]))
    Path("web.yaml").write_text(web(url, "200ms") if name == "silent" else web(url))
    Path("campaign.yaml").write_text(CAMPAIGN.format(target="web.yaml", root=ROOT))
    ended = botattack("run", "campaign.yaml")
    assert ended.status == (2 if name in ("no JSON", "no such field", "refused") else 3)
    assert ended.err.splitlines()[-1] == snapshot
    (recording,) = Path("recordings").iterdir()
    assert list(events(recording))
