"""`botattack check`: what is sent, what comes back, how it is read, whether conversations are apart, and whether the
bot answers alike in each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog
from botattack.cli.exchange import Exchange, clean_up, try_documents
from botattack.cli.shared_flags import FILE, allow_code, env_file, recordings, say, say_wait

if TYPE_CHECKING:
    from botattack import model
    from botattack.config.target import TargetConfig
    from botattack.engine.memory import Recalled
    from botattack.errors import TargetError
    from botattack.model import Reply
    from botattack.protocols import Target

SILENT = "no reply had any text in it: if there should be one, check how connect.extract finds the answer"
NO_WAY = (
    "it cannot know which conversation continues: the file sends no {{ session }} or {{ history }}, and no cookie came"
)
UNSEEN = "whether its conversations are separate could not be seen"


@click.command(epilog=epilog("check"))
@click.argument("target", type=FILE)
@click.option(
    "--ask",
    "questions",
    multiple=True,
    default=("What can you do?",),
    show_default=True,
    help="The question to ask; each further one, with another answer, makes surer where the answer is.",
)
@recordings
@env_file
@allow_code
def check(target: Path, questions: tuple[str, ...], recordings: Path, allow_code: bool) -> int:
    """Try a target file: send a few messages, in conversations of their own, and show every step.

    Shows each request (secrets masked), the raw reply, the answer found in it and the time it took. The second
    conversation checks that the bot has forgotten the first. The third asks the first question again; a warning says
    if the answer differs. The replies are compared, to prove that what the file reads is the answer, or to say what it
    is instead.

    If the file says how to add documents and has consent for it, one harmless document is added and removed again.
    Before anything is asked, check removes what an unfinished run in the folder of recordings left there.
    """
    from botattack.config.target import load_target

    return asyncio.run(_check(load_target(target, allow_code=allow_code), questions, recordings))


async def _check(config: TargetConfig, questions: Sequence[str], recordings: Path) -> int:
    from botattack.audit.beforehand.reach import reach
    from botattack.audit.secrets import redactor_of, unmasked
    from botattack.closing import IN_ALL, in_time
    from botattack.engine.outside import Outside
    from botattack.errors import TargetError

    click.echo(f"target     {config.name} ({config.path}), kind {config.kind}")
    for line in reach(config):
        click.echo(line)
    target = config.open()
    asker = Outside(config.limits, say_wait).asker(target)
    heard = Exchange(redactor_of(config, target), asker, list(unmasked(config)))
    target.watch(heard)
    try:
        await clean_up(config, target, heard, recordings)
        leaks, doubts = await _conversations(config, target, heard, questions)
        await try_documents(config, target, heard)
    except TargetError as error:
        heard.flush()
        return _failed(config, heard, error)
    finally:
        await in_time(target.close(), IN_ALL)
    _notes(target, heard)
    for advice in config.options.advice(config.limits, heard.first):
        click.echo(f"note       {advice}")
    if leaks:
        click.echo(f"\nto fix     {leaks}")
        return 1
    click.echo(f"\nthe bot answers, but {'; '.join(doubts)}" if doubts else "\nall is well")
    return 0


async def _conversations(
    config: TargetConfig, target: Target, heard: Exchange, questions: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """The first conversation, then a second; what shows of the one in the other, which is to be fixed. Then what this
    could not show, and whether it was warned that the same question has another answer in each session."""
    from uuid import uuid4

    from botattack.engine.memory import recalled

    run = uuid4().hex  # a bot may remember the sessions of an earlier check
    first: list[tuple[str, Reply]] = []
    """What each conversation began with: later replies may repeat what was said before."""

    async def converse(number: int, texts: tuple[str, ...]) -> tuple[Reply, ...]:
        replies = await _converse(config, heard, texts, (run, number))
        first.append((texts[0], replies[0]))
        return replies

    found = await recalled(converse, questions[0])
    leaks = _apart(config, heard, found, possible=target.may_remember)
    silent = () if any(reply.text.strip() for reply in found.first) else (SILENT,)
    if leaks or config.options.reuses_conversations:
        return leaks, silent
    unseen = () if found.seen == "kept" or silent else (UNSEEN,)
    for number, question in enumerate(questions, 2):
        (reply,) = await converse(number, (question,))
        if number > 2:
            click.echo(f"\nasked      {question}\nanswer")
            heard.say("  ", heard.redactor.mask.excerpt(reply.text) or "(nothing: counts as refused)")
    misread = () if silent else _proven(heard, first)
    told = [first[0][1].text, first[2][1].text]
    if _alike(*told):
        return "", (*silent, *unseen, *misread)
    _warn(heard, told)
    return "", (*silent, *unseen, *misread, "see the warning")


def _proven(heard: Exchange, first: Sequence[tuple[str, Reply]]) -> tuple[str, ...]:
    """Says whether what the file reads is proven to be the answer; what is wrong with it, if that is seen."""
    from botattack.report.escape import visible
    from botattack.targets.proving.checking import asking_of, checked

    mask = heard.redactor.text
    askings = [asking_of(message, reply, mask) for message, reply in first]
    found = checked(askings, [mask(reply.text) for _, reply in first])
    more = f"{found.unknown}; more --ask, with different answers, may prove it"
    if found.wrong:
        click.echo(f"\nmisread    {visible(found.wrong)}")
        return ("what is read may not be its answer",)
    click.echo(f"\nproven     {visible(found.proven)}" if found.proven else f"\nunproven   {visible(more)}")
    return ()


def _alike(*replies: str) -> bool:
    return len({" ".join(reply.split()) for reply in replies}) == 1


def _warn(heard: Exchange, told: Sequence[str]) -> None:
    """Says that a question has another answer in each session, and what may be the reason."""
    click.echo("\nwarning    the same question, asked again in sessions of its own, has another answer:")
    for text in told:
        heard.say("  ", text or "(nothing)")
    click.echo(
        "           it counts or tells the time, keeps state between sessions, draws answers by chance, or fails"
    )
    click.echo("           now and then (then find out what fails behind it, or ask more slowly)")
    click.echo("           an unchanged question may seem to break: let each session begin from nothing, ask for the")
    click.echo("           same answer each time (temperature: 0), or ask originals several times (repeat: 3)")


async def _converse(
    config: TargetConfig, heard: Exchange, texts: tuple[str, ...], named: tuple[str, int]
) -> tuple[Reply, ...]:
    """The replies of a conversation of its own; that of number 0 is shown."""
    from botattack.engine.ask import Hears
    from botattack.engine.memory import unit_of

    run, number = named
    began = 0.0

    def begun(_: int) -> None:
        nonlocal began
        began = time.monotonic()

    def said(_begun: int, _turn: int, exchange: model.Exchange, _requests: int) -> None:
        if not heard.quiet:
            _show(config, heard, exchange.reply, time.monotonic() - began)
            heard.quiet = True

    heard.quiet = number > 0
    if not heard.quiet:
        heard.flush()
        click.echo(f"\nasked      {texts[0]}")
    return await heard.asker.replies(unit_of(texts, number, run), Hears(begun=begun, said=said))


def _show(config: TargetConfig, heard: Exchange, reply: Reply, took: float) -> None:
    from botattack.recordings.redaction import WITHHELD

    heard.first = reply.raw
    raw = heard.redactor.reply(reply).raw
    heard.flush(raw)
    piece = f", first piece after {reply.first:.2f} s" if reply.first is not None else ""
    click.echo(f"latency    {reply.latency:.2f} s{piece}; {took:.2f} s with the steps before it")
    steps = config.options.explain(reply.raw) if raw not in ("", WITHHELD) and not reply.refused else iter(())
    if (first := next(steps, None)) is None:
        click.echo("raw reply")
        heard.say("<-", raw or reply.text)
    for place, source, values in (*([first] if first else ()), *steps):
        click.echo(f"extract    {place}: {source}")
        _list_taken(heard, values)
    click.echo("answer")
    heard.say("  ", reply.text or "(nothing: counts as refused)")
    for name, value in reply.fields.items():
        heard.say("  ", f"{name}: {value}")


def _list_taken(heard: Exchange, took: Sequence[object]) -> None:
    for value in took[:5]:
        heard.say("  took", str(value))
    if len(took) > 5:
        click.echo(f"    and {len(took) - 5} more")
    if not took:
        click.echo("    took nothing")


def _apart(config: TargetConfig, heard: Exchange, found: Recalled, *, possible: bool) -> str:
    """Says what is known of sessions, with what was said where a person has to judge it; what is to be fixed, if one
    shows in the next."""
    from botattack.engine.memory import ASK, TELL

    told, answered = [(TELL, reply) for reply in found.first[-2:-1]], [(ASK, reply) for reply in found.first[-1:]]
    if found.seen == "leaks":
        click.echo("\nsessions   the second conversation knew a word of the first")
        _quote(heard, [*told, *((ASK, reply) for reply in found.other)])
        if config.options.reuses_conversations:
            click.echo("           conversation: reuse lets one question change the next, as the file says")
            return ""
        return "conversations are not separate: let each one begin with an id, cookies or context of its own"
    if found.seen == "kept":
        shown = "the bot repeated the word that check gave it, and did not know it in the second conversation"
    else:
        shown = "the bot did not repeat the word that check gave it, not even in the same conversation"
    click.echo(f"\nsessions   {shown}")
    if found.seen != "kept":
        _quote(heard, [*told, *answered])
    if not (found.seen == "kept" or possible):
        click.echo(f"           {_why_not_apart(config)}")
    return ""


def _quote(heard: Exchange, said: Sequence[tuple[str, Reply]]) -> None:
    from botattack.report.escape import flowing

    for message, reply in said:
        click.echo(f"           said     {message}")
        click.echo(f"           replied  {flowing(heard.redactor.text(reply.text)) or '(nothing)'}")


def _why_not_apart(config: TargetConfig) -> str:
    from botattack.audit.starting.places import fixed_told

    return fixed_told(config.document.value.get("connect")) or NO_WAY


def _failed(config: TargetConfig, heard: Exchange, error: TargetError) -> int:
    from botattack.errors import TimedOut
    from botattack.report.escape import visible
    from botattack.targets.messages.extraction import Silent
    from botattack.targets.proving.checking import near_place

    _notes(None, heard)
    place = error.place or ("limits.timeout" if isinstance(error, TimedOut) else "")
    where = f"{config.where(place)}: {place}: " if place else ""
    said = error.told(heard.redactor.mask.excerpt)
    say(f"botattack: {where}{heard.redactor.text(said)}")
    if isinstance(error, Silent):
        if near := near_place(error.said, error.at):
            say(f"  there is a text at {visible(heard.redactor.text(near))}: if that is the answer, write that place")
        say("  if the bot says nothing when it has no answer, set signs: {refused: [nothing]}")
    if heard.first:
        say("  an earlier reply could be read: if the bot fails now and then, try again")
    for note in (*error.__notes__, *filter(None, [heard.redactor.text(heard.littered)])):
        say(f"  {note}")
    return 1 if heard.littered else error.exit_status


def _notes(target: Target | None, heard: Exchange) -> None:
    for note in dict.fromkeys([*heard.notes, *(target.notes() if target else ())]):
        click.echo(f"note       {heard.redactor.text(note)}")
