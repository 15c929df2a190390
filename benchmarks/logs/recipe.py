"""Builds logs of chats out of public question sets, with planted duplicates, personal data, small talk and topic changes.

What is planted is told apart from what is not, so that `measure.py` can count what is left of it.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from faker import Faker

from botattack.text.folding import folded

HERE = Path(__file__).parent
SMALL_TALK = {
    "en": ["Hi!", "hello there", "Thanks a lot!", "How are you?", "ok thanks", "Are you a bot?", "Good morning", "great, thank you", "lol", "Have a nice day!", "bye", "Is anyone there?", "I have a question", "Tell me a joke", "you're welcome", "perfect", "hmm ok", "that worked, thanks"],
    "de": ["Hallo!", "Guten Tag", "Vielen Dank!", "Wie geht's?", "ok danke", "Bist du ein Bot?", "Guten Morgen", "super, danke", "Schönen Tag noch!", "Tschüss", "Ich habe eine Frage", "Alles klar", "prima"],
    "fa": ["سلام", "وقت بخیر", "خیلی ممنون", "حالت چطوره؟", "مرسی", "یک سوال دارم", "روز خوبی داشته باشید", "خداحافظ", "باشه ممنون"],
}  # fmt: skip
FOLLOW_UPS = {
    "en": ["And how long does it take?", "How much is it?", "Can I change that later?", "why?", "And what if it fails?", "Is it free?", "What about for students?", "Can I do it in the app?"],
    "de": ["Und wie lange dauert das?", "Was kostet das?", "Und am Sonntag?", "Warum?", "Und für Kinder?", "Kann ich das später ändern?"],
    "fa": ["و چقدر طول می‌کشد؟", "چرا؟", "و هزینه آن چقدر است؟", "و آن کجاست؟"],
}  # fmt: skip
NAMED_THIRD = {
    "en": [
        "This question comes from {first} {last}: {q}", "{q} Many thanks, {first}", "Hello, {first} {last} speaking. {q}", "My neighbour {first} could not tell me. {q}", "Is {first} {last} working today? {q}",
        "{q} (on behalf of my boss, {first} {last})", "yo, {lower} from sales. {q}", "Please forward this to Ms {last}. {q}", "{q} Signed, {first} {last}", "As {first} said yesterday: {q}",
        "User: {first} {last}. {q}",
    ],
    "de": [
        "Guten Tag, {first} {last} hier. {q}", "{q} Danke, {first}", "Meine Nachbarin {first} {last} fragt: {q}", "Ich schreibe für Frau {last}. {q}", "{q} Herzliche Grüße, {first} {last}",
        "Kundin: {first} {last}. {q}", "Ist {first} heute da? {q}",
    ],
    "fa": [
        "سلام، {first} {last} صحبت می‌کنم. {q}", "{q} با تشکر، {first} {last}", "خانم {first} {last} می‌پرسند: {q}", "همکارم {first} این را نمی‌دانست. {q}", "نام و نام خانوادگی: {first} {last}. {q}",
        "مشتری شما {first} {last}: {q}",
    ],
}  # fmt: skip
NAMED_KEPT_BACK = {
    "en": [
        "{first} {last} here. {q}", "I am writing on behalf of {first} {last}: {q}", "I sent this to {first} yesterday. {q}", "{q} (asked by {last})", "hey its {lower} again. {q}",
        "Good afternoon, this is {first}. {q}", "{q} Best, {first} {last}", "My son {first} wants to know: {q}", "I spoke with Mrs. {last} before. {q}", "{q} Name: {first} {last}",
        "{q} {first}", "The account belongs to {first} {last}. {q}", "I, {first} {last}, would like to know: {q}",
    ],
    "de": [
        "Hier schreibt {first} {last}. {q}", "{q} LG {first}", "Im Auftrag von {first} {last}: {q}", "{q} Mit freundlichen Grüßen {first} {last}", "Mein Kollege {first} hat dasselbe Problem. {q}",
        "Sehr geehrter Herr {last}, {q}", "bin der {lower}. {q}", "{q} Name: {first} {last}",
    ],
    "fa": [
        "{first} {last} هستم. {q}", "سلام، بنده {last} هستم. {q}", "{q} ({first} {last})", "از طرف {first} {last}: {q}", "پسرم {first} این را پرسید: {q}", "{q} ممنون، {first}",
    ],
}  # fmt: skip
NAMED_FRESH = {
    "en": [
        "Dear team, {q} Yours sincerely, {first} {last}", "{first} told me you can help. {q}", "I am calling for {first} {last}. {q}", "It's {first} {last} again, {q}", "Can {first} from support call me? {q}",
        "{q} My email is registered to {first} {last}.", "My daughter {first} and I want to know this: {q}", "Patient: {first} {last}. {q}", "i'm {lower} btw. {q}", "{q} cheers {first}",
        "According to Dr. {last}, you know this. {q}", "{q} - {first} {last}",
    ],
    "de": [
        "Liebes Team, {q} Beste Grüße {first} {last}", "{first} {last} mein Name. {q}", "Ich rufe für {first} {last} an. {q}", "Mein Mann {first} fragt: {q}", "{q} Gruß, {first}",
        "Laut Herrn {last} wissen Sie das. {q}", "Patient: {first} {last}. {q}", "Können Sie {first} {last} zurückrufen? {q}",
    ],
    "fa": [
        "با سلام، {first} {last} هستم. {q}", "{q} ارادتمند، {first} {last}", "همسرم {first} می‌خواهد بداند: {q}", "دکتر {last} گفتند بپرسم: {q}", "{first} {last} مشتری شماست. {q}", "از {first} شنیدم که کمک می‌کنید. {q}",
        "سفارش به نام {first} {last} است. {q}",
    ],
}  # fmt: skip
NAMED_FIFTH = {
    "en": [
        "You are speaking with {first} {last}. {q}", "{q} Yours, {first}", "{first} {last} asked me to find out: {q}", "Good evening, {first} {last} calling. {q}", "Ms {last} at the desk sent me. {q}",
        "My flatmate {first} had the same problem. {q}", "{q} Please send the answer to {first} {last}.", "{lower} again, {q}", "Is it true what {first} said? {q}", "{q} My maiden name is {last}.",
        "Tenant: {first} {last}. {q}", "sorry {lower} typing for mum. {q}",
    ],
    "de": [
        "Sie sprechen mit {first} {last}. {q}", "{q} Schönen Gruß von {first} {last}", "Meine Freundin {first} hat mich gebeten zu fragen: {q}", "Guten Abend, mein Vorname ist {first}. {q}", "{q} Ihre {first} {last}",
        "Ihr Kollege Herr {last} war sehr nett. {q}", "hier ist {lower}. {q}", "Fahrgast: {first} {last}. {q}",
    ],
    "fa": [
        "با درود، {first} {last} هستم از شیراز. {q}", "{q} سپاس، {first}", "مادرم {first} {last} این سؤال را دارد: {q}", "همکار شما آقای {last} راهنمایی نکرد. {q}", "برای {first} {last} می‌خواهم. {q}",
        "مسافر: {first} {last}. {q}",
    ],
}  # fmt: skip
NAMED_SEVENTH = {
    **NAMED_FIFTH,
    "en": [
        "{q} The booking was made by {first} {last}.", "Could you tell {first} {last} this: {q}", "{first} and I argue about this. {q}", "{q} ps {lower} says hi", "Invoice to {first} {last}. {q}",
        "Our teacher Mr {last} wants to know. {q}", "{q} xx {first}", "I was helped by {first} last week. {q}", "{last}, {first}. {q}", "it is {lower}, {q}", "{q} Sent by {first} {last}",
    ],
}  # fmt: skip
NAMED = {
    "en": [
        "Hi, I'm {first} {last}. {q}", "My name is {first} {last}, {q}", "{q} Regards, {first}", "{q} This is {first} {last}.",
        "My wife {first} asked me this: {q}", "{q} My husband is called {first} {last}", "hi im {lower}, {q}", "{q}\n\n{first} {last}",
        "I already talked to {first} from your team. {q}", "Mr {last} told me to ask: {q}", "{q} It is for {first} {last}", "Dear {first}, {q}",
        "{q} thanks, {lower}",
    ],
    "de": [
        "Hallo, ich bin {first} {last}. {q}", "Mein Name ist {first} {last}. {q}", "{q} Viele Grüße, {first} {last}", "{q} Grüße {first}",
        "Frau {last} hat gesagt, ich soll fragen: {q}", "Meine Tochter {first} will wissen: {q}", "ich heiße {lower}. {q}", "Herr {last} wusste es nicht. {q}",
    ],
    "fa": [
        "سلام، من {first} {last} هستم. {q}", "اسم من {first} {last} است. {q}", "{q} با احترام، {first} {last}", "آقای {last} گفت بپرسم: {q}", "خانم {last} نمی‌دانست. {q}",
        "دخترم {first} می‌پرسد: {q}",
    ],
}  # fmt: skip
VALUED = {
    "en": ["{q} My {what} is {v}.", "{q} ({v})", "my {what}: {v}. {q}", "{v} - {q}", "{q} You can reach me at {v}"],
    "de": ["{q} Meine Daten: {v}.", "{q} ({v})", "{v} - {q}", "Es geht um {v}. {q}"],
    "fa": ["{q} {v}", "اطلاعات من {v} است. {q}", "({v}) {q}"],
}
VALUED_FIFTH = {
    "en": ["{q} Use {v} please.", "as for {v}, {q}", "{q}\n{v}", "It was sent to {v} last week. {q}", "{what}={v} {q}"],
    "de": ["{q}\n{v}", "Bitte an {v} schicken. {q}", "zu {v}: {q}", "{q} Siehe {v}"],
    "fa": ["{q}\n{v}", "به {v} بفرستید. {q}", "درباره {v}: {q}"],
}
WHAT = ("email", "phone", "iban", "card", "order", "address", "link", "birthday", "passport")


@dataclass
class Log:
    """Chats, with what was planted: by question set its questions; occurrences of names and values."""

    chats: list[list[dict[str, str]]] = field(default_factory=list)
    questions: dict[str, dict[str, int]] = field(default_factory=dict)
    askers: dict[str, set[int]] = field(default_factory=dict)
    """The chats that ask each question."""
    names: list[tuple[str, str, str]] = field(default_factory=list)
    values: list[tuple[str, str]] = field(default_factory=list)
    typed: set[str] = field(default_factory=set)
    """Words of the questions as they were typed."""
    follow_ups: int = 0
    small_talk: int = 0

    def write(self, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            for chat in self.chats:
                file.write(json.dumps({"messages": chat}, ensure_ascii=False) + "\n")


def question_sets(data: Path, part: int) -> dict[tuple[str, str], list[str]]:
    """Questions by language and set; part 0 to build with, part 1 kept back, part 2 other ones of WebQuestions,
    parts 3, 4 and 6 of other sets than all these; part 5 differs from part 4 in its names alone, part 6 in English."""
    if part >= 3:
        return (fresh_questions, fifth_questions, fifth_questions, seventh_questions)[part - 3](data)
    later, part = part == 2, part % 2
    found: dict[tuple[str, str], list[str]] = {}
    with (data / "banking77" / "test.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    intents = sorted({row["category"] for row in rows})
    found["en", "banking77"] = [row["text"] for row in rows if intents.index(row["category"]) % 2 == part]
    web = json.loads((data / "webquestions" / ("val.json", "trainmodel.json")[part]).read_text("utf-8"))
    found["en", "webquestions"] = [row["qText"] for row in web][:700]
    if later:
        web = json.loads((data / "webquestions" / "trainmodel.json").read_text("utf-8"))
        found["en", "webquestions"] = [row["qText"] for row in web][1000:1700]
    found["de", "german"] = _own("de", "first")[part::2]
    pages = json.loads((data / "persianqa" / "pqa_test.part1.json").read_text("utf-8"))["data"]
    persian = [ask["question"] for page in pages for of in page["paragraphs"] for ask in of["qas"]]
    found["fa", "persianqa"] = persian[part::2]
    return {key: [*dict.fromkeys(text.strip() for text in texts)] for key, texts in found.items()}


def fresh_questions(data: Path) -> dict[tuple[str, str], list[str]]:
    """Questions of travellers (ATIS) and of users of Ubuntu, of XQuAD, of German households, and of Persian treebanks,
    without those that go on from a sentence before."""
    ubuntu = json.loads((data / "askubuntu" / "AskUbuntuCorpus.json").read_text("utf-8"))["sentences"]
    rows = (data / "semantic-parsing" / "atis.tsv").read_text("utf-8").splitlines()
    travel = [text for row in rows if not re.search(r"\b[a-z]{2}\d\b", text := row.split("\t")[0])]
    pages = json.loads((data / "xquad" / "xquad.en.part1.json").read_text("utf-8"))["data"]
    trees = sorted((data / "persian").glob("ud-*/*.conllu"))
    said = [line[9:] for tree in trees for line in tree.read_text("utf-8").splitlines() if line.startswith("# text = ")]
    on = ("و ", "اما ", "ولی ", "پس ", "یعنی ")
    return {
        ("en", "atis and askubuntu"): [*dict.fromkeys([*(each["text"].strip() for each in ubuntu), *travel])],
        ("en", "xquad"): [ask["question"].strip() for page in pages for of in page["paragraphs"] for ask in of["qas"]],
        ("de", "german"): _own("de", "fresh"),
        ("fa", "treebanks"): [
            t for t in said if t.endswith("؟") and 5 <= len(t.split()) <= 25 and not t.startswith(on)
        ],
    }


def fifth_questions(data: Path) -> dict[tuple[str, str], list[str]]:
    """Questions about jobs and geography, of Natural Questions, of the German corpus of ChatterBot (BSD-3) and of travellers,
    and of Persian customers."""
    rows = [
        row
        for name in ("jobs", "geo")
        for row in (data / "semantic-parsing" / f"{name}.tsv").read_text("utf-8").splitlines()
    ]
    natural = json.loads((data / "evouna" / "NQ-tune.json").read_text("utf-8"))
    return {
        ("en", "jobs and geography"): [*dict.fromkeys(row.split("\t")[0].strip() for row in rows)],
        ("en", "natural questions"): [*dict.fromkeys(row["question"].strip() for row in natural)][:700],
        ("de", "german"): _own("de", "fifth"),
        ("fa", "persian"): _own("fa", "fifth"),
    }


def seventh_questions(data: Path) -> dict[tuple[str, str], list[str]]:
    """English questions of TREC and the plain ones of Disfl-QA; the German and Persian ones are the fifth log's."""
    trec = [
        row.split("\t")[2].strip() for row in (data / "curatedtrec/curated-train.tsv").read_text("utf-8").splitlines()
    ]
    plain = [row["original"].strip() for row in json.loads((data / "disflqa" / "dev.json").read_text("utf-8")).values()]
    fifth = fifth_questions(data)
    return {
        ("en", "trec"): [*dict.fromkeys(trec)],
        ("en", "disfl-qa"): [*dict.fromkeys(plain)][:700],
        **{key: texts for key, texts in fifth.items() if key[0] != "en"},
    }


