"""Each attack on sentences of its paper, with the real parser."""

from __future__ import annotations

from typing import Any

import pytest

from botattack.attacks.combined.at import At
from botattack.attacks.letters.characters import Noise, RandomCharacters
from botattack.attacks.letters.invisible import INVISIBLE, LOOKALIKES, SPACES, Homoglyph, Invisible
from botattack.attacks.letters.surface import Case, Punctuation
from botattack.attacks.sentences.word_order import Reorder, SwapWords
from botattack.attacks.words.entities import ConfuseEntity, RandomInput, RandomInputKeepEntities
from botattack.attacks.words.everyday import Contraction, Filler, Homophone
from botattack.attacks.words.function_words import (
    DeleteFunctionWord,
    DropStopwords,
    InsertFunctionWord,
    SubstituteFunctionWord,
)
from botattack.attacks.words.negate import Negate
from botattack.model import GoldAnswer, Question, Variant
from botattack.text.tokens import normalised
from tests.attacks.conftest import texts_of

ALADDIN = "Who played the voice of Aladdin"
STATE = "what state is the largest in population"
"""Table 1 of the semantic-parser paper."""
ALL = 10**6


def test_table_1_insertion_deletion_substitution(propose_all: Any) -> None:
    for attack, expected in (
        (InsertFunctionWord(per_question=ALL), "in what state is the largest in population"),
        (DeleteFunctionWord(per_question=ALL), "what state is the largest population"),
        (SubstituteFunctionWord(per_question=ALL), "what state is the largest among population"),
    ):
        variants, existing = propose_all(attack, STATE)
        (found,) = [variant for variant in variants if variant.prompt.text == expected]
        assert found.meaning == "kept"
        assert existing == len(variants)


def test_table_1_reordering(propose_all: Any) -> None:
    assert sorted(texts_of(propose_all(Reorder(), STATE)[0])) == [
        "in population what state is the largest",
        "the largest in population is what state",
    ]
    variants, _ = propose_all(Reorder(), "Which rivers and lakes are in Ohio?")
    assert "Which lakes and rivers are in Ohio?" in texts_of(variants)
    for variant in variants:
        words = normalised(variant.prompt.text).removesuffix("?").split()
        assert sorted(words) == ["and", "are", "in", "lakes", "ohio", "rivers", "which"]
        assert variant.meaning == "kept"


@pytest.mark.parametrize(
    ("text", "reordered"),
    [
        ("Which is bigger, New York or Los Angeles?", ["Which is bigger, Los Angeles or New York?"]),
        ("Did the UK or Ireland win?", ["Did Ireland or the UK win?"]),
        ("What does the old man and his wife do?", ["What does his wife and the old man do?"]),
        ("Can I get Visa, Mastercard or cash?", ["Can I get Visa, cash or Mastercard?"]),
        ("What is the capital of France, please?", ["Of France what is the capital, please?"]),
        ("Who wrote and directed Jaws?", []),
        ("When did World War II end, and who won it?", []),
        ("I lost my key. Where can I get a new one in Paris?", []),
        ("I'd like to cancel my order; how do I do that?", []),
        ("What, in your opinion, is best?", []),
        ('Name the author of "The Old Man and the Sea".', []),
        ("Do you know where Budapest is?", []),
        ("where is the ottoman empire located?", []),
        ("where is tom cruise from?", ["from where is tom cruise?"]),
        ("Where is the exit and who owns it?", ["Who owns it and where is the exit?"]),
        ("Do you know when it was founded?", []),
    ],
)
def test_whole_phrases_move_and_marks_stay(text: str, reordered: list[str], propose_all: Any) -> None:
    assert sorted(texts_of(propose_all(Reorder(), text)[0])) == reordered


@pytest.mark.parametrize(
    ("text", "after", "meaning"),
    [
        ("states with lakes", "states without lakes", "changed"),
        ("rivers and lakes", "rivers or lakes", "changed"),
        ("states before 1900", "states after 1900", "changed"),
        ("fly from boston", "fly to boston", "changed"),
        ("what is it", "what are it", "kept"),
        ("states with lakes", "states before lakes", "unsure"),
    ],
)
def test_what_an_exchange_does_to_the_meaning(text: str, after: str, meaning: str, propose_all: Any) -> None:
    variants, _ = propose_all(SubstituteFunctionWord(per_question=ALL), text)
    (found,) = [variant for variant in variants if variant.prompt.text == after]
    assert found.meaning == meaning


