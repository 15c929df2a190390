"""A failure of a recorded run as its diagnosis sees it: which parts of the question were changed, what supports the
answer, and what else probes are made of. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import cycle, groupby, islice
from typing import NamedTuple

from msgspec.structs import replace
from rapidfuzz.distance import OSA, Levenshtein
from rapidfuzz.process import extractOne

from botattack.attacks.building.guard import answer_spans
from botattack.attacks.combined.normalising import Words, in_usual_letters, normalised, odd, usual
from botattack.cases import SOURCES
from botattack.model import Question, Reply, Turns, Variant, asking_turns
from botattack.text.folding import folded
from botattack.text.sentences import sentence_spans

_TOKEN = re.compile(r"\s*\S+|\s+$")
_REWORDED = ("words", "added")
LONG = 80
"""Characters from which on a message may be too long for a bot: a word more is another wording."""
_ALIKE = 0.7
"""How like a turn of the file an earlier turn is, from 0 to 1, that is another spelling of it."""
_SOME = 0.4
"""The share of its letters that a message may have changed if a filter of the form of a message is to let it pass."""
_WEIGHT = 4
"""How many times as long as an easy question the words in other letters are that it quotes: a filter of the form of a
message counts its signs, and those of the easy question must not outweigh them."""


class Easy(NamedTuple):
    """A question that the bot answered correctly, in a few words that its reply says."""

    question: Question
    answer: str = ""

    def quoting(self, text: str) -> Turns:
        """The question with other words in it."""
        return self.question.worded(f'{self.question.text} ("{text}")')


NOBODY = Easy(Question(""))


class Support(NamedTuple):
    """The passages that support the answer, as one text, and the sentence that does; empty if nothing is known."""

    passage: str = ""
    sentence: str = ""


class _Change(NamedTuple):
    """What is written in place of what, also in usual letters, and the part of a failure that this belongs to."""

    part: str
    before: str
    after: str
    usual: str


@dataclass(frozen=True, eq=False)
class Failure:
    """A failing variant, or an unchanged question that was wrong, of an earlier run; `attack` found it. `variant` is
    what is asked of it again; its parent is the unit that failed; `got` is what the bot said.

    `seen` is what the run shows of it: "was right" of the unchanged question; the kind of its verdict, as "refused";
    "noisy" if the repeated questions broke, too; "again twice" if its attack broke so few that chance may be why;
    "leaked" if the wrong reply answers the conversation that ended before it; "burst" if it is what neighbouring
    conversations were told wrongly, too; "held" if its passages are in the bot's library anyway, and no order of them
    reaches it. `words` are those of the questions of the run. `given` is whether the
    passages of a question reach the bot with it; else it finds them in a library of its own, if it has one. `unlike`
    are easy questions with another answer, the one that shares fewest words with this one first; at least two, filled
    up with NOBODY. `others` are passages of other questions, those that share most words with the message first.
    """

    question: Question
    attack: str
    variant: Variant
    seen: frozenset[str] = frozenset()
    words: Words = field(default_factory=dict)
    given: bool = False
    unlike: tuple[Easy, ...] = (NOBODY, NOBODY)
    others: tuple[str, ...] = ()
    got: str = ""

    @cached_property
    def support(self) -> Support:
        return support_of(self.question)

    @cached_property
    def restored(self) -> str:
        """The last message after our own normaliser."""
        return normalised(self.variant.prompt.text, self.words)

    @cached_property
    def spelled(self) -> Turns:
        """The turns, with the earlier ones that the question has, too, as the file spells them."""
        own = [turn.text for turn in self.question.turns]
        near = partial(extractOne, choices=own, scorer=OSA.normalized_similarity, processor=folded, score_cutoff=_ALIKE)
        *turns, last = self.variant.turns
        return (*(replace(turn, text=found[0]) if (found := near(turn.text)) else turn for turn in turns), last)

    @cached_property
    def parts(self) -> frozenset[str]:
        """What was changed."""
        changed = {"passages": self.variant.prompt.passages != self.question.passages, "turns": self._talks}
        return frozenset(one.part for one in self._changes if one.part).union(filter(changed.get, changed))

    @cached_property
    def _talks(self) -> bool:
        """Whether the messages before the question were changed."""
        sent, asked = ([turn.text for turn in turns[:-1]] for turns in (self.variant.turns, self.question.turns))
        return sent != asked or self.variant.prompt.history != self.question.history

    def has(self) -> tuple[str, ...]:
        """What its diagnosis has to know of it, as names."""
        asked, sent, variant = self.question.text, self.variant.prompt.text, self.variant
        said = {
            **{name: getattr(self, name) for name in ("given", "others")},
            "order": self.order and "held" not in self.seen,
            "long": len(sent) > len(asked) + LONG,
            "easy": self.unlike[0].answer,
            "earlier": len(self.question.turns) > 1 or self.question.history,
            "pressed": len(asked_of := asking_turns(variant.turns, self.question)) > len({of for _, of in asked_of}),
            "gold": self.support.passage,
            "alone": self.given and self.variant.prompt.passages == (self.support.passage,),
            "faked": variant.decoy,
            "stated": any(variant.decoy in turn.text for turn in variant.turns),
            "changes": variant.expect == "different",
            "declines": variant.expect == "declines",
            "library": not self.given and self.question.passages,
            "misspelt turns": self.spelled != variant.turns,
            "normalisable": self.restored not in (sent, asked),
            "restored": self.restored == asked != sent,
            "other letters": len(self.lighter) > 1,
        }
        return tuple(sorted({*self.seen, *self.parts, *(name for name, holds in said.items() if holds)}))

    @cached_property
    def _changes(self) -> tuple[_Change, ...]:
        """The whole of both texts, piece by piece; what is the same is of no part.

        Marks, case and other forms of a word go with the rewording that they are part of: "What's" for "What is" in a
        sentence that is said in other words is no mistake in typing.
        """
        found, known = list(_pieces(self.question.text, self.variant.prompt.text, self.words)), self.words.keys()
        reworded = max({one.part for one in found}.intersection(_REWORDED), default="")
        # "What was the answer to my question?" means nothing without the turns before it.
        hangs = self._talks and reworded == "words"
        for number, one in enumerate(found):
            part, old, new, _ = one
            common = known >= {*re.findall(r"\w+", new.casefold())} and not odd(new) - odd(old)
            if part == "letters" and (common or old.strip() == new.strip()):
                part = reworded or part
            found[number] = one._replace(part="turns" if hangs and part in _REWORDED else part)
        return tuple(found)

    def text(self, *parts: str, neutral: bool = False) -> str:
        """The question with its changes of these parts alone; `neutral` puts other words in place of what was added."""
        text = ""
        for part, before, after, plain in self._changes:
            piece = after if part in parts else before
            if neutral and part == "added":
                piece = self._neutral(before, after)
            elif part in parts and part in _REWORDED and "letters" in self.parts.difference(parts):
                piece = plain
            # The blank before a word goes with what was put in before it.
            text += " " * bool(text and piece and not text[-1].isspace() and not piece[0].isspace()) + piece
        return text.lstrip()

    def _neutral(self, before: str, after: str) -> str:
        """Other words in place of those that were put in, as many: half of an easy question, which no bot takes for the
        whole, at the end, and before that the question's own. Of a bot that searches no passages its own alone: it may
        take a single word of another question for what is asked."""
        count = max(0, len(after.split()) - len(before.split()))
        text = self.unlike[1].question.text if self.question.passages else ""
        other = sorted(re.findall(r"\w+", text), key=len, reverse=True)
        other, own = other[: min(count, len(other) // 2)], self.question.text.split()
        return " ".join(["", *before.split(), *islice(cycle(own), count - len(other)), *other])

    def turns(self, *parts: str, text: str | None = None, passages: tuple[str, ...] | None = None) -> Turns:
        """What is sent with the changes of these parts alone; `text` and `passages` take the place of the last
        ones."""
        turns = self.variant.turns if "turns" in parts else self.question.turns
        if passages is None:
            passages = (self.variant.prompt if "passages" in parts else self.question).passages
        last = replace(turns[-1], text=self.text(*parts) if text is None else text)
        return tuple(replace(turn, passages=passages) for turn in (*turns[:-1], last))

    @property
    def neutral(self) -> str:
        """Words of other questions, as many as were put in: a bot may lose a question among many words of any kind."""
        said = " ".join(one.question.text for one in self.unlike[1:]) or self.unlike[0].question.text
        count = max(len(text.split()) for text in (self.put, self.unlike[1].question.text))
        return " ".join(islice(cycle(said.split()), count))

    @cached_property
    def _misspellings(self) -> dict[str, str]:
        """The words whose letters were changed, as they are written now and as they were."""
        return {one.after.strip(): one.before.strip() for one in self._changes if one.part == "letters"}

    @property
    def odd_letters(self) -> str:
        """Half of the words whose letters were changed, those that were changed most, again and again."""
        spelled = self._misspellings
        most_first = sorted(spelled, key=lambda word: -sum(map(str.__ne__, word, spelled[word])) / len(word))
        words = most_first[: (len(spelled) + 1) // 2]
        return " ".join(words * (1 + _WEIGHT * len(self.unlike[0].question.text) // len(" ".join(words) or " ")))

    @cached_property
    def lighter(self) -> tuple[str, ...]:
        """The question with less of what is odd about its letters, as a filter may stop either of them: its signs, its
        capitals, or how many words are changed. At most two texts."""
        sent, asked = self.text("letters"), self.question.text
        signs = in_usual_letters(sent)
        layers = [signs] if signs not in (sent, asked) else []
        if sum(map(str.isupper, sent)) > sum(map(str.isupper, asked)) and _squeezed(sent) != _squeezed(asked):
            layers.append(sent.lower())
        some = self._few(self._misspellings)
        few = some, self._few(word for word in self._misspellings if word not in some)
        return (*layers, *map(self._with, filter(None, few)))[:2] or (sent,)

    def _few(self, words: Iterable[str]) -> set[str]:
        """Those of the words, the longest first, that leave most of the message as the file spells it."""
        kept, room = set[str](), _SOME * sum(map(str.isalpha, self.variant.prompt.text))
        for word in sorted(words, key=len, reverse=True):
            if len(word) <= room:
                kept.add(word)
                room -= len(word)
        return kept

    def _with(self, words: set[str]) -> str:
        """The question with these of its misspelt words alone."""
        return "".join(one.after if one.after.strip() in words else one.before for one in self._changes)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The passages with the supporting one moved to the end, or to the start if it was there; empty if it is alone
        or missing."""
        sent, sentence = self.variant.prompt.passages, self.support.sentence
        for at, text in enumerate(sent):
            if len(sent) > 1 and sentence and sentence in text and text in self.question.passages:
                others = (*sent[:at], *sent[at + 1 :])
                return (text, *others) if at == len(sent) - 1 else (*others, text)
        return ()

    @property
    def put(self) -> str:
        """The words that were put in; of an unchanged question, all of it."""
        put = (one for one in self._changes if one.part in (*_REWORDED, "turns"))
        said = {turn.text for turn in self.question.turns}
        words = [turn.text for turn in self.variant.turns[:-1] if turn.text not in said]
        words += [one.after.strip() for one in put if _squeezed(one.before) != _squeezed(one.after)]
        words += [text for text in self.variant.prompt.passages if text not in self.question.passages]
        return " ".join(filter(None, words)) or self.variant.prompt.text


