"""A shop that answers requests: index pages, products and their pictures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts import Layout, shop_pages
from larder.sim.pictures import parcel
from larder.sim.shop import Offer, ShopTruth
from larder.sim.site import SimSite, SiteAnswer
from larder.sim.wording import SiteBrand

_IMAGE = re.compile(r"/image/(\d{1,12}-\d)\.png")


@dataclass(kw_only=True)
class ShopSite(SimSite):
    """A shop. Its layout is `jsonld` or plain."""

    assortment: ShopTruth

    INDEX_PATH: ClassVar[str] = "/products"
    ITEM_PATH: ClassVar[re.Pattern[str]] = re.compile(r"/product/(\d{1,12})(?:-[a-z0-9-]*)?")

    def brand_at(self, base: str) -> SiteBrand:
        """The shop's name and origin at `base`."""
        tagline = "Its goods can be looked at, but not bought."
        return SiteBrand(name=self.name, base=base, index="products", nav="Products", tagline=tagline)

    def index(self, at: datetime, page: int) -> ListingPage[Offer]:
        """An index page, newest first."""
        return self.assortment.index(at, page, self.per_page)

    def item(self, platform_id: str, at: datetime) -> Offer | None:
        """An offer at `at`."""
        return self.assortment.offer(platform_id, at)

    def was_listed(self, platform_id: str, at: datetime) -> bool:
        """Whether it was ever sold here."""
        return self.assortment.last_known(platform_id, at) is not None

    def entity_of(self, platform_id: str, at: datetime) -> str:
        """The identity of the product."""
        offer = self.assortment.last_known(platform_id, at)
        return offer.entity if offer else ""

    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """The selling prices of all offers, by number."""
        return {name: offer.price for name, offer in self.assortment.live(at).items()}

    def urls(self, at: datetime, base: str = "") -> list[str]:
        """The addresses of all offers, such as a price monitor's targets."""
        brand = self.brand_at(base or f"http://{self.name}")
        return [shop_pages.url(brand, offer) for offer in self.assortment.live(at).values()]

    def image(self, path: str) -> SiteAnswer | None:
        """Each product has two."""
        match = _IMAGE.fullmatch(path)
        return SiteAnswer(status=200, content=parcel(match[1]), kind="image/png") if match else None

    def render(self, brand: SiteBrand, layout: Layout, content: object) -> str:
        """An index page or a product's page."""
        marked = layout is Layout.JSONLD
        match content:
            case ListingPage() as page:
                return shop_pages.index(brand, page, marked=marked)
            case Offer() as offer:
                return shop_pages.detail(brand, offer, marked=marked)
        raise TypeError(f"a shop shows no {type(content).__name__}")

    def changed_at(self, content: object) -> datetime | None:
        """Offers whose page does not change between changes of the offer have validators."""
        return content.changed_at if isinstance(content, Offer) and content.rating is None else None
