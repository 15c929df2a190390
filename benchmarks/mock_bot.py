"""A bot as fast as a Python process can be, so that a benchmark measures the client: `python benchmarks/mock_bot.py`
prints its port and answers {"reply": {"text": …}} to every POST, after `--delay` seconds."""

from __future__ import annotations

import argparse
import asyncio

import uvloop

BODY = b'{"reply":{"text":"Paris is the capital.","candidates":[{"text":"Paris"},{"text":"Lyon"}],"confidence":0.9}}'
RESPONSE = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(BODY), BODY)


class Bot(asyncio.Protocol):
    """Knows just enough HTTP/1.1."""

    delay = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.rest = b""

    def data_received(self, data: bytes) -> None:
        self.rest += data
        while (end := self.rest.find(b"\r\n\r\n")) >= 0:
            head = self.rest[:end].lower()
            _, found, length = head.partition(b"content-length:")
            whole = end + 4 + (int(length.split(b"\r\n", 1)[0]) if found else 0)
            if len(self.rest) < whole:
                return
            self.rest = self.rest[whole:]
            if self.delay:
                asyncio.get_running_loop().call_later(self.delay, self.answer)
            else:
                self.answer()

    def answer(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(RESPONSE)  # type: ignore[attr-defined]


async def main(delay: float) -> None:
    Bot.delay = delay
    server = await asyncio.get_running_loop().create_server(Bot, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.0)
    uvloop.run(main(parser.parse_args().delay))