def _own(code: str, part: str) -> list[str]:
    questions: list[str] = json.loads((HERE / "questions.json").read_text("utf-8"))[code][part]
    return questions


def people(data: Path, part: int) -> dict[str, tuple[list[str], list[str]]]:
    """First and last names by language, half of each list; the English ones are of another list than Faker's. Part 2
    has English names further down that list, German ones of Austria and Persian ones of no list. Part 3 has English names
    of the census of the United States (package `names` 0.3), German and Persian ones of @faker-js/faker 10.6 (MIT); parts
    4 and 5 have those of Mimesis 22.2 (MIT)."""
    listed = json.loads((data / "lexicons" / "names.json").read_text("utf-8"))
    others = json.loads((HERE / "names.json").read_text("utf-8"))
    if part >= 3:
        return {
            code: (each["first"], each["last"])
            for code, each in others[("fresh", "fifth", "sixth", "seventh")[part - 3]].items()
        }
    english = [*listed["men"][:1500], *listed["women"][:1500]], listed["last"][:3000]
    found: dict[str, tuple[list[str], list[str]]] = {"en": (english[0][part::2], english[1][part::2])}
    if part == 2:
        rarer = [*listed["men"][1500:3000], *listed["women"][1500:3000]], listed["last"][3000:6000]
        austrian = next(one for one in Faker("de_AT").get_providers() if hasattr(one, "last_names"))
        third = others["third"]
        german = [*austrian.first_names, *third["de"]["first"] * 8], [*austrian.last_names, *third["de"]["last"] * 8]
        return {"en": rarer, "de": german, "fa": (third["fa"]["first"], third["fa"]["last"])}
    for code, locale in (("de", "de_DE"), ("fa", "fa_IR")):
        provider = next(one for one in Faker(locale).get_providers() if hasattr(one, "last_names"))
        first = [*dict.fromkeys(n for n in provider.first_names if " " not in n)]
        last = [*dict.fromkeys(n for n in provider.last_names if " " not in n)]
        first, last = (
            first[part::2] + others[code]["first"][part::2] * 3,
            last[part::2] + others[code]["last"][part::2] * 3,
        )
        found[code] = first, last
    return found


