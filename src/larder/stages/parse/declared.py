"""The strategy selectors: reads items by the selectors that a source declares.

One rule takes precedence over declarations: a crossed-out price, or one labelled as old, is not the price.
"""

from collections.abc import Mapping
from typing import Any

from larder.core.model.item import Item, Strategy
from larder.sdk.selectors import ElementTest
from larder.sdk.urls import join
from larder.stages.parse.extraction_task import MAX_BLOCK, MAX_ITEMS, ExtractionTask, Fields
from larder.stages.parse.heuristic.price_words import is_former

SKIPPED_ELEMENTS: Mapping[str, ElementTest] = {"price": is_former}


def selectors(task: ExtractionTask) -> list[Item]:
    """Items from the declared selectors; none if none are declared."""
    part = task.declared
    if part is None:
        return []
    rows = part.rows(task.page.tree)
    items = [_item(part.read(row, SKIPPED_ELEMENTS), row, task) for row in rows[:MAX_ITEMS]]
    return [item for item in items if item.fields]


def _item(fields: Fields, row: Any, task: ExtractionTask) -> Item:
    for name in ("url", "images"):
        if name in fields:
            fields[name] = _absolute(fields[name], task.page.url)
    return Item(
        fields=fields,
        strategy=Strategy.SELECTORS,
        score=0.9,
        block=row.html[:MAX_BLOCK] if task.wants_rows else "",
    )


def _absolute(value: Any, base: str) -> Any:
    if isinstance(value, list):
        return [_absolute(each, base) for each in value]
    return (join(base, value) or value) if isinstance(value, str) else value
