"""`larder fetch` against a real server on loopback."""

import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.unit.cli.conftest import Shell

PAGE = b"<html><body><h1>A room with a view</h1></body></html>"


class Site(BaseHTTPRequestHandler):
    """One page, a redirect to it, and rules."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        status, headers, body = {
            "/robots.txt": (200, {}, b"User-agent: *\nDisallow: /private"),
            "/room": (200, {"Content-Type": "text/html"}, PAGE),
            "/old": (301, {"Location": "/room"}, b""),
        }.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nobody reads it."""


@pytest.fixture
def site(larder: Shell) -> Iterator[str]:
    """A local site that asks for no distance."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sqlite3.connect(larder.data / "larder.db") as rows:
            rows.execute("INSERT INTO sites (domain, local, spacing_ms) VALUES ('127.0.0.1', 1, 0)")
            rows.execute("INSERT INTO lanes (site_id) SELECT id FROM sites")
        rows.close()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_step_is_told(larder: Shell, site: str) -> None:
    told = larder("fetch", f"{site}/old", "--json").json
    assert (told["outcome"], told["status"], told["fetcher"]) == ("ok", 200, "http")
    assert told["hops"] == [[f"{site}/old", 301], [f"{site}/room", 200]]
    assert (told["final_url"], told["size"]) == (f"{site}/room", len(PAGE))
    assert [step["name"] for step in told["steps"]] == ["lane", "robots", "lane", "robots", "lane", "http"]
    assert told["location"].startswith("pack:")
    assert len(told["content_hash"]) == 64


def test_it_is_told_to_people_too(larder: Shell, site: str) -> None:
    said = larder("fetch", f"{site}/room", "--no-store")
    assert said.code == 0
    assert "robots.txt allows it" in said.out
    assert f"{len(PAGE)} bytes" in said.out
    assert "stored at" not in said.out


@pytest.mark.parametrize(
    ("path", "outcome"), [("/private", "robots_blocked"), ("/gone", "not_found")], ids=["robots", "404"]
)
def test_bad_news_is_an_exit_code(path: str, outcome: str, larder: Shell, site: str) -> None:
    said = larder("fetch", f"{site}{path}", "--json")
    assert (said.code, said.json["outcome"], said.json["location"]) == (1, outcome, None)


def test_what_is_not_listed_as_local_is_refused(larder: Shell) -> None:
    said = larder("fetch", "http://127.0.0.1:8765/", "--json")
    assert (said.code, said.json["error"]) == (1, "guard: 127.0.0.1 is loopback")


def test_a_fetcher_that_is_not_configured_is_named(larder: Shell) -> None:
    said = larder("fetch", "http://127.0.0.1:8765/", "--fetcher", "browser", "--json")
    assert said.json["error"] == "this deployment has no browser fetcher configured"


def test_a_source_that_is_not_there_is_wrong_use(larder: Shell) -> None:
    said = larder("fetch", "http://127.0.0.1:8765/", "--source", "nobody")
    assert (said.code, said.complaint[0]) == (2, "there is no source 'nobody'")
