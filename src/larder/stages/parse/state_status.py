"""Reads an item's status from embedded state: sold, reserved, cancelled, sold out.

Only known words count: `status: 3` and `status: "published"` mean nothing.
"""

from collections.abc import Mapping
from typing import Any

from larder.core.model.source import Kind
from larder.core.policy.trust.offer_status import offer_status
from larder.stages.parse.agenda.status import status_of
from larder.stages.parse.extraction_task import Fields
from larder.stages.parse.json_values import json_text, name_in

MAX_WORD = 40

_WORDS = (
    "status", "eventstatus", "listingstatus", "adstatus", "itemstatus", "objectstatus", "propertystatus",
    "offerstatus", "salestatus", "salesstatus", "availabilitystatus", "availability", "state",
    "badge", "label",
)  # fmt: skip
_FLAGS: Mapping[Kind, Mapping[str, Fields]] = {
    Kind.LISTING: {
        "sold": {"status": "sold"},
        "rented": {"status": "rented"},
        "expired": {"status": "removed"},
        "deleted": {"status": "removed"},
        "removed": {"status": "removed"},
        "reserved": {"status": "reserved"},
    },
    Kind.PRODUCT: {
        "soldout": {"availability": "OutOfStock"},
        "outofstock": {"availability": "OutOfStock"},
        "sold": {"availability": "OutOfStock"},
    },
    Kind.EVENT: {
        "cancelled": {"status": "cancelled"},
        "canceled": {"status": "cancelled"},
        "postponed": {"status": "postponed"},
        "soldout": {"status": "sold_out"},
    },
}


def status_in_state(keys: Mapping[str, Any], kind: Kind) -> Fields:
    """The `status` or `availability` from an object's flags and status fields.

    Keys are in their common form.
    """
    flags = _FLAGS[kind]
    raised = (flags[name] for name in flags if keys.get(name) is True or keys.get(f"is{name}") is True)
    return next(raised, {}) or (_word(keys, kind) if kind is not Kind.PRODUCT else {})


def _word(keys: Mapping[str, Any], kind: Kind) -> Fields:
    labels = ((json_text(keys[name]) or name_in(keys[name]))[:MAX_WORD] for name in _WORDS if name in keys)
    states = (_state(word.rpartition("/")[2], kind) for word in labels if word)
    return next(({"status": state} for state in states if state), {})


def _state(word: str, kind: Kind) -> str | None:
    if kind is Kind.LISTING:
        return offer_status(word)
    return status_of(word.removeprefix("Event").replace("_", " "))
