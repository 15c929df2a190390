"""A passage that speaks of somebody or something else: one name, and all that stands for it, becomes another. Pure;
English and Persian."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from random import Random
from typing import NamedTuple

from botattack.attacks.building.guard import answer_spans
from botattack.attacks.fakes.answers import shortest_gold
from botattack.attacks.fakes.names import is_given, is_name, known_kind, named_anew, names_of, renamed
from botattack.attacks.passages.counterfactual import with_fake
from botattack.attacks.passages.reading import title_of
from botattack.attacks.persian.names import lexicon, plain
from botattack.model import Question
from botattack.text.languages import language
from botattack.text.sentences import sentence_spans
from botattack.text.tokens import normalised, words
from botattack.text.word_lists import fake_words

_RUN = re.compile(r"[^\W\da-z_][\w-]*(?: [^\W\da-z_][\w-]*)*")
"""Words with capitals that follow each other."""
_NEAR = 150
"""Characters behind a name in which it may say when somebody lived."""
_ENDS = re.compile(r",? [JS]r\.?$")
_SHORT = 4
"""The least number of first letters that a name must share with a word that counts as made of it: "oxygen" and
"oxygenated"."""


class Subject(NamedTuple):
    """Whom or what a passage speaks of: the name, a person's name in full as it stands at the beginning (else ""), and
    whether it is a man, a woman or a person (else "")."""

    name: str
    full: str = ""
    kind: str = ""


def subject_of(question: Question, passage: int) -> Subject | None:
    """What the title of a passage names, without what stands in brackets or behind a comma; None without a title."""
    text = question.passages[passage]
    title = title_of(text)
    if not title:
        return None
    name = title.partition(" (")[0].strip()
    name = name if _standing(name).search(text, len(title)) else name.partition(", ")[0]
    person = question.language != "fa" and _is_person(name, text.partition(":")[2].strip())
    kind = _kind(name, text, person=person)
    return Subject(name, _full(text, name) if kind else "", kind)


def spoken_of(question: Question, passage: int, subject: Subject, fake: str, rng: Random, *, taken: str) -> str:
    """A copy of a passage with a fake answer, that speaks of another than the subject all through; "" if none can be
    made: the copy names its subject otherwise, too, or no other name is of the kind.

    The new name stands in no passage, nor in `taken`. If the subject is the right answer, the fake one takes its place.
    """
    copy = with_fake(question, passage, fake)
    gold = shortest_gold(question)
    if is_given(gold) and is_given(fake) and not _is_right(question, subject):
        copy = _with_name(copy, Subject(gold, "", "PERSON"), fake) or copy
    said, old = " ".join((*question.passages, taken)).casefold(), _words(f"{subject.name} {subject.full}")
    for new in _others(question, subject, fake, rng):
        if new.casefold() in said or (subject.kind and old & _words(new)):
            continue
        made = _with_name(copy, subject, new)
        if made and _opens_with(made, new):
            return made
    return ""


def _others(question: Question, subject: Subject, fake: str, rng: Random) -> Iterator[str]:
    name = subject.name
    if _is_right(question, subject):
        start, end = next(iter(answer_spans(name, question.answers)), (0, len(name)))
        yield f"{name[:start]}{fake}{name[end:]}"
    elif question.language == "fa":
        known = lexicon().names.get(lexicon().kind.get(plain(name), ""), ())
        yield from rng.sample(known, len(known))
    elif is_name(name) and subject.kind:
        yield from names_of(subject.kind, rng, len(_ENDS.sub("", name).split()))
    elif is_name(name):
        yield from renamed(name, rng, article=False) or named_anew(name, rng, compound=True)


def _is_right(question: Question, subject: Subject) -> bool:
    """Whether a name says the right answer, or the answer says the name, or the surname of a person."""
    golds = [answer.text for answer in question.answers if not answer.regex]
    surname = _surname(subject.name) if subject.kind else ""
    said = any(surname == _surname(gold) or (" " in subject.name and subject.name in gold) for gold in golds)
    return said or bool(answer_spans(subject.name, question.answers))


def _is_person(name: str, body: str) -> bool:
    return is_given(_ENDS.sub("", name)) or (not body.startswith("The ") and bool(_lived().search(body, 0, _NEAR)))


def _kind(name: str, text: str, *, person: bool) -> str:
    """Whether a person is a man or a woman, by the given name, else by what the text says; "" of what is no person, and
    of a king, whose number changes instead."""
    if not person or name.rpartition(" ")[2].isupper():
        return ""
    said = [word.text.lower() for word in words(text)]
    women, men = (sum(map(said.count, some)) for some in (fake_words.she, fake_words.he))
    told = "WOMAN" if women > men else "MAN" if men > women else "PERSON"
    sure = [kind for kind in ("MAN", "WOMAN") if is_given(name, kind)]
    return sure[0] if len(sure) == 1 else told


def _full(text: str, name: str) -> str:
    """How the text behind a title names a person in full at its beginning; "" if it does not."""
    body = text.partition(":")[2].split(" (")[0].split(", ")[0].split()
    run = [*takewhile(lambda word: word.lstrip("\"“'")[:1].isupper() or word in fake_words.particles, body)]
    run = run[1:] if run[:1] and run[0] in fake_words.before_names else run
    return " ".join(run) if _surname(name) in run else ""


def _surname(name: str) -> str:
    return _ENDS.sub("", name).rpartition(" ")[2]


def _standing(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _with_name(copy: str, subject: Subject, new: str) -> str:
    """The text with the new name in place of the old one, its full form, its initials and its parts; "" if some of it
    stays."""
    name, parts = subject.name, _parts(subject, new)
    whole = {_initials(name): _initials(new), name: new, **({subject.full: new} if subject.kind else {})}
    forms = "|".join(re.escape(form) for form in sorted(whole, key=len, reverse=True) if form)
    surname = _surname(name) if subject.kind else ""

    def other(match: re.Match[str]) -> str:
        run = match[0].split(" ")
        every = {*run} - fake_words.before_names <= parts.keys()
        said = [parts.get(word, word) if every or word == surname else word for word in run]
        return " ".join(said)

    made = re.sub(rf"(?<!\w)(?:{forms})(?!\w)", lambda match: whole[match[0]], copy)
    made = _RUN.sub(other, made)
    return "" if _stays(name, made) else made


def _parts(subject: Subject, new: str) -> dict[str, str]:
    """What stands for each word of a name that may stand for it alone."""
    old, other = _ENDS.sub("", subject.name).split(), new.split()
    if subject.kind:
        given = {word: other[0] for word in [*old[:-1], *subject.full.split()] if len(word) > 2}
        return {**given, old[-1]: other[-1]}
    if len(old) != len(other):
        return {}
    changed = {a: b for a, b in zip(old, other, strict=True) if a != b and a[:1].isupper()}
    return {a: b for a, b in changed.items() if not known_kind(a) and a.lower() not in fake_words.heads}


def _initials(name: str) -> str:
    """The letters by which a name of several words may be called: "TCS"."""
    letters = "".join(word[0] for word in re.split("[ –-]", name) if word[:1].isupper())
    return letters if len(letters) > 1 else ""


def _stays(name: str, made: str) -> bool:
    """Whether something of the old name is left: the name in any case, or a word made of a name of one word."""
    lower = made.casefold()
    stem = name.casefold()[: max(_SHORT, len(name) - 2)]
    return bool(_standing(name.casefold()).search(lower)) or (" " not in name and stem in lower)


def _opens_with(text: str, new: str) -> bool:
    """Whether the first sentence behind the title speaks of what the title names, and gives it no second name."""
    body = text.partition(":")[2]
    first = next((body[start:end] for start, end in sentence_spans(body)), "")
    found = _standing(new).search(first)
    return bool(found) and not _alias().search(first)


@cache
def _alias() -> re.Pattern[str]:
    """What gives another name of the same person or thing, with the first letter of that name."""
    called = "|".join(re.escape(one).replace(r"\.\.\.\ ", r"(?:[\w-]+ ){0,5}") for one in fake_words.other_names)
    joined = "|".join(language("en").alternatives)
    return re.compile(rf"(?:\b(?:{called})|^\W*(?:[A-Z]\S* )+(?:{joined}))\W+(?:the )?[A-Z\"“]")


@cache
def _lived() -> re.Pattern[str]:
    """When somebody lived, as it stands in brackets behind the name."""
    return re.compile(rf"\([^()]*(?:\b(?:{'|'.join(fake_words.lived)})\b|\b[A-Z][a-z]+ (?:\d{{1,2}}, )?\d{{4}} ?[–-])")


def _words(text: str) -> set[str]:
    return {word.text for word in words(normalised(text))}
