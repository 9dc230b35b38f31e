"""`larder try`: a friend can read it, a program too, and a page that gives nothing says why."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.unit.cli.conftest import Shell

SHOP = """<!doctype html><html lang=en><title>Copper kettle</title><main><h1>Copper kettle</h1>
<p class=price>€ 39,95</p><p class=stock>In stock</p><p>SKU: CK-1200</p></main>"""
AGENDA = "".join(
    f"<article><h2><a href=/e/{day}>Concert {day}</a></h2><p>{day} March 2027, 20:00</p></article>"
    for day in range(10, 16)
)


@pytest.fixture
def saved(empty: Shell) -> Shell:
    (empty.folder / "shop.html").write_text(SHOP)
    return empty


def test_a_saved_page_for_a_friend(saved: Shell) -> None:
    shown = saved("try", "shop.html", "--url", "https://corner.example/kettle")
    assert shown.code == 0
    for said in ("Copper kettle", "€39.95", "in stock", "CK-1200", "✓ stored", "heuristic", "SKU:CK-1200"):
        assert said in shown.out


def test_the_same_for_a_program(saved: Shell) -> None:
    told = saved("try", "shop.html", "--url", "https://corner.example/kettle", "--json").json
    assert (told["kind"], told["adapter"], told["strategy"]) == ("product", "product", "heuristic")
    (item,) = told["items"]
    assert (item["verdict"], item["identity_key"], item["fields"]["price_minor"]) == (
        "stored",
        "SKU:CK-1200",
        3995,
    )
    assert "39,95" in item["snippet"]
    found = {attempt["strategy"]: attempt["items"] for attempt in told["attempts"]}
    assert found == {
        "adapter product": 0, "json-ld": 0, "microdata": 0, "embedded": 0, "selectors": 0, "feed": 0,
        "heuristic": 1,}  # fmt: skip


def test_declared_selectors_are_tried(saved: Shell) -> None:
    (saved.folder / "d.yaml").write_text(
        "strategies: [selectors]\nselectors: {detail: {fields: {title: h1}}}\n"
    )
    told = saved(
        "try", "shop.html", "--selectors", "d.yaml", "--kind", "listing", "--url", "https://a.example/b"
    )
    assert "✓ stored" in told.out


def test_what_would_not_be_stored_says_why(saved: Shell) -> None:
    node = '{"@type": "Product", "name": "Kettle", "offers": {"price": "15.08.2017", "priceCurrency": "EUR"}}'
    (saved.folder / "shop.html").write_text(f'<script type="application/ld+json">{node}</script>')
    shown = saved("try", "shop.html", "--url", "https://corner.example/kettle", "--kind", "product")
    assert shown.code == 1
    assert "dropped: invalid_price" in shown.out


def test_stock_that_cannot_be_told_is_shown_as_unknown(saved: Shell) -> None:
    (saved.folder / "shop.html").write_text(SHOP.replace("<p class=stock>In stock</p>", ""))
    shown = saved("try", "shop.html", "--url", "https://corner.example/kettle")
    assert shown.code == 0
    assert "unknown" in shown.out


def test_a_refusal_is_told_as_one(empty: Shell) -> None:
    (empty.folder / "wall.html").write_text("<title>Just a moment...</title><p>Checking your browser</p>")
    shown = empty("try", "wall.html")
    assert shown.code == 1
    assert "blocked_page" in shown.out


def test_an_agenda_is_shown_row_by_row(empty: Shell) -> None:
    (empty.folder / "agenda.html").write_text(f"<title>Agenda</title><main>{AGENDA}</main>")
    shown = empty("try", "agenda.html", "--kind", "event", "--url", "https://hall.example/agenda")
    assert "Concert 12" in shown.out
    assert "2027-03-12 20:00" in shown.out
    assert "next page: the page shows none" in shown.out


def test_the_strategy_that_was_taken_is_marked_also_where_an_earlier_one_found_something(
    empty: Shell,
) -> None:
    stale = '{"@type": "Product", "name": "Old news", "offers": {"@type": "AggregateOffer", "offerCount": 9}}'
    rows = "".join(
        f"<li><a href=/t/{n}><h3>Kettle no. {n}</h3></a><p>€ {n}9,00</p></li>" for n in range(1, 8)
    )
    page = f'<script type="application/ld+json">{stale}</script><h1>Kettles</h1><ul>{rows}</ul>'
    (empty.folder / "shop.html").write_text(page)
    shown = empty("try", "shop.html", "--kind", "product", "--url", "https://corner.example/kettles")
    assert "▶ heuristic 7" in " ".join(shown.out.split())


def test_a_trial_says_where_an_index_goes_on_and_why(empty: Shell) -> None:
    pager = "<nav class=pagination><b>1</b> <a href='/agenda?p=2'>Volgende</a></nav>"
    (empty.folder / "agenda.html").write_text(f"<title>Agenda</title><main>{AGENDA}</main>{pager}")
    shown = empty("try", "agenda.html", "--kind", "event", "--url", "https://hall.example/agenda")
    told = " ".join(shown.out.split())
    assert "next page: https://hall.example/agenda?p=2, because pager link 'Volgende'" in told


@pytest.mark.parametrize(
    ("place", "says", "hint"),
    [
        ("none.html", "there is no file none.html", "give a file"),
        (".", "cannot be read", "check the path"),
        ("ftp://a.example/", "is not a web address", "https://"),
        ("http://127.0.0.1:9/", "guard", "--local"),
    ],
)
def test_what_cannot_be_had_is_two_lines(empty: Shell, place: str, says: str, hint: str) -> None:
    answered = empty("try", place)
    error, advice = answered.complaint
    assert answered.code == 2
    assert says in error
    assert hint in advice


class Shelf(BaseHTTPRequestHandler):
    """One page, and no rules for robots."""

    def do_GET(self) -> None:
        found = self.path != "/robots.txt"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(SHOP.encode() if found else b"")

    def log_message(self, *_: object) -> None:
        """Quietly."""


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Shelf)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/kettle"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_page_is_fetched_where_there_is_no_larder_yet(empty: Shell, address: str) -> None:
    told = empty("try", address, "--local", "--json").json
    assert told["url"] == address
    assert told["items"][0]["fields"]["title"] == "Copper kettle"
    assert list(Path(empty.folder).iterdir()) == []
