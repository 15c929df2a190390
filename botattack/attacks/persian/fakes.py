"""A Persian question altered, a fake answer, and both as a statement (Persian QA, "AddSent"). Pure; Persian."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import takewhile
from random import Random

from botattack.attacks.building.guard import answer_spans
from botattack.attacks.building.parsed import ENDS
from botattack.attacks.building.stretches import Alteration, altered
from botattack.attacks.fakes.answers import near_gold, shortest_gold
from botattack.attacks.fakes.numbers import ascends, shifted
from botattack.attacks.fakes.pool import Answers
from botattack.attacks.persian.names import lexicon, plain
from botattack.attacks.persian.statements import asked_for, asking_span, hinted, keys
from botattack.model import GoldAnswer, Question
from botattack.text.languages import language
from botattack.text.tokens import Word, words
from botattack.text.word_lists import persian_fakes, persian_words, word_tuple

_LONGEST_NAME = 5
"""Words of a name, at most."""
_LONGEST_ANSWER = 5
"""Words of an answer of which one number is exchanged; of more, that makes no sense."""
_LONGEST_COUNTED = 8
"""Words of an answer with digits that is about its number."""
_LONGEST_NAMED = 4
"""Words of an answer that may be one name."""
_TRIES = 8
_LONGEST_MADE = 2
_NEAREST = 8
"""Listed answers that one is drawn from: those that have nearly as many words."""
_JOINED = re.compile(r"(، | و | یا )")
_BY = ("توسط", "به", "از", "برای", "با")
"""Words before somebody; before a time or a place stand others."""
_PLURAL = ("ها", "های", "هایی")
_SEVERAL = (*_PLURAL, "ان")
_OF_MANY_KINDS = frozenset(["PERSON", "WOMAN", "CITY", "COUNTRY", "PROVINCE"])
_VERB_ENDS = ("ند", "شود", "کند", "دارد", "دهد", "کرد", "گرفت", "نیست", "است")
_ENDINGS = ("\u200cهای", "\u200cها", "\u200cهایی", "\u200cی")
_DIGITS = re.compile(r"\d")
_ORDINALS = ("اول", "دوم", "سوم")
_MEASURED = re.compile("چند|چقدر|چه (?:قدر|سرعت|سال|زمان|وقت|موقع|تاریخ|دما|ارتفاع|اندازه)")
"""What asks for a number or a time."""
_LEADS = {"WAY": ("با", "از", "توسط"), "MEANS": ("با", "از", "توسط"), "REASON": (), "PURPOSE": ("برای",)}
"""The small words that an answer of a type may begin with."""


def alterations(question: Question, rng: Random) -> list[Alteration]:
    """What may be altered in a question, the first first: a name, as another of its type; where it has none, a word
    as another of its kind. Nothing that asks is altered, and no gold answer.
    """
    text = question.text
    span = asking_span(text)
    if not span:
        return []
    taken = plain(" ".join((question.text, *question.passages, *(answer.text for answer in question.answers))))
    golds = {plain(answer.text) for answer in question.answers}
    last = len(text.rstrip(ENDS + " "))  # the last word is most often a verb, whatever a small parser says

    def free(change: Alteration) -> bool:
        outside = change.end <= span[0] or span[1] <= change.start < change.end < last
        behind = {word.text for word in [*words(text[change.end :])][:1]}
        if not outside or (change.kind == "kin" and behind & persian_words.light):  # a noun that is part of a verb
            return False
        return plain(text[change.start : change.end]) not in golds and not _is_in(change.after, taken)

    for found in (_names(text, rng, plain(" ".join(question.passages))), _kin(text, rng)):
        fitting: dict[int, Alteration] = {}
        for change in filter(free, found):
            fitting.setdefault(change.start, change)
        if fitting:
            return rng.sample(list(fitting.values()), len(fitting))
    return []


def fake_answer(question: Question, rng: Random, beside: str = "", others: Answers | None = None) -> str:
    """Another answer of the kind and form of the shortest gold answer, from the same places as an English one, or "".

    It is neither in the question, nor near a gold answer, nor in the text it will stand `beside`. But for numbers, no
    noun or name of a gold answer is left in it.
    """
    gold = shortest_gold(question).strip(ENDS + " ")
    if not gold or {*gold} & {*ENDS}:  # two sentences are no answer within one
        return ""
    taken = plain(" ".join((question.text, beside, *near_gold(question))))
    left = {word for answer in question.answers for word in _content(answer.text)}
    counted = _DIGITS.search(gold) or any(_number_words(gold, rng))
    made = (
        other for other in _candidates(question, gold, rng, others) if other and (counted or not left & _content(other))
    )
    return next((other for other in made if not any(_is_in(one, taken) for one in (other, *_pieces(other)))), "")


def stretch(question: Question, said: str, fake: str) -> tuple[int, int]:
    """Where, in a gold answer that a passage says, the fake answer is put: in place of the shortest gold answer.

    What frames that stays: words before it, a closing verb, what a number or a small word leads to. The rest of a list
    or of a name goes. (0, 0) if another gold answer would stay or the sentence would be torn.
    """
    found, kind = answer_spans(said, (GoldAnswer(shortest_gold(question).strip(ENDS + " ")),)), lexicon().kind
    if len(found) != 1:
        return (0, len(said)) if kind.get(plain(said), "?") == kind.get(plain(fake)) else (0, 0)
    start, end = found[0]
    after, gold = said[end:], plain(said[slice(*found[0])])
    if after and _ends_in_verb(said):  # "had the intention": what "را" marks here is a part of the verb
        return (0, 0) if plain(after).startswith("را ") else (start, end)
    small, joins = language("fa").function_words | persian_words.prepositions, persian_words.joins
    counted = {gold.removesuffix("ین"), *gold.split()} & (persian_fakes.ranks | language("fa").numbers.keys())
    if not (counted or _DIGITS.search(gold) or {*after.split()[:1]} & small - joins):
        end = len(said)
    start -= _unfit_before(said[:start], fake, small, joins, named=kind_of(question.text, fake) in ("PERSON", "KING"))
    return (0, 0) if answer_spans(f"{said[:start]}|{said[end:]}", question.answers) else (start, end)


def _unfit_before(before: str, fake: str, small: Set[str], joins: Set[str], *, named: bool) -> int:
    """How many characters before a gold answer go with it: the rest of a list or of a name, but no small word."""
    leads, last = [*takewhile(small.__contains__, before.split())], {*plain(before).split()[-1:]}
    listed = before.rstrip(" «").endswith("(" if leads else ("(", "،")) or (last & joins and not _frame(fake)[0])
    return len(before) - len(" ".join([*leads, ""])) if listed or (named and last - small) else 0


def _content(text: str) -> set[str]:
    """The words of a text that are neither small nor say of what type the name beside them is."""
    known, small = lexicon(), language("fa").function_words | persian_words.prepositions | persian_fakes.small
    return {word for word in plain(text).split() if word not in known.asked and word not in known.cues} - small


def _is_in(text: str, said: str) -> bool:
    return f" {plain(text)} " in f" {said} "


def _candidates(question: Question, gold: str, rng: Random, others: Answers | None) -> Iterator[str]:
    size, kind, asked = len(gold.split()), kind_of(question.text, gold), asked_for(question.text)
    if _DIGITS.search(gold):
        yield from _shifted(gold, rng) if size <= _LONGEST_COUNTED else ()
        return
    if size <= _LONGEST_ANSWER and (kind not in lexicon().names or kind == "SEASON"):
        yield from (altered(gold, [change]) for _ in range(4) for change in _number_words(gold, rng))
    mixed = asked in _OF_MANY_KINDS and kind not in lexicon().names.keys() - {"JOB"}
    found = others.asked_like(keys(question.text), keys, "fa", rng) if others and not mixed else iter(())
    yield from (other.strip(ENDS + " ") for other in found if _fits(gold, other.strip(ENDS + " "), kind))
    said = plain(" ".join(question.passages))
    near = [[name] for name in lexicon().names.get(kind, ()) if _is_in(name, said)]
    yield from (_framed(gold, names, kind, rng) for names in (*near, *[()] * _TRIES))
    yield _kin_of_all(gold, rng)
    if kind == "NAME":
        made = (_made_up(gold, rng) for _ in range(_TRIES))
        yield from (name for name in made if not any(vulgar in name for vulgar in persian_fakes.vulgar))


def kind_of(asked: str, gold: str) -> str:
    """The type of names that are known, else that the words before them say, else that is asked for; "" where a list
    has none that fits, as of a group of people, or of somewhere that is no town."""
    known, (first, _, core), wanted = lexicon(), _frame(gold), asked_for(asked)
    pieces = [plain(piece) for piece in _pieces(gold) if plain(piece)]
    firsts = {piece.split()[0] for piece in _pieces(gold) if piece.split()}
    found = {known.kind.get(piece) or "PERSON" * (firsts <= known.given) for piece in pieces}
    sure, cue = "".join(found) if len(found) == 1 else "", known.cues.get(plain(first.split()[-1]), "") if first else ""
    said = {word for piece in pieces for word in piece.split()}
    group = any(word.endswith(_SEVERAL) for word in said - known.given) or not said.isdisjoint(persian_words.groups)
    long = any(len(piece.split()) > (1 if wanted == "CITY" else _LONGEST_NAMED) for piece in _pieces(gold))
    many = len(pieces) > 1 and persian_words.several.isdisjoint(asked.split())
    unfit = {"PERSON": group or many or first not in ("", *_BY), "CITY": plain(core).endswith(_PLURAL)}
    if cue or sure or _ends_in_verb(core):
        return cue or sure
    if wanted and not (long or unfit.get(wanted)):
        return wanted
    if wanted == "PERSON" and group and first in ("", *_BY):
        return "GROUP"
    hint = hinted(asked) if wanted in ("", "CITY") and not _MEASURED.search(asked) else ""
    lead = first.split()
    nowhere = hint == "PLACE" and persian_fakes.somewhere.isdisjoint(plain(core).split()[:1])
    return "" if nowhere or (hint == "WAY" and not lead) or {*lead} - {*_LEADS.get(hint, lead)} else hint


def _frame(text: str) -> tuple[str, str, str]:
    """An answer as the small words at its beginning with a word that tells a type, a space, and the rest: "in the city
    of" and "Shiraz"."""
    known, found, size = lexicon(), text.split(), 0
    while size < len(found) - 1 and found[size] in persian_words.prepositions:
        size += 1
    size += size < len(found) - 1 and plain(found[size]) in known.cues and plain(text) not in known.kind
    return " ".join(found[:size]), " " if size else "", " ".join(found[size:])


