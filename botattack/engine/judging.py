"""From answers to verdicts: one rule for a live run and for judging its recording again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from botattack.engine.ask import Answer
from botattack.engine.plan import OwnMatcher
from botattack.events import Standing
from botattack.model import Expect, Prompt, Question, Reference, Reply, Verdict
from botattack.protocols import Matcher


@dataclass(frozen=True)
class Judging:
    """`judge` compares with gold answers, `own` with the bot's replies to the unchanged question."""

    judge: Matcher
    own: OwnMatcher

    def original(self, question: Question, answers: Sequence[Answer]) -> tuple[Verdict, Standing]:
        """A question is kept only if every asking was right; one that disagrees with itself is unstable."""
        for answer in answers:
            if answer.failure:
                return failed(answer), "error"
        replies = tuple(answer.replies[-1] for answer in answers)
        judge: Matcher = self.judge if question.answers else self.own
        verdicts = [judge.judge(question.prompt, reply, question.answers, replies) for reply in replies]
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
    ) -> Verdict:
        """Where the answer must change, it is held against the bot's own: `correct` then means unchanged."""
        if answer.failure:
            return failed(answer)
        if expect == "same" and reference == "gold":
            return self.judge.judge(prompt, answer.replies[-1], question.answers, baseline)
        return self.own.judge(prompt, answer.replies[-1], (), baseline)


def failed(answer: Answer) -> Verdict:
    """No reply came: an error is neither right nor wrong."""
    return Verdict("error", why=answer.failure.message if answer.failure else "")
