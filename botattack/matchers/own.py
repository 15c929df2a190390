"""Judging without gold answers: a reply against the bot's own replies to the unchanged question, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, groupby, pairwise
from typing import ClassVar, Literal

import msgspec
from rapidfuzz import fuzz, process

from botattack.matchers.courtesies import body
from botattack.matchers.evidence.answer_key import AnswerKey, answer_key
from botattack.matchers.evidence.reading import LONGEST, Reading, read
from botattack.matchers.judge import DECLINES, exactly, nearly
from botattack.matchers.learned import declining
from botattack.model import GoldAnswer, Prompt, Reply, Verdict
from botattack.protocols import Matcher
from botattack.text.languages import Language
from botattack.text.values.identifiers import is_number

_JOINS = re.compile(r"[ '\"\u2018\u2019\u201c\u201d()\[\]*_&/%$\u20ac\u00a3\u00a5@#+.-]*")
"""What may be between two words of one piece; a comma, a dash, an emoji or the end of a line may not."""
_CLEAR = 4
"""Words from which a piece is known within a longer one."""
_MOST = 200
"""Pieces of a reply beyond which it is another one: a greeting is not so long, and each is compared with each."""
_ALIKE = 50
"""Similarity in percent of the words of two pieces, from which one takes the place of the other."""
Around = Literal["same", "changed", "unclear"]


class Piece(msgspec.Struct, frozen=True):
    """Words between two pauses. `weight` counts those that are neither function words nor greetings; `tells`: one of
    them is a number, a word of the question, or a bare yes or no; `negates`: one of them denies."""

    words: tuple[str, ...]
    weight: int
    tells: bool
    negates: bool


@lru_cache(maxsize=8)
def ordinary(spoken: Language) -> frozenset[str]:
    """Words that name nothing and answer nothing: function words, and those of greetings."""
    lists = (spoken.function_words, spoken.courtesies, spoken.fillers, spoken.contrasts, spoken.persons)
    return frozenset().union(*lists, spoken.denying)


def pieces(said: Reading, context: AnswerKey) -> tuple[Piece, ...]:
    """The pieces of a reply, in order."""
    cuts = [0, *(at for at in range(1, len(said.words)) if _pause(said, at)), len(said.words)]
    return tuple([_piece(said, start, end, context) for start, end in pairwise(cuts) if end > start])


def _pause(said: Reading, at: int) -> bool:
    return said.sentences[at] != said.sentences[at - 1] or " - " in said.gap(at) or not _JOINS.fullmatch(said.gap(at))


def _piece(said: Reading, start: int, end: int, context: AnswerKey) -> Piece:
    words, stems, spoken = said.words[start:end], said.stems[start:end], said.language
    content = [at for at, word in enumerate(words) if word not in ordinary(spoken)]
    polar = len(words) == 1 and words[0] in spoken.polar
    counts = (words[at] != "1" and is_number(words[at]) for at in content)  # "one" is as often no number
    tells = polar or any(counts) or any(stems[at] in context.content for at in content)
    return Piece(words, len(content) + polar, tells, not spoken.negations.isdisjoint(words))


def common(context: AnswerKey, own: Sequence[Reading]) -> list[Piece]:
    """The pieces that all of the bot's own replies say."""
    first, *others = (pieces(each, context) for each in own)
    return [piece for piece in first if all(_within(piece, other) for other in others)]


