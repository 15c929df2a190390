"""What attacks make of questions in other languages than English, and the table of docs/attacks.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from botattack import registry
from botattack.attacks.letters.characters import Noise, RandomCharacters
from botattack.attacks.letters.surface import Punctuation
from botattack.attacks.sentences.word_order import SwapWords
from botattack.attacks.words.everyday import Contraction, Filler
from botattack.attacks.words.function_words import DropStopwords
from botattack.model import GoldAnswer, Question, Variant
from botattack.protocols import Context
from botattack.questions.detect import reader_for
from botattack.text.folding import folded
from botattack.text.languages import language
from tests.attacks.conftest import drive, texts_of

ASKED = {
    "de": ("Wie lange gibt es in Bremen Karten für das Konzert?", "Wem gehört die Krankenversicherungskarte?"),
    "es": ("¿Por qué está cerrado hoy el museo de la ciudad?", "¿Cuánto cuesta un billete a Toledo?"),
    "fr": ("Est-ce que le musée de la ville est ouvert ?", "Combien coûte un billet pour Lyon ?"),
    "fa": ("چرا کتابخانه‌های شهر را می‌بندند؟", "بلیت تهران چند است؟"),
}
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "attacks.md"
SPELT = {"case", "homoglyph", "invisible", "noise", "random-characters", "random-input", "unchanged"}
"""Attacks that put in no word."""


def questions(code: str) -> list[Question]:
    return [Question(text, (GoldAnswer("1990"),), lang=code) for text in ASKED[code]]


def attacks() -> Iterator[Any]:
    """Those of the question itself, which need no other attack."""
    for name in sorted({*registry.BUILT_IN["attacks"]} - {"at", "chain", "unchanged", "sensitivity"}):
        attack = registry.find("attacks", name)()
        if attack.edits == frozenset({"question"}):
            yield attack


def made(attack: Any, question: Question, parser: Any, english: dict[str, Any]) -> list[Variant]:
    return drive(attack, Context(question, (), english), Random(1), parser)[0]


def test_the_page_says_what_really_ran(parser: Any, english: dict[str, Any]) -> None:
    rows = []
    for attack in attacks():
        marks = [
            "yes"
            if attack.works_in(code) and all(made(attack, each, parser, english) for each in questions(code)[:1])
            else "–"
            for code in ASKED
        ]
        if set(marks) != {"–"}:
            rows.append(f"| `{attack.name}` | {' | '.join(marks)} |")
    assert "\n".join(rows) in PAGE.read_text("utf-8"), "\n".join(rows)


def in_a_file(code: str, folder: Path) -> list[Question]:
    """Questions of people in a language, as they are read from a file that does not name it."""
    graded = (json.loads(line) for line in (ROOT / "tests/verdicts/pool-de.jsonl").read_text("utf-8").splitlines())
    ours = (json.loads(line) for line in (ROOT / "benchmarks/measured/faq-es-fr.jsonl").read_text("utf-8").splitlines())
    texts = {row["question"] for row in (*graded, *ours) if row.get("lang", "de") == code}
    path = folder / "faq.jsonl"
    path.write_text("".join(f"{json.dumps({'question': text, 'answers': ['1990']})}\n" for text in sorted(texts)))
    return [row for row in reader_for(path)(path) if isinstance(row, Question)]


@pytest.mark.parametrize(
    ("code", "named"), [*((code, True) for code in ASKED), ("de", False), ("es", False), ("fr", False)]
)
def test_no_english_word_gets_in(code: str, named: bool, parser: Any, english: dict[str, Any], tmp_path: Path) -> None:
    path = Path(str(registry.__file__)).parent / "lang" / code
    own = {folded(word) for file in path.iterdir() for word in re.findall(r"\w+", file.read_text("utf-8"))}
    asked = questions(code) if named else in_a_file(code, tmp_path)
    foreign = language("en").function_words - own
    seen = 0
    for attack in attacks():
        for question in asked if attack.works_in(code) and attack.name not in SPELT else ():
            assert question.lang == code
            old = {folded(word) for word in re.findall(r"\w+", question.text)}
            for variant in made(attack, question, parser, english):
                new = {folded(word) for word in re.findall(r"\w+", variant.prompt.text)} - old
                assert not new & foreign, (attack.name, variant.prompt.text)
                seen += 1
    assert seen > (20 if named else 500)


@pytest.mark.parametrize(
    ("attack", "code", "text", "there"),
    [
        (Contraction(), "de", "Gibt es Karten?", "Gibt's Karten?"),
        (Contraction(), "fr", "Est-ce que c'est ouvert ?", "Est ce que cest ouvert ?"),
        (Contraction(), "es", "¿Por qué no abre?", "¿Xq no abre?"),
        (Punctuation(), "fr", "Où est-il ?", "Où est-il?"),
        (Punctuation(), "fr", "Où est-il ?", "Où est-il ??"),
        (Punctuation(), "es", "¿Dónde está?", "Dónde está?"),
        (Filler(per_question=99), "fr", "Où est-il ?", "Où est-il s'il vous plaît ?"),
        (Filler(per_question=99), "es", "¿Dónde está?", "hola, ¿Dónde está?"),
    ],
)
def test_each_language_is_written_as_its_own(
    attack: Any, code: str, text: str, there: str, parser: Any, english: dict[str, Any]
) -> None:
    assert there in texts_of(made(attack, Question(text, lang=code), parser, english))


@pytest.mark.parametrize(
    ("attack", "code", "text", "never"),
    [
        (Filler(per_question=99), "de", "Wo ist bitte der Bahnhof?", "bitte.*bitte"),
        (Filler(per_question=99), "fa", "بلیت چند است؟", "لطفا.*لطفا"),
        (DropStopwords(per_question=99), "es", "¿Por qué está cerrado el museo?", "^¿qué"),
        (SwapWords(per_question=99), "fa", "چرا می‌بندند را شهر؟", "می(?!‌بندند)"),
        *((kind(per_question=60), "fa", "چرا شهر را می‌بندند؟", "(?<!می)‌|[^ ]می‌") for kind in (Noise, RandomCharacters)),
    ],
)
def test_what_is_never_written(
    attack: Any, code: str, text: str, never: str, parser: Any, english: dict[str, Any]
) -> None:
    found = texts_of(made(attack, Question(text, lang=code), parser, english))
    assert found
    assert not [text for text in found if re.search(never, text)]
