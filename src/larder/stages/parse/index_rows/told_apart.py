"""Markup says the same thing in several nodes, or the same address of several things: one item a thing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item
from larder.sdk.page import Page

AGAIN = 3
"""So many nodes may describe one thing (the home, its offer, its advert)."""


def told_apart(page: Page, items: Sequence[Item]) -> list[Item]:
    """Items without addresses that are the page's or many things', those of one address made one."""
    counts = Counter(key_of(item.fields.get("url")) for item in items)
    here = key_of(page.url)
    found: dict[Any, Item] = {}
    for at, item in enumerate(items):
        key = key_of(item.fields.get("url"))
        if key and (key == here or counts[key] > AGAIN):
            found[at] = replace(item, fields=_without(item.fields, "url"))
        elif key in found:
            found[key] = replace(item, fields={**item.fields, **found[key].fields})
        else:
            found[key or at] = item
    return list(found.values())


def key_of(url: Any) -> str:
    """What tells one address from another; empty where there is none."""
    return url.partition("#")[0].partition("://")[2].rstrip("/").casefold() if isinstance(url, str) else ""


def _without(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {each: value for each, value in fields.items() if each != name}
