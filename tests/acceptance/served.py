"""A site of a few answers on loopback, which a test may change, with a log of what was asked for."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.unit.cli.conftest import Said, Shell

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answers."""

    body: str | bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200

    @property
    def content(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


@dataclass(slots=True)
class Site:
    """Answers by path and query; everything else is a 404."""

    port: int
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)

    def url(self, path: str) -> str:
        return f"http://{HOST}:{self.port}{path}"


@contextmanager
def serving() -> Iterator[Site]:
    """A site, for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked[self.path] += 1
            answer = site.answers.get(self.path, Answer("<h1>Not found</h1>", status=404))
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.content)

        do_HEAD = do_GET  # noqa: N815 - as the base class calls it

        def log_message(self, *_: object) -> None:
            """The log is `asked`."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    site = Site(port=server.server_port)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def shell(folder: Path, env: Mapping[str, str] | None = None) -> Shell:
    """An empty Larder whose runs start at once."""
    larder = Shell(folder=folder, env={"LARDER_STAGGER_SECONDS": "0", **(env or {})})
    larder.begin()
    return larder


def add_source(larder: Shell, url: str, *options: str, slug: str = "it") -> Said:
    """Add a local site by its address; requests may follow at once."""
    added = larder("source", "add", url, "--terms-reviewed", "--local", "--slug", slug, *options)
    assert added.code == 0, added.err
    assert larder("site", "set", HOST, "--spacing", "1ms").code == 0
    return added
