"""Raw fields of an item as an adapter or a strategy collects them: empty values are left out."""

from collections.abc import Mapping
from typing import Any

from larder.core.model.item import Item, Strategy


def without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have a value: None, empty texts, lists, tuples and mappings are left out."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}


def raw_item(
    fields: Mapping[str, Any], *, strategy: Strategy = Strategy.SELECTORS, score: float = 0.95
) -> Item:
    """An item of the fields that have a value."""
    return Item(fields=without_empty(fields), strategy=strategy, score=score)


def dict_or_empty(value: Any) -> dict[str, Any]:
    """A JSON object as it is; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def list_or_empty(value: Any) -> list[Any]:
    """A JSON list as it is; an empty one for any other value."""
    return value if isinstance(value, list) else []
