from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from botattack.attacks.building.composed_edits import composed
from botattack.attacks.building.settling import settled
from botattack.attacks.combined.at import At
from botattack.attacks.combined.chain import Chain
from botattack.attacks.letters.characters import Noise
from botattack.attacks.letters.dpaeg import Dpaeg
from botattack.attacks.letters.invisible import Invisible
from botattack.attacks.letters.surface import Case, Punctuation
from botattack.attacks.sentences.word_order import Reorder
from botattack.attacks.words.everyday import Filler
from botattack.attacks.words.function_words import DropStopwords, InsertFunctionWord
from botattack.attacks.words.negate import Negate
from botattack.model import Edit, Need, Prompt, Question, Turn, Turns, Variant, Verdict, edited, places
from botattack.places import Place
from botattack.protocols import Context, Proposals
from botattack.text.tokens import normalised
from tests.attacks.conftest import drive, texts_of
from tests.edits import apply_edits

TEXT = "what state is the largest in population"


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> tuple[Edit, ...]:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return tuple(Edit(start, text[start:end], draw(st.text("xy", max_size=3)), "e") for start, end in pairs)


@given(st.data())
def test_composed_edits_of_the_original_give_the_last_text(data: st.DataObject) -> None:
    original = data.draw(st.text("abc ", max_size=14))
    first = data.draw(edits_of(original))
    middle = apply_edits(original, first)
    second = data.draw(edits_of(middle))
    edits = composed((Prompt(original),), first, second)
    assert apply_edits(original, edits) == apply_edits(middle, second)
    assert all(edit.before != edit.after for edit in edits)


@st.composite
def anywhere(draw: st.DrawFn, turns: Turns) -> tuple[Edit, ...]:
    """Edits at any places of these turns, texts added among them."""
    found: list[Edit] = []
    for place, text in places(turns).items():
        found += [replace(edit, place=place) for edit in draw(edits_of(text))]
    for kind, most in (("added passage", len(turns[-1].passages)), ("added turn", len(turns) - 1)):
        for index in draw(st.lists(st.integers(0, most), max_size=2)):
            found.append(Edit(0, "", draw(st.text("pq", max_size=3)), "a", Place(kind, index)))  # type: ignore[arg-type]
    return tuple(found)


SAID = st.text("abc ", max_size=8)


@pytest.mark.slow
@given(st.data())
def test_composed_edits_give_the_same_turns_wherever_they_are(data: st.DataObject) -> None:
    history = tuple(Turn("user", text) for text in data.draw(st.lists(SAID, max_size=2)))
    last = Prompt(data.draw(SAID), tuple(data.draw(st.lists(SAID, max_size=3))), history)
    turns = (*map(Prompt, data.draw(st.lists(SAID, max_size=2))), last)
    first = data.draw(anywhere(turns))
    middle = edited(turns, first)
    second = data.draw(anywhere(middle))
    assert edited(turns, composed(turns, first, second)) == edited(middle, second)


def test_edits_apart_stay_as_they_are_and_touching_ones_become_one() -> None:
    first, apart = Edit(0, "who", "hwo", "typo", relation="nsubj"), Edit(8, "x", "y", "random")
    assert composed((Prompt("who ate x"),), (first,), (apart,)) == (first, apart)
    (one,) = composed((Prompt("who ate x"),), (first,), (Edit(1, "w", "W", "case"),))
    assert (one.start, one.before, one.after, one.kind, one.relation) == (0, "who", "hWo", "typo + case", "nsubj")
    assert composed((Prompt("who"),), (Edit(0, "who", "hwo", "typo"),), (Edit(0, "hwo", "who", "typo"),)) == ()


def test_each_variant_of_one_is_the_question_of_the_next(propose_all: Any) -> None:
    variants, existing = propose_all(Chain((Reorder(), Punctuation(kinds=("doubled",)))), TEXT)
    assert sorted(texts_of(variants)) == [
        "in population what state is the largest??",
        "the largest in population is what state??",
    ]
    parents = {variant.id for variant in propose_all(Reorder(), TEXT)[0]}
    assert {variant.parent for variant in variants} == parents
    for variant in variants:
        assert apply_edits(TEXT, variant.edits) == variant.prompt.text
        assert variant.attack == "chain"
    assert existing is None


