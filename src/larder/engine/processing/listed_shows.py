"""Shows listed on an event's own page: several times of one day, or several days, each with its time.

The first stays the requested event, the others are events of their own. Only rows of the same structure
count: a deadline or a day of another kind beside the list is no show.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from larder.core.model.identity import performance_key, show_fingerprint, show_key, url_key
from larder.core.model.item import Item, Staged
from larder.core.model.source import Kind
from larder.engine.processing.performances import with_undecided_performances
from larder.engine.processing.unchanged_rows import Normalized

_OPENING = re.compile(r"<[^>]{1,200}>")
_VARIABLE = re.compile(r"\d+|\b(?:id|href|datetime|data-[\w-]+)=\S+")


def keyed_by_show(items: Sequence[Item], verdicts: Sequence[Normalized]) -> list[Normalized]:
    """The verdicts of a detail page, each show under a key of its own; else the day that it is about."""
    shows = [(item, v) for item, v in zip(items, verdicts, strict=True) if _is_identified_by_page(v)]
    starts = {v.fields["starts_at"] for _, v in shows if isinstance(v, Staged)}
    if len(starts) < 2 or not _are_shows(shows):
        return with_undecided_performances(verdicts)
    keyed: list[Normalized] = []
    first: Staged | None = None
    for verdict in verdicts:
        if not isinstance(verdict, Staged) or not _is_identified_by_page(verdict):
            keyed.append(verdict)
            continue
        keyed.append(verdict if first is None else _as_further_show(first, verdict))
        first = first or verdict
    return keyed


def _is_identified_by_page(verdict: Normalized) -> bool:
    """Whether only the address of its page identifies an event."""
    if not isinstance(verdict, Staged) or verdict.kind is not Kind.EVENT or not verdict.canonical_url:
        return False
    return bool(verdict.fields.get("starts_at")) and verdict.identity_key == url_key(verdict.canonical_url)


def _are_shows(shows: Sequence[tuple[Item, Normalized]]) -> bool:
    """Whether they have one page, one title, rows of the same structure, and a time each."""
    staged = [verdict for _, verdict in shows if isinstance(verdict, Staged)]
    return (
        all(item.clock for item in staged)
        and len({item.identity_key for item in staged}) == 1
        and len({str(item.fields.get("title")).casefold() for item in staged}) == 1
        and len({_opening_tag(item.block) for item, _ in shows}) == 1
    )


def _opening_tag(block: str) -> str:
    opening = _OPENING.match(block.lstrip())
    return _VARIABLE.sub("", opening[0]) if opening else ""


def _as_further_show(first: Staged, other: Staged) -> Staged:
    """The other show as an item of its own, identified by its day, on the same day by its time."""
    day, clock, name = other.fields["starts_at"][:10], other.clock or "", other.fingerprint or ""
    if first.fields["starts_at"] == other.fields["starts_at"]:
        return other
    key = performance_key(other.canonical_url or "", day)
    if first.fingerprint != name:
        return replace(other, identity_key=key)
    print_ = show_fingerprint(name, clock)
    return replace(
        other,
        identity_key=show_key(f"{other.identity_key}#{day}", clock),
        fingerprint=print_,
        day_fingerprint=name,
    )
