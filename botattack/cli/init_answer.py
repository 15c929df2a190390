"""What `init` asks its user, and where it reads the bot's answer: proven, or chosen by the user; never guessed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

from botattack.cli.shared_flags import Flags, say, say_wait

if TYPE_CHECKING:
    from botattack.audit.starting.trial import StartedTarget, Trial
    from botattack.targets.proving.proof import Proof


def asked(
    question: str, flag: str, given: Mapping[str, object], default: str | None, kind: Any = None, *, quiet: bool = False
) -> str:
    """An answer of the user; the default with --yes. Where nobody can answer, says which flag does."""
    if given["yes"] and default is not None:
        return default
    try:
        return str(click.prompt(question, default=default, type=kind, err=True, show_default=not quiet))
    except (click.Abort, OSError):
        wanted = "; ".join(dict.fromkeys([flag, *_unsaid(given)]))
        other = "" if given["yes"] else "; or --yes for what is proposed"
        raise click.UsageError(f"nobody is here to answer {question!r}: give {wanted}{other}") from None


def _unsaid(given: Mapping[str, object]) -> Iterator[str]:
    """The flags of everything that may still be asked; with --yes, of what has no proposal."""
    kind, called, proposed = given["kind"], given["command"] or given["openapi"] or given["har"], given["yes"]
    body = kind not in ("page", "openai", "local")
    asked = {
        "--kind": not (called or kind or proposed),
        "--url": not (called or given["url"]),
        "--model": kind == "openai" and not given["model"],
        "--send-json": body and not (called or given["send_json"] or proposed),
        "--ask": not given["asks"] and (kind == "page" or not proposed),
        "--send": given["send"] is None and not proposed,
        "--questions": given["questions"] is None and not proposed,
    }
    return (flag for flag, open_ in asked.items() if open_)


def agreed(question: str, flags: str = "--send or --no-send") -> bool:
    try:
        return click.confirm(question, default=True, err=True)
    except (click.Abort, OSError):
        raise click.UsageError(f"nobody is here to answer {question!r}: give {flags}") from None


def wanted(question: str) -> bool:
    with suppress(click.UsageError):  # nobody is here, and all files are written
        return agreed(question)
    return False


def shown(text: str, replies: Iterable[str] = (), sent: str = "") -> str:
    """A text on one line; a long reply is cut around what is neither in another of the `replies` nor in what was
    `sent`."""
    from botattack.report.escape import flowing

    return flowing(text, usual=next((reply for reply in replies if reply != text), ""), sent=sent)


def placed(given: Flags, started: StartedTarget) -> str:
    """The target file with the place of the answer."""
    from botattack.audit.starting.fetching import tried
    from botattack.audit.starting.places import fixed_conversations, fixed_told
    from botattack.engine.outside import Outside
    from botattack.targets.proving.proof import prove

    config = started.loaded()
    where = ", ".join(sorted(config.hosts))
    named = [name for name, value in config.env.items() if os.environ.get(name) == value]
    if named and given["send"] is not False:
        say(f"sends      the value of {', '.join(named)} from the environment to {where}")
    if given["send"] is None:
        given["send"] = given["yes"] or agreed(
            f"Send 6 messages or a few more, such as {given['asks'][0]!r} to {where}?"
        )
    fixed = fixed_conversations(started.value["connect"])
    if not given["send"]:
        if told := fixed_told(started.value["connect"]):
            say(f"note       {told}")
        if given.get("seen") and not given["answer"]:
            return started.reading(_chosen(given, prove(given["seen"]))).text
        if not given["answer"] and not started.reads:
            raise click.UsageError("nothing is sent, so say where the answer is: give --answer JSONPATH, or --send")
        stream = {"stream": {"format": "sse"}} if started.accepts_events else {}
        return (started if started.reads else started.reading(_at(given["answer"]) | stream)).text
    trial, proof = tried(started, given["asks"], Outside(config.limits, say_wait))
    finished = started = trial.started
    for place in [] if fixed_told(started.value["connect"]) else fixed:
        say(f"note       {place[-1]}: each conversation sends a new id, which the bot answers like the copied one")
    if not started.reads:
        options = _chosen(given, proof)
        # An answer of the user's own is not proven, but shown.
        proof = proof if proof.options == options else replace(proof, chosen=None)
        finished = started.reading(options)
    elif not proof.proven:
        _refused(proof)
    _show(trial, trial.again(finished, proof))
    return finished.text


def tried_code(given: Flags, started: StartedTarget) -> str:
    """The target file of a bot that is Python code: its answer is what it returns, and it is run with the user's word
    alone."""
    from botattack.audit.starting.trial import PLAIN, Trial
    from botattack.engine.outside import Outside

    given["send"] = given["send"] is not False
    if given["send"] and not (given["allow_code"] or given["yes"]):
        call = started.value["connect"]["call"]
        given["send"] = given["allow_code"] = agreed(f"Run {call} on this machine?", "--allow-code or --no-send")
    if given["send"]:
        started = replace(started, allow_code=given["allow_code"])
        loaded = started.loaded()
        given["takes_passages"] = "passage" in loaded.carries
        trial = Trial(started, (), Outside(loaded.limits, say_wait))
        trial.ask(started, [*dict.fromkeys((*given["asks"], *PLAIN))][:2])
        for asking, text in zip(trial.askings, trial.read, strict=True):
            say(f"asked      {shown(asking.message)}")
            say(f"reads      {shown(text, reversed(trial.read), asking.message)}")
    return started.text


def _at(answer: str) -> Flags:
    return {"extract": {"answer": answer}}


def _show(trial: Trial, proof: Proof) -> None:
    """What the finished file reads in two replies, what it leaves out, and why that is right."""
    from botattack.audit.starting.trial import seen

    for asking, text in list(zip(trial.askings, trial.read, strict=True))[-2:]:
        say(f"asked      {shown(asking.message)}")
        say(f"reads      {shown(text, reversed(trial.read), asking.message)}")
    if proof.chosen is None:
        say("unproven   you chose this place; see whether these are the bot's answers")
        return
    beside = [each for each in seen(proof) if each is not proof.chosen and each.texts != proof.chosen.texts]
    for each in beside:
        say(f"leaves out {each.at}  {shown(each.texts[0], each.texts)}  ({each.fault or 'next to the answer'})")
    for kind in proof.chosen.left_out:
        say(f"leaves out {shown(kind)}")
    say(f"proven     {proof.reason}")
    first = dict[str, str]()
    for asking, text in zip(trial.askings, proof.chosen.texts, strict=False):
        if (before := first.setdefault(asking.message, text)) != text:
            say(f"warning    {shown(asking.message)} was sent twice, with two replies; if one is an error, try again:")
            say(f"           {shown(before, [text])}\n           {shown(text, [before])}")


def _chosen(given: Flags, proof: Proof) -> dict[str, object]:
    """The options that read the answer: where the user says it is, where it is proven to be, or what is chosen now."""
    if given["answer"]:
        return _told(given["answer"], proof)
    if proof.chosen:
        return proof.options
    if given["yes"]:
        _refused(proof)
    say(f"not proven: {proof.reason}")
    for number, line in enumerate(listed := _listed(proof), 1):
        say(f"{number}. {line}")
    how = "a number, or a JSONPath" if listed else "a JSONPath"
    return _told(asked(f"Where is the answer? ({how})", "--answer", given, None), proof)


def _told(told: str, proof: Proof) -> dict[str, object]:
    """The options for a number in the list, or for a JSONPath."""
    from botattack.audit.starting.trial import seen

    places = list(seen(proof))
    if told.isdecimal() and 1 <= int(told) <= len(places):
        return places[int(told) - 1].reading.options
    known = next((each.reading.options for each in proof.candidates if each.at == told), None)
    return known or _at(told)


def _listed(proof: Proof) -> list[str]:
    """The places that were seen, each with its first text and what speaks against it."""
    from botattack.audit.starting.trial import seen

    whys = ((each, each.fault or each.doubt) for each in seen(proof))
    return [f"{each.at}  {shown(each.texts[0], each.texts)}{f'  ({why})' if why else ''}" for each, why in whys]


def _refused(proof: Proof) -> NoReturn:
    """Raises BadStart with what was seen."""
    from botattack.audit.starting.call import BadStart

    told = "".join(f"\n  {line}" for line in _listed(proof))
    listed = " or one of the places below, whole," if told else ""
    raise BadStart(
        f"not proven where the answer is: {proof.reason}\n"
        f"Give --answer with a JSONPath{listed} or --ask for two questions or more with "
        "different answers." + (f" The replies contain:{told}" if told else "")
    )
