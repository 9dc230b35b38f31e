"""Answers as the document describes them: the dataclasses of `actions`, with their properties.

The models made here document answers, they do not make them: an answer goes from the action straight to JSON
(`answers`). A test holds the two together.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field as DataclassField
from dataclasses import is_dataclass
from datetime import timedelta
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, create_model

from larder.actions.json_values import field_names


def gives(kind: Any, *, many: bool = False, status: int = 200) -> dict[str, Any]:
    """What a route answers with, for its decorator; `many`: a list of them below `items`."""
    shape = listed(kind) if many else shaped(kind)
    return {"response_model": shape, "status_code": status}


@cache
def listed(kind: type) -> type[BaseModel]:
    """A list, in an object that can grow."""
    fields: dict[str, Any] = {"items": (list[shaped(kind)], ...)}  # type: ignore[misc]
    return create_model(f"{kind.__name__}List", __doc__=f"A list of {kind.__name__}.", **fields)


def shaped(hint: Any) -> Any:
    """A type as JSON has it."""
    origin, args = get_origin(hint), get_args(hint)
    if inspect.isclass(hint) and is_dataclass(hint):
        return _model(hint)
    if hint is timedelta:
        return float
    if origin in (Union, UnionType):
        return Union[tuple(shaped(each) for each in args)]  # noqa: UP007 - put together at run time
    if inspect.isclass(origin) and issubclass(origin, Mapping):
        return dict[str, shaped(args[1])]  # type: ignore[misc]
    if inspect.isclass(origin) and issubclass(origin, Sequence | set | frozenset):
        each = args[0] if len({*args} - {...}) == 1 else Any
        return list[shaped(each)]  # type: ignore[misc]
    return hint


@cache
def _model(kind: Any) -> type[BaseModel]:
    hints = get_type_hints(kind)
    told = _told(kind)
    fields: dict[str, Any] = {
        name: (shaped(hints.get(name) or _returned(kind, name)), Field(description=told.get(name)))
        for name in field_names(kind)
    }
    return create_model(kind.__name__, __doc__=inspect.getdoc(kind), **fields)


def _returned(kind: type, name: str) -> Any:
    getter = inspect.getattr_static(kind, name).fget
    return get_type_hints(getter)["return"]


_STRING_AFTER_FIELD = re.compile(r'^    (\w+): .+\n    """([^"]+)"""$', re.MULTILINE)


def _told(kind: Any) -> dict[str, str]:
    """What the source says below a field, and what a property says of itself."""
    said = {
        name: " ".join(text.split()) for name, text in _STRING_AFTER_FIELD.findall(inspect.getsource(kind))
    }
    fields: dict[str, DataclassField[Any]] = kind.__dataclass_fields__
    for name in field_names(kind):
        if name not in fields:
            said[name] = inspect.getdoc(inspect.getattr_static(kind, name)) or ""
    return said