def build(data: Path, chats: int, seed: int, part: int, values: int = 1000) -> Log:
    rng, log = Random(seed), Log()
    sets, names = question_sets(data, part), people(data, part)
    fakes = {code: Faker(locale) for code, locale in (("en", "en_GB"), ("de", "de_DE"), ("fa", "fa_IR"))}
    for fake in fakes.values():
        fake.seed_instance(seed)
    weights = {key: [1 / (at + 5) ** 0.7 for at in range(len(texts))] for key, texts in sets.items()}
    for texts in sets.values():
        rng.shuffle(texts)
    chance = values / (chats * 1.75)
    for number in range(chats):
        code = rng.choices(["en", "de", "fa"], [70, 15, 15])[0]
        keys = [key for key in sets if key[0] == code]
        chat: list[dict[str, str]] = []
        if rng.random() < 0.3:
            _say(chat, rng.choice(SMALL_TALK[code]), "Hello, how can I help you?" if rng.random() < 0.5 else "Hello.")
            log.small_talk += 1
        for _ in range(rng.choices([1, 2, 3], [45, 35, 20])[0]):
            key = rng.choices(keys, [85, 15] if len(keys) > 1 else None)[0]
            question = rng.choices(sets[key], weights[key])[0]
            counted = log.questions.setdefault(key[1], {})
            counted[question] = counted.get(question, 0) + 1
            log.askers.setdefault(question, set()).add(number)
            text = worn(question, rng, code)
            log.typed.update(map(folded, re.findall(r"[^\W\d_]+", text)))
            if rng.random() < 0.25:
                text = _named(
                    text,
                    (NAMED, NAMED_KEPT_BACK, NAMED_THIRD, NAMED_FRESH, NAMED_FIFTH, NAMED_FIFTH, NAMED_SEVENTH)[part][
                        code
                    ],
                    code,
                    names[code],
                    rng,
                    log,
                )
            if len(log.values) < values and rng.random() < chance * 1.3:
                text = _valued(text, (VALUED_FIFTH if part >= 4 else VALUED)[code], code, fakes[code], rng, log)
            _say(
                chat,
                text,
                rng.choice(
                    [
                        "Here is what I found: see the help page.",
                        "Please open the settings and follow the steps.",
                        "I am sorry, I do not know.",
                        "It takes three days.",
                    ]
                ),
            )
            if rng.random() < 0.12:
                _say(chat, rng.choice(FOLLOW_UPS[code]), "That depends.")
                log.follow_ups += 1
        if rng.random() < 0.4:
            _say(chat, rng.choice(SMALL_TALK[code]), "Bye.")
            log.small_talk += 1
        log.chats.append(chat)
    return log


