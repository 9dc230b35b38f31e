"""Validates normalized items before they are stored.

A missing required value drops the item, a doubtful one quarantines it for a person; both give the reason.
One item's objection never affects another item.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from larder.core.model.outcome import DropReason, QuarantineReason
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.stages.normalize.money import Money, PriceReading


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizedItem:
    """A normalized item before validation."""

    kind: Kind
    fields: Mapping[str, Any]
    url: str | None
    canonical_url: str | None
    bad_url: str | None
    """The page's value for a URL that is none."""
    identity_key: str | None
    money: PriceReading
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why an item is not stored."""

    reason: DropReason | QuarantineReason
    details: str = ""


ItemCheck = Callable[[NormalizedItem], Objection | None]


def validate(draft: NormalizedItem) -> Objection | None:
    """The first objection, or None."""
    return next(objections(draft), None)


def is_completable(draft: NormalizedItem, objection: Objection) -> bool:
    """Whether the row's own page may supply what the row lacks."""
    if draft.url is None or draft.identity_key is None:
        return False
    if objection.reason is DropReason.MISSING_REQUIRED_FIELD:
        return objection.details in ("price", "currency", "title")
    return objection.reason in (DropReason.NO_DATE, DropReason.UNKNOWN_AVAILABILITY, DropReason.OOS_NO_PRICE)


def objections(draft: NormalizedItem) -> Iterator[Objection]:
    """All objections to an item, the most important first."""
    return (objection for check in _CHECKS[draft.kind] if (objection := check(draft)))


def _requires(name: str) -> ItemCheck:
    def check(draft: NormalizedItem) -> Objection | None:
        return None if draft.fields.get(name) is not None else _missing(name)

    return check


def _missing(name: str) -> Objection:
    return Objection(reason=DropReason.MISSING_REQUIRED_FIELD, details=name)


def _url(draft: NormalizedItem) -> Objection | None:
    if draft.url:
        return None
    return _invalid_url(draft) or _missing("url")


def _url_or_platform_id(draft: NormalizedItem) -> Objection | None:
    if draft.url or draft.fields.get("platform_id"):
        return None
    return _invalid_url(draft) or _missing("url or platform_id")


def _invalid_url(draft: NormalizedItem) -> Objection | None:
    return Objection(reason=DropReason.INVALID_URL, details=draft.bad_url[:200]) if draft.bad_url else None


def _identity(draft: NormalizedItem) -> Objection | None:
    return None if draft.identity_key else _missing("identity_key")


def _price_of_product(draft: NormalizedItem) -> Objection | None:
    """A product needs a price, unless it is out of stock: many shops then show none."""
    if draft.money.state is not Money.ABSENT:
        return _PRODUCT_PRICES.get(draft.money.state, _no_objection)(draft)
    if draft.fields.get("availability") == Availability.OUT_OF_STOCK:
        return Objection(reason=DropReason.OOS_NO_PRICE)
    return _missing("price")


def _price_of_listing(draft: NormalizedItem) -> Objection | None:
    """A listing may lack a price; a shown price must make sense. Free is a price, 0 is an error."""
    return _LISTING_PRICES.get(draft.money.state, _no_objection)(draft)


def _price(reason: DropReason | QuarantineReason) -> Callable[[NormalizedItem], Objection]:
    return lambda draft: Objection(reason=reason, details=draft.money.details)


def _no_objection(_: NormalizedItem) -> None:
    return None


_PRODUCT_PRICES: dict[Money, ItemCheck] = {
    Money.AMBIGUOUS: _price(QuarantineReason.AMBIGUOUS_PRICE),
    Money.ZERO: _price(QuarantineReason.ZERO_PRICE),
    Money.FREE: _price(QuarantineReason.ZERO_PRICE),
    Money.UNREADABLE: _price(DropReason.INVALID_PRICE),
    Money.OUT_OF_RANGE: _price(DropReason.INVALID_PRICE),
}
_LISTING_PRICES: dict[Money, ItemCheck] = {
    Money.AMBIGUOUS: _price(QuarantineReason.AMBIGUOUS_PRICE),
    Money.ZERO: _price(QuarantineReason.ZERO_PRICE),
    Money.OUT_OF_RANGE: _price(QuarantineReason.VALIDATION_FAILED),
}


def _availability(draft: NormalizedItem) -> Objection | None:
    if draft.strict and draft.fields.get("availability") in (None, Availability.UNKNOWN):
        return Objection(reason=DropReason.UNKNOWN_AVAILABILITY)
    return None


def _date(draft: NormalizedItem) -> Objection | None:
    return None if draft.fields.get("starts_at") else Objection(reason=DropReason.NO_DATE)


def _ends_after_start(draft: NormalizedItem) -> Objection | None:
    start, end = draft.fields.get("starts_at"), draft.fields.get("ends_at")
    if start and end and end < start:
        return Objection(
            reason=QuarantineReason.VALIDATION_FAILED, details=f"ends {end} before it starts {start}"
        )
    return None


_TITLE = _requires("title")
_CHECKS: dict[Kind, tuple[ItemCheck, ...]] = {
    Kind.PRODUCT: (_TITLE, _url, _identity, _price_of_product, _requires("currency"), _availability),
    Kind.LISTING: (_TITLE, _url_or_platform_id, _identity, _price_of_listing),
    Kind.EVENT: (
        _TITLE,
        _date,
        _requires("venue"),
        _requires("category"),
        _requires("description"),
        _identity,
        _ends_after_start,
    ),
}
