"""Gold answers that are sentences, as in a FAQ: agreement with the labels of five, and what follows from that."""

from __future__ import annotations

import sys
from collections import defaultdict

import pytest

import botattack
from botattack.matchers.learned import Learned
from tests.matchers.faq import HALVES, KEPT_BACK, LANGUAGES, entries, frames, rows

AGREED = {KEPT_BACK: 0.94} | dict.fromkeys(HALVES, 0.98)
UNSURE = 0.04
"""The least agreement at the operating point, and the most unsure; the halves train the judge, the rows kept back do
not."""


@pytest.mark.slow
@pytest.mark.parametrize("half", AGREED)
@pytest.mark.parametrize("code", LANGUAGES)
def test_agreement_with_the_labels_of_a_faq(code: str, half: str) -> None:
    agreed, kinds, unsure, point = 0, defaultdict[str, list[bool]](list), 0, Learned().point
    for row in rows(code, half):
        verdict = botattack.judge(row.question, row.reply, [row.gold], lang=code)
        right = ((verdict.probability or 0.0) >= point) == (row.label == "correct")
        kinds[row.kind].append(right)
        agreed, unsure = agreed + right, unsure + (verdict.kind == "unsure")
    many = sum(map(len, kinds.values()))
    told = ", ".join(f"{kind} {sum(found)}/{len(found)}" for kind, found in kinds.items())
    sys.stdout.write(f"{code} {half}: {agreed} of {many} agreed ({agreed / many:.1%}), {unsure} unsure; {told}\n")
    assert all(kinds["quoted"] + kinds["greeted"])
    assert agreed >= AGREED[half] * many
    assert unsure <= UNSURE * many


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_entry_is_whole_and_neighbours_are_of_one_half(code: str) -> None:
    seen = set[str]()
    for half, many in (("tune", 30), ("held-out", 30), (KEPT_BACK, 40)):
        found = entries(code, half)
        assert len(found) == many
        seen |= {entry["question"] for entry in found}
        assert all(one["id"][:-1] == other["id"][:-1] for one, other in zip(found[::2], found[1::2], strict=True))
        assert {len(entry[side]) for entry in found for side in ("right", "wrong")} == {2}
        assert {len(listed) for listed in frames(half)[code].values()} == {4}
    assert len(seen) == 100


ENTRIES = {
    "en": ("Can I bring my own food?", "Yes, you can eat it on the terrace.", "Yes.", "No."),
    "de": ("Darf ich eigenes Essen mitbringen?", "Ja, Sie dürfen es auf der Terrasse essen.", "Ja.", "Nein."),
    "es": ("¿Puedo traer mi comida?", "No, en la terraza está prohibido comer.", "No.", "Sí."),
    "fr": ("Puis-je apporter mon repas ?", "Non, il est interdit de manger sur la terrasse.", "Non.", "Oui."),
    "fa": ("می‌توانم غذا بیاورم؟", "بله، می‌توانید غذا را در حیاط بخورید.", "بله.", "نه."),
}


@pytest.mark.parametrize("code", ENTRIES)
def test_yes_or_no_alone_is_enough_and_yes_to_another_question_is_not(code: str) -> None:
    question, gold, right, wrong = ENTRIES[code]
    assert botattack.judge(question, right, [gold], lang=code).kind == "correct"
    assert botattack.judge(question, wrong, [gold], lang=code).kind == "wrong"


