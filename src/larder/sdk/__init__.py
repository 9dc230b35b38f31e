"""All that an adapter author may import.

Each name is loaded on first use: a program that uses only the URL functions loads no HTML parser.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turbohtml import Element

    from larder.core.model.item import Dropped, Extracted, Failed, Item, Quarantined, Strategy
    from larder.core.model.outcome import DropReason, FailReason, QuarantineReason
    from larder.core.model.source import Kind, Source
    from larder.sdk.adapter import Reading, SiteAdapter
    from larder.sdk.manifest import Manifest
    from larder.sdk.page import Page, text_of
    from larder.sdk.raw_fields import dict_or_empty, list_or_empty, raw_item, without_empty

__all__ = [
    "DropReason",
    "Dropped",
    "Element",
    "Extracted",
    "FailReason",
    "Failed",
    "Item",
    "Kind",
    "Manifest",
    "Page",
    "QuarantineReason",
    "Quarantined",
    "Reading",
    "SiteAdapter",
    "Source",
    "Strategy",
    "dict_or_empty",
    "list_or_empty",
    "raw_item",
    "text_of",
    "without_empty",
]

_HOMES = {
    "DropReason": "larder.core.model.outcome",
    "Dropped": "larder.core.model.item",
    "Element": "turbohtml",
    "Extracted": "larder.core.model.item",
    "FailReason": "larder.core.model.outcome",
    "Failed": "larder.core.model.item",
    "Item": "larder.core.model.item",
    "Kind": "larder.core.model.source",
    "Manifest": "larder.sdk.manifest",
    "Page": "larder.sdk.page",
    "QuarantineReason": "larder.core.model.outcome",
    "Quarantined": "larder.core.model.item",
    "Reading": "larder.sdk.adapter",
    "SiteAdapter": "larder.sdk.adapter",
    "Source": "larder.core.model.source",
    "Strategy": "larder.core.model.item",
    "dict_or_empty": "larder.sdk.raw_fields",
    "list_or_empty": "larder.sdk.raw_fields",
    "raw_item": "larder.sdk.raw_fields",
    "text_of": "larder.sdk.page",
    "without_empty": "larder.sdk.raw_fields",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
