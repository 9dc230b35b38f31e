"""Merges items of one page that markup gives several times: one item for each address."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item
from larder.sdk.page import Page

MAX_NODES_A_THING = 3
"""Maximum nodes that describe one item (the home, its offer, its advert); more are several items."""


def merge_duplicates(page: Page, items: Sequence[Item]) -> list[Item]:
    """Merges items of one address; an address of the page, a front page or many items is removed."""
    counts = Counter(key_of(item.fields.get("url")) for item in items)
    here = key_of(page.url)
    found: dict[Any, Item] = {}
    for at, item in enumerate(items):
        key = key_of(item.fields.get("url"))
        if key and (key == here or "/" not in key or counts[key] > MAX_NODES_A_THING):
            found[at] = replace(item, fields=_without(item.fields, "url"))
        elif key in found:
            found[key] = replace(item, fields={**item.fields, **found[key].fields})
        else:
            found[key or at] = item
    return list(found.values())


def key_of(url: Any) -> str:
    """An address in the form in which two are compared; empty if there is none."""
    return url.partition("#")[0].partition("://")[2].rstrip("/").casefold() if isinstance(url, str) else ""


def _without(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in fields.items() if each != name}