@pytest.mark.parametrize(
    ("code", "question", "gold", "right", "wrong"),
    [
        (
            "en",
            "How much is a locker?",
            "A locker costs £2.50 a day.",
            ["£2.50", "It's two pounds fifty a day."],
            ["A locker costs £3.50 a day.", "Lockers are free."],
        ),
        (
            "de",
            "Was kostet ein Spind?",
            "Ein Spind kostet am Tag 0,50 €.",
            ["50 Cent.", "Für einen Spind zahlen Sie fünfzig Cent."],
            ["Ein Spind kostet am Tag 0,80 €.", "Ein Spind ist kostenlos."],
        ),
        (
            "fr",
            "Quels sont les horaires du musée ?",
            "Le musée est ouvert de 9 h à 17 h.",
            ["De 9 h à 17 h.", "Le musée ouvre de neuf heures à dix-sept heures.", "De 9:00 à 17:00."],
            ["Le musée est ouvert de 11 h à 17 h.", "De 9:00 à 18:30."],
        ),
        (
            "es",
            "¿Cuánto cuesta la llamada?",
            "La llamada cuesta 20 céntimos por minuto.",
            ["20 céntimos."],
            ["La llamada cuesta 30 céntimos por minuto."],
        ),
        (
            "fa",
            "قیمت بلیت چقدر است؟",
            "بلیت موزه ۱۲۰ هزار تومان است.",
            ["۱۲۰ هزار تومان.", "بلیت موزه صد و بیست هزار تومان است."],
            ["بلیت موزه ۱۵۰ هزار تومان است."],
        ),
        (
            "en",
            "Who runs the museum?",
            "The museum has been run by Tilda Voss since 2011.",
            ["Tilda Voss.", "Since 2011, Tilda Voss has been in charge."],
            ["The museum has been run by Ruben Castel since 2011."],
        ),
        (
            "en",
            "When are you closed in winter?",
            "We are closed from 24 December to 2 January.",
            ["We are closed from 24 December to 2 January."],
            ["We are closed from 20 December to 9 January."],
        ),
        (
            "en",
            "What does the tour cost?",
            "The tour costs £18 plus a deposit of £50.",
            ["£18, and £50 as a deposit."],
            ["The tour costs £28 plus a deposit of £50."],
        ),
        (
            "es",
            "¿Cuál es el teléfono del taller?",
            "Llama al taller al 911 204 536.",
            ["911204536", "Llámanos al +34 911 204 536."],
            ["Llama al taller al 911 204 563."],
        ),
        (
            "de",
            "Wann ist die Sprechstunde?",
            "Die Sprechstunde ist montags und freitags.",
            ["Jeden Montag und Freitag."],
            ["Die Sprechstunde ist dienstags und mittwochs."],
        ),
        (
            "de",
            "Bis wann kann ich mich anmelden?",
            "Sie können sich bis zum 8. Oktober anmelden.",
            ["Anmelden können Sie sich bis 8.10. bei uns."],
            ["Anmelden können Sie sich bis 8.11. bei uns."],
        ),
        (
            "de",
            "Wie lange dauert der Einbau?",
            "Der Einbau dauert eineinhalb Stunden.",
            ["Der Einbau dauert 90 Minuten."],
            ["Der Einbau dauert 70 Minuten."],
        ),
        (
            "en",
            "How long does a repair take?",
            "A repair takes two working days.",
            ["A repair takes 2 working days."],
            ["A repair takes two weeks."],
        ),
        (
            "fa",
            "نمایشگاه چه روزی باز است؟",
            "نمایشگاه روزهای سه‌شنبه باز است.",
            ["نمایشگاه روزهای سه شنبه باز است."],
            ["نمایشگاه روزهای شنبه باز است."],
        ),
        (
            "fa",
            "نمایشگاه چه ساعتی باز است؟",
            "نمایشگاه از ساعت ۱۴ تا ۱۸ باز است.",
            ["نمایشگاه از دو تا شش بعدازظهر باز است."],
            ["نمایشگاه از دو تا هفت بعدازظهر باز است."],
        ),
    ],
)
def test_the_value_or_name_of_a_sentence_is_enough_and_another_in_its_place_is_wrong(
    code: str, question: str, gold: str, right: list[str], wrong: list[str]
) -> None:
    for reply in right:
        assert botattack.judge(question, reply, [gold], lang=code).kind == "correct", reply
    for reply in wrong:
        assert botattack.judge(question, reply, [gold], lang=code).kind == "wrong", reply


def test_a_wrong_step_is_no_refusal_and_a_refusal_is_no_wrong_step() -> None:
    gold = "Fill in form K7 and hand it in at desk 3."
    for reply, kind in (
        ("Please bring your passport and your bank card with you.", "wrong"),
        ("Send us a photo of yourself by email.", "wrong"),
        ("Sorry, I have no answer to that. Please contact our staff.", "refused"),
    ):
        assert botattack.judge("How do I get a permit?", reply, [gold]).kind == kind, reply


def test_days_that_are_left_out_contradict_no_days_that_are_said() -> None:
    gold = "The shop is open Tuesday to Saturday from 9 am to 6 pm."
    reply = "The shop is open from nine to six, every day except Sunday and Monday."
    assert botattack.judge("When is the shop open?", reply, [gold]).kind != "wrong"
