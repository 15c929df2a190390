"""The matcher that learned from readers: evidence, weighed by trees, is the probability that a reply is correct."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace as changed

from botattack.matchers.courtesies import body
from botattack.matchers.evidence.all import NAMES, columns, evidence
from botattack.matchers.evidence.answer_key import AnswerKey, answer_key, as_written, with_patterns
from botattack.matchers.evidence.asserted import asserted
from botattack.matchers.evidence.coverage import Match, match
from botattack.matchers.evidence.heads import answers, in_its_words, replaced
from botattack.matchers.evidence.reading import LONGEST, Reading, read
from botattack.matchers.evidence.traits import Declining
from botattack.matchers.evidence.traits import declining as measure_declining
from botattack.matchers.evidence.values import contradicts, is_another_day_perhaps
from botattack.matchers.reasons import CAPS, Cap, reason
from botattack.matchers.weights import Weights, probability, weights
from botattack.model import GoldAnswer, Prompt, Reply, Verdict, VerdictKind
from botattack.options import BadValue, Share
from botattack.protocols import Matcher
from botattack.text.languages import in_another, language_by_words, spoken_in
from botattack.text.values.identifiers import addresses

_CONTRADICTED = 0.05
"""The most that a reply is worth which says the right number as the wrong bound, or another version, code or value."""
_KEPT = 2_000
"""Characters of the longest reply whose verdict is kept: a bot says most answers again to another wording."""


class Weighed(msgspec.Struct, frozen=True, eq=False):
    """What was seen of a reply, and the probabilities: that it is correct, and that it declines if it is not. `own`: it
    has the words of one of the bot's own replies, which was looked at in its place."""

    key: AnswerKey
    reply: Reading
    found: Match
    line: tuple[float, ...]
    correct: float
    refused: float
    own: bool = False
    cap: Cap = ""
    """Why it is worth no more, if its evidence would make it so (`reasons.CAPS`)."""


@dataclass(frozen=True)
class Learned(Matcher):
    """The probability that a reader would call the reply correct, learned from replies of assistants and chatbots that
    people judged.

    A reply is correct from the probability `correct` on, and unsure within the band `unsure`; below, it is wrong or
    refused, whichever is likelier; one that says a sentence by which the bot is known to decline, and less than half
    of every gold answer, is refused. By default both kinds of error are equally frequent on the replies it was measured
    on, and 9 % of these are unsure. A reply that has the words of one of the bot's own replies to the unchanged
    question, greetings aside, gets the same verdict.
    """

    correct: Share | None = None
    """The least probability of a correct reply, 0 to 1."""
    unsure: tuple[Share, Share] | None = None
    """The probabilities between which a reply is unsure, such as [0.4, 0.6]; if only `correct` is given, none is."""
    partial: Literal["unsure", "wrong", "correct"] = "unsure"
    """What a reply is at most that says only some of what a gold answer joins, such as one of two names, or a date in
    figures that may be another day. So is one in another language than question and gold answers
    that is not correct."""
    name: ClassVar[str] = "learned"
    cost: ClassVar[int] = 9

    def __post_init__(self) -> None:
        low, high = self.unsure or (0.0, 1.0)
        if low > high:
            raise BadValue(f"{low:g} is above {high:g}", ("unsure",), f"write [{high:g}, {low:g}]")
        if self.correct is not None and not low <= self.correct <= high:
            wrong = f"correct ({self.correct:g}) is outside of unsure ({low:g} to {high:g})"
            raise BadValue(wrong, hint="choose a probability between both, or widen unsure")

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        own = tuple([each.text for each in baseline if each.text != reply.text])
        judged = _judged if len(reply.text) <= _KEPT else _judged.__wrapped__
        return judged(self, Prompt(prompt.text, lang=prompt.lang), reply.text, gold, own)

    def weighed(
        self, prompt: Prompt, reply: str, gold: tuple[GoldAnswer, ...], own: tuple[str, ...] = ()
    ) -> Weighed | None:
        """What it sees of a reply; None where there is no gold answer."""
        # Just below the band's upper end if there is no band: such a reply is then not correct.
        most = {"wrong": 0.0, "unsure": min(self.point, self.band[1] - 1e-4), "correct": 1.0}[self.partial]
        return weigh(prompt, reply, gold, self.known, refusals=self.sentences, own=own, partial=most)

    def knowing(self, refusals: tuple[str, ...]) -> Matcher:
        return Taught(self.correct, self.unsure, self.partial, None, refusals) if refusals else self

    @property
    def known(self) -> Weights:
        """The weights it judges by."""
        return weights()

    @property
    def sentences(self) -> tuple[str, ...]:
        """By which the bot is known to decline."""
        return ()

    @property
    def point(self) -> float:
        """The least probability of a correct reply, if it must not be unsure."""
        low, high = self.band
        return min(max(self.known.point, low), high) if self.correct is None else self.correct

    @property
    def band(self) -> tuple[float, float]:
        """Up to the first a reply is not correct, from the second on it is; unsure between."""
        if self.unsure:
            return self.unsure
        if self.correct is not None:
            return self.correct, self.correct
        return self.known.band


