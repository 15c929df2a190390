"""Translators and paraphrasers are asked as bots are, by target files."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from botattack.errors import ConfigError, MissingPart, TargetDown, TrustRefused
from botattack.recordings.masking import Masker
from botattack.resources import asked
from botattack.resources import judge_service as judge
from tests.servers.http import Received, Server

ROOT = Path(__file__).parents[2]


class Service:
    """Answers with what `said` makes of a request's JSON; an int is a status."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def said(self, request: Any) -> Any:
        raise NotImplementedError

    async def __call__(self, received: Received, writer: asyncio.StreamWriter) -> None:
        self.seen.append(received.json)
        reply = self.said(received.json)
        status, body = (reply, b"{}") if isinstance(reply, int) else (200, json.dumps(reply).encode())
        writer.write(b"HTTP/1.1 %d X\r\ncontent-length: %d\r\n\r\n" % (status, len(body)) + body)


class LibreTranslate(Service):
    def said(self, request: Any) -> Any:
        return 400 if "bad" in request["q"] else {"translatedText": f"{request['target']}: {request['q']} "}


class OpenAI(Service):
    def said(self, request: Any) -> Any:
        text = (
            '1. How old is it?\n2) "What is its age?"\n\n- How old is it?\nHere they are:\n10:30 is its age?\nA fourth'
        )
        return {"choices": [{"message": {"role": "assistant", "content": text}}]}


@contextmanager
def listening(behave: Service) -> Iterator[str]:
    """The address of a server on a loop of its own, for what is asked from a worker thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = Server(behave)
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
        yield server.url
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def named(variable: str, file: str, old: str, url: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """The project's own target file, with the address of the test's server."""
    text = (ROOT / "targets" / "bots" / file).read_text("utf-8").replace(old, url)
    assert url in text
    (folder / file).write_text(text, "utf-8")
    patch.setenv(variable, str(folder / file))


def test_a_translator_of_libretranslates_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = LibreTranslate()
    with listening(service) as url:
        named(asked.TRANSLATOR, "libretranslate.yaml", "http://127.0.0.1:5000", url, tmp_path, monkeypatch)
        translator = asked.load_translator()
        payloads = [{"text": text, "from": "en", "to": "fr"} for text in ("who?", "bad", "what?")]
        assert translator.meet(payloads) == ["fr: who?", None, "fr: what?"]
        assert translator.meet(payloads[:1]) == ["fr: who?"]
    assert service.seen[0] == {"q": "who?", "source": "en", "target": "fr", "format": "text"}
    assert translator.info.name == "libretranslate"
    assert len(translator.info.digest) == 64


def test_a_paraphraser_of_the_openai_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = OpenAI()
    with listening(service) as url:
        named(asked.PARAPHRASER, "openai-compatible.yaml", "http://127.0.0.1:8080", url, tmp_path, monkeypatch)
        found = asked.load_paraphraser().meet([{"text": "how old is it?", "n": 3}])
    assert found == [("How old is it?", "What is its age?", "10:30 is its age?")]
    said = service.seen[0]["messages"][-1]["content"]
    assert "in 3 different ways" in said
    assert said.endswith("how old is it?")


class Labels(OpenAI):
    def __init__(self, *says: str) -> None:
        super().__init__()
        self.says = iter(says)

    def said(self, request: Any) -> Any:
        return {"choices": [{"message": {"role": "assistant", "content": next(self.says)}}]}


def test_a_judge_proves_once_that_it_can_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Labels('{"label": "correct"}', '{"label": "wrong"}', "no label here")
    with listening(service) as url:
        named(judge.JUDGE, "openai-compatible.yaml", "http://127.0.0.1:8080", url, tmp_path, monkeypatch)
        found = judge.load()
        assert found.meet([{"prompt": "one"}]) == ['{"label": "wrong"}']
        assert found.meet([{"prompt": "two"}]) == ["no label here"]
    said = [seen["messages"][-1]["content"] for seen in service.seen]
    assert said[0].endswith('right_answers: ["Paris"]\nreply: "Paris."')
    assert said[1:] == ["one", "two"]


def test_a_model_that_cannot_label_judges_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Labels("Yes, Paris is right.")
    with listening(service) as url:
        named(judge.JUDGE, "openai-compatible.yaml", "http://127.0.0.1:8080", url, tmp_path, monkeypatch)
        found = judge.load()
        found.service.confide(Masker(["right."]))
        for _ in range(2):
            with pytest.raises(
                MissingPart, match=r"names is no judge: .*; name another model: Yes, Paris is \[redacted"
            ):
                found.meet([{"prompt": "one"}])
    assert len(service.seen) == 1


def test_a_judge_that_says_nothing_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(Labels("")) as url:
        named(judge.JUDGE, "openai-compatible.yaml", "http://127.0.0.1:8080", url, tmp_path, monkeypatch)
        with pytest.raises(MissingPart, match="BOTATTACK_JUDGE names gave no answer: try `botattack check`"):
            judge.load().meet([{"prompt": "one"}])


@pytest.mark.slow
def test_one_that_is_not_there_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named(asked.TRANSLATOR, "libretranslate.yaml", "http://127.0.0.1:5000", "http://127.0.0.1:1", tmp_path, monkeypatch)
    text = (tmp_path / "libretranslate.yaml").read_text("utf-8")
    quick = text.replace("concurrency: 2, timeout: 60s", "concurrency: 2, retries: 0, breaker: 2, rate: unlimited")
    (tmp_path / "libretranslate.yaml").write_text(quick, "utf-8")
    translator = asked.load_translator()
    with pytest.raises(TargetDown):
        translator.meet([{"text": "x", "from": "en", "to": "fr"}] * 4)


def test_without_a_service_the_sentence_names_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(asked.PARAPHRASER, raising=False)
    with pytest.raises(MissingPart, match="there is no paraphraser: set BOTATTACK_PARAPHRASER to a target file"):
        asked.load_paraphraser()
    monkeypatch.setenv(asked.PARAPHRASER, str(tmp_path / "none.yaml"))
    with pytest.raises(MissingPart, match=r"BOTATTACK_PARAPHRASER names .*none.yaml, which is not a target file"):
        asked.load_paraphraser()
    monkeypatch.delenv(asked.TRANSLATOR, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match=r"there is no translator: apt-get install apertium .*BOTATTACK_TRANSLATOR"):
        asked.load_translator()


def test_a_service_elsewhere_needs_consent_and_one_that_runs_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv(asked.PARAPHRASER, str(tmp_path / "x.yaml"))
    (tmp_path / "x.yaml").write_text("connect: {kind: openai, url: 'http://192.0.2.1/v1', model: x}\n")
    with pytest.raises((TrustRefused, ConfigError), match="consent"):
        asked.load_paraphraser()
    (tmp_path / "x.yaml").write_text("connect: {kind: local, call: 'os:system'}\n")
    with pytest.raises(TrustRefused, match=r"code.*start it as a server"):
        asked.load_paraphraser()
