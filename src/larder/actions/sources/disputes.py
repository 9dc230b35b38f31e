"""Lists the fields of a source on which two readings disagree: how many records, and an example."""

from typing import Any

from larder.actions.formatting import money, value_text
from larder.store.reads.operators.disputed_fields import DisputedField

_LABELS = {"price_minor": "price", "starts_at": "start"}
MAX_TITLE = 80


def dispute_line(disputed_field: DisputedField) -> str:
    """One line for a person."""
    label = _LABELS.get(disputed_field.field, disputed_field.field.replace("_", " "))
    noun = "record" if disputed_field.records == 1 else "records"
    message = f"{label}: readings disagree on {disputed_field.records} of {disputed_field.of} {noun}; "
    by = f" ({disputed_field.strategy})" if disputed_field.strategy else ""
    others = ", ".join(_written(disputed_field, each) for each in disputed_field.others)
    against = f" counts, another page says {others}" if others else " counts"
    example = f"for example record {disputed_field.record}, {disputed_field.title[:MAX_TITLE]}: "
    return f"{message}{example}{_written(disputed_field, disputed_field.value)}{by}{against}"


def _written(disputed_field: DisputedField, value: Any) -> str:
    amount = (
        money(value, disputed_field.currency)
        if disputed_field.field == "price_minor" and isinstance(value, int)
        else None
    )
    return amount or value_text(value)[:MAX_TITLE]
