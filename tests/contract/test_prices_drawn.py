"""A record's prices as its page draws them: in one currency, on the days of its stock; on both databases."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from larder.actions.dataset import records
from tests.contract.faces import Faces, opened
from tests.contract.world import DAY, NOW, Pages, run, source, staged

SAID = (
    (90, 100_000, "EUR", "in_stock"),
    (60, 90_000, "EUR", "out_of_stock"),
    (30, 110_000, "USD", "in_stock"),
    (20, 120_000, "USD", "backorder"),
)
"""Days ago, an amount, its currency, and whether it could be had."""


@pytest.fixture
async def shown(database_url: str, tmp_path: Path) -> AsyncIterator[Faces]:
    async with opened(database_url, tmp_path) as found:
        await found.app.run(_followed)
        yield found


def _followed(conn: Connection) -> None:
    source_id = source(conn, visibility="public")
    run_id, pages = run(conn, source_id), Pages(conn, source_id)
    for days, amount, currency, availability in SAID:
        item = staged(1, price_minor=amount, currency=currency, availability=availability)
        pages.keep(pages.page(item, run_id=run_id, at=NOW - days * DAY))
    last = staged(1, price_minor=120_000, currency="USD", availability="backorder")
    pages.keep(pages.page(last, run_id=run_id, at=NOW))


async def test_prices_in_another_currency_are_listed_and_not_drawn(shown: Faces) -> None:
    page = (await shown.anyone.get("/records/1")).text
    assert page.count('aria-label="Price from $1,100.00 to $1,200.00"') == 2
    assert "chart: the newest in USD; the table below has all" in page
    assert all(f"<td>{price}</td>" in page for price in ("€1,000.00", "€900.00", "$1,100.00", "$1,200.00"))


async def test_a_card_shows_the_way_of_the_price_in_its_currency(shown: Faces) -> None:
    page = (await shown.anyone.get("/")).text
    (path,) = re.findall(r'class="trace" d="([^"]+)"', page)
    assert path == "M3,22.0H33.0V4.0H93"


async def test_only_within_a_currency_has_a_price_moved(shown: Faces) -> None:
    moved = await shown.app.read(records.price_changes)
    assert [(each.was, each.now, each.currency) for each in moved] == [
        (110_000, 120_000, "USD"),
        (100_000, 90_000, "EUR"),
    ]


async def test_of_a_long_history_prices_and_stock_lie_on_the_same_days(
    shown: Faces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("larder.web.record.MAX_POINTS", 1)
    page = (await shown.anyone.get("/records/1")).text
    roomy = re.findall(r'<svg class="chart roomy".*?</svg>', page)
    dots, spans = (re.findall(r'(?:cx|x)="([\d.]+)"[^>]*><title>', each) for each in roomy)
    assert dots == spans == ["100.0"]
    assert "backorder, from 16 Dec 2025 00:00 UTC" in roomy[1]
