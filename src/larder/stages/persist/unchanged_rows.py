"""Rows of an index page that say what they said before, of records that nothing else in the batch touches.

Most rows of most index pages are like that. Such a row is a sighting that confirms what it shows: its record
is neither folded nor read. Whatever might end in more than that is left to the fold, which gives the same.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from larder.core.model.item import CURRENCY_SIGN
from larder.core.model.record import Observed
from larder.core.policy.freshness import RATES
from larder.stages.persist.known_records import show_name
from larder.stages.persist.record_fold import Fact, PageItems, RecordMention, facts_of
from larder.stages.persist.rows import sighted_columns
from larder.store.database import Connection, micros
from larder.store.dataset import history, sightings
from larder.store.dataset.record_rows import KnownRecord, PageSeen

Place = tuple[int, str]
"""A source, and the key of a record in it."""


def find_unchanged(
    mentions: Sequence[RecordMention], stored: Mapping[Place, KnownRecord]
) -> dict[Place, KnownRecord]:
    """The records of unchanged rows."""
    times = Counter(mention.place for mention in mentions)
    same = {
        mention.place: row
        for mention in mentions
        if (row := stored.get(mention.place)) and times[mention.place] == 1 and _is_unchanged(mention, row)
    }
    if len(same) == len(mentions):
        return same
    others = {name for m in mentions if m.place not in same for name in _names(m)}
    found = [(m.place, same[m.place], m) for m in mentions if m.place in same]
    return {place: row for place, row, m in found if others.isdisjoint(_names_of_record(row, m))}


def _is_unchanged(mention: RecordMention, row: KnownRecord) -> bool:
    if not mention.is_row or mention.digest != row.row_hash or not row.active or row.pinned:
        return False
    fields = mention.staged.fields
    if fields.get("status") or CURRENCY_SIGN in fields or show_name(mention):
        return False
    return all(_is_known(fact, said, row) for fact, said in facts_of(fields).items())


def _is_known(fact: Observed, said: Fact, row: KnownRecord) -> bool:
    """Whether the record has this value; a price without a currency is one in the known currency."""
    if fact is Observed.PRICE:
        return said[0] == row.price_minor and said[1] in (row.currency, None)
    return said[1] == (row.availability if fact is Observed.AVAILABILITY else row.seller)


def _names(mention: RecordMention) -> Iterable[str | None]:
    """Whatever a mention's record may be found by, beside its key."""
    staged = mention.staged
    return filter(None, (staged.fingerprint, staged.day_fingerprint, show_name(mention), mention.address))


def _names_of_record(row: KnownRecord, mention: RecordMention) -> tuple[str | None, ...]:
    return row.fingerprint, row.canonical_url, mention.staged.fingerprint, mention.address


def write_unchanged(conn: Connection, rows: Iterable[tuple[RecordMention, KnownRecord]]) -> None:
    """Write the sightings of unchanged rows, and when their values were seen again."""
    seen: dict[int, tuple[PageItems, list[int]]] = {}
    confirmed: dict[tuple[Observed, int], list[int]] = {}
    for mention, row in rows:
        page = mention.page
        seen.setdefault(page.job_id, (page, []))[1].append(row.id)
        for fact in facts_of(mention.staged.fields):
            confirmed.setdefault((fact, page.job_id), []).append(row.id)
    for page, ids in seen.values():
        sightings.mark_page_seen(conn, ids, _sighting(page))
    for (fact, job_id), ids in confirmed.items():
        history.confirm_field(conn, ids, fact, micros(seen[job_id][0].fetched_at))


def _sighting(page: PageItems) -> PageSeen:
    at = micros(page.fetched_at)
    return PageSeen(
        run_id=page.run_id,
        at=at,
        discovered_at=at if page.discovers else None,
        same=0,
        index_url=page.index_url,
        freshness=sighted_columns(page.fetched_at, RATES[page.source.tier]),
    )
