"""Signatures of seals, made and checked by `ssh-keygen` or `minisign` with the user's own key. No key is kept here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from botattack.errors import MissingPart, RecordingError
from botattack.files import regular, write_whole

NAMESPACE = "botattack"
"""What such a signature is for: one that was made for another purpose is not taken."""
SECONDS = 60.0
"""The longest that checking may take."""
PATIENCE = 600.0
"""The longest that signing may take: a person may have to type a passphrase or touch a key."""
_MINISIGN = b"untrusted comment:"
"""What files of minisign begin with."""
_KEY = re.compile(r"with (\S+) key (SHA256:\S+)")


@dataclass(frozen=True)
class Signature:
    """What is known of a signature. `wrong` says why it does not count, `unchecked` why it could not be looked at;
    `signer` is empty where nobody said whose keys are known."""

    key: str = ""
    signer: str = ""
    wrong: str = ""
    unchecked: str = ""

    @property
    def counts(self) -> bool:
        return not self.wrong and not self.unchecked


def sign(path: Path, key: Path) -> Path:
    """Signs a file with a private key of ssh-keygen or minisign, or with a public key of SSH whose other half an agent
    has. Gives the file of the signature, which is next to it. Raises RecordingError."""
    mini = _is_minisign(key)
    beside = _beside(path, mini)
    if beside.exists() or beside.is_symlink():
        raise RecordingError(f"{path} is signed already; delete {beside.name} to sign it again")
    if mini:
        done = _run("minisign", ["-S", "-s", str(key), "-m", str(path), "-x", str(beside)], path, PATIENCE)
    else:
        done = _ssh_keygen("sign", ["-q", "-f", str(key)], path, PATIENCE)
        if done.stdout:
            write_whole(beside, done.stdout)
    if done.returncode or not beside.exists():
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1][:200] if said else "no signature was written"
        raise RecordingError(f"{path} cannot be signed with {key}: {why}; name a key made by ssh-keygen -t ed25519")
    return beside


def checked(path: Path, signers: Path | None) -> Signature | None:
    """What the signature of a file is worth; None if there is none. `signers` is a file of allowed signers, as
    ssh-keygen(1) describes it, or a public key of minisign: only signatures of its kind are looked at."""
    minis = (False, True) if signers is None else (_is_minisign(signers),)
    for mini in minis:
        beside = _beside(path, mini)
        if beside.is_symlink():
            return Signature(wrong=f"{beside.name} is a link, not a file")
        if beside.exists():
            return _by_minisign(path, beside, signers) if mini else _by_ssh(path, beside, signers)
    return None


def _by_ssh(path: Path, beside: Path, signers: Path | None) -> Signature:
    made = _ssh_keygen("check-novalidate", ["-s", str(beside)], path)
    found = _KEY.search(made.stdout.decode("utf-8", "replace"))
    if made.returncode or not found:
        return Signature(wrong=f"{beside.name} is no signature of {path.name} as it is now")
    key = f"{found[1]} {found[2]}"
    if signers is None:
        return Signature(key)
    named = _run("ssh-keygen", ["-Y", "find-principals", "-s", str(beside), "-f", str(signers)], path)
    names = named.stdout.decode("utf-8", "replace").splitlines()
    if named.returncode or not names:
        return Signature(key, wrong=f"{signers} does not name the key of {beside.name} ({key})")
    if _ssh_keygen("verify", ["-s", str(beside), "-f", str(signers), "-I", names[0]], path).returncode:
        return Signature(
            key, wrong=f"{signers} does not allow {names[0]} to sign with the key of {beside.name} ({key})"
        )
    return Signature(key, names[0])


def _by_minisign(path: Path, beside: Path, signers: Path | None) -> Signature:
    if signers is None:
        return Signature(unchecked=f"{beside.name} is not checked: name the public key with --signers")
    if _run("minisign", ["-V", "-q", "-p", str(signers), "-m", str(path), "-x", str(beside)], path).returncode:
        return Signature(wrong=f"{beside.name} is no signature of {path.name} as it is now by the key of {signers}")
    return Signature("minisign", f"the key of {signers}")


def _is_minisign(key: Path) -> bool:
    try:
        with regular(key) as file:
            return file.read(len(_MINISIGN)) == _MINISIGN
    except OSError as error:
        raise RecordingError(f"{key} cannot be read: {error.strerror}; name the file of a key") from None


def _beside(path: Path, mini: bool) -> Path:
    return path.with_name(f"{path.name}{'.minisig' if mini else '.sig'}")


def _ssh_keygen(
    action: str, arguments: list[str], path: Path, seconds: float = SECONDS
) -> subprocess.CompletedProcess[bytes]:
    return _run("ssh-keygen", ["-Y", action, "-n", NAMESPACE, *arguments], path, seconds)


def _run(name: str, arguments: list[str], path: Path, seconds: float = SECONDS) -> subprocess.CompletedProcess[bytes]:
    """Runs a program over a file, which ssh-keygen reads as its input."""
    program = shutil.which(name)
    if program is None:
        package = "openssh-client" if name == "ssh-keygen" else name
        raise MissingPart(f"{name} is not installed; install {package} to sign recordings and check signatures")
    # minisign takes the path of the file instead, and asks for a password on standard input and output.
    talks = name == "minisign"
    try:
        with path.open("rb") as file:
            return subprocess.run(  # noqa: S603  # a program found by name, its arguments a list
                [program, *arguments],
                stdin=None if talks else file,
                stdout=None if talks else subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=seconds,
                check=False,
                env={**os.environ, "LC_ALL": "C"},
            )
    except subprocess.TimeoutExpired:
        raise RecordingError(f"{name} took longer than {seconds:g} s over {path}; try it again") from None
