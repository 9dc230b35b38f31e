"""A shop that answers requests: shelves, products and their pictures."""

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from struct import pack
from typing import ClassVar

from larder.sim.classifieds import IndexPage
from larder.sim.layouts import Layout, shelf
from larder.sim.shop import Assortment, Offer
from larder.sim.site import Answer, MadeUpSite
from larder.sim.wording import Shop

_IMAGE = re.compile(r"/image/(\d{1,12}-\d)\.png")
SIDE = 24
"""Pixels of a picture, both ways."""


@dataclass(kw_only=True)
class ShopSite(MadeUpSite):
    """A shop. Its layout is either `jsonld` or, whatever else is asked for, plain."""

    assortment: Assortment

    INDEX: ClassVar[str] = "/products"
    THING: ClassVar[re.Pattern[str]] = re.compile(r"/product/(\d{1,12})(?:-[a-z0-9-]*)?")

    def front(self, base: str) -> Shop:
        """The shop as its visitors meet it at `base`."""
        motto = "Its goods can be looked at, but not bought."
        return Shop(name=self.name, base=base, index="products", nav="Products", motto=motto)

    def index(self, at: datetime, page: int) -> IndexPage[Offer]:
        """A page of the shelves, newest first."""
        return self.assortment.index(at, page, self.per_page)

    def thing(self, platform_id: str, at: datetime) -> Offer | None:
        """An offer as it stands."""
        return self.assortment.offer(platform_id, at)

    def ever(self, platform_id: str, at: datetime) -> bool:
        """Was it ever sold here?"""
        return self.assortment.ever(platform_id, at) is not None

    def which(self, platform_id: str, at: datetime) -> str:
        """Which good it is."""
        found = self.assortment.ever(platform_id, at)
        return found.thing if found else ""

    def prices(self, at: datetime) -> Mapping[str, int | None]:
        """All that is sold, by number, with its selling price."""
        return {name: offer.price for name, offer in self.assortment.live(at).items()}

    def urls(self, at: datetime, base: str = "") -> list[str]:
        """The addresses of all that is sold, for whoever wants to watch them."""
        front = self.front(base or f"http://{self.name}")
        return [shelf.url(front, offer) for offer in self.assortment.live(at).values()]

    def picture(self, path: str) -> Answer | None:
        """Each product has two."""
        found = _IMAGE.fullmatch(path)
        return Answer(status=200, shows=swatch(found[1]), kind="image/png") if found else None

    def draw(self, front: Shop, layout: Layout, shows: object) -> str:
        """The shelves or a product."""
        marked = layout is Layout.JSONLD
        match shows:
            case IndexPage() as page:
                return shelf.index(front, page, marked=marked)
            case Offer() as offer:
                return shelf.detail(front, offer, marked=marked)
        raise TypeError(f"a shop shows no {type(shows).__name__}")

    def changed_at(self, shows: object) -> datetime | None:
        """Offers whose page stands still between changes have validators."""
        return shows.changed_at if isinstance(shows, Offer) and shows.rating is None else None


def swatch(name: str) -> bytes:
    """A small PNG of one colour that is the name's own."""
    row = b"\0" + sha256(name.encode()).digest()[:3] * SIDE
    header = pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * SIDE)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body))
