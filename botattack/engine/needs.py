"""Needs met in batches across all open questions, cached, and recorded once for each question that uses them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from botattack.engine.batch import Batcher
from botattack.engine.clock import Offload
from botattack.engine.past import Past
from botattack.engine.purse import Purse
from botattack.errors import BotattackError, MissingPart
from botattack.events import NeedMet, ServiceAsked
from botattack.model import Need
from botattack.protocols import NeedHandler

CACHED = 4096
"""Results kept in memory, over all kinds."""


class Needs:
    """`await needs(question_id, need)` gives a result, from the past if that has it.

    Where the part that should meet the need raises, its exception is the result: it costs whoever needed it, not the
    run. What a user can fix (BotattackError) is raised.
    """

    def __init__(
        self,
        handlers: Mapping[str, NeedHandler],
        offload: Offload,
        past: Past,
        emit: Callable[..., None],
        purse: Purse,
    ) -> None:
        """`purse` is what services are paid from."""
        self._handlers = handlers
        self._paid = {
            kind: _Paid(handler.info.name, part)
            for kind, handler in handlers.items()
            if (part := handler.pay_from(purse)) is not None
        }
        self._past = past
        self._emit = emit
        self._cache: OrderedDict[str, object] = OrderedDict()
        self._batchers: dict[str, Batcher[object, object]] = {
            kind: Batcher(partial(_met_each, handler.meet), offload) for kind, handler in handlers.items()
        }

    async def __call__(self, question: str, need: Need) -> object:
        recorded = self._past.need(question, need.id)
        handler = self._handlers.get(need.kind)
        if handler is None:
            raise MissingPart(f"nothing here can {need.kind!r}: an attack asked for it without declaring it")
        if recorded is not None:
            return msgspec.json.decode(recorded, type=handler.result_type)
        result = await self._met(need)
        if isinstance(result, Exception):
            return result
        raw = msgspec.Raw(msgspec.json.encode(result))
        self._emit(NeedMet, question=question, need=need.id, kind=need.kind, payload=need.payload, result=raw)
        return result

    async def _met(self, need: Need) -> object:
        if need.id in self._cache:
            self._cache.move_to_end(need.id)
            return self._cache[need.id]
        try:
            result = await self._batchers[need.kind](need.payload)
        finally:
            self._tell_spent(need.kind)
        if not isinstance(result, Exception):
            self._cache[need.id] = result
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)
        return result

    def _tell_spent(self, kind: str) -> None:
        """The first of a batch to hear of its results tells what the batch took."""
        if (paid := self._paid.get(kind)) and (requests := paid.purse.requests - paid.requests):
            cost = paid.purse.cost - paid.cost
            paid.requests, paid.cost = paid.requests + requests, paid.cost + cost
            self._emit(ServiceAsked, kind=kind, service=paid.name, requests=requests, cost=round(cost, 9))


@dataclass
class _Paid:
    """A service, its purse, and how much of what that spent has been told."""

    name: str
    purse: Purse
    requests: int = 0
    cost: float = 0.0


def _met_each(meet: Callable[[Sequence[object]], Sequence[object]], payloads: Sequence[object]) -> list[object]:
    """The result of each payload. Where the batch fails, each is tried alone, so that one costs no other."""
    try:
        results = list(meet(payloads))
        if len(results) != len(payloads):
            raise ValueError(f"a part gave {len(results)} results for {len(payloads)} payloads")
    except BotattackError:
        raise
    except Exception as error:
        return [error] if len(payloads) == 1 else [_met_each(meet, [payload])[0] for payload in payloads]
    return results
