"""Labelled records: what made-up shops, agendas and boards say of things whose identity is known.

Each record is what a source tells, spoilt as people spoil it: typing mistakes, shop talk, capitals, words
left out, codes that are missing, addresses written another way. Near-twins come by themselves: goods have
siblings, evenings have other dates, flats have neighbours.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from larder.core.model.source import Kind
from larder.sim.agenda import AgendaTruth, Announcement
from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.shop import Offer, ShopTruth

START = datetime(2026, 3, 1, tzinfo=UTC)
AT = START + timedelta(days=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One record and the thing that it is about."""

    source: str
    kind: Kind
    thing: str
    number: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlet:
    """A source of labelled records."""

    slug: str
    kind: Kind
    trusted: bool = False


OUTLETS = (
    Outlet(slug="shop-a", kind=Kind.PRODUCT, trusted=True),
    Outlet(slug="shop-b", kind=Kind.PRODUCT, trusted=True),
    Outlet(slug="shop-c", kind=Kind.PRODUCT),
    Outlet(slug="agenda-a", kind=Kind.EVENT),
    Outlet(slug="agenda-b", kind=Kind.EVENT),
    Outlet(slug="agenda-c", kind=Kind.EVENT),
    Outlet(slug="board-a", kind=Kind.LISTING),
    Outlet(slug="board-b", kind=Kind.LISTING),
    Outlet(slug="board-c", kind=Kind.LISTING),
)


def labelled(seed: int, *, goods: int, evenings_a_day: float, flats: int) -> list[Labelled]:
    """All that the outlets say."""
    chance = Random(seed)
    return [
        *_products(seed, chance, goods),
        *_events(seed, chance, evenings_a_day),
        *_flats(seed, chance, flats),
    ]


def _products(seed: int, chance: Random, goods: int) -> Iterator[Labelled]:
    states, slips = (0.8, 0.6, 0.5), (0.0, 0.0, 0.15)
    for manner, outlet in enumerate(o for o in OUTLETS if o.kind is Kind.PRODUCT):
        shop = ShopTruth(
            seed=seed * 10 + manner,
            start=START,
            catalogue=seed,
            goods=goods,
            title_style=manner,
            gtin_share=states[manner],
            wrong_gtin_share=slips[manner],
        )
        for number, offer in shop.live(AT).items():
            fields = _kept(_product(chance, offer))
            yield Labelled(
                source=outlet.slug, kind=Kind.PRODUCT, thing=offer.entity, number=number, fields=fields
            )


def _product(chance: Random, offer: Offer) -> dict[str, Any]:
    good = offer.good
    title = offer.title
    if chance.random() < 0.1:
        title = title.replace(good.brand, "").strip(" ,-")
    if chance.random() < 0.08:
        title = _without_trait(title, good.trait.written)
    if chance.random() < 0.12:
        title = title.replace(good.model, good.model.replace(" ", chance.choice(("", "-"))))
    brands = (good.brand, good.brand.upper(), good.brand.split()[0], None)
    return {
        "title": spoilt(chance, title, _SHOP_TALK),
        "brand": chance.choices(brands, weights=(6, 1, 1, 2))[0],
        "gtin": offer.gtin,
        "mpn": chance.choices((None, good.mpn, good.mpn[2:]), weights=(7, 2, 1))[0],
        "sku": offer.sku,
        "price_minor": offer.price,
        "currency": "EUR",
        "availability": "in_stock",
        "description": good.praise,
    }


def _without_trait(title: str, written: Sequence[str]) -> str:
    for way in sorted(written, key=len, reverse=True):
        title = re.sub(rf"[ ,-]*{re.escape(way)}", "", title)
    return title


def _events(seed: int, chance: Random, a_day: float) -> Iterator[Labelled]:
    for manner, outlet in enumerate(o for o in OUTLETS if o.kind is Kind.EVENT):
        agenda = AgendaTruth(
            seed=seed * 10 + manner,
            start=START,
            calendar=seed,
            per_day=a_day,
            title_style=manner,
            coverage=0.75,
        )
        for number, told in agenda.live(AT).items():
            fields = _kept(_event(chance, told))
            yield Labelled(
                source=outlet.slug, kind=Kind.EVENT, thing=told.entity, number=number, fields=fields
            )


