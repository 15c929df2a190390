"""How often the interval of a rate that readers correct is right: `python -m benchmarks.corrected_rates [DRAWS]`.

Prints the simulation of tests/report/test_powered_simulated.py as a table: the share of draws whose interval holds the
true rate, the same for the labels alone, the mean and the greatest width as a share of theirs, and the mean error.
"""

from __future__ import annotations

import sys

from tests.report.drawn_labels import coverage
from tests.report.test_powered_simulated import RATES, SENSITIVITIES, SPECIFICITIES, WORLDS

HEAD = "| draw | sensitivity | specificity | rate | holds | labels alone | width | widest | error |"


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{HEAD}\n|{'---|' * HEAD.count(' | ')}---|")
    for name, base in WORLDS.items():
        for sensitivity in SENSITIVITIES:
            for specificity in SPECIFICITIES:
                for rate in RATES:
                    world = base._replace(rate=rate, sensitivity=sensitivity, specificity=specificity)
                    found = coverage(world, draws, seed=7)
                    shares = (sensitivity, specificity, rate, found.corrected, found.alone)
                    shown = " | ".join(f"{100 * share:.1f} %" for share in shares)
                    print(f"| {name} | {shown} | {found.width:.2f} | {found.widest:.2f} | {100 * found.bias:+.2f} |")


if __name__ == "__main__":
    main()
