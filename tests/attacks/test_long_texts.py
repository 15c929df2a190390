"""No attack takes long for a long text."""

from __future__ import annotations

import pytest

from benchmarks.long_texts import AT_MOST, HERE, NAMES, TEXTS, floors, made


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if set(made(name).parts()) <= HERE])
def test_ten_variants_of_a_long_text_are_made_in_no_time(name: str) -> None:
    """Three times the floors that the benchmark allows: what grows with the square takes far more."""
    assert {text: took for text, of in TEXTS.items() if (took := floors(made(name), of)) > 3 * AT_MOST} == {}
