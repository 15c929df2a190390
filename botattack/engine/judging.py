"""From answers to verdicts: one rule for a live run and for judging its recording again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from botattack.engine.ask import Answer
from botattack.engine.plan import OwnMatcher
from botattack.errors import Fault
from botattack.events import Standing
from botattack.model import Expect, GoldAnswer, Need, Prompt, Question, Reference, Reply, Verdict
from botattack.protocols import Matcher, Opinion

Met = Mapping[str, Any]
"""Results of Needs by their ids; where a part failed, its exception."""
_T = TypeVar("_T")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Verdict).decode


@dataclass(frozen=True)
class Judging:
    """`judge` compares with gold answers, `own` with the bot's replies to the unchanged question.

    Whatever a matcher or an opinion raises costs the verdict it was asked for and nothing else: that one is unsure,
    and says why.
    """

    judge: Matcher
    own: OwnMatcher

    @property
    def parts(self) -> frozenset[str]:
        """The kinds of Need that second opinions have."""
        return self.judge.parts()

    def needs(self, question: Question, prompt: Prompt, answers: Sequence[Answer]) -> tuple[Need, ...]:
        """What second opinions on answers to a question with gold answers need, equal needs once."""
        if not question.answers or not (opinions := self.judge.of(question.kind).opinions):
            return ()
        found: dict[str, Need] = {}
        for answer in answers:
            if not answer.failure:
                wanted = partial(self._wanted, question, prompt, answer.replies[-1], opinions)
                # What fails here fails again where the verdict is made, which says so.
                found |= _caught(wanted, lambda _: {})
        return tuple(found.values())

    def _wanted(
        self, question: Question, prompt: Prompt, reply: Reply, opinions: tuple[Opinion, ...]
    ) -> dict[str, Need]:
        gold, prompt = question.answers, prompt.spoken(question.lang)
        verdict = self.judge.of(question.kind).judge(_meant(question, prompt), reply, gold, ())
        return {need.id: need for opinion in opinions for need in _needs(opinion, prompt, reply, gold, verdict)}

    def _against_gold(
        self, question: Question, prompt: Prompt, reply: Reply, baseline: tuple[Reply, ...], met: Met
    ) -> Verdict:
        """Each opinion hears the verdict as the letters gave it; one whose needs were not met is left out.

        The gold answers belong to the original, and so the same reply to any wording of it gets the same verdict.
        """
        gold, judge, prompt = question.answers, self.judge.of(question.kind), prompt.spoken(question.lang)
        lexical = verdict = judge.judge(_meant(question, prompt), reply, gold, baseline)
        for opinion in judge.opinions:
            needs = _needs(opinion, prompt, reply, gold, lexical)
            if needs and all(need.id in met for need in needs):
                results = tuple(met[need.id] for need in needs)
                if failed := next((result for result in results if isinstance(result, Exception)), None):
                    raise failed
                settled = opinion.settle(reply, lexical, results)
                verdict = settled if verdict is lexical or settled.kind == verdict.kind else _at_odds(verdict, settled)
        return verdict

    def original(
        self, question: Question, answers: Sequence[Answer], met: Met = MappingProxyType({})
    ) -> tuple[Verdict, Standing]:
        """A question is kept only if every asking was right; one that disagrees with itself is unstable. To be wrong
        and to be refused is no disagreement."""
        for answer in answers:
            if answer.failure:
                return failed(answer), "error"
        return _caught(lambda: self._original(question, answers, met), lambda verdict: (verdict, "unsure"))

    def _original(self, question: Question, answers: Sequence[Answer], met: Met) -> tuple[Verdict, Standing]:
        replies, prompt = tuple(answer.replies[-1] for answer in answers), question.prompt.spoken(question.lang)
        verdicts = [
            _recordable(
                self._against_gold(question, question.prompt, reply, replies, met)
                if question.answers
                else self.own.judge(prompt, reply, (), replies)
            )
            for reply in replies
        ]
        kind, kinds = verdicts[0].kind, {verdict.kind for verdict in verdicts}
        agree = len(kinds) == 1 or kinds == {"wrong", "refused"}
        if not (agree if question.answers else self.own.agree(prompt, replies)):
            return verdicts[0], "unstable"
        return verdicts[0], "kept" if kind == "correct" else kind

    def heard(self, question: Question, prompt: Prompt, expect: Expect, reference: Reference) -> Prompt:
        """What a verdict on a variant depends on beside the reply: only second opinions hear how it was worded."""
        by_gold = expect == "same" and reference == "gold"
        return _meant(question, prompt) if by_gold and not self.judge.of(question.kind).opinions else prompt

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
        """Where the answer must change, it is compared with the bot's own: `correct` then means unchanged."""
        if answer.failure:
            return failed(answer)
        reply = answer.replies[-1]
        if expect != "different" and reference == "gold":
            judged = partial(self._against_gold, question, prompt, reply, baseline, met)
        else:
            judged = partial(self.own.judge, prompt.spoken(question.lang), reply, (), baseline)
        return _caught(lambda: _recordable(judged()), lambda verdict: verdict)


def _meant(question: Question, asked: Prompt) -> Prompt:
    return msgspec.structs.replace(asked, text=question.prompt.text)


def _needs(
    opinion: Opinion, prompt: Prompt, reply: Reply, gold: tuple[GoldAnswer, ...], verdict: Verdict
) -> tuple[Need, ...]:
    """What an opinion needs; raises ValueError for a Need that it did not declare, which replay would not look for."""
    needs = opinion.needs(prompt, reply, gold, verdict)
    if undeclared := sorted({need.kind for need in needs} - {*opinion.uses}):
        raise ValueError(f"the opinion {opinion.name} needs {', '.join(undeclared)}: add it to its `uses`")
    return needs


def _caught(judged: Callable[[], _T], failed: Callable[[Verdict], _T]) -> _T:
    """The one door to everything that judges: what it raises becomes an unsure verdict with the reason.

    Exceptions alone, a reply too deep or too long for memory among them; whoever ends the process is not held up.
    """
    try:
        return judged()
    except Exception as error:
        fault = Fault.of(error)
        return failed(Verdict("unsure", 0.0, "judge", f"the judge failed: {fault.why}", failed=fault.kind))


def _recordable(verdict: Verdict) -> Verdict:
    """The verdict as a recording gives it back; raises for what no recording could hold, as a matcher of a third
    party may return anything."""
    return _decode(_encode(verdict))


def _at_odds(one: Verdict, other: Verdict) -> Verdict:
    """Two opinions that do not agree."""
    if "unsure" in (one.kind, other.kind):
        return one if one.kind == "unsure" else other
    return Verdict("unsure", 0.5, other.matcher, f"{one.why}; but {other.why}", other.span)


def failed(answer: Answer) -> Verdict:
    """No reply came: an error is neither right nor wrong."""
    return Verdict("error", why=answer.failure.message if answer.failure else "")
