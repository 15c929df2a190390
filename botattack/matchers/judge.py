"""The judge around a matcher: what it finds must be an answer, not an echo, a denial, a hedge or a refusal."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import ClassVar

import msgspec

from botattack.matchers.choices import by_place
from botattack.matchers.claimless.refusals import declines, refusals_of
from botattack.matchers.claimless.void import (
    CLAIMLESS,
    content,
    is_unknown,
    lacks,
    may_be_void,
    names_first,
    owns_ignorance,
    void,
)
from botattack.matchers.combine import default_matcher
from botattack.matchers.context import Asked, asked
from botattack.matchers.gold import golds
from botattack.matchers.objections.guards import objection
from botattack.matchers.objections.place import HEDGED, Objection
from botattack.matchers.sentences import sentences
from botattack.matchers.yes_no import polarity
from botattack.model import GoldAnswer, Prompt, Reply, Verdict, VerdictKind
from botattack.protocols import Matcher, Opinion
from botattack.text.normalise import LONGEST, Normal, normalise

_ROUNDS = 8
"""How many places of one reply are looked at: a bot that says the answer nine times is not worth more."""


@dataclass(frozen=True)
class Judge(Matcher):
    """Asks `matcher`, and holds every answer it finds against the words around it.

    - Refused: the reply is one of the target's `refusals` (in normal form); or it states no gold answer and is nearly
      one of them, holds one, says nothing or declines. One that declines and then answers rightly is correct.
    - A gold answer that stands in the question counts only where the question offers it as a choice, or where
      the reply is nothing but that answer; else it is an echo, and wrong.
    - Denied, only asked about, only mentioned, supposed, or said of something else: wrong.
    - Hedged: one of two answers between which the reply does not choose is unsure, one of more is wrong.
    - Yes/no answers are read by what the reply says, not by its letters.
    Whatever follows an answer that does not count is still read: "Not Rome. Paris." is right.
    """

    matcher: Matcher = field(default_factory=default_matcher)
    refusals: tuple[str, ...] = ()
    name: ClassVar[str] = "judge"

    @property
    def cost(self) -> int:
        return self.matcher.cost + 1

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        return self.matcher.opinions

    def of(self, kind: str) -> Judge:
        """The judge of questions of a kind."""
        matcher = self.matcher.of(kind)
        return self if matcher is self.matcher else replace(self, matcher=matcher)

    def parts(self) -> frozenset[str]:
        return self.matcher.parts()

    def judge(self, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]) -> Verdict:
        if silent := silence(reply, self.name):
            return silent
        normal = normalise(reply.text)
        if self.refusals and (known := refusals_of(self.refusals).exact(normal)):
            return Verdict("refused", 0.0, self.name, f"the target's refusal: {known!r}", (0, len(normal.raw)))
        verdict = self._answered(prompt, reply, normal, gold, baseline)
        if verdict.kind == "correct" or verdict.why.endswith(HEDGED):
            return verdict
        refused = refusal(normal, self.refusals, self.name, prompt.text)
        if refused and is_unknown(gold) and owns_ignorance(normal):
            return Verdict("correct", 1.0, self.name, "neither the reply nor the gold answer knows", refused.span)
        if refused and verdict.span and (refused.why in CLAIMLESS or _only_sorry(verdict, refused)):
            return verdict
        return refused or verdict

    def _answered(
        self, prompt: Prompt, reply: Reply, normal: Normal, gold: tuple[GoldAnswer, ...], baseline: tuple[Reply, ...]
    ) -> Verdict:
        if not gold:
            return self.matcher.judge(prompt, reply, gold, baseline)
        context = asked(prompt.text, gold)
        if context.is_said_by(normal):
            return Verdict("wrong", 0.0, self.name, "the reply only says the question again", (0, len(normal.raw)))
        found: Verdict | None = None
        if context.polar:
            found = self._yes_or_no(context, normal)
            if found.kind == "correct" or (found.kind == "unsure" and found.why != PARTLY):
                return found
        elif (
            as_a_whole := self._none(context, normal)
            or self._confirmed(context, normal)
            or self._both(context, normal)
            or self._by_place(context, normal)
            or (context.may_have_terms and self._on_terms(context, prompt, reply, normal, baseline))
        ):
            return as_a_whole
        for answers in (context.fresh, context.stale):
            if answers:
                verdict = self._claimed(context, prompt, reply, answers, baseline)
                if verdict.kind == "correct":
                    return _unless_contrary(context, normal, verdict) if found or context.sided else verdict
                found = verdict if found is None or verdict.kind == "unsure" or not found.span else found
        assert found is not None  # noqa: S101 - every gold answer is a yes, a no, fresh or stale
        return found

    def _yes_or_no(self, context: Asked, normal: Normal) -> Verdict:
        both = polarity.both(context.question, normal)
        found = None if both else polarity.said(context.question, normal)
        if both or (found is None and polarity.partly(normal)):
            why = "the reply says yes and no" if both else PARTLY
            return Verdict("unsure", 0.0, self.name, why, (0, len(normal.raw)))
        if found is None:
            return Verdict("wrong", 0.0, self.name, "the reply says neither yes nor no")
        side, span = found
        kind: VerdictKind = "correct" if side in context.polar else "wrong"
        return Verdict(kind, float(kind == "correct"), self.name, f"the reply says {side}", span)

    def _none(self, context: Asked, normal: Normal) -> Verdict | None:
        if not _NOTHING.match(normal.text) or not context.none:
            return None
        return Verdict("correct", 1.0, self.name, "the reply says that there is none", (0, len(normal.raw)))

    def _both(self, context: Asked, normal: Normal) -> Verdict | None:
        """ "Both, I think"."""
        if not context.choice or not ({"both", "either", "one"} & {*normal.words[:4]}) or not _BOTH.match(normal.text):
            return None
        kind: VerdictKind = "unsure" if len(context.options) < 3 else "wrong"
        return Verdict(kind, 0.0, self.name, f"the reply names both, {HEDGED}", (0, len(normal.raw)))

    def _by_place(self, context: Asked, normal: Normal) -> Verdict | None:
        found = by_place(context, normal) if context.choice else None
        return found and Verdict(found[0], float(found[0] == "correct"), self.name, found[1], (0, len(normal.raw)))

    def _on_terms(
        self, context: Asked, prompt: Prompt, reply: Reply, normal: Normal, baseline: tuple[Reply, ...]
    ) -> Verdict | None:
        """ "Sure, if it is on a lead", where "yes, on a lead" is right: the terms are said, and not the other side."""
        for side, terms in context.terms:
            said = polarity.said(context.question, normal)
            if said and said[0] != side:
                continue
            if content(normalise(terms.text)) <= context.content:
                verdict = None
            else:
                verdict = self._answered(prompt, reply, normal, (terms,), baseline)
            if verdict and verdict.kind == "correct":
                return verdict
            if said and (verdict is None or polarity.is_bare(context.question, normal)):
                kind: VerdictKind = "unsure" if verdict else "correct"
                return Verdict(kind, float(not verdict), self.name, f"the reply says {side}", said[1])
        return None

    def _confirmed(self, context: Asked, normal: Normal) -> Verdict | None:
        """ "Yes", said to "Who was it? Was it Bell?"; unsure where another sentence answers otherwise."""
        if not context.stale or not _MAY_CONFIRM.search(normal.text):
            return None
        told = [sentence for sentence in sentences(normal.raw) if not sentence.rstrip().endswith("?")]
        rest = [sentence for sentence in told if not _confirms(normalise(sentence))]
        literals = golds(context.stale).literals
        if len(rest) == len(told) or not any(context.suggests(g.phrase) and not context.choice for g in literals):
            return None
        others = [sentence for sentence in rest if not declines(normalise(sentence))]
        if any(gold.padded in normal.text for gold in literals) or (others and begins_no(others[0])):
            return None
        span = (0, len(normal.raw))
        if others:
            return Verdict(
                "unsure", 0.0, self.name, "the reply confirms what was put forward, and says another thing", span
            )
        return Verdict("correct", 1.0, self.name, "the reply confirms the answer put forward", span)

    def _claimed(
        self,
        context: Asked,
        prompt: Prompt,
        reply: Reply,
        answers: tuple[GoldAnswer, ...],
        baseline: tuple[Reply, ...],
    ) -> Verdict:
        """The first answer nothing can be said against, else the gravest objection, else the matcher's own verdict."""
        text = reply.text[:LONGEST]
        worst: tuple[Objection, Verdict] | None = None
        for _ in range(_ROUNDS):
            verdict = self.matcher.judge(prompt, _with_text(reply, text), answers, baseline)
            if verdict.kind != "correct" or verdict.span is None:
                return self._objected(worst) or verdict
            against = objection(context, text, verdict.span)
            if against is None:
                return verdict
            if worst is None or (against.grade == "unsure" and worst[0].grade == "wrong"):
                worst = against, verdict
            start, end = min(against.area[0], verdict.span[0]), max(against.area[1], verdict.span[1])
            text = text[:start] + " " * (end - start) + text[end:]
        return self._objected(worst) or verdict

    def _objected(self, worst: tuple[Objection, Verdict] | None) -> Verdict | None:
        if worst is None:
            return None
        against, verdict = worst
        return Verdict(against.grade, 0.0, self.name, against.why, verdict.span)


