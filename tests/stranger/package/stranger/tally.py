"""A report."""

from pathlib import Path

from botattack import Material
from botattack.protocols import Report


def write(path: Path, material: Material) -> None:
    rows = material.figures.attacks.items()
    path.write_text("".join(f"{name}: {row.gold.success} of {row.gold.asked}\n" for name, row in rows))


REPORT = Report((".tally",), write)