def _say(chat: list[dict[str, str]], text: str, reply: str) -> None:
    chat += [{"role": "user", "content": text}, {"role": "assistant", "content": reply}]


def worn(text: str, rng: Random, code: str) -> str:
    """A question as somebody else would type it: case, marks, a courtesy, a slip of the finger."""
    if rng.random() < 0.3:
        text = text.lower()
    if rng.random() < 0.3:
        text = text.rstrip("?؟.! ")
    if rng.random() < 0.15:
        hello = {"en": ("Hi, ", "please, ", "hello "), "de": ("Hallo, ", "Bitte, "), "fa": ("سلام، ",)}[code]
        text = rng.choice(hello) + text
    if rng.random() < 0.1:
        words = [*re.finditer(r"[^\W\d_]{5,}", text)]
        if words:
            word = rng.choice(words)
            at = rng.randrange(word.start() + 1, word.end() - 1)
            text = (
                text[:at] + text[at + 1] + text[at] + text[at + 2 :]
                if rng.random() < 0.5
                else text[:at] + text[at + 1 :]
            )
    return text


def beside(text: str, name: str) -> str:
    """A name with the word before it, or else with the one behind it: where it is a person's, and no other word."""
    words = re.findall(r"\w+|\0", text)
    at = words.index(name) if name in words else len(words)
    near = words[max(0, at - 1) : at + 1] if at else words[:2]
    return "" if "\0" in near or len(near) < 2 else " ".join(near)


