"""A report."""

from botattack.protocols import Report


def write(path, material):
    rows = material.figures.attacks.items()
    path.write_text("".join(f"{name}: {row.gold.success} of {row.gold.asked}\n" for name, row in rows))


REPORT = Report((".tally",), write)