def listed(question: Question, reply: Reply, passages: tuple[str, ...]) -> int | None:
    """The place of what supports the answer among the sources that a reply names, or else among whole sentences that
    it ranks; -1 if it is not there, None if the reply names none."""
    support = support_of(question)
    named = reply.fields.get(SOURCES) or (reply.ranked if any(support.sentence in one for one in reply.ranked) else ())
    named = named if isinstance(named, list | tuple) else [named]
    if not named or not support.passage:
        return None
    return next((at for at, one in enumerate(named) if _is_in(support, one, passages)), -1)


def _is_in(support: Support, source: object, passages: tuple[str, ...]) -> bool:
    if isinstance(source, int):
        source = passages[source] if 0 <= source < len(passages) else ""
    text = source.strip() if isinstance(source, str) else ""
    title = support.passage.partition(":")[0]
    return bool(text) and (text in support.passage or support.sentence in text or text.casefold() == title.casefold())


def support_of(question: Question) -> Support:
    facts = [(fact.passage, question.passages[fact.passage][fact.start : fact.end]) for fact in question.facts]
    all_of = ((at, text[start:end]) for at, text in enumerate(question.passages) for start, end in sentence_spans(text))
    said = ((at, text) for at, text in all_of if answer_spans(text, question.answers))
    asked = set(_words(question.text))
    # Of several sentences with the answer, the one most like the question says it.
    found = facts or sorted(said, key=lambda one: -len(asked.intersection(_words(one[1]))))[:1]
    sentence = " ".join(text.strip() for _, text in found)
    return Support("\n\n".join(question.passages[at] for at in dict.fromkeys(at for at, _ in found)), sentence)


