"""Formats the facts of a simulated site, for its HTML pages and for their expected values alike."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from larder.sim.classifieds.state import Listing

_SHARP = str.maketrans({"ß": "ss", "²": "2"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBrand:
    """A site's name, and the origin of its links."""

    name: str
    base: str
    index: str = "listings"
    """The last part of its index's path."""
    nav: str = "To let"
    tagline: str = "Its homes can be looked at, but not lived in."

    @property
    def display_name(self) -> str:
        """The name that the site uses for itself: `homes.test` calls itself Homes."""
        return self.name.split(".")[0].replace("-", " ").title()

    def page(self, number: int) -> str:
        """The URL of an index page."""
        return f"{self.base}/{self.index}?page={number}"

    def listing(self, listing: Listing) -> str:
        """The URL of a listing."""
        return f"{self.base}/listing/{listing.platform_id}-{slug(listing.home.title)}"

    def photo(self, listing: Listing) -> str:
        """The URL of a listing's picture."""
        return f"{self.base}/photo/{listing.platform_id}.png"


@lru_cache(maxsize=1 << 16)
def slug(title: str) -> str:
    """A title for a path: plain letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title.lower().translate(_SHARP)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def euros(cents: int) -> str:
    """`€ 1,250`; rents are whole euros."""
    return f"€ {cents // 100:,}"


def decimal(cents: int) -> str:
    """`1250.00`, as structured data wants it."""
    return f"{cents // 100}.{cents % 100:02}"


def area(listing: Listing) -> str:
    """`78 m²`."""
    return f"{listing.home.area} m²"


def listing_summary(listing: Listing) -> str:
    """`78 m², 3 rooms, Utrecht`."""
    return f"{area(listing)}, {listing.home.rooms} rooms, {listing.home.city}"


def advert_count(total: int) -> str:
    """`2,013 adverts`."""
    return f"{total:,} advert{'' if total == 1 else 's'}"


def iso_time(moment: datetime) -> str:
    """To the second, as pages have it."""
    return moment.isoformat(timespec="seconds")


def short_time(moment: datetime) -> str:
    """`4 Mar, 09:05`."""
    return f"{moment.day} {moment:%b, %H:%M}"
