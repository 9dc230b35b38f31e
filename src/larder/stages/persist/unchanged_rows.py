"""Finds rows of an index page that are unchanged, of records that nothing else in the batch changes.

Most rows of most index pages are like that. Such a row is a sighting that confirms what it shows: its record
is neither folded nor read. Whatever might end in more than that is left to the fold, which gives the same.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from larder.core.model.item import CURRENCY_SIGN
from larder.core.model.record import Observed
from larder.core.policy.freshness import RATES
from larder.stages.persist.known_records import show_name
from larder.stages.persist.record_fold import FactValue, PageItems, RecordKey, RecordMention, facts_of
from larder.stages.persist.rows import sighted_columns
from larder.store.database import Connection, micros
from larder.store.dataset import history, sightings
from larder.store.dataset.record_rows import CommonSighting, KnownRecord


class UnchangedRow(NamedTuple):
    """A record whose row says what it said before."""

    record: KnownRecord
    facts: tuple[Observed, ...]
    """Those that the row shows."""


def find_unchanged(
    mentions: Sequence[RecordMention], stored: Mapping[RecordKey, KnownRecord]
) -> dict[RecordKey, UnchangedRow]:
    """The unchanged rows of a batch."""
    times = Counter([mention.record_key for mention in mentions])
    same: dict[RecordKey, UnchangedRow] = {}
    for mention in mentions:
        row = stored.get(mention.record_key)
        if row is None or mention.digest != row.row_hash or times[mention.record_key] > 1:
            continue
        if _is_plain(mention, row) and (facts := _known_facts(mention, row)) is not None:
            same[mention.record_key] = UnchangedRow(row, facts)
    return same if len(same) == len(mentions) else _without_others(mentions, same)


def _without_others(
    mentions: Sequence[RecordMention], same: Mapping[RecordKey, UnchangedRow]
) -> dict[RecordKey, UnchangedRow]:
    """Without records that another mention of the batch may mean, too."""
    others = {name for m in mentions if m.record_key not in same for name in _names(m)}
    found = [(same[m.record_key], m) for m in mentions if m.record_key in same]
    return {m.record_key: row for row, m in found if others.isdisjoint(_names_of_record(row.record, m))}


def _is_plain(mention: RecordMention, row: KnownRecord) -> bool:
    """An index row of an active record that nothing but its facts could change."""
    fields = mention.staged.fields
    if not mention.is_row or not row.active or row.pinned or fields.get("status"):
        return False
    return CURRENCY_SIGN not in fields and not show_name(mention)


def _known_facts(mention: RecordMention, row: KnownRecord) -> tuple[Observed, ...] | None:
    """The facts that a row shows; None where the record has another value."""
    facts = facts_of(mention.staged.fields)
    for fact, value in facts.items():
        if not _is_known(fact, value, row):
            return None
    return tuple(facts)


def _is_known(fact: Observed, value: FactValue, row: KnownRecord) -> bool:
    """Whether the record has this value; a price without a currency is one in the known currency."""
    if fact is Observed.PRICE:
        return value[0] == row.price_minor and value[1] in (row.currency, None)
    return value[1] == (row.availability if fact is Observed.AVAILABILITY else row.seller)


def _names(mention: RecordMention) -> Iterable[str | None]:
    """What a mention's record may be found by, beside its key."""
    staged = mention.staged
    return filter(None, (staged.fingerprint, staged.day_fingerprint, show_name(mention), mention.address))


def _names_of_record(row: KnownRecord, mention: RecordMention) -> tuple[str | None, ...]:
    return row.fingerprint, row.canonical_url, mention.staged.fingerprint, mention.address


def write_unchanged(conn: Connection, rows: Iterable[tuple[PageItems, UnchangedRow]]) -> None:
    """Write the sightings of unchanged rows, and when their values were seen again."""
    pages: dict[int, PageItems] = {}
    ids: dict[tuple[int, tuple[Observed, ...]], list[int]] = {}
    for page, row in rows:
        pages[page.job_id] = page
        ids.setdefault((page.job_id, row.facts), []).append(row.record.id)
    for job_id, page in pages.items():
        seen = {facts: found for (job, facts), found in ids.items() if job == job_id}
        sightings.mark_page_seen(conn, [i for found in seen.values() for i in found], _sighting(page))
        for fact in Observed:
            confirmed = [i for facts, found in seen.items() if fact in facts for i in found]
            history.confirm_field(conn, confirmed, fact, micros(page.fetched_at))


def _sighting(page: PageItems) -> CommonSighting:
    at = micros(page.fetched_at)
    return CommonSighting(
        run_id=page.run_id,
        at=at,
        discovered_at=at if page.discovers else None,
        same=0,
        index_url=page.index_url,
        freshness=sighted_columns(page.fetched_at, RATES[page.source.tier]),
    )
