"""Lost answers: originals right in every asking of the older run, and wrong in every asking of the newer.

An answer that was deleted is wrong each time it is asked for; one that the bot now and then gets wrong is not. So a few
askings tell the two apart without a test over many questions, and one lost answer is enough for an alarm. That the
control broke the question again, or did not, counts as one more asking of it.

Where the judge was unsure of the older run's reply, nobody knows that it was right. If the bot gave the same reply each
time, and is now wrong each time, the answer has changed all the same: that rings, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from botattack.engine.plan import BASELINE_ASKINGS, WRONG_RUNNING
from botattack.model import CONTROL
from botattack.report.comparison.sides import Seen, Side
from botattack.report.statistics.significance import mcnemar

BY_CHANCE = 0.05
"""Lost answers that chance alone may be expected to bring in a night whose control is quiet; also the level of
McNemar's p below which answers that became unsteady are no chance."""
_WRONG = frozenset({"wrong", "refused"})
_ANSWERED = _WRONG | {"kept", "unstable"}


@dataclass(frozen=True)
class LostAnswers:
    """Ids of questions. `confirmed` were wrong in at least WRONG_RUNNING askings, `doubted` in every one, but fewer, or
    were asked too seldom in the older run. `mixed` were right in every asking of the older run, and only in some of the
    newer. `steadied` were wrong in some asking of the older run, and right in every one of the newer.

    The judge was unsure of the older reply of `were_unsure`, which are among those `confirmed`. `unsure` have changed,
    and nothing more is known, since the judge is unsure of the older reply or of the newer; `unsettled` are those
    whose newer reply it is.

    Of the askings of the control, on questions whose original is right, `broke` of `asked` were wrong: the bot's own
    noise. `by_chance` is how many lost answers that noise alone would bring; `least` is from how many on they ring.
    """

    confirmed: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    steadied: int = 0
    were_unsure: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    broke: int = 0
    asked: int = 0
    by_chance: float = 0.0
    least: int = 1
    unsettled: tuple[str, ...] = ()

    @property
    def quiet(self) -> bool:
        """Whether the control is so quiet that lost answers are no chance."""
        return self.by_chance <= BY_CHANCE

    @property
    def ring(self) -> bool:
        """Whether they raise the alarm."""
        return self.quiet and len(self.confirmed) >= self.least

    @property
    def wavers(self) -> bool:
        """Whether more answers became unsteady than chance would do (McNemar), which raises the alarm, too. A bot that
        was unsteady before steadies as many others."""
        return len(self.mixed) > self.steadied and mcnemar(len(self.mixed), self.steadied) < BY_CHANCE


def lost_answers(before: Side, after: Side, least: int = 1) -> LostAnswers:
    """What the unchanged questions show of two runs, both sides settled."""
    seen = [(question, was, after.questions.get(question, Seen())) for question, was in before.questions.items()]
    steady = frozenset(
        q for q, was, _ in seen if right_askings(was) >= BASELINE_ASKINGS or one_reply(was.standing, was.replies)
    )
    wrong = {q: wrong_askings(now) for q, was, now in seen if right_askings(was) or was.standing == "unsure"}
    confirmed = [question for question, askings in wrong.items() if question in steady and askings >= WRONG_RUNNING]
    lost = frozenset(confirmed)
    noise = [result for side in (before, after) for result in _control(side)]
    share = noise.count("success") / len(noise) if noise else 0.0
    askings = min((wrong[question] for question in confirmed), default=WRONG_RUNNING)
    asked = sum(question in steady for question in after.questions)
    unsure = tuple(q for q, was, now in seen if says_otherwise(was, now) and q not in lost)
    return LostAnswers(
        tuple(confirmed),
        tuple(q for q, was, _ in seen if right_askings(was) and wrong[q] and q not in lost),
        tuple(q for q, was, now in seen if right_askings(was) and q in steady and now.standing == "unstable"),
        sum(was.standing in _ANSWERED and not right_askings(was) and right_askings(now) > 0 for _, was, now in seen),
        tuple(q for q, was, _ in seen if was.standing == "unsure" and q in lost),
        unsure,
        noise.count("success"),
        len(noise),
        asked * share**askings,
        least,
        tuple(question for question in unsure if after.questions[question].standing == "unsure"),
    )


def one_reply(standing: str, replies: Sequence[str]) -> bool:
    """Whether the judge was unsure of a reply that the bot gave each time."""
    return standing == "unsure" and len(replies) >= BASELINE_ASKINGS and len({*replies}) == 1


def says_otherwise(was: Seen, now: Seen) -> bool:
    """Whether the judge was unsure and the bot is now wrong, at least sometimes; or is unsure now where the bot was
    right, or always gave another reply. A bot that rewords gives another one each time, which says nothing."""
    if now.standing == "unsure":
        return right_askings(was) > 0 or (one_reply(was.standing, was.replies) and {*now.replies} != {*was.replies})
    return was.standing == "unsure" and now.standing in (*_WRONG, "unstable")


def right_askings(seen: Seen) -> int:
    """How often the unchanged question was right; 0 if it was not so in every asking."""
    broke, held = _again(seen, "success"), _again(seen, "robust")
    return seen.askings + held if seen.standing == "kept" and not broke else 0


def wrong_askings(seen: Seen) -> int:
    """How often the unchanged question was wrong; 0 if it was not so in every asking."""
    broke, held = _again(seen, "success"), _again(seen, "robust")
    return seen.askings + broke if seen.standing in _WRONG and not held else 0


def _again(seen: Seen, result: str) -> int:
    return sum(found == result for (row, _), found in seen.results.items() if row == CONTROL)


def _control(side: Side) -> Iterator[str]:
    """What came of the control, decided, where the original is right."""
    for seen in side.questions.values():
        if seen.standing == "kept":
            found = (result for (row, _), result in seen.results.items() if row == CONTROL)
            yield from (result for result in found if result in ("success", "robust"))
