"""Each shape of a deployed assistant, asked by a target file that was written by hand: the exact text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest

from botattack.config.target import load_target
from botattack.protocols import Target
from tests.servers.shapes import QUESTIONS, SHAPES, Shape, answer, serving
from tests.targets.asking import ask

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def closing(target: Target) -> AsyncIterator[Target]:
    try:
        yield target
    finally:
        await target.close()


def opened(shape: Shape, base_url: str, folder: Path) -> Target:
    path = folder / f"{shape.name}.yaml"
    path.write_text(shape.file_at(base_url), "utf-8")
    return load_target(path, environ=shape.environ, today=date(2026, 11, 2)).open()


def test_there_are_forty() -> None:
    assert len({shape.name for shape in SHAPES}) == len(SHAPES) == 40
    assert len({answer(question) for question in QUESTIONS}) == len(QUESTIONS) == 10


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
async def test_a_file_written_by_hand_reads_the_exact_text(shape: Shape, tmp_path: Path) -> None:
    if shape.name == "lex":
        pytest.importorskip("botocore")
    async with serving() as base_url, closing(opened(shape, base_url, tmp_path)) as target:
        said = {question: (await ask(target, question)).text for question in QUESTIONS}
    assert said == {question: answer(question) for question in QUESTIONS}
