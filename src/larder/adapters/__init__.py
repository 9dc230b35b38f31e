"""The adapters of this process: the built-in ones, those of installed packages, those of a folder.

An id belongs to the first adapter that has it, in this order; a domain is read by the last one that names it.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from larder.adapters.amazon.adapter import Amazon
from larder.adapters.apartments.adapter import Apartments
from larder.adapters.event.adapter import Event
from larder.adapters.listing.adapter import Listing
from larder.adapters.loading import BrokenAdapter, Found, LoadedAdapter, from_folder, from_packages
from larder.adapters.product.adapter import Product
from larder.adapters.sgammo.adapter import Sgammo
from larder.adapters.willhaben.adapter import Willhaben
from larder.core.errors import NotFound
from larder.core.model.hint import Hint
from larder.sdk import SiteAdapter

__all__ = ["BrokenAdapter", "broken", "by_domain", "find", "known", "load", "origin"]

_BUILT_IN = (Listing(), Product(), Event(), Apartments(), Amazon(), Sgammo(), Willhaben())


@dataclass(slots=True)
class _Registry:
    by_id: dict[str, LoadedAdapter] = field(default_factory=dict)
    by_domain: dict[str, SiteAdapter] = field(default_factory=dict)
    broken: list[BrokenAdapter] = field(default_factory=list)

    def add(self, found: Found) -> None:
        if isinstance(found, BrokenAdapter):
            self.broken.append(found)
            return
        adapter, taken = found.adapter, self.by_id.get(found.adapter.id)
        if taken is not None:
            error = f"the id {adapter.id!r} is taken by another adapter ({taken.origin})"
            self.broken.append(BrokenAdapter(name=adapter.id, origin=found.origin, error=error))
            return
        self.by_id[adapter.id] = found
        for domain in (adapter.domain, *adapter.also):
            if domain is not None:
                self.by_domain[domain] = adapter


@lru_cache(maxsize=8)
def _registry(folder: Path | None) -> _Registry:
    registry = _Registry()
    for adapter in _BUILT_IN:
        registry.add(LoadedAdapter(adapter=adapter, origin="built in"))
    for package in from_packages():
        registry.add(package)
    for package in from_folder(folder) if folder else ():
        registry.add(package)
    return registry


_folder: Path | None = None


def load(folder: Path | None) -> None:
    """Use the adapters in this folder as well; None: only built-in and installed ones."""
    global _folder  # noqa: PLW0603 - adapters are chosen once a process, as imports are
    _folder = folder.resolve() if folder else None


def find(adapter_id: str) -> SiteAdapter:
    """The adapter of that id; `NotFound` says why it cannot be used, or names those that can."""
    registry = _registry(_folder)
    if adapter_id in registry.by_id:
        return registry.by_id[adapter_id].adapter
    failed = next((adapter for adapter in registry.broken if adapter.name == adapter_id), None)
    if failed is not None:
        raise NotFound(
            f"adapter {adapter_id!r} cannot be used: {failed.error}", hint=Hint(action="adapter.list")
        )
    raise NotFound(f"unknown adapter {adapter_id!r}", hint=f"known: {', '.join(sorted(registry.by_id))}")


def by_domain(domain: str) -> SiteAdapter | None:
    """The adapter that reads a registrable domain, if one does."""
    return _registry(_folder).by_domain.get(domain)


def known() -> tuple[SiteAdapter, ...]:
    """All adapters that can be used."""
    return tuple(found.adapter for found in _registry(_folder).by_id.values())


def origin(adapter_id: str) -> str:
    """Where an adapter comes from: `built in`, `package NAME VERSION` or `folder PATH`."""
    return _registry(_folder).by_id[adapter_id].origin


def broken() -> tuple[BrokenAdapter, ...]:
    """Those that could not be loaded, with the reason."""
    return tuple(_registry(_folder).broken)
