"""What broke the bot so far in a run, and what a request not yet sent may therefore hope for. Pure.

Everything here is a sum over questions: what it says depends on which questions it was made of, never on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from botattack.model import Edit, Result
from botattack.places import Place
from botattack.text.spelling import distance
from botattack.text.word_lists import function_words

PART = "roles"
"""The name under which an engine hands a `Roles` to attacks in `Context.parts`."""

PRIOR = (1.0, 4.0)
"""Breaks and trials of a run that has only begun."""
AGAIN = (3.0, 4.0)
"""… and of edits of words that broke the bot before."""
PAYS = 0.7
"""A request is worth its cost if it breaks the bot at least this share of how often all requests of the run do."""
MANY = 3
"""Variants of so many edited places or more are counted together."""
BINS = 20
"""How finely levels of a bot's sureness are distinguished."""
NEAR = 2.0
"""Bins of sureness at this distance tell half as much of one another as of themselves."""

Edits = tuple[Edit, ...]
Spot = tuple[Place, int]
Spots = frozenset[Spot]
"""Where the edits of a variant begin."""
News = Literal["fresh", "joint", "stale", "again"]
"""Of the edited places one was never edited before; all were, but not together; all were, together and in vain; some
or all of them broke the bot."""


class Role(NamedTuple):
    """What a word does in its sentence."""

    relation: str
    pos: str


class Trials(NamedTuple):
    """How many there were, and how many of them broke the bot."""

    broke: int = 0
    tried: int = 0

    def plus(self, other: Trials) -> Trials:
        return Trials(self.broke + other.broke, self.tried + other.tried)


NONE = Trials()


@dataclass
class Tried:
    """Spots that were edited in variants of one question, by whether those broke the bot."""

    failed: set[Spots] = field(default_factory=set)
    broke: set[Spots] = field(default_factory=set)

    def add(self, at: Spots, result: Result) -> None:
        if result == "robust":
            self.failed.add(at)
        elif result == "success":
            self.broke.add(at)

    def news(self, at: Spots) -> News:
        """What is new in editing these places."""
        if any(before <= at for before in self.broke):
            return "again"
        if any(at <= before for before in self.failed):
            return "stale"
        return "joint" if at <= frozenset().union(*self.failed, *self.broke) else "fresh"


