"""What CLDR says of a language, whichever languages were read before it."""

import json
import subprocess
import sys

import pytest

CODES = ("ann", "cs", "de", "es", "ig", "is", "ja", "zh")
READS = """
import json, sys
from botattack.text.values.vocabulary import vocabulary

found = {}
for code in sys.argv[1:]:
    known = vocabulary(code)
    found[code] = [known.weekdays, known.calendar.names, known.scales, sorted(known.starts)]
print(json.dumps(found))
"""


def read(*codes: str) -> dict[str, list[object]]:
    """By a process of its own, in this order."""
    command = [sys.executable, "-c", READS, *codes]
    found: dict[str, list[object]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


@pytest.mark.slow
def test_a_language_is_read_the_same_whatever_was_read_before() -> None:
    assert read(*CODES) == read(*reversed(CODES))