def _framed(gold: str, names: Sequence[str], kind: str, rng: Random) -> str:
    """The answer with other names of a kind, each of several as another, behind the same first words; the first may be
    given. "" without a list of the kind."""
    first, space, core = _frame(gold)
    pieces = _JOINED.split(core)
    cue = f"{first.split()[-1]} " if first else ""
    size = len(core.split()) / len(pieces[::2])
    every = lexicon().answers.get(kind, ())
    listed = [name for name in every if not cue or cue.strip() not in name.removeprefix(cue).split()]
    drawn = sorted(rng.sample(listed, len(listed)), key=lambda name: int(abs(len(name.split()) - size)))
    new = iter([*names, *rng.sample(drawn[:_NEAREST], min(len(pieces[::2]), len(drawn)))])
    said = [piece if i % 2 else next(new, "").removeprefix(cue) for i, piece in enumerate(pieces)]
    known = kind in lexicon().names and all(plain(piece) in lexicon().kind for piece in pieces[::2])
    fits = all(said) and (known or _is_near(core, "".join(said)))
    return f"{first}{space}{''.join(said)}" if fits else ""


def _pieces(text: str) -> list[str]:
    """What an answer names, without the words before."""
    return _JOINED.split(_frame(text)[2])[::2]


def _fits(gold: str, other: str, kind: str) -> bool:
    """Whether an answer to a question like this one has the form of the gold answer: nearly as many words, as many
    things, a verb at the end or none, the same small words first. Who and where are asked of many kinds, so that a name
    must be known."""
    one, same = ((_frame(text)[0], len(_JOINED.findall(text)), _ends_in_verb(text)) for text in (gold, other))
    core = plain(_frame(other)[2])
    person = kind == "PERSON" and core.split()[0] in lexicon().given and not lexicon().kind.get(core)
    typed = person or lexicon().kind.get(core, "" if kind in _OF_MANY_KINDS else kind) == kind
    sized = _is_near(gold, other) and not _DIGITS.search(other) and not {*other} & {*ENDS}
    return typed and sized and one == same


