"""The command line with the tests' own attack beside the built-in ones."""

from __future__ import annotations

from botattack import registry
from botattack.cli import main

if __name__ == "__main__":
    registry.BUILT_IN["attacks"]["climb"] = "tests.crash.climb:Climb"
    main()