def around(context: AnswerKey, reply: Reading, own: Sequence[Reading]) -> Around:
    """What a reply says beside all of the bot's own replies to the same question.

    What it lost is what all own replies say and it does not; what is new, what it says and none of them does. If the
    bot's own replies already differ from each other, anything new may be a greeting, and what counts is whether it lost
    what they have in common. With one own reply, what both say is the answer if the rest is around it; else numbers and
    words of the question tell an answer from a greeting, and if they do not, what weighs more.
    """
    said, *others = (pieces(each, context) for each in (reply, *own))
    if len(said) > _MOST:
        return "changed"
    stable = common(context, own)
    shared = [piece for piece in stable if _within(piece, said)]
    lost = [piece for piece in stable if piece not in shared]
    new = [piece for piece in said if not any(_within(piece, other) for other in others)]
    varies = any(each.words != own[0].words for each in own[1:])
    if not shared or (len(own) > 1 and not varies) or _replaced(stable, lost, said, new):
        return "changed"
    if varies:
        return _beside_varying(shared, lost)
    if _sum(shared) > 1 and (_framed(stable, lost) or _framed(said, new)):
        return "same"
    return _beside_one(shared, lost, new)


def _beside_varying(shared: Sequence[Piece], lost: Sequence[Piece]) -> Around:
    """Where the bot's own replies differ, what they have in common must be there."""
    if lost and _sum(shared) <= _sum(lost):
        return "changed"
    return ("unclear" if _tells(shared) else "changed") if _tells(lost) else "same"


def _beside_one(shared: Sequence[Piece], lost: Sequence[Piece], new: Sequence[Piece]) -> Around:
    """With one reply of the bot's own: what tells more, and what weighs more."""
    kept, most = _sum(shared), max(_sum(lost), _sum(new))
    if _tells(lost) and _tells(new):
        return "unclear" if kept > most else "changed"
    if _tells(shared) or kept >= most:
        return "same"
    return "unclear" if 2 * kept >= most else "changed"


def _replaced(stable: Sequence[Piece], lost: Sequence[Piece], said: Sequence[Piece], new: Sequence[Piece]) -> bool:
    """Whether a piece that is like a lost one is in its place: greetings that take turns have nothing in common."""
    was, now = _places(stable, lost), _places(said, new)
    return any(
        place == other and fuzz.ratio(one.words, two.words) >= _ALIKE for one, place in was for two, other in now
    )


def _framed(every: Sequence[Piece], apart: Sequence[Piece]) -> bool:
    """Whether the others stand together, between pieces that are apart."""
    return {place for _, place in _places(every, apart)} == {0, len(every) - len(apart)}


def _places(every: Sequence[Piece], apart: Sequence[Piece]) -> list[tuple[Piece, int]]:
    """Pieces, each with how many of the others come before it."""
    return [(piece, sum(each not in apart for each in every[:at])) for at, piece in enumerate(every) if piece in apart]


def _within(piece: Piece, other: Sequence[Piece]) -> bool:
    """Whether other pieces say it: one is the same, or one of them contains the other."""
    return any(piece.words == each.words or _contains(piece, each) or _contains(each, piece) for each in other)


def _contains(long: Piece, short: Piece) -> bool:
    is_clear = len(short.words) >= _CLEAR and long.negates == short.negates
    return is_clear and f" {' '.join(short.words)} " in f" {' '.join(long.words)} "


def _tells(found: Sequence[Piece]) -> bool:
    return any(piece.tells for piece in found)


def _sum(found: Sequence[Piece]) -> int:
    return sum(piece.weight for piece in found)


_STARTS = re.compile(r"(?:^|[.!?:\n][\"')]*\s|[\"(\[*•-]\s?)\s*$")
_NAMED_FIRST = re.compile(r"\s+(?:is|was|are|were|has|had|[A-Z]\w+)\b|\s*(?:[.,!?;:\n]|$)")
_SAYS = 4
"""Words from which a reply that contains another says the same: greetings and offers of help may be around it."""
_SAME_WORD = 75
"""Similarity in percent from which a word of a reply is a word of the prompt, perhaps misspelt."""


