"""Chooses for each field of a detail page between the general reading and that of the site profile.

Meanings are compared, not notations. Each field's strategy shows the outcome: `json-ld + profile` if both
agree, `profile ≠ heuristic` if the first counts and the second differs.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from larder.core.model.item import Item, ProfileValue, Strategy
from larder.core.model.reading import AGAINST, BESIDE
from larder.core.model.site_profile import PROFILE
from larder.stages.normalize.text import plain_words

Fields = Mapping[str, Any]
Understand = Callable[[Fields], Fields]

_DIGIT = re.compile(r"\d")
_NUMBERS = frozenset({"price", "starts_at", "area", "rooms", "beds", "baths"})
_HELD_AS = {"price": "price_minor", "area": "area_m2"}
_READ_TOGETHER_WITH = {"price": ("currency", "page_currency")}
"""Raw fields that are needed to normalize another one."""
_REPLACES = {"starts_at": ("date_text", "ends_at")}
_READ_AS = {"starts_at": ("starts_at", "date_text"), "title": ("title", "name")}


def choose_values(item: Item, understand: Understand) -> Item:
    """The item with the chosen values; `understand` normalizes raw fields."""
    general = understand(item.fields)
    for value in item.profile:
        item = _with_chosen_value(item, value, general, understand)
    return replace(item, profile=())


def _with_chosen_value(item: Item, value: ProfileValue, general: Fields, understand: Understand) -> Item:
    name, other = value.field, _strategy(item, value.field)
    general_value = _meaning(name, item.fields, general) if other else None
    values = {key: item.fields[key] for key in _READ_TOGETHER_WITH.get(name, ()) if key in item.fields}
    raw = {**values, name: value.raw}
    profile_value = None if _is_label(value) else _meaning(name, raw, understand(raw))
    if profile_value is None:
        return _with_strategy(item, name, f"{other}{AGAINST}{PROFILE}") if general_value is not None else item
    if general_value is None:
        return _replaced(item, value, PROFILE)
    if _same(general_value, profile_value):
        both = f"{other}{BESIDE}{PROFILE}"
        return (
            _replaced(item, value, both)
            if _adds_time(general_value, profile_value)
            else _with_strategy(item, name, both)
        )
    if value.better or other == Strategy.HEURISTIC:
        return _replaced(item, value, f"{PROFILE}{AGAINST}{other}")
    return _with_strategy(item, name, f"{other}{AGAINST}{PROFILE}")


def _is_label(value: ProfileValue) -> bool:
    """Whether a value is empty or has words instead of a number."""
    return value.raw is None or (value.field in _NUMBERS and not _DIGIT.search(str(value.raw)))


def _strategy(item: Item, name: str) -> str:
    """The strategy by which the general reading found a field; empty if it did not."""
    raw = next((each for each in _READ_AS.get(name, (name,)) if item.fields.get(each)), None)
    return item.strategies.get(raw, item.strategy) if raw else ""


def _meaning(name: str, raw: Fields, fields: Fields) -> Any:
    """The meaning of a field in a comparable form; None if it has none."""
    value = fields.get(_HELD_AS.get(name, name))
    if value is None or not any(raw.get(each) for each in _READ_AS.get(name, (name,))):
        return None
    if name == "starts_at":
        return (str(value)[:10], str(value)[11:16] if fields.get("time_known") else "")
    return plain_words(value) or None if isinstance(value, str) else value


def _same(one: Any, other: Any) -> bool:
    """Whether two values agree; a start without a time equals one with a time on that day."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return bool(one[0] == other[0] and (one[1] == other[1] or not one[1] or not other[1]))
    return bool(one == other)


def _adds_time(general_value: Any, profile_value: Any) -> bool:
    """Whether the profile's date has a time and the general one has not."""
    return isinstance(general_value, tuple) and not general_value[1] and bool(profile_value[1])


def _with_strategy(item: Item, name: str, strategy: str) -> Item:
    names = [each for each in _READ_AS.get(name, (name,)) if each in item.fields]
    return replace(item, strategies={**item.strategies, **dict.fromkeys(names, strategy)})


def _replaced(item: Item, value: ProfileValue, strategy: str) -> Item:
    replaced = _REPLACES.get(value.field, ())
    fields = {name: field_value for name, field_value in item.fields.items() if name not in replaced}
    return replace(
        item,
        fields={**fields, value.field: value.raw},
        strategies={**item.strategies, value.field: strategy},
    )
