"""Shapes over real HTTP on loopback, one server each, with a log of what was asked for."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

from tests.platform_sites.shape import Shape

HOST = "127.0.0.1"


class ShapeServer(ThreadingHTTPServer):
    """Serves one shape."""

    daemon_threads = True

    def __init__(self, shape: Shape, host: str = HOST) -> None:
        super().__init__((host, 0), _Handler)
        self.shape = shape
        self.asked: Counter[str] = Counter()
        self.robots: str | None = None
        """The text of robots.txt; None: there is none."""

    @property
    def address(self) -> str:
        """Of the first index page."""
        return f"http://{self.server_address[0]!s}:{self.server_port}{self.shape.path}"


class _Handler(BaseHTTPRequestHandler):
    server: ShapeServer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.asked[self.path] += 1
        robots = self.server.robots if parts.path == "/robots.txt" else None
        body = robots or self.server.shape.answer(parts.path, dict(parse_qsl(parts.query)))
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write((body or "<h1>404</h1><p>Not found</p>").encode())

    do_HEAD = do_GET  # noqa: N815 - as above

    def log_message(self, *_: object) -> None:
        """The log is `asked`."""


@contextmanager
def serving(shape: Shape, host: str = HOST) -> Iterator[ShapeServer]:
    """A shape's server, for as long as the block lasts; each loopback address is a site of its own."""
    server = ShapeServer(shape, host)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
