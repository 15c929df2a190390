"""`botattack play` in a process of its own."""

from __future__ import annotations

import sys

from botattack.cli import main

if __name__ == "__main__":
    main(["play", *sys.argv[1:]])
