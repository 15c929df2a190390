"""How hard a bot may be pushed and how much a run may cost: plain values, set by the target and campaign files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Price:
    """What asking costs, in any currency: each request, and each token that `Reply.fields["tokens"]` counts."""

    request: float = 0.0
    token: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.request or self.token)


@dataclass(frozen=True)
class Limits:
    """A target's limits. Times are seconds; `rate` is requests a second.

    `rate` None means not told: start slow and learn. `unlimited` switches pacing off.
    `max_wait` is the longest pause a bot may ask for before the run stops, resumable.
    `breaker` failures in a row open the circuit breaker. `busy` are words with which the bot itself says that it was
    asked too often.
    """

    rate: float | None = None
    burst: int = 1
    unlimited: bool = False
    concurrency: int = 4
    timeout: float = 30.0
    question_timeout: float = 600.0
    retries: int = 3
    max_wait: float = 300.0
    breaker: int = 10
    idempotent: bool = True
    busy: tuple[str, ...] = ()
    price: Price = Price()


@dataclass(frozen=True)
class Budget:
    """What a run may use; None is no limit. `requests` is everything that leaves; `cost` has the price's currency."""

    requests: int | None = None
    seconds: float | None = None
    cost: float | None = None
