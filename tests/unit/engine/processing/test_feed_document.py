"""The addresses that a document of a feed names; by issue L10, point 13."""

from datetime import UTC, datetime

import pytest

from larder.core.model.item import Extracted, Failed
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Kind, Source
from larder.engine.processing import feed_document
from larder.engine.processing.feed_document import FeedRead, read_document

SHOP = Source(
    id=1, slug="shop", name="Shop", kind=Kind.PRODUCT, site_id=1, adapter="product", url="https://shop.test/"
)
LAMPS = [f"https://www.shop.test/lamp/{n}" for n in range(6)]


def document(body: str) -> FeedRead:
    url = "https://shop.test/feed"
    at = datetime(2026, 3, 2, tzinfo=UTC)
    fetched = Fetched(
        outcome=FetchOutcome.OK, url=url, final_url=url, fetched_at=at, status=200, body=body.encode()
    )
    return read_document(fetched, SHOP)


def things(found: FeedRead) -> list[str]:
    assert found.document is not None
    return [each.url for each in found.document.things]


def rss(urls: list[str]) -> str:
    return f"<rss><channel>{''.join(f'<item><title>x</title><link>{u}</link></item>' for u in urls)}"


def google_csv(urls: list[str]) -> str:
    return "id;title;link;price\r\n" + "".join(f"{n};lamp {n};{u};12,50 EUR\r\n" for n, u in enumerate(urls))


def sitemap(urls: list[str]) -> str:
    return f"<urlset>{''.join(f'<url><loc>{u}</loc></url>' for u in urls)}</urlset>"


@pytest.mark.parametrize(
    "body",
    [f"{rss(LAMPS)}</channel></rss>", google_csv(LAMPS), sitemap(LAMPS)],
    ids=["rss", "csv", "sitemap"],
)
def test_l10_13_each_format_names_its_addresses(body: str) -> None:
    found = document(body)
    assert things(found) == LAMPS
    assert isinstance(found.reading, Extracted)
    assert (found.reading.last, found.reading.advertised) == (True, 6)


def test_l10_13_addresses_of_other_sites_and_doubles_are_no_targets() -> None:
    doubled = [*LAMPS, f"{LAMPS[0]}?utm_source=feed", "https://other.test/lamp/9", "javascript:alert(1)"]
    found = document(f"{rss(doubled)}</channel></rss>")
    assert len(things(found)) == 6
    assert found.document is not None
    assert found.document.elsewhere == 2


def test_l10_13_a_page_of_another_shape_is_no_target_and_still_in_the_feed() -> None:
    many = [f"https://shop.test/lamp/{n}" for n in range(30)]
    found = document(sitemap([*many, "https://shop.test/about-us"]))
    assert found.document is not None
    assert things(found) == many
    assert [each.url for each in found.document.others] == ["https://shop.test/about-us"]


def test_l10_13_a_feed_that_breaks_off_or_is_too_long_was_not_read_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut = document(rss(LAMPS))
    assert isinstance(cut.reading, Extracted)
    assert (things(cut), cut.reading.last) == (LAMPS, False)
    monkeypatch.setattr(feed_document, "MAX_ADDRESSES", 4)
    long = document(sitemap(LAMPS))
    assert isinstance(long.reading, Extracted)
    assert (things(long), long.reading.last) == (LAMPS[:4], False)


@pytest.mark.parametrize("body", ["", "<html><form>Password</form></html>", '{"error": "no"}'])
def test_l10_13_what_is_no_feed_is_a_failure(body: str) -> None:
    found = document(body)
    assert isinstance(found.reading, Failed)
    assert found.document is None
