"""The made-up site, drawn in advance and served as fast as a page can be: what is measured is the visitor.

    python -m bench.homes LISTINGS

prints its port. Every address names that port on loopback, so a visitor needs no special resolver.
"""

import asyncio
import sys
from datetime import UTC, datetime

import uvloop

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.site import SimRequest

START = datetime(2026, 1, 5, tzinfo=UTC)


def drawn(listings: int, host: str) -> dict[bytes, bytes]:
    """Every answer of the site, by the path that is asked for."""
    truth = ClassifiedsTruth(seed=7, start=START, stock=listings)
    site = ClassifiedsSite(name="homes.test", classifieds=truth)
    pages = -(-listings // site.per_page)
    index = ["/listings", *(f"/listings?page={n}" for n in range(1, pages + 1))]
    details = [
        str(item.fields["url"]).removeprefix(f"http://{host}")
        for number in range(1, pages + 1)
        for item in site.read(f"http://{host}/listings?page={number}", START).items
    ]
    return {path.encode(): _answer(site, host, path) for path in ("/robots.txt", *index, *details)}


def _answer(site: ClassifiedsSite, host: str, path: str) -> bytes:
    response = site.respond(SimRequest.of(f"http://{host}{path}"), START)
    head = f"HTTP/1.1 {response.status} OK\r\nContent-Length: {len(response.body)}\r\n"
    named = "".join(f"{name}: {value}\r\n" for name, value in response.headers.items())
    return f"{head}{named}\r\n".encode() + response.body


class Visitor(asyncio.Protocol):
    """The least that can be called a web server."""

    answers: dict[bytes, bytes]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._asked = b""

    def data_received(self, data: bytes) -> None:
        self._asked += data
        while (end := self._asked.find(b"\r\n\r\n")) >= 0:
            path = self._asked.split(b" ", 2)[1]
            self._asked = self._asked[end + 4 :]
            missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
            self._transport.write(self.answers.get(path, missing))  # type: ignore[attr-defined]


async def serve(listings: int) -> None:
    server = await asyncio.get_running_loop().create_server(Visitor, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    Visitor.answers = drawn(listings, f"127.0.0.1:{port}")
    print(port, flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
