"""Counts what `botattack init --from-log` finds and what it leaves, on a log whose parts are known.

BOTATTACK_DATA=data python -m benchmarks.logs.measure [--kept-back | --third | --fresh | --fifth | --sixth | --seventh] [CHATS]
"""

from __future__ import annotations

import os
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from rapidfuzz import fuzz, process

from benchmarks.logs.recipe import Log, build
from botattack.audit.starting.logs.counting import SHARED
from botattack.audit.starting.logs.suite import Group, LogSettings, grouped
from botattack.text.folding import folded

NEAR = 80
"""Similarity in per cent from which a question of the suite is taken for one that was asked."""
_SIGN = re.compile("[\ue000-\uf8ff]")
_WORD = re.compile(r"[^\W\d_]+")


def main() -> None:
    parts = {
        "--kept-back": (1, 20261),
        "--third": (2, 555),
        "--fresh": (3, 390917),
        "--fifth": (4, 481129),
        "--sixth": (5, 77001),
        "--seventh": (6, 770439),
    }
    part, seed = next((parts[arg] for arg in sys.argv if arg in parts), (0, 7))
    chats = int(next((arg for arg in sys.argv[1:] if arg.isdecimal()), "10000"))
    log = build(Path(os.environ["BOTATTACK_DATA"]), chats, seed, part)
    began, cpu = time.monotonic(), time.process_time()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        log.write(path)
        groups, summary = grouped(LogSettings((path,)))
    print(f"{summary.chats:,} chats, {summary.messages:,} messages of users; {time.monotonic() - began:.1f} s, "
          f"{time.process_time() - cpu:.1f} CPU s, peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")  # fmt: skip
    print(
        f"asked {summary.asked:,}, lost {summary.lost:,}, questions {len(groups):,}, replaced {dict(summary.replaced)}"
    )
    left(log, [*groups.values()])
    kept(log, [*groups.values()])


def left(log: Log, groups: list[Group]) -> None:
    """What of the planted data is in any wording, not only in the usual one."""
    texts = [wording.text for group in groups for turns in group.wordings for wording in turns]
    plain = "\n".join(texts)
    words = [[folded(word) for word in _WORD.findall(text)] for text in texts]
    runs, known = numbers(plain), {word for said in words for word in said} - log.typed
    values = [
        (what, value)
        for what, value in log.values
        if value in plain
        or any(len(run) > 4 and run in other for run in numbers(value) for other in runs)
        or any(len(word) > 4 and folded(word) in known for word in _WORD.findall(value))
    ]
    print(f"structured values: {len(values)} of {len(log.values)} left {values[:5]}")
    seen = {word for said in words for word in said}
    pairs = {f"{one} {other}" for said in words for one, other in pairwise(said)}
    by: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: Counter[str] = Counter()
    for code, name, beside in log.names:
        # A name that is also a word of a question is looked for where it was a name.
        is_left = folded(beside) in pairs if folded(name) in log.typed else folded(name) in seen
        told = not beside and folded(name) in log.typed
        by[code]["cannot be told" if told else "left" if is_left else "gone"] += 1
        wrong[name] += is_left and not told
    for code, counts in by.items():
        told = counts["left"] + counts["gone"]
        print(
            f"names {code}: {counts['left']} of {told} left ({counts['left'] / told:.2%}); {counts['cannot be told']} cannot be told"
        )
    print([item for item in wrong.most_common(25) if item[1]])


def numbers(text: str) -> set[str]:
    """The digits of each number in a text, whatever marks are between them; what words part are two numbers."""
    return {"".join(filter(str.isdecimal, run)) for run in re.findall(r"\d(?:[^\w\n]*\d)*", text)}


def kept(log: Log, groups: list[Group]) -> None:
    """Which questions are in the suite, and what of the suite is one."""
    origin = {text: name for name, texts in log.questions.items() for text in texts}
    wordings = [
        (at, turns[-1].text, times, len(turns))
        for at, group in enumerate(groups)
        for turns, times in group.wordings.items()
    ]
    bare = [form(text) for _, text, _, _ in wordings]
    known = [*origin]
    forms = [form(text) for text in known]
    exact = dict(zip(forms, known, strict=True))
    found: dict[str, Counter[int]] = defaultdict(Counter)
    of: dict[int, Counter[str]] = defaultdict(Counter)
    for (at, text, times, turns), one in zip(wordings, bare, strict=True):
        name = (
            "\1"
            if turns > 1
            else exact.get(one) or origin_of(one, bool(_SIGN.search(text)), forms, known) or "\0" + text
        )
        of[at][name] += times
        found[name][at] += times
    shared = {text for text, chats in log.askers.items() if len(chats) >= SHARED}
    print(f"all: {sum(text in found for text in origin) / len(origin):.1%} of {len(origin)} questions kept; "
          f"{sum(text in found for text in shared) / len(shared):.1%} of the {len(shared)} of three conversations or more")  # fmt: skip
    for name, texts in log.questions.items():
        have = [text for text in texts if text in found]
        often = [text for text in texts if len(log.askers[text]) >= SHARED]
        print(f"{name}: {len(have)} of {len(texts)} questions kept ({len(have) / len(texts):.1%}); asked in three conversations or more: "
              f"{sum(text in found for text in often) / max(1, len(often)):.1%} of {len(often)}; of what was asked {sum(texts[t] for t in have) / sum(texts.values()):.1%}")  # fmt: skip
    missing = [text for text in origin if text not in found]
    print("missing:", missing[:12])
    odd = [name[1:] for name in found if name.startswith("\0")]
    total = sum(map(Counter.total, found.values()))
    strange = sum(found[name].total() for name in found if name.startswith("\0"))
    print(f"precision: {1 - strange / total:.1%} of askings in the suite are of questions; odd: {odd[:15]}")
    alone = [found[text] for text in origin if text in found]
    together = sum(max(counts.values()) for counts in alone) / sum(counts.total() for counts in alone)
    pure = sum(max(counts.values()) for counts in of.values()) / sum(map(Counter.total, of.values()))
    print(
        f"grouping: {together:.1%} of a question's askings are in one group; {pure:.1%} of a group are of one question"
    )
    print(f"follow-ups with what they need: {found[chr(1)].total()} of {log.follow_ups} asked")


def origin_of(one: str, masked: bool, forms: list[str], known: list[str]) -> str:
    """The question that a wording is of: one that is like it, that it is a sentence of, or all of it but the names."""
    if best := process.extractOne(one, forms, scorer=fuzz.ratio, score_cutoff=NEAR):
        return known[best[2]]
    if (
        len(one.split()) >= 3
        and (part := next((at for at, other in enumerate(forms) if one in other), None)) is not None
    ):
        return known[part]
    scorer = fuzz.token_set_ratio if masked else fuzz.partial_ratio
    best = process.extractOne(one, forms, scorer=scorer, score_cutoff=92) if len(one.split()) >= 3 else None
    return known[best[2]] if best else ""


def form(text: str) -> str:
    return " ".join(re.findall(r"\w+", _SIGN.sub(" ", text).casefold()))


if __name__ == "__main__":
    main()
