"""A curl command, read as the shell and curl would read it. Nothing is run, and no file that it names is read."""

from __future__ import annotations

import json
import re
import shlex
from urllib.parse import parse_qsl, urlencode

import click

from botattack.audit.starting.call import BadStart, Call
from botattack.options import JsonObject

_OF_WINDOWS = re.compile(r"""\^["%&{}\[\]<>|!]|\^\\\^"|(?m:\s\^\s*$)|\s\^\s|[{,:]""|%%[0-9A-Fa-f]{2}""")
"""How cmd.exe escapes, and what browsers write for it, outside of the single quotes of other shells."""
MAX_COMMAND = 200_000
_MANY = (
    *("-d/--data/--data-ascii/--data-raw/--data-binary", "-F/--form/--form-string", "-H/--header"),
    *("--data-urlencode", "--json"),
)
_ONE = ("-X/--request", "-A/--user-agent", "-e/--referer", "-b/--cookie", "-u/--user", "--oauth2-bearer", "--url")
_IGNORED_FLAGS = (
    *("-s/--silent", "-S/--show-error", "-L/--location", "-i/--include", "-v/--verbose", "-N/--no-buffer"),
    *("-f/--fail", "--fail-with-body", "--compressed", "-g/--globoff", "-#/--progress-bar", "-4/--ipv4", "-6/--ipv6"),
    *("--http1.1", "--http2", "--http1.0", "--no-progress-meter", "--location-trusted", "--basic"),
)
_IGNORED_VALUES = (
    *("-o/--output", "-w/--write-out", "-m/--max-time", "--connect-timeout", "--retry", "-c/--cookie-jar"),
    *("--max-redirs", "--retry-delay"),
)


def read_curl(command: str) -> Call:
    """The request that a curl command makes; raises BadStart with what of it cannot be read."""
    if len(command) > MAX_COMMAND:
        raise BadStart(f"the curl command has more than {MAX_COMMAND:,} characters; shorten its body")
    words, names = _words(command)
    given = _options(words[1:])
    urls = [*given["words"], *filter(None, [given["url"]])]
    if len(urls) != 1:
        found = "no URL" if not urls else f"{len(urls)} URLs"
        raise BadStart(f"the curl command has {found}; give one request to the bot, with everything in quotes")
    url = urls[0] if "://" in urls[0] else f"http://{urls[0]}"
    headers = _headers(given)
    body = _body(given, headers)
    if given["get"] and (query := body.pop("query", "")):
        url += ("&" if "?" in url else "?") + query
    notes = (
        ["-k is left out: certificates are always verified; name yours under tls: {ca: …}"] if given["insecure"] else []
    )
    if given["proxy"]:
        notes.append("the proxy is left out; name it under connect: {proxy: …}")
    return Call(url, given["request"] or "", headers, **body, user=given["user"] or "", env=names, notes=tuple(notes))


def _words(command: str) -> tuple[list[str], frozenset[str]]:
    """The words and the variables, as `shell_words` gives them; raises BadStart for what is no curl command."""
    if found := _OF_WINDOWS.search(re.sub("'[^']*'", "''", command)):
        sign = found[0].strip()
        raise BadStart(
            f'the command is for cmd.exe of Windows (it contains {sign}); copy it with "Copy as cURL (bash)"'
        )
    words, names = shell_words(command.strip().removeprefix("$ "))
    if not words or words[0].rpartition("/")[2] not in ("curl", "curl.exe"):
        raise BadStart(
            'this is not a curl command: it must begin with the word curl, as what "Copy as cURL (bash)" gives'
        )
    return words, names


def _options(words: list[str]) -> JsonObject:
    """What each option of curl was given, read by click."""
    parameters: list[click.Parameter] = [click.Argument(["words"], nargs=-1)]
    parameters += [click.Option(each.split("/"), multiple=True) for each in _MANY]
    parameters += [click.Option(each.split("/")) for each in (*_ONE, *_IGNORED_VALUES, "-x/--proxy")]
    # What is ignored gets a name of ours: click can make none of --http1.1.
    ignored = enumerate(_IGNORED_FLAGS)
    parameters += [click.Option([*each.split("/"), f"flag_{at}"], is_flag=True) for at, each in ignored]
    parameters += [click.Option(each.split("/"), is_flag=True) for each in ("-G/--get", "-k/--insecure", "-I/--head")]
    command = click.Command("curl", params=parameters, add_help_option=False)
    try:
        return command.make_context("curl", words, auto_envvar_prefix=None).params
    except click.UsageError as error:
        said = error.format_message().rstrip(".")
        raise BadStart(f"the curl command has an option that is not understood: {said}; leave it out") from None


def _headers(given: JsonObject) -> dict[str, str]:
    headers = {}
    for line in given["header"]:
        name, colon, value = line.partition(":")
        if colon and value.strip():
            headers[name.strip()] = value.strip()
    named = {"User-Agent": given["user_agent"], "Referer": given["referer"], "Cookie": given["cookie"]}
    if given["oauth2_bearer"]:
        named["Authorization"] = f"Bearer {given['oauth2_bearer']}"
    return headers | {name: value for name, value in named.items() if value}


