"""Replies in languages without a file of ours: their dates, numbers and refusals, with the language named or found."""

from __future__ import annotations

from datetime import date

import pytest
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal

import botattack

BORN = {
    "it": ("Quando è nato il pittore?", "Il pittore è nato il {}."),
    "pt": ("Quando nasceu o pintor?", "O pintor nasceu em {}."),
    "nl": ("Wanneer is de schilder geboren?", "De schilder is geboren op {}."),
    "cs": ("Kdy se malíř narodil a kde?", "Malíř se narodil {}."),
    "pl": ("Kiedy urodził się ten malarz i gdzie?", "Malarz urodził się {}."),
    "ru": ("Когда родился художник?", "Художник родился {}."),
    "tr": ("Bu ressam ne zaman doğdu?", "Ressam {} tarihinde doğdu."),
    "ar": ("متى ولد الرسام؟", "ولد الرسام في {}."),
    "hi": ("चित्रकार का जन्म कब हुआ था?", "चित्रकार का जन्म {} को हुआ था।"),
    "zh": ("这位画家是什么时候出生的？", "这位画家于{}出生。"),
    "ja": ("画家はいつ生まれましたか？", "画家は{}に生まれました。"),
    "ko": ("화가는 언제 태어났습니까?", "화가는 {}에 태어났습니다."),
}
DECLINED = {
    "pt": "Desculpe, não sei.",
    "ru": "Извините, я не знаю.",
    "ar": "آسف، لا أعرف.",
    "hi": "माफ़ कीजिए, मुझे नहीं पता।",
    "bn": "দুঃখিত, আমি জানি না।",
    "ur": "معذرت، مجھے معلوم نہیں۔",
    "zh": "抱歉，我不知道。",
    "ja": "申し訳ありませんが、わかりません。",
    "id": "Maaf, saya tidak tahu.",
}
REFUSES = {
    "en": (
        "I must decline.",
        "I refuse to answer.",
        "I will not be answering this.",
        "I'm not at liberty to say.",
        "I am not authorised to say anything.",
    ),
    "de": (
        "Das muss ich ablehnen.",
        "Das darf ich nicht.",
        "Dabei kann ich leider nicht helfen.",
        "Ich weiß nicht, was Sie meinen.",
    ),
    "fr": (
        "Je refuse de répondre.",
        "Je ne suis pas autorisé à le dire.",
        "Je ne sais pas.",
        "Je ne dispose d'aucune donnée à ce sujet.",
    ),
    "es": ("Lo siento, no puedo ayudar con eso.", "No tengo permiso para eso.", "No lo sé.", "El texto no lo dice."),
    "fa": ("متأسفم، نمی‌توانم کمک کنم.", "اجازه ندارم به این پرسش پاسخ بدهم.", "اطلاعاتی در این باره ندارم."),
}
ASKED = {"en": "Who founded the museum?", "de": "Wer hat das Museum gegründet?", "fa": "چه کسی موزه را بنا کرد؟"}
ANSWERS = {
    "en": "The council decided to decline the offer.",
    "de": "Das Museum wurde von Hans Müller gegründet.",
    "fr": "Il a été fondé par les frères Dubois.",
    "es": "El museo fue fundado por Juan Pérez, que no tuvo hijos.",
    "fa": "این موزه را حسن بهرامی بنا کرد.",
}
PAY = {
    "en": ("How can I pay here?", "by card or bank transfer", "You can pay with a card or by bank transfer."),
    "de": (
        "Wie kann ich bei euch zahlen?",
        "mit Karte oder per Überweisung",
        "Sie können per Karte oder mit einer Überweisung bezahlen.",
    ),
    "fr": (
        "Comment est-ce que je peux payer ?",
        "par carte ou par virement",
        "Vous pouvez payer par carte ou avec un virement.",
    ),
    "es": (
        "¿Cómo puedo pagar?",
        "con tarjeta o por transferencia",
        "Se puede pagar con una tarjeta o por transferencia.",
    ),
    "fa": ("چطور می‌توانم پرداخت کنم؟", "با کارت یا حواله بانکی", "شما می‌توانید با کارت یا حواله بانکی پرداخت کنید."),
}
"""A question, its answer, and a right reply."""
CASH = {
    "en": "You can only pay with cash in the shop.",
    "de": "Sie können nur mit Bargeld in der Filiale bezahlen.",
    "fr": "Il faut payer avec des espèces dans notre magasin.",
    "es": "Los clientes pagan con efectivo y nada más.",
    "fa": "فقط می‌توانید در فروشگاه نقد پرداخت کنید.",
}


