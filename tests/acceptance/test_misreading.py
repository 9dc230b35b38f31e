"""Somebody breaks a source's selectors: Larder does not publish it, and what gets through is put right."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import yaml

from larder.sim.layouts.shop_pages import SELECTORS
from larder.sim.server import SimServer
from larder.sim.shop_site import ShopSite
from tests.acceptance.conftest import HOST, Shell
from tests.integration.engine.deployment import shop
from tests.integration.engine.harness import START

PRICE = ".now"
MODEL = {"css": "h2 a, h1", "regex": r"(\d+)"}
"""The number in a title is no price."""


@pytest.fixture
async def shelves() -> AsyncIterator[SimServer]:
    """A shop with sales, at an address of this machine."""
    made = shop(goods=24, per_page=10)
    site = ShopSite(name=HOST, assortment=made.assortment, layout=made.layout, per_page=made.per_page)
    async with SimServer([site], start=START, speed=0) as server:
        yield server


def catalogue(server: SimServer, price: Any) -> str:
    """The shop as somebody declares it, its price to be found there."""
    index, detail = ({**SELECTORS[part]["fields"], "price": price} for part in ("index", "detail"))
    selectors = {
        "index": {**SELECTORS["index"], "fields": index},
        "detail": {**SELECTORS["detail"], "fields": detail},
    }
    source = {
        "slug": "goods",
        "kind": "product",
        "url": f"http://{HOST}:{server.port}/products",
        "currency": "EUR",
        "visibility": "public",
        "params": {"selectors": selectors, "strategies": ["selectors"]},
    }
    return yaml.safe_dump({"sources": [source]})


async def declare(larder: Shell, server: SimServer, price: Any) -> None:
    (larder.folder / "goods.yaml").write_text(catalogue(server, price))
    await larder("source", "import", "goods.yaml")


async def prices(larder: Shell) -> dict[str, int]:
    rows = await larder.json("records", "list", "--public", "--limit", "100")
    return {row["title"]: row["price_minor"] for row in rows}


async def _make_older(larder: Shell) -> None:
    """The source was added two days ago: the declaration of a new one may still change freely."""
    older = [{"age": 2 * 86_400_000_000}]
    await larder.execute("UPDATE sources SET created_at = created_at - :age", older)


async def read_once(larder: Shell, server: SimServer) -> dict[str, int]:
    """Read the shop as it should be; its prices, which are those that stand in the pages."""
    larder.env["LARDER_PARSE_WORKERS"] = "0"
    await larder("site", "set", HOST, "--local", "--spacing", "5ms", "--at-once", "4")
    await larder("site", "review", HOST)
    await declare(larder, server, PRICE)
    await larder.json("run", "start", "goods")
    truth = await prices(larder)
    assert len(truth) > 10
    await _make_older(larder)
    return truth


async def test_broken_selectors_wait(larder: Shell, shelves: SimServer) -> None:
    truth = await read_once(larder, shelves)
    await declare(larder, shelves, MODEL)
    await larder("adapter", "canary", "product", code=1)
    (reason,) = (await larder.json("why", "goods"))["blocked_by"]
    assert (reason["gate"], "price differs" in reason["says"]) == ("canary", True)
    assert await prices(larder) == truth


async def test_what_was_accepted_by_mistake_is_repaired(larder: Shell, shelves: SimServer) -> None:
    truth = await read_once(larder, shelves)
    await declare(larder, shelves, MODEL)
    await larder("adapter", "canary", "product", "--accept")
    await larder.json("run", "start", "goods")
    misread = await prices(larder)
    assert misread != truth

    await declare(larder, shelves, PRICE)
    await larder("adapter", "canary", "product", "--site", HOST, "--accept")
    looked = await larder.json("replay", "--source", "goods", "--since", "1d")
    assert (looked["applied"], looked["differing"]) == (False, sum(truth[k] != misread[k] for k in truth))
    mended = await larder.json("replay", "--source", "goods", "--apply")
    assert (mended["applied"], mended["differing"]) == (True, looked["differing"])
    assert await prices(larder) == truth