def _zipf(listed: Sequence[str], rng: Random) -> str:
    return listed[int(len(listed) * rng.random() ** 3)]


def _named(
    text: str, forms: Sequence[str], code: str, names: tuple[list[str], list[str]], rng: Random, log: Log
) -> str:
    first, last = _zipf(names[0], rng), _zipf(names[1], rng)
    form = rng.choice(forms)
    made = form.format(first=first, last=last, lower=first.lower(), q="\0")
    for name, field_ in ((first, "{first}"), (last, "{last}"), (first, "{lower}")):
        if field_ in form:
            log.names.append((code, name, beside(made, name)))
    return made.replace("\0", text)


def _valued(text: str, forms: Sequence[str], code: str, fake: Faker, rng: Random, log: Log) -> str:
    what = rng.choice(WHAT)
    value = {
        "email": fake.email,
        "phone": fake.phone_number,
        "iban": lambda: rng.choice([fake.iban(), re.sub(r"(....)", r"\1 ", fake.iban()).strip()]),
        "card": lambda: rng.choice(
            [fake.credit_card_number(), re.sub(r"(....)", r"\1 ", fake.credit_card_number()).strip()]
        ),
        "order": lambda: fake.bothify(
            rng.choice(["??-#####", "#########", "ORD-####-####", "#######", "??######"]), "ABCDEFGHKLM"
        ),
        "address": lambda: _address(code, fake, rng),
        "link": fake.uri,
        "birthday": lambda: fake.date(
            rng.choice(["%d.%m.%Y", "%Y-%m-%d", "%d/%m/%Y", "%d %B %Y" if code == "en" else "%d.%m.%Y"])
        ),
        "passport": lambda: fake.bothify("?########", "CFGHJK"),
    }[what]()
    if code == "fa" and rng.random() < 0.5 and what in ("phone", "card", "birthday"):
        value = value.translate(str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹"))
    log.values.append((what, value))
    return rng.choice(forms).format(q=text, v=value, what=what)


def _address(code: str, fake: Faker, rng: Random) -> str:
    if code == "en":
        return f"{rng.randrange(1, 300)} {fake.last_name()} {rng.choice(['Street', 'Road', 'Avenue', 'Lane'])}, {fake.postcode()}"
    if code == "de":
        return f"{fake.last_name()}{rng.choice(['straße', 'weg', 'platz', 'allee'])} {rng.randrange(1, 200)}, {fake.postcode()} {fake.city()}"
    return f"خیابان {fake.last_name()}، کوچه {fake.first_name()}، پلاک {rng.randrange(1, 200)}"
