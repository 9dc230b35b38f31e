"""A shop, an adapter that reads it rightly, three that do not, and a harness they are deployed to.

The adapters share a name and a version: what is deployed is told from what was there by its code alone.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from larder.core.model.item import Extracted, Failed, Item
from larder.core.model.outcome import FailReason
from larder.core.model.source import Kind
from larder.engine.worker.driver import Driver
from larder.sdk.adapter import Reading, SiteAdapter
from larder.sdk.manifest import Manifest
from larder.sdk.page import Page
from larder.sdk.selectors import Part, read_selectors
from larder.sim.layouts import Layout
from larder.sim.layouts.shop_pages import SELECTORS
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.store.reads import public
from tests.integration.engine.harness import START, Harness

_DECLARED = read_selectors(SELECTORS)


class Shelf(SiteAdapter):
    """Reads the shop as it is."""

    id, version, domain, kind = "shelf", "1.0.0", "goods.test", Kind.PRODUCT
    manifest = Manifest(owner="tests", summary="A made-up shop.")

    def read_index(self, page: Page) -> Reading:
        part = _DECLARED.index
        assert part is not None
        rows = [self._item(part, row) for row in part.rows(page.tree)]
        return Extracted(items=tuple(rows), strategy="selectors", last=page.first("a.next") is None)

    def read_detail(self, page: Page) -> Reading:
        part = _DECLARED.detail
        assert part is not None
        if page.first("article.sheet") is None:
            return Failed(reason=FailReason.SELECTOR_NOT_FOUND)
        return Extracted(items=(self._item(part, page.tree),), strategy="selectors")

    def _item(self, part: Part, scope: Any) -> Item:
        return Item(fields={**part.read(scope), **self.mistaken(scope)}, strategy="selectors")

    def mistaken(self, scope: Any) -> dict[str, Any]:  # noqa: ARG002
        """What is read wrongly."""
        return {}


class FindsNothing(Shelf):
    """Its selectors match nothing."""

    def read_index(self, page: Page) -> Reading:  # noqa: ARG002
        return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details="article.goods")

    def read_detail(self, page: Page) -> Reading:  # noqa: ARG002
        return Failed(reason=FailReason.SELECTOR_NOT_FOUND, details="article.sheets")


class PriceOfZero(Shelf):
    """Takes a placeholder for the price."""

    def mistaken(self, scope: Any) -> dict[str, Any]:  # noqa: ARG002
        return {"price": "€ 0.00"}


class CrossedOut(Shelf):
    """Takes what it cost before for what it costs."""

    def mistaken(self, scope: Any) -> dict[str, Any]:
        was = scope.select_one(".was")
        return {} if was is None else {"price": was.text}


BAD = (FindsNothing, PriceOfZero, CrossedOut)


def raised(adapter: type[Shelf]) -> type[Shelf]:
    """The same under a version of its own."""
    return type(adapter.__name__, (adapter,), {"version": "1.1.0", "__module__": adapter.__module__})


def shop(*, goods: int = 60, per_page: int = 15) -> ShopSite:
    """A shop with many sales in which nothing moves but prices."""
    truth = ShopTruth(
        seed=5,
        start=START,
        goods=goods,
        sales_per_day=0.4,
        price_changes_per_day=0.5,
        launches_per_day=0.001,
        mean_life_days=3_000,
        sold_out_per_day=0,
    )
    return ShopSite(name="goods.test", assortment=truth, layout=Layout.CARDS, per_page=per_page)


@dataclass(slots=True, kw_only=True)
class Deployment(Harness):
    """A harness in which one adapter is deployed after the other."""

    site: ShopSite = field(default_factory=shop)  # type: ignore[assignment]
    adapter: SiteAdapter = field(default_factory=Shelf)

    def driver(self, *, dies_at: int | None = None, after_commit: bool = False) -> Driver:
        driver = Harness.driver(self, dies_at=dies_at, after_commit=after_commit)
        known = {**driver.dispatcher.adapters, self.adapter.id: self.adapter}
        driver.dispatcher = replace(driver.dispatcher, adapters=known)
        return driver

    def plant(self, **values: Any) -> int:
        """A public source that is read every half hour."""
        url = f"http://{self.site.name}/products"
        row = {"kind": "product", "url": url, "adapter": "shelf", "visibility": "public"}
        return self.add_source(**{**row, **values})

    def shown(self) -> dict[str, int]:
        """What the public sees: prices by the shop's own number."""
        now = self.clock.now()
        return self.do(lambda c: {r.platform_id: r.price_minor for r in c.execute(public.visible(now))})
