"""The contracts of language parts, and of what meets Needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol


@dataclass(frozen=True)
class PartInfo:
    """Where a language part comes from; `digest` is the SHA-256 of its data, and enters the run's record."""

    name: str
    version: str
    licence: str
    digest: str


class Part(Protocol):
    """A language part: a dictionary, a typo corpus, a parser. Pure data, or something that meets Needs."""

    @property
    def info(self) -> PartInfo: ...


class NeedHandler(ABC):
    """A language part that meets Needs of one kind in batches. A result never depends on the rest of its batch."""

    result_type: ClassVar[Any]
    """What msgspec rebuilds a recorded result into."""

    if TYPE_CHECKING:  # a property here would be in the way of a dataclass that has it as a field

        @property
        def info(self) -> PartInfo: ...

    @abstractmethod
    def meet(self, payloads: Sequence[Any]) -> Sequence[Any]:
        """A result for each payload, in the same order."""

    @property
    def asks(self) -> Any | None:
        """The target file (`config.target.TargetConfig`) of the service that it asks; None if it asks none."""
        return None

    def pay_from(self, purse: Any) -> Any | None:
        """From now on all that it asks is paid from a part of this `engine.purse.Purse`, which is returned."""
        return None
