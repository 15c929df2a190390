"""Who asks: fixed credentials, and tokens that are fetched once for all conversations and renewed when they run out."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode

from msgspec.structs import replace as with_

from botattack.errors import ExtractionFailed, TargetError
from botattack.limits import within
from botattack.options import BadValue, File, Read, file
from botattack.protocols import Learn, Pace
from botattack.targets.http.aws import Part, Scope, signer
from botattack.targets.messages.calls import Url, read_text, template
from botattack.targets.messages.extraction import decoded
from botattack.targets.messages.filling import Caller, as_text, filler
from botattack.targets.messages.selectors import Body, JsonPath, Selector, find
from botattack.templates import Template

if TYPE_CHECKING:
    from botattack.net.client import Client
    from botattack.net.messages import Call, Cookies

Values = Mapping[str, Any]


def read_secret(value: object) -> Template | File:
    """A text, with {{ env.NAME }} for what is secret, or {file: NAME} for the content of a file in this folder."""
    if isinstance(value, Mapping) and set(value) == {"file"}:
        return file(value["file"])
    return read_text(value)


Secret = Annotated[Template | File, Read(read_secret, {"type": ["string", "object"]})]


@dataclass(frozen=True)
class Basic:
    """A user name and a password."""

    user: Secret
    """The name."""
    password: Secret
    """The password: {{ env.NAME }} or {file: NAME}."""


@dataclass(frozen=True)
class ApiKey:
    """A key in a header or in the query."""

    value: Secret
    """The key: {{ env.NAME }} or {file: NAME}."""
    header: str = ""
    """The header that contains it."""
    query: str = ""
    """The parameter that contains it."""

    def __post_init__(self) -> None:
        if bool(self.header) == bool(self.query):
            raise BadValue("name either the header or the query parameter that has the key")


@dataclass(frozen=True)
class OAuth:
    """A token by OAuth client credentials, renewed before it runs out and on 401."""

    url: Url
    """The address that issues tokens."""
    client_id: Secret
    """The client's id."""
    client_secret: Secret
    """{{ env.NAME }} or {file: NAME}."""
    scope: str = ""
    """What is asked for."""
    audience: str = ""
    """The audience, if the server requires it."""
    in_body: bool = False
    """Send the secret as a field instead of a Basic header."""


@dataclass(frozen=True)
class Aws:
    """Requests that are signed as Amazon's services want it (SigV4); pip install "botattack[aws]"."""

    key: Secret = field(default_factory=lambda: template("{{ env.AWS_ACCESS_KEY_ID }}"))
    """The access key's id: by default {{ env.AWS_ACCESS_KEY_ID }}, which `env` must list."""
    secret: Secret = field(default_factory=lambda: template("{{ env.AWS_SECRET_ACCESS_KEY }}"))
    """The secret access key: by default {{ env.AWS_SECRET_ACCESS_KEY }}, which `env` must list."""
    token: Secret | None = None
    """The session's token, for keys that expire: {{ env.AWS_SESSION_TOKEN }}."""
    region: Part = ""
    """Such as us-east-1; by default read from the host."""
    service: Part = ""
    """The name of the service in signatures, such as lex or bedrock; by default read from the host."""


@dataclass(frozen=True)
class Auth:
    """Credentials, in one of five ways; sent with every call except the login."""

    basic: Basic | None = None
    """A user name and a password."""
    bearer: Secret | None = None
    """A token: {{ env.NAME }}, {file: NAME}, or {{ login.NAME }}."""
    api_key: ApiKey | None = None
    """A key in a header or in the query."""
    oauth: OAuth | None = None
    """A token by OAuth client credentials."""
    aws: Aws | None = None
    """A signature of each request, for Amazon's services."""

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.basic, self.bearer, self.api_key, self.oauth, self.aws)) != 1:
            raise BadValue("give exactly one of basic, bearer, api_key, oauth and aws")


Authorise = Callable[["Call", Values], "Call"]


class Credentials:
    """Fills secrets, and knows those that came from files."""

    def __init__(self, env: Mapping[str, str], folder: Path) -> None:
        self._env = env
        self._folder = folder
        self.from_files: set[str] = set()

    def fill(self, secret: Template | File, place: str) -> Callable[[Values], str]:
        if isinstance(secret, File):
            content = self._content(secret)
            self.from_files.add(content)
            return lambda _: content
        fill = filler(secret, self._env, place)
        return lambda values: as_text(fill(values))

    def _content(self, secret: File) -> str:
        try:
            content = secret.under(self._folder).read_text(encoding="utf-8").strip()
        except UnicodeDecodeError:
            raise ValueError(f"{secret.text} is not UTF-8 text") from None
        if not content:
            raise ValueError(f"{secret.text} is empty; write the secret into it")
        return content

    def authorise(self, auth: Auth | None) -> Authorise:
        """What adds the credentials to a call."""
        if auth is None:
            return lambda call, _: call
        if auth.basic is not None:
            return self._header("authorization", self.basic(auth.basic.user, auth.basic.password, "connect.auth.basic"))
        if auth.bearer is not None:
            token = self.fill(auth.bearer, "connect.auth.bearer")
            return self._header("authorization", lambda values: f"Bearer {token(values)}")
        if auth.api_key is not None:
            return self._key(auth.api_key)
        if auth.aws is not None:
            return self._signed(auth.aws)
        return self._header("authorization", lambda values: f"Bearer {values['login']['token']}")

    def basic(self, user: Template | File, password: Template | File, place: str) -> Callable[[Values], str]:
        name, secret = self.fill(user, f"{place}.user"), self.fill(password, f"{place}.password")
        return lambda values: "Basic " + b64encode(f"{name(values)}:{secret(values)}".encode()).decode()

    def _signed(self, aws: Aws) -> Authorise:
        sign, place = signer(Scope(aws.region, aws.service)), "connect.auth.aws"
        parts = {"key": aws.key, "secret": aws.secret, "token": aws.token}
        fills = [self.fill(part, f"{place}.{name}") if part else lambda _: "" for name, part in parts.items()]
        return lambda call, values: sign(call, *(fill(values) for fill in fills))

    def _key(self, key: ApiKey) -> Authorise:
        value = self.fill(key.value, "connect.auth.api_key.value")
        if key.header:
            return self._header(key.header.lower(), value)

        def authorise(call: Call, values: Values) -> Call:
            between = "&" if "?" in call.url else "?"
            return with_(call, url=f"{call.url}{between}{urlencode({key.query: value(values)})}")

        return authorise

    @staticmethod
    def _header(name: str, value: Callable[[Values], str]) -> Authorise:
        def authorise(call: Call, values: Values) -> Call:
            others = tuple(pair for pair in call.headers if pair[0] != name)
            return with_(call, headers=(*others, (name, value(values))))

        return authorise


