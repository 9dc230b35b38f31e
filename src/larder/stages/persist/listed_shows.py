"""Shows that an event's own page lists: each belongs to the record of its title and day.

An index may name a production shorter than its page does: the row names one thing, so its shows have the
title of the row.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from larder.core.model.identity import event_fingerprint
from larder.stages.persist.merge import disagrees
from larder.stages.persist.record_fold import RecordKey, RecordMention
from larder.store.content_digest import digest
from larder.store.database import Connection
from larder.store.dataset import records


def as_listed(conn: Connection, mentions: Sequence[RecordMention]) -> list[RecordMention]:
    """The mentions of a batch, each listed show under its record's key and title."""
    lists = list(_lists(mentions))
    if not lists:
        return list(mentions)
    titles = _known_titles(conn, [shows[0].record_key for shows in lists])
    named = {
        id(show): _titled(show, titles.get(shows[0].record_key, "")) for shows in lists for show in shows
    }
    prints = [(m.page.source.id, m.staged.fingerprint or "") for m in named.values()]
    keys = {(r.source_id, r.fingerprint or ""): r.identity_key for r in records.by_fingerprint(conn, prints)}
    return [_under_key(named[id(m)], keys) if id(m) in named else m for m in mentions]


def _lists(mentions: Sequence[RecordMention]) -> Iterator[list[RecordMention]]:
    """The shows of each page of an event that lists several of one title, its own record's first."""
    by_job: dict[int, list[RecordMention]] = {}
    for mention in mentions:
        if not mention.is_row and mention.staged.fingerprint and len(mention.page.staged) > 1:
            by_job.setdefault(mention.page.job_id, []).append(mention)
    for found in by_job.values():
        lead = next((each for each in found if each.key == each.page.expects), None)
        same_title = [each for each in found if lead and _title(each) == _title(lead) and each is not lead]
        if lead and same_title:
            yield [lead, *same_title]


def _known_titles(conn: Connection, keys: Sequence[RecordKey]) -> dict[RecordKey, str]:
    known = {row.id: (row.source_id, row.identity_key) for row in records.by_key(conn, list(keys))}
    contents = records.load_contents(conn, list(known))
    return {known[record]: str(content.get("title") or "") for record, content in contents.items()}


def _titled(show: RecordMention, row_title: str) -> RecordMention:
    """The show by its row's title, where that is the one to keep."""
    fields: Mapping[str, Any] = show.staged.fields
    if not disagrees(row_title, _title(show)):
        return show
    fields = {**fields, "title": row_title}
    day = str(fields.get("starts_at") or "")
    name = event_fingerprint(title=row_title, date=day, source=show.page.source.slug)
    day_print = show.staged.day_fingerprint  # several shows of that day: they keep what tells them apart
    staged = replace(show.staged, fields=fields, fingerprint=show.staged.fingerprint if day_print else name)
    return replace(show, staged=staged, digest=digest(fields))


def _under_key(show: RecordMention, keys: Mapping[RecordKey, str]) -> RecordMention:
    key = keys.get((show.page.source.id, show.staged.fingerprint or ""), show.key)
    return show if key == show.key else replace(show, key=key, address=None)


def _title(mention: RecordMention) -> str:
    return str(mention.staged.fields.get("title") or "")
