"""Registers the adapters: the built-in ones, those of installed packages, those of a folder.

An id belongs to the first adapter that has it, in this order; a domain is read by the last one that names it.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from larder.adapters.amazon.adapter import Amazon
from larder.adapters.apartments.adapter import Apartments
from larder.adapters.event.adapter import GenericEvent
from larder.adapters.listing.adapter import GenericListing
from larder.adapters.loading import BrokenAdapter, LoadedAdapter, LoadResult, from_folder, from_packages
from larder.adapters.product.adapter import GenericProduct
from larder.adapters.sgammo.adapter import Sgammo
from larder.adapters.willhaben.adapter import Willhaben
from larder.core.quoting import quoted
from larder.sdk import SiteAdapter

_BUILT_IN = (
    GenericListing(),
    GenericProduct(),
    GenericEvent(),
    Apartments(),
    Amazon(),
    Sgammo(),
    Willhaben(),
)


@dataclass(slots=True)
class Registry:
    """The adapters by id and by domain, and those that could not be loaded."""

    by_id: dict[str, LoadedAdapter] = field(default_factory=dict)
    by_domain: dict[str, SiteAdapter] = field(default_factory=dict)
    broken: list[BrokenAdapter] = field(default_factory=list)

    def add(self, found: LoadResult) -> None:
        """Register an adapter, unless its id is taken."""
        if isinstance(found, BrokenAdapter):
            self.broken.append(found)
            return
        adapter, existing = found.adapter, self.by_id.get(found.adapter.id)
        if existing is not None:
            error = f"the id {quoted(adapter.id)} is taken by another adapter ({existing.origin})"
            self.broken.append(BrokenAdapter(name=adapter.id, origin=found.origin, error=error))
            return
        self.by_id[adapter.id] = found
        for domain in (adapter.domain, *adapter.also):
            if domain is not None:
                self.by_domain[domain] = adapter


@lru_cache(maxsize=8)
def registry(folder: Path | None) -> Registry:
    """All adapters, including those of this folder."""
    found = Registry()
    for adapter in _BUILT_IN:
        found.add(LoadedAdapter(adapter=adapter, origin="built in"))
    for package in from_packages():
        found.add(package)
    for package in from_folder(folder) if folder else ():
        found.add(package)
    return found
