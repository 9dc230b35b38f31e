"""Adapters: a name or a domain comes in; its adapter goes out. All are loaded at the first request."""

from pathlib import Path
from typing import TYPE_CHECKING

from larder.core.errors import NotFound
from larder.core.model.hint import Hint
from larder.core.quoting import quoted

if TYPE_CHECKING:
    from larder.adapters.loading import BrokenAdapter
    from larder.adapters.registry import Registry
    from larder.sdk import SiteAdapter

__all__ = ["broken", "by_domain", "find", "known", "load", "origin"]

_folder: Path | None = None


def load(folder: Path | None) -> None:
    """Use the adapters in this folder as well; None: only built-in and installed ones."""
    global _folder  # noqa: PLW0603 - adapters are chosen once a process, as imports are
    _folder = folder.resolve() if folder else None


def _registry() -> "Registry":
    from larder.adapters.registry import registry  # noqa: PLC0415 - loaded when it is asked for

    return registry(_folder)


def find(adapter_id: str) -> "SiteAdapter":
    """The adapter of that id; `NotFound` says why it cannot be used, or names those that can."""
    registry = _registry()
    if adapter_id in registry.by_id:
        return registry.by_id[adapter_id].adapter
    failed = next((adapter for adapter in registry.broken if adapter.name == adapter_id), None)
    if failed is not None:
        raise NotFound(
            f"adapter {quoted(adapter_id)} cannot be used: {failed.error}", hint=Hint(action="adapter.list")
        )
    raise NotFound(
        f"unknown adapter {quoted(adapter_id)}", hint=f"known: {', '.join(sorted(registry.by_id))}"
    )


def by_domain(domain: str) -> "SiteAdapter | None":
    """The adapter that reads a registrable domain, if one does."""
    return _registry().by_domain.get(domain)


def known() -> "tuple[SiteAdapter, ...]":
    """All adapters that can be used."""
    return tuple(found.adapter for found in _registry().by_id.values())


def origin_of(adapter_id: str) -> str:
    """Where an adapter comes from: `built in`, `package NAME VERSION` or `folder PATH`."""
    return _registry().by_id[adapter_id].origin


def broken() -> "tuple[BrokenAdapter, ...]":
    """Those that could not be loaded, with the reason."""
    return tuple(_registry().broken)
