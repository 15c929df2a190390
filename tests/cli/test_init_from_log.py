"""`botattack init --from-log`: a log of conversations becomes a question file, without what is personal."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from botattack.text.made_up import listed_names
from botattack.text.word_lists import word_tuple
from tests.cli.conftest import Botattack, Serve
from tests.servers.http import Server, replying, response

Chat = Sequence[str]
RESET, CARD = "How do I reset my password?", "When does my new card arrive?"


@pytest.fixture
def made(botattack: Botattack, folder: Path) -> Callable[..., list[dict[str, Any]]]:
    """The questions that chats become, each a list of what the user said; the bot replies to each message."""

    def make(chats: Sequence[Chat], *flags: object) -> list[dict[str, Any]]:
        log = folder / "log" / "chats.jsonl"
        log.parent.mkdir(exist_ok=True)
        log.write_text("".join(f"{json.dumps({'messages': _messages(chat)})}\n" for chat in chats))
        ended = botattack("init", "--from-log", log, "--into", folder / "made", *flags)
        assert ended.status == 0, ended.err
        suite = folder / "made" / "my-bot-questions.jsonl"
        return [json.loads(line) for line in suite.read_text().splitlines()]

    return make


def _messages(chat: Chat) -> list[dict[str, str]]:
    return [
        each
        for text in chat
        for each in ({"role": "user", "content": text}, {"role": "assistant", "content": "Please open the settings."})
    ]


def texts(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [text for row in rows for text in row.get("turns", [row.get("question")])]


@pytest.mark.slow
def test_near_duplicates_are_one_question_with_how_often_it_was_asked(made: Any) -> None:
    rows = made([[RESET], ["how do i reset my password"], [f"Hi, {RESET}"], [f"{RESET} please"], *[[CARD]] * 3])
    assert [(row["question"], row["times_asked"]) for row in rows] == [(RESET, 4), (CARD, 3)]


@pytest.mark.parametrize(
    "before",
    [
        *("Hi, I'm Maria. ", "hi, i'm maria. ", "i am sebastian. ", "thanks a lot. "),
        *("hello there, ", "dear team, ", "hi maria, "),
    ],
)
def test_who_writes_and_courtesies_are_left_out_in_small_letters_too(made: Any, before: str) -> None:
    asked = "when does my new card arrive?"
    assert texts(made([[asked]] * 2 + [[f"{before}{asked}"]] * 3)) == [asked]


@pytest.mark.parametrize("alone", [True, False])
def test_a_log_alone_is_followed_by_the_command_that_reads_its_questions(
    alone: bool, botattack: Botattack, folder: Path, serve: Serve
) -> None:
    rows = [json.dumps({"messages": _messages([text])}) for text in (RESET, CARD) * 3]
    (folder / "chats.jsonl").write_text("\n".join(rows))
    url = serve(Server(replying(lambda got: response({"reply": f"About {got.json['text'][::-1]} ask the office."}))))
    bot = ("--curl", f'curl {url} -d \'{{"text": "hi there"}}\'', "--yes")
    ended = botattack("init", "--from-log", "chats.jsonl", *(() if alone else bot))
    assert ended.status == 0, ended
    assert re.search(r"\b6 questions, 2 different", ended.out)
    assert ("botattack init -q my-bot-questions.jsonl" in ended.out) is alone


def test_products_numbers_and_directions_stay_apart(made: Any) -> None:
    asked = [
        *("What does plan A include?", "What does plan B include?", "Is 5 days the limit?", "Is 7 days the limit?"),
        *("Is there a bus from the airport to the harbour?", "Is there a bus from the harbour to the airport?"),
    ]
    rows = made([[text] for text in asked] * 3)
    assert sorted(texts(rows)) == sorted(asked)


def test_a_word_of_two_conversations_is_not_kept(made: Any) -> None:
    rows = made(
        [*[[RESET]] * 3, ["How do I reset my zorblax?"], ["How do I reset my zorblax?", "How do I reset my zorblax?"]]
    )
    assert texts(rows) == [RESET]


def test_a_word_of_three_conversations_is_kept(made: Any) -> None:
    rows = made([*[[RESET]] * 3, *[["How do I reset my zorblax?"]] * 3])
    assert "How do I reset my zorblax?" in texts(rows)


@pytest.mark.parametrize(
    ("usual", "rare"),
    [
        ("Which airport do you serve?", "Where are the airports?"),
        ("Where is my account?", "Where is my acocunt?"),
        ("Wann kommt meine Rechnung?", "Wo sind die Rechnungen?"),
        ("What is a brown card?", "Where are the browns of the card?"),  # which may be a family
    ],
)
def test_a_question_with_a_rare_form_is_left_out(made: Any, usual: str, rare: str) -> None:
    assert texts(made([*[[usual]] * 3, [rare]])) == [usual]


@pytest.mark.parametrize(
    ("asked", "known"), [("where was guatemala on my card?", "guatemala"), ("What is a Zorblax card?", "zorblax")]
)
def test_a_rare_country_or_name_is_made_up(made: Any, asked: str, known: str) -> None:
    shared = [["where was my card?"], ["what happened to my card?"], ["What is a card?"], ["what is on my card?"]] * 3
    rows = made([*shared, [asked]])
    assert known not in " ".join(texts(rows)).lower()
    assert len(rows) == 5


@pytest.mark.parametrize("after", word_tuple("chats.after_names", "en"))
def test_whoever_says_their_name_first_is_a_name_wherever_it_is_written(made: Any, after: str) -> None:
    """As "Zorblin here. Can you …" does; a word that is written small there is none: "delivery here"."""
    said = [[f"Zorblin {after}. Can you send the card again?"]] * 5
    small = [[f"quibbler {after}. Can you send the card again?"]] * 5
    rows = made([*said, *small, *[["may zorblin send the card again?"]] * 3, *[["is my quibbler gone again?"]] * 3])
    assert "zorblin" not in " ".join(texts(rows)).lower()
    assert "is my quibbler gone again?" in texts(rows)


def test_names_go_however_often_they_are_written(made: Any) -> None:
    chats = [
        *[["Can you send the card of my wife Maria again?"]] * 5,
        *[["hi im maria, can you send the card again?"]] * 5,
        *[["My name is Grzbrk, can you send the card again?"]] * 5,
        *[["Is Grzbrk allowed to send the card again?"]] * 3,
        *[["Hello, I am Juan Perez. Can you send the card again?"]] * 5,
        *[["The card of Katharina is gone, can you send it again?"]] * 12,
        ["The card of katharinaa is gone, can you send it again?"],
        *[["The card is gone (asked by Brown)"]] * 3,
    ]
    rows = made(chats)
    assert rows
    for name in ("Maria", "Grzbrk", "Juan", "Perez", "Katharina", "Brown"):
        assert not [text for text in texts(rows) if name.lower() in text.lower()], name


@pytest.mark.parametrize(
    "said",
    ["Can Temple send the card again?", "temple again, can you send the card?", "sorry temple typing, where is it?"],
)
def test_an_everyday_word_is_a_name_where_it_stands_as_one(made: Any, said: str) -> None:
    rows = made([*[["Where is the temple of the card?"]] * 15, *[["Can you send the card again?"]] * 3, *[[said]] * 3])
    assert sum("temple" in text.lower() for text in texts(rows)) == 1


@pytest.mark.parametrize("said", ["my name is Day, where is the card?", "did you talk with Many Miller of my card?"])
def test_courtesies_and_question_words_are_names_beside_one(made: Any, said: str) -> None:
    shared = ["what is my name and where is the card?", "did you talk of my card with me?", "how many, which day?"]
    found = texts(made([[text] for text in (*shared, said)] * 5))
    assert [text for text in found if "Day" not in text and text.startswith(("my name is", "did you talk with"))]
    assert not [text for text in found if "Day" in text or "Many" in text or "Miller" in text]


def test_names_in_small_letters_go_however_often_they_are_written(made: Any) -> None:
    chats = [["hi im maria, can you send the card again?"], ["is maria there to send the card again?"]] * 25
    found = texts(made([*chats, *[["who is there to send the card again?"]] * 3]))
    assert len(found) > 1
    assert not [text for text in found if "maria" in text]


@pytest.mark.parametrize("name", ["Areebah", "Schneyer", "Zorblax", "Quattlebaum", "Temple"])
@pytest.mark.parametrize(
    "said",
    ["Is the card for {} ready?", "Could you tell {} where the card is?", "The card went to {} first, where is it?"],
)
def test_a_word_written_as_a_name_goes_however_many_share_it(made: Any, name: str, said: str) -> None:
    shared = [[said.format("my card")]] * 3
    chats = [*shared, *[[said.format(name)]] * 30, *[[f"is the card for {name.lower()} ready?"]] * 5]
    found = texts(made(chats))
    assert [text for text in found if "my card" not in text]
    assert not [text for text in found if name.lower() in text.lower()]


@pytest.mark.parametrize("word", ["ATM", "Germany", "Swedish", "Monday", "Sundays", "B", "iPhone", "card"])
def test_what_is_no_name_stays_with_its_capitals(made: Any, word: str) -> None:
    asked = f"Is the card for {word} ready?"
    assert texts(made([[asked]] * 5)) == [asked]


def test_kept_products_stay_where_they_are_written_as_names(made: Any, folder: Path) -> None:
    (folder / "products.txt").write_text("Zorblax\n")
    asked = "Is the card for Zorblax ready?"
    assert texts(made([[asked]] * 5, "--keep", folder / "products.txt")) == [asked]


@pytest.mark.parametrize("name", ["کامبیز", "جهانبخش", "یوسفی‌پور"])
def test_persian_names_go_without_a_sign_of_a_name(made: Any, name: str) -> None:
    rows = made([[f"بسته {name} کی به تهران می‌رسد؟"]] * 5)
    assert rows
    assert not [text for text in texts(rows) if name in text]


VALUES = {
    "en": [
        "anna.kern@post.example", "+44 20 7946 0958", "(555) 012-3456", "GB29 NWBK 6016 1331 9268 19",
        "4111 1111 1111 1111",
        "AB-12345", "#47110", "221B Baker Street, NW1 6XE",
        "https://shop.example/o/77?u=anna", "12/05/1983", "March 12, 1983",
        "192.168.7.13", "@anna_kern", "anna dot kern at post dot example", "1234567",
    ],
    "de": [
        "anna.kern@post.example", "030/1234567", "0171 2345678", "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
        "Hauptstraße 12a, 10115 Berlin", "Am Alten Markt 7", "12.05.1983", "12. März 1983", "RE-2023-0815",
    ],
    "fa": [
        "anna.kern@post.example", "۰۹۱۲۳۴۵۶۷۸۹", "۰۲۱-۸۸۷۷۶۶۵۵", "IR820748337887623286012904", "۶۰۳۷۹۹۷۱۲۳۴۵۶۷۸۹",
        "خیابان ولیعصر، کوچه بهار، پلاک ۱۲", "۱۳۶۲/۰۳/۱۲", "۱۲ خرداد ۱۳۶۲",
    ],
}  # fmt: skip
ASKED = {
    "en": "Where is my parcel for {}?",
    "de": "Wo ist mein Paket für {} geblieben?",
    "fa": "بسته من برای {} کجاست؟",
}


@pytest.mark.parametrize(("lang", "value"), [(lang, value) for lang, values in VALUES.items() for value in values])
def test_a_value_with_a_form_goes_even_if_all_conversations_share_it(
    made: Any, folder: Path, lang: str, value: str
) -> None:
    rows = made([[ASKED[lang].format(value)]] * 4, "--lang", lang)
    assert len(rows) == 1
    left = "\n".join(path.read_text() for path in (folder / "made").iterdir())
    assert value not in left
    digits = "".join(c for c in value if c.isdecimal())
    assert len(digits) < 5 or digits not in "".join(c for c in left if c.isdecimal())


def test_a_made_up_value_has_the_form_of_what_it_replaces(made: Any) -> None:
    (row,) = made([["Where is my parcel AB-12345 now?"]] * 3)
    code = row["question"].split()[4]
    assert code[:2].isalpha()
    assert code[2] == "-"
    assert code[3:].isdecimal()
    assert code != "AB-12345"


def test_words_of_the_keep_file_stay(made: Any, folder: Path) -> None:
    (folder / "products.txt").write_text("Jordan\n")
    asked = "How do I pay with Jordan?"
    assert texts(made([[asked]] * 3, "--keep", folder / "products.txt")) == [asked]


def test_what_leans_on_an_earlier_question_comes_with_it(made: Any) -> None:
    rows = made([[RESET, "And how long does it take?"]] * 3)
    assert [RESET, "And how long does it take?"] in [row.get("turns") for row in rows]


def test_what_leans_on_nothing_is_left_out(made: Any) -> None:
    assert texts(made([["Can I change that later?"], [RESET]] * 3)) == [RESET]


def test_small_talk_and_answers_to_the_bot_are_no_questions(botattack: Botattack, folder: Path) -> None:
    chat = [
        *("user", "Hello there!"), *("assistant", "How can I help?"), *("user", RESET),
        *("assistant", "What is your customer type?"), *("user", "a private customer of yours"),
            *("assistant", "Done."),
        *("user", "Thanks a lot, have a nice day"),
    ]  # fmt: skip
    messages = [{"role": role, "content": text} for role, text in zip(chat[::2], chat[1::2], strict=True)]
    (folder / "log.jsonl").write_text(f"{json.dumps({'messages': messages})}\n" * 3)
    assert botattack("init", "--from-log", "log.jsonl").status == 0
    (row,) = map(json.loads, Path("my-bot-questions.jsonl").read_text().splitlines())
    assert row["question"] == RESET


def test_what_was_replaced_is_counted_and_never_shown(botattack: Botattack, folder: Path) -> None:
    chat = {"messages": _messages([f"I am Maria Kern, mail maria@post.example. {RESET}"])}
    (folder / "log.jsonl").write_text(f"{json.dumps(chat)}\n" * 3)
    ended = botattack("init", "--from-log", "log.jsonl")
    assert "3 messages of users in 3 conversations" in ended.out
    assert "maria" not in f"{ended.out}{ended.err}".lower()


def test_what_is_left_out_is_in_no_other_count(botattack: Botattack, folder: Path) -> None:
    said = [*["Is the card for Maria ready?"] * 3, "How do I fold a zorblatt for Tim?", "Is the quibbleshed ready?"]
    (folder / "log.jsonl").write_text("".join(f"{json.dumps({'messages': _messages([each])})}\n" for each in said))
    ended = botattack("init", "--from-log", "log.jsonl")
    assert re.search("asked +3 questions, 1 different", ended.out)
    assert re.search("left out +2 more", ended.out)
    assert re.search("replaced +3 name\n", ended.out)


@pytest.mark.parametrize(("asked", "number"), [("Is the card for {} ready?", 1), ("Where is the card?", 0)])
def test_it_says_how_many_questions_have_made_up_names_and_no_word_of_them(
    botattack: Botattack, folder: Path, asked: str, number: int
) -> None:
    chats = [{"messages": _messages([text])} for text in (asked.format("Zorblax"), "Where is the card?")]
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(chat)}\n" for chat in chats * 3))
    ended = botattack("init", "--from-log", "log.jsonl")
    assert ("1 question got made-up names" in ended.out) == bool(number)
    assert ("--keep" in ended.out) == bool(number)
    assert "zorblax" not in f"{ended.out}{ended.err}".lower()


def test_a_table_of_messages_and_other_exports_are_read(botattack: Botattack, folder: Path) -> None:
    rows = [["chat_id", "sender", "message"], *([number, "customer", RESET] for number in range(3))]
    with (folder / "chats.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    traces = [
        {"id": str(number), "input": [{"role": "user", "content": CARD}], "output": "Soon."} for number in range(3)
    ]
    (folder / "traces.json").write_text(json.dumps(traces))
    assert botattack("init", "--from-log", "chats.csv", "--from-log", "traces.json").status == 0
    written = Path("my-bot-questions.jsonl").read_text()
    assert RESET in written
    assert CARD in written


def test_calls_of_one_session_count_once(botattack: Botattack, folder: Path) -> None:
    texts = [RESET, "Is the zorblax on?", "Is the zorblax off?", "Where is the zorblax?", "Who has the zorblax?"]
    sent = [{"role": "user", "content": text} for text in texts]
    calls = [{"id": str(at), "input": sent[: at + 1], "output": "Yes."} for at in range(len(sent))]
    others = [{"id": f"other {at}", "input": [sent[0]], "output": "Yes."} for at in range(3)]
    (folder / "traces.json").write_text(json.dumps([*calls, *others]))
    assert botattack("init", "--from-log", "traces.json").status == 0
    written = Path("my-bot-questions.jsonl").read_text()
    assert RESET in written
    assert "zorblax" not in written


def test_rows_of_one_conversation_count_once(botattack: Botattack, folder: Path) -> None:
    (folder / "chats.csv").write_text("chat_id,sender,message\n" + f"7,user,{RESET}\n" * 5)
    ended = botattack("init", "--from-log", "chats.csv")
    assert ended.status == 2
    assert "at least 3 conversations share" in ended.err


ENGLISH = json.dumps({"messages": _messages([RESET])})
SPANISH = json.dumps({"messages": _messages(["¿Cómo puedo cambiar la contraseña de mi cuenta?"])})
MUTE = json.dumps({"messages": _messages([RESET])[1:]})


@pytest.mark.parametrize(
    ("content", "flags", "says"),
    [
        ('{"question": "What is it?"}\n', (), "does not say its conversation"),
        ("conversation_id,text\n1,Hello\n", (), "does not say its speaker"),
        (f"{ENGLISH}\n" * 5, ("--lang", "fa"), "mostly written in 'en', not in 'fa'"),
        (f"{SPANISH}\n" * 5, (), "not in 'es': write es/chats.yaml in a folder that BOTATTACK_LANGUAGES names"),
        (f"{ENGLISH}\n" + "broken\n" * 3 + f"{ENGLISH}\n" * 2, (), "records cannot be read"),
        ("", (), "is empty"),
        (f"{MUTE}\n", (), "no message in it is a user's"),
        ('[[{"role": "user", "content": "Hello"}]]', (), "a conversation is a list of `messages`"),
        (f"{ENGLISH}\n" * 3, ("--lang", "xx"), "names are found in de, en, fa"),
        (f"{ENGLISH}\n" * 3, ("--column", "converstion=id"), "'converstion', which no log has"),
        ("User: My name is Maria Kern\nBot: Hello\n", (), "does not say its conversation, only text"),
        (f"[{ENGLISH}, {ENGLISH[:-9]}", (), "it is not JSON"),
    ],
)  # fmt: skip
def test_a_bad_log_is_one_sentence_and_writes_nothing(
    botattack: Botattack, folder: Path, content: str, flags: tuple[str, ...], says: str
) -> None:
    (folder / "log.jsonl").write_text(content)
    ended = botattack("init", "--from-log", "log.jsonl", "--into", "made", *flags)
    assert ended.status == 2
    assert says in ended.err
    assert ("log.jsonl" in ended.err) is ("--column" not in flags)
    assert "Traceback" not in ended.err
    assert "Maria" not in ended.err
    assert not Path("made").exists()


def test_a_few_broken_lines_are_told_and_skipped(botattack: Botattack, folder: Path) -> None:
    (folder / "log.jsonl").write_text(f"{ENGLISH}\n" * 9 + "broken\n")
    ended = botattack("init", "--from-log", "log.jsonl")
    assert ended.status == 0
    assert "log.jsonl:10: it is not JSON" in ended.err


def test_a_question_file_is_never_replaced(botattack: Botattack, folder: Path) -> None:
    (folder / "log.jsonl").write_text(f"{ENGLISH}\n" * 3)
    Path("my-bot-questions.jsonl").write_text("mine")
    assert "is there already" in botattack("init", "--from-log", "log.jsonl").err
    assert Path("my-bot-questions.jsonl").read_text() == "mine"


@pytest.mark.parametrize(
    "flags", [("-q", "log.jsonl", "--from-log", "log.jsonl"), ("--lang", "en"), ("--keep", "log.jsonl")]
)
def test_options_that_do_not_go_together(botattack: Botattack, folder: Path, flags: tuple[str, ...]) -> None:
    (folder / "log.jsonl").write_text(f"{ENGLISH}\n" * 3)
    assert "--from-log" in botattack("init", *flags).err


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        (None, 'pip install "botattack[logs]"'),
        ({"url": "file:///srv/botattack", "dir_info": {"editable": True}}, 'pip install -e "/srv/botattack[logs]"'),
        ({"url": "file:///srv/botattack", "dir_info": {}}, 'pip install "/srv/botattack[logs]"'),
        ({"url": "file:///srv/" + "long/" * 12, "dir_info": {"editable": True}}, 'pip install -e ".[logs]"'),
        ({"url": "file:///srv/$(id)%20x", "dir_info": {"editable": True}}, 'pip install -e ".[logs]"'),
        ({"url": "HERE", "dir_info": {"editable": True}}, 'pip install -e ".[logs]"'),
        ({"url": "https://example.org/b.git", "vcs_info": {"vcs": "git"}}, 'pip install "botattack[logs]"'),
    ],
)
def test_without_the_lists_of_names_nothing_is_made(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, source: dict[str, Any] | None, advice: str
) -> None:
    (folder / "log.jsonl").write_text(f"{ENGLISH}\n" * 3)
    installed = folder / "site" / "botattack-0.1.0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: botattack\nVersion: 0.1.0\n")
    if source:
        (installed / "direct_url.json").write_text(json.dumps(source).replace("HERE", Path.cwd().as_uri()))
    monkeypatch.syspath_prepend(folder / "site")
    listed_names.cache_clear()
    monkeypatch.setitem(sys.modules, "faker", None)
    ended = botattack("init", "--from-log", "log.jsonl")
    assert ended.status == 2
    assert ended.err.endswith(f"lists of Faker: {advice}\n")
    assert not Path("my-bot-questions.jsonl").exists()


BOT = """
from itertools import count