def test_negations_come_and_go_as_changes(propose_all: Any) -> None:
    inserted, _ = propose_all(InsertFunctionWord(per_question=ALL), "is it here")
    assert {v.prompt.text: v.meaning for v in inserted}["is not it here"] == "changed"
    ((deleted,), _) = propose_all(DeleteFunctionWord(), "why never sleep")
    assert (deleted.prompt.text, deleted.meaning) == ("why sleep", "changed")
    assert "never" in deleted.why


def test_own_inventory(propose_all: Any) -> None:
    _, built_in = propose_all(InsertFunctionWord(per_question=ALL), STATE)
    _, existing = propose_all(InsertFunctionWord(words=("do", "prithee"), per_question=ALL), STATE)
    assert existing == built_in + 8


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (STATE, f"{STATE} have"),
        ("can you fly?", "can you fly me?"),
        ("give me 'c++' jobs ?", "give me 'c++' jobs get ?"),
        ("give me 'c++' jobs ?", "give me us 'c++' jobs ?"),
    ],
)
def test_a_function_word_is_inserted_before_any_piece_and_behind_the_last(
    text: str, after: str, propose_all: Any
) -> None:
    variants, _ = propose_all(InsertFunctionWord(per_question=ALL), text)
    assert after in texts_of(variants)


def test_pronouns_that_only_say_who_is_told_are_function_words(propose_all: Any) -> None:
    text = "give me the rivers you get"
    assert {"give the rivers you get", "give me the rivers get", "give me the rivers you"} <= set(
        texts_of(propose_all(DeleteFunctionWord(), text)[0])
    )
    assert "give us the rivers you get" in texts_of(propose_all(SubstituteFunctionWord(per_question=ALL), text)[0])


def test_the_dialogue_papers_swap_and_dropout(propose_all: Any) -> None:
    variants, _ = propose_all(SwapWords(), "I don't want you to go")
    assert "I don't want to you go" in texts_of(variants)
    ((variant,), existing) = propose_all(DropStopwords(), "Ben ate the carrot")
    assert (variant.prompt.text, existing) == ("Ben ate carrot", 1)


def test_swaps_are_counted_and_stay_inside(propose_all: Any) -> None:
    text = "one two three four five six seven eight, nine ten eleven twelve"
    variants, _ = propose_all(SwapWords(per_question=100), text)
    for variant in variants:
        assert len(variant.edits) == 3
        assert variant.prompt.text.startswith("one ")
        assert variant.prompt.text.endswith(" twelve")
        assert all("," not in edit.before for edit in variant.edits)
    assert propose_all(SwapWords(), "not enough words") == ([], None)
    assert max(len(v.edits) for v in propose_all(SwapWords(per=3), text)[0]) == 4


def test_dropout_keeps_pronouns_verbs_question_words_and_not(propose_all: Any) -> None:
    text = "who is he and why did they not go to the sea with all of the other ones in the end of it"
    variants, _ = propose_all(DropStopwords(per_question=300), text)
    assert max(len(variant.edits) for variant in variants) == 8
    dropped = {edit.before.strip() for variant in variants for edit in variant.edits}
    assert dropped == {"to", "the", "with", "all", "of", "in"}


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("I want some coffee", "I don't want some coffee"),
        ("Who played the voice of Aladdin", "Who didn't play the voice of Aladdin"),
        ("what is the capital of France", "what is not the capital of France"),
        ("Is Paris the capital of France?", "Is Paris not the capital of France?"),
        ("Where does he live?", "Where does he not live?"),
        ("When was Mozart born?", "When was Mozart not born?"),
        ("can you fly", "can you not fly"),
        ("Show me the flights", "Don't show me the flights"),
        ("What has he written?", "What has he not written?"),
        ("he sings well", "he doesn't sing well"),
        ("Is breakfast included in the price?", "Is breakfast not included in the price?"),
        ("Are children's tickets cheaper than adults'?", "Are children's tickets not cheaper than adults'?"),
        ("Did World War II end in 1945?", "Didn't World War II end in 1945?"),
        ("Why did the war end, and when?", "Why didn't the war end, and when?"),
        ("Who did it?", "Who didn't do it?"),
        ("Where to fly into bali?", "Where not to fly into bali?"),
    ],
)
def test_negation(text: str, negated: str, propose_all: Any) -> None:
    ((variant,), _) = propose_all(Negate(), text)
    assert (variant.prompt.text, variant.expect) == (negated, "different")
    assert variant.why


