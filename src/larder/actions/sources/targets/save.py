"""Saves targets given by a person, with one look-up and two writes for any number of them.

A target is unique by source and canonical URL. For a target that is given twice, the later one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from larder.actions.sources.field_checks import check_target
from larder.core.errors import BadInput, Conflict
from larder.core.policy.scheduling.targets import INTERVAL, PRIORITY
from larder.sdk.urls import canonical_url, registrable_domain
from larder.store.database import Connection
from larder.store.queue import targets
from larder.store.queue.source_rows import SourceRow
from larder.store.queue.targets import StoredTarget

Key = tuple[int, str]
"""A source and a canonical URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """Settings of a target; None keeps the current value, or the default."""

    url: str
    interval: timedelta | None = None
    cron: str | None = None
    priority: int | None = None
    notes: str | None = None
    enabled: bool | None = None


class Saved(StrEnum):
    """The outcome of a given target."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


Given = tuple[SourceRow, TargetSpec]


def save_all(
    conn: Connection, given: Sequence[Given], *, who: str, now: datetime
) -> list[Saved | BadInput | ValueError]:
    """Insert or change targets; the outcome of each, or the reason for its refusal."""
    keys = [_key_or_refusal(source, spec) for source, spec in given]
    stored = targets.load_stored(conn, [key for key in keys if isinstance(key, tuple)])
    known = {(row.source_id, row.canonical_url): row for row in stored}
    added: dict[Key, StoredTarget] = {}
    changed: dict[Key, StoredTarget] = {}
    outcomes: list[Saved | BadInput | ValueError] = []
    for key, (_, spec) in zip(keys, given, strict=True):
        if not isinstance(key, tuple):
            outcomes.append(key)
            continue
        before = known.get(key)
        if before is not None and before.blocked:
            outcomes.append(blocked(before))
            continue
        known[key] = after = _after(before, key, spec)
        if before is None or key in added:
            added[key] = after
        elif after != before:
            changed[key] = after
        outcomes.append(_outcome(before, after))
    targets.add_all(conn, list(added.values()), who=who, now=now)
    targets.update_all(conn, list(changed.values()), now=now)
    return outcomes


def _key_or_refusal(source: SourceRow, spec: TargetSpec) -> Key | BadInput | ValueError:
    try:
        check(spec)
        key = (source.id, canonical_url(spec.url))
    except (BadInput, ValueError) as error:
        return error
    if source.domain is not None and registrable_domain(spec.url) != source.domain:
        return BadInput(f"{spec.url} is not on {source.domain}", hint="add a source for its own site")
    return key


def _after(before: StoredTarget | None, key: Key, spec: TargetSpec) -> StoredTarget:
    """The new state of the target: a person added it, so its feed no longer decides about it."""
    if before is None:
        before = StoredTarget(*key, url=spec.url, interval_s=int(INTERVAL.total_seconds()), priority=PRIORITY)
    returned = {"enabled": 1} if before.left_feed_at is not None else {}
    return before._replace(**{**KEPT, **returned, **column_values(spec)})


def _outcome(before: StoredTarget | None, after: StoredTarget) -> Saved:
    if before is None:
        return Saved.ADDED
    return Saved.UNCHANGED if after == before else Saved.CHANGED


KEPT = {"feed_at": None, "left_feed_at": None}
"""Values of a target that a person added."""


def check(spec: TargetSpec) -> None:
    """Refuse impossible values."""
    check_target(interval=spec.interval, cron=spec.cron, priority=spec.priority)


def column_values(spec: TargetSpec) -> dict[str, Any]:
    """The columns to set; an interval replaces a cron expression and vice versa."""
    values: dict[str, Any] = {
        name: getattr(spec, name) for name in ("cron", "priority", "notes") if getattr(spec, name) is not None
    }
    if spec.interval is not None:
        values |= {"interval_s": int(spec.interval.total_seconds()), "cron": None}
    if spec.enabled is not None:
        values |= {"enabled": int(spec.enabled), "left_feed_at": None}
    return values


class Blocked(Protocol):
    """A target that is blocked."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def url(self) -> str:
        """Its address."""
        ...

    @property
    def blocked_by(self) -> str | None:
        """Who blocked it; None: it was erased on request."""
        ...


def blocked(target: Blocked) -> Conflict:
    """The error for a target that may not be fetched."""
    if target.blocked_by is None:
        return Conflict(f"{target.url} was erased on request", hint="it is not fetched again")
    hint = f"unblock target {target.id} first"
    return Conflict(f"{target.url} is blocked by {target.blocked_by}", hint=hint)
