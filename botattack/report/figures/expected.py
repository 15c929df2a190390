"""How many askings a run will come to: a fold over its events, surer with each question that is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from botattack.events import Asked, AttackEnded, Event, OriginalJudged, QuestionClosed, RunStarted, VariantJudged


class Expected:
    """Originals, and of each attack what it makes of the questions it attacks: as many as of those it is done with,
    and the less of those under way have ended, the more what is usual.

    `usual` gives for each attack and diagnosis how many requests of a question are expected before any is done, None if
    its options do not say. `known` is the whole number, if it is known before; `budget` the requests that this process
    may make, at most `rate` of them a second.
    """

    def __init__(
        self,
        usual: Mapping[str, int | None] | None = None,
        known: int | None = None,
        budget: int | None = None,
        rate: float | None = None,
    ) -> None:
        self._usual = usual or {}
        self._known = known
        self.budget = budget
        self.rate = rate
        self._attacks: tuple[str, ...] = ()
        self.asked = 0
        self._total = self._closed = 0
        self._judged = self._originals = self._attacked = 0
        self._ended: Counter[str] = Counter()
        self._variants: Counter[str] = Counter()
        self._made_sure: Counter[tuple[str, str]] = Counter()
        """Askings of searches under way that are no variants: probes, and what makes sure of a success."""

    def update(self, event: Event) -> None:
        match event:
            case Asked():
                self.asked += 1
            case VariantJudged() if event.probe or event.search in ("again", "repeat"):
                self._made_sure[event.question, event.attack] += 1
            case AttackEnded():
                self._ended[event.attack] += 1
                more = self._made_sure.pop((event.question, event.attack), 0)
                self._variants[event.attack] += event.variants - event.skipped + more
            case OriginalJudged():
                self._judged += 1
                self._originals += len(event.units)
                self._attacked += event.attacked
            case QuestionClosed():
                self._closed += 1
            case RunStarted():
                # A diagnosis is asked, too, though no rate has it.
                self._total, self._attacks = event.total + event.gone, tuple(self._usual) or tuple(event.attacks)

    @property
    def sure(self) -> bool:
        """Whether something is known of every attack; else what is left is no more than a lower bound."""
        return self._known is not None or all(self._ended[name] or self._usual.get(name) for name in self._attacks)

    @property
    def left(self) -> int:
        """Askings still to come, as far as is known; one at least for each question that is attacked now."""
        if self._closed >= self._total:
            return 0
        whole = self._known if self._known is not None else self._whole()
        return max(self._judged - self._closed, round(whole) - self.asked, 0)

    def _whole(self) -> float:
        askings = self._originals / self._judged if self._judged else 1.0
        share = self._attacked / self._judged if self._judged else 1.0
        attacked = self._attacked + share * (self._total - self._judged)
        return askings * self._total + sum(self._of(name, attacked) for name in self._attacks)

    def _of(self, name: str, attacked: float) -> float:
        ended, variants = self._ended[name], self._variants[name]
        mean = variants / ended if ended else 0.0
        usual = self._usual.get(name)
        # Of the questions under way those with least end first: the mean is trusted as far as they have ended.
        trust = min(1.0, ended / self._attacked) if self._attacked else 0.0
        each = mean if usual is None else trust * mean + (1 - trust) * usual
        return variants + max(0.0, attacked - ended) * each