@pytest.mark.parametrize(
    ("text", "negated", "meaning"),
    [
        ("Which cards do you accept?", "Which cards do you not accept?", "unsure"),
        ("What countries are in the region?", "What countries are not in the region?", "unsure"),
        ("Why is my card blocked?", "Why is my card not blocked?", "unsure"),
        ("Which books did he write?", "Which books did he not write?", "unsure"),
        ("What languages do they speak?", "What languages do they not speak?", "unsure"),
        ("What books did he write?", "What books did he not write?", "unsure"),
        ("Why are they rare as fossils?", "Why are they not rare as fossils?", "changed"),
        ("Who can use the bikes?", "Who can not use the bikes?", "changed"),
        ("I need a new passcode.", "I don't need a new passcode.", "changed"),
        ("What does a luggage locker cost?", "What doesn't a luggage locker cost?", "unsure"),
        ("Do you accept cards?", "Do you not accept cards?", "unsure"),
        ("When do you open on Sundays?", "When do you not open on Sundays?", "unsure"),
        ("Which two cards do you accept?", "Which two cards do you not accept?", "unsure"),
        ("What is the cheapest tariff?", "What is not the cheapest tariff?", "unsure"),
        ("What steps must I follow?", "What steps must I not follow?", "unsure"),
        ("I want it. Which cards do you accept?", "I don't want it. Which cards do you accept?", "unsure"),
    ],
)
def test_a_negation_counts_where_no_answer_is_right_for_both(
    text: str, negated: str, meaning: str, propose_all: Any
) -> None:
    ((variant,), _) = propose_all(Negate(), text)
    assert (variant.prompt.text, variant.meaning) == (negated, meaning)


def test_a_negation_that_is_there_already(propose_all: Any) -> None:
    assert propose_all(Negate(), "I don't want tea")[0] == []
    assert propose_all(Negate(), "no verb here, thanks")[0] == []


@pytest.mark.parametrize("kind", ["replace", "swap", "middle", "shuffle", "keyboard"])
def test_noise_is_what_it_says(kind: Any, propose_all: Any) -> None:
    variants, existing = propose_all(Noise(kinds=(kind,), per_question=60), ALADDIN)
    assert existing is None
    assert {edit.before for variant in variants for edit in variant.edits} == {"played", "voice"}
    for variant in variants:
        (edit,) = variant.edits
        old, new = edit.before, edit.after
        assert edit.kind == kind
        if kind in ("replace", "keyboard"):
            assert sum(a != b for a, b in zip(old, new, strict=True)) == 1 == variant.distance
        else:
            assert sorted(old) == sorted(new)
        if kind == "swap":
            assert variant.distance == 1
        if kind == "middle":
            assert (old[0], old[-1]) == (new[0], new[-1])
    if kind == "replace":
        assert len(variants) == 60


def test_random_characters_obey_dpaegs_limits(propose_all: Any) -> None:
    variants, _ = propose_all(RandomCharacters(per_question=200, meaning="paper"), ALADDIN)
    assert len(variants) == 200
    assert max(variant.distance for variant in variants) == 4
    assert {len(variant.edits) for variant in variants} == {1, 2}
    assert all(edit.relation and len(edit.after) == len(edit.before) for v in variants for edit in v.edits)