def _is_near(one: str, other: str) -> bool:
    """Whether two texts have nearly as many words."""
    fewer, more = sorted(len(text.split()) for text in (one, other))
    return more <= fewer * 1.4 + 1


def _ends_in_verb(text: str) -> bool:
    """Whether a text ends as verbs do; few nouns do, too."""
    last = plain(text).split()[-2:]  # "می" stands before its verb
    return " " in text and (not persian_words.be.isdisjoint(last) or "".join(last).endswith(_VERB_ENDS))


def _names(text: str, rng: Random, said: str) -> Iterator[Alteration]:
    """Names whose type is known by the lexicon or by a given name; each as one other. Behind a
    given name stands the rest of it where the passages say both together as well."""
    known, found = lexicon(), list(words(text))
    at = 0
    while at < len(found):
        size, kind = _name_at(text, found, at)
        if kind == "PERSON" and plain(found[at].text) in known.given:
            size += len(_surnames(found[at + size - 1 : at + _LONGEST_NAME], said))
        if kind:
            start, end = found[at].start, found[at + size - 1].end
            others = known.names.get(kind, ())
            yield from (Alteration(start, end, other, "name") for other in rng.sample(others, min(5, len(others))))
        at += size


def _surnames(found: Sequence[Word], said: str) -> list[int]:
    """The words behind the first that are said behind it elsewhere and that are no other words that are known."""
    known, small = lexicon(), language("fa").function_words | persian_words.prepositions | persian_words.light

    def stays(i: int) -> bool:
        word = plain(found[i].text)
        other = word in small or word in known.kin or word in known.asked or word in known.cues
        return not other and f" {plain(found[i - 1].text)} {word} " in f" {said} "

    return [*takewhile(stays, range(1, len(found)))]


