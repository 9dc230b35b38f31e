"""An agenda that answers requests: what is to come, and each evening's own page."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from larder.sim.agenda import Agenda, Announcement
from larder.sim.classifieds import IndexPage
from larder.sim.layouts import Layout, programme
from larder.sim.site import Answer, MadeUpSite
from larder.sim.wording import Shop


@dataclass(kw_only=True)
class AgendaSite(MadeUpSite):
    """An agenda. Its layout is either `jsonld` or, whatever else is asked for, plain."""

    agenda: Agenda

    INDEX: ClassVar[str] = "/agenda"
    THING: ClassVar[re.Pattern[str]] = re.compile(r"/event/(\d{1,12})(?:-[a-z0-9-]*)?")

    def front(self, base: str) -> Shop:
        """The agenda as its visitors meet it at `base`."""
        motto = "Its evenings can be read about, but not visited."
        return Shop(name=self.name, base=base, index="agenda", nav="Agenda", motto=motto)

    def index(self, at: datetime, page: int) -> IndexPage[Announcement]:
        """A page of what is to come, soonest first."""
        return self.agenda.index(at, page, self.per_page)

    def thing(self, platform_id: str, at: datetime) -> Announcement | None:
        """An announcement as it stands."""
        return self.agenda.announcement(platform_id, at)

    def ever(self, platform_id: str, at: datetime) -> bool:
        """Was it ever announced here?"""
        return self.agenda.ever(platform_id, at) is not None

    def which(self, platform_id: str, at: datetime) -> str:
        """Which happening it is."""
        found = self.agenda.ever(platform_id, at)
        return found.thing if found else ""

    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """All that is to come, by number, with what it costs."""
        return {name: told.of.price for name, told in self.agenda.live(at).items()}

    def picture(self, path: str) -> Answer | None:  # noqa: ARG002
        """There are none."""
        return None

    def draw(self, front: Shop, layout: Layout, shows: object) -> str:
        """The agenda or one evening."""
        marked = layout is Layout.JSONLD
        match shows:
            case IndexPage() as page:
                return programme.index(front, page, marked=marked)
            case Announcement() as told:
                return programme.detail(front, told, marked=marked)
        raise TypeError(f"an agenda shows no {type(shows).__name__}")

    def changed_at(self, shows: object) -> datetime | None:
        """An announcement stays as it was made."""
        return shows.announced_at if isinstance(shows, Announcement) else None
