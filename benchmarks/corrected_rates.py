"""How often the interval of a rate that readers correct is right: `python -m benchmarks.corrected_rates [DRAWS]`.

Prints the simulation of tests/report/test_powered_simulated.py as a table: the share of draws whose interval holds the
true rate, the same for the labels alone, the mean width, the same and the greatest as a share of theirs, and the mean
error in points. Then, for fewer and fewer labels, the least share over all of these worlds.
"""

from __future__ import annotations

import sys

from botattack.report.statistics.powered import LABELS
from tests.report.drawn_labels import coverage
from tests.report.test_powered_simulated import DRAWS, WORLDS, grid, least

FEWER = (100, 60, 40, LABELS)
"""Numbers of labels on which the least coverage is counted, down to that from which a corrected rate is shown."""

HEAD = "| draw | sensitivity | specificity | rate | holds | labels alone | width | of theirs | widest | error |"


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    print(f"{HEAD}\n|{'---|' * (HEAD.count('|') - 1)}")
    for name in WORLDS:
        for world in grid(name):
            found = coverage(world, draws, seed=7)
            shares = (world.sensitivity, world.specificity, world.rate, found.corrected, found.alone, found.size)
            shown = " | ".join(f"{100 * share:.1f} %" for share in shares)
            print(
                f"| {name} | {shown} | {found.width:.2f} | {found.widest:.2f} | {100 * found.bias:+.2f} |", flush=True
            )
    print("\n| labels | holds, least of all worlds |\n|---|---|")
    for labels in FEWER:
        print(f"| {labels} | {100 * least(labels, draws, seed=7):.1f} % |", flush=True)


if __name__ == "__main__":
    main()
