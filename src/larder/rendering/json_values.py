"""Values as JSON, the same for `--json` on the command line and for the API."""

from dataclasses import is_dataclass
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any

from larder.core.model.hint import Hint
from larder.rendering.hints import sentence


def to_json(value: Any) -> Any:
    """A value as JSON: dataclasses with their properties, durations as seconds, decimals as text."""
    if isinstance(value, Hint):
        return sentence(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in field_names(type(value))}
    if isinstance(value, dict):
        return {str(key): to_json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json(each) for each in value]
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value.value if isinstance(value, Enum) else value


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass, then its properties."""
    members = vars(kind).items()  # pydantic wraps a property that the API describes
    derived = (name for name, member in members if isinstance(getattr(member, "wrapped", member), property))
    fields: dict[str, Any] = getattr(kind, "__dataclass_fields__", {})
    return (*fields, *derived)
