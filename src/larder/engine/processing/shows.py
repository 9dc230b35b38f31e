"""Several shows a day of one film or play: rows with the same title and day are events by their times.

Only a page that shows two known times makes them so. A row of the same day without a time is one of them
again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from larder.core.model.identity import show_fingerprint, show_key
from larder.core.model.item import Dropped, Item, Staged
from larder.core.model.outcome import DropReason
from larder.engine.processing.unchanged_rows import Normalized


def told_by_time(items: Sequence[Item], verdicts: Sequence[Normalized]) -> list[Normalized]:
    """The verdicts of an index page, each of several shows a day under a key and fingerprint of its own."""
    clocks: dict[str, set[str]] = {}
    for verdict in verdicts:
        if isinstance(verdict, Staged) and verdict.fingerprint and verdict.clock:
            clocks.setdefault(verdict.fingerprint, set()).add(verdict.clock)
    several = {name for name, found in clocks.items() if len(found) > 1}
    if not several:
        return list(verdicts)
    keys = _times_by_key(verdicts)
    return [_as_show(item, each, several, keys) for item, each in zip(items, verdicts, strict=True)]


def _times_by_key(verdicts: Sequence[Normalized]) -> Counter[str]:
    """How many times of day each key has on the page."""
    shown = {(v.identity_key, v.clock) for v in verdicts if isinstance(v, Staged) and v.clock}
    return Counter(key for key, _ in shown)


def _as_show(item: Item, verdict: Normalized, several: set[str], times: Mapping[str, int]) -> Normalized:
    if not isinstance(verdict, Staged) or verdict.fingerprint not in several:
        return verdict
    if verdict.clock is None:
        details = "the same day stands on the page with its times"
        return Dropped(reason=DropReason.DUPLICATE_WITHIN_RUN, item=item, details=details)
    key, clock, day = verdict.identity_key, verdict.clock, verdict.fingerprint
    return replace(
        verdict,
        identity_key=show_key(key, clock) if times[key] > 1 else key,
        fingerprint=show_fingerprint(day, clock),
        day_fingerprint=day,
    )
