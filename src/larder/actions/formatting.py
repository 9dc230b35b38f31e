"""Formats amounts, shares, times and stored values, the same in the command line, the API and the pages."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from larder.core.model.money import format_minor


def money(minor: int | None, currency: str | None) -> str | None:
    """An amount for people: `€1,250.50`; programs get minor units and the code."""
    return None if minor is None else format_minor(minor, currency)


def value_text(value: Any) -> str:
    """A stored value on one line: lists and mappings as JSON, never as a Python repr; empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(str(value).split())


def percent(share: float | None, digits: int = 0) -> str:
    """`99.5 %`; a share below 1 is never shown as 100 %, nor one above 0 as 0 %."""
    if share is None:
        return "–"
    least = 10.0 ** -(digits + 2)
    rounded = min(max(share, least), 1 - least) if 0 < share < 1 else share
    return f"{100 * rounded:.{digits}f} %"


def ago(moment: datetime | None, now: datetime) -> str | None:
    """`3 min ago`, `in 2 h`."""
    if moment is None:
        return None
    gap = now - moment
    if abs(gap) < timedelta(seconds=1):
        return "now"
    return f"{span(gap)} ago" if gap > timedelta(0) else f"in {span(-gap)}"


def span(gap: timedelta) -> str:
    """A duration in the largest unit that fits."""
    seconds = int(gap.total_seconds())
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def local_time(moment: datetime | None, content: Mapping[str, Any], name: str) -> datetime | None:
    """The time in the time zone of the event."""
    text = content.get(name)
    if moment is None or not isinstance(text, str):
        return moment
    try:
        offset = datetime.fromisoformat(text).tzinfo
    except ValueError:
        return moment
    return moment.astimezone(offset or ZoneInfo("UTC"))