@dataclass(frozen=True)
class Taught(Learned):
    """The same with weights of the user's own, and with the sentences by which a bot is known to decline."""

    own: Weights | None = None
    refusals: tuple[str, ...] = ()

    @property
    def known(self) -> Weights:
        return self.own or weights()

    @property
    def sentences(self) -> tuple[str, ...]:
        return self.refusals

    def knowing(self, refusals: tuple[str, ...]) -> Matcher:
        return replace(self, refusals=refusals)


@lru_cache(maxsize=256)
def _judged(
    matcher: Learned, prompt: Prompt, reply: str, gold: tuple[GoldAnswer, ...], own: tuple[str, ...]
) -> Verdict:
    """The verdict on a reply, kept as the same one comes back to other wordings of its question. `own` are the bot's
    other replies to the unchanged question."""
    weighed = matcher.weighed(prompt, reply, gold, own)
    if weighed is None:
        return _literally(reply, gold, matcher.name)
    low, high = matcher.band
    below: VerdictKind = "refused" if weighed.refused >= 0.5 else "wrong"
    kind: VerdictKind = "correct" if weighed.correct >= high else "unsure" if weighed.correct > low else below
    why, span = reason(weighed.line, weighed.reply, weighed.found, kind, matcher.known)
    if weighed.cap and kind in ("wrong", "unsure"):
        why = CAPS[weighed.cap]
    if len(reply) > LONGEST:
        kind, why = "unsure", f"only the first {LONGEST:,} of {len(reply):,} characters were read"
    if weighed.own:
        why, span = f"as the bot's own reply to the unchanged question: {why}", None
    return Verdict(kind, weighed.correct, matcher.name, why, span, probability=weighed.correct)


def weigh(
    prompt: Prompt,
    reply: str,
    gold: tuple[GoldAnswer, ...],
    known: Weights,
    *,
    refusals: tuple[str, ...] = (),
    own: tuple[str, ...] = (),
    partial: float = 1.0,
) -> Weighed | None:
    """What is seen of a reply and what it weighs beside the gold answer that it says best: each is looked at alone, so
    that another one never lowers what a reply is worth. `partial` is the most that one is worth which says only some of
    what a gold answer joins. None where there is no gold answer."""
    context = answer_key(prompt.text, gold, prompt.lang or spoken_in(prompt.text, reply), refusals)
    seen = [each for key in context.alone if (each := seen_beside(key, reply, own))]
    if not seen:
        return None
    worth = [_worth(each, prompt, reply, known, partial=partial) for each in seen]
    best = max(worth, key=lambda each: (each.correct, each.found.exact, each.found.alike))
    if _is_fallback(best.reply, best.key):
        return changed(best, refused=1.0)
    if best.correct >= 0.5:
        return changed(best, refused=0.0)
    declines = known.refused.log_odds(best.line)
    if (spoken := language_by_words(reply[:LONGEST])) != context.language.code:
        # Bots refuse in a language of their own, or that of a text they have read, whatever they are asked in.
        declines = max(declines, _declining_in(spoken, prompt, reply, known)[0])
        if declines < 0 and best.correct < partial < 1 and _may_say_the_same(best, prompt.text, reply, gold):
            best = changed(best, correct=partial, cap="language")
    return changed(best, refused=probability(declines))


def _may_say_the_same(seen: Weighed, asked: str, reply: str, golds: tuple[GoldAnswer, ...]) -> bool:
    """Whether a reply is in another language than question and gold answers, and the answer that it says best has words
    to translate: neither names, nor a value of a kind that the reply says, too."""
    own, wanted = seen.key.language.code, seen.found.gold.reading
    worded = 2 * sum(wanted.capitals) <= len(wanted.words) and seen.line[NAMES.index("values.agreed")] < 0
    return worded and not seen.cap and in_another(reply[:LONGEST], own, (asked, *(gold.text for gold in golds)))


