"""Reads the status of an event: one word for each state, whether schema.org's or the page's own was read."""

from typing import Any

from larder.stages.normalize.text import clean

STATES = frozenset({"scheduled", "cancelled", "postponed", "moved", "sold_out"})
_SCHEMA = {
    "eventscheduled": "scheduled",
    "eventcancelled": "cancelled",
    "eventpostponed": "postponed",
    "eventrescheduled": "moved",
    "eventmovedonline": "moved",
    "soldout": "sold_out",
    "canceled": "cancelled",
}


def event_status(value: Any, availability: Any) -> str | None:
    """A state of `STATES`; sold out if only the offer says so; None for unknown states."""
    word = (clean(value) or "").rsplit("/", 1)[-1].lower()
    state = word if word in STATES else _SCHEMA.get(word)
    offered = (clean(availability) or "").rsplit("/", 1)[-1].lower()
    return "sold_out" if offered == "soldout" and state in (None, "scheduled") else state