def test_noise_in_another_script_stays_in_it(propose_all: Any) -> None:
    question = Question("پایتخت اسپانیا کجاست؟", lang="fa")
    variants, _ = propose_all(Noise(per_question=50), question)
    assert len(variants) == 50
    assert not any("a" <= letter <= "z" for variant in variants for letter in variant.edits[0].after)


def test_persian_qa_marks_before_every_space_of_the_context(propose_all: Any) -> None:
    passage = "او در اهواز به دنیا آمد"
    question = Question("او کجا به دنیا آمد؟", (GoldAnswer("در اهواز"),), (passage, "no-space"), lang="fa")
    ((paper,), _) = propose_all(At(Invisible(characters=("left-to-right-mark",), answers="change")), question)
    assert paper.prompt.passages == (passage.replace(" ", "\u200e "), "no-space")
    assert paper.prompt.text == question.text
    assert {str(edit.place) for edit in paper.edits} == {"passage 0"}
    assert paper.distance == 5
    ((spared,), _) = propose_all(At(Invisible(characters=("left-to-right-mark",))), question)
    assert "در اهواز" in spared.prompt.passages[0]
    assert len(spared.edits) == 4


def test_the_share_of_what_changes(propose_all: Any) -> None:
    text = "one two three four five six seven eight nine ten eleven"
    half, _ = propose_all(Invisible(share=0.5, per_question=30), text)
    assert {len(variant.edits) for variant in half} == {5}
    spaces, _ = propose_all(Invisible(position="for-space", characters=tuple(SPACES), per_question=30), text)
    assert len(spaces) == len(SPACES)
    assert all(variant.distance == 10 for variant in spaces)
    inside, _ = propose_all(Invisible(position="in-words", characters=("\u200b",)), "ab c")
    assert texts_of(inside) == ["a\u200bb c"]
    letters, _ = propose_all(Homoglyph(share=1.0, per_question=3), text)
    assert all(len(variant.edits) == sum(letter in LOOKALIKES for letter in text) for variant in letters)


def test_the_tables_survive_normalising() -> None:
    for letter, others in LOOKALIKES.items():
        assert all(normalised(other) != normalised(letter) for other in others), letter
    assert all(normalised(character) == character for character in INVISIBLE.values())


def test_an_unknown_character_is_refused() -> None:
    with pytest.raises(ValueError, match="no invisible character is called 'ghost'"):
        Invisible(characters=("ghost",))


def kinds(variants: list[Variant]) -> dict[str, str]:
    return {variant.edits[0].kind: variant.prompt.text for variant in variants}


def test_case(propose_all: Any) -> None:
    found = kinds(propose_all(Case(per_question=4, kinds=("lower", "upper", "title", "swapped")), "Who is McCoy?")[0])
    assert found == {
        "lower": "who is mccoy?",
        "upper": "WHO IS MCCOY?",
        "title": "Who Is Mccoy?",
        "swapped": "wHO IS mCcOY?",
    }
    turkish = Question("Istanbul izmir", lang="tr")
    assert texts_of(propose_all(Case(kinds=("lower", "upper"), take="nearest"), turkish)[0]) == [
        "ıstanbul izmir",
        "ISTANBUL İZMİR",
    ]
    for seed in range(20):  # chance fills what these leave, and takes the place of none
        named = kinds(propose_all(Case(per_question=6), Question("Wo ist Köln?", lang="de"), seed)[0])
        assert named.keys() == {"lower", "upper", "title", "swapped", "umlauts", "random"}
    answered = Question("is it Paris", (GoldAnswer("paris"),))
    assert texts_of(propose_all(Case(kinds=("upper",)), answered)[0]) == ["IS IT Paris"]


