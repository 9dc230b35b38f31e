"""A listing on a page without usable markup: what a product's page tells, and the facts of a home."""

from dataclasses import replace

from larder.core.model.item import Item
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.listing.locality import locality
from larder.stages.parse.heuristic.listing.title import listing_title
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.strategy_input import Fields, Look, tidy

_FACTS = ("area", "rooms", "beds", "baths")


def listing(look: Look) -> list[Item]:
    """The one thing a detail page lists; none where the page shows no price, stock or code for it."""
    return [
        replace(item, fields={**_of_home(look), **item.fields, **_titled(look)}) for item in product(look)
    ]


def _titled(look: Look) -> Fields:
    return tidy({"title": look.page.once(listing_title)}) if look.asks("title") else {}


def _of_home(look: Look) -> Fields:
    told = look.page.once(facts) if any(look.asks(name) for name in _FACTS) else {}
    found: Fields = {name: told[name] for name in told if look.asks(name)}
    if look.asks("address"):
        found["address"] = look.page.once(locality)
    return tidy(found)
