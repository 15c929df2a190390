"""Takes the pictures of the HTML report that stand beside this file, of the demo, in a real browser.

python docs/screenshots.py [--run RECORDING]      needs Chromium: playwright install chromium
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from botattack.events import AnyEvent

HERE = Path(__file__).parent
SIZES = {"desktop": (1200, 900), "phone": (390, 844)}


def demo(work: Path) -> Path:
    command = [
        str(Path(sys.executable).with_name("botattack")),
        "run",
        "campaigns/demo.yaml",
        "--recordings",
        str(work / "demo"),
    ]
    subprocess.run(command, check=True, cwd=HERE.parent, stdout=subprocess.DEVNULL)
    (recording,) = (work / "demo").iterdir()
    return recording


def pages(folder: Path, told: Callable[[], Iterable[AnyEvent]], recording: str) -> Path:
    from botattack.report.writers.material import material, write_report

    path = folder / "report.html"
    write_report(path, material(told, recording))
    return path


def take(page: Path, into: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
                tab = context.new_page()
                tab.goto(page.as_uri())
                picture = into / f"report-{name}-{scheme}.png"
                tab.screenshot(path=picture)
                print(f"{picture}  {picture.stat().st_size / 1000:.0f} kB")
                context.close()
        browser.close()


def main() -> None:
    from botattack.recordings.reader import events

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, help="what is shown; else the demo is run")
    parser.add_argument("--into", type=Path, default=HERE, help="where the pictures go")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        recording = given.run or demo(Path(work))
        take(pages(Path(work), lambda: events(recording), f"recordings/{recording.name}"), given.into)


if __name__ == "__main__":
    main()
