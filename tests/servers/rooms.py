"""Chat pages that look like those of real products: drawn late, with a name, an avatar and a time in each message, with
figures below an answer, with one answer that is replaced, with a button for a new chat, in another language, behind a
login."""

from __future__ import annotations

import asyncio
from asyncio import StreamWriter
from urllib.parse import unquote

from tests.servers.http import Received, Server, response

FACTS = {"france": "Paris is the capital of France.", "spider": "A spider has eight legs.", "hello": "Good morning!"}
STYLE = (
    "<style>.row{margin:4px}.row .who{color:#888;display:block}.stats,.time{font-size:9px}.hide{display:none}</style>"
)
_CHAT = """<script>
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const make = (kind, cls, text = '') => {
  const el = document.createElement(kind); el.className = cls; el.textContent = text; return el;
};
const said = async (text) => (await (await fetch('/say', {method: 'POST', body: text})).text());
const hear = (answer) => {
  const box = document.querySelector('#prompt');
  const send = () => { const text = box.value.trim(); if (!text) return; box.value = ''; answer(text); };
  box.onkeydown = (event) => { if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); send(); } };
  const button = document.querySelector('#go'); if (button) button.onclick = send;
};
const clock = () => new Date().toTimeString().slice(0, 5);
</script>"""
_BOX = "<textarea id=prompt placeholder='Type a message'></textarea><button id=go aria-label=Send>&#10148;</button>"
_ROW = """<script>
let count = 0;
const row = (mine, text) => {
  const el = make('div', 'row ' + (mine ? 'user-row' : 'bot-row'));
  el.append(make('span', 'avatar', mine ? 'ME' : 'QA'), make('span', 'who', mine ? 'User' : 'QA bot'));
  el.append(make('span', 'time', clock()));
  const bubble = make('div', 'bubble'); bubble.append(make('p', '', text)); el.append(bubble);
  log.append(el); return el;
};
</script>"""


def answer(text: str) -> str:
    """What the bot behind every page says."""
    known = next((said for word, said in FACTS.items() if word in text.lower()), "")
    return known or "I think that " + " ".join(reversed(text.rstrip("?.!").lower().split())) + "."


def page(body: str) -> str:
    return f"<!doctype html><meta charset=utf-8>{STYLE}<body>{_CHAT}{body}</body>"