_BOTH = re.compile(
    r"^ (?:(?:well|it|they|that|is|are|can|could|may|be|actually|really) )*(?:both|either|one of (?:2|them))"
    r"(?: (?!or |but |however |usually |mostly |only )\S+){0,14} $"
)
_NOTHING = re.compile(r"^ (?:nothing|none|0|free of charge) (?!but )")
PARTLY = "the reply says yes of some and no of others"
_MAY_CONFIRM = re.compile(
    r" (?:yes|yeah|yep|yup|sure|certainly|definitely|absolutely|affirmative|precisely|positively|indeed|exactly|correct"
    r"|right|true|naturally|likely|probably|undoubtedly|so) "
)


_SORRY = re.compile(r"^the bot declines: '(?:i am afraid|i am sorry|sorry but|sorry that)'$")


def _only_sorry(verdict: Verdict, refused: Verdict) -> bool:
    """ "I'm afraid we are closed": the reply says no, and does not decline."""
    return verdict.why.startswith("the reply says ") and bool(_SORRY.match(refused.why))


_GRANTED = re.compile(
    r"^ (?:signs point to yes|(?:you|they|he|she|your \S+|guess|answer) (?:is|are|was|were) (?:right|correct)) $"
)


def _confirms(sentence: Normal) -> bool:
    if sentence.text.count(" ") > 5:
        return False
    return polarity.begins(sentence) == "yes" or bool(_GRANTED.match(sentence.text))


