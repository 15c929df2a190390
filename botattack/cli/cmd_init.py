"""`botattack init`: from a curl command, an OpenAPI document, a HAR file or a few answers to a campaign that runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from botattack.cli.epilogs import epilog
from botattack.cli.init_answer import agreed, asked, placed, tried_code, wanted
from botattack.cli.init_from_log import from_log
from botattack.cli.shared_flags import FILE, NEW_FOLDER, Flags, allow_code, env_file, once, say

if TYPE_CHECKING:
    from botattack.audit.starting.draft import Draft
    from botattack.audit.starting.starter_files import StarterFiles
    from botattack.audit.starting.trial import StartedTarget

_ENV = re.compile(r"^env: \[(.*)\]", re.MULTILINE)
_CODE = re.compile(r"file://[^:]+:\w+|[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_CONSENT = re.compile(r"^# consent: .*$", re.MULTILINE)
KINDS = ("http", "openai", "websocket", "page", "local")
SOURCES = ("command", "openapi", "har", "kind", "product")


@click.command(epilog=epilog("init"))
@click.option(
    "--curl", "command", help="A curl command that asks the bot, as copied from a browser; - reads it from stdin."
)
@click.option("--openapi", default="", metavar="FILE|URL", help="The bot's OpenAPI document.")
@click.option("--har", type=FILE, help="What a browser recorded while you chatted with the bot (a HAR file).")
@click.option("--operation", default="", help='The operation in it that takes a message, such as "POST /chat".')
@click.option("--kind", type=click.Choice(KINDS), help="How the bot is reached.")
@click.option("--for", "product", default="", metavar="PRODUCT", help="The product that the bot is, such as dify.")
@click.option("--url", default="", help="Its address; of Python code module:function, or file://bot.py:function.")
@click.option("--send-json", default="", metavar="JSON", help='The body of a request: {"text": "{{ question }}"}.')
@click.option("--model", default="", help="The model to ask for, with --kind openai.")
@click.option(
    "--message", default="", help="The text in the curl command to replace with each question, if it is not clear."
)
@click.option("--answer", default="", metavar="JSONPATH", help="Where the answer is in the reply, as $.reply.text.")
@click.option("-q", "--questions", type=FILE, help="Your question file.  [default: a template is written]")
@click.option("--format", "format_", default="", help="The format of the question file.  [default: detected]")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=NAME",
    help="What that file calls a field: question=Request, answers=Reply (repeatable).",
)
@click.option(
    "--from-log",
    "logs",
    multiple=True,
    type=FILE,
    callback=once,
    help="Make the question file from a log of conversations, without personal data (repeatable).",
)
@click.option("--keep", type=FILE, help="With --from-log: words that are not personal, such as products, one per line.")
@click.option("--lang", default="", help="With --from-log: the language of the log, such as de.  [default: detected]")
@click.option("--ask", "asks", multiple=True, help="A question to try; give several with different answers.")
@click.option("--send/--no-send", default=None, help="Send a few messages to prove where the answer is, or not.")
@click.option("--authorised-by", default="", help="Who allowed the attack; needed unless the bot is on this machine.")
@click.option("--until", default="", metavar="DATE", help="The last day of that permission, such as 2027-01-31.")
@click.option("--name", default="", help="The bot's name.  [default: my-bot]")
@click.option("--into", type=NEW_FOLDER, default=Path(), help="The folder for the files.  [default: this one]")
@env_file
@allow_code
@click.option("-y", "--yes", is_flag=True, help="Agree to everything: messages, what is proven, the first run.")
@click.option("--list", "listed", is_flag=True, help="List the templates of target files and do nothing else.")
def init(*, listed: bool, **given: object) -> int:
    """Write a target file, a question file and a first campaign for your bot.

    Takes a curl command, an OpenAPI document or a HAR file, or asks what the bot is, its address, how its answer
    looks, and for the questions. Sends a few messages to the bot, if you agree, and compares the replies until it is
    proven where the answer is; what is not proven is asked, or refused with --yes. Runs the campaign if you gave
    questions. Existing files are never replaced. Secrets in a request become names of environment variables.
    """
    if listed:
        from botattack.cli.cmd_files import list_templates

        list_templates()
        return 0
    return _begun(given)


def _begun(given: Flags) -> int:
    from botattack.audit.starting.starter_files import StarterFiles, told

    _check_together(given)
    given["columns"] = dict(map(_column, given["columns"]))
    name = _named(given)
    files = StarterFiles(given["into"], name)
    if _CODE.fullmatch(given["url"]):
        if any(given[source] for source in SOURCES) and given["kind"] != "local":
            raise click.UsageError(f"--url {given['url']} names Python code: give --kind local with it")
        given["kind"] = "local"
    is_alone = not any(given[source] for source in SOURCES)
    if given["logs"]:
        from_log(files, given, alone=is_alone)
        if is_alone:
            return 0
    files.check(given["questions"])
    if given["questions"] and given["questions"].is_file():  # a pipe can be read only once
        for line in told(given["questions"], given["columns"], given["format_"]):
            say(line)
    if is_alone:
        given["kind"] = asked("What is the bot?", "--kind", given, KINDS[0], click.Choice(KINDS))
    if given["product"]:
        target, env, proven = _from_shape(given, name)
    else:
        page = given["kind"] == "page"
        target, env, proven = (_page(given, name), (), True) if page else _from_call(given, name)
    if given["questions"] is None and not given["yes"]:
        found = asked("A question file (Enter for a template)", "--questions", given, "", quiet=True)
        given["questions"] = Path(found) if found else None
    return _written(files, given, target, env, proven=proven)


def _check_together(given: Flags) -> None:
    if sum(bool(given[source]) for source in SOURCES) > 1:
        raise click.UsageError("--curl, --openapi, --har, --kind and --for each say what the bot is: give one of them")
    if given["logs"] and given["questions"]:
        raise click.UsageError("--from-log makes the question file, and -q names one: give one of them")
    if not given["logs"] and (given["keep"] or given["lang"]):
        raise click.UsageError("--keep and --lang belong to --from-log")
    if bool(given["authorised_by"]) != bool(given["until"]):
        raise click.UsageError("--authorised-by WHO and --until DATE go together: give both, or neither")
    try:
        date.fromisoformat(given["until"] or "2027-01-31")
    except ValueError:
        raise click.BadParameter("write it like 2027-01-31", param_hint="--until") from None


def _column(text: str) -> tuple[str, str]:
    field, equals, name = text.partition("=")
    if not equals or not name:
        raise click.BadParameter(f"write it like question={text.strip('=') or 'NAME'}", param_hint="--column")
    return field.strip(), name


def _named(given: dict[str, object]) -> str:
    from botattack.config.target import read_name

    try:
        return read_name(given["name"] or "my-bot")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--name") from None


def _from_call(given: Flags, name: str) -> tuple[str, Sequence[str], bool]:
    """The target file, the environment names in it, and whether its answer was read out of a real reply."""
    drafted = _drafted(given, name)
    for note in drafted.notes:
        say(f"note       {note}")
    from botattack.audit.starting.trial import PLAIN

    given["asks"] = (*given["asks"], *filter(None, [drafted.asked]), *_own(given)) or (
        asked("What should it be asked?", "--ask", given, PLAIN[0]),
    )
    started = _with_consent(given, drafted, name)
    if started.kind == "local":
        return tried_code(given, started), (), bool(given["send"])
    given["secrets"] = {key: value for key, value in drafted.env.items() if value and key not in os.environ}
    with _leading_on(given, started):
        return placed(given, started), tuple(drafted.env), bool(given["send"])


@contextmanager
def _leading_on(given: Flags, started: StartedTarget) -> Iterator[None]:
    """Where no request was given to read, says what was sent, and how to say what it lacks."""
    from botattack.audit.starting.places import QUESTION
    from botattack.errors import RequestRefused, TargetError

    try:
        yield
    except TargetError as error:
        connect = started.value["connect"]
        if given["kind"] == "openai":
            body = {"model": connect["model"], "messages": [{"role": "user", "content": QUESTION}]}
            connect = {"request": {"url": f"{connect['url']}/chat/completions", "json": body}}
        elif given["kind"] != "http":
            raise
        request = connect["request"]
        sent = json.dumps(request["json"], ensure_ascii=False)
        if isinstance(error, RequestRefused) and error.status in (401, 403):
            data = sent.replace(QUESTION, given["asks"][0])
            curl = shlex.join(["curl", request["url"], "-H", "Authorization: Bearer TOKEN", "-d", data])
            how = "init reads headers from a curl command: write yours into this one, and paste it to init --curl -"
            error.args = (f"{error}; {how}\n  {curl}",)
        elif given["kind"] == "http":
            error.args = (f"{error}; the request had the body {sent}, and --send-json gives another one",)
        raise


def _own(given: Flags) -> list[str]:
    """The first questions of the user's file, which the bot is likely to answer differently."""
    from botattack.audit.starting.starter_files import looked_at

    path = given["questions"]
    return (
        [each.text for each in looked_at(path, given["columns"], given["format_"])[:4]]
        if path and path.is_file()
        else []
    )


