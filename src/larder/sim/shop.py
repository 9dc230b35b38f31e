"""A shop as a function of its rules and of time: which products it sells, at what price, and their stock.

Shops with the same `catalogue` sell the same products, each at its own price and with its own titles;
`entity` says which offers are of one product. Codes may be missing, or be the family's instead of the
product's own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import count, takewhile
from random import Random

from larder.sim.classifieds.truth import ListingPage
from larder.sim.product_catalogue import FAMILY_SIZE, CatalogueProduct, catalogue_product, retail_price
from larder.sim.timeline import StateTimeline

DAY = timedelta(days=1)
WEEK = 7 * DAY
_FIRST_ID = 700_000


class OfferChange(StrEnum):
    """Kinds of changes of an offer."""

    ARRIVED = "arrived"
    PRICE = "price"
    SALE = "sale"
    SALE_OVER = "sale_over"
    STOCK = "stock"
    REMOVED = "removed"
    BACK = "back"


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTier:
    """The price of a piece from a quantity on."""

    quantity: int
    price: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A product in one shop at a moment."""

    platform_id: str
    good: CatalogueProduct
    title: str
    gtin: str | None
    """As the shop states it."""
    price: int
    """The selling price in cents."""
    was: int | None = None
    """Crossed out beside it."""
    in_stock: bool = True
    there: bool = True
    posted_at: datetime
    changed_at: datetime
    moved: OfferChange = OfferChange.ARRIVED
    """The last change of it."""
    rating: float | None = None
    reviews: int = 0
    tiered: bool = False

    @property
    def entity(self) -> str:
        """The identity of the product, the same in every shop."""
        return self.good.entity

    @property
    def sku(self) -> str:
        """The shop's own number of it."""
        return f"{self.good.brand[:3].upper().strip()}-{self.platform_id}"

    @property
    def tiers(self) -> tuple[PriceTier, ...]:
        """Prices by quantity; empty where there is one price."""
        if not self.tiered:
            return ()
        return tuple(
            PriceTier(quantity=n, price=round(self.price * (1 - off)))
            for n, off in ((1, 0), (5, 0.05), (20, 0.1))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopEvent:
    """An event; `offer` is the state just after it (or, if removed, just before)."""

    at: datetime
    what: OfferChange
    offer: Offer


@dataclass(frozen=True, kw_only=True)
class ShopRules:
    """The rules of a shop."""

    seed: int
    start: datetime
    catalogue: int = 1
    """The seed of the goods; shops that share it share goods."""
    goods: int = 200
    """Goods in the world at the start."""
    launches_per_day: float = 2.0
    """New goods a day; each shop takes them up with a delay of its own."""
    coverage: float = 0.7
    """The share of all goods that this shop sells."""
    title_style: int = 0
    """Which of the ways to word a title is this shop's."""
    gtin_share: float = 0.8
    """The share of offers that state a code."""
    wrong_gtin_share: float = 0.0
    """The share of codes that are the family's first, not the good's own."""
    mean_life_days: float = 60.0
    reappearing: float = 0.2
    mean_absence_days: float = 2.0
    price_changes_per_day: float = 0.05
    """For each offer; so are sales and changes of stock."""
    sales_per_day: float = 0.02
    mean_sale_days: float = 4.0
    sold_out_per_day: float = 0.03
    mean_restock_days: float = 2.0
    bulk: float = 0.2
    """The share of offers with prices by quantity."""


@dataclass(slots=True)
class _ShopCache:
    offers: dict[int, StateTimeline[Offer] | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ShopTruth(ShopRules):
    """The truth of one shop. Times are aware; before `start` it is as it was at `start`."""

    _memory: _ShopCache = field(default_factory=_ShopCache, init=False, repr=False, compare=False)

    def live(self, at: datetime) -> Mapping[str, Offer]:
        """All offers at `at`, by the shop's number."""
        offers = (timeline.at(max(at, self.start)) for timeline in self._timelines(at))
        return {offer.platform_id: _aged(offer, at) for offer in offers if offer and offer.there}

    def count(self, at: datetime) -> int:
        """How many offers there are at `at`."""
        return len(self.live(at))

    def offer(self, platform_id: str, at: datetime) -> Offer | None:
        """The offer at `at`; None: it is removed or not sold yet."""
        offer = self.last_known(platform_id, at)
        return offer if offer and offer.there else None

    def last_known(self, platform_id: str, at: datetime) -> Offer | None:
        """The offer as it stands or was last; None: it never existed."""
        number = int(platform_id) - _FIRST_ID
        if number < 0 or self._launched(number) > max(at, self.start):
            return None
        timeline = self._timeline(number)
        offer = timeline.at(max(at, self.start)) if timeline else None
        return _aged(offer, at) if offer else None

    def index(self, at: datetime, page: int, per_page: int) -> ListingPage[Offer]:
        """Page `page` (from 1) of what is there, newest first; beyond the end it has no rows."""
        newest = sorted(self.live(at).values(), key=lambda offer: (offer.posted_at, offer.platform_id))[::-1]
        return ListingPage.of(newest, page, per_page)

    def events(self, since: datetime, until: datetime) -> Sequence[ShopEvent]:
        """What happened after `since`, up to and including `until`, in order."""
        events = [
            ShopEvent(at=at, what=offer.moved, offer=offer)
            for timeline in self._timelines(until)
            for at, offer in timeline.between(max(since, self.start), until)
        ]
        return sorted(events, key=lambda event: (event.at, event.offer.platform_id))

    def _timelines(self, at: datetime) -> Iterator[StateTimeline[Offer]]:
        launched = takewhile(lambda number: self._launched(number) <= max(at, self.start), count())
        return (timeline for number in launched if (timeline := self._timeline(number)))

    def _launched(self, number: int) -> datetime:
        """When a product was launched; those of the start were always there."""
        later = number - self.goods + 1
        return self.start if later <= 0 else self.start + DAY * (later / self.launches_per_day)

    def _timeline(self, number: int) -> StateTimeline[Offer] | None:
        """All events of an offer; None where the shop never sells it."""
        if number not in self._memory.offers:
            rng = Random(f"{self.seed}:offer:{number}")  # noqa: S311 - luck, not secrecy
            stocked = rng.random() < self.coverage
            self._memory.offers[number] = self._begun(rng, number) if stocked else None
        return self._memory.offers[number]

    def _begun(self, rng: Random, number: int) -> StateTimeline[Offer]:
        since = self._launched(number)
        since += -DAY * rng.expovariate(1 / 40) if since == self.start else DAY * rng.expovariate(2)
        return StateTimeline(rng, since, self._drawn(rng, number, since), self._following)

    def _drawn(self, rng: Random, number: int, since: datetime) -> Offer:
        sold = catalogue_product(self.catalogue, number)
        return Offer(
            platform_id=str(_FIRST_ID + number),
            good=sold,
            title=offer_title(sold, self.title_style, rng),
            gtin=self._code(rng, sold),
            price=retail_price(sold.cents / 100 * rng.uniform(0.88, 1.12)),
            posted_at=since,
            changed_at=since,
            rating=round(rng.uniform(3.1, 4.9), 1) if rng.random() < 0.8 else None,
            in_stock=rng.random() < 0.9,
            tiered=rng.random() < self.bulk,
        )

    def _code(self, rng: Random, sold: CatalogueProduct) -> str | None:
        if rng.random() >= self.gtin_share:
            return None
        slipped = rng.random() < self.wrong_gtin_share
        return (
            catalogue_product(self.catalogue, sold.number // FAMILY_SIZE * FAMILY_SIZE).gtin
            if slipped
            else sold.gtin
        )

    def _following(self, rng: Random, now: datetime, offer: Offer) -> tuple[datetime, Offer] | None:
        """The next change: the earliest of those that are drawn."""
        if not offer.there and rng.random() >= self.reappearing:
            return None
        rates = self._rates(offer, now)
        at = now + DAY * rng.expovariate(sum(rates.values()))
        (change,) = rng.choices(list(rates), weights=list(rates.values()))
        return at, replace(_moved(rng, change, offer), moved=change, changed_at=at)

    def _rates(self, offer: Offer, now: datetime) -> Mapping[OfferChange, float]:
        if not offer.there:
            return {OfferChange.BACK: 1 / self.mean_absence_days}
        on_sale = offer.was is not None
        stock = self.sold_out_per_day if offer.in_stock else 1 / self.mean_restock_days
        return {
            OfferChange.REMOVED: 1 / self.mean_life_days if now >= self.start else 0.0,
            OfferChange.PRICE: 0.0 if on_sale else self.price_changes_per_day,
            OfferChange.SALE: 0.0 if on_sale else self.sales_per_day,
            OfferChange.SALE_OVER: 1 / self.mean_sale_days if on_sale else 0.0,
            OfferChange.STOCK: stock,
        }


def _moved(rng: Random, change: OfferChange, offer: Offer) -> Offer:
    match change:
        case OfferChange.PRICE:
            return replace(offer, price=_other(rng, offer.price))
        case OfferChange.SALE:
            return replace(
                offer, was=offer.price, price=retail_price(offer.price / 100 * rng.uniform(0.6, 0.85))
            )
        case OfferChange.SALE_OVER:
            return replace(offer, price=offer.was or offer.price, was=None)
        case OfferChange.STOCK:
            return replace(offer, in_stock=not offer.in_stock)
        case OfferChange.REMOVED:
            return replace(offer, there=False)
        case _:
            return replace(offer, there=True, in_stock=True)


def _other(rng: Random, cents: int) -> int:
    """A price that differs from `cents`."""
    step = max(1.0, cents / 100 * rng.uniform(0.03, 0.12))
    drawn = retail_price(cents / 100 + (step if cents < 300 or rng.random() < 0.5 else -step))
    return drawn if drawn != cents else cents + 100


def _aged(offer: Offer, at: datetime) -> Offer:
    """The offer with the reviews that it has at `at`."""
    if offer.rating is None:
        return offer
    weeks = max(0, (at - offer.posted_at) // WEEK)
    return replace(offer, reviews=3 + weeks * (1 + offer.good.number % 5))


def offer_title(sold: CatalogueProduct, title_style: int, rng: Random) -> str:
    """The title in the style of one shop."""
    noun = rng.choice(sold.nouns)
    written = sold.trait.written
    match title_style % 3:
        case 0:
            return f"{sold.brand} {sold.model} {noun}, {written[0]}"
        case 1:
            return f"{noun.capitalize()} {sold.brand} {sold.model} {written[1]}"
        case _:
            return f"{sold.model} by {sold.brand} - {written[-1]} - {noun}"
