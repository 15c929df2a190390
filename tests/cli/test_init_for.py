"""`botattack init --for PRODUCT`: the file of a shape as the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from botattack.audit.starting.call import BadStart
from botattack.audit.starting.shapes import product_named
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Received, Server, replying, response


@pytest.mark.parametrize(
    ("said", "product"),
    [
        ("dify", "Dify"),
        ("DIFY Streaming", "Dify streaming"),
        ("flow-wise", "Flowise"),
        ("copilot studio", "Copilot Studio"),
        ("Coplot Studio", "Copilot Studio"),
        ("lex", "Amazon Lex"),
        ("llamacpp", "llama.cpp"),
        ("open ai", "OpenAI"),
    ],
)
def test_a_product_is_found_by_its_name(said: str, product: str) -> None:
    assert product_named(said) == product


@pytest.mark.parametrize(
    ("said", "named"),
    [("azure", "Azure OpenAI, "), ("hugging", "Hugging Face Spaces"), ("our own bot", "botattack targets list")],
)
def test_an_unknown_product_names_similar_ones(said: str, named: str) -> None:
    with pytest.raises(BadStart, match=named):
        product_named(said)


def test_what_is_written_is_the_users_own_and_runs_once_filled_in(
    botattack: Botattack, folder: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flowise(request: Received) -> bytes:
        known = request.headers.get("authorization") == "Bearer k" and request.target == "/api/v1/prediction/f7"
        return response({"text": f"You said {request.json['question']}"} if known else {}, 200 if known else 401)

    unknown = botattack("init", "--for", "our own bot", "--yes")
    assert unknown.status == 2
    assert not [*folder.iterdir()]
    consent = ("--authorised-by", 'Ann "A." Lee', "--until", "2027-01-31")
    ended = botattack("init", "--for", "Flowise", "--name", "desk", *consent, "--yes")
    assert ended.status == 0, ended
    assert "workflow, for Flowise" in ended.err
    assert "YOUR_FLOW_ID" in ended.err
    assert "WORKFLOW_TOKEN=\n" in (folder / "desk.env.example").read_text()
    (following,) = (line for line in ended.out.splitlines() if line.startswith("next "))
    assert "cp desk.env.example desk.env && ${EDITOR:-vi} desk.env desk-target.yaml" in following
    assert following.endswith("botattack check desk-target.yaml --env-file desk.env")
    path = folder / "desk-target.yaml"
    text = path.read_text("utf-8")
    assert "Langflow" not in text
    assert yaml.safe_load(text)["consent"]["authorised_by"] == 'Ann "A." Lee'
    url = serve(Server(replying(flowise)))
    path.write_text(text.replace("http://127.0.0.1:3000", url).replace("YOUR_FLOW_ID", "f7"), "utf-8")
    monkeypatch.setenv("WORKFLOW_TOKEN", "k")
    asked = botattack("check", "desk-target.yaml", "--ask", "Hello there?")
    assert asked.status == 0, asked
    assert "You said Hello there?" in asked.out
