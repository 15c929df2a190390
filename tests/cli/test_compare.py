"""`botattack compare` on recordings of bots that really ran: shared adversaries, transfer, paired tests, refusals."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Botattack
from tests.report.streams import fits

COUNTRIES = [f"Land{letter}" for letter in "abcdefghijklmnopqrstuvwx"]
BOTS = {
    # Knows the exact words alone.
    "exact": "return towns.get(text, SORRY)",
    # Does not care about case, but for the first eight countries.
    "half": "return towns.get(text if n(text) < 8 else text.capitalize()[:-6] + text[-6:].title(), SORRY)",
    # Cares about nothing but the country.
    "firm": "return next((t for q, t in towns.items() if q.split()[-1][:-1].lower() in text.lower()), SORRY)",
}
CODE = """
import json, pathlib
SORRY = "I am the {name} bot and I do not know."
towns = json.loads((pathlib.Path(__file__).parent / "towns.json").read_text())
def n(question):
    return ord(question[-2].lower()) - ord("a")
def answer(text):
    {body}
"""


@pytest.fixture
def three(botattack: Botattack, folder: Path, kept: Path) -> dict[str, Path]:
    """Recordings of three bots with the same questions."""
    towns = {f"What is the capital of {name}?": f"Town{name[-1]}" for name in COUNTRIES}
    (folder / "towns.json").write_text(json.dumps(towns))
    rows = [{"question": question, "answers": [town]} for question, town in towns.items()]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    if not kept.exists():
        for name in BOTS:
            recorded(botattack, folder, name)
        shutil.copytree(folder / "recordings", kept)
    shutil.copytree(kept, folder / "recordings", dirs_exist_ok=True)
    return {name: next((folder / "recordings").glob(f"*-{name}-*")) for name in BOTS}


def recorded(botattack: Botattack, folder: Path, name: str, *flags: str, attacks: str = "[case, unchanged]") -> Path:
    (folder / f"{name}.py").write_text(CODE.format(name=name, body=BOTS[name]))
    (folder / f"{name}.yaml").write_text(
        f'name: {name}\nconnect: {{kind: local, call: "file://{name}.py:answer"}}\nlimits: {{rate: unlimited}}\n'
        f'signs: {{refused: ["I am the {name} bot and I do not know."]}}\n'
    )
    campaign = folder / f"{name}-campaign.yaml"
    campaign.write_text(f"target: {name}.yaml\nquestions: {{file: faq.jsonl}}\nseed: 7\nattacks: {attacks}\n")
    ended = botattack("run", campaign, "--allow-code", *flags)
    assert ended.status == 0, ended
    return max((folder / "recordings").glob(f"*-{name}-*"), key=lambda path: path.stat().st_mtime_ns)


def compared(botattack: Botattack, folder: Path, *runs: Path) -> dict[str, Any]:
    ended = botattack("compare", *runs, "-o", folder / "found.json")
    assert ended.status == 0, ended
    read: dict[str, Any] = fits("compare", folder / "found.json")
    return read


def transfer(found: dict[str, Any], source: int, to: int) -> dict[str, Any]:
    return next(one for one in found["transfers"] if (one["source"], one["to"]) == (source, to))


@pytest.mark.slow
def test_what_breaks_one_bot_and_whether_it_breaks_another(
    botattack: Botattack, folder: Path, three: dict[str, Path]
) -> None:
    found = compared(botattack, folder, *three.values())
    assert [(bot["name"], bot["right"], bot["decided"]) for bot in found["bots"]] == [(name, 24, 24) for name in three]
    exact, half, firm = found["attacks"]["case"]
    assert exact["broken"] == exact["units"] > 24
    assert 0 < half["broken"] < exact["broken"]
    assert firm["broken"] == 0
    # All that breaks the half bot is of eight questions and breaks the exact one; the firm one breaks in nothing.
    there, back = transfer(found, 1, 0), transfer(found, 0, 1)
    assert there["both"]["broken"] == there["both"]["units"] == half["broken"]
    assert (there["both"]["questions"], there["both"]["interval"]) == (8, None)
    assert (back["both"]["broken"], back["both"]["units"]) == (half["broken"], exact["broken"])
    assert back["both"]["interval"][0] < half["broken"] / exact["broken"] < back["both"]["interval"][1]
    # There is one attack: by chance it is the share of all its variants.
    assert back["chance"] == pytest.approx(half["broken"] / half["units"])
    assert transfer(found, 2, 0)["chance"] is None
    assert transfer(found, 0, 2)["both"]["broken"] == 0
    assert transfer(found, 2, 0)["both"]["units"] == 0


@pytest.mark.slow
def test_shared_adversaries_are_named_with_what_each_bot_said(
    botattack: Botattack, folder: Path, three: dict[str, Path]
) -> None:
    found = compared(botattack, folder, *three.values())
    assert found["shared_questions"] == 8
    assert found["shared_units"] == len(found["shared"]) > 8
    assert len({one["question_id"] for one in found["shared"][:8]}) == 8
    for one in found["shared"]:
        assert (one["row"], one["broke"]) == ("case", [0, 1])
        assert one["replies"]["0"].startswith("I am the exact bot")
        assert one["expected"] == [one["replies"]["2"]]
        assert one["alteration"]["sent"][-1]["text"] != one["alteration"]["original"][-1]["text"]
    out = botattack("compare", *three.values()).out
    assert " ".join(out.split()).startswith(
        "8 of 24 questions in every run have a variant that breaks more than one of 3"
    )
    one = found["shared"][0]
    assert f"--unit {one['unit']}" in out
    assert re.search(r"broke +half: I am the half bot", out)


@pytest.mark.slow
def test_originals_and_each_attack_have_a_paired_test(
    botattack: Botattack, folder: Path, three: dict[str, Path]
) -> None:
    found = compared(botattack, folder, *three.values())
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [(0, 1), (0, 2), (1, 2)]
    rows = {(pair["first"], pair["second"], row["name"]): row for pair in found["pairs"] for row in pair["rows"]}
    assert {name for *_, name in rows} == {"originals", "case", "unchanged"}
    same, worse = rows[0, 1, "originals"], rows[0, 2, "case"]
    assert (same["p"], same["tier"]) == (1.0, "steady")
    assert (worse["fixed"], worse["broken"]) == (worse["units"], 0)
    assert (worse["tier"], worse["q"] < 0.001) == ("improvement", True)
    # The q of three pairs is no smaller than each p.
    assert all(row["q"] >= row["p"] for row in rows.values())


@pytest.mark.slow
def test_two_bots_change_places_and_the_figures_with_them(
    botattack: Botattack, folder: Path, three: dict[str, Path]
) -> None:
    one = compared(botattack, folder, three["half"], three["exact"])
    other = compared(botattack, folder, three["exact"], three["half"])
    assert transfer(one, 0, 1) | {"source": 1, "to": 0} == transfer(other, 1, 0)
    forth, back = (next(row for row in each["pairs"][0]["rows"] if row["name"] == "case") for each in (one, other))
    assert (forth["old"], forth["new"], forth["p"]) == (back["new"], back["old"], back["p"])
    assert (forth["tier"], back["tier"]) == ("regression", "improvement")


@pytest.mark.slow
def test_chance_is_counted_within_each_attack(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, three: dict[str, Path]
) -> None:
    """An attack that breaks nothing has no say in how often what breaks one breaks the other."""
    del three  # it writes the questions
    loose_code = 'text = "".join(c for c in text if c.isalpha() or c == " ").strip() + "?"; ' + BOTS["half"]
    monkeypatch.setitem(BOTS, "loose", loose_code)
    attacks = "[case, punctuation]"
    found = compared(
        botattack, folder, *(recorded(botattack, folder, name, attacks=attacks) for name in ("half", "loose"))
    )
    there = transfer(found, 0, 1)
    (half, loose), (marks, none) = found["attacks"]["case"], found["attacks"]["punctuation"]
    assert marks["broken"] > none["broken"] == 0
    assert there["chance"] == pytest.approx(half["broken"] * loose["broken"] / loose["units"] / there["both"]["units"])


@pytest.mark.slow
def test_the_refusals_of_each_bot_are_its_own(botattack: Botattack, folder: Path, three: dict[str, Path]) -> None:
    """Judged with the refusals of another bot, a refusal would be a wrong answer: nothing is judged again here."""
    assert "judged again" not in botattack("compare", three["exact"], three["half"]).out


@pytest.mark.slow
def test_runs_of_two_judges_are_judged_again_by_that_of_the_last(
    botattack: Botattack, folder: Path, three: dict[str, Path]
) -> None:
    place = three["exact"] / "run.json"
    made = json.loads(place.read_text())
    place.write_text(json.dumps({**made, "judge": {**made["judge"], "botattack": "0.1"}}))
    assert "judged again by today's judge" in botattack("compare", three["exact"], three["half"]).out
    assert compared(botattack, folder, three["exact"], three["half"])["shared_questions"] == 8


@pytest.mark.slow
def test_only_questions_of_every_run_count_and_the_reader_is_told(
    botattack: Botattack, folder: Path, three: dict[str, Path]
) -> None:
    part = recorded(botattack, folder, "firm", "--limit", "10", attacks="[case, invisible]")
    found = compared(botattack, folder, three["exact"], part)
    assert found["questions"] == 10
    assert [note.split(":")[0] for note in found["notes"]] == [
        "14 of 24 questions are not in every run and are left out",
        "not in every run",
    ]
    assert all(row["questions"] <= 10 for row in found["pairs"][0]["rows"])


@pytest.mark.parametrize(
    ("named", "words"),
    [
        (("exact",), "at least two runs"),
        (("exact", "exact"), "named twice"),
        (("exact", "other"), "no question is in all of these runs"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_compared_is_refused_with_one_sentence(
    botattack: Botattack, folder: Path, three: dict[str, Path], named: tuple[str, ...], words: str
) -> None:
    if "other" in named:
        (folder / "faq.jsonl").write_text('{"question": "And that of Landa?", "answers": ["Towna"]}\n')
        three["other"] = recorded(botattack, folder, "firm")
    ended = botattack("compare", *(three[name] for name in named))
    assert (ended.status, len(ended.err.splitlines())) == (2, 1)
    assert words in ended.err


def test_a_file_of_another_kind_is_refused_before_anything_is_read(botattack: Botattack, folder: Path) -> None:
    names = ("one", "two", "three")
    for name in names:
        (folder / name).mkdir()
    ended = botattack("compare", *names, "-o", "found.xml")
    assert ended.status == 2
    assert ".json, .md, .html" in ended.err


@pytest.mark.slow
def test_the_files_show_the_same_and_nothing_of_a_bot_is_markup(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, three: dict[str, Path]
) -> None:
    monkeypatch.setitem(BOTS, "exact", 'return towns.get(text, "<script>alert(1)</script> | **no** ``` \\x1b[31m")')
    hostile = recorded(botattack, folder, "exact")
    ended = botattack("compare", hostile, three["half"], three["firm"], "-o", "found.html", "-o", "found.md")
    assert ended.status == 0
    page, text = (folder / "found.html").read_text(), (folder / "found.md").read_text()
    for shown in (ended.out, page, text):
        assert "\x1b" not in shown
        assert all(title in shown for title in ("What breaks each bot", "Transfer", "Paired tests"))
    lines = [line.replace("\\", "").strip("| ").split(" | ") for line in text.splitlines()]
    paired = [line for line in lines if len(line) == 7 and line[0] != "---"]
    assert [line[0] for line in paired].count("row") == 3
    assert paired[0][1:4] == ["questions", "first", "second"]
    for line in (line for line in paired if line[0] != "row"):
        questions, *broken = line[1:4]
        assert questions.isdecimal()
        assert all(re.fullmatch(r"\d+/\d+", share) for share in broken)
        assert re.fullmatch(r"(< )?[01]\.\d{3}|–", line[5]), line
    assert len(paired) > 1
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "````text" in text


@pytest.mark.slow
def test_a_long_reply_is_counted_whole(botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    towns = {f"What is the capital of {name}?": f"Town{name[-1]}" for name in COUNTRIES}
    (folder / "towns.json").write_text(json.dumps(towns))
    rows = [{"question": question, "answers": [town]} for question, town in towns.items()]
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    better = recorded(botattack, folder, "firm")
    monkeypatch.setitem(BOTS, "firm", BOTS["exact"].replace("SORRY", "SORRY.ljust(519, '.')"))
    worse = recorded(botattack, folder, "firm")
    ended = botattack("compare", better, worse, "-o", "told.md")
    told = (folder / "told.md").read_text() + ended.out
    left_out = re.findall(r"\(([\d,]+) more characters\)", told)
    assert left_out, told
    assert set(left_out) == {"319"}