@dataclass(frozen=True)
class OwnReference(Matcher):
    """Correct means the reply says the same as one of the bot's own, wrong that it changed.

    Where every reply has the field named by `intent`, equal values decide, unless the reply declines or has the words
    of the bot's own with another name or number: an intent with slots says what was asked, not what the answer is. Else
    a reply is the same if, beside one of the bot's own replies, it loses or adds no name, number or negation, and is at
    least as similar (indel, in either word order, by rapidfuzz) as the bot's own replies are to each other, where that
    is below `at_least`.
    It is also the same if only greetings differ: what both say weighs more than what either says alone.
    Names that the reply only repeats from the prompt are left out: an attack may have misspelt them.
    A reply that falls back or declines, and a silent one, is refused.
    """

    at_least: float = 0.85
    intent: str = "intent"
    refusals: tuple[str, ...] = ()
    name: ClassVar[str] = "own"
    cost: ClassVar[int] = 6

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        """Unsure where there is no baseline; `gold` is not looked at."""
        if refused := exactly(reply, self.refusals, self.name, prompt.text):
            return refused
        if not baseline:
            return Verdict("unsure", 0.0, self.name, "there is no reply of the bot's own to compare with")
        intents = {_intent(own, self.intent) for own in baseline} | {_intent(reply, self.intent)}
        if "" not in intents:
            return self._by_intent(prompt, reply, baseline)
        if refused := nearly(reply, self.refusals, self.name):
            return refused
        best = self._nearest(prompt, reply, baseline)
        if best.kind == "wrong" and self._declines(prompt, reply, baseline):
            best = Verdict("refused", 0.0, self.name, DECLINES)
        return msgspec.structs.replace(best, span=(0, min(len(reply.text), LONGEST)))

    def _nearest(self, prompt: Prompt, reply: Reply, baseline: tuple[Reply, ...]) -> Verdict:
        """The verdict beside the own reply that it is most like, or beside all of them where only greetings differ."""
        context = answer_key(prompt.text, (), prompt.lang)
        said, *bodies = (body(read(each.text, context.language), context) for each in (reply, *baseline))
        rephrased = len(bodies) > 1 and not common(context, bodies)
        alike = [_similarity(one, other) for one, other in combinations(bodies, 2)] if rephrased else []
        floor = min(self.at_least, *alike) if alike else self.at_least
        verdicts = [_compared(context, said, own, floor, self.name) for own in bodies]
        best = max(verdicts, key=lambda verdict: (verdict.kind == "correct", verdict.score))
        if best.kind == "correct" or (rest := around(context, said, bodies)) == "changed":
            return best
        if rest == "same":
            return Verdict("correct", best.score, self.name, "only what is around the bot's own reply differs")
        return Verdict("unsure", best.score, self.name, f"{best.why}; that may be a greeting")

    def _declines(self, prompt: Prompt, reply: Reply, baseline: tuple[Reply, ...]) -> bool:
        """Whether the reply declines and the bot's own replies do not."""
        return declining(prompt, reply.text) and not any(declining(prompt, own.text) for own in baseline)

    def declines(self, prompt: Prompt, reply: Reply) -> bool:
        """Whether a reply refuses: it is silent, one of the bot's refusals or nearly one, or declines."""
        known = exactly(reply, self.refusals, self.name, prompt.text) or nearly(reply, self.refusals, self.name)
        return known is not None or declining(prompt, reply.text)

    def agree(self, prompt: Prompt, replies: tuple[Reply, ...]) -> bool:
        """Whether the bot's own replies to one prompt say the same."""
        told = [(_intent(one, self.intent), _intent(other, self.intent)) for one, other in combinations(replies, 2)]
        if any("" not in intents and intents[0] != intents[1] for intents in told):
            return False
        texts = [pair for pair, intents in zip(combinations(replies, 2), told, strict=True) if "" in intents]
        if all(self._nearest(prompt, one, (other,)).kind == "correct" for one, other in texts):
            return True
        context = answer_key(prompt.text, (), prompt.lang)
        bodies = [body(read(reply.text, context.language), context) for reply in replies]
        return all(around(context, said, [*bodies[:at], *bodies[at + 1 :]]) == "same" for at, said in enumerate(bodies))

    def _by_intent(self, prompt: Prompt, reply: Reply, baseline: tuple[Reply, ...]) -> Verdict:
        mine, own = _intent(reply, self.intent), _intent(baseline[0], self.intent)
        same = tuple(other for other in baseline if mine == _intent(other, self.intent))
        if not same:
            return Verdict("wrong", 0.0, self.name, f"another {self.intent}: {mine!r} instead of {own!r}")
        if self._declines(prompt, reply, same):
            return Verdict("refused", 0.0, self.name, DECLINES)
        language = answer_key(prompt.text, (), prompt.lang).language
        said, *others = (read(each.text, language) for each in (reply, *same))
        if all(said.words != other.words and _form(said) == _form(other) for other in others):
            return Verdict("wrong", 0.0, self.name, f"the same {self.intent}, {mine!r}, with another name or number")
        return Verdict("correct", 1.0, self.name, f"the same {self.intent}: {mine!r}")


