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
from botattack.text.spelling import distance
from tests.attacks.conftest import drive, texts_of

ASKED = {
    "de": ("Wie lange gibt es in Bremen Karten für das Konzert?", "Wem gehört die Krankenversicherungskarte?"),
    "es": ("¿Por qué está cerrado hoy el museo de la ciudad?", "¿Cuánto cuesta un billete a Toledo?"),
    "fr": ("Est-ce que le musée de la ville est ouvert ?", "Combien coûte un billet pour Lyon ?"),
    "fa": ("چرا کتابخانه‌های شهر را می‌بندند؟", "بلیت تهران چند است؟"),
}
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "attacks.md"
SPELT = {"noise", "random-characters"}
"""Attacks that alter the letters of a word."""


def questions(code: str) -> list[Question]:
    return [Question(text, (GoldAnswer("1990"),), lang=code) for text in ASKED[code]]


def attacks() -> Iterator[Any]:
    """Those that need neither passages nor another attack."""
    for name in sorted({*registry.BUILT_IN["attacks"]} - {"at", "chain", "unchanged"}):
        attack = registry.find("attacks", name)()
        if not any("passage" in place for place in attack.edits):
            yield attack


def made(attack: Any, question: Question, parser: Any, english: dict[str, Any]) -> list[Variant]:
    return drive(attack, Context(question, (), english), Random(1), parser)[0]


@pytest.mark.slow
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
    """200 questions of customers in a language, as they are read from a file that does not name it."""
    texts = (Path(__file__).parent / "faq" / f"{code}.txt").read_text("utf-8").splitlines()
    rows = ({"question": text, "answers": [str(1990 + number)]} for number, text in enumerate(texts))
    path = folder / "faq.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return [row for row in reader_for(path)(path) if isinstance(row, Question)]


def words_of(text: str) -> set[str]:
    return {folded(word) for word in re.findall(r"\w+", text)}


def put_in(attack: Any, variant: Variant, question: Question) -> set[str]:
    """The words of a variant that are no words of its question; a word with a letter or two altered is none."""
    old = words_of(question.text) | words_of(question.text.replace("'", ""))
    new = words_of(" ".join(turn.text for turn in variant.turns)) - old
    if attack.name == "random-input":
        return {word for word in new if len(word) > 6}  # a shorter one comes up by chance
    return {word for word in new if attack.name not in SPELT or min(distance(word, other) for other in old) > 2}


EVERY_TWENTIETH, EVERY_FOURTH, EACH = slice(None, None, 20), slice(None, None, 4), slice(None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "named", "some"),
    [
        *((code, True, EACH) for code in ASKED),
        *((code, False, EVERY_TWENTIETH) for code in ("de", "es", "fr")),
        *(pytest.param(code, False, EVERY_FOURTH, marks=pytest.mark.slow) for code in ("de", "es", "fr")),
    ],
)
def test_no_english_word_gets_in(
    code: str, named: bool, some: slice, parser: Any, english: dict[str, Any], tmp_path: Path
) -> None:
    asked = questions(code) if named else in_a_file(code, tmp_path)
    lists = (path.read_text("utf-8") for path in (Path(str(registry.__file__)).parent / "lang" / code).iterdir())
    foreign = {*english["dictionary"].words, *language("en").function_words}
    foreign -= words_of(" ".join((*lists, *(question.text for question in asked))))
    seen = 0
    for attack in attacks():
        knowing = attack.with_questions(lambda *_, **__: asked)
        for question in asked[some] if attack.works_in(code) else ():
            assert question.lang == code, question.text
            for variant in made(knowing, question, parser, english):
                assert not put_in(attack, variant, question) & foreign, (attack.name, variant)
                seen += 1
    assert seen > 10 * len(asked[some])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("¿Tenéis cuna?", "es"),
        ("¿Wifi gratis en la habitación?", "es"),
        ("Nehmt ihr Klarna?", "de"),
        ("Acceptez-vous Klarna ?", "fr"),
        ("Cancel order 4711?", "en"),
    ],
)
def test_one_short_question_alone_tells_its_language(text: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_text(text, "utf-8")
    assert [row.lang for row in reader_for(path)(path) if isinstance(row, Question)] == [code]


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
