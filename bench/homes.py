"""The made-up site, drawn in advance and served as fast as a page can be: what is measured is the visitor.

    python -m bench.homes LISTINGS [BYTES]

prints its port. Every address names that port on loopback, so a visitor needs no special resolver. `BYTES`:
so large is the own page of a listing, by what real sites put around it: styles, scripts, texts and links.
"""

import asyncio
import sys
from datetime import UTC, datetime

import uvloop

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.site import SimRequest

START = datetime(2026, 1, 5, tzinfo=UTC)


STYLE = "<style>.part-{n} .inner{{display:flex;margin:0 {n}px}}.part-{n}:hover{{opacity:.9}}</style>\n"
PART = """<section class="part-{n}"><h3>Good to know</h3><p>How a viewing is arranged, what to bring to it
and whom to ask when the keys are handed over.</p><ul><li><a href="/guide/{n}">Guide</a></li>
<li><a href="/help/{n}">Help</a></li></ul></section>
"""
SCRIPT = '<script>modules.push({{id:{n},load:function(a,b){{return a?b.get("part-{n}"):null}}}});</script>\n'


def drawn(listings: int, host: str, size: int = 0) -> dict[bytes, bytes]:
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
    small = {path.encode(): _answer(site, host, path) for path in ("/robots.txt", *index)}
    return small | {path.encode(): _answer(site, host, path, size) for path in details}


def _answer(site: ClassifiedsSite, host: str, path: str, size: int = 0) -> bytes:
    response = site.respond(SimRequest.of(f"http://{host}{path}"), START)
    body = surrounded(response.body, size)
    head = f"HTTP/1.1 {response.status} OK\r\nContent-Length: {len(body)}\r\n"
    named = "".join(f"{name}: {value}\r\n" for name, value in response.headers.items())
    return f"{head}{named}\r\n".encode() + body


def surrounded(body: bytes, size: int) -> bytes:
    """The page with styles in its head, and sections and scripts at its end, as large as asked for."""
    block = len((STYLE + PART + SCRIPT).format(n=100))
    numbers = range(100, 100 + max(size - len(body), 0) // block)
    styles, parts, scripts = ("".join(each.format(n=n) for n in numbers) for each in (STYLE, PART, SCRIPT))
    body = body.replace(b"</head>", f"{styles}</head>".encode(), 1)
    return body.replace(b"</body>", f"{parts}{scripts}</body>".encode(), 1)


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


async def serve(listings: int, size: int = 0) -> None:
    server = await asyncio.get_running_loop().create_server(Visitor, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    Visitor.answers = drawn(listings, f"127.0.0.1:{port}", size)
    print(port, flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(*map(int, sys.argv[1:])))
