"""Reasons that an item alone does not show."""

from datetime import UTC, datetime
from typing import Any

import pytest

from larder import adapters
from larder.core.model.job import Purpose
from larder.core.model.outcome import DropReason, FetchOutcome, QuarantineReason
from larder.core.model.page import Fetched
from larder.core.model.source import Kind, Source
from larder.engine.processing.process_page import NormalizedPage, parse_and_normalize

URL = "http://shop.test/list"
FIELDS = {"title": "b", "url": "a@href", "sku": "@data-sku", "price": ".price"}
PRICE = "<i class=price>€ 12.50</i> in stock"
DECLARED = {
    "selectors": {
        "index": {
            "row": "li",
            "fields": {"title": "b", "url": "a@href", "sku": "@data-sku", "price": ".price"},
        }
    }
}


def read(html: str, params: dict[str, Any] = DECLARED) -> NormalizedPage:
    source = Source(
        id=1,
        slug="shop",
        name="Shop",
        kind=Kind.PRODUCT,
        site_id=1,
        adapter="product",
        url=URL,
        currency="EUR",
        params=params,
    )
    fetched = Fetched(
        outcome=FetchOutcome.OK,
        url=URL,
        final_url=URL,
        fetched_at=datetime(2026, 1, 5, tzinfo=UTC),
        status=200,
        headers={"content-type": "text/html"},
        body=f"<ul>{html}</ul>".encode(),
    )
    return parse_and_normalize(fetched, source, adapters.find("product"), Purpose.INDEX)


def row(sku: int) -> str:
    return f"<li data-sku={sku}><b>Lamp of brass</b><a href=/p/{sku}>more</a>{PRICE}</li>"


def test_l10_8_an_item_that_is_there_twice_is_dropped_once() -> None:
    found = read(row(1) + row(2) + row(1))
    assert [staged.identity_key for staged in found.staged] == ["SKU:1", "SKU:2"]
    assert [left.reason for left in found.dropped] == [DropReason.DUPLICATE_WITHIN_RUN]
    assert [item.fields["sku"] for item in found.valid] == ["1", "2"]


@pytest.mark.parametrize("many", [1, 3])
def test_l10_8_a_declared_selector_that_finds_nothing_is_a_selector_failure(many: int) -> None:
    bad = "".join(f"<li data-sku={n}><b></b>{PRICE}</li>" for n in range(10, 10 + many))
    found = read(row(1) + row(2) + row(3) + bad)
    assert [left.reason for left in found.quarantined] == [QuarantineReason.SELECTOR_FAILURE] * many
    assert "title" in found.quarantined[0].details or "url" in found.quarantined[0].details
    assert len(found.staged) == 3
