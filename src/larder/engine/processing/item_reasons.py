"""Reasons that depend on other items or on the source.

A duplicate, or a declared selector that finds nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from larder.core.model.item import Dropped, Item, Quarantined, Staged
from larder.core.model.job import Purpose
from larder.core.model.outcome import DropReason, QuarantineReason
from larder.core.model.site_profile import SELECTORS
from larder.core.model.source import Source
from larder.engine.processing.listed_shows import keyed_by_show
from larder.engine.processing.performances import distinct_performances
from larder.engine.processing.shows import keyed_by_time
from larder.engine.processing.unchanged_rows import Normalized


def with_reasons(
    items: Sequence[Item], verdicts: Sequence[Normalized], *, source: Source, purpose: Purpose
) -> list[Normalized]:
    """The verdicts of a page's items, in their order, with these reasons where they apply."""
    declared = declared_fields(source, purpose)
    judged = [_selector_failure(verdict, declared) for verdict in verdicts]
    rows = purpose is Purpose.INDEX
    judged = keyed_by_time(items, distinct_performances(judged)) if rows else keyed_by_show(items, judged)
    return list(_without_duplicates(items, iter(judged)))


def declared_fields(source: Source, purpose: Purpose) -> frozenset[str]:
    """The fields for which the source declares a selector on such pages."""
    part: Any = "index" if purpose is Purpose.INDEX else "detail"
    found: Any = source.params.get(SELECTORS)
    for name in (part, "fields"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return frozenset(found) if isinstance(found, Mapping) else frozenset()


def _selector_failure(verdict: Normalized, declared: frozenset[str]) -> Normalized:
    """Whether a required field is missing although the source declares its selector: a person must look."""
    if not isinstance(verdict, Dropped) or verdict.reason is not DropReason.MISSING_REQUIRED_FIELD:
        return verdict
    if verdict.details not in declared or verdict.item.fields.get(verdict.details):
        return verdict
    details = f"the declared selector of {verdict.details} finds nothing"
    return Quarantined(reason=QuarantineReason.SELECTOR_FAILURE, item=verdict.item, details=details)


def _without_duplicates(items: Sequence[Item], verdicts: Iterator[Normalized]) -> Iterator[Normalized]:
    """The first item of a key, or of an event, is stored; later ones are dropped."""
    seen: set[str] = set()
    for item, verdict in zip(items, verdicts, strict=True):
        names = _names(verdict) if isinstance(verdict, Staged) else frozenset()
        if seen.isdisjoint(names):
            seen |= names
            yield verdict
        else:
            details = f"{', '.join(sorted(names & seen))} appears twice"
            yield Dropped(reason=DropReason.DUPLICATE_WITHIN_RUN, item=item, details=details)


def _names(staged: Staged) -> frozenset[str]:
    return frozenset({staged.identity_key, staged.fingerprint or staged.identity_key})