KNOWN = {"password": "Open the settings and choose Reset password.", "card": "A new card arrives in five days."}
TURN = count()


def answer(text):
    if "weather" in text.lower():
        return f"It is {next(TURN)} degrees."
    found = next((said for word, said in KNOWN.items() if word in text.lower()), "Sorry, I do not know that.")
    return f"Hello! {found}"
"""


@pytest.fixture
def run(botattack: Botattack, folder: Path, made: Any) -> Path:
    """A run of questions from a log against a bot that knows two things, and changes its mind on another."""
    chats = [
        *[[RESET]] * 5,
        *[[CARD]] * 4,
        *[["What is the weather in the office?"]] * 3,
        *[["Where is the cellar key?"]] * 3,
    ]
    made(chats)
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(
        'name: desk\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
        'signs: {refused: ["Sorry, I do not know that."]}\n'
    )
    suite = folder / "made" / "my-bot-questions.jsonl"
    asked = botattack("run", "-t", "bot.yaml", "-q", suite, "-a", "case", "--allow-code", "--recordings", "runs")
    assert asked.status == 0, asked.err
    return next(Path("runs").iterdir())


def _table(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return {row["question"]: row for row in csv.DictReader(file)}


@pytest.mark.slow
def test_stable_replies_are_proposed_as_answers_without_their_greeting(
    botattack: Botattack, folder: Path, run: Path
) -> None:
    assert botattack("judge", "golds", run, "-o", "golds.csv").status == 0
    rows = _table(Path("golds.csv"))
    assert rows.keys() == {RESET, CARD}
    assert rows[RESET]["proposed"] == "Open the settings and choose Reset password."
    assert rows[RESET]["reply 3"] == "Hello! Open the settings and choose Reset password."
    assert 0.5 <= float(rows[RESET]["sure"]) <= 1


@pytest.mark.slow
def test_every_reply_is_in_the_table_however_often_a_question_was_asked(
    botattack: Botattack, folder: Path, run: Path
) -> None:
    del run
    campaign = folder / "five.yaml"
    questions = "questions: {file: made/my-bot-questions.jsonl}"
    campaign.write_text(f"target: bot.yaml\n{questions}\nattacks: [case]\nrepeat: 5\n")
    assert botattack("run", campaign, "--allow-code", "--recordings", "five").status == 0
    assert botattack("judge", "golds", next(Path("five").iterdir()), "-o", "golds.csv").status == 0
    said = "Hello! Open the settings and choose Reset password."
    assert [_table(Path("golds.csv"))[RESET][f"reply {at}"] for at in range(1, 6)] == [said] * 5


NEIGHBOURS = """
KNOWN = {
    ("ticket", "weekly"): "A weekly ticket costs 25 crowns.",
    ("parking", "fine"): "A parking fine can be fought in court.",
    ("card", "library"): "A new library card costs four crowns.",
    ("shop", "licence"): "To open a shop, ask for a licence in room 7.",
}


