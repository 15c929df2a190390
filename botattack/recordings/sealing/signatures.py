"""Signatures of seals, made and checked by `ssh-keygen` with the user's own key; no key is ever read here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from botattack.errors import MissingPart, RecordingError

NAMESPACE = "botattack"
"""What such a signature is for: one that was made for another purpose is not taken."""
SECONDS = 60.0
"""The longest that checking may take."""
PATIENCE = 600.0
"""The longest that signing may take: a person may have to type a passphrase or touch a key."""
_KEY = re.compile(r"with (\S+) key (SHA256:\S+)")


@dataclass(frozen=True)
class Signature:
    """What is known of a signature. `wrong` says why it does not count; `signer` is empty where nobody said whose
    keys are known."""

    key: str = ""
    signer: str = ""
    wrong: str = ""


def sign(path: Path, key: Path) -> Path:
    """Signs a file with a private key, or with a public one whose other half an agent holds. Gives the file of the
    signature, which lies beside it. Raises RecordingError."""
    beside = path.with_name(f"{path.name}.sig")
    if beside.exists() or beside.is_symlink():
        raise RecordingError(f"{path} is signed already; delete {beside.name} to sign it again")
    done = _ssh_keygen(["sign", "-q", "-f", str(key)], path, PATIENCE)
    if done.returncode or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1][:200] if said else "it wrote no signature"
        raise RecordingError(f"{path} cannot be signed with {key}: {why}; name a key made by ssh-keygen -t ed25519")
    draft = beside.with_suffix(".part")
    draft.write_bytes(done.stdout)
    draft.replace(beside)
    return beside


def checked(path: Path, signers: Path | None) -> Signature | None:
    """What the signature of a file is worth; None if there is none. `signers` is a file of allowed signers, as
    ssh-keygen(1) describes it."""
    beside = path.with_name(f"{path.name}.sig")
    if beside.is_symlink() or not beside.exists():
        return Signature(wrong="it is a link, not a file") if beside.is_symlink() else None
    made = _ssh_keygen(["check-novalidate", "-s", str(beside)], path)
    found = _KEY.search(made.stdout.decode("utf-8", "replace"))
    if made.returncode or not found:
        return Signature(wrong=f"it is no signature of {path.name} as it is now")
    key = f"{found[1]} {found[2]}"
    if signers is None:
        return Signature(key)
    named = _ssh_keygen(["find-principals", "-s", str(beside), "-f", str(signers)], path)
    names = named.stdout.decode("utf-8", "replace").splitlines()
    if named.returncode or not names:
        return Signature(key, wrong=f"{signers} does not name its key ({key})")
    valid = _ssh_keygen(["verify", "-s", str(beside), "-f", str(signers), "-I", names[0]], path)
    if valid.returncode:
        return Signature(key, wrong=f"{signers} does not allow {names[0]} to sign with its key ({key}) at this time")
    return Signature(key, names[0])


def _ssh_keygen(arguments: list[str], path: Path, seconds: float = SECONDS) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise MissingPart("ssh-keygen is not installed; install openssh-client to sign recordings and check signatures")
    action, *others = arguments
    command = [program, "-Y", action, "-n", NAMESPACE, *others]
    if action == "find-principals":
        command = [program, "-Y", action, *others]
    try:
        with path.open("rb") as file:
            return subprocess.run(  # noqa: S603  # a program found by name, its arguments a list
                command,
                stdin=file,
                capture_output=True,
                timeout=seconds,
                check=False,
                env={**os.environ, "LC_ALL": "C"},
            )
    except subprocess.TimeoutExpired:
        raise RecordingError(f"ssh-keygen took longer than {seconds:g} s over {path}; try it again") from None