def _name_at(text: str, found: Sequence[Word], at: int) -> tuple[int, str]:
    """How many words the name that starts here has, and its type; none if no name is known to."""
    known = lexicon()
    for size in range(min(_LONGEST_NAME, len(found) - at), 0, -1):
        if kind := known.kind.get(plain(text[found[at].start : found[at + size - 1].end])):
            return size, kind
    return 1, "PERSON" if plain(found[at].text) in known.given else ""


def _kin(text: str, rng: Random) -> Iterator[Alteration]:
    for word in words(text):
        stem, ending = _stem(word.text)
        others = lexicon().kin.get(plain(stem), ())
        for other in rng.sample(others, len(others)):
            yield Alteration(word.start, word.end, other + ending, "kin")


def _kin_of_all(text: str, rng: Random) -> str:
    """The text with each word of a list as another of its kind; "" if it has none."""
    found = {change.start: change for change in _kin(text, rng)}
    made = altered(text, found.values())
    return made if found and len({*made.split()}) >= len({*text.split()}) else ""


def _made_up(gold: str, rng: Random) -> str:
    """The answer with a name from syllables for each of its names, with the end that names of places have; "" where
    it is too long for names."""
    first, space, core = _frame(gold)
    pieces = _JOINED.split(core)
    if any(len(piece.split()) > _LONGEST_MADE for piece in pieces):
        return ""
    ends, halves = word_tuple("fakes.ends", "fa"), [sorted(persian_fakes.first), sorted(persian_fakes.last)]
    for i in range(0, len(pieces), 2):
        end = next((end for end in ends if pieces[i].endswith(end)), "")
        made = ("".join(map(rng.choice, halves)) for _ in pieces[i].split())
        pieces[i] = " ".join(made) + f"\u200c{end}" * bool(end)
    return f"{first}{space}{''.join(pieces)}"


def _stem(word: str) -> tuple[str, str]:
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    return word.removesuffix(ending), ending


def _number_words(text: str, rng: Random) -> Iterator[Alteration]:
    """Number words, each as another of its size; months as other months."""
    vocabulary, found = language("fa"), [*words(text)]
    for i, word in enumerate(found):
        said, gap, rest = plain(word.text.partition("\u200c")[0]), *word.text.partition("\u200c")[1:]
        for row in (vocabulary.numbers, vocabulary.months):
            if said in row and said not in ("یک", *_ORDINALS):
                size = len(str(row[said]))
                unfit = (said, "صفر", "یک", *_ORDINALS)
                others = [other for other in row if len(str(row[other])) == size and other not in unfit]
                yield Alteration(word.start, word.end, rng.choice(others) + gap + rest, "number")
        if said in persian_fakes.ranks and (i == 0 or plain(found[i - 1].text) in persian_words.times):
            yield Alteration(word.start, word.end, rng.choice(sorted(persian_fakes.ranks - {said})), "number")


def _shifted(text: str, rng: Random) -> Iterator[str]:
    """A text with other numbers, whose digits stay those of their script."""
    digit = next(char for char in text if char.isdecimal())
    digits = "".join(chr(ord(digit) - int(digit) + value) for value in range(10))
    yield from (
        other.translate(str.maketrans("0123456789", digits)) for other in shifted(text, rng) if ascends(text, other)
    )
