"""Applies repairs to a copy of a declaration: the declaration itself stays as its author wrote it.

A repair applies to the selector that it replaces. If the author has changed that selector since, the author's
version counts and the repair is ignored.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from larder.core.model.site_profile import SELECTORS


def with_repairs(params: Any, repairs: Iterable[Mapping[str, Any]]) -> Any:
    """A source's params with repairs (`path`, `before`, `after`) in their places, in order."""
    repairs = list(repairs)
    if not repairs or not isinstance(params, Mapping) or not isinstance(params.get(SELECTORS), Mapping):
        return params
    params_then = deepcopy(dict(params[SELECTORS]))
    for repair in repairs:
        apply_repair(params_then, repair["path"], repair["before"], repair["after"])
    return {**params, SELECTORS: params_then}


def apply_repair(selectors: dict[str, Any], path: str, before: Any, after: Any) -> bool:
    """Replace one selector if it is unchanged; None removes it. True if it was replaced."""
    *parents, last = path.split(".")
    at: Any = selectors
    for name in parents:
        at = at.get(name) if isinstance(at, dict) else None
    if not isinstance(at, dict) or at.get(last) != before:
        return False
    if after is None:
        at.pop(last, None)
    else:
        at[last] = after
    return True