def _pieces(before: str, after: str, known: Words) -> Iterator[_Change]:
    one, other = _TOKEN.findall(before), _TOKEN.findall(after)
    # Words by how they were spelled, so that one in other letters stays apart from what is put in beside it.
    # Of the whole text: of a word alone it may not be known which letters are odd.
    plain = _TOKEN.findall(usual(after, known))
    plain = plain if len(plain) == len(other) else other
    words, spelled = ([_squeezed(token) or token for token in tokens] for tokens in (one, plain))
    for same, codes in groupby(Levenshtein.opcodes(words, spelled), lambda code: code.tag == "equal"):
        (first, *_), last = (run := list(codes)), run[-1]
        there = slice(first.dest_start, last.dest_end)
        pieces = one[first.src_start : last.src_end], other[there], plain[there]
        for old, new, as_usual in zip(*pieces, strict=True) if same else [map("".join, pieces)]:
            yield _Change(_part(old, new) if not same else "letters" if old != new else "", old, new, as_usual)


def _part(before: str, after: str) -> str:
    old, new = _squeezed(before), _squeezed(after)
    near = old and new and OSA.distance(old, new) <= max(1, max(len(old), len(new)) // 3)
    foreign = before.isascii() and not after.isascii() and 2 * abs(len(old) - len(new)) <= len(old)
    respelt = near or foreign or sorted(old) == sorted(new)
    return "letters" if respelt else "words" if old else "added"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


def _squeezed(text: str) -> str:
    return "".join(sign for sign in folded(text) if sign.isalnum())
