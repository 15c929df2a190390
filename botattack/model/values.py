"""What the nouns are made of: their base, ids, and the few words that every floor uses."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Annotated, Literal

import msgspec

Expect = Literal["same", "different", "declines"]
"""What a right bot does with a variant: it gives the `same` answer, a `different` one, or `declines` to answer."""
Meaning = Literal["kept", "unsure", "changed"]
CONTROL = "unchanged"
"""The attack that asks kept originals again: the bot's own noise."""
CLAIMED: Mapping[Expect, Meaning] = {"same": "kept", "different": "changed", "declines": "changed"}
"""What a variant does to the meaning of its question, if it is what its attack claims."""
VerdictKind = Literal["correct", "wrong", "refused", "other", "error", "unsure"]
Result = Literal["success", "robust", "unsure", "error"]
"""What an outcome means for the attack: `success` broke the bot, `robust` did not."""
Searched = Literal["", "attempt", "again", "outcome", "repeat", "control"]
"""What an asking was for, where an attack counts questions: an `attempt` of the search; asking `again` what broke the
bot, or the original; the `outcome`, which is what came of the question; to `repeat` the original as often as the search
asked, of which the `control` is what came. Empty for other attacks."""
EMITTED = frozenset[Searched](["", "attempt", "outcome"])
"""What an attack made itself."""
Reference = Literal["gold", "own"]
"""What a reply was judged against: gold answers, or the bot's own stable reply."""
Carrier = Literal["request", "message", "turn", "document"]
"""The way in which the passages of a question reach the bot; see `doors`."""
_encode = msgspec.json.Encoder().encode


def content_id(*content: object) -> str:
    """A 16-digit hexadecimal id that depends on nothing but the content."""
    return blake2b(_encode(content), digest_size=8).hexdigest()


QuestionId = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{16}\Z")]
"""A `content_id`, checked where it is read from a file."""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen value that is written without its defaults."""


def tag_of(lang: str) -> str:
    """A language tag in the one spelling of BCP 47: `fa-IR` of "FA_ir"."""
    code, *others = lang.strip().replace("_", "-").split("-")
    return "-".join([code.lower(), *(part.title() if len(part) == 4 else part.upper() for part in others)])


def code_of(lang: str) -> str:
    """The first part of a language tag, which is a code of two letters: `fa` of "fa-IR" and "FA_ir"."""
    return tag_of(lang).partition("-")[0]
