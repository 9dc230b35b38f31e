"""The trail of a page, as its markup states it."""

from typing import Any

from larder.sdk.jsonld import types_of
from larder.sdk.page import Page

MAX_CRUMBS = 12


def breadcrumb_names(page: Page) -> list[str]:
    """The names of the trail that the page's markup states."""
    nodes = (node for node in page.json_ld() if "BreadcrumbList" in types_of(node))
    steps: Any = next((node.get("itemListElement") for node in nodes), None)
    listed = (
        [each for each in steps[:MAX_CRUMBS] if isinstance(each, dict)] if isinstance(steps, list) else []
    )
    names = (
        each.get("name") or (each["item"].get("name") if isinstance(each.get("item"), dict) else "")
        for each in listed
    )
    return [name for name in names if isinstance(name, str)]
