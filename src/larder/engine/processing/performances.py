"""Performances of one production: index rows with the same address and different days are separate events.

Consecutive days are performances only if each names a time: otherwise it is one event of several days. On a
page where most rows share their address so, the others are performances, too.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from larder.core.model.identity import performance_key, url_key
from larder.core.model.item import Staged
from larder.core.model.source import Kind
from larder.engine.processing.unchanged_rows import Normalized

SERIES_SHARE = 0.5
SEVERAL = 3
"""So many days on a page of one event are a list of performances."""


def distinct_performances(verdicts: Sequence[Normalized]) -> list[Normalized]:
    """The verdicts of an index page, each performance under a key of its own."""
    by_key: dict[str, list[Staged]] = {}
    for verdict in verdicts:
        if isinstance(verdict, Staged) and _is_identified_by_address(verdict):
            by_key.setdefault(verdict.identity_key, []).append(verdict)
    series = {key for key, items in by_key.items() if _are_performances(items)}
    if not series:
        return list(verdicts)
    shared = sum(len(by_key[key]) for key in series)
    if shared >= SERIES_SHARE * sum(map(len, by_key.values())):
        series = set(by_key)
    return [_as_performance(verdict, series) for verdict in verdicts]


def with_undecided_performances(verdicts: Sequence[Normalized]) -> list[Normalized]:
    """The verdicts of a detail page; a page that lists performances does not show which one is meant."""
    days: dict[str, set[date]] = {}
    for verdict in verdicts:
        if isinstance(verdict, Staged) and _is_identified_by_address(verdict):
            days.setdefault(verdict.identity_key, set()).add(_day(verdict))
    listed = {key for key, found in days.items() if len(found) >= SEVERAL}
    return [
        replace(verdict, fields={**verdict.fields, "time_known": False}, digest=None)
        if isinstance(verdict, Staged) and verdict.identity_key in listed
        else verdict
        for verdict in verdicts
    ]


def _is_identified_by_address(staged: Staged) -> bool:
    if staged.kind is not Kind.EVENT or not staged.canonical_url or not staged.fields.get("starts_at"):
        return False
    return staged.identity_key == url_key(staged.canonical_url)


def _are_performances(items: Sequence[Staged]) -> bool:
    days = {_day(staged) for staged in items}
    if len(days) < 2:
        return False
    follow = (max(days) - min(days)).days == len(days) - 1
    return not follow or all(staged.fields.get("time_known") for staged in items)


def _as_performance(verdict: Normalized, series: set[str]) -> Normalized:
    if not isinstance(verdict, Staged) or verdict.identity_key not in series or not verdict.canonical_url:
        return verdict
    key = performance_key(verdict.canonical_url, _day(verdict).isoformat())
    return replace(verdict, identity_key=key)


def _day(staged: Staged) -> date:
    return date.fromisoformat(staged.fields["starts_at"][:10])
