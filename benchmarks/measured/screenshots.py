"""Takes the pictures of the HTML report and of a review page in docs/, in a real browser.

Both show the demo.
python -m benchmarks.measured.screenshots [--run RECORDING]      needs Chromium: playwright install chromium
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from botattack.events import AnyEvent

ROOT = Path(__file__).parents[2]
SIZE = {"width": 1200, "height": 900}
KEYS = {"report": (), "review": ("Enter", *"11121")}
"""What is pressed on each page before its picture is taken."""


def demo(work: Path) -> Path:
    command = [
        str(Path(sys.executable).with_name("botattack")),
        "run",
        "campaigns/demo.yaml",
        "--recordings",
        str(work / "demo"),
    ]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    (recording,) = (work / "demo").iterdir()
    return recording


def report(folder: Path, told: Callable[[], Iterable[AnyEvent]], recording: str) -> Path:
    from botattack.report.writers.material import material, write_report

    path = folder / "report.html"
    write_report(path, material(told, recording))
    return path


def review(folder: Path, recording: Path) -> Path:
    from botattack.audit.reviewing.planning import ReviewSettings, planned
    from botattack.report.writers import review_files

    return review_files.write(folder, planned(recording, ReviewSettings("meaning", ("anna",))), "anna")


def take(pages: Mapping[str, Path], into: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for what, page in pages.items():
            context = browser.new_context(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
            _picture(context.new_page(), page, KEYS[what], into / f"{what}-desktop-light.png")
            context.close()
        browser.close()


def _picture(tab: Any, page: Path, keys: tuple[str, ...], picture: Path) -> None:
    tab.goto(page.as_uri())
    for key in keys:
        tab.keyboard.press(key)
    tab.screenshot(path=picture)
    print(f"{picture}  {picture.stat().st_size / 1000:.0f} kB")


def main() -> None:
    from botattack.recordings.reader import events

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, help="what is shown; else the demo is run")
    parser.add_argument("--into", type=Path, default=ROOT / "docs", help="where the pictures go")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        recording = given.run or demo(Path(work))
        shown = report(Path(work), lambda: events(recording), f"recordings/{recording.name}")
        take({"report": shown, "review": review(Path(work), recording)}, given.into)


if __name__ == "__main__":
    main()