def _learn_nothing(secrets: Iterable[str]) -> None:
    """Learns nothing."""


class SignIn:
    """The values of a login, fetched once for all conversations; `renew` fetches them again once for all."""

    def __init__(self, fetch: Callable[[Pace, Cookies], Any]) -> None:
        from botattack.net.messages import Cookies

        self._fetch = fetch
        self._lock = asyncio.Lock()
        self._values: Values | None = None
        self.learn: Learn = _learn_nothing
        """Gets every token of 8 characters or more that is given out, so that it is masked: a bot may repeat an old
        one. Shorter ones would mask parts of ordinary words."""
        self._until: float | None = None
        self.cookies = Cookies()

    async def values(self, pace: Pace) -> Values:
        """Raises a TargetError if logging in fails."""
        if self._values is None or (self._until is not None and asyncio.get_running_loop().time() >= self._until):
            await self.renew(self._values, pace)
        assert self._values is not None  # noqa: S101
        return self._values

    async def renew(self, stale: Values | None, pace: Pace) -> None:
        """Logs in again, unless somebody else has since `stale` was given out."""
        async with self._lock:
            if self._values is stale:
                self._values, seconds = await self._fetch(pace, self.cookies)
                self.learn(value for value in self._values.values() if isinstance(value, str) and len(value) >= 8)
                self._until = None if seconds is None else asyncio.get_running_loop().time() + seconds


def by_call(client: Client, caller: Caller, env: Mapping[str, str]) -> SignIn:
    """Logs in by a call of the target file, which takes values of the reply."""

    async def fetch(pace: Pace, cookies: Cookies) -> tuple[Values, None]:
        body = await _fetched(client, caller.call({"env": env}), pace, cookies, "connect.login")
        found = {}
        for name, where in caller.request.take.items():
            values = _found(where, f"connect.login.take.{name}", body)
            if not values:
                sentence = f"there is nothing at {where.source} in the reply to the login"
                raise ExtractionFailed(sentence, delivered=True, place=f"connect.login.take.{name}")
            found[name] = values[0]
        return found, None

    return SignIn(fetch)


def _found(where: Selector, place: str, body: Body) -> list[Any]:
    """What is at a place; what the reply contains is never shown, as it may be a token."""
    try:
        return find(where, place, body)
    except TargetError as error:
        sentence = f"{where.source} cannot be found in the reply to the login: is it JSON?"
        raise ExtractionFailed(sentence, delivered=True, place=error.place) from None


_LIFE = 10.0, 1e9
"""Seconds that a token is taken to live at least, whatever its server says: a 401 renews it anyway; and at most."""
_TOKEN, _EXPIRES = JsonPath("$.access_token"), JsonPath("$.expires_in")


def by_oauth(client: Client, oauth: OAuth, credentials: Credentials, env: Mapping[str, str]) -> SignIn:
    """RFC 6749, section 4.4. A tenth of the token's life is left unused."""
    from botattack.net.messages import Call

    place = "connect.auth.oauth"
    name = credentials.fill(oauth.client_id, f"{place}.client_id")
    secret_of = credentials.fill(oauth.client_secret, f"{place}.client_secret")
    address = filler(oauth.url, env, f"{place}.url")

    async def fetch(pace: Pace, cookies: Cookies) -> tuple[Values, float | None]:
        who, secret = name({}), secret_of({})
        fields = {"grant_type": "client_credentials", "scope": oauth.scope, "audience": oauth.audience}
        headers = [("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json")]
        if oauth.in_body:
            fields |= {"client_id": who, "client_secret": secret}
        else:
            # RFC 6749, section 2.3.1: both are encoded before they are joined, as an id may contain a colon.
            pair = f"{quote(who, safe='')}:{quote(secret, safe='')}"
            headers.append(("authorization", "Basic " + b64encode(pair.encode()).decode()))
        form = urlencode({key: value for key, value in fields.items() if value}).encode()
        body = await _fetched(client, Call("POST", address({}), tuple(headers), form), pace, cookies, place)
        token, life = _found(_TOKEN, place, body), _found(_EXPIRES, place, body)
        if not token or not isinstance(token[0], str):
            raise ExtractionFailed("the reply of the token server has no access_token", delivered=True, place=place)
        seconds = within(life[0], *_LIFE) if life and isinstance(life[0], int | float) else None
        return {"token": token[0]}, seconds and seconds * 0.9

    return SignIn(fetch)


async def _fetched(client: Client, call: Call, pace: Pace, cookies: Cookies, place: str) -> Body:
    try:
        response, content = await client.fetch(call, pace, cookies)
        return Body(decoded(content, response.header("content-type"), ""), header=response.header)
    except TargetError as error:
        error.place = error.place or place
        raise