def _drafted(given: Flags, name: str) -> Draft:
    from botattack.audit.starting.curl import read_curl
    from botattack.audit.starting.draft import draft
    from botattack.audit.starting.har import read_har
    from botattack.audit.starting.openapi import read_openapi
    from botattack.audit.starting.shapes import drafted

    if given["command"]:
        command = sys.stdin.read() if given["command"] == "-" else given["command"]
        return drafted(read_curl(command), name, given["message"])
    if given["openapi"]:
        return draft(read_openapi(given["openapi"], given["url"], given["operation"]), name, given["message"])
    if not given["har"]:
        return _answered(given, name)
    call, given["seen"] = read_har(given["har"], given["message"])
    given["asks"] = given["asks"] or tuple(dict.fromkeys(each.message for each in given["seen"]))
    return draft(call, name, given["message"])


def _answered(given: Flags, name: str) -> Draft:
    """The target of a user who answers questions."""
    from botattack.audit.starting.call import Call
    from botattack.audit.starting.draft import Draft, draft

    what = "Its code (module:function, or file://bot.py:function)" if given["kind"] == "local" else "Its address"
    url = given["url"] = given["url"] or asked(what, "--url", given, None)
    if given["kind"] == "local":
        return Draft({"kind": "local", "call": url})
    if given["kind"] == "openai":
        model = given["model"] or asked("The model it is asked for", "--model", given, None)
        return Draft({"kind": "openai", "url": url.removesuffix("/chat/completions"), "model": model})
    text = given["send_json"] or asked(
        "A message to it, as JSON", "--send-json", given, '{"message": "{{ question }}"}'
    )
    try:
        body = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"this is not JSON: {error}; check its quotes", param_hint="--send-json") from None
    if given["kind"] == "websocket":
        made = draft(Call("http://127.0.0.1/", json=body), name, given["message"])
        return Draft({"kind": "websocket", "url": url, "send": made.connect["request"]["json"]}, made.env)
    return draft(Call(url, json=body), name, given["message"])


