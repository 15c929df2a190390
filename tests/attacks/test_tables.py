"""Rows of the tables that attacks draw from and decide by: each is what its name says, and each is used."""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec
import pytest

from botattack import registry
from botattack.attacks.building.meaning_gates import MeaningGates, other_roles
from botattack.attacks.letters.invisible import INVISIBLE, LOOKALIKES, SPACES
from botattack.attacks.passages.distractor import KINDS, Distractor
from botattack.model import GoldAnswer, Question, Token, Variant
from tests.attacks.conftest import tokens_of
from tests.attacks.resources import drive


@pytest.mark.parametrize(("name", "character"), [*INVISIBLE.items(), *SPACES.items()])
def test_a_character_is_called_as_unicode_calls_it(name: str, character: str) -> None:
    words = [word for word in unicodedata.name(character).lower().split() if word != "pattern"]
    assert "-".join(words).replace(" ", "-") == name


@pytest.mark.parametrize("letter", LOOKALIKES)
def test_what_looks_like_a_letter_is_one_letter_of_its_case(letter: str) -> None:
    script, *_ = unicodedata.name(letter).split()
    for other in LOOKALIKES[letter]:
        assert unicodedata.category(other) == unicodedata.category(letter)
        assert other != letter
        assert not unicodedata.name(other).startswith(f"{script} ") or script == "ARABIC" or other == "ɡ"


NEAR = "Alpha Ridge lies by Omega.", "Alpha Ridge lies by water.", "Gamma is far."


def named(text: str, kind: str) -> tuple[Token, ...]:
    """Its words; those of names have an entity's label, names of two words one together."""
    found: list[Token] = []
    for word in text.replace(".", " .").replace("?", " ?").split():
        is_name = kind != "-" and word in ("Alpha", "Ridge", "Omega", "Delta")
        pos, label = ("PROPN", "") if is_name and not kind else ("X", kind if is_name else "")
        start = text.index(word, found[-1].end if found else 0)
        found.append(Token(word, start, pos=pos, head=len(found), entity=label))
    return tuple(found)


def rungs(kind: str) -> dict[str, Variant]:
    """By rung, the passages about a place that the parser calls a name of a kind."""
    asked = Question("what is by alpha ridge Alpha Ridge", (GoldAnswer("Delta"),), ("It is Delta by Alpha Ridge.",))
    attack = Distractor().with_questions(lambda _: [Question("where", passages=NEAR)])
    meets: dict[str, Any] = {"parse": lambda payload: named(payload["text"], kind if payload.get("entities") else "-")}
    found, existing = drive(attack, asked, {}, meets)
    assert existing == len(found)
    return {variant.edits[0].kind: variant for variant in found}


@pytest.mark.parametrize(
    "kind",
    ["", "PERSON", "GPE", "LOC", "ORG", "NORP", "FAC", "EVENT", "WORK_OF_ART", "PRODUCT", "LANGUAGE"],
)
def test_a_distractor_shares_a_name_of_any_kind(kind: str) -> None:
    found = rungs(kind)
    assert found[KINDS["answer"]].decoy == "Omega"
    assert found[KINDS["answer"]].edits[0].after == NEAR[0]
    assert found[KINDS["name"]].edits[0].after == NEAR[1]


@pytest.mark.parametrize("kind", ["DATE", "CARDINAL", "ORDINAL", "MONEY"])
def test_a_distractor_shares_no_number(kind: str) -> None:
    assert not {KINDS["answer"], KINDS["name"]} & {*rungs(kind)}


OPEN = ("ADJ", "VERB", "NOUN", "ADV")


@pytest.mark.parametrize("pos", [*OPEN, "PROPN", "DET", "X"])
def test_a_word_of_meaning_keeps_its_part_of_speech(pos: str) -> None:
    before = tokens_of("a b", f"a {pos} x 0", "b X ROOT 1")
    same = tuple(msgspec.structs.replace(token, text=token.text.upper()) for token in before)
    other = tuple(msgspec.structs.replace(token, pos="SYM") for token in same)
    assert other_roles(before, same) == ""
    assert other_roles(before, other) == ("'A' is another part of speech there" if pos in OPEN else "")
    assert other_roles(before, tuple(msgspec.structs.replace(token, pos="SYM") for token in before)) == ""


ROLES = {"nsubj": "subject", "attr": "subject", "nsubjpass": "object", "dobj": "object", "dative": "to"}


@pytest.mark.parametrize("one", ROLES)
@pytest.mark.parametrize("other", [*ROLES, "amod"])
def test_a_word_keeps_its_role_where_words_were_moved(one: str, other: str) -> None:
    before = tokens_of("sees Ada", "sees VERB ROOT 0", f"Ada PROPN {one} 0")
    after = tokens_of("now Ada sees", "now ADV advmod 2", f"Ada PROPN {other} 2", "sees VERB ROOT 2")
    why = "" if ROLES[one] == ROLES.get(other, ROLES[one]) else f"'ada' is {ROLES[other]!r} there, not {ROLES[one]!r}"
    assert other_roles(before, after) == why


@pytest.mark.parametrize(
    ("relation", "behind", "role"), [("prep", "to", "to"), ("prep", "from", "from"), ("agent", "by", "subject")]
)
def test_behind_a_preposition_that_is_the_role(relation: str, behind: str, role: str) -> None:
    before = tokens_of("sees Ada", "sees VERB ROOT 0", "Ada PROPN dobj 0")
    after = tokens_of(f"sees {behind} Ada", "sees VERB ROOT 0", f"{behind} ADP {relation} 0", "Ada PROPN pobj 1")
    assert other_roles(before, after) == f"'ada' is {role!r} there, not 'object'"
    twice = tokens_of("Ada, Ada sees", "Ada PROPN nsubj 3", ", PUNCT punct 3", "Ada PROPN nsubj 3", "sees VERB ROOT 3")
    assert other_roles(after, twice) == other_roles(twice, after) == ""


GATES = {
    "similar": {"similar"},
    "roles": {"parse"},
    "grammar": {"grammar"},
    "opposites": {"thesaurus", "inflection"},
}


@pytest.mark.parametrize("gate", GATES)
def test_a_gate_needs_parts_that_there_are(gate: Any) -> None:
    assert {*MeaningGates(gates=(gate,)).gate_parts()} == GATES[gate] <= {*registry.names("parts")}
