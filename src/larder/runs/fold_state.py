"""Turns the state of a run into a mapping that is stored with every page.

As `dataclasses.asdict`, but values are not copied: states are never changed, and a copy of every string of a
long walk would cost more than the step itself.
"""

from collections.abc import Mapping
from typing import Any


def as_state(state: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, dataclasses within it and within its lists likewise."""
    return {name: _plain(getattr(state, name)) for name in state.__dataclass_fields__}


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, list | tuple):
        plain = map(_plain, value)
        return tuple(plain) if isinstance(value, tuple) else list(plain)
    if isinstance(value, Mapping):
        return dict(value)
    return as_state(value) if hasattr(value, "__dataclass_fields__") else value
