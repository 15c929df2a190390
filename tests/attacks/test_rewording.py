"""Words and sentences in other words: lexicons, grammar errors, antonyms, substitutes, translation, paraphrase."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botattack import registry
from botattack.attacks.combined.all_should_not_change import AllShouldNotChange
from botattack.attacks.sentences.reword.attack import Reword
from botattack.attacks.words.antonym import Antonym
from botattack.attacks.words.function_words import InsertFunctionWord, SubstituteFunctionWord
from botattack.attacks.words.grammar_errors import GrammarErrors
from botattack.config.flags import read_attack_flag
from botattack.errors import ConfigError, MissingPart
from botattack.model import Question, Variant
from botattack.protocols import PartInfo
from botattack.text.parts import inflection, thesaurus
from botattack.text.parts.paraphrases import Paraphrases
from botattack.text.parts.translation import Apertium
from botattack.text.tokens import normalised
from botattack.text.wordlist import WordList
from tests.attacks.everything import ERRORS, LEXICON
from tests.attacks.resources import drive, overlap, texts, with_answers, write_wordnet
from tests.edits import apply_edits

NEAR: Mapping[str, Any] = {
    "large": (("small", 0.9), ("big", 0.8), ("larger", 0.7), ("huge", 0.6), ("voice", 0.5)),
    "car": (("auto", 0.9), ("voice", 0.8)),
    "bike": (("motorcycle", 0.9),),
    "app": (("car", 0.9),),
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory, english: dict[str, Any]) -> Any:
    folder: Path = write_wordnet(tmp_path_factory.mktemp("wordnet"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(thesaurus.VARIABLE, str(folder))
        found = {"thesaurus": thesaurus.load(), "inflection": inflection.load()}
    return {**english, **found, "paraphrases": LEXICON, "grammar-errors": ERRORS}


@pytest.fixture
def reworded(parser: Any, parts: Any) -> Any:
    def run(attack: Any, question: Question | str, seed: int = 0, parts: Any = parts, **meets: Any) -> list[Variant]:
        known = {
            "parse": lambda payload: parser.meet([payload])[0],
            "similar": overlap,
            "grammar": lambda _: True,
            "neighbours": lambda payload: NEAR.get(payload["word"], ()),
            "paraphrase": lambda _: ("How old is the thing?", "what age is it", "how old is it ?"),
            "translate": lambda payload: f"{payload['to']} {payload['text']}",
        }
        variants, existing = drive(attack, question, parts, {**known, **meets}, seed)
        assert existing is None or existing >= len(variants)
        return variants

    return run


def whys(variants: list[Variant]) -> dict[str, str]:
    return {variant.prompt.text: f"{variant.meaning}: {variant.why}".removesuffix(": ") for variant in variants}


class TestReword:
    def test_each_source_is_named_and_one_word_or_phrase_changes(self, reworded: Any) -> None:
        found = reworded(Reword(sources=("thesaurus", "lexicon"), per_question=99, gates=()), "She bought a bike")
        assert {variant.prompt.text: [edit.kind for edit in variant.edits] for variant in found} == {
            "She purchased a bike": ["thesaurus + lexicon"],
            "She sold a bike": ["lexicon"],
            "She bought a bicycle": ["lexicon"],
        }

    def test_meaning_is_kept_where_two_sources_agree(self, reworded: Any) -> None:
        found = reworded(Reword(sources=("thesaurus", "lexicon"), per_question=99, gates=()), "She bought a bike")
        assert whys(found) == {
            "She purchased a bike": "kept",
            "She sold a bike": "unsure: of the sources lexicon alone lists 'sold' for 'bought'",
            "She bought a bicycle": "unsure: of the sources lexicon alone lists 'a bicycle' for 'a bike'",
        }

    @pytest.mark.parametrize(
        ("asked", "made"),
        [
            (
                "How do I buy the film?",
                {"How can I", "How would I", "What do I need to do to", "the movie", "I purchase"},
            ),
            ("Which city is it?", {"What city is it?"}),
            ("Who likes the buy-back bike-shop?", set()),
            ("Who likes the Film Shop?", set()),
            ("Stop my buy.", set()),
            ("Do you happen to know it?", set()),
            ("What is Bo's band known for?", {"For what is", "What is Bo's band famous for", "Why is"}),
            ("What is known for it?", set()),
            ("Which team does he play for?", {"For which team does he play?", "What team does he play for?"}),
            ("What is it like?", set()),
            ("Which is it and where is it at?", set()),
            ("May a drone fly here?", {"Is a drone allowed to fly here?"}),
            ("Where may drones fly?", {"Where are drones allowed to fly?"}),
            ("Must I pay for it?", {"Do I have to pay", "Do I need to pay"}),
            ("Who can help me?", {"Who is able to help me?"}),
            (
                "Where is my towed car?",
                {"Where can I find my towed car?", "Where is my towed car located?", "automobile"},
            ),
            ("Where is it given?", set()),
        ],
    )
    def test_our_own_list(self, asked: str, made: set[str], reworded: Any) -> None:
        found = texts(reworded(Reword(sources=("own",), per_question=99, gates=()), asked))
        assert len(found) == len(made)
        assert all(any(piece in text for text in found) for piece in made)

    @pytest.mark.parametrize(
        ("before", "after"), [("bought", "sold"), ("lock", "unlock"), ("before", "after"), ("kids", "adults")]
    )
    def test_a_pair_that_any_source_of_antonyms_lists_is_no_paraphrase(
        self, before: str, after: str, reworded: Any, parts: Any
    ) -> None:
        lexicon = Paraphrases(LEXICON.info, {before: (after,)}, {"kid": ("adult",)}, 1)
        made = reworded(
            Reword(sources=("model",), gates=("opposites",)),
            f"Which old car near town is {before} it?",
            paraphrase=lambda _: (f"Which old car near town is {after} it?",),
            parts={**parts, "paraphrases": lexicon},
        )
        assert [variant.why for variant in made] == [f"{after!r} is an opposite of {before!r}"]

    def test_who_does_what_to_whom_stays(self, reworded: Any) -> None:
        said = ("Which cheap flights go from Denver to Boston?", "Which flights to Denver go from Boston please?")
        attack = Reword(sources=("model",), gates=("roles",))
        found = reworded(attack, "Which flights go from Boston to Denver?", paraphrase=lambda _: said)
        assert {variant.prompt.text: variant.why for variant in found} == {
            said[0]: "'boston' is 'to' there, not 'from'",
            said[1]: "",
        }

    def test_what_is_hardly_too_far_is_not_said_to_be_as_near_as_it_must(self, reworded: Any) -> None:
        attack = Reword(sources=("own",), gates=("similar",))
        found = reworded(attack, "She bought it", similar=lambda _: 0.8999)
        assert {variant.why for variant in found} == {"similarity 0.89 is below 0.9"}

    def test_a_name_has_none_and_an_article_agrees(self, reworded: Any) -> None:
        attack = Reword(sources=("lexicon",), per_question=99, gates=())
        assert texts(reworded(attack, "Has Car Phone seen a car?")) == {"Has Car Phone seen an auto?"}
        assert texts(reworded(attack, "A CAR")) == {"AN AUTO"}
        assert texts(reworded(attack, "A Car")) == {"An Auto"}

    def test_words_of_an_answer_stay(self, reworded: Any) -> None:
        assert reworded(Reword(sources=("own", "lexicon"), gates=()), with_answers("She bought", "bought")) == []

    def test_neighbours_are_kept_where_the_thesaurus_lists_them(self, reworded: Any) -> None:
        attack = Reword(sources=("thesaurus", "neighbours"), per_question=99, gates=("roles", "opposites"))
        found = reworded(attack, "what is the large car?")
        assert {variant.prompt.text for variant in found if variant.meaning == "kept"} >= {
            "what is the big car?",
            "what is the large auto?",
        }
        assert whys(found)["what is the small car?"].startswith("unsure")


class TestGrammarErrors:
    def test_the_papers_sentence(self, reworded: Any) -> None:
        sentence = "He doesn't like cakes"
        kept = {"He don't like cakes", "He don't like cake", "He doesn't like cake"}
        assert texts(reworded(GrammarErrors(per_question=99), sentence)) == kept

    def test_the_two_rules_need_no_table(self, reworded: Any) -> None:
        attack = GrammarErrors(per_question=99, table=False, combine=1)
        assert texts(reworded(attack, "who played the songs that are hers and was singing?")) == {
            "who play the songs that are hers and was singing?",
            "who played the song that are hers and was singing?",
            "who played the songs that are hers and was sing?",
        }
        assert not texts(reworded(attack, "is it as cold as ice?"))  # "as" is no plural of "a"
        assert "grammar-errors" not in attack.parts()

    def test_longest_match_first_and_no_other_word(self, reworded: Any) -> None:
        attack = GrammarErrors(per_question=99, combine=1)
        assert whys(reworded(attack, "he is to go, not in a big house")) == {
            "he are for go, not in a big house": "kept",
            "he is to go, not at a big house": "kept",
            "he is to go, not on a big house": "kept",
        }


class TestAntonym:
    def test_the_papers_sentence(self, reworded: Any) -> None:
        assert whys(reworded(Antonym(), "You need to install Ubuntu")) == {
            "You need to uninstall Ubuntu": "changed: 'uninstall' is the opposite of 'install'"
        }

    def test_the_first_that_has_one_in_its_own_form(self, reworded: Any) -> None:
        assert texts(reworded(Antonym(), "When did he buy the large night?")) == {"When did he sell the large night?"}
        assert texts(reworded(Antonym(), "what is the largest city?")) == {"what is the smallest city?"}
        assert texts(reworded(Antonym(), "which river is the largest")) == {"which river is the smallest"}
        assert texts(reworded(Antonym(every=True), "Who bought the largest night?")) == {
            "Who sold the largest night?",
            "Who bought the smallest night?",
            "Who bought the largest day?",
        }

    @pytest.mark.parametrize(
        ("text", "other", "meaning"),
        [
            ("When do you open on Sundays?", "When do you close on Sundays?", "changed"),
            ("Which cards do you accept?", "Which cards do you reject?", "changed"),
            ("How do I unlock a bike?", "How do I lock a bike?", "changed"),
            ("Do you open on Sundays?", "Do you close on Sundays?", "unsure"),  # what is said holds for both
            ("Who started it?", "Who stopped it?", "unsure"),
            ("How can I stop using it?", "How can I start using it?", "unsure"),
            ("How can I start using it?", "How can I stop using it?", "changed"),
            ("Where can I buy the car?", "Where can I sell the car?", "unsure"),
            ("When can I buy the car?", "When can I sell the car?", "changed"),
            ("Where was the first car made?", "Where was the last car made?", "unsure"),
            ("Where is the largest city?", "Where is the smallest city?", "changed"),
            ("Why does my bank not accept it?", "Why does my bank not reject it?", "unsure"),
            ("How can I unblock a blocked card?", "How can I block a blocked card?", "unsure"),
            ("I read the largest book.", "I read the smallest book.", "unsure"),
            ("I want the largest book.", "I want the smallest book.", "changed"),
            ("When were the rangers started?", "When were the rangers stopped?", "unsure"),
            ("Is it the largest city?", "Is it the smallest city?", "unsure"),
            ("Who is the large man?", "Who is the small man?", "unsure"),
            ("I lost it. What is the largest city?", "I lost it. What is the smallest city?", "unsure"),
        ],
    )
    def test_the_answer_must_change_where_one_word_shuts_the_other_out(
        self, text: str, other: str, meaning: str, reworded: Any
    ) -> None:
        found = {variant.prompt.text: variant.meaning for variant in reworded(Antonym(every=True), text)}
        assert found[other] == meaning

    def test_what_must_change_the_answer_goes_before_what_may(self, reworded: Any) -> None:
        assert texts(reworded(Antonym(), "Who bought the largest night?")) == {"Who bought the smallest night?"}

    def test_both_ends_of_a_scale_may_have_one_answer(self, reworded: Any) -> None:
        assert whys(reworded(Antonym(), "how old is it?")) == {
            "how young is it?": "unsure: 'how old' and 'how young' may have the same answer"
        }

    def test_the_answer_must_change(self, reworded: Any) -> None:
        (variant,) = reworded(Antonym(), "what is the largest city?")
        assert variant.expect == "different"
        assert variant.meaning_as_claimed


class TestBackTranslation:
    def test_each_bridge_has_its_own_kind(self, reworded: Any) -> None:
        back = {"eo": "list work with sql", "es": "List work using sql."}
        found = reworded(
            Reword(sources=("translation",), gates=()),
            "list job using sql",
            translate=lambda payload: payload["to"] if payload["to"] != "en" else back[payload["from"]],
        )
        assert {variant.prompt.text: variant.edits[0].kind for variant in found} == {
            "list work with sql": "by way of eo",
            "list work using sql": "by way of es",
        }

    def test_names_and_answers_are_behind_placeholders(self, reworded: Any) -> None:
        asked: list[Any] = []

        def translate(payload: Any) -> str:
            asked.append((payload["from"], payload["to"], payload["text"]))
            return payload["text"].replace("drove", "steered") if payload["to"] == "en" else payload["text"]

        question = with_answers("who drove John Smith to the old mill in Paris?", "the old mill")
        found = reworded(Reword(sources=("translation",), bridges=("fr",), gates=()), question, translate=translate)
        assert asked[0] == ("en", "fr", "who drove XQA to XQB in XQC?")
        assert texts(found) == {"who steered John Smith to the old mill in Paris?"}

    @pytest.mark.parametrize("back", ["", None, "who steered?", "who drove Paris in XQA XQA?"])
    def test_a_translation_that_lost_a_name_is_left_out(self, back: Any, reworded: Any) -> None:
        translate = lambda payload: "x" if payload["to"] != "en" else back  # noqa: E731
        assert reworded(Reword(sources=("translation",), gates=()), "who drove in Paris?", translate=translate) == []

    def test_one_that_is_the_same_is_left_out(self, reworded: Any) -> None:
        translate = lambda payload: payload["text"].upper()  # noqa: E731
        assert reworded(Reword(sources=("translation",), gates=()), "who is it?", translate=translate) == []

    def test_what_is_no_sentence_any_more_is_unsure(self, reworded: Any) -> None:
        attack = Reword(sources=("translation",), bridges=("eo",), gates=("similar", "grammar"), at_least=0.1)
        found = reworded(
            attack,
            "who is it?",
            translate=lambda payload: "it who",
            grammar=lambda payload: payload["text"] == "who is it?",
            similar=lambda _: 0.96,
        )
        assert whys(found) == {"it who?": "unsure: it cannot be parsed whole, as the original can"}

    def test_each_variant_is_unsure_for_what_is_found_of_itself(self, reworded: Any) -> None:
        attack = Reword(sources=("translation",), bridges=("eo", "es"), gates=("grammar",))
        back = {"eo": "it who", "es": "who is he"}
        found = reworded(
            attack,
            "who is it?",
            translate=lambda payload: payload["to"] if payload["to"] != "en" else back[payload["from"]],
            grammar=lambda payload: payload["text"] != "it who?",
        )
        assert {text: why.partition(":")[0] for text, why in whys(found).items()} == {
            "it who?": "unsure",
            "who is he?": "kept",
        }

    def test_a_gate_that_knows_nothing_says_nothing(self, reworded: Any) -> None:
        attack = Reword(sources=("translation",), bridges=("eo",), gates=("grammar",))
        found = reworded(attack, "who it?", translate=lambda _: "it who", grammar=lambda _: None)
        assert whys(found) == {"it who?": "kept"}

    def test_a_name_with_an_ending_and_another_question_word_are_no_translation(self, reworded: Any) -> None:
        attack = Reword(sources=("translation",), bridges=("eo",), gates=())
        name = with_answers("how is Kurt?", "Kurt")
        assert reworded(attack, name, translate=lambda payload: payload["text"].replace("XQA", "XQAan")) == []
        (found,) = reworded(attack, "how is it?", translate=lambda _: "who is it?")
        assert (found.meaning, found.why) == ("unsure", "it lost 'how'")

    def test_a_bridge_that_the_translator_does_not_have(self) -> None:
        pairs = dict.fromkeys(("en-eo", "eo-en", "en-es", "es-pt", "pt-es"), "")
        translator = Apertium(PartInfo("apertium", "", "", ""), "apertium", pairs)
        Reword(sources=("translation",), bridges=("eo", "pt")).check_parts({"translate": translator})
        Reword(sources=("translation",), bridges=("fr",)).check_parts({"translate": object()})
        with pytest.raises(MissingPart, match="no way there and back to de, fr; from English there are eo, es: "):
            Reword(sources=("translation",), bridges=("de", "fr", "eo")).check_parts({"translate": translator})

    def test_the_way_does_not_lead_through_its_own_language(self, reworded: Any) -> None:
        found = reworded(Reword(sources=("translation",), bridges=("en", "eo"), gates=()), "who is it?")
        assert len(found) == 1


class TestParaphrase:
    def test_case_and_mark_are_the_questions_own(self, reworded: Any) -> None:
        found = reworded(Reword(sources=("model",), gates=()), "how old is it?")
        assert texts(found) == {"how old is the thing?", "what age is it?"}

    def test_it_asks_for_as_many_as_it_takes(self, reworded: Any) -> None:
        asked: list[Any] = []
        reworded(
            Reword(sources=("model",), per_question=2),
            "how old is it?",
            paraphrase=lambda payload: asked.append(payload) or (),
        )
        assert asked == [{"text": "how old is it?", "n": 2}]

    def test_an_answer_that_was_lost(self, reworded: Any) -> None:
        found = reworded(Reword(sources=("model",), gates=()), with_answers("how old is it?", "how old"))
        assert texts(found) == {"how old is the thing?"}


JUNK = [
    ("what character did natalie portman play in star wars?", "Natalie Portman played in Star Wars.", "not ask"),
    ("what state does selena gomez?", "What is Selena Gomez?", "leaves out 'state'"),
    ("what state does selena gomez?", "3", "1 words"),
    ("what country is the grand bahama island in?", "The Grand Bahama Island is the Bahamas.", "not ask"),
    ("who does joakim noah play for?", "Rewrite this question in 1 different", "not ask"),
    ("How do I reset my password?", '1. Press the "Ctrl + Alt + Enter" key on your keyboard.', "not ask"),
    ("Who played the voice of Aladdin?", "Aladdin: Aladdin", "2 words"),
    ("Who played the voice of Aladdin?", "Who is Aladdin?", "leaves out 'played'"),
    ("Who played the voice of Aladdin?", "Who never played the voice of Aladdin?", "negates"),
    ("Who was king in 1066?", "Who was the king then?", "number 1066"),
    ("What is the capital of France?", "Is Paris the capital of France?", "contains the answer 'Paris'"),
    ("???", "Play chess well", "adds 'play'"),
    ("What is the capital of France?", "What tasty snails cost nothing in the capital of France?", "adds 'tasty'"),
]
"""What SmolLM2-135M wrote, most of it at a cosine of .85 and more, and what others might."""
GOOD = [
    ("Who played the voice of Aladdin?", "Who was the voice of Aladdin played by?"),
    ("What is the capital of France?", "Which city is the capital of France?"),
    ("What is the capital of France?", "Tell me the capital of France."),
    ("what country is the grand bahama island in?", "In which country is Grand Bahama Island located?"),
    ("How do I reset my password?", "What are the steps to change my password?"),
]


class TestWhatASmallModelWrites:
    @pytest.mark.parametrize("gates", [(), ("similar",)])
    @pytest.mark.parametrize(("asked", "said", "why"), JUNK)
    def test_junk_is_never_kept(self, reworded: Any, asked: str, said: str, why: str, gates: Any) -> None:
        question = with_answers(asked, "Paris")
        (variant,) = reworded(
            Reword(sources=("model",), gates=gates, at_least=0.0), question, paraphrase=lambda _: (said,)
        )
        assert variant.meaning == "unsure"
        assert why in variant.why

    @pytest.mark.parametrize(("asked", "said"), GOOD)
    def test_a_paraphrase_is_kept(self, reworded: Any, asked: str, said: str) -> None:
        (variant,) = reworded(
            Reword(sources=("model",), gates=()), with_answers(asked, "Paris"), paraphrase=lambda _: (said,)
        )
        assert (variant.meaning, variant.why) == ("kept", "")

    def test_other_words_want_a_model_that_compares(self, reworded: Any) -> None:
        said = ("What's your age?",)
        (alone,) = reworded(Reword(sources=("model",), gates=()), "How old are you?", paraphrase=lambda _: said)
        assert (alone.meaning, alone.why) == ("unsure", "it shares 0 of 1 content words")
        (looked_at,) = reworded(
            Reword(sources=("model",), gates=("similar",), at_least=0.0), "How old are you?", paraphrase=lambda _: said
        )
        assert looked_at.meaning == "kept"

    def test_in_another_language_lengths_numbers_and_answers_are_looked_at(self, reworded: Any) -> None:
        question = Question("Welche Stadt ist die Hauptstadt?", lang="de")
        (variant,) = reworded(Reword(sources=("model",), gates=()), question, paraphrase=lambda _: ("Ja",))
        assert variant.why == "it has 1 words, the question 5"


class TestAllShouldNotChange:
    def test_strategies_take_turns(self, reworded: Any) -> None:
        question = "She bought the cars in what does it of the old town?"
        found = reworded(AllShouldNotChange(per_question=10), question)
        kinds = [variant.edits[0].kind.partition(":")[0] for variant in found]
        assert set(kinds) == {"swap-words", "drop-stopwords", "grammar-errors"}
        assert {variant.meaning for variant in found} == {"kept"}
        assert len(found) == 10
        every = reworded(AllShouldNotChange(per_question=1000), question)
        kinds = [variant.edits[0].kind.partition(":")[0] for variant in every]
        assert "reword" in kinds
        assert {variant.attack for variant in found} == {"all-should-not-change"}

    @pytest.mark.parametrize(("name", "most"), [("swap-words", 5), ("drop-stopwords", 8)])
    def test_a_strategy_changes_as_many_words_as_alone(self, name: Any, most: int, reworded: Any) -> None:
        question = " ".join(["in the old town of"] * 4)
        found = reworded(AllShouldNotChange(strategies=(name,), per_question=500), question)
        assert max(len(variant.edits) for variant in found) == most

    def test_a_strategy_left_out_needs_no_parts(self) -> None:
        attack = AllShouldNotChange(strategies=("swap-words", "drop-stopwords"))
        assert attack.parts() == ()


REWORDING = [
    Reword(per_question=12),
    GrammarErrors(per_question=12),
    Antonym(per_question=12, every=True),
    Reword(sources=("neighbours", "translation", "model"), per_question=12),
    AllShouldNotChange(per_question=12),
]
WORDS = ("She bought a bike", "what is", "the large car", "does not", "in", "Paris", "who played", "?", "1992", "cakes")
ANY_TEXT = st.one_of(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.text(max_size=30))


@pytest.mark.parametrize("attack", REWORDING, ids=str)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT, seed=st.integers(0, 9))
def test_promises(attack: Any, text: str, seed: int, reworded: Any) -> None:
    question = with_answers(text, "Paris")
    variants = reworded(attack, question, seed)
    assert len(variants) <= 12
    known = {normalised(text)}
    for variant in variants:
        assert variant.attack == attack.name
        assert apply_edits(text, variant.edits) == variant.prompt.text
        assert normalised(variant.prompt.text) not in known
        known.add(normalised(variant.prompt.text))
        assert (variant.meaning == "kept") == (not variant.why)
        if "Paris" in text.split():
            assert "Paris" in variant.prompt.text
    assert variants == reworded(attack, question, seed)


@pytest.mark.parametrize("attack", REWORDING, ids=lambda attack: attack.name)
def test_only_words_of_the_vocabulary_come_in(attack: Any, tmp_path: Path, reworded: Any) -> None:
    from dataclasses import replace

    (tmp_path / "words").write_text("purchased sell\nsmallest big car cake thing the how old is en eo does\n")
    held = WordList(tmp_path / "words")
    question = "Does she buy the largest cakes and the large car she bought?"
    if isinstance(attack, AllShouldNotChange):
        attack = replace(attack, strategies=("reword", "grammar-errors"))
    found = reworded(replace(attack, vocabulary=held), question)
    assert all(held.holds(edit.after) for variant in found for edit in variant.edits)
    assert 0 < len(found) < len(reworded(attack, question))


def test_a_vocabulary_is_read_from_the_file_that_a_campaign_names(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("one two")
    attack = read_attack_flag(f"antonym:vocabulary={tmp_path / 'words'}")
    assert "2 words" in str(attack.vocabulary)
    with pytest.raises(ConfigError, match=r"the word list .*nothing' cannot be read: No such file") as refused:
        read_attack_flag(f"antonym:vocabulary={tmp_path / 'nothing'}")
    assert "\n    -a antonym:" in str(refused.value)


def test_every_part_that_these_attacks_name_can_be_loaded_or_says_what_is_missing() -> None:
    named = {part for attack in REWORDING for part in attack.parts()} | {"typos"}
    assert named <= set(registry.names("parts"))


def test_what_may_be_asked_fills_the_variants_of_a_question(reworded: Any) -> None:
    """Of many that exist, those whose meaning is as claimed are taken before those that nobody asks."""
    for attack, text in (
        (InsertFunctionWord(per_question=20), "what state is the largest in population"),
        (SubstituteFunctionWord(per_question=20), "what is the car of the night in the day"),
        (SubstituteFunctionWord(per_question=20, take="nearest"), "what is the car of the night in the day"),
    ):
        assert [variant.meaning for variant in reworded(attack, text)] == ["kept"] * 20
    gate = Reword(sources=("own", "thesaurus", "lexicon"), gates=("similar",), per_question=2)
    found = reworded(gate, "she bought a car", similar=lambda payload: 0.95 if "auto" in payload["other"] else 0.1)
    assert {variant.meaning for variant in found[:1]} == {"kept"}
