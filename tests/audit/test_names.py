"""What a name that is no longer registered is answered with."""

from __future__ import annotations

import pytest

from botattack import registry
from botattack.registry import GONE, UnknownName


@pytest.mark.parametrize("name", GONE)
def test_an_attack_that_became_a_source_is_told_as_one(name: str) -> None:
    with pytest.raises(UnknownName) as told:
        registry.find("attacks", name)
    assert f"{{reword: {{sources: [{GONE[name]}]}}}}" in str(told.value)


@pytest.mark.parametrize("name", GONE)
def test_what_is_no_attack_became_no_source(name: str) -> None:
    with pytest.raises(UnknownName) as told:
        registry.find("matchers", name)
    assert "reword" not in str(told.value)
