"""Which attacks work in Persian, and what they do to it: no Latin word goes in, and no letter is torn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from botattack import registry
from botattack.attacks.combined.at import At
from botattack.attacks.combined.chain import Chain
from botattack.attacks.fakes.pool import Answers
from botattack.attacks.letters.invisible import Invisible
from botattack.attacks.letters.surface import Case
from botattack.attacks.passages.add_any import AddAny
from botattack.attacks.passages.add_doc import AddDoc
from botattack.attacks.passages.add_sent import AddSent
from botattack.attacks.passages.counterfactual import Counterfactual
from botattack.attacks.passages.unanswerable import Unanswerable
from botattack.attacks.persian.fakes import fake_answer
from botattack.attacks.persian.names import lexicon, plain
from botattack.attacks.persian.statements import statement
from botattack.attacks.words.everyday import Contraction, Filler
from botattack.attacks.words.function_words import DeleteFunctionWord
from botattack.config.docstrings import entry_of
from botattack.model import GoldAnswer, Need, Question, Token, Variant
from botattack.protocols import Attack, Context
from botattack.text.clusters import boundaries
from botattack.text.tokens import words
from botattack.text.word_lists import persian_fakes
from tests.attacks.resources import proposed

ROOT = Path(__file__).parents[2]
ASKS = {"translate", "paraphrase", "similar", "paraphrases", "grammar-errors"}
"""Parts that are models and services; what they say is looked at elsewhere."""
COMBINED = ("at", "chain")
NAMES = sorted(name for name in registry.BUILT_IN["attacks"] if name not in COMBINED)
PERSIAN = [name for name in NAMES if registry.find("attacks", name)().works_in("fa")]
NOTHING_TO_DO = {"add-doc", "carry-over", "case", "contrast-set", "unchanged"}
"""Attacks that work in Persian and find nothing to change there, or need other questions of the set, or titles."""
PASSAGE = "پایتخت اسپانیا شهر مادرید است. این شهر می‌خواهد کَبِد مردم را در سال ۱۹۹۲ بخرد. بارسلونا بندر آن کشور است."
QUESTIONS = [
    Question("پایتخت اسپانیا کجاست؟", (GoldAnswer("مادرید"),), (PASSAGE,), lang="fa"),
    Question("مادرید در چه سالی کَبِد مردم را می‌خواست؟", (GoldAnswer("۱۹۹۲"),), (PASSAGE, "متن دیگر"), lang="fa-IR"),
]


def met(needs: Sequence[Need]) -> list[tuple[Token, ...]]:
    return [tuple(Token(word.text, word.start) for word in words(need.payload["text"])) for need in needs]


def variants_of(attack: Any, question: Question, parts: Mapping[str, Any], seed: int = 0) -> list[Variant]:
    found, _ = proposed(attack, Context(question, (), parts), Random(seed), met)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_attack_says_its_languages_and_so_does_the_catalogue(name: str) -> None:
    attack = registry.find("attacks", name)()
    assert attack.works_in("en")
    told = entry_of(name).languages
    assert told == ("any" if attack.languages is None else ", ".join(sorted(attack.languages)))
    assert (told == "any" or "fa" in told.split(", ")) == attack.works_in("fa")
    row = next(line for line in (ROOT / "docs/attacks.md").read_text("utf-8").splitlines() if f"[`{name}`]" in line)
    assert row.split(" | ")[3] == told


# The words that these make up are in Latin letters everywhere, so that no reply has them by chance.
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in PERSIAN
        if name not in ("injection", "memory") and not ASKS & {*registry.find("attacks", name)().parts()}
    ],
)
def test_no_latin_word_goes_into_a_persian_question(name: str, english: dict[str, Any]) -> None:
    made = 0
    for question in QUESTIONS:
        for seed in range(5):
            for variant in variants_of(registry.find("attacks", name)(), question, english, seed):
                made += 1
                assert not [
                    edit.after for edit in variant.edits if any("a" <= char.lower() <= "z" for char in edit.after)
                ]
    assert (made > 0) == (name not in NOTHING_TO_DO) or name == "unchanged"


@pytest.mark.parametrize("trust", ["knowledge", "passage"])
def test_a_persian_passage_says_another_answer(trust: Any, english: dict[str, Any]) -> None:
    """A name of the type, from the Persian lexicon, and a year in the digits of the passage."""
    for question, seed in ((question, seed) for question in QUESTIONS for seed in range(5)):
        (variant,) = variants_of(Counterfactual(trust=trust), question, english, seed)
        gold = question.answers[0].text
        assert gold not in words_of(variant.prompt.passages[0])
        assert variant.decoy in variant.prompt.passages[0]
        kinds = {lexicon().kind.get(plain(text)) for text in (gold, variant.decoy)}
        assert kinds == {"CITY"} or set(variant.decoy) <= set("۰۱۲۳۴۵۶۷۸۹")


def test_a_fake_document_in_persian_has_another_title_of_its_type(english: dict[str, Any]) -> None:
    question = Question("پایتخت کجاست؟", (GoldAnswer("مادرید"),), (f"اسپانیا: {PASSAGE}",), lang="fa")
    (variant,) = variants_of(AddDoc(), question, english)
    fakes = [text for text in variant.prompt.passages if text not in question.passages]
    assert len(fakes) == 4
    for text in fakes:
        title = text.partition(":")[0]
        assert (title != "اسپانیا", lexicon().kind[plain(title)]) == (True, "COUNTRY")
        assert "مادرید" not in words_of(text)


def words_of(text: str) -> list[str]:
    return [word.text for word in words(text)]


def test_attacks_made_of_others_work_where_all_of_them_do() -> None:
    assert At(Filler()).languages == Filler().languages
    assert Chain((Case(), Filler())).languages == Filler().languages
    assert not Chain((Filler(), Contraction())).works_in("fa")
    assert Chain((Case(), Case())).works_in("xx")
    assert Unanswerable(ways=("support",)).works_in("fa")
    assert not Unanswerable().works_in("fa")
    assert DeleteFunctionWord(words=("از",)).works_in("fa")


AT_CONTEXT = [
    name
    for name in PERSIAN
    if registry.find("attacks", name)().edits == {"question"}
    and not ASKS & {*registry.find("attacks", name)().parts()}
    and name not in ("leading", "unchanged")  # what they make is no edit of letters
]
TEXTS = st.lists(
    st.sampled_from(
        ["می‌خواهم", "کَبِد", "گرامافون‌ها", "۱۹۹۲", "مسأله", "حوزهٔ", "مادرید،", "از", "«شهر»", "e\u0301te\u0301", " "]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_CONTEXT)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=TEXTS, seed=st.integers(0, 9))
@example(text="می‌خواهم کَبِد حوزهٔ", seed=0)
def test_letters_of_passages_stay_whole(name: str, text: str, seed: int, english: dict[str, Any]) -> None:
    """No edit begins or ends inside a letter with its marks or its half-space, and none leaves one torn."""
    question = Question("شهر کجاست؟", (GoldAnswer("مادرید"),), ("متن", text), lang="fa")
    attack: Attack = At(registry.find("attacks", name)(per_question=4))
    for variant in variants_of(attack, question, english, seed):
        assert variant.prompt.text == question.text
        passages = {edit.place.index for edit in variant.edits}
        for index in passages:
            before, after = question.passages[index], variant.prompt.passages[index]
            old, new, shift = boundaries(before), boundaries(after), 0
            for edit in (edit for edit in variant.edits if edit.place.index == index):
                assert {edit.start, edit.start + len(edit.before)} <= old
                assert {edit.start + shift, edit.start + shift + len(edit.after)} <= new
                shift += len(edit.after) - len(edit.before)


def test_the_papers_invisible_character_before_each_space_of_the_context() -> None:
    attack = At(Invisible(characters=("left-to-right-mark",), per_question=1))
    (variant,) = variants_of(attack, QUESTIONS[0], {})
    spared = variant.prompt.passages[0].replace("\u200e", "")
    assert spared == PASSAGE
    assert variant.prompt.passages[0].count("\u200e ") >= PASSAGE.count(" ") - 4  # those beside digits stay


def test_add_any_takes_words_of_the_passages(english: dict[str, Any]) -> None:
    known = {plain(word.text) for word in words(f"{PASSAGE} {QUESTIONS[0].text}")}
    for variant in variants_of(AddAny(queries=20), QUESTIONS[0], english):
        added = [plain(word.text) for word in words(variant.edits[0].after)]
        assert len(added) == 10
        assert set(added) <= known - {"مادرید"}


class TestAddSent:
    def test_a_name_becomes_another_of_its_type_and_the_answer_too(self) -> None:
        found = [variants_of(AddSent(), QUESTIONS[0], {}, seed)[0] for seed in range(20)]
        for variant in found:
            said = variant.edits[0].after.strip()
            country = said.removeprefix("پایتخت ").partition(" در ")[0]
            assert country in lexicon().names["COUNTRY"]
            assert variant.decoy in lexicon().names["CITY"]
            assert said == f"پایتخت {country} در {variant.decoy} است."
            assert variant.prompt.passages == (f"{PASSAGE} {said}",)
        assert len({variant.decoy for variant in found}) > 5

    def test_without_a_name_a_noun_becomes_another(self) -> None:
        question = Question("جمعیت آن شهر چقدر است؟", (GoldAnswer("۱۲۰۰ نفر"),), ("جمعیت ۱۲۰۰ نفر است.",), lang="fa")
        for seed in range(20):
            (variant,) = variants_of(AddSent(), question, {}, seed)
            said = variant.edits[0].after.strip()
            assert plain(said) != plain(question.text)
            assert "۱۲۰۰" not in said
            assert said.endswith(f"{variant.decoy} است.")
            assert variant.decoy.endswith(" نفر")
            assert variant.decoy.removesuffix(" نفر").isdecimal()
            assert variant.decoy[0] in "۰۱۲۳۴۵۶۷۸۹"

    def test_a_question_that_no_rule_can_alter_has_no_variant(self) -> None:
        for text in ("آیا مادرید پایتخت است؟", "مادرید؟"):
            assert not variants_of(AddSent(), Question(text, (GoldAnswer("بله"),), (PASSAGE,), lang="fa"), {})


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("پایتخت اسپانیا کجاست؟", "مادرید", "پایتخت اسپانیا در مادرید است."),
        ("نویسنده کتاب کمدی الهی کیست؟", "دانته", "نویسنده کتاب کمدی الهی دانته است."),
        ("آهنگ تیم بارسا را چه کسی ساخته؟", "خوزه", "آهنگ تیم بارسا را خوزه ساخته."),
        ("سیاوش قمیشی چندتا ابجی دارد؟", "دو", "سیاوش قمیشی دو ابجی دارد."),
        ("رئال مادرید چند بار قهرمان شد؟", "۱۳ بار", "رئال مادرید ۱۳ بار قهرمان شد."),
        ("شرکت ماهان در چه سالی تاسیس شد؟", "۱۳۷۱", "شرکت ماهان در سال ۱۳۷۱ تاسیس شد."),
        ("والیبال کی ساخته شد؟", "در سال ۱۸۹۵", "والیبال در سال ۱۸۹۵ ساخته شد."),
        ("کی تو کاخ زندگی می کنه؟", "شاه", "شاه تو کاخ زندگی می کنه."),
        ("درباری ها به چه زبانی صحبت می کردند؟", "یونانی", "درباری ها به زبان یونانی صحبت می کردند."),
        ("رقیب تیم آرسنال کدوم تیمه؟", "تاتنهام", "رقیب تیم آرسنال تیم تاتنهام است."),
        ("به موتور پژو پارس چه می گویند؟", "ال۳", "به موتور پژو پارس ال۳ می گویند."),
        ("چرا لوط رفت؟", "خشکسالی", "به دلیل خشکسالی لوط رفت."),
        ("اسم فرودگاه از کجا گرفته شده؟", "از روستای مهرآباد", "اسم فرودگاه از روستای مهرآباد گرفته شده."),
        ("ماکسول اهل کجا بود؟", "ژاپن", "ماکسول اهل ژاپن بود."),
        ("تیم بارسا برای کجاست؟", "لبنان", "تیم بارسا برای لبنان است."),
        ("آرسنال چندمین باشگاه جهان بوده؟", "دهم", "آرسنال دهمین باشگاه جهان بوده."),
        ("آهن چه نوع ماده ای است؟", "مصنوعی", "آهن ماده مصنوعی است."),
        ("تویوتا صاحب کدوم برندهاست؟", "پژو و بنز", "تویوتا صاحب برند پژو و بنز است."),
        ("آیا تهران پایتخت است؟", "بله", ""),
        ("تهران پایتخت است", "ایران", ""),
    ],
)
def test_statements_have_the_answer_where_the_question_word_was(question: str, answer: str, said: str) -> None:
    assert statement(question, answer) == said


@pytest.mark.parametrize(
    ("question", "gold", "kind"),
    [
        ("بعلبک در کدام کشور است؟", "لبنان", "COUNTRY"),
        ("ایوبی به کدام شهر رفت؟", "حلب", "CITY"),
        ("نویسنده کتاب کیست؟", "دانته آلیگیری", "PERSON"),
        ("نویسنده کتاب کیست؟", "شرودینگر", "PERSON"),
        ("به چه زبانی صحبت می کردند؟", "یونانی", "LANGUAGE"),
    ],
)
def test_a_fake_answer_is_of_the_type_of_the_right_one(question: str, gold: str, kind: str) -> None:
    asked = Question(question, (GoldAnswer(gold),), (gold,), lang="fa")
    for seed in range(10):
        fake = fake_answer(asked, Random(seed))
        assert fake in lexicon().names[kind]
        assert plain(fake) != plain(gold)


@pytest.mark.parametrize(
    ("question", "gold", "fits"),
    [
        ("لینکلن چندمین رئیس جمهور بود؟", "شانزدهمین", r"\w+مین"),
        ("او کجا بزرگ شد؟", "ایالت ایندیانا", r"ایالت .+"),
        ("تنیس در کجا بازی می شد؟", "در بریتانیا", r"در .+"),
        ("به چه زبانی صحبت می کردند؟", "یونانی و لاتین", r"\w+ و \w+"),
        ("او در کدوم دانشگاه بود؟", "دانشگاه شیراز", r"دانشگاه (?!دانشگاه).+"),
        ("فاصله چقدر است؟", "۱۲ کیلومتر", r"[۰-۹]+ کیلومتر"),
        ("چه کسی پادشاه بود؟", "داریوش", r".+"),
        ("کی اولین بار از آن استفاده کرد؟", "برادران رایت", r"(?!برادران)\w+.*"),
        ("چه کسی آن را خواند؟", "افراد مجاز", r"(?!افراد)\w+.*"),
        ("چرا رفت؟", "او رفت. سپس آمد.", ""),
        ("چرا رفت؟", "گرمای هوا", r"(?!.*گرما)\w.* .+"),
        ("از آن برای چی استفاده می شود؟", "برای تعیین جهت", r"برای (?!تعیین).+"),
        ("بیماری با چه علائمی شروع می شود؟", "خستگی و سردرد", r".+ و .+"),
        ("در چه دوره ای زندگی می کرد؟", "قرن اول میلادی", r"قرن \w+م میلادی"),
        ("وقتی رفت چند سال داشت؟", "سیزده‌ماهگی", r"\w+\u200cماهگی"),
        ("اسم واقعی روستا چیست؟", "حسین‌آباد", r"\w+\u200cآباد"),
        ("کدام تیم برد؟", "جوانان بهمن", r"(?!جوانان).+"),
        ("لئوپولد پنجم چه کسی بود؟", "دوک اتریش", r"(?!دوک).+"),
        ("باشگاه کجاست؟", "شمال لندن", r"(?!شمال)\w.+"),
        ("نویسنده ها چه کسانی هستند؟", "مشخص نیست", ""),
    ],
)
def test_a_fake_answer_keeps_the_form_of_the_right_one_or_there_is_none(question: str, gold: str, fits: str) -> None:
    asked = Question(question, (GoldAnswer(gold),), (f"{gold} است.",), lang="fa")
    for seed in range(10):
        fake = fake_answer(asked, Random(seed))
        assert fake == fake_answer(asked, Random(seed))
        assert re.fullmatch(fits, fake)
        assert plain(fake) != plain(gold)


@pytest.mark.parametrize(
    ("asked", "passage", "stays", "gone"),
    [
        ("فرهاد مجیدی در کجا به دنیا آمد؟", "فرهاد مجیدی در تهران به دنیا آمد.", "به دنیا آمد", "مجیدی"),
        ("شرکت پارسا در کدام شهر تاسیس شد؟", "شرکت پارسا در تهران تاسیس شد.", "تاسیس شد", "شرکت"),
    ],
)
def test_whole_persian_names_are_altered_and_no_verb_is_torn(asked: str, passage: str, stays: str, gone: str) -> None:
    question = Question(asked, (GoldAnswer("تهران"),), (passage,), lang="fa")
    for seed in range(10):
        (variant,) = variants_of(AddSent(), question, {}, seed)
        said = variant.edits[0].after
        assert (stays in said, gone in words_of(said)) == (True, False)


FRAMED = [
    ("شرکت در چه سالی تاسیس شد؟", "۱۳۷۱", "شرکت ", "در سال {}", " تاسیس شد."),
    ("چند مقصد دارد؟", "۲۰ مقصد", "روزانه به ", "{} در اروپا و آسیا", " می‌رود."),
    ("چندمین ورزش جهان است؟", "ششمین", "والیبال ", "{} ورزش پرطرفدار", " جهان است."),
    ("جمعیت چقدر است؟", "۱۰۰۰ نفر", "جمعیت آن ", "در حدود {} می‌باشد", "."),
    ("کاخ در کدام شهر است؟", "شیراز", "با قرار گرفتن ", "در شهر {}", "، کاخ مرکز است."),
    ("رقیب آن کدام تیم است؟", "بارسلونا", "این تیم قدرتمند است و ", "رقیب اصلی آن نیز، {} است", "."),
    ("قورباغه در کجا زندگی می‌کند؟", "تهران", "در این فصل، ", "قورباغه در {} می‌زیست", "."),
    ("جعبه سیاه برای چه استفاده می‌شود؟", "ضبط صدا", "وسیله‌ای ", "برای {}", " است."),
    ("چه چیزی آموزش می‌دادند؟", "ریاضیات", "در آن ", "{} را همراه با شعر", " می‌گفتند."),
    ("از کدام کشور است؟", "لبنان", "او ", "از کشور {} بود", "."),
]
"""A question, its shortest answer, and a passage in three parts, the middle one a longer gold answer."""


@pytest.mark.parametrize(("asked", "gold", "before", "longer", "after"), FRAMED)
@pytest.mark.parametrize("attack", [Counterfactual(), Counterfactual(how="add", doses=(0.5,))])
def test_what_frames_a_persian_answer_stays_beside_the_fake_one(
    attack: Any, asked: str, gold: str, before: str, longer: str, after: str
) -> None:
    golds = (GoldAnswer(longer.format(gold)), GoldAnswer(gold))
    question = Question(asked, golds, (f"{before}{golds[0].text}{after}",), lang="fa")
    for seed in range(10):
        (variant,) = variants_of(attack, question, {}, seed)
        assert before + longer.format(variant.decoy) + after in variant.prompt.passages


@pytest.mark.parametrize(
    ("asked", "golds", "passage", "said"),
    [
        ("نویسنده کیست؟", ("حکیم ابوالقاسم فردوسی توسی", "فردوسی"), "شاهنامه اثر {} است.", "شاهنامه اثر {} است."),
        ("بزرگترین غده چیست؟", ("جگر یا کبد", "کبد"), "بزرگترین غده {} است.", "بزرگترین غده {} است."),
        ("کدام کشور؟", ("پاریس، فرانسه", "فرانسه"), "دفاتر در {}، است.", "دفاتر در {}، است."),
        ("قطب نما برای چیست؟", ("برای تعیین جهت (جهت‌یابی)", "جهت‌یابی"), "وسیله‌ای {} است.", "وسیله‌ای برای {} است."),
    ],
)
def test_nothing_of_a_name_or_of_a_list_stays_in_a_passage(asked: str, golds: Any, passage: str, said: str) -> None:
    question = Question(asked, tuple(map(GoldAnswer, golds)), (passage.format(golds[0]),), lang="fa")
    for seed in range(10):
        for variant in variants_of(Counterfactual(), question, {}, seed):
            assert variant.prompt.passages == (said.format(variant.decoy),)


@pytest.mark.parametrize(
    ("asked", "golds", "passage"),
    [
        ("چرا خانه را محاصره کردند؟", ("قصد تجاوز", "قصد تجاوز را داشتند"), "زیرا {} آنجا بودند."),
        ("کدام کشور؟", ("آمریکا", "آمریکایی"), "مجله‌ای {} است."),
    ],
)
def test_there_is_no_variant_if_a_fake_answer_would_tear_the_sentence(asked: str, golds: Any, passage: str) -> None:
    whole, torn = (Question(asked, tuple(map(GoldAnswer, golds)), (passage.format(gold),), lang="fa") for gold in golds)
    assert any(variants_of(Counterfactual(), whole, {}, seed) for seed in range(10))
    assert not any(variants_of(Counterfactual(), torn, {}, seed) for seed in range(10))


@pytest.mark.slow
def test_no_made_up_name_has_a_vulgar_word() -> None:
    asked = Question("نام اصلی این چیست؟", (GoldAnswer("میل غربی"),), ("میل غربی است.",), lang="fa")
    made = {name for seed in range(600) for name in fake_answer(asked, Random(seed)).split()}
    assert len(made) > 150
    assert not [name for name in made if any(bad in name for bad in persian_fakes.vulgar)]


def test_persian_answers_of_the_set_come_first() -> None:
    others = Answers([Question("چرا آمد؟", (GoldAnswer("برای کار"),), lang="fa")])
    asked = Question("چرا رفت؟", (GoldAnswer("برای خواب"),), lang="fa")
    assert fake_answer(asked, Random(0), others=others) == "برای کار"
    assert fake_answer(asked, Random(0)) == ""


@pytest.mark.parametrize(("gold", "form"), [("۱۸۸۶", "۰"), ("1886", "0"), ("١٨٨٦", "٠"), ("۲٬۹۰۰ هکتار", "۰")])
def test_numbers_keep_the_digits_of_their_script(gold: str, form: str) -> None:
    fake = fake_answer(Question("چند؟", (GoldAnswer(gold),), lang="fa"), Random(3))
    assert fake != gold
    digits = [char for char in fake if char.isdecimal()]
    assert digits
    assert all(ord(form) <= ord(digit) <= ord(form) + 9 for digit in digits)
