"""Reads of the dataset that the API, `larder.open` and the MCP server share.

Each reads what the public may see or, with `hidden`, what an operator may see.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from larder.actions.dataset import public_record, records
from larder.core.errors import NotFound
from larder.core.quoting import quoted
from larder.store.database import Connection
from larder.store.reads import public
from larder.store.reads import records as all_records
from larder.store.reads.query import Query
from larder.store.reads.record_history import Origin


def find(conn: Connection, query: Query, *, hidden: bool = False, now: datetime) -> dict[str, Any]:
    """A page of records as the API answers it: `items` and `next`."""
    search = all_records.search_active if hidden else public.find_records
    page = search(conn, query, now=now)
    names = public_record.FIELD_NAMES
    return {
        "items": [public_record.to_public(row, names, now=now) for row in page.rows],
        "next": page.next,
    }


def history(conn: Connection, record_id: int, *, hidden: bool = False, now: datetime) -> dict[str, Any]:
    """A record with its prices, words, versions and the origin of each value."""
    row = all_records.find_row(conn, record_id, now=now) if hidden else public.by_id(conn, record_id, now=now)
    if row is None:
        raise NotFound(f"record {record_id} not found", hint="it may have been erased, or is not public")
    record = records.build_view(conn, row, now=now)
    return {
        "record": public_record.to_public(row, public_record.FIELD_NAMES, now=now),
        "prices": record.prices,
        "words": record.words,
        "versions": record.versions,
        "origins": record.origins if hidden else [_without_operator(origin) for origin in record.origins],
    }


def why(
    conn: Connection, record_id: int, field: str | None, *, hidden: bool = False, now: datetime
) -> Mapping[str, Any]:
    """Where the values of a record come from; `field`: only that one."""
    known = history(conn, record_id, hidden=hidden, now=now)
    origins = [each for each in known["origins"] if field in (None, each.field)]
    if field is not None and not origins:
        fields = ", ".join(sorted(each.field for each in known["origins"]))
        raise NotFound(f"record {record_id} has no field {quoted(field)}", hint=f"its fields: {fields}")
    shown = {name: known["record"][name] for name in ("id", "title", "source", "url", "freshness_confidence")}
    return {"record": shown, "origins": origins}


def _without_operator(origin: Origin) -> Origin:
    """Public answers say that a value was pinned, not by whom."""
    return replace(origin, pinned_by="an operator") if origin.pinned_by else origin