SLOW = page(
    "<div id=root></div><script>setTimeout(() => {"
    f"root.innerHTML = `<h1>Chat</h1><main id=log></main>{_BOX}`;"
    "hear(async (text) => { log.append(make('div', 'turn mine', text));"
    " const said_ = await said(text); log.append(make('div', 'turn assistant', said_)); });"
    "}, 5000);</script>"
)
"""Draws after five seconds, and shows nothing before."""
DRESSED = page(
    f"<main id=log></main>{_BOX}{_ROW}<script>hear(async (text) => {{ row(true, text);"
    " const a = await said(text); row(false, a); });</script>"
)
"""Each message has an avatar, a name and a time."""
STATS = page(
    f"<main id=log></main>{_BOX}{_ROW}<script>hear(async (text) => {{ row(true, text);"
    " const a = await said(text); const el = row(false, a);"
    " const stats = make('div', 'stats', (40 + 10 * Math.random()).toFixed(2) + ' t/s');"
    " const bar = make('div', 'toolbar'); bar.append(make('button', 'copy', 'Copy'), make('button', 'again', 'Retry'));"
    " await sleep(30); el.querySelector('.bubble').append(stats, bar); });</script>"
)
"""Below each answer: its speed, and buttons."""
SUGGESTS = page(
    f"<main id=log></main>{_BOX}<script>"
    "const more = ['How tall is it?', 'Who built it?', 'When was that?', 'Is it far?'];"
    "hear(async (text) => { log.append(make('div', 'turn mine', text)); const a = await said(text);"
    " const el = make('div', 'turn assistant', a), chips = make('nav', 'chips'); el.append(chips); log.append(el);"
    " for (let left = 2; left--;) { const at = Math.floor(more.length * Math.random());"
    " const link = make('a', '', more.splice(at, 1)[0] ?? 'Bye?');"
    " link.href = '#'; chips.append(link); } });</script>"
)
"""Under each answer, inside its message: two questions to go on with, as links that lead nowhere."""
IN_PLACE = page(
    f"<h1>Ask our assistant</h1>{_BOX}<section id=asked></section><section id=reply class=answer-box></section>"
    "<script>hear(async (text) => { asked.textContent = text; reply.textContent = '';"
    " const a = await said(text); reply.textContent = a; });</script>"
)
"""One answer, which the next one replaces."""
ALIKE = page(
    f"<main id=log></main>{_BOX}<style>.left{{text-align:left}}.right{{text-align:right}}</style><script>"
    "const put = (side, who, text) => { const line = make('div', 'line ' + side);"
    " line.innerHTML = `<div class=card><b>${who}</b> <small>${clock()}</small> <span></span></div>`;"
    " line.querySelector('span').textContent = text; log.append(line); };"
    "hear(async (text) => { put('right', 'You', text); const a = await said(text); put('left', 'Robo', a); });</script>"
)
"""Messages of both sides look alike, with name, time and text on one line."""
NEW_CHAT = page(
    "<nav><button id=new-chat>New chat</button></nav>"
    f"<main id=log></main>{_BOX}{_ROW}<script>"
    "const greet = () => row(false, 'Hi, how can I help?'); greet();"
    "document.querySelector('#new-chat').onclick = async () => { await sleep(400 + 900 * Math.random());"
    " log.replaceChildren(); await sleep(200); greet(); };"
    "hear(async (text) => { row(true, text); const a = await said(text); row(false, a); });</script>"
)
"""Begins a new chat a while after its button was clicked."""
FOREIGN = page(
    "<main id=log></main><button class=clip>Adjuntar</button><div><input id=prompt placeholder=Mensaje>"
    "<button id=go>Enviar</button></div><script>hear(async (text) => { log.append(make('div', 'turn mine', text));"
    " const a = await said(text); log.append(make('div', 'turn assistant', a)); });"
    "document.querySelector('#prompt').onkeydown = null;</script>"
)
"""No form, Enter does nothing, and no button speaks English."""
BANNER = page(
    "<div id=consent style='position:fixed;inset:0;background:#fff'>We use cookies"
    " <button onclick='consent.remove()'>Accept all</button>"
    " <button onclick='consent.remove()'>Only needed</button></div>"
    "<button id=start onclick='start.remove(); room.hidden = false'>Start chat</button>"
    f"<section id=room hidden><main id=log></main>{_BOX}</section>{_ROW}"
    "<script>hear(async (text) => { row(true, text); const a = await said(text); row(false, a); });</script>"
)
"""Below a banner whose buttons differ in their words alone, a button opens the chat."""
LOGIN = page(
    "<form method=post action=/in><input name=user placeholder='E-mail'><input name=word type=password>"
    "<button>Log in</button></form>"
)
ROOMS = {
    "slow": SLOW,
    "dressed": DRESSED,
    "stats": STATS,
    "suggests": SUGGESTS,
    "inplace": IN_PLACE,
    "alike": ALIKE,
    "newchat": NEW_CHAT,
    "foreign": FOREIGN,
    "banner": BANNER,
}


def rooms(delay: float = 0.05, **more: str) -> Server:
    """Every page by its name; `private` is one behind a login. The bot thinks for `delay` seconds."""
    pages = ROOMS | more

    async def behave(request: Received, writer: StreamWriter) -> None:
        name = request.target.split("?")[0].strip("/")
        inside = "in=1" in request.headers.get("cookie", "")
        if name == "say":
            await asyncio.sleep(delay)
            writer.write(response(answer(unquote(request.body.decode())), kind="text/plain; charset=utf-8"))
        elif name == "in":
            right = b"word=s3cret" in request.body
            writer.write(response("", status=303, location="/private", set_cookie=f"in={int(right)}; Path=/"))
        elif name == "private":
            writer.write(response(DRESSED if inside else LOGIN, kind="text/html"))
        elif name in pages:
            writer.write(response(pages[name], kind="text/html"))
        else:
            writer.write(response("none", status=404, kind="text/plain"))

    return Server(behave)