def _body(given: JsonObject, headers: dict[str, str]) -> JsonObject:
    """The body as `Call` has it; with -G, the query that it becomes."""
    pieces = [*given["data"], *given["data_urlencode"], *given["json"]]
    _no_files(given)
    if given["form"]:
        # What curl takes for the type of the part, it does not send as its text.
        told = [_pair(re.sub(r";(?:type|filename|encoder|headers)=[^;]*$", "", piece)) for piece in given["form"]]
        return {"multipart": dict(told)}
    if not pieces:
        return {}
    encoded = [urlencode([_pair(piece)]) for piece in given["data_urlencode"]]
    text = "&".join([*given["data"], *encoded]) if not given["json"] else "".join(given["json"])
    if given["get"]:
        return {"query": text}
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    if "multipart/form-data" in kind:
        return {"multipart": _parts(text, kind)}
    return _read(text, kind, is_json=bool(given["json"]))


def _read(text: str, kind: str, *, is_json: bool) -> JsonObject:
    try:
        return {"json": json.loads(text)}
    except ValueError as error:
        if is_json or "json" in kind:
            raise BadStart(f"the body of the curl command is not JSON: {error}; check its quotes") from None
    if "=" in text and ("form" in kind or not kind):
        return {"form": dict(parse_qsl(text, keep_blank_values=True))}
    return {"text": text}


def _no_files(given: JsonObject) -> None:
    """Raises BadStart for what curl would read from a file."""
    files = [piece for piece in (*given["data"], *given["json"]) if piece.startswith("@")]
    files += [piece for piece in given["data_urlencode"] if re.match(r"[^=@]*@", piece)]
    files += [piece for piece in given["form"] if re.match(r"[^=]*=[@<]", piece)]
    if files:
        raise BadStart(f"the curl command reads its body from a file ({files[0][:100]}); put the body in its place")


def _parts(text: str, kind: str) -> dict[str, str]:
    """The fields of a body that a browser copied as it was sent; raises BadStart if one is a file."""
    boundary = re.search(r'boundary="?([^";\s]+)', kind)
    if not boundary:
        raise BadStart("the curl command names no boundary; add it: multipart/form-data; boundary=…")
    found: dict[str, str] = {}
    for part in text.replace("\r\n", "\n").split(f"--{boundary[1]}"):
        head, blank, value = part.strip("\n").partition("\n\n")
        if blank and (name := re.search(r'\bname="([^"]*)"', head)):
            if "filename=" in head:
                raise BadStart(f"the curl command sends a file ({name[1]}); leave that part out")
            found[name[1]] = value
    return found


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


_NAME = r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))"
_PART = re.compile(
    rf"""\$'(?P<ansi>(?:[^'\\]|\\.)*+)'|'[^']*+'|(?P<double>"(?:[^"\\]|\\.)*+")|\\.|{_NAME}""", re.DOTALL | re.ASCII
)
"""What a shell reads in its own way: a quoted part, an escaped character, a variable."""
_IN_DOUBLE_QUOTES = re.compile(rf"\\[\n$`]|\\.|{_NAME}", re.DOTALL | re.ASCII)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN_ESCAPES = dict(zip("ntrab0\\'\"?", "\n\t\r\a\b\0\\'\"?", strict=True))


def shell_words(command: str) -> tuple[list[str], frozenset[str]]:
    """The words as bash would split them, and the variables that it would place: {{ env.NAME }} stands there.

    It would place none inside single quotes. Raises BadStart for a quote that is never closed.
    """
    names: set[str] = set()

    def variable(found: re.Match[str]) -> str:
        names.add(name := found[found.lastindex or 0])
        return f"{{{{ env.{name} }}}}"

    def in_double_quotes(found: re.Match[str]) -> str:
        # The two that shlex knows, an escaped quote and backslash, stay for it.
        return variable(found) if found.lastindex else {"\\\n": "", "\\$": "$", "\\`": "`"}.get(found[0], found[0])

    def read(found: re.Match[str]) -> str:
        if found["ansi"] is not None:
            return shlex.quote(_unescaped(found["ansi"]))
        if found["double"] is not None:
            return _IN_DOUBLE_QUOTES.sub(in_double_quotes, found["double"])
        return f'"{variable(found)}"' if found.lastindex else "" if found[0] == "\\\n" else found[0]

    try:
        words = shlex.split(_PART.sub(read, command.replace("\r\n", "\n")))
    except ValueError as error:
        raise BadStart(f"the curl command cannot be split into words: {str(error).lower()}; close the quote") from None
    return words, frozenset(names)


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _PLAIN_ESCAPES.get(match[3], match[0])

    return _ESCAPE.sub(plain, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
