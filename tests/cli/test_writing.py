"""Files of the user's that are written again: whole or not at all, and by one command at a time."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from botattack.events import VariantJudged
from botattack.recordings import sealing
from botattack.recordings.reader import events
from botattack.recordings.triage import read
from tests.cli.conftest import Botattack
from tests.cli.test_merge import a_campaign, runs
from tests.full_disk import full_disk

BOT = 'connect: {kind: local, call: "file://bot.py:answer"}\nlimits: {rate: unlimited}\n'
FULL = """
import sys
from botattack.cli import main
from tests.full_disk import full_disk
with full_disk(int(sys.argv[1])):
    main(sys.argv[2:])
"""
MARKS = """
import sys
from pathlib import Path
from botattack.audit.marking import NewMark, mark
sys.stdin.readline()
for unit in sys.argv[1:]:
    mark(unit, NewMark("bad-variant", "asks something else"), Path("recordings"))
"""


def a_bot(folder: Path) -> Path:
    (folder / "bot.py").write_text("def answer(text):\n    return 'Pardon me?'\n")
    path = folder / "bot.yaml"
    path.write_text(BOT)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("room", "said", "unsaid"),
    [(40_000, "free some space, then --resume it", "is not sealed"), (10**6, "is not sealed", "--resume")],
)
def test_a_run_that_a_full_disk_stopped_says_that_first(
    botattack: Botattack, folder: Path, monkeypatch: pytest.MonkeyPatch, room: int, said: str, unsaid: str
) -> None:
    """Nor does the seal fit: only a run that came to its end complains of that."""

    def full(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    a_campaign(folder, "")
    monkeypatch.setattr(sealing, "write_whole", full)
    with full_disk(room):
        ended = botattack("run", "campaign.yaml", "--allow-code")
    assert ended.status == 2
    assert said in ended.err
    assert unsaid not in ended.err
    assert "asked:" in ended.out, "how far it came is shown, too"


@pytest.mark.slow
def test_marks_made_at_the_same_time_are_all_kept(botattack: Botattack, folder: Path) -> None:
    a_campaign(folder, "")
    assert botattack("run", "campaign.yaml", "--allow-code").status == 0
    (run,) = runs()
    units = [event.unit for event in events(run) if isinstance(event, VariantJudged) and not event.probe][:12]
    started = [
        subprocess.Popen([sys.executable, "-c", MARKS, *units[at::2]], stdin=subprocess.PIPE, text=True)
        for at in range(2)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()
    assert [process.wait() for process in started] == [0, 0]
    assert {*read(Path("recordings/triage.yaml")).of("numbers")} == {unit.partition(".")[0] for unit in units}
