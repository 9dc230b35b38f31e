"""A plain site in a YAML file: tried on a saved page, added, read; as the how-to has it."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.acceptance.conftest import HOST, Shell

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "declare-a-source.md"
INDEX = "".join(
    f"<div class=flat><b class=name>Flat {at}</b><a href=/flats/{at}>look</a>"
    f"<i class=rent>{at}00 a month</i><u class=facts>{at}0 m², lift</u></div>"
    for at in range(3, 8)
)
ANSWERS = {
    "/flats": f"<title>Flats</title>{INDEX}",
    "/flats?page=2": "<title>Flats</title><p>No further flats.",
}


class Corner(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        number = self.path.removeprefix("/flats/")
        detail = f"<h1>Flat {number}</h1><p class=about>South side, {number} rooms.</p>"
        body = ANSWERS.get(self.path) or (detail if number.isdigit() else "")
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Nothing to tell."""


@pytest.fixture
def corner() -> Iterator[str]:
    server = ThreadingHTTPServer((HOST, 0), Corner)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{HOST}:{server.server_port}/flats"
    server.shutdown()
    server.server_close()


def declaration() -> str:
    found = re.search(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


async def test_from_a_saved_page_to_records(larder: Shell, corner: str) -> None:
    (larder.folder / "corner.yaml").write_text(declaration())
    (larder.folder / "flats.html").write_text(ANSWERS["/flats"])
    tried = await larder.json(
        "try", "flats.html", "--selectors", "corner.yaml", "--kind", "listing", "--url", corner
    )
    assert (tried["strategy"], len(tried["items"])) == ("selectors", 5)

    how = ("--kind", "listing", "--currency", "EUR", "--terms-reviewed", "--local", "--slug", "corner")
    await larder("source", "add", corner, "--file", "corner.yaml", *how)
    await larder("site", "set", HOST, "--spacing", "5ms")
    run = await larder.json("run", "start", "corner")
    assert (run["status"], run["inserted"], run["failed"]) == ("completed", 5, 0)

    rows = await larder.json("records", "list")
    assert {row["title"]: row["price_minor"] for row in rows} == {
        f"Flat {at}": at * 10_000 for at in range(3, 8)
    }
    one = await larder.json("records", "show", str(rows[0]["id"]))
    assert "South side" in str(one)

    pages = await larder.json("run", "pages", str(run["id"]))
    assert {(page["purpose"], page["outcome"]) for page in pages} >= {("index", "ok"), ("detail", "ok")}
    way = await larder.json("run", "page", str(pages[-1]["job"]))
    assert [attempt["outcome"] for attempt in way["attempts"]] == ["ok"]
    assert way["run"] == run["id"]