@pytest.mark.parametrize(
    ("asked", "lang", "written"),
    [
        ("Wie sind die Öffnungszeiten für Hunde?", "de", ["Wie sind die Oeffnungszeiten fuer Hunde?"]),
        ("ÜBER WELCHE STRAẞE?", "de-AT", ["UEBER WELCHE STRASSE?"]),
        ("Was kostet Öl bei Müller?", "de", ["Was kostet Oel bei Mueller?"]),
        ("TÜV und ÖPNV, wo?", "de", ["TUEV und OEPNV, wo?"]),
        ("Wie heißt Frau Groß?", "de", ["Wie heisst Frau Gross?"]),
        ("Was gehört dem König?", "de", ["Was gehoert dem König?"]),
        ("Wann kommt der Bus?", "de", []),
        ("Où est l'élève?", "fr", []),
        ("Who sings Für Elise?", "en", []),
    ],
)
def test_umlauts_without_their_keys(propose_all: Any, asked: str, lang: str, written: list[str]) -> None:
    question = Question(asked, (GoldAnswer("der König"), GoldAnswer("König")), lang=lang)
    variants, _ = propose_all(Case(kinds=("umlauts",)), question)
    assert texts_of(variants) == written
    assert all((one.meaning, one.expect) == ("kept", "same") for one in variants)


def test_punctuation(propose_all: Any) -> None:
    found = kinds(propose_all(Punctuation(), "So, who is it at 3.5 km?")[0])
    assert found == {
        "none": "So, who is it at 3.5 km",
        "doubled": "So, who is it at 3.5 km??",
        "stop": "So, who is it at 3.5 km.",
        "exclamation": "So, who is it at 3.5 km!",
        "ellipsis": "So, who is it at 3.5 km...",
        "spaced": "So, who is it at 3.5 km ?",
        "stripped": "So who is it at 3.5 km",
    }
    persian = kinds(propose_all(Punctuation(), Question("او کجاست", lang="fa"))[0])
    assert persian["question"] == "او کجاست؟"
    assert persian["comma"] == "او، کجاست"


def test_contractions(propose_all: Any) -> None:
    variants, _ = propose_all(Contraction(per_question=100), "What is it that you don’t know?")
    found = {variant.prompt.text: variant.meaning for variant in variants}
    assert found["What's it that you don’t know?"] == "kept"
    assert found["Whats it that you do not know?"] == "kept"
    written_out, _ = propose_all(Contraction(), "who's there")
    assert {v.prompt.text: v.meaning for v in written_out} == {"who is there": "unsure", "whos there": "kept"}
    assert propose_all(Contraction(), "we'll swim")[0][0].prompt.text == "we will swim"
    assert len(propose_all(Contraction(), "we'll swim")[0]) == 1


def test_fillers_leave_the_question_as_it_is(propose_all: Any) -> None:
    variants, existing = propose_all(Filler(per_question=100), "Who am I?")
    assert existing == len(variants) == 64
    assert all("Who am I" in variant.prompt.text for variant in variants)
    assert "um, Who am I?" in texts_of(variants)
    assert "Who am I please?" in texts_of(variants)


def test_homophones(propose_all: Any) -> None:
    variants, _ = propose_all(Homophone(), "What's Their capital?")
    assert {variant.prompt.text: variant.meaning for variant in variants} == {
        "What's There capital?": "kept",
        "What's They're capital?": "kept",
        "What's Their capitol?": "unsure",
    }
    assert propose_all(Homophone(), "Do you like dessert?")[0][0].meaning == "unsure"


def test_random_inputs_keep_what_they_say(propose_all: Any) -> None:
    variants, _ = propose_all(RandomInput(), "Who played Aladdin in 1992?")
    for variant in variants:
        assert len(variant.edits) == 5
        assert variant.prompt.text.endswith("?")
    kept, _ = propose_all(RandomInputKeepEntities(), "Who played Aladdin in 1992?")
    assert all(" Aladdin " in text and " 1992?" in text and "played" not in text for text in texts_of(kept))
    assert propose_all(RandomInputKeepEntities(), "who is it")[0] == []
    letters, _ = propose_all(RandomInput(words="letters"), "abc def")
    assert all(len(edit.after) == 3 and edit.after.isalpha() for v in letters for edit in v.edits)


