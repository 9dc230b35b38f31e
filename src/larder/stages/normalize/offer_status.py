"""Reads the status of a listing or product: one word for each state, whatever language or field said it."""

from typing import Any

from larder.core.model.record import Availability
from larder.core.policy.trust.offer_status import OfferStatus, offer_status
from larder.stages.normalize.availability import parse_availability
from larder.stages.normalize.text import clean

_BY_AVAILABILITY = {
    "soldout": OfferStatus.SOLD,
    "outofstock": OfferStatus.SOLD,
    "discontinued": OfferStatus.REMOVED,
    "reserved": OfferStatus.RESERVED,
}
"""The meaning of schema.org's words for stock if there is one piece."""


def listing_status(value: Any, availability: Any) -> str | None:
    """The state in a status (other words unchanged), else the meaning of its offer's availability."""
    text = clean(value)
    if text:
        return offer_status(text) or text
    word = (clean(availability) or "").rstrip("/").rsplit("/", 1)[-1]
    return _BY_AVAILABILITY.get(word.replace("_", "").lower()) or offer_status(word)


def product_availability(value: Any, status: Any) -> Availability:
    """The stock that a page states; a product with the status sold is out of stock."""
    stock = parse_availability(value)
    if stock is not Availability.UNKNOWN or not (text := clean(status)):
        return stock
    if offer_status(text) is OfferStatus.SOLD:
        return Availability.OUT_OF_STOCK
    return parse_availability(text)
