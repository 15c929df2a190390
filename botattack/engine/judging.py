"""From answers to verdicts: one rule for a live run and for judging its recording again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from botattack.engine.ask import Answer
from botattack.engine.plan import OwnMatcher
from botattack.events import Standing
from botattack.matchers.judge import Judge
from botattack.matchers.opinions import Opinion
from botattack.model import Expect, Need, Prompt, Question, Reference, Reply, Verdict
from botattack.protocols import Matcher

Met = Mapping[str, Any]
"""Results of Needs by their ids."""


@dataclass(frozen=True)
class Judging:
    """`judge` compares with gold answers, `own` with the bot's replies to the unchanged question."""

    judge: Matcher
    own: OwnMatcher

    def needs(self, question: Question, prompt: Prompt, answers: Sequence[Answer]) -> tuple[Need, ...]:
        """What second opinions on answers to a question with gold answers need, equal needs once."""
        if not question.answers or not (opinions := self._opinions(question)):
            return ()
        found: dict[str, Need] = {}
        for answer in answers:
            if not answer.failure:
                reply, gold = answer.replies[-1], question.answers
                verdict = self._judge(question).judge(prompt, reply, gold, ())
                wanted = (need for opinion in opinions for need in opinion.needs(prompt, reply, gold, verdict))
                found |= {need.id: need for need in wanted}
        return tuple(found.values())

    def _judge(self, question: Question) -> Matcher:
        return self.judge.of(question.kind) if isinstance(self.judge, Judge) else self.judge

    def _opinions(self, question: Question) -> tuple[Opinion, ...]:
        judge = self._judge(question)
        return judge.opinions if isinstance(judge, Judge) else ()

    def _against_gold(
        self, question: Question, prompt: Prompt, reply: Reply, baseline: tuple[Reply, ...], met: Met
    ) -> Verdict:
        """Each opinion hears the verdict as the letters gave it; one whose needs were not met is left out."""
        gold, judge = question.answers, self._judge(question)
        lexical = verdict = judge.judge(prompt, reply, gold, baseline)
        for opinion in judge.opinions if isinstance(judge, Judge) else ():
            needs = opinion.needs(prompt, reply, gold, lexical)
            if needs and all(need.id in met for need in needs):
                settled = opinion.settle(reply, lexical, tuple(met[need.id] for need in needs))
                verdict = settled if verdict is lexical or settled.kind == verdict.kind else _at_odds(verdict, settled)
        return verdict

    def original(
        self, question: Question, answers: Sequence[Answer], met: Met = MappingProxyType({})
    ) -> tuple[Verdict, Standing]:
        """A question is kept only if every asking was right; one that disagrees with itself is unstable."""
        for answer in answers:
            if answer.failure:
                return failed(answer), "error"
        replies = tuple(answer.replies[-1] for answer in answers)
        verdicts = [
            self._against_gold(question, question.prompt, reply, replies, met)
            if question.answers
            else self.own.judge(question.prompt, reply, (), replies)
            for reply in replies
        ]
        kind = verdicts[0].kind
        if not (all(verdict.kind == kind for verdict in verdicts) if question.answers else self.own.agree(replies)):
            return verdicts[0], "unstable"
        return verdicts[0], "kept" if kind == "correct" else kind

    def variant(
        self,
        question: Question,
        answer: Answer,
        *,
        prompt: Prompt,
        expect: Expect,
        reference: Reference,
        baseline: tuple[Reply, ...],
        met: Met = MappingProxyType({}),
    ) -> Verdict:
        """Where the answer must change, it is held against the bot's own: `correct` then means unchanged."""
        if answer.failure:
            return failed(answer)
        if expect == "same" and reference == "gold":
            return self._against_gold(question, prompt, answer.replies[-1], baseline, met)
        return self.own.judge(prompt, answer.replies[-1], (), baseline)


def _at_odds(one: Verdict, other: Verdict) -> Verdict:
    """Two opinions that do not agree."""
    if "unsure" in (one.kind, other.kind):
        return one if one.kind == "unsure" else other
    return Verdict("unsure", 0.5, other.matcher, f"{one.why}; but {other.why}", other.span)


def failed(answer: Answer) -> Verdict:
    """No reply came: an error is neither right nor wrong."""
    return Verdict("error", why=answer.failure.message if answer.failure else "")