def test_confusing_entities(propose_all: Any) -> None:
    question = Question("What is the capital of France?", (GoldAnswer("Paris"),))
    variants, _ = propose_all(ConfuseEntity(per_question=50), question)
    others = [variant.edits[0].after for variant in variants]
    assert "Brazil" in others
    assert {"Paris", "France"}.isdisjoint(others)
    given, _ = propose_all(ConfuseEntity(entities=("Atlantis",), per_question=50), question)
    assert {v.prompt.text: v.meaning for v in given}["What is the capital of Atlantis?"] == "unsure"
    years, _ = propose_all(ConfuseEntity(), "who won in 1990")
    assert years
    assert all(len(v.edits[0].after) == 4 and v.edits[0].after.isdigit() for v in years)


@pytest.mark.parametrize(
    ("text", "answer", "known"),
    [
        ("what money is used in mozambique?", "metical", True),
        ("what religion is there in mozambique?", "islam", False),  # as in many others
        ("where was abraham lincoln buried?", "Oak Ridge", True),
        ("what is abraham lincoln's religion?", "christian", False),
        ("is mozambique in africa?", "yes", False),
        ("what route connects mozambique with Boston?", "none", False),  # no route connects Boston with Norway
        ("what was published in 1937?", "a book", True),
    ],
)
def test_a_name_counts_whose_type_is_known_and_whose_answer_is_its_own(
    text: str, answer: str, known: bool, propose_all: Any
) -> None:
    variants, _ = propose_all(ConfuseEntity(), Question(text, (GoldAnswer(answer),)))
    assert any(variant.meaning == "changed" for variant in variants) is known


def test_no_name_is_put_in_for_which_the_answer_may_be_right(propose_all: Any) -> None:
    question = Question("what do they speak in mozambique?", (GoldAnswer("Swahili"),))
    variants, _ = propose_all(ConfuseEntity(per_question=50), question)
    assert {"norway", "peru"} <= {variant.edits[0].after for variant in variants}
    assert "kenya" not in {variant.edits[0].after for variant in variants}


def test_of_a_list_one_becomes_another_and_never_the_whole_question(propose_all: Any) -> None:
    bikes = ConfuseEntity(entities=("tandem", "cargo bike"))
    ((variant,), _) = propose_all(bikes, "What does a tandem cost?")
    assert (variant.prompt.text, variant.meaning) == ("What does a cargo bike cost?", "changed")
    assert propose_all(bikes, "Tandem?")[0] == []
    ((polar,), _) = propose_all(bikes, "Do you have a tandem?")
    assert polar.meaning == "unsure"


@pytest.mark.parametrize(
    ("text", "other", "confused"),
    [
        ("Do you ship to the UK?", "Chicago", "Do you ship to Chicago?"),
        ("What does the UK government do?", "Norway", "What does the Norway government do?"),
        ("Is it an Apple or not?", "The Red Cross", "Is it The Red Cross or not?"),
        ("What do the French eat?", "Danish", "What do the Danish eat?"),
    ],
)
def test_an_article_goes_with_its_name(text: str, other: str, confused: str, propose_all: Any) -> None:
    variants, _ = propose_all(ConfuseEntity(entities=(other,), per_question=50), text)
    assert confused in texts_of(variants)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("۴۵۶", []),  # drawn otherwise in Arabic
        ("کبک", ["كبک"]),  # at its end the letter has another form
        ("بی", ["بى"]),
        ("یب", []),
        ("vtd", []),
    ],
)
def test_letters_become_others_only_where_both_look_the_same(text: str, after: list[str], propose_all: Any) -> None:
    variants, _ = propose_all(Homoglyph(share=1.0), Question(text, lang="fa"))
    assert texts_of(variants) == after


@pytest.mark.parametrize(
    ("mark", "text", "places"),
    [
        ("\u200e", "who won in 1990 ?", [3, 7, 10, 15]),
        ("\u200f", "who won in 1990 ?", [3, 7]),
        ("\u200e", "او در ۱۲ ماه", [2]),
        ("\u061c", "او در ۱۲ ماه", [2, 5]),
        ("\u200b", "او در ۱۲ ماه", [2, 5, 8]),
    ],
)
def test_a_mark_of_direction_is_put_only_where_nothing_moves(
    mark: str, text: str, places: list[int], propose_all: Any
) -> None:
    ((variant,), _) = propose_all(Invisible(characters=(mark,)), Question(text))
    assert [edit.start for edit in variant.edits] == places
