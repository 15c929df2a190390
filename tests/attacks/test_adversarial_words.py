from botattack.attacks.letters.dpaeg import WordRules, adversarial_words
from botattack.model import Token
from botattack.text.parts.typos import Typos
from tests.attacks.conftest import dictionary_of, typos_of

BROTHER = Token("Brother", 8, pos="NOUN", relation="attr")
NONE = typos_of()


def words(keyword: Token, rules: WordRules, dictionary: object = None, typos: Typos = NONE) -> list[tuple[str, str]]:
    options = adversarial_words(keyword, rules, dictionary, typos)  # type: ignore[arg-type]
    return [(option.after, option.edits[0].kind) for option in options]


def test_typos_within_two_edits_once_each_in_the_case_of_the_keyword() -> None:
    typos = typos_of(brother=["borther", "BORTHER", "brothr", "broooother", "brother", "bro ther"])
    assert words(BROTHER, WordRules(), None, typos) == [(word, "typo") for word in ("Borther", "Bro ther", "Brothr")]


def test_similar_words_obey_reach_and_part_of_speech() -> None:
    english = dictionary_of(bother="VERB", breather="NOUN", beer="NOUN", brotherr="")
    assert words(BROTHER, WordRules(), english) == [("Breather", "similar")]
    assert words(BROTHER, WordRules(pos="different"), english) == [("Bother", "similar")]
    free = {"Bother", "Breather", "Brotherr"}
    assert {word for word, _ in words(BROTHER, WordRules(pos="free"), english)} == free
    assert words(BROTHER, WordRules(pos="free", d=1), english) == [("Bother", "similar"), ("Brotherr", "similar")]


def test_a_name_is_no_noun() -> None:
    english = dictionary_of(mary="PROPN", mercy="NOUN", merry="ADJ", marry="VERB")
    assert words(Token("mercy", 0, pos="PROPN"), WordRules(), english) == [("mary", "similar")]


def test_verbs_reach_one_edit_only() -> None:
    english = dictionary_of(played="VERB", placed="VERB", pleased="VERB")
    assert words(Token("played", 0, pos="VERB"), WordRules(), english) == [("placed", "similar")]


def test_typos_of_words_too_far_to_be_taken_themselves() -> None:
    english = dictionary_of(character="NOUN", conjecture="NOUN", caricature="NOUN")
    typos = typos_of(caricature=["charicature", "caracter", "characture"])
    keyword = Token("character", 0, pos="NOUN")
    near = dictionary_of(characteristic="NOUN", cater="NOUN", chatter="NOUN")
    assert words(keyword, WordRules(), english, typos) == []
    assert words(keyword, WordRules(), near, typos_of(cater=["caracter"], chatter=["charcter", "chattr"])) == [
        ("caracter", "similar-typo"),
        ("charcter", "similar-typo"),
    ]
    # One that is just near enough is taken itself, and its typos are not.
    only, breather = WordRules(words=("similar-typo",)), dictionary_of(breather="NOUN")
    assert words(BROTHER, only, breather, typos_of(breather=["brather"])) == []


def test_a_word_found_in_several_ways_has_the_first_kind() -> None:
    english = dictionary_of(bother="NOUN")
    assert words(BROTHER, WordRules(), english, typos_of(brother=["bother"])) == [("Bother", "typo")]


def test_kinds_can_be_switched_off() -> None:
    english, typos = dictionary_of(bother="NOUN"), typos_of(brother=["borther"])
    assert words(BROTHER, WordRules(words=("similar",)), english, typos) == [("Bother", "similar")]
    assert words(BROTHER, WordRules(words=("typo",)), english, typos) == [("Borther", "typo")]


def test_edits_say_where_and_what() -> None:
    (option,) = adversarial_words(BROTHER, WordRules(), None, typos_of(brother=["borther"]))
    (edit,) = option.edits
    assert (edit.start, edit.before, edit.after, edit.relation, edit.pos) == (8, "Brother", "Borther", "attr", "NOUN")
    assert (option.start, option.end, option.distance) == (8, 15, 1)