def _with_consent(given: Flags, drafted: Draft, name: str) -> StartedTarget:
    """The target with the consent that the user gives where the bot is on another machine."""
    from botattack.audit.starting.trial import StartedTarget

    value: dict[str, object] = {"name": name}
    if drafted.env:
        value["env"] = list(drafted.env)
    value |= {"connect": drafted.connect}
    if given["kind"] == "local":
        return StartedTarget(name, {**value, "limits": {"rate": "unlimited"}}, os.environ, folder=given["into"])
    environ = {**os.environ, **{key: text for key, text in drafted.env.items() if text}}
    if given["authorised_by"]:
        value["consent"] = {"authorised_by": given["authorised_by"], "until": given["until"]}
        return StartedTarget(name, value, environ)
    from botattack.errors import TrustRefused

    started = StartedTarget(name, value, environ)
    try:
        started.loaded()
    except TrustRefused as refused:
        if given["yes"]:
            raise TrustRefused(f"{refused}\ngive --authorised-by WHO --until DATE") from None
        who = asked("The bot is not on this machine. Who allowed you to test it?", "--authorised-by", given, None)
        until = asked("Until which day? (2027-01-31)", "--until", given, None)
        return StartedTarget(name, {**value, "consent": {"authorised_by": who, "until": until}}, environ)
    return started


