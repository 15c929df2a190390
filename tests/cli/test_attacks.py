"""`botattack attacks`, and the page that is made of the same docstrings."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.measured.make_catalogue import section
from botattack.config.docstrings import entries, entry_of
from botattack.registry import BUILT_IN, names
from tests.cli.conftest import Botattack

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_catalogue_page_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "benchmarks" / "measured" / "make_catalogue.py"))["page"]()
    assert (ROOT / "docs" / "attacks.md").read_text("utf-8") == page, (
        "run: python -m benchmarks.measured.make_catalogue"
    )


@pytest.mark.parametrize("name", sorted(BUILT_IN["attacks"]))
def test_the_page_has_what_each_attack_needs_and_each_default(name: str) -> None:
    """As `attacks show` prints them; the rest of the page is looked at by the slow test above."""
    page, each = (ROOT / "docs" / "attacks.md").read_text("utf-8"), entry_of(name)
    for line in section(each, None):
        assert f"\n{line}\n" in page
    cells = (f"[`{name}`](#{name})", each.plain, each.expect, each.languages, each.needs)
    assert f"\n| {' | '.join(cells)} |" in page


@pytest.mark.parametrize(("name", "file"), [("files", "files.md"), ("reports", "report.schema.json")])
def test_the_reference_pages_are_up_to_date(name: str, file: str) -> None:
    page = runpy.run_path(str(ROOT / "benchmarks" / "measured" / "make_reference.py"))[name]()
    assert (ROOT / "docs" / file).read_text("utf-8") == page, "run: python -m benchmarks.measured.make_reference"


@pytest.mark.parametrize("name", sorted(BUILT_IN["attacks"]))
def test_every_attack_says_what_it_does_and_every_option_is_explained(name: str) -> None:
    entry = entry_of(name)
    assert len(entry.line) > 30
    assert [
        option.name for option in entry.options if not option.text and name not in ("at", "chain", "unchanged")
    ] == []


@pytest.mark.slow
def test_list_names_them_all_and_says_which_run_here(botattack: Botattack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("BOTATTACK_PARAPHRASES", raising=False)
    ended = botattack("attacks", "list")
    assert ended.status == 0
    lines = ended.out.splitlines()
    heads = {line[2:].partition(":")[0]: line[0] for line in lines if line.startswith(("+ ", "- "))}
    assert list(heads) == [entry.name for entry in entries()]
    assert (heads["noise"], heads["all-should-not-change"]) == ("+", "-")
    assert max(map(len, (line for line in lines if " needs " not in line))) <= 60
    assert "needs paraphrases, which is not here: botattack resources get" in " ".join(ended.out.split())
    here = sum(mark == "+" for mark in heads.values())
    assert lines[-1].startswith(f"{here} of {len(heads)} run here")


def test_show(botattack: Botattack) -> None:
    shown = botattack("attacks", "show", "swap-words")
    assert shown.status == 0
    assert shown.out.startswith("swap-words: a right answer stays the same; languages: any; needs no language part\n")
    assert "  per: number = 4\n      Words for one swap: the paper's 4; its code has 3.\n" in shown.out
    assert "under `variants`:\n  per_question: number = 10\n" in shown.out
    assert "  take: sample | nearest = sample\n" in shown.out


def test_preview_marks_the_edits(botattack: Botattack) -> None:
    ended = botattack("attacks", "preview", "drop-stopwords", "Ben ate the carrot")
    assert (ended.status, ended.out) == (0, "Ben ate[␣the → (nothing)] carrot  (distance 4)\n")
    flipped = botattack("attacks", "preview", "negate", "I want tea")
    assert flipped.out == "I [want → don't want] tea  (distance 6; meaning changed: 'want' was negated)\n"
    chained = botattack("attacks", "preview", "chain:[drop-stopwords,negate]", "Ben ate the carrot")
    assert "Ben [ate the → didn't eat] carrot" in chained.out
    hidden = botattack("attacks", "preview", "invisible:characters=[word-joiner]", "a b")
    assert hidden.out == "a[(nothing) → \\u2060] b  (distance 1)\n"


@pytest.mark.parametrize(
    ("attack", "place"), [("injection", "added passage 0: "), ("are-you-sure", "turn 1: "), ("memory", "turn 0: ")]
)
def test_preview_shows_what_is_sent_beside_the_question(botattack: Botattack, attack: str, place: str) -> None:
    shown = botattack("attacks", "preview", attack, "How many days are left?").out
    beside = [line.removeprefix(place) for line in shown.splitlines() if line.startswith(place)]
    assert len({*beside}) > 1 or attack == "are-you-sure", shown
    assert all("→" in line or "How many" in line for line in beside), shown


@pytest.mark.parametrize(
    ("attacks", "whose"), [(["dpaeg"], "dpaeg"), (["case", "chain:[dpaeg,case]", "dpaeg"], "chain, dpaeg")]
)
def test_a_part_that_is_missing_is_said_with_the_attacks_that_need_it(
    attacks: list[str], whose: str, botattack: Botattack, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOTATTACK_TYPOS", "nowhere")
    flags = [word for attack in attacks for word in ("-a", attack)]
    ended = botattack("run", "-t", "bot.yaml", "-q", "faq.jsonl", *flags, "--allow-code", "--dry-run")
    assert ended.status == 2
    assert f"botattack: {whose}: BOTATTACK_TYPOS names " in ended.err


@pytest.mark.parametrize(
    ("sentence", "lang"),
    [
        ("¿Cuánto cuesta el envío a Canarias?", "es"),
        ("Wie viel kostet der Versand nach Wien?", "de"),
        ("Quem escreveu Os Lusíadas e quando?", "pt"),
        ("پایتخت ایران کجاست؟", "fa"),
        ("Как зовут вашего директора?", "ru"),
    ],
)
def test_preview_reads_a_sentence_in_its_own_language(botattack: Botattack, sentence: str, lang: str) -> None:
    """As a file of questions is read: by script and function words."""
    ended = botattack("attacks", "preview", "homophone", sentence)
    assert f"the sentence is in '{lang}'" in ended.err
    assert botattack("attacks", "preview", "homophone", "Who wrote this?", "--lang", lang).err == ended.err


def test_preview_of_nothing(botattack: Botattack) -> None:
    ended = botattack("attacks", "preview", "case", "۱۲۳")
    assert ended.status == 0
    assert "no variant" in ended.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "nois"), "did you mean 'noise'?"),
        (("preview", "nois", "x"), "did you mean 'noise'?"),
        (("preview", "nois", "x"), "command line:1:17: attacks[0]: no attack is called 'nois'"),
        (("preview", "nois", "x"), "\n    attacks preview nois\n"),
        (("preview", "noise,dpaeg", "x"), "give each name on its own"),
        (("preview", "noise:kinds=[foo]", "x"), "'foo' is not a choice here"),
        (("preview", "noise:per_question=0", "x"), "noise.per_question: expected a whole number of at least 1"),
        (("preview", "noise:search=beam", "x"), "write stop_at_break: true"),
        (("preview", "add-any:search=genetic", "x"), "add-any always crosses"),
        (("preview", "chain", "x"), "expected a list of at least 2"),
        (("preview", "chain:[filler,cas]", "x"), "attacks[0].chain[1]: no attack is called 'cas'"),
        (("preview", "negate", "x y", "--lang", "fa"), "negate works in en only, and the sentence is in 'fa'"),
        (
            ("preview", "contraction", "این چیست؟"),
            "contraction works in de, en, es, fr only, and the sentence is in 'fa'",
        ),
    ],
)
def test_one_sentence_says_what_is_wrong(arguments: tuple[str, ...], said: str, botattack: Botattack) -> None:
    ended = botattack("attacks", *arguments)
    assert ended.status == 2
    assert said in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("attack", "lang", "sentence", "short", "long"),
    [
        ("dpaeg", "en", "Do you accept the IRS form?", "IRS", "accept"),
        *(
            (attack, *row)
            for attack in ("noise", "random-characters")
            for row in (
                ("en", "Do you accept the IRS form?", "IRS", "accept"),
                ("pt", "Até que horas posso fazer uma TED?", "TED", "horas"),
                ("de", "Wieviel kostet mich eine SMS heute?", "SMS", "kostet"),
                ("pt", "ATÉ QUE HORAS POSSO FAZER UMA TED?", "", "TED"),
            )
        ),
    ],
)
def test_other_letters_of_an_abbreviation_are_not_claimed_to_mean_the_same(
    botattack: Botattack, attack: str, lang: str, sentence: str, short: str, long: str
) -> None:
    made = botattack("attacks", "preview", f"{attack}:per_question=60", sentence, "--lang", lang).out
    claimed = [line for line in made.splitlines() if "→" in line and "unsure" not in line]
    assert any(f"[{long} →" in line for line in claimed), made
    assert not short or not any(f"[{short} →" in line for line in claimed), made


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with an attack that must be given something, and one that cannot be imported."""
    (tmp_path / "acme.py").write_text(
        "from dataclasses import dataclass\nfrom botattack.protocols import Attack\n"
        "@dataclass(frozen=True)\nclass Shout(Attack):\n"
        '    """Shouts a word."""\n    word: str\n    name = "shout"\n    expect = "same"\n'
        "    def propose(self, context, rng): yield []\n"
    )
    package = tmp_path / "acme-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[botattack.attacks]\nshout = acme:Shout\nmute = acme_gone:Mute\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    names.cache_clear()
    yield
    names.cache_clear()


@pytest.mark.slow
def test_an_attack_of_a_third_party_breaks_no_list(botattack: Botattack, third_party: None) -> None:
    listed = botattack("attacks", "list")
    assert listed.status == 0
    assert "+ shout: a right answer stays the same\n    Shouts a word.\n" in listed.out
    broken = "the attack 'mute' cannot be loaded: No module named 'acme_gone'"
    assert f"- mute: a right answer is not known\n    {broken}\n" in listed.out
    assert botattack("resources", "list").status == 0
    shown = botattack("attacks", "show", "shout").out
    assert "needs what its options ask for" in shown
    assert "  word: text = required\n" in shown
    ended = botattack("attacks", "show", "mute")
    assert (ended.status, ended.err) == (2, f"botattack: {broken}\n")
    assert broken in botattack("attacks", "preview", "mute", "a b").err