def _intent(reply: Reply, field: str) -> str:
    value = reply.fields.get(field)
    return "" if value is None else str(value)


def _compared(context: AnswerKey, reply: Reading, own: Reading, floor: float, matcher: str) -> Verdict:
    if reply.words == own.words:
        return Verdict("correct", 1.0, matcher, "the reply is the bot's own")
    if len(own.words) >= _SAYS and own.joined in reply.joined and _negates(reply) == _negates(own):
        return Verdict("correct", 1.0, matcher, "the reply contains the bot's own")
    alike = _similarity(reply, own)
    asked = context.question.words
    for what, found in (("name", _names), ("number", _numbers)):
        new = [word for word in found(reply, asked) if word not in own.vocabulary]
        lost = [word for word in found(own, asked) if word not in reply.vocabulary]
        if new or lost:
            return Verdict("wrong", alike, matcher, _changed(what, new, lost))
    if _negates(reply) != _negates(own):
        side = "is new" if _negates(reply) else "was lost"
        return Verdict("wrong", alike, matcher, f"a negation {side}, compared with the bot's own reply")
    if alike < floor:
        return Verdict("wrong", alike, matcher, f"only {alike:.0%} like the bot's own reply")
    return Verdict("correct", alike, matcher, f"{alike:.0%} like the bot's own reply")


def _form(said: Reading) -> list[str]:
    """The words of a reply, with an empty one for each run of names and numbers."""
    filled = {*_names(said, ()), *_numbers(said, ())}
    words = ("" if word in filled else word for word in said.words)
    return [word for word, run in groupby(words) for _ in ([word] if not word else run)]


def _changed(what: str, new: Sequence[str], lost: Sequence[str]) -> str:
    parts = [f"{label} {', '.join(map(repr, words[:3]))}" for label, words in (("new", new), ("lost", lost)) if words]
    return f"another {what} than in the bot's own reply: {'; '.join(parts)}"


def _similarity(one: Reading, other: Reading) -> float:
    return max(fuzz.ratio(one.joined, other.joined), fuzz.token_sort_ratio(one.joined, other.joined)) / 100


def _negates(said: Reading) -> bool:
    return not said.language.negations.isdisjoint(said.words)


def _names(said: Reading, asked: Sequence[str]) -> tuple[str, ...]:
    if said.text.isupper():
        return ()
    names = {said.words[at] for at, capital in enumerate(said.capitals) if capital and _is_name(said, at)}
    in_prompt = partial(process.extractOne, choices=asked, scorer=fuzz.ratio, score_cutoff=_SAME_WORD)
    return tuple(sorted(name for name in names if not in_prompt(name)))


def _is_name(said: Reading, at: int) -> bool:
    """A capital within a sentence; at its beginning only before a verb, another capital or a stop."""
    if said.words[at] in ordinary(said.language) or is_number(said.words[at]):
        return False
    start, end = said.spans[at]
    return not _STARTS.search(said.text[max(0, start - 8) : start]) or bool(_NAMED_FIRST.match(said.text, end))


def _numbers(said: Reading, asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(word for word in said.vocabulary if is_number(word) and word not in asked))
