"""Each option of curl is read in each of its spellings, or said to be one that is not understood."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from botattack.audit.starting.call import BadStart, Call
from botattack.audit.starting.curl import read_curl, shell_words

URL = "http://127.0.0.1:9/ask"
BODY = '{"q": "hi there"}'
PLAIN = f"curl {URL} -d '{BODY}'"
WITHOUT_A_VALUE = (
    *[
        "-s",
        "--silent",
        "-S",
        "--show-error",
        "-L",
        "--location",
        "-i",
        "--include",
        "-v",
        "--verbose",
        "-N",
        "--no-buffer",
        "-f",
        "--fail",
    ],
    *[
        "--fail-with-body",
        "--compressed",
        "-g",
        "--globoff",
        "-#",
        "--progress-bar",
        "-4",
        "--ipv4",
        "-6",
        "--ipv6",
        "--http1.1",
        "--http2",
    ],
    *["--http1.0", "--no-progress-meter", "--location-trusted", "--basic"],
)
WITH_A_VALUE = (
    *[
        "-o",
        "--output",
        "-w",
        "--write-out",
        "-m",
        "--max-time",
        "--connect-timeout",
        "--retry",
        "-c",
        "--cookie-jar",
        "--max-redirs",
    ],
    *("--retry-delay",),
)
SPELLINGS: dict[tuple[str, ...], tuple[str, dict[str, Any]]] = {
    ("-X", "--request"): ("PUT", {"method": "PUT"}),
    ("-A", "--user-agent"): ("me", {"headers": {"User-Agent": "me"}}),
    ("-e", "--referer"): ("there", {"headers": {"Referer": "there"}}),
    ("-b", "--cookie"): ("a=1", {"headers": {"Cookie": "a=1"}}),
    ("-u", "--user"): ("me:it", {"user": "me:it"}),
    ("--oauth2-bearer",): ("t", {"headers": {"Authorization": "Bearer t"}}),
    ("-H", "--header"): ("A:  b:c ", {"headers": {"A": "b:c"}}),
}
"""What each option gives, and what of the request is other than without it."""


def parts(call: Call) -> dict[str, Any]:
    return {name: getattr(call, name) for name in ("url", "method", "headers", "json", "form", "text", "multipart",
                                                   "user", "env", "notes")}  # fmt: skip


@pytest.mark.parametrize("flag", [*WITHOUT_A_VALUE, *(f"{name} 7" for name in WITH_A_VALUE)])
def test_what_changes_nothing_of_a_request_is_left_out(flag: str) -> None:
    assert parts(read_curl(f"{PLAIN} {flag}")) == parts(read_curl(PLAIN))


@pytest.mark.parametrize(("option", "names"), [(each, names) for names in SPELLINGS for each in names])
def test_what_an_option_gives_is_in_the_request(option: str, names: tuple[str, ...]) -> None:
    value, other = SPELLINGS[names]
    assert parts(read_curl(f"{PLAIN} {option} '{value}'")) == parts(read_curl(PLAIN)) | other


@pytest.mark.parametrize("option", ["-d", "--data", "--data-ascii", "--data-raw", "--data-binary"])
def test_a_body_is_what_its_text_and_its_type_say(option: str) -> None:
    def body(text: str, *headers: str) -> dict[str, Any]:
        made = read_curl(" ".join([f"curl {URL} {option} '{text}'", *(f"-H '{each}'" for each in headers)]))
        return {name: value for name, value in parts(made).items() if name in ("json", "form", "text") and value}

    assert body(BODY) == {"json": json.loads(BODY)}
    assert body("q=hi+there&empty=") == {"form": {"q": "hi there", "empty": ""}}
    assert body("q=hi", "content-type: text/plain") == {"text": "q=hi"}
    assert body("q=hi", "CONTENT-TYPE: application/x-www-form-urlencoded") == {"form": {"q": "hi"}}
    assert body("hi there") == {"text": "hi there"}
    with pytest.raises(BadStart, match="is not JSON"):
        body("hi", "Content-Type: application/json")


def test_pieces_of_a_body_are_joined_as_curl_joins_them() -> None:
    pair = "-d a=1 --data b=2 --data-urlencode 'c=3 &4'"
    assert read_curl(f"curl {URL} {pair}").form == {"a": "1", "b": "2", "c": "3 &4"}
    assert read_curl(f"""curl {URL} --json '{{"a":' --json '1}}'""").json == {"a": 1}
    for get in ("-G", "--get"):
        assert read_curl(f"curl {URL} {get} {pair}").url == f"{URL}?a=1&b=2&c=3+%264"
        assert read_curl(f"curl '{URL}?z=0' {get} -d a=1").url == f"{URL}?z=0&a=1"
        assert read_curl(f"curl {URL} {get}").url == URL
    for form in ("-F", "--form", "--form-string"):
        assert read_curl(f"curl {URL} {form} 'q=hi;type=text/plain' {form} b=2").multipart == {"q": "hi", "b": "2"}
    for cut in ("type", "filename", "encoder", "headers"):
        assert read_curl(f"curl {URL} -F 'q=hi;{cut}=x'").multipart == {"q": "hi"}


@pytest.mark.parametrize("flag", ["-k", "--insecure", "-x h:1", "--proxy h:1"])
def test_what_a_file_says_elsewhere_is_a_note(flag: str) -> None:
    (note,) = read_curl(f"{PLAIN} {flag}").notes
    assert ("tls" in note, "proxy" in note) == (flag in ("-k", "--insecure"), "h:1" in flag)


def test_an_address_may_be_an_option_and_need_no_scheme() -> None:
    assert read_curl(f"curl --url {URL}").url == read_curl(f"$ curl {URL}").url == URL
    assert read_curl(f"/usr/bin/curl.exe {URL.removeprefix('http://')}").url == URL
    assert read_curl(f"curl {URL} -I").url == read_curl(f"curl {URL} --head").url == URL


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("curl -d a=1", "no URL"),
        (f"curl {URL} {URL}", "2 URLs"),
        (f"curl --url {URL} {URL}", "2 URLs"),
        (f"wget {URL}", "must begin with the word curl"),
        ("", "must begin with the word curl"),
        (f"{PLAIN} --never-heard-of", "--never-heard-of'; leave it out"),
        (f"{PLAIN} '", "close the quote"),
        (f"curl {URL} -d @body.json", "(@body.json)"),
        (f"curl {URL} --json @body.json", "(@body.json)"),
        (f"curl {URL} --data-urlencode q@body.txt", "(q@body.txt)"),
        (f"curl {URL} -F q=@body.txt", "(q=@body.txt)"),
        (f"curl {URL} -F 'q=<body.txt'", "(q=<body.txt)"),
        (f"curl {URL} -d @{'x' * 200}", f"(@{'x' * 99})"),
        (f"curl {URL} -H 'content-type: multipart/form-data' -d x", "boundary"),
        (f"curl {URL} -d ^{{x", "cmd.exe of Windows (it contains ^{)"),
        (f"curl {URL} -d \"{{\"\"a\"\": 1}}\"", "cmd.exe of Windows"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(command: str, why: str) -> None:
    with pytest.raises(BadStart, match=re.escape(why)):
        read_curl(command)


def test_a_command_has_a_longest_length() -> None:
    with pytest.raises(BadStart, match="more than 200,000"):
        read_curl(f"{PLAIN} -H 'x: {'x' * 200_000}'")


def test_what_a_browser_copied_of_a_form_is_read_field_by_field() -> None:
    kind = "-H 'Content-Type: multipart/form-data; boundary=----X1'"
    field = '------X1\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'

    def sent(*fields: tuple[str, str, str]) -> Call:
        body = "".join(field.format(*each) for each in fields) + "------X1--\r\n"
        return read_curl(f"curl {URL} {kind} --data-raw '{body}'")

    assert sent(("q", "", "hi\nthere"), ("lang", "", "en")).multipart == {"q": "hi\nthere", "lang": "en"}
    with pytest.raises(BadStart, match=r"sends a file \(pic\)"):
        sent(("q", "", "hi"), ("pic", '; filename="a.png"', "x"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((f"$'\\{sign}'", value) for sign, value in zip("ntrab0\\'\"?", "\n\t\r\a\b\0\\'\"?", strict=True)),
        *((f"$'{code}'", value) for code, value in (("\\x41", "A"), ("\\u00e9", "é"), ("\\ud83d\\ude00", "😀"))),
        *((each, each.strip("'\"")) for each in ("'$A'", '"a\\q"', "'a b'")),
        *(('"\\$A"', "$A"), ('"\\`"', "`"), ('"a\\\nb"', "ab"), ("a\\\nb", "ab"), ("\\$A", "$A")),
        *(("$A", "{{ env.A }}"), ("${A}", "{{ env.A }}"), ('"x${A}y"', "x{{ env.A }}y")),
    ],
)
def test_a_word_is_read_as_a_shell_reads_it(written: str, meant: str) -> None:
    words, names = shell_words(f"curl {written}")
    assert (words, names) == (["curl", meant], {"A"} if "env" in meant else frozenset())