@dataclass(frozen=True)
class Roles:
    """Requests of a run and what they did: by the role of the edited word, by kind and size of the edit, by what was
    new in them, and by how sure the bot was of its answer to the unchanged question, where it says so.

    `cost` is how many requests there were, those that count in nothing else among them.
    """

    by_role: Mapping[Role, Trials] = field(default_factory=dict)
    by_edit: Mapping[tuple[str, int], Trials] = field(default_factory=dict)
    by_news: Mapping[tuple[News, int], Trials] = field(default_factory=dict)
    by_sureness: Mapping[int, Trials] = field(default_factory=dict)
    cost: int = 0

    def with_(self, outcomes: Iterable[tuple[Edits, Result]], sureness: float | None = None, probes: int = 0) -> Roles:
        """What is known after one more question: its outcomes in the order they were asked, without its probes.

        Results that are not clear teach nothing; roles and kinds are learnt from single edits of a word that is new.
        """
        roles, made, news = dict(self.by_role), dict(self.by_edit), dict(self.by_news)
        sure, cost, past = dict(self.by_sureness), self.cost + probes, Tried()
        for edits, result in outcomes:
            cost += 1
            if result not in ("success", "robust") or not edits:
                continue
            one, at = Trials(int(result == "success"), 1), spots_of(edits)
            new = past.news(at)
            _count(news, (new, min(len(at), MANY)), one)
            if new == "fresh":
                _count(sure, _bin(sureness), one)
            if len(at) == 1:
                _count(made, _made(edits[0]), one)
                if new == "fresh":
                    _count(roles, role_of(edits[0]), one)
            past.add(at, result)
        return Roles(roles, made, news, sure, cost)

    @property
    def rate(self) -> float:
        """How often a request breaks the bot."""
        return _rate(self._all)

    def role_rate(self, edit: Edit) -> float:
        """How likely a first edit of such a word is to break the bot: by relation and part of speech, or by part of
        speech alone where the two were never tried together."""
        role = role_of(edit)
        known = self.by_role.get(role) or _sum(t for other, t in self.by_role.items() if other.pos == role.pos)
        return _among(known, self.by_news.get(("fresh", 1), NONE))

    def rank(self, edit: Edit) -> tuple[float, int]:
        """The higher, the sooner such a word is edited: of equal rates the role that did break more comes first."""
        return self.role_rate(edit), self.by_role.get(role_of(edit), NONE).broke

    def edit_rate(self, edit: Edit) -> float:
        """How likely an edit of its kind and size is to break the bot, whatever the word."""
        return _among(self.by_edit.get(_made(edit), NONE), _sum(self.by_edit.values()))

    def chance(self, edits: Edits, past: Tried, sureness: float | None = None) -> float:
        """How likely a variant is to break the bot after what was asked of the same question."""
        at = spots_of(edits)
        kind = past.news(at), min(len(at), MANY)
        known = self.role_rate(edits[0]) if kind == ("fresh", 1) else self._news_rate(kind)
        return min(1.0, known * self._sure(sureness))

    def pays(self, chance: float) -> bool:
        """Whether a request of such a chance is worth its cost in this run, where anything has broken the bot yet."""
        return not self._all.broke or chance >= PAYS * self.rate

    def _news_rate(self, kind: tuple[News, int]) -> float:
        known = self.by_news.get(kind, NONE)
        return _rate(known, AGAIN) if kind[0] == "again" else _among(known, self._all)

    @property
    def _all(self) -> Trials:
        """All requests but those that only do again what broke the bot."""
        again = _sum(trials for (new, _), trials in self.by_news.items() if new == "again")
        return Trials(_sum(self.by_news.values()).broke - again.broke, self.cost - again.tried)

    def _sure(self, sureness: float | None) -> float:
        """How much likelier than others a question breaks of which the bot is as sure as this."""
        at = _bin(sureness)
        total = _sum(self.by_sureness.values())
        if at < 0 or not total.broke:
            return 1.0
        told = sorted((other, trials) for other, trials in self.by_sureness.items() if other >= 0)
        near = [(float(0.5 ** (abs(other - at) / NEAR)), trials) for other, trials in told]
        overall = total.broke / total.tried
        broke = sum(weight * trials.broke for weight, trials in near)
        tried = sum(weight * trials.tried for weight, trials in near)
        return (broke + 1) / (tried + 1 / overall) / overall


def role_of(edit: Edit) -> Role:
    """The role of the edited word; a function word that was not parsed is a role of its own."""
    word = edit.before.strip().lower()
    return Role(edit.relation, edit.pos or (word if word in function_words() else ""))


def taught(result: Result, *, claimed: bool) -> Result:
    """What an outcome teaches: breaking the bot with another meaning than claimed is not what is searched for."""
    return result if claimed or result != "success" else "robust"


def spots_of(edits: Edits) -> Spots:
    return frozenset((edit.place, edit.start) for edit in edits)


def sureness_of(fields: Mapping[str, Any]) -> float | None:
    """How sure a bot says it is, from 0 to 1: the field `confidence` of its reply; None if it does not say."""
    found = fields.get("confidence")
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found) if 0 <= found <= 1 else None


def _rate(trials: Trials, prior: tuple[float, float] = PRIOR) -> float:
    return (trials.broke + prior[0]) / (trials.tried + prior[1])


def _among(some: Trials, all_: Trials) -> float:
    """The rate of some of all trials, near that of the others until one success is due."""
    otherwise = _rate(Trials(all_.broke - some.broke, all_.tried - some.tried))
    weight = max(PRIOR[1], 1 / otherwise)
    return (some.broke + weight * otherwise) / (some.tried + weight)


def _bin(sureness: float | None) -> int:
    return -1 if sureness is None else round(sureness * BINS)


def _count(counts: dict[Any, Trials], key: Any, one: Trials) -> None:
    counts[key] = counts.get(key, NONE).plus(one)


def _made(edit: Edit) -> tuple[str, int]:
    return edit.kind, distance(edit.before, edit.after)


def _sum(trials: Iterable[Trials]) -> Trials:
    broke = tried = 0
    for one in trials:
        broke, tried = broke + one.broke, tried + one.tried
    return Trials(broke, tried)
