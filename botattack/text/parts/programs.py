"""Language programs of the system: found, fed, and listened to; never through a shell."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from botattack.errors import MissingPart, excerpt

SECONDS = 120.0
"""The longest that a program may work on a batch."""


def program(name: str, missing: str) -> str:
    """Where a program is; raises MissingPart with the sentence `missing` if it is not."""
    found = shutil.which(name)
    if found is None:
        raise MissingPart(missing)
    return found


def answer_of(command: Sequence[str], text: str = "") -> str:
    """What a program writes when it is given a text. Raises MissingPart if it fails or takes too long."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(  # noqa: S603  # a program found by name, its arguments a list
            list(command), input=text.encode(), capture_output=True, timeout=SECONDS, check=True, env=environment
        )
    except subprocess.TimeoutExpired:
        raise MissingPart(f"{command[0]} took longer than {SECONDS:g} s over {len(text):,} characters") from None
    except (OSError, subprocess.CalledProcessError) as error:
        stderr = bytes(error.stderr or b"") if isinstance(error, subprocess.CalledProcessError) else b""
        said = excerpt(stderr.decode("utf-8", "replace"), last=True)
        raise MissingPart(f"{command[0]} failed: {said or error}") from None
    return done.stdout.decode("utf-8", "replace")


@cache
def package_version(package: str) -> str:
    """The version of a Debian package, or "" if that is not known."""
    query = shutil.which("dpkg-query")
    if query is None:
        return ""
    try:
        return answer_of([query, "--showformat=${Version}", "--show", package]).strip()
    except MissingPart:
        return ""
