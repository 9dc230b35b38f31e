"""All that an adapter author may import."""

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
