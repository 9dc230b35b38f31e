"""The fields of a source that can be set, changed and removed: one table for command line, API and pages.

It is derived from `SourceSpec`, so that a new field reaches all three. A field that is removed gets its
default.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import yaml
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from larder.actions.sources.spec import PLANS, SourceSpec
from larder.core.errors import BadInput
from larder.core.model.source import Plan
from larder.core.quoting import quoted
from larder.sdk.declarations.bounded_yaml import load_bounded


class FieldType(StrEnum):
    """The format in which a field is written."""

    CHOICE = "choice"
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    MAPPING = "mapping"


_PLAIN = {bool: FieldType.FLAG, int: FieldType.WHOLE, float: FieldType.NUMBER, dict: FieldType.MAPPING}


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceField:
    """A field of a source."""

    name: str
    description: str
    type: FieldType
    value_type: Any
    """The Python type of its value, without None."""
    choices: Mapping[str, str]
    """The allowed values, each with its meaning (empty if the word says it)."""
    removable: bool
    """Whether it has a default."""


def annotation(field: FieldInfo) -> Any:
    """The annotation of a field with its constraints."""
    return Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation


def _field(name: str, field: FieldInfo) -> SourceField:
    value_type = _value_type(field.annotation)
    plain_type = get_origin(value_type) or value_type
    words = isinstance(plain_type, type) and issubclass(plain_type, StrEnum)
    return SourceField(
        name=name,
        description=field.description or name,
        type=FieldType.CHOICE if words else _PLAIN.get(plain_type, FieldType.TEXT),
        value_type=plain_type,
        choices=_choices(plain_type) if words else {},
        removable=not (field.default is PydanticUndefined and field.default_factory is None),
    )


def _value_type(hint: Any) -> Any:
    """Without None and without constraints."""
    if get_origin(hint) in (Union, UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    return _value_type(get_args(hint)[0]) if get_origin(hint) is Annotated else hint


def _choices(words: type[StrEnum]) -> dict[str, str]:
    return (
        {str(plan): meaning for plan, meaning in PLANS.items()} if words is Plan else dict.fromkeys(words, "")
    )


EDITABLE: Mapping[str, SourceField] = {
    name: _field(name, field) for name, field in SourceSpec.model_fields.items() if name != "slug"
}
"""Every field of a source but its slug, which names it."""


def parse_field(name: str, written: str) -> Any:
    """The value of a field as a person writes it; None if it is empty: removed."""
    text = written.strip()
    if not text:
        return None
    return parse_mapping(name, text) if EDITABLE[name].type is FieldType.MAPPING else text


def parse_mapping(name: str, text: str) -> dict[str, Any]:
    """A mapping from YAML or JSON."""
    try:
        found = load_bounded(text)
    except yaml.YAMLError as error:
        first = " ".join(str(error).split())[:200]
        raise BadInput(
            f"{name} cannot be read: {first}", hint="write YAML or JSON: {city: Utrecht}"
        ) from error
    if not isinstance(found, dict):
        raise BadInput(f"{name} must be a mapping, not {quoted(text, 40)}", hint="write YAML: city: Utrecht")
    return found


def with_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """The given values; for None, the default of the field."""
    present = {name: value for name, value in values.items() if value is not None}
    for name in values.keys() - present.keys():
        field = SourceSpec.model_fields[name]
        if field.is_required():
            raise BadInput(f"{name} cannot be removed", hint="give another value")
        if name == "place":
            present = {"latitude": None, "longitude": None} | present
        else:
            present[name] = field.get_default(call_default_factory=True)
    return present