def _event(chance: Random, told: Announcement) -> dict[str, Any]:
    starts_at, hour_known = told.of.starts_at, chance.random() >= 0.1
    if chance.random() < 0.1:
        starts_at -= timedelta(minutes=30)
    if not hour_known:
        starts_at = starts_at.replace(hour=0, minute=0)
    placed = chance.random() < 0.6
    where = (told.of.venue.latitude, told.of.venue.longitude) if placed else (52.09, 5.12)
    return {
        "title": spoilt(chance, told.title, _AGENDA_TALK),
        "starts_at": starts_at.isoformat(),
        "time_known": hour_known,
        "venue": chance.choice((told.of.venue.name, told.of.venue.also, told.venue)),
        "category": told.of.category,
        "latitude": where[0],
        "longitude": where[1],
        "coordinates_from": "page" if placed else "default",
        "description": told.of.description,
    }


def _flats(seed: int, chance: Random, stock: int) -> Iterator[Labelled]:
    for number, outlet in enumerate(o for o in OUTLETS if o.kind is Kind.LISTING):
        board = ClassifiedsTruth(seed=seed * 10 + number, start=START, stock=stock, pool=seed, pooled=0.5)
        for name, listing in board.live(AT).items():
            thing = listing.entity or f"{outlet.slug}-{name}"
            fields = _kept(_flat(chance, listing))
            yield Labelled(source=outlet.slug, kind=Kind.LISTING, thing=thing, number=name, fields=fields)


def _flat(chance: Random, listing: Listing) -> dict[str, Any]:
    home = listing.home
    placed = chance.random() < 0.6
    blur = chance.choice((5, 5, 5, 2))
    return {
        "title": spoilt(chance, home.title, _BOARD_TALK),
        "address": _address(chance, listing),
        "city": home.city if chance.random() < 0.7 else None,
        "postcode": home.postcode if chance.random() < 0.5 else None,
        "area_m2": float(home.area) if chance.random() < 0.95 else None,
        "rooms": home.rooms if chance.random() < 0.9 else None,
        "price_minor": listing.price,
        "currency": "EUR",
        "latitude": round(home.latitude, blur) if placed else None,
        "longitude": round(home.longitude, blur) if placed else None,
        "seller": home.seller,
        "description": home.description,
    }


def _address(chance: Random, listing: Listing) -> str:
    home = listing.home
    street = home.street
    for long, short in (("straße", "str."), ("straat", "str."), (" Street", " St"), (" Road", " Rd.")):
        if chance.random() < 0.3:
            street = street.replace(long, short)
    if chance.random() < 0.03:
        street = _mistyped(chance, street)
    ways = (
        f"{street}, {home.postcode} {home.city}",
        f"{street}, {home.postcode}, {home.city}",
        f"{street}, {home.city}",
        f"{street.upper()}, {home.postcode} {home.city.upper()}",
    )
    return chance.choice(ways)


_SHOP_TALK = ("NEW! {}", "{} - SALE", "{} | free delivery", "{} (official)", "Top deal: {}", "{} *****")
_AGENDA_TALK = ("{} (uitverkocht)", "LIVE: {}", "{} | extra datum", "{} – laatste kaarten", "Vanavond: {}")
_BOARD_TALK = ("!! {} !!", "{} - direct beschikbaar", "{} (no agents)", "TOP: {}", "{} *provisionsfrei*")


def spoilt(chance: Random, title: str, talk: Sequence[str]) -> str:
    """A title as a hurried person types it."""
    for likely, change in _WAYS:
        if chance.random() < likely:
            title = change(chance, title)
    return chance.choice(talk).format(title) if chance.random() < 0.15 else title


def _mistyped(chance: Random, title: str) -> str:
    """A letter too few, twice, or in the wrong place, in one of the longer words."""
    words = title.split(" ")
    long = [place for place, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return title
    place = chance.choice(long)
    word, at = words[place], chance.randrange(1, len(words[place]) - 1)
    words[place] = chance.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
    return " ".join(words)


def _turned(chance: Random, title: str) -> str:
    """Two words next to each other change places; a number stays behind its name."""
    words = title.split(" ")
    free = [
        place
        for place in range(len(words) - 1)
        if words[place].isalpha() and words[place + 1].isalpha() and len(words) > 3
    ]
    if free:
        place = chance.choice(free)
        words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


_WAYS: tuple[tuple[float, Callable[[Random, str], str]], ...] = (
    (0.15, _mistyped),
    (0.1, _turned),
    (0.08, lambda _, title: title.upper()),
    (0.08, lambda _, title: title.lower()),
)


def _kept(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
