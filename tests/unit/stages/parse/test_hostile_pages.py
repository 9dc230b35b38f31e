"""Pages made to cost time: extraction takes time in proportion to their size, whatever their shape."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from larder.extraction import extract

MANY = 80_000
DEEP = 20_000
SECONDS = 6.0
"""What is read in linear time takes a tenth of this; a quadratic scan takes minutes."""


@pytest.mark.parametrize("kind", ["product", "listing"])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<p>" + "5<br>" * MANY, id="one paragraph of many numbers"),
        pytest.param("<p class=price>" + "5<br>" * MANY, id="a price of many numbers"),
        pytest.param("<p>" + "5 €<br>" * MANY, id="one paragraph of many prices"),
        pytest.param("<p>" + "<b>Bedrooms</b><i>5</i>" * (MANY // 2), id="many labels and values"),
        pytest.param("<div>5 m²" * DEEP, id="areas inside areas"),
        pytest.param("<div class=price>5 €" * DEEP, id="prices inside prices"),
        pytest.param("<div class=address>Mill Lane 5, Leeds" * DEEP, id="addresses inside addresses"),
        pytest.param("<h1>5 bed flat in Leeds</h1>" * MANY, id="many headlines"),
        pytest.param("<p>City:</p>" * MANY, id="labels without values"),
        pytest.param("<p>" + "1 111 " * MANY, id="one text of many numbers"),
        pytest.param("<button disabled>Add to cart</button>" * MANY, id="many buttons"),
    ],
)
def test_a_page_is_read_in_linear_time(body: str, kind: str) -> None:
    page = f"<title>{'in A, ' * 1_000}</title><h1>Thing</h1><p class=price>5 €</p>{body}"
    start = time.process_time()
    found = extract(page, url="https://x.test/thing", kind=kind)
    assert time.process_time() - start < SECONDS
    assert not [note for note in found.notes if "Error" in note]


def test_comments_before_the_page_are_passed_once() -> None:
    start = time.process_time()
    page = "<!-- a -->\n" * 300 + "<h1>Thing</h1><p class=price>5 €</p>"
    found = extract(page, url="https://x.test/thing", kind="product")
    assert time.process_time() - start < SECONDS
    assert found.items


FEW = 1_000
TIMES = 4
GROWTH = 2.6**2
"""Four times the page may take 2.6 × 2.6 as long; where work is quadratic it takes sixteen times as long."""
QUICK = 0.5
"""What takes less is quick enough, however it grows, and is read once."""
_JSON_LD = "<script type=application/ld+json>"


def _referring(at: int) -> str:
    """An item that lends the properties of twenty elements, and one such element."""
    names = " ".join(f"r{20 * at + name}" for name in range(20))
    return f"<div itemscope itemtype=Product itemref='{names}'></div><p id=r{at} itemprop=name>T</p>"


SHAPES: dict[str, Callable[[int], str]] = {
    "deep": lambda n: "<div class=menu>" * n + "5 bedrooms, 5 €, 5 May 2026",
    "deep lists of dates": lambda n: "<ul><li class=date>5 May" * n,
    "wide": lambda n: "".join(f"<li><a href=/item/{at}>Thing {at}</a> {at} €</li>" for at in range(n)),
    "digits": lambda n: "<p>" + "1234567890 20:00 " * n,
    "scripts": lambda n: '<script>var a = {"price": 5, "name": "x"};</script>' * n,
    "one script": lambda n: "<script>" + 'a = {"price": [1, ' * n + "</script>",
    "attributes": lambda n: "<p " + " ".join(f"a{at}=b" for at in range(n)) + ">5 €</p>",
    "names": lambda n: "".join(f"<p class='c{at} price' id=d{at}>{at} €</p>" for at in range(n)),
    "breaks": lambda n: "<p>" + "5<br>" * n,
    "tables": lambda n: "<table><tr><td>Bedrooms<td>5</table>" * n,
    "nested tables": lambda n: "<table><tr><td>5 May" * n,
    "dates": lambda n: "<p>5 May 2026 20:00 Concert</p>" * n,
    "one text of dates": lambda n: "<p>" + "5 May 2026 20:00 " * n,
    "labels": lambda n: "<p>" + "Brand: SKU: page 1 of " * n,
    "broken JSON-LD": lambda n: _JSON_LD + '{"name":"' + '\\"' * 5 * n + "</script>",
    "JSON-LD of brackets": lambda n: _JSON_LD + "{" + "]{" * n + "</script>",
    "JSON-LD of curly quotes": lambda n: _JSON_LD + "{" + '”"' * n + "</script>",
    "state of brackets": lambda n: "<script type=application/json>{" + "]{" * n + "</script>",
    "references": lambda n: "".join(_referring(at) for at in range(n)),
    "microdata": lambda n: "<div itemscope itemtype=http://schema.org/Product itemprop=offers>" * n,
}


@pytest.mark.parametrize("kind", ["product", "listing", "event"])
@pytest.mark.parametrize("shape", SHAPES)
def test_l10_20_time_grows_at_most_as_the_page_does(shape: str, kind: str) -> None:
    large = SHAPES[shape](TIMES * FEW)
    seconds = _seconds(large, kind)
    assert seconds < QUICK or min(seconds, _seconds(large, kind)) < GROWTH * _best_of_two(shape, kind)


def _best_of_two(shape: str, kind: str) -> float:
    small = SHAPES[shape](FEW)
    return min(_seconds(small, kind), _seconds(small, kind))


def _seconds(body: str, kind: str) -> float:
    """CPU time: what else the machine does does not count."""
    page, now = f"<title>Thing</title><h1>Thing</h1>{body}", datetime(2026, 5, 1, tzinfo=UTC)
    start = time.process_time()
    extract(page, url="https://x.test/thing", kind=kind, now=now)
    return time.process_time() - start
