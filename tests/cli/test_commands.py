"""The list of commands, what has another name now, and what is said of this folder."""

from __future__ import annotations

import inspect
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click
import pytest

from botattack.attacks.combined.shrink import Shrink
from botattack.attacks.combined.why import Why
from botattack.cli import COMMANDS, GONE, RENAMED, commands
from botattack.config.run_keys import HardenKeys, WhyKeys
from botattack.report.training_sets.examples import Order
from tests.cli.conftest import Botattack

ROOT = Path(__file__).parents[2]


def test_the_help_has_room_and_lists_each_command_once(botattack: Botattack) -> None:
    listed = [
        line.split()[0] for line in botattack("--help").out.splitlines() if line.startswith("  ") and line.strip()
    ]
    assert [listed.count(name) for name in COMMANDS] == [1] * len(COMMANDS)
    assert len(COMMANDS) <= 20


def every(command: click.Command = commands, name: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(command)
    for each in command.list_commands(context) if isinstance(command, click.Group) else ():
        inner = cast("click.Group", command).get_command(context, each)
        yield from every(cast("click.Command", inner), f"{name} {each}".strip())
    yield name, command


EXAMPLES = sorted({
    line.strip().replace("\\b", "")
    for _, command in every()
    for line in (command.epilog or "").splitlines()
    if line.strip().startswith("botattack ")
})  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_flag_of_an_example_in_a_help_text_is_one_of_its_command(example: str) -> None:
    words, known = shlex.split(example)[1:], dict(every())
    name = max((name for name in known if f"{' '.join(words)} ".startswith(f"{name} ")), key=len, default="")
    command = known["nightly run" if name == "nightly" else name]
    flags = {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)}
    assert not [word for word in words if word.startswith("-") and word != "-" and word not in flags]


def flags() -> Iterator[tuple[str, click.Option]]:
    for name, command in every():
        yield from ((f"{name} {each.opts[-1]}", each) for each in command.params if isinstance(each, click.Option))


BOUNDS = {
    "run --limit": (1, None),
    "run --concurrency": (1, None),
    "replay --jobs": (1, None),
    "shrink --limit": (1, None),
    "shrink --askings": (3, 1000),
    "why --each": (0, None),
    "why --max-requests": (2, 20),
    "view --port": (0, 65535),
    "nightly run --keep-nights": (1, None),
    "nightly schedule --keep-nights": (1, None),
    "judge review --items": (1, 2000),
    "judge review --seed": (0, None),
    "export --per-attack": (1, None),
    "export --seed": (0, None),
}


def test_each_flag_that_takes_a_number_has_its_bounds() -> None:
    found = {name: flag for name, flag in flags() if isinstance(flag.type, click.IntRange)}
    assert {*found} == {*BOUNDS}
    for name, (least, most) in BOUNDS.items():
        read = found[name].type
        assert read(str(least)) == least
        with pytest.raises(click.BadParameter):
            read(str(least - 1))
        if most is None:
            assert read(str(10**9)) == 10**9
            continue
        assert read(str(most)) == most
        with pytest.raises(click.BadParameter):
            read(str(most + 1))


def test_a_flag_defaults_to_what_a_file_and_the_library_do() -> None:
    default = {name: flag.default for name, flag in flags()}
    assert default["why --each"] == WhyKeys.each
    assert default["why --max-requests"] == Why.most
    assert default["shrink --askings"] == Shrink.askings
    assert default["export --per-attack"] == HardenKeys.per_attack == Order.per_attack
    assert (default["export --seed"], default["export --half"]) == (Order.seed, Order.half)


def test_a_parameter_is_repeated_a_switch_or_needed_as_its_type_says() -> None:
    for name, command in every():
        signature = inspect.signature(command.callback).parameters if command.callback else {}
        for each in command.params:
            if each.name in signature and each.name != "outputs":
                said = str(signature[each.name].annotation)
                many = each.nargs != 1 or each.multiple
                switch = isinstance(each, click.Option) and each.is_flag
                assert (many, switch) == (said.startswith("tuple["), said == "bool"), f"{name} {each.name}: {said}"
                left_out = not isinstance(each.default, str | int | tuple | Path)
                assert many or switch or each.required == (left_out and "None" not in said), (
                    f"{name} {each.name}: {said}"
                )


LETTERS = {
    "-a": {"--attack"},
    "-j": {"--concurrency", "--jobs"},
    "-n": {"--limit"},
    "-o": {"--output"},
    "-q": {"--questions"},
    "-t": {"--target"},
    "-y": {"--yes"},
}


def test_a_letter_stands_for_the_same_flag_in_every_command() -> None:
    short: dict[str, set[str]] = {}
    for name, flag in flags():
        for letter in flag.opts[:-1]:
            short.setdefault(letter, set()).add(flag.opts[-1])
        assert flag.opts[-1].startswith("--"), name
    assert short == LETTERS


@pytest.mark.parametrize("name", GONE)
def test_what_went_says_what_to_do_instead(botattack: Botattack, name: str) -> None:
    ended = botattack(*name.split(), "x")
    assert (ended.status, f"{name!r} is gone: {GONE[name]}" in ended.err) == (2, True)


