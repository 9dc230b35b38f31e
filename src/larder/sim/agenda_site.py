"""An agenda that answers requests: its index, and the page of each event."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from larder.sim.agenda import AgendaTruth, Announcement
from larder.sim.classifieds.truth import ListingPage
from larder.sim.layouts import Layout, agenda_pages
from larder.sim.site import SimSite, SiteAnswer
from larder.sim.wording import SiteBrand


@dataclass(kw_only=True)
class AgendaSite(SimSite):
    """An agenda. Its layout is `jsonld` or plain."""

    agenda: AgendaTruth

    INDEX_PATH: ClassVar[str] = "/agenda"
    ITEM_PATH: ClassVar[re.Pattern[str]] = re.compile(r"/event/(\d{1,12})(?:-[a-z0-9-]*)?")

    def brand_at(self, base: str) -> SiteBrand:
        """The agenda's name and origin at `base`."""
        tagline = "Its evenings can be read about, but not visited."
        return SiteBrand(name=self.name, base=base, index="agenda", nav="Agenda", tagline=tagline)

    def index(self, at: datetime, page: int) -> ListingPage[Announcement]:
        """An index page, soonest event first."""
        return self.agenda.index(at, page, self.per_page)

    def item(self, platform_id: str, at: datetime) -> Announcement | None:
        """An announcement at `at`."""
        return self.agenda.announcement(platform_id, at)

    def was_listed(self, platform_id: str, at: datetime) -> bool:
        """Was it ever announced here?"""
        return self.agenda.last_known(platform_id, at) is not None

    def entity_of(self, platform_id: str, at: datetime) -> str:
        """The identity of its event."""
        announcement = self.agenda.last_known(platform_id, at)
        return announcement.entity if announcement else ""

    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """The prices of all coming events, by number."""
        return {name: announcement.of.price for name, announcement in self.agenda.live(at).items()}

    def image(self, path: str) -> SiteAnswer | None:  # noqa: ARG002
        """None: an agenda has no images."""
        return None

    def render(self, brand: SiteBrand, layout: Layout, content: object) -> str:
        """An index page or the page of an event."""
        marked = layout is Layout.JSONLD
        match content:
            case ListingPage() as page:
                return agenda_pages.index(brand, page, marked=marked)
            case Announcement() as told:
                return agenda_pages.detail(brand, told, marked=marked)
        raise TypeError(f"an agenda shows no {type(content).__name__}")

    def changed_at(self, content: object) -> datetime | None:
        """An announcement never changes."""
        return content.announced_at if isinstance(content, Announcement) else None