def begins_no(sentence: str) -> bool:
    return polarity.begins(normalise(sentence)) == "no"


def _unless_contrary(context: Asked, normal: Normal, verdict: Verdict) -> Verdict:
    """ "Yes, there are six", to "Are there ten?", where no and six are right."""
    begun = polarity.begins(normal)
    if begun is None or begun in (context.polar or context.sided):
        return verdict
    return Verdict("unsure", 0.0, verdict.matcher, f"{verdict.why}, but begins with {begun}", verdict.span)


def silence(reply: Reply, matcher: str) -> Verdict | None:
    """Refused, where the bot said nothing at all: whatever is right, that is no answer."""
    return None if reply.text.strip() else Verdict("refused", 0.0, matcher, "the bot said nothing")


def refusal(normal: Normal, refusals: tuple[str, ...], matcher: str, question: str = "") -> Verdict | None:
    """Refused, where a reply that holds no answer says nothing, falls back, declines or claims no answer; else None."""
    if normal.text == " ":
        return Verdict("refused", 0.0, matcher, "the bot said nothing", None)
    known = refusals_of(refusals)
    if form := known.near(normal):
        return Verdict("refused", 0.0, matcher, f"the target's refusal: {form!r}", (0, len(normal.raw)))
    if (phrase := declines(normal) or lacks(normal)) and not names_first(normal.raw):
        return Verdict("refused", 0.0, matcher, f"the bot declines: {phrase!r}", next(normal.find(phrase)))
    if may_be_void(normal, known) and (reason := void(question, normal.raw, known)):
        return Verdict("refused", 0.0, matcher, reason, (0, len(normal.raw)))
    return None


def _with_text(reply: Reply, text: str) -> Reply:
    return reply if text is reply.text else msgspec.structs.replace(reply, text=text)
