"""Every language part says what it is, or how to get it."""

from __future__ import annotations

import re

import pytest

from botattack import registry
from botattack.errors import MissingPart
from botattack.protocols import PartInfo

LICENCES = {
    *("MIT", "Apache-2.0", "CC BY-SA 3.0", "PDDL-1.0", "LGPL-2.1", "GPL-2.0", "WordNet licence"),
    "as its publisher states",
}
WAYS = ("pip install ", "apt-get install ", "botattack resources get ", "set BOTATTACK_")


@pytest.mark.parametrize("name", sorted(registry.BUILT_IN["parts"]))
def test_a_part_has_a_name_a_licence_and_a_digest_or_says_how_to_get_it(name: str) -> None:
    found: PartInfo | str
    try:
        found = registry.find("parts", name)().info
    except MissingPart as missing:
        found = str(missing)
    if isinstance(found, str):
        assert any(way in found for way in WAYS)
    else:
        assert found.name
        assert found.licence in LICENCES
        assert re.fullmatch(r"[0-9a-f]{64}", found.digest)
