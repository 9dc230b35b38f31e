"""Leaves out mentions of records that were erased on request."""

from collections.abc import Sequence

from larder.core.model.identity import url_key
from larder.stages.persist.record_fold import RecordKey, RecordMention
from larder.store.database import Connection
from larder.store.dataset import erasure


def without_erased(conn: Connection, mentions: Sequence[RecordMention]) -> list[RecordMention]:
    """The mentions whose records were not erased."""
    if not mentions or not erasure.any_erased(conn):
        return list(mentions)
    keys = erasure.erased_keys(conn, sorted({place for m in mentions for place in _erased_keys(m)}))
    sellers = erasure.erased_sellers(conn, {seller for m in mentions if (seller := _seller(m))})
    return [m for m in mentions if keys.isdisjoint(_erased_keys(m)) and _seller(m) not in sellers]


def _erased_keys(mention: RecordMention) -> set[RecordKey]:
    """The keys under which a thing may have been erased: its own, and that of its address."""
    keys = {mention.key, *([url_key(mention.address)] if mention.address else [])}
    return {(mention.page.source.id, key) for key in keys}


def _seller(mention: RecordMention) -> str | None:
    seller = mention.staged.fields.get("seller")
    return str(seller) if seller else None