def _from_shape(given: Flags, name: str) -> tuple[str, Sequence[str], bool]:
    """The file, the environment names in it, and that nothing of it was proven; says what is to be filled in."""
    from botattack.audit.starting.shapes import file_for, product_named, products, to_fill_in
    from botattack.audit.starting.trial import PLAIN

    product = product_named(given["product"])
    text = file_for(product, name)
    if given["authorised_by"]:
        who, until = json.dumps(given["authorised_by"], ensure_ascii=False), given["until"]
        text = _CONSENT.sub(lambda _: f"consent: {{authorised_by: {who}, until: {until}}}", text)
    say(f"shape      {products()[product].stem}, for {product}; written from public documentation")
    if words := to_fill_in(text):
        say(f"fill in    {', '.join(words)}")
    given["asks"] = given["asks"] or PLAIN[:1]
    found = _ENV.search(text)
    return text, tuple(found[1].split(", ")) if found else (), False


def _page(given: Flags, name: str) -> str:
    """The target file of a chat page, as `targets discover` finds it."""
    from botattack.cli.cmd_page import found_file
    from botattack.errors import ExtractionFailed

    given["asks"] = (*given["asks"], *_own(given)[: max(0, 2 - len(given["asks"]))])
    url = given["url"] or asked("Its address", "--url", given, None)
    if len(given["asks"]) < 2:
        told = [asked(f"A question it knows the answer to ({number} of 2)", "--ask", given, None) for number in (1, 2)]
        given["asks"] = tuple(told)
    if given["send"] is False:
        raise click.UsageError("a page is found by asking it: leave --no-send out, or write its file by hand")
    if given["send"] is None and not given["yes"] and not agreed(f"Send a few messages to {url}?"):
        raise click.UsageError("a page is found by asking it: write its file by hand, see botattack init --list")
    consent = {key: given[key] for key in ("authorised_by", "until")}
    text, doubt = found_file(url, name, None, given["asks"], **consent)
    if doubt:
        raise ExtractionFailed(f"the page was not understood: {doubt}; see botattack targets discover {url}")
    return text


def _written(files: StarterFiles, given: Flags, target: str, env: Sequence[str], *, proven: bool) -> int:
    from botattack.audit.starting.shapes import to_fill_in
    from botattack.audit.starting.starter_files import campaign_text

    questions = files.begin_questions(given["questions"], given["asks"])
    pasted = not given.get("takes_passages")
    campaign = campaign_text(files, questions, given["columns"], given["format_"], pasted=pasted)
    written = [*([] if given["questions"] == questions else [questions]), *files.write(target, campaign, env)]
    for path in written:
        click.echo(f"wrote      {path}")
    if env:
        say(
            f"secrets    {', '.join(env)}: no value was written; the next command copies {files.env.name} to fill it in"
        )
    if not proven:
        say("unproven   nothing was sent: check it before the first run")
    if not given["questions"]:
        say(f"questions  first write yours into {questions}, with the right answers")
    fill_in = bool(given["product"] and to_fill_in(target))
    allow = ["--allow-code"] * (given["kind"] == "local")
    click.echo(f"next       {_next(files, allow, secrets=bool(env), proven=proven, fill_in=fill_in)}")
    if proven and given["questions"] and (given["yes"] or wanted("Run it now, with your questions?")):
        return _run([str(files.campaign), *allow], given.get("secrets", {}))
    return 0


def _run(words: list[str], secrets: Mapping[str, str]) -> int:
    """The exit status of the first run, which sees the secrets of the command as if the environment had them."""
    from botattack.cli.cmd_run import run

    os.environ.update(secrets)
    try:
        status: int = run.main(words, "botattack run", standalone_mode=False)
        return status
    finally:
        for name in secrets:
            os.environ.pop(name, None)


def _next(files: StarterFiles, allow: Sequence[str], *, secrets: bool, proven: bool, fill_in: bool) -> str:
    """A command to paste: the first run of what is proven, else a check. Before it, what is to be filled in is opened,
    and the file of secrets is made."""
    filled = files.env.with_suffix("")
    then = ["botattack", *(["run", str(files.campaign)] if proven else ["check", str(files.target)]), *allow]
    copied = [shlex.join(["cp", str(files.env), str(filled)])] if secrets else []
    edited = [str(filled)] * secrets + [str(files.target)] * fill_in
    opened = [f"${{EDITOR:-vi}} {shlex.join(edited)}"] if edited else []
    return " && ".join([*copied, *opened, shlex.join([*then, *(["--env-file", str(filled)] if secrets else [])])])
