"""How pydantic treats the dataclasses that are API answers.

Routes return these dataclasses; FastAPI describes and serializes them by their types. Durations are seconds,
and properties are fields of the answer. `field_descriptions` describes the fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import ConfigDict, GetCoreSchemaHandler, computed_field
from pydantic_core import CoreSchema, core_schema

from larder.actions.dataset.changes import ChangeLine, ChangePage
from larder.actions.dataset.public_record import PublicRecord
from larder.actions.operations.runs import RunDetails, RunView
from larder.actions.sources.adapters import AdapterView
from larder.actions.sources.gate_reasons import SourceGates
from larder.actions.sources.repairs import SourceRepairs
from larder.actions.sources.targets import TargetView
from larder.core.model.hint import Hint, NextStep
from larder.core.policy.scheduling.gates import GateReason
from larder.core.policy.trust.canary import Comparison, FieldDiff
from larder.rendering.hints import sentence
from larder.store.reads.counts import SourceCounts
from larder.store.reads.operators.overview import Overview

T = TypeVar("T")

_CONFIG = ConfigDict(ser_json_timedelta="float")


def answer(kind: type[T]) -> type[T]:
    """Makes durations seconds and properties fields."""
    setattr(kind, "__pydantic_config__", _CONFIG)  # noqa: B010 - dataclasses do not declare it
    for name, member in list(vars(kind).items()):
        if isinstance(member, property):
            setattr(kind, name, computed_field(member))
    return kind


@answer
@dataclass(frozen=True, slots=True, kw_only=True)
class Items(Generic[T]):
    """A list of items without pages."""

    items: Sequence[T]


def _hint_schema(_: type, __: GetCoreSchemaHandler) -> CoreSchema:
    """A hint is a sentence; beside it is its `next_step` for programs."""
    text = core_schema.plain_serializer_function_ser_schema(sentence, return_schema=core_schema.str_schema())
    return core_schema.is_instance_schema(Hint, serialization=text)


setattr(Hint, "__get_pydantic_core_schema__", _hint_schema)  # noqa: B010 - core knows nothing of pydantic
for _kind in (
    AdapterView, ChangeLine, ChangePage, Comparison, FieldDiff, NextStep, Overview, PublicRecord, GateReason,
    RunDetails, RunView, SourceCounts, SourceRepairs, SourceGates, TargetView,
):  # fmt: skip
    answer(_kind)