@pytest.mark.parametrize("name", RENAMED)
def test_an_old_name_gets_the_new_one(botattack: Botattack, name: str) -> None:
    ended = botattack(name, "x")
    assert (ended.status, f"botattack {RENAMED[name]}" in ended.err) == (2, True)
    words = [word for word in RENAMED[name].split() if word.islower() and not word.startswith("-")]
    assert botattack(*[word for word in words if "." not in word], "--help").status == 0


def test_without_arguments_it_says_what_comes_next(botattack: Botattack, folder: Path, campaign: Path) -> None:
    copied = Path("recordings/20260101T020000Z-capitals-1a2b3c4d")
    steps = [
        ("botattack init", lambda: [path.unlink() for path in folder.glob("*.yaml")]),
        ("botattack check my-bot.yaml", lambda: Path("my-bot.yaml").write_text("connect: {kind: http}\n")),
        (
            "botattack run 'my campaign.yaml'",
            lambda: Path("my campaign.yaml").write_text("target: x\nattacks: [case]\n"),
        ),
        ("baseline set recordings/TIME-capitals-ID", lambda: shutil.copytree(ROOT / "recordings" / "example", copied)),
        ("botattack nightly 'my campaign.yaml'", lambda: botattack("nightly", "baseline", "set", copied)),
    ]
    for line, step in steps:
        step()
        ended, run = botattack(), botattack("run")
        assert (ended.status, run.status) == (0, 2)
        assert line in ended.out
        assert ended.out.strip() in run.err


@pytest.mark.parametrize(("files", "more"), [(1, ""), (3, ""), (4, " and 1 more"), (5, " and 2 more")])
def test_only_the_first_files_are_named(files: int, more: str, botattack: Botattack, folder: Path) -> None:
    for number in range(files):
        Path(f"bot-{number}.yaml").write_text("connect: {kind: http}\n")
    names = ", ".join(f"bot-{number}.yaml" for number in range(min(files, 3)))
    assert f": {names}{more}\n" in botattack().out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("compare", "run"), ("./run",)),
        (("merge", "run"), ("./run",)),
        (("judge", "fit", "file"), ("./file", "-o", "weights.json")),
        (("judge", "review", "run", "file"), ("./file", "--collect")),
        (("init", "--from-log", "file"), ("--from-log", "./file")),
    ],
    ids=lambda words: words[0],
)
def test_a_file_named_twice_is_refused(
    botattack: Botattack, folder: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    shutil.copytree(ROOT / "recordings" / "example", folder / "run")
    (folder / "file").write_text("{}")
    ended = botattack(*before, *after)
    assert (ended.status, ended.err.count("named twice")) == (2, 1)


def test_the_nights_show_which_run_is_the_baseline(botattack: Botattack, folder: Path) -> None:
    older, newer = (Path(f"recordings/2026010{day}T020000Z-capitals-1a2b3c4d") for day in (1, 2))
    for copied in (older, newer):
        shutil.copytree(ROOT / "recordings" / "example", copied)
    assert botattack("nightly", "baseline", "set", newer).status == 0
    assert botattack("nightly", "trend", "recordings").status == 0
    page = Path("recordings/trend.html").read_text()
    assert "run, baseline" in page
    # A baseline whose file cannot be read is none; the newest is then compared with the run before it.
    next(Path("recordings/baselines").glob("*.json")).write_text("{")
    ended = botattack("nightly", "trend", "recordings")
    assert (ended.status, "there is no other run" in ended.err, " since " in ended.err) == (0, False, True)
    assert "2 of 2 runs judged again" in ended.err
    assert "run, baseline" not in Path("recordings/trend.html").read_text()
    shutil.rmtree(older)
    assert "there is no other run" in botattack("nightly", "trend", "recordings").err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("export", "x", "-o", "y", "--for", "openai"), "openai-jsonl"),
        (("export", "x", "-o", "y", "--half", "tran"), "train"),
        (("export", "x", "-o", "y", "--half", "zzz"), ""),
    ],
)
def test_the_nearest_choice_of_an_option_is_named(botattack: Botattack, words: tuple[str, ...], meant: str) -> None:
    ended = botattack(*words)
    assert (ended.status, "is not one of" in ended.err) == (2, True)
    assert (f"did you mean {meant!r}?" in ended.err, "did you mean" in ended.err) == (bool(meant), bool(meant))


def test_a_command_that_an_error_proposes_has_the_flags_of_this_one(botattack: Botattack, campaign: Path) -> None:
    Path("keys.env").write_text("KEY=x\n")
    flags = ("--env-file", "keys.env", "--recordings", "there", "--allow-code")
    for words, proposed in (
        (("check", "campaign.yaml"), "botattack run FOLDER/campaign.yaml"),
        (("run", "bot.yaml"), "botattack run -t FOLDER/bot.yaml -q QUESTIONS -a ATTACK"),
    ):
        ended = botattack(*words, *flags)
        said = " ".join(ended.err.split()).replace("FOLDER/", "")
        assert (ended.status, f"{proposed} {' '.join(flags)}".replace("FOLDER/", "") in said) == (2, True), ended.err
