"""How a run is shown in this terminal."""

from __future__ import annotations

import sys

from botattack.audit.job import Job, expected_of
from botattack.report.writers.terminal import Terminal


def terminal_of(job: Job, *, alone: bool = True) -> Terminal:
    """Only one that is `alone` redraws its view; others write lines."""
    recording, expected = str(job.folder), expected_of(job)
    return Terminal(sys.stdout, sys.stderr, recording=recording, redraws=alone, expected=expected)
