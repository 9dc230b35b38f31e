"""How pydantic reads the dataclasses that are API answers.

Routes return these dataclasses; FastAPI describes and serializes them by their types. Durations are seconds,
properties are fields of the answer, and the text below a field is its description.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import ConfigDict, computed_field

from larder.actions.dataset.changes import ChangeLine, ChangePage
from larder.actions.dataset.public_record import PublicRecord
from larder.actions.operations.overview import Badges, Overview
from larder.actions.operations.runs import RunDetails, RunView
from larder.actions.sources.adapters import AdapterView
from larder.actions.sources.gate_reasons import SourceStatus
from larder.actions.sources.repairs import SourceRepairs
from larder.actions.sources.targets import TargetView
from larder.core.policy.trust.canary import Comparison, FieldDiff

T = TypeVar("T")

_CONFIG = ConfigDict(use_attribute_docstrings=True, ser_json_timedelta="float")


def answer(kind: type[T]) -> type[T]:
    """Makes field docstrings descriptions, durations seconds and properties fields."""
    setattr(kind, "__pydantic_config__", _CONFIG)  # noqa: B010 - dataclasses do not declare it
    for name, member in list(vars(kind).items()):
        if isinstance(member, property):
            setattr(kind, name, computed_field(member))
    return kind


@answer
@dataclass(frozen=True, slots=True, kw_only=True)
class Items(Generic[T]):
    """A list."""

    items: Sequence[T]


for _kind in (
    AdapterView, Badges, ChangeLine, ChangePage, Comparison, FieldDiff, Overview, PublicRecord, RunDetails,
    RunView, SourceRepairs, SourceStatus, TargetView,
):  # fmt: skip
    answer(_kind)
