"""Shells that only scripts would fill, told from pages that are merely short."""

import sys
import threading

import pytest

from larder.stages.fetch.browser.needs_javascript import needs_javascript

WORDS = "A room with a view over the harbour, two minutes from the station. " * 5
PAGES = {
    "an empty root": (b'<body><div id="root"></div><script src="/app.js"></script></body>', True),
    "an element of its own": (b"<body><app-root></app-root><script src=main.js></script></body>", True),
    "a plea": (
        b"<body><noscript>You need to enable JavaScript to run this app.</noscript>"
        b"<header>Our shop, your shop, a shop for everybody</header><p>Loading</p><script></script></body>",
        True,
    ),
    "hardly a word": (
        b"<html><head><title>Shop</title></head><body>Loading<script src=x></script></body>",
        True,
    ),
    "a page": (f"<body><div></div><p>{WORDS}</p><script src=x></script></body>".encode(), False),
    "no scripts": (b"<body><div id=root></div></body>", False),
    "a short page": (
        b"<body><h1>Not here any more</h1><p>This flat was let on Tuesday, sorry.</p><script></script>",
        False,
    ),
    "data for the reader": (
        b'<body><div id=root></div><script type="application/ld+json">{"@type": "Event"}</script></body>',
        False,
    ),
    "state for the reader": (b'<div id=__next></div><script id="__NEXT_DATA__">{}</script>', False),
    "a header is no head": (f"<header>{WORDS}</header><div></div><script></script>".encode(), False),
    "words in scripts are nobody's to read": (
        f"<div id=app></div><script>const words = '{WORDS}'</script>".encode(),
        True,
    ),
    "an open script swallows the rest": (f"<div></div><script>{WORDS}".encode(), True),
    "nothing at all": (b"", False),
}


@pytest.mark.parametrize("case", PAGES.values(), ids=PAGES.keys())
def test_shells_and_pages(case: tuple[bytes, bool]) -> None:
    body, shell = case
    assert needs_javascript(body) is shell


def test_only_html_can_be_a_shell() -> None:
    shell = b"<div id=root></div><script></script>"
    assert needs_javascript(shell, "text/html; charset=utf-8")
    assert not needs_javascript(shell, "application/json")


@pytest.mark.parametrize(
    "piece", [b"<script", b"<noscript>javascript", b"<div ", b"<head", b"< ", b"<div></x>"]
)
def test_no_page_makes_it_walk_twice(piece: bytes) -> None:
    """Calls are counted, not seconds: twice the page, at most about twice the work."""
    small, large = (_calls(piece * n) for n in (2_000, 4_000))
    assert large <= small * 2 + 100


def _calls(body: bytes) -> int:
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        needs_javascript(body + b"<script>")
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    return calls
