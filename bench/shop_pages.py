"""Real product pages of many shops, served as one site.

    python -m bench.shop_pages COPIES

prints the port. The pages are those that `bench.extract` reads; each
is there so many times, with a comment at its end, so that no two are the same. `/listings` names them all.
"""

import asyncio
import sys

import uvloop

from bench.extract import FIXTURES, products
from bench.homes import Visitor

ROBOTS = b"User-agent: *\nAllow: /\n"


def answers(copies: int) -> dict[bytes, bytes]:
    """Every answer of the site, by the path that is asked for."""
    bodies = [body for _, _, body in products()]
    named = {
        f"/p/{copy}-{number}": body + f"<!-- {copy} {number} -->".encode()
        for copy in range(copies)
        for number, body in enumerate(bodies)
    }
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in named)
    index = f"<!doctype html><html lang=en><title>All</title><ul>{links}</ul></html>".encode()
    pages = {"/robots.txt": ROBOTS, "/listings": index, **named}
    return {path.encode(): _answer(body) for path, body in pages.items()}


def _answer(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


async def serve(copies: int) -> None:
    if not FIXTURES.is_dir():
        raise SystemExit(f"no pages to measure with: {FIXTURES} is absent")
    Visitor.answers = answers(copies)
    server = await asyncio.get_running_loop().create_server(Visitor, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
