"""The state of a pace in Redis, for processes of several machines: Redis has the clock, the law stays here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, Generic

import msgspec

from botattack.engine.pacing.cells import Made, S
from botattack.errors import BotattackError, RunStopped

PASSWORD = "BOTATTACK_REDIS_PASSWORD"  # noqa: S105  # the name of the environment variable
LIVES, LONGEST = 600, 30 * 24 * 3600
"""Seconds a state stays that nobody changes, beyond the time it speaks of; and at most."""
PATIENCE = 5.0
"""Seconds that Redis may take to answer."""
TRIES = 1000
"""How often a change is tried again because somebody else was quicker."""
SET_IF_SAME = """
local kept = redis.call('GET', KEYS[1])
if (kept or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
"""


class RedisCell(Generic[S]):
    """A state below a key of Redis: read, changed here, and written if nobody has changed it since.

    Raises BotattackError if it cannot be reached, RunStopped if it is lost later: nothing is asked without a pace.
    """

    def __init__(self, url: str, key: str, state: S) -> None:
        try:
            import redis
        except ImportError:
            raise BotattackError(
                'a shared pace needs the client of Redis: pip install "botattack[fleet]", or leave out pace'
            ) from None
        self.seen = state
        self.alone = False
        self._faults = (redis.RedisError, OSError)
        self._url = url
        self._key = f"botattack:pace:{key}"
        self._fresh = msgspec.msgpack.encode(state)
        self._decode = msgspec.msgpack.Decoder(type(state)).decode
        self._redis: Any = redis.Redis.from_url(
            url,
            password=os.environ.get(PASSWORD) or None,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
        )
        self._write = self._redis.register_script(SET_IF_SAME)
        try:
            self._redis.ping()
        except self._faults as error:
            raise BotattackError(
                f"the shared pace at {url} cannot be reached: {error}; start Redis there, set {PASSWORD} if it wants a "
                "password, or leave out pace"
            ) from None

    def change(self, make: Callable[[S, float], Made]) -> Made:
        """As `Cell.change`."""
        try:
            for _ in range(TRIES):
                kept, (seconds, micros) = self._redis.pipeline(transaction=False).get(self._key).time().execute()
                state, now = self._decode(kept or self._fresh), seconds + micros / 1e6
                state.bound(now, self.seen)
                made = make(state, now)
                state.at = now
                lives = LIVES + round(min(max(state.until - now, 0), LONGEST))
                if self._write(keys=[self._key], args=[kept or b"", msgspec.msgpack.encode(state), lives]):
                    self.seen = state
                    return made
                time.sleep(0)
        except msgspec.MsgspecError as error:
            raise self._lost(f"{error}; delete {self._key} there") from None
        except self._faults as error:
            raise self._lost(str(error)) from None
        raise self._lost("too many change it at the same time")

    def _lost(self, why: str) -> RunStopped:
        return RunStopped(f"the shared pace at {self._url} was lost: {why}; resume once it is back")

    def close(self) -> None:
        """Lets go of the connection."""
        self._redis.close()
