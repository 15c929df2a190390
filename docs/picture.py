"""Draws docs/demo.svg: the first lines of what `botattack run campaigns/demo.yaml` prints.

Run from the project's root: python docs/picture.py
"""

from __future__ import annotations

import io
import os
import re
import subprocess
from pathlib import Path

from rich.console import Console
from rich.text import Text

SHOWN = 2
"""Findings that are shown."""
COMMAND = ["botattack", "run", "campaigns/demo.yaml"]


def main() -> None:
    shown = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": "80", "TERM": "xterm-256color"}
    done = subprocess.run(COMMAND, env=shown, capture_output=True, text=True, check=True)
    console = Console(record=True, width=82, file=io.StringIO())
    console.print(Text("$ " + " ".join(COMMAND), style="bold"))
    lines = done.stdout.splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith(f"  {SHOWN + 1} "))
    console.print(Text.from_ansi("\n".join(lines[:end])))
    picture = console.export_svg(title="botattack")
    # The picture must not load anything: fonts are left to the reader's machine.
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    picture = "\n".join(line.rstrip() for line in picture.splitlines() if line.strip())
    Path("docs/demo.svg").write_text(picture + "\n")


if __name__ == "__main__":
    main()
