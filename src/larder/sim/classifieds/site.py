"""A classifieds site that answers requests: with HTML, or with the values that reading its pages gives."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from larder.core.model.item import Extracted
from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ClassifiedsTruth, ListingPage
from larder.sim.layout_reader import LayoutReader
from larder.sim.layouts import Layout, layout_module
from larder.sim.pictures import house
from larder.sim.site import SimRequest, SimSite, SiteAnswer
from larder.sim.wording import SiteBrand

_PHOTO = re.compile(r"/photo/(\d{1,12})\.png")


@dataclass(kw_only=True)
class ClassifiedsSite(SimSite):
    """A classifieds site."""

    classifieds: ClassifiedsTruth
    _readers: dict[tuple[SiteBrand, Layout], LayoutReader] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    INDEX_PATH: ClassVar[str] = "/listings"
    ITEM_PATH: ClassVar[re.Pattern[str]] = re.compile(r"/listing/(\d{1,12})(?:-[a-z0-9-]*)?")

    def brand_at(self, base: str) -> SiteBrand:
        """The site's name and origin at `base`."""
        return SiteBrand(name=self.name, base=base)

    def index(self, at: datetime, page: int) -> ListingPage[Listing]:
        """An index page, newest first."""
        return self.classifieds.index(at, page, self.per_page)

    def item(self, platform_id: str, at: datetime) -> Listing | None:
        """A listing at `at`."""
        return self.classifieds.listing(platform_id, at)

    def was_listed(self, platform_id: str, at: datetime) -> bool:
        """Whether the listing ever existed."""
        return self.classifieds.last_known(platform_id, at) is not None

    def entity_of(self, platform_id: str, at: datetime) -> str:
        """The identity of the advertised home."""
        listing = self.classifieds.last_known(platform_id, at)
        return listing.entity if listing else ""

    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """The rents of all listings, by id."""
        return {name: listing.price for name, listing in self.classifieds.live(at).items()}

    def image(self, path: str) -> SiteAnswer | None:
        """Each listing has one."""
        match = _PHOTO.fullmatch(path)
        return SiteAnswer(status=200, content=house(int(match[1])), kind="image/png") if match else None

    def render(self, brand: SiteBrand, layout: Layout, content: object) -> str:
        """An index page or a listing."""
        match content:
            case ListingPage() as page:
                return layout_module(layout).index(brand, page)
            case Listing() as listing:
                return layout_module(layout).detail(brand, listing)
        raise TypeError(f"a classifieds site shows no {type(content).__name__}")

    def changed_at(self, content: object) -> datetime | None:
        """Listings have validators."""
        return content.changed_at if isinstance(content, Listing) else None

    def payload(self, request: SimRequest, answer: SiteAnswer) -> Extracted | None:
        """The values of index pages and listings."""
        return self.extracted(request, answer) if isinstance(answer.content, ListingPage | Listing) else None

    def read(self, url: str, at: datetime) -> Extracted:
        """The values read from the page at `url`; `LookupError` if there is no page to read."""
        request = SimRequest.of(url)
        return self.extracted(request, self.answer(request, at))

    def extracted(self, request: SimRequest, answer: SiteAnswer) -> Extracted:
        """The values read from a response of this site; `LookupError` if it is not a page."""
        values = self._reader_of(self.brand_for(request), answer.layout)
        match answer.content:
            case ListingPage() as page:
                return values.index(page)
            case Listing() as listing:
                return values.detail(listing)
        raise LookupError(f"{self.name}{request.path} answers {answer.status}")

    def _reader_of(self, brand: SiteBrand, layout: Layout) -> LayoutReader:
        if (brand, layout) not in self._readers:
            self._readers[brand, layout] = LayoutReader(brand, layout)
        return self._readers[brand, layout]
