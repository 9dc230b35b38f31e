"""A listing on a page without usable markup: what a product's page tells, and the facts of a home."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item
from larder.sdk.page import Page
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.listing.locality import locality
from larder.stages.parse.heuristic.listing.status import status
from larder.stages.parse.heuristic.listing.title import listing_title
from larder.stages.parse.heuristic.prices import says_no_amount
from larder.stages.parse.heuristic.product import product
from larder.stages.parse.heuristic.segments import segments
from larder.stages.parse.strategy_input import Fields, Look, tidy

FEWEST = 2
BESIDE = 20
MAX_PHRASE = 60

_FACTS = ("area", "rooms", "beds", "baths")
ON_REQUEST = re.compile(
    r"price (?:on|upon) (?:request|application)|\bPOA\b|(?:preis )?auf anfrage|zu verschenken|"
    r"verhandlungsbasis|"
    r"prijs op aanvraag|op aanvraag|\bbieden\b|gratis af te halen|prix sur demande|nous consulter|"
    r"precio a consultar|(?:a )?consultar|se regala|prezzo su richiesta|trattativa riservata|da concordare|"
    r"sob consulta|a combinar|\bà débattre|\bt\.e\.a\.b\.|gegen gebot|\bverschenke|make (?:an )?offer|"
    r"\bza darmo|do uzgodnienia|\bdohodou|\bzdarma|prisförslag|bortskänkes|\bgives væk",
    re.IGNORECASE,
)
"""What stands where a price would be."""


def listing(look: Look) -> list[Item]:
    """The one thing a detail page lists; none where it shows neither price, stock nor the facts of a home."""
    found = (
        replace(item, fields={**_of_home(look), **item.fields, **_titled(look)}) for item in product(look)
    )
    return [item for item in found if look.lacking is not None or _is_listing(item.fields, look)]


def _is_listing(fields: Mapping[str, Any], look: Look) -> bool:
    """A price or stock; "on request" or two facts of a home will do as well."""
    if not fields.keys().isdisjoint(("price", "availability", "buyable")):
        return True
    if sum(name in fields for name in _FACTS) >= FEWEST:
        return True
    return look.page.once(says_no_amount) or look.page.once(_is_on_request)


def _is_on_request(page: Page) -> bool:
    shown = page.once(segments)
    close = shown.texts[max(0, shown.head - BESIDE) : shown.head + BESIDE]
    return any(len(each.text) <= MAX_PHRASE and ON_REQUEST.search(each.text) for each in close)


def _titled(look: Look) -> Fields:
    return tidy({"title": look.page.once(listing_title)}) if look.asks("title") else {}


def _of_home(look: Look) -> Fields:
    page_facts = look.page.once(facts) if any(look.asks(name) for name in _FACTS) else {}
    found: Fields = {name: page_facts[name] for name in page_facts if look.asks(name)}
    if look.asks("address"):
        found["address"] = look.page.once(locality)
    return tidy({**found, "status": look.page.once(status)})