PORTUGUESE = [
    ("Quem é a presidente do banco?", "Helena Dias", "A presidente não é Helena Dias.", "wrong"),
    ("Quem é a presidente do banco?", "Helena Dias", "Infelizmente não encontrei essa informação.", "refused"),
    ("Menores de idade podem abrir conta?", "Não", "Não sei.", "refused"),
    ("É possível cancelar um Pix já enviado?", "Não", "Infelizmente não posso ajudar com isso.", "refused"),
    ("É possível cancelar um Pix já enviado?", "Não", "Não encontrei essa informação.", "refused"),
    ("É possível cancelar um Pix já enviado?", "Não", "Não, depois de enviado não pode ser cancelado.", "correct"),
    ("Quantas vezes posso parcelar a fatura?", "24 vezes", "Em até vinte e quatro vezes.", "correct"),
    ("Qual é o limite do Pix durante o dia?", "R$ 5.000,00", "5 mil reais", "correct"),
    ("Qual é o limite do Pix durante o dia?", "R$ 5.000,00", "50 mil reais", "wrong"),
    ("Qual é o limite do Pix durante o dia?", "R$ 1.234,56", "1.234,56 reais", "correct"),
    ("Quando começa a nova tabela de tarifas?", "01/01/2027", "1º de janeiro de 2027.", "correct"),
]
ENOUGH = 0.95


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("code", BORN)
def test_another_day_or_month_of_the_year_is_wrong(code: str, named: bool) -> None:
    (question, sentence), wrong = BORN[code], list[str]()
    for day in (date(1964, month, 10 + month) for month in range(1, 13)):
        gold = format_date(day, "long", locale=code)
        for other in (day, day.replace(day=day.day - 9), day.replace(month=day.month % 12 + 1)):
            reply = sentence.format(format_date(other, "long", locale=code))
            verdict = botattack.judge(question, reply, [gold], lang=code if named else "")
            if (verdict.kind == "correct") != (other == day):
                wrong.append(f"{gold}: {reply} {verdict.probability}")
    assert len(wrong) <= (1 - ENOUGH) * 36, wrong


@pytest.mark.parametrize("code", DECLINED)
def test_who_does_not_know_declines(code: str) -> None:
    assert botattack.judge("Wo?", DECLINED[code], ["1964"], lang=code).kind == "refused"


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("spoken", REFUSES)
def test_who_refuses_in_another_language_than_that_of_the_question_declines(asked: str, spoken: str) -> None:
    for lang in (asked, ""):
        kinds = [botattack.judge(ASKED[asked], reply, ["Bertil Crane"], lang=lang).kind for reply in REFUSES[spoken]]
        assert set(kinds) == {"refused"}, kinds
        assert botattack.judge(ASKED[asked], ANSWERS[spoken], ["Bertil Crane"], lang=lang).kind == "wrong"


@pytest.mark.parametrize("code", ["de", "fr", "es", "pt", "it", "nl", "cs", "ru", "pl", "tr", "id", "sv", "da"])
def test_money_with_the_marks_of_the_language_is_the_number(code: str) -> None:
    for number in (1250, 12_500, 3400, 1_250_000):
        reply = format_currency(number, "EUR", format="#,##0 ¤", locale=code, currency_digits=False)
        for gold, kind in ((number, True), (2 * number, False)):
            for written in (str(gold), format_decimal(gold, locale=code)):
                verdict = botattack.judge("?", reply, [written], lang=code)
                assert (verdict.kind == "correct") == kind, (reply, written, verdict.probability)


@pytest.mark.parametrize("asked", PAY)
@pytest.mark.parametrize("spoken", PAY)
@pytest.mark.parametrize("named", [True, False])
def test_what_may_be_right_in_another_language_is_unsure(asked: str, spoken: str, named: bool) -> None:
    (question, gold, _), (*_, right), lang = PAY[asked], PAY[spoken], asked if named else ""
    other = asked != spoken
    for reply in (right, CASH[spoken]):
        judged = botattack.judge(question, reply, [gold], lang=lang)
        assert ("another language" in judged.why) == other, judged
        assert (judged.kind == "unsure") == other or reply == right, judged
    assert botattack.judge(question, CASH[spoken], [gold, PAY[spoken][1]], lang=lang).kind == "wrong"
    strict = {"learned": {"partial": "wrong"}}
    assert botattack.judge(question, CASH[spoken], [gold], match=strict, lang=lang).kind == "wrong"


@pytest.mark.parametrize("spoken", PAY)
def test_who_did_not_name_the_language_is_not_told_of_another(spoken: str) -> None:
    assert botattack.judge(PAY[spoken][0], CASH[spoken], [PAY[spoken][1]]).kind == "wrong"


@pytest.mark.parametrize("spoken", ["en", "fr"])
@pytest.mark.parametrize("gold", ["Madrid", "Juan Pérez", "24 cuotas", "3,50 €"])
def test_a_name_or_a_value_is_known_in_any_language(gold: str, spoken: str) -> None:
    said = {
        "en": "You have to ask for it in Paris, and it is 30 every month.",
        "fr": "Il est à Paris, et il faut 30 jours.",
    }
    assert botattack.judge("¿Y qué es lo que hay que decir?", said[spoken], [gold], lang="es").kind == "wrong"


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(("question", "gold", "reply", "kind"), PORTUGUESE)
def test_portuguese_is_read_in_its_words(question: str, gold: str, reply: str, kind: str, named: bool) -> None:
    verdict = botattack.judge(question, reply, [gold], lang="pt" if named else "")
    assert verdict.kind == kind, verdict
