"""Lists the fields of a source on which two readings disagree: how many records, and an example."""

from typing import Any

from larder.actions.formatting import money
from larder.store.reads.operators.disputed_fields import DisputedField

_LABELS = {"price_minor": "price", "starts_at": "start"}
LONGEST = 80


def dispute_line(found: DisputedField) -> str:
    """One line for a person."""
    label = _LABELS.get(found.field, found.field.replace("_", " "))
    noun = "record" if found.records == 1 else "records"
    says = f"{label}: readings disagree on {found.records} of {found.of} {noun}; "
    by = f" ({found.strategy})" if found.strategy else ""
    others = ", ".join(_written(found, each) for each in found.others)
    against = f" counts, another page says {others}" if others else " counts"
    example = f"for example record {found.record}, {found.title[:LONGEST]}: "
    return f"{says}{example}{_written(found, found.value)}{by}{against}"


def _written(found: DisputedField, value: Any) -> str:
    amount = money(value, found.currency) if found.field == "price_minor" and isinstance(value, int) else None
    return amount or str(value)[:LONGEST]
