"""Twelve chat pages with a log of what each was asked and what it said: every asking has an answer of its own, so the
log tells whose it is and whether it is whole."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp import WSMsgType, web

_HEAD = """<!doctype html><meta charset=utf-8><style>.row{margin:4px} pre{white-space:pre}</style><script>
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const make = (kind, cls, text = '') => {
  const el = document.createElement(kind); el.className = cls; el.textContent = text; return el;
};
const ask = async (text) => (await fetch('/say', {method: 'POST', body: text})).json();
// Blocks as a page draws them: paragraphs, one list, code.
const fill = (el, blocks) => {
  for (const [kind, text] of blocks) {
    if (kind === 'ul') {
      const list = make('ul', ''); text.forEach((item) => list.append(make('li', '', item))); el.append(list);
    } else if (kind === 'pre') {
      const pre = make('pre', ''); pre.append(make('code', '', text)); el.append(pre);
    } else el.append(make(kind, '', text));
  }
  return el;
};
let changed = Date.now();
const observe = (root) => new MutationObserver(() => { changed = Date.now(); })
  .observe(root, {childList: true, subtree: true, characterData: true});
observe(document);
const hear = (root, answer) => {
  observe(root);
  const box = root.querySelector('#box');
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !box.value.trim()) return;
    const text = box.value; box.value = ''; answer(text);
  });
};
</script>"""
CHANGED = "Date.now() - changed"
"""What a page's script says of the milliseconds since the page has changed last."""
_BOX = "<textarea id=box placeholder='Write a message'></textarea>"
_LOG = f"<main id=log></main>{_BOX}"


def _page(script: str, body: str = _LOG) -> str:
    return f"{_HEAD}<body>{body}<script>{script}</script></body>"


def _chat(answer: str, body: str = _LOG) -> str:
    """`answer` is the body of `async (text) => { … }`."""
    return _page(f"hear(document, async (text) => {{ {answer} }});", body)


_ROW = "log.append(make('div', 'row from-user', text)); "
PLAIN = _chat(_ROW + "log.append(fill(make('div', 'row from-bot'), await ask(text)));")
LISTS = _chat(
    "log.append(make('div', 'Row_mine__q8Zx1', text)); const el = make('div', 'Row_row__x7Fq2');"
    " el.setAttribute('data-role', 'assistant'); const body = make('div', 'sc-bdVaJa kJxQwz');"
    " fill(body, await ask(text)); el.append(body); log.append(el);"
)
"""Hashed class names, and lists and code in every third answer only."""
VIRTUAL = _page(
    "const all = [['bot', [['p', 'Hello!']]]], shown = 4;"
    " const draw = () => { const last = all.slice(-shown), first = all.length - last.length;"
    "  while (log.children.length > last.length) log.lastChild.remove();"
    "  last.forEach(([who, blocks], at) => { const el = log.children[at] ?? log.appendChild(make('div', ''));"
    "   el.className = 'item ' + who; el.replaceChildren(); fill(el, blocks); }); };"
    " draw(); hear(document, async (text) => { all.push(['me', [['p', text]]]); draw();"
    "  const a = await ask(text); all.push(['bot', a]); draw(); });"
)
"""Shows four messages, in elements that are used again."""
NEWEST_FIRST = _page(
    "log.prepend(make('div', 'row bot', 'Hello!'));"
    "hear(document, async (text) => { log.prepend(make('div', 'row me', text));"
    " const a = await ask(text); log.prepend(fill(make('div', 'row bot'), a)); });"
)
BUBBLES = _chat(
    _ROW + "const a = await ask(text); for (const block of a) {"
    " log.append(fill(make('div', 'row from-bot'), [block])); await sleep(300); }"
)
"""Each paragraph in a bubble of its own."""
TYPEWRITER = _chat(
    _ROW + "const a = await ask(text), el = make('div', 'row from-bot'); log.append(el);"
    " for (const [kind, said] of a) { const p = make('p', ''); el.append(p);"
    " for (let at = 0; at < said.length; at += 4) { p.textContent = said.slice(0, at + 4); await sleep(25); } }"
)
SOCKET = _page(
    "const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket'); let el = null;"
    "socket.onmessage = (event) => { if (!el) log.append(el = make('div', 'row from-bot'));"
    " el.replaceChildren(); fill(el, JSON.parse(event.data)); };"
    f"hear(document, (text) => {{ {_ROW} el = null; socket.send(text); }});"
)
"""Each frame brings all of the answer so far."""
LAUNCHER = _page("", "<h1>Our shop</h1><p>Welcome.</p><iframe src=/widget width=500 height=600></iframe>")
WIDGET = _page(
    "customElements.define('chat-widget', class extends HTMLElement { connectedCallback() {"
    " const root = this.attachShadow({mode: 'open'}); root.innerHTML = `<button class=fab><svg width=24 height=24>"
    "<circle r=9 cx=12 cy=12 /></svg></button><div class=panel hidden><div class=log></div>"
    "<input id=box placeholder='Write a message'></div>`;"
    " const log = root.querySelector('.log');"
    " root.querySelector('.fab').onclick = () => { root.querySelector('.panel').hidden = false; };"
    " hear(root, async (text) => { log.append(make('div', 'customer', text));"
    "  const a = await ask(text); log.append(fill(make('div', 'assistant'), a)); }); } });",
    "<chat-widget></chat-widget>",
)
"""A round button without a word, in a shadow root, in a frame."""
PERSIAN = _chat(
    "log.append(make('div', 'row from-user', text)); log.append(fill(make('div', 'row from-bot'), await ask(text)));",
    "<main id=log dir=rtl lang=fa></main><textarea id=box dir=rtl placeholder='پیام خود را بنویسید'></textarea>",
)
SWALLOWS = _page(
    "const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket'); let heard = 0, el = null;"
    'setInterval(() => { if (socket.readyState === 1) socket.send(\'{"type": "ping"}\'); }, 500);'
    "socket.onmessage = (event) => { if (!el) log.append(el = make('div', 'row from-bot'));"
    " el.replaceChildren(); fill(el, JSON.parse(event.data)); };"
    "box.addEventListener('keydown', (event) => { if (event.key !== 'Enter' || !heard++) return;"
    " event.preventDefault(); const text = box.value; box.value = '';"
    f" {_ROW} el = null; socket.send(text); }});"
)
"""Swallows the first message, which stays in its box, while its socket keeps talking."""
IN_PLACE = _chat(
    "asked.textContent = text; reply.replaceChildren(); const a = await ask(text); fill(reply, a);",
    f"{_BOX}<section id=asked></section><section id=reply class=answer-box></section>",
)
EXPIRES = PLAIN.replace(
    "fetch('/say', {method: 'POST', body: text})",
    "fetch('/say', {method: 'POST', body: text}).then((r) => {"
    " if (r.status === 401) location.href = '/login'; return r; })",
)
"""Its login holds for some messages; then it leads back to the login."""
LOGIN = (
    "<!doctype html><form method=post action=/in><input name=user placeholder=Name>"
    "<input name=word type=password><button>Log in</button></form>"
)
PAGES = {
    "plain": PLAIN,
    "lists": LISTS,
    "virtual": VIRTUAL,
    "newest": NEWEST_FIRST,
    "bubbles": BUBBLES,
    "typewriter": TYPEWRITER,
    "socket": SOCKET,
    "launcher": LAUNCHER,
    "persian": PERSIAN,
    "swallows": SWALLOWS,
    "inplace": IN_PLACE,
    "expires": EXPIRES,
}
_WORDS = ("apple", "brick", "cloud", "dove", "ember", "frost", "grape", "honey", "ivory", "jade", "kite", "lemon")
Block = tuple[str, Any]