def _worth(seen: Weighed, prompt: Prompt, reply: str, known: Weights, *, partial: float) -> Weighed:
    """With the probability that it is correct beside one gold answer; of one that joins several, all must be said."""
    if _is_fallback(seen.reply, seen.key):
        return seen
    p = probability(known.correct.log_odds(seen.line))
    if seen.cap == "contrary":
        return changed(seen, correct=min(p, _CONTRADICTED))
    if p <= partial or not (seen.cap or seen.found.gold.parts):
        return changed(seen, correct=p, cap="")
    if seen.cap:
        return changed(seen, correct=partial)
    parts = [weigh(prompt, reply, (GoldAnswer(part),), known) for part in seen.found.gold.parts]
    least = min(part.correct for part in parts if part)
    lacks = least < known.point
    return changed(seen, correct=max(least, partial) if lacks else p, cap="partial" if lacks else "")


def seen_beside(context: AnswerKey, reply: str, baseline: tuple[str, ...]) -> Weighed | None:
    """A reply beside one gold answer, before it is weighed."""
    said = body(asserted(read(reply, context.language), context), context)
    others = (asserted(read(own, context.language), context) for own in baseline if own != reply and said.words)
    bodies = (body(own, context) for own in others if said.joined in own.joined)
    own = next((each for each in bodies if each.words == said.words), None)
    said = as_written(own or said, context)
    context = with_patterns(context, said.text)
    found = match(context, said)
    if found is None or not answers(found.gold.reading, found.gold.whole, context.question, said):
        return None
    cap: Cap = "contrary" if contradicts(context, said) else "either" if is_another_day_perhaps(context, said) else ""
    if found.gold.whole:
        cap = cap or replaced(found.gold.whole, context.question, said)
        said = in_its_words(found.gold.reading, said)
        found = match(context, said) or found
    line = evidence(context, said, found)
    return Weighed(context, said, found, line, 0.0, 0.0, own is not None, cap)


def _is_fallback(said: Reading, context: AnswerKey) -> bool:
    """Whether a reply says a sentence by which the bot is known to decline (of three words or more: a shorter one may
    be a part of another), and less than half of every gold answer. Such a sentence begins and ends with a space."""
    if not any(sentence in said.joined and sentence.count(" ") > 3 for sentence in context.refusals):
        return False
    known = [gold.reading.known for gold in context.golds]
    told = [stems & context.telling or stems & context.fresh or stems for stems in known]
    return not any(2 * len(stems.intersection(said.stems)) >= len(stems) for stems in told)


def _literally(reply: str, gold: tuple[GoldAnswer, ...], matcher: str) -> Verdict:
    """Of gold answers without words, such as an address or a sign: whether the reply contains one as it is."""
    texts = [answer.text.strip() for answer in gold if not answer.regex and answer.text.strip()]
    if not texts:
        return Verdict("unsure", 0.0, matcher, "there is no gold answer to compare with")
    said = addresses(reply)
    for text in texts:
        at, wanted = reply.find(text), addresses(text)
        whole = [(at, at + len(text))] if at >= 0 and not wanted else []
        if spans := [said[each] for each in wanted if each in said] or whole:
            return Verdict("correct", 1.0, matcher, f"the reply says {text!r}", spans[0])
    return Verdict("wrong", 0.0, matcher, "no gold answer was found")


def declining(prompt: Prompt, reply: str) -> bool:
    """Whether a reply declines or claims nothing, whatever would have been right."""
    return _log_odds(prompt, reply)[0] >= 0


def says_no(prompt: Prompt, sentence: str) -> float:
    """How sure it is that a sentence says in so many words that the bot does not know or understand, or may not say:
    log-odds, negative if it does not."""
    odds, declines = _log_odds(prompt, sentence)
    return odds if declines else min(odds, -1.0)


def _log_odds(prompt: Prompt, reply: str) -> tuple[float, bool]:
    """Those of declining in the language of the question or of the reply, and whether a phrase is there that does."""
    codes = {prompt.lang or language_by_words(prompt.text), language_by_words(reply[:LONGEST])}
    return max(_declining_in(code, prompt, reply, weights()) for code in codes)


def _declining_in(code: str, prompt: Prompt, reply: str, known: Weights) -> tuple[float, bool]:
    """The same if both are read in one language."""
    context = answer_key(prompt.text, (), code)
    said = body(read(reply, context.language), context)
    found = measure_declining(context, said)
    line = [0.0] * len(NAMES)
    line[columns(Declining)] = found
    return known.refused.log_odds(line), found.declines > 0