def answer(text):
    # Like a weak search, it takes the first entry that shares any word.
    return next((said for words, said in KNOWN.items() if any(word in text.lower() for word in words)), "Ask us.")
"""


def test_no_answer_is_proposed_that_speaks_more_of_another_question_or_of_one_of_two(
    botattack: Botattack, folder: Path, made: Any
) -> None:
    right = {
        "How much is a weekly ticket?": "A weekly ticket costs 25 crowns.",
        "Where can I fight a parking fine?": "A parking fine can be fought in court.",
        "What does a new library card cost?": "A new library card costs four crowns.",
        "Who gives a licence for a shop?": "To open a shop, ask for a licence in room 7.",
    }
    wrong = (
        "Can I fight the ticket of a car?",
        "Where do I get a birthday card?",
        "Who gives a licence for a shop, and what does the licence of that shop cost?",
    )
    made([[text] for text in (*right, *wrong)] * 3)
    (folder / "bot.py").write_text(NEIGHBOURS)
    (folder / "bot.yaml").write_text(
        'name: desk\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    suite = folder / "made" / "my-bot-questions.jsonl"
    botattack("run", "-t", "bot.yaml", "-q", suite, "-a", "case", "--allow-code", "--recordings", "runs")
    assert botattack("judge", "golds", next(Path("runs").iterdir()), "-o", "golds.csv").status == 0
    rows = _table(Path("golds.csv"))
    assert {text: rows[text]["proposed"] for text in right} == right
    assert {rows[text]["proposed"] for text in wrong} == {""}


def test_people_confirm_correct_and_drop(botattack: Botattack, folder: Path, run: Path) -> None:
    told = botattack("judge", "golds", run, "-o", "golds.csv").out
    rows = _table(Path("golds.csv"))
    proposed = sum(bool(row["proposed"]) for row in rows.values())
    assert told.startswith(f"{len(rows)} questions without ")
    assert f", {proposed} of them with a proposed one: golds.csv" in told
    rows[RESET] |= {"decision": " YES", "proposed": "Settings, then Reset"}
    rows[CARD]["decision"] = "No "
    with Path("golds.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [*rows[RESET]])
        table.writeheader()
        table.writerows(rows.values())
    decided = Path("golds.csv").read_bytes()
    for flags in ((), ("--collect", "golds.csv")):
        assert "may have decisions" in botattack("judge", "golds", run, *flags, "-o", "golds.csv").err
    assert Path("golds.csv").read_bytes() == decided
    ended = botattack("judge", "golds", run, "--collect", "golds.csv", "-o", "suite.jsonl")
    assert (ended.status, ended.out.partition(",")[0]) == (0, "3 questions")
    rows_made = [*map(json.loads, Path("suite.jsonl").read_text().splitlines())]
    assert [row["times_asked"] for row in rows_made] == [5, 3, 3]
    made = {row["question"]: row.get("answers") for row in rows_made}
    assert made[RESET] == ["Settings, then Reset"]
    assert CARD not in made
    assert made["Where is the cellar key?"] is None


def test_a_wrong_decision_is_one_sentence(botattack: Botattack, folder: Path, run: Path) -> None:
    botattack("judge", "golds", run, "-o", "golds.csv")
    text = Path("golds.csv").read_text()
    Path("golds.csv").write_text(text.replace(",1.00,,", ",1.00,perhaps,"))
    ended = botattack("judge", "golds", run, "--collect", "golds.csv", "-o", "suite.jsonl")
    assert ended.status == 2
    assert "write yes, no, or nothing" in ended.err
    assert not Path("suite.jsonl").exists()


def test_questions_that_a_stopped_run_did_not_come_to_are_counted(
    botattack: Botattack, folder: Path, run: Path
) -> None:
    told = (run / "events.jsonl").read_text().splitlines(keepends=True)
    second = [at for at, line in enumerate(told) if '"event":"question opened"' in line][1]
    (run / "events.jsonl").write_text("".join(told[:second]))
    botattack("judge", "golds", run, "-o", "golds.csv")
    ended = botattack("judge", "golds", run, "--collect", "golds.csv", "-o", "suite.jsonl")
    assert "1 question, 0 with a right answer: suite.jsonl; the run did not come to 3 more" in ended.out


def test_what_a_question_leans_on_is_in_the_table(botattack: Botattack, folder: Path) -> None:
    turns = [RESET, "And how long is the new password?"]
    (folder / "asked.jsonl").write_text(json.dumps({"turns": turns}) + "\n")
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text('name: desk\nconnect: {kind: local, call: "file://bot.py:answer"}\n')
    flags = ("-t", "bot.yaml", "-q", "asked.jsonl", "-a", "case", "--allow-code", "--recordings", "runs")
    botattack("run", *flags)
    botattack("judge", "golds", next(Path("runs").iterdir()), "-o", "golds.csv")
    assert _table(Path("golds.csv")).keys() == {"\n".join(turns)}


def test_a_table_of_another_run_is_refused(botattack: Botattack, folder: Path, run: Path) -> None:
    botattack("judge", "golds", run, "-o", "golds.csv")
    with Path("golds.csv").open("a") as file:
        file.write("elsewhere,Where is it?,There.,1.00,yes,,,\n")
    ended = botattack("judge", "golds", run, "--collect", "golds.csv", "-o", "suite.jsonl")
    assert ended.status == 2
    assert "'elsewhere'" in ended.err
    assert not Path("suite.jsonl").exists()


@pytest.mark.slow
def test_a_report_counts_right_answers_of_what_users_ask_and_says_so(botattack: Botattack, folder: Path) -> None:
    rows = [
        {"question": f"What is word {at}?", "answers": ["red"], "times_asked": 9 if at < 20 else 1} for at in range(40)
    ]
    Path("suite.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("bot.py").write_text(
        'def answer(text):\n    return "It is red." if any(f"word {at}?" in text for at in range(20)) else "Blue."\n'
    )
    Path("bot.yaml").write_text(
        'name: desk\nconnect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
    )
    given = ("-t", "bot.yaml", "-q", "suite.jsonl", "-a", "case", "--allow-code", "--recordings", "runs")
    ended = botattack("run", *given, "-o", "report.json", "-o", "report.md")
    assert ended.status in (0, 1), ended.err
    measures = json.loads(Path("report.json").read_text())["measures"]
    assert (measures["standard accuracy"]["x"], measures["standard accuracy"]["n"]) == (20, 40)
    of_users = measures["standard accuracy of what users ask"]
    assert (of_users["x"], of_users["n"]) == (180, 200)
    assert "as often as users asked" in Path("report.md").read_text()


@pytest.mark.parametrize("times", ["often", -1, 1.5, True])
def test_a_wrong_number_of_askings_is_one_sentence(botattack: Botattack, folder: Path, times: object) -> None:
    Path("suite.jsonl").write_text(json.dumps({"question": "What is red?", "times_asked": times}) + "\n")
    Path("bot.py").write_text("def answer(text):\n    return text\n")
    Path("bot.yaml").write_text('name: desk\nconnect: {kind: local, call: "file://bot.py:answer"}\n')
    ended = botattack("run", "-t", "bot.yaml", "-q", "suite.jsonl", "-a", "case", "--allow-code")
    assert ended.status == 2
    assert "times_asked" in f"{ended.out}{ended.err}"
