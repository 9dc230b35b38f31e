"""The adapters Larder knows, registered by name: nothing is found by scanning folders."""

from larder.adapters.amazon.adapter import Amazon
from larder.adapters.apartments.adapter import Apartments
from larder.adapters.event.adapter import Event
from larder.adapters.listing.adapter import Listing
from larder.adapters.product.adapter import Product
from larder.adapters.sgammo.adapter import Sgammo
from larder.adapters.willhaben.adapter import Willhaben
from larder.core.errors import NotFound
from larder.sdk import SiteAdapter

_REGISTERED: tuple[SiteAdapter, ...] = (
    Listing(),
    Product(),
    Event(),
    Apartments(),
    Amazon(),
    Sgammo(),
    Willhaben(),
)
_BY_ID = {adapter.id: adapter for adapter in _REGISTERED}
_BY_DOMAIN = {
    domain: adapter
    for adapter in _REGISTERED
    if adapter.domain is not None
    for domain in (adapter.domain, *adapter.also)
}


def find(adapter_id: str) -> SiteAdapter:
    """The adapter of that id; `NotThere` names the known ones where there is none."""
    try:
        return _BY_ID[adapter_id]
    except KeyError:
        raise NotFound(
            f"unknown adapter {adapter_id!r}", hint=f"known: {', '.join(sorted(_BY_ID))}"
        ) from None


def by_domain(domain: str) -> SiteAdapter | None:
    """The adapter that reads a registrable domain, if one does."""
    return _BY_DOMAIN.get(domain)


def known() -> tuple[SiteAdapter, ...]:
    """All registered adapters."""
    return _REGISTERED