def test_needs_of_all_come_in_one_batch() -> None:
    steps = Chain((Filler(per_question=5), Negate())).propose(Context(Question("I want tea")), Random(0))
    needs = next(steps)
    assert len(needs) == 5
    assert all(isinstance(need, Need) for need in needs)


@pytest.mark.parametrize("seed", range(3))
def test_three_links_with_the_real_parts(seed: int, propose_all: Any) -> None:
    chain = Chain((Filler(per_question=3), InsertFunctionWord(per_question=3), Dpaeg(per_question=4)))
    variants, _ = propose_all(chain, TEXT, seed)
    assert (variants, None) == propose_all(chain, TEXT, seed)
    assert len({normalised(text) for text in texts_of(variants)}) == len(variants) > 20
    for variant in variants:
        assert apply_edits(TEXT, variant.edits) == variant.prompt.text
        assert "typo" in variant.edits[-1].kind or any(edit.relation for edit in variant.edits)


@pytest.mark.slow
def test_meaning_is_the_least_certain_link(propose_all: Any) -> None:
    negated, _ = propose_all(Chain((Case(kinds=("lower",)), Negate())), "I want tea")
    assert {(variant.meaning, variant.expect) for variant in negated} == {("changed", "different")}
    twice, _ = propose_all(Chain((Negate(), InsertFunctionWord(per_question=10**6))), "I want tea")
    meanings = {variant.prompt.text: variant.meaning for variant in twice}
    assert meanings["I don't want no tea"] == "unsure"
    assert meanings["I don't want to tea"] == "unsure"
    assert meanings["I don't want the tea"] == "changed"


def test_edits_of_passages_pass_through(propose_all: Any) -> None:
    chain = Chain((At(Invisible(characters=("\u200e",))), Case(kinds=("upper",))))
    ((variant,), _) = propose_all(chain, Question("who", passages=("a b",)))
    assert (variant.prompt.text, variant.prompt.passages) == ("WHO", ("a\u200e b",))
    assert {str(edit.place) for edit in variant.edits} == {"question", "passage 0"}


class AsTheEngineAsks(Chain):
    """One variant at a time, as every attack that counts questions is asked."""

    def propose(self, context: Context, rng: Random) -> Proposals:
        return (yield from settled(Chain(self.attacks), context, rng, control=False))


def test_a_chain_whose_last_attack_stops_at_a_break_stops_there(english: Any, parser: Any) -> None:
    chain = AsTheEngineAsks((Filler(per_question=3), Noise(stop_at_break=True, per_question=5)))
    context = Context(Question("Which famous river flows through the old capital of Austria"), (), english)

    def broken(variant: Variant) -> Verdict:
        held = "river" in variant.prompt.text or variant.meaning == "unsure"
        return Verdict("correct" if held else "wrong", float(held))

    found, _ = drive(chain, context, Random(2), parser)
    attempts = [variant for variant in found if variant.search == "attempt"]
    plain, _ = drive(Chain((Filler(per_question=3), Noise(per_question=5))), context, Random(2), parser)
    assert [variant.turns for variant in attempts] == [variant.turns for variant in plain]
    found, _ = drive(chain, context, Random(2), parser, broken)
    attempts = [variant for variant in found if variant.search == "attempt"]
    assert ["river" in variant.prompt.text for variant in attempts].count(False) == 1
    assert len(attempts) < len(plain)
    assert found[-1].search == "outcome"
    assert "river" not in found[-1].prompt.text


def test_what_a_chain_cannot_be() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        Chain((Filler(),))
    with pytest.raises(ValueError, match="dpaeg tries until the bot breaks"):
        Chain((Dpaeg(stop_at_break=True), Filler()))
    with pytest.raises(ValueError, match="chain tries until the bot breaks"):
        Chain((Chain((Filler(), Dpaeg(stop_at_break=True))), Filler()))
    assert Chain((Filler(), Dpaeg(stop_at_break=True))).parts() == ("parse", "dictionary", "lemmas", "typos", "speller")
    assert Chain((DropStopwords(), Filler())).expect == "same"
