"""Several shows a day of one film or play: rows with the same title and day are separate events by their
times.

This holds only if a page shows two known times, or two venues where no time is known. A row of the same day
without a time repeats one of them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from larder.core.model.identity import are_siblings, show_fingerprint, show_key
from larder.core.model.item import Dropped, Item, Staged
from larder.core.model.outcome import DropReason
from larder.engine.processing.unchanged_rows import Normalized


def keyed_by_time(items: Sequence[Item], verdicts: Sequence[Normalized]) -> list[Normalized]:
    """The verdicts of an index page, each of several shows a day under a key and fingerprint of its own."""
    verdicts = _keyed_by_venue(items, _keyed_by_number(verdicts))
    clocks: dict[str, set[str]] = {}
    for verdict in verdicts:
        if isinstance(verdict, Staged) and verdict.fingerprint and verdict.clock:
            clocks.setdefault(verdict.fingerprint, set()).add(verdict.clock)
    several = {name for name, found in clocks.items() if len(found) > 1}
    if not several:
        return list(verdicts)
    keys = _times_by_key(verdicts)
    return [_as_show(item, each, several, keys) for item, each in zip(items, verdicts, strict=True)]


def _keyed_by_venue(items: Sequence[Item], verdicts: Sequence[Normalized]) -> list[Normalized]:
    """Rows of one title and day without times that name different venues: each has a key of its own."""
    venues = [str(item.fields.get("venue") or "").casefold() for item in items]
    found: dict[str, set[str]] = {}
    for venue, verdict in zip(venues, verdicts, strict=True):
        if venue and isinstance(verdict, Staged) and verdict.fingerprint and verdict.clock is None:
            found.setdefault(verdict.fingerprint, set()).add(venue)
    several = {name for name, places in found.items() if len(places) > 1}
    shown = {(v.identity_key, at) for at, v in zip(venues, verdicts, strict=True) if isinstance(v, Staged)}
    keys = Counter(key for key, venue in shown if venue)
    return [_at_venue(venue, verdict, several, keys) for venue, verdict in zip(venues, verdicts, strict=True)]


def _at_venue(venue: str, verdict: Normalized, several: set[str], keys: Mapping[str, int]) -> Normalized:
    if not isinstance(verdict, Staged) or verdict.fingerprint not in several or not venue or verdict.clock:
        return verdict
    day, date = verdict.fingerprint, str(verdict.fields["starts_at"])[:10]
    own = verdict.identity_key
    key = show_key(f"{own}#{date}", venue) if keys[own] > 1 else own
    print_ = show_fingerprint(day, venue)
    return replace(verdict, identity_key=key, fingerprint=print_, day_fingerprint=day)


def _keyed_by_number(verdicts: Sequence[Normalized]) -> list[Normalized]:
    """Rows of one title and moment whose addresses differ in numbers alone: courses in several places."""
    first: dict[tuple[str, str | None], Staged] = {}
    return [
        _with_item_number(verdict, first) if isinstance(verdict, Staged) else verdict for verdict in verdicts
    ]


def _with_item_number(staged: Staged, first: dict[tuple[str, str | None], Staged]) -> Staged:
    if not staged.fingerprint or not staged.identity_key.startswith("URL:"):
        return staged
    item = first.setdefault((staged.fingerprint, staged.clock), staged)
    if not are_siblings(item.canonical_url, staged.canonical_url):
        return staged
    return replace(staged, fingerprint=show_fingerprint(staged.fingerprint, staged.identity_key))


def _times_by_key(verdicts: Sequence[Normalized]) -> Counter[str]:
    """How many times of day each key has on the page."""
    times = {(v.identity_key, v.clock) for v in verdicts if isinstance(v, Staged) and v.clock}
    return Counter(key for key, _ in times)


def _as_show(item: Item, verdict: Normalized, several: set[str], times: Mapping[str, int]) -> Normalized:
    if not isinstance(verdict, Staged) or verdict.fingerprint not in several:
        return verdict
    if verdict.clock is None:
        details = "the page lists the same day with times"
        return Dropped(reason=DropReason.DUPLICATE_WITHIN_RUN, item=item, details=details)
    key, clock, day = verdict.identity_key, verdict.clock, verdict.fingerprint
    date = str(verdict.fields["starts_at"])[:10]  # other pages may show the same times of other days
    return replace(
        verdict,
        identity_key=show_key(f"{key}#{date}", clock) if times[key] > 1 else key,
        fingerprint=show_fingerprint(day, clock),
        day_fingerprint=day,
    )
