"""Markers for option fields of plain dataclasses: what a value in a YAML file must be, and how it is read.

`Annotated[float, Read(seconds)]` means: the file holds what `seconds` accepts. Whatever `read` raises as ValueError
is shown at the field's place in the file. Nothing here needs pydantic until a file is validated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Read:
    """Reads (and checks) a raw YAML value; raises ValueError with one sentence where it is wrong."""

    read: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        del source, handler
        return core_schema.no_info_plain_validator_function(self.read)