def text_of(blocks: list[Block]) -> str:
    return "\n".join("\n".join(text) if kind == "ul" else text for kind, text in blocks)


@dataclass
class Screens:
    """`async with Screens("plain") as screens` serves that page at `screens.url`; `said` is the log."""

    name: str
    seed: int = 0
    logins: int = 10**9
    """How many messages a login of the page `expires` is good for."""
    status: int = 200
    """What the server answers to a message."""
    said: list[tuple[str, str]] = field(default_factory=list)

    async def __aenter__(self) -> Screens:
        app = web.Application()
        app.add_routes([web.get("/", self._home), web.get("/widget", self._widget), web.post("/say", self._say)])
        app.add_routes([web.get("/socket", self._socket), web.get("/login", self._login), web.post("/in", self._in)])
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    def _blocks(self, text: str) -> list[Block]:
        number = len(self.said)
        rng = Random(f"{self.seed}/{number}")
        ref = " ".join(rng.sample(_WORDS, 3))
        back = " ".join(reversed(text.split()))
        blocks: list[Block] = [("p", f"Asking {number} was {back}"), ("p", f"and its words are {ref}.")]
        if self.name == "persian":
            blocks = [("p", f"پرسش {number} این بود: {back}"), ("p", f"واژه‌ها {ref} هستند.")]
        if self.name == "lists" and number % 3 == 2:
            items = [f"{word} of {number}" for word in ref.split()]
            blocks[1:1] = [("ul", items), ("pre", f"if x:\n    return {ref.split()[0]}")]
        self.said.append((text, text_of(blocks)))
        return blocks

    async def _home(self, request: web.Request) -> web.Response:
        if self.name == "expires" and request.cookies.get("in") != "1":
            raise web.HTTPFound("/login")
        return web.Response(text=PAGES[self.name], content_type="text/html")

    async def _widget(self, _: web.Request) -> web.Response:
        return web.Response(text=WIDGET, content_type="text/html")

    async def _login(self, _: web.Request) -> web.Response:
        return web.Response(text=LOGIN, content_type="text/html")

    async def _in(self, request: web.Request) -> web.Response:
        right = (await request.post()).get("word") == "s3cret"
        answer = web.Response(status=302, headers={"location": "/"})
        answer.set_cookie("in", str(int(right)))
        return answer

    async def _say(self, request: web.Request) -> web.Response:
        if self.name == "expires" and len(self.said) >= self.logins:
            return web.json_response([], status=401)
        if self.status != 200:
            return web.json_response([], status=self.status)
        blocks = self._blocks(await request.text())
        await asyncio.sleep(Random(f"{self.seed}/{len(self.said)}").uniform(0.1, 0.6))
        return web.json_response(blocks)

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.TEXT and not message.data.startswith('{"type"'):
                with suppress(ConnectionError):
                    await self._grow(socket, self._blocks(message.data))
        return socket

    async def _grow(self, socket: web.WebSocketResponse, blocks: list[Block]) -> None:
        rng = Random(f"{self.seed}/{len(self.said)}")
        await asyncio.sleep(rng.uniform(0.2, 0.6))
        for count in range(1, len(blocks) + 1):
            (kind, text), before = blocks[count - 1], blocks[: count - 1]
            for end in range(12, len(text) + 12, 12):
                await socket.send_str(json.dumps([*before, (kind, text[:end])]))
                await asyncio.sleep(rng.uniform(0.02, 0.25))
