"""A classifieds site that answers requests: its pages drawn, or told as what reading them gives."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from larder.core.model.item import Extracted
from larder.sim.classifieds import Classifieds, IndexPage
from larder.sim.classifieds_truth import Listing
from larder.sim.layouts import Layout, drawing
from larder.sim.layouts.frame import photo
from larder.sim.page_values import Twin
from larder.sim.site import ROBOTS, Answer, Head, MadeUpSite, Removed, SimRequest, SimResponse
from larder.sim.wording import Shop

__all__ = ["ROBOTS", "Answer", "Head", "Removed", "SimRequest", "SimResponse", "Site"]

_PHOTO = re.compile(r"/photo/(\d{1,12})\.svg")


@dataclass(kw_only=True)
class Site(MadeUpSite):
    """A classifieds site."""

    classifieds: Classifieds
    _twins: dict[tuple[Shop, Layout], Twin] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    INDEX: ClassVar[str] = "/listings"
    THING: ClassVar[re.Pattern[str]] = re.compile(r"/listing/(\d{1,12})(?:-[a-z0-9-]*)?")

    def front(self, base: str) -> Shop:
        """The site as its visitors meet it at `base`."""
        return Shop(name=self.name, base=base)

    def index(self, at: datetime, page: int) -> IndexPage[Listing]:
        """An index page, newest first."""
        return self.classifieds.index(at, page, self.per_page)

    def thing(self, platform_id: str, at: datetime) -> Listing | None:
        """A listing as it stands."""
        return self.classifieds.listing(platform_id, at)

    def ever(self, platform_id: str, at: datetime) -> bool:
        """Was there ever such a listing?"""
        return self.classifieds.ever(platform_id, at) is not None

    def which(self, platform_id: str, at: datetime) -> str:
        """Which home it is for."""
        found = self.classifieds.ever(platform_id, at)
        return found.thing if found else ""

    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """All that is there, by id, with its rent."""
        return {name: listing.price for name, listing in self.classifieds.live(at).items()}

    def picture(self, path: str) -> Answer | None:
        """Each listing has one."""
        found = _PHOTO.fullmatch(path)
        return Answer(status=200, shows=photo(found[1]), kind="image/svg+xml") if found else None

    def draw(self, front: Shop, layout: Layout, shows: object) -> str:
        """An index page or a listing."""
        match shows:
            case IndexPage() as page:
                return drawing(layout).index(front, page)
            case Listing() as listing:
                return drawing(layout).detail(front, listing)
        raise TypeError(f"a classifieds site shows no {type(shows).__name__}")

    def changed_at(self, shows: object) -> datetime | None:
        """Listings have validators."""
        return shows.changed_at if isinstance(shows, Listing) else None

    def payload(self, request: SimRequest, answer: Answer) -> Extracted | None:
        """Index pages and listings have a twin."""
        return self.extracted(request, answer) if isinstance(answer.shows, IndexPage | Listing) else None

    def read(self, url: str, at: datetime) -> Extracted:
        """What reading the page at `url` gives; `LookupError` where there is none to read."""
        request = SimRequest.of(url)
        return self.extracted(request, self.answer(request, at))

    def extracted(self, request: SimRequest, answer: Answer) -> Extracted:
        """What reading an answer of this site gives; `LookupError` where it is no page."""
        twin = self._twin(self.visited(request), answer.layout)
        match answer.shows:
            case IndexPage() as page:
                return twin.index(page)
            case Listing() as listing:
                return twin.detail(listing)
        raise LookupError(f"{self.name}{request.path} answers {answer.status}")

    def _twin(self, front: Shop, layout: Layout) -> Twin:
        if (front, layout) not in self._twins:
            self._twins[front, layout] = Twin(front, layout)
        return self._twins[front, layout]
