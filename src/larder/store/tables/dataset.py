"""Tables of the dataset: records, the origin of each value, and the evidence that they still exist."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from larder.store.tables.columns import Id, Json, Moment, count, key, metadata, word, yes_no
from larder.store.tables.indexes import partial_index

_ACTIVE = "active = 1"
_PRICED = "active = 1 AND price_minor IS NOT NULL"
_DATED = "active = 1 AND starts_at IS NOT NULL"
_PLACED = "active = 1 AND latitude IS NOT NULL"

_UNARCHIVED = "active = 0 AND archived_at IS NULL"

INACTIVE = "active = 0"
OUT_OF_SIGHT = "verification IN ('lapsed', 'unseen', 'gone')"
"""Conditions of indexes that a query states in the same words: databases compare no parameters with them."""

records = Table(
    "records",
    metadata,
    key(),
    Column("source_id", Id, ForeignKey("sources.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("identity_key", Text, nullable=False),
    Column("fingerprint", Text),
    Column("platform_id", Text),
    Column("url", Text),
    Column("canonical_url", Text),
    Column("title", Text, nullable=False),
    Column("price_minor", BigInteger),
    Column("currency", Text),
    Column("availability", Text),
    Column("seller", Text),
    Column("category", Text),
    Column("brand", Text),
    Column("rating", Float),
    Column("latitude", Float),
    Column("longitude", Float),
    Column("starts_at", Moment),
    Column("ends_at", Moment),
    Column("content", Json, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("row_hash", Text),
    Column("page_id", BigInteger),
    Column("entity_id", BigInteger),
    # freshness: the times of crossings are stored, never the confidence itself
    Column("base", Integer, nullable=False),
    Column("rate", Integer, nullable=False),
    Column("anchored_at", Moment, nullable=False),
    Column("shown_until", Moment, nullable=False),
    Column("dead_at", Moment, nullable=False),
    yes_no("active", default=True),
    yes_no("pinned", default=False),
    Column("verification", Text),
    count("strikes"),
    Column("struck_at", Moment),
    Column("first_seen_at", Moment, nullable=False),
    Column("last_seen_at", Moment, nullable=False),
    Column("discovered_at", Moment),
    Column("last_scraped_at", Moment),
    Column("verified_at", Moment),
    Column("checked_at", Moment),
    Column("deactivated_at", Moment),
    Column("archived_at", Moment),
    Column("missing_at", Moment),
    Column("missing_status", Integer),
    count("times_seen"),
    Column("seen_by_run", BigInteger),
    Column("detail_asked_by", BigInteger),
    Column("missed_by_pass", BigInteger),
    Column("index_position", BigInteger),
    Column("missed_at", Moment),
    Column("missed_looks", Integer),
    count("saved"),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    UniqueConstraint("source_id", "identity_key"),
    partial_index("ix_records_fingerprint", "source_id", "fingerprint", unique=True,
                  where="fingerprint IS NOT NULL"),
    Index("ix_records_canonical_url", "source_id", "canonical_url"),
    partial_index("ix_records_shown", "shown_until", "id", where=_ACTIVE),
    partial_index("ix_records_newest", "first_seen_at", "id", where=_ACTIVE),
    partial_index("ix_records_source_newest", "source_id", "first_seen_at", "id", where=_ACTIVE),
    partial_index("ix_records_price", "price_minor", "id", where=_PRICED),
    partial_index("ix_records_starts_at", "starts_at", "id", where=_DATED),
    partial_index("ix_records_place", "latitude", "longitude", where=_PLACED),
    partial_index("ix_records_to_verify", "source_id", "shown_until", where=_ACTIVE),
    partial_index("ix_records_unseen", "source_id", "last_seen_at", where=_ACTIVE),
    partial_index("ix_records_dead", "source_id", "dead_at", where=_ACTIVE),
    partial_index("ix_records_verified", "source_id", "verified_at",
                  where="active = 1 AND verified_at IS NOT NULL"),
    partial_index("ix_records_lapsed", "source_id", "id", where="verification = 'lapsed'"),
    partial_index("ix_records_missing", "source_id", "shown_until", where="missing_at IS NOT NULL"),
    partial_index("ix_records_missed", "source_id", "missed_by_pass", where="missed_by_pass IS NOT NULL"),
    partial_index("ix_records_position", "source_id", "index_position",
                  where="active = 1 AND index_position IS NOT NULL"),
    partial_index("ix_records_to_archive", "deactivated_at", where=_UNARCHIVED),
    partial_index("ix_records_standing", "verification", "id", where=OUT_OF_SIGHT),
    partial_index("ix_records_inactive", "id", where=INACTIVE),
    partial_index("ix_records_archived", "id", where="archived_at IS NOT NULL"),
    Index("ix_records_entity_id", "entity_id"),
    Index("ix_records_page_id", "page_id"),
)  # fmt: skip

versions = Table(
    "versions",
    metadata,
    key(),
    Column("record_id", Id, ForeignKey("records.id"), nullable=False),
    Column("run_id", BigInteger, nullable=False, index=True),
    Column("page_id", BigInteger),
    Column("adapter", Text, nullable=False),
    Column("adapter_version", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("content", Json, nullable=False),
    Column("strategies", Json),
    Column("observed_at", Moment, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("voided_at", Moment),
    Index("ix_versions_record", "record_id", "observed_at"),
)

_CURRENT = "superseded_at IS NULL AND voided_at IS NULL"

observations = Table(
    "observations",
    metadata,
    key(),
    Column("record_id", Id, ForeignKey("records.id"), nullable=False),
    Column("field", Text, nullable=False),
    Column("amount", BigInteger),
    Column("word", Text),
    Column("run_id", BigInteger, nullable=False, index=True),
    Column("page_id", BigInteger),
    Column("adapter_version", Text, nullable=False),
    Column("observed_at", Moment, nullable=False),
    Column("confirmed_at", Moment, nullable=False),
    Column("superseded_at", Moment),
    Column("voided_at", Moment),
    Index("ix_observations_history", "record_id", "field", "observed_at"),
    partial_index("ix_observations_current", "record_id", "field", unique=True, where=_CURRENT),
)  # fmt: skip

sightings = Table(
    "sightings",
    metadata,
    key(),
    Column("source_id", BigInteger, nullable=False),
    Column("run_id", BigInteger, nullable=False, index=True),
    Column("page_id", BigInteger, nullable=False, index=True),
    Column("number", Integer),
    Column("seen_at", Moment, nullable=False, index=True),
    Column("records", Json, nullable=False),
)

verifications = Table(
    "verifications",
    metadata,
    key(),
    Column("record_id", BigInteger, nullable=False),
    Column("run_id", BigInteger, nullable=False),
    Column("page_id", BigInteger),
    Column("at", Moment, nullable=False),
    Column("method", Text, nullable=False),
    Column("status", Integer),
    Column("outcome", Text, nullable=False),
    Column("reason", Text),
    Column("window_number", Integer),
    yes_no("control", default=False),
    yes_no("settled", default=False),
    Index("ix_verifications_record", "record_id", "at"),
    Index("ix_verifications_window", "run_id", "window_number"),
)

pins = Table(
    "pins",
    metadata,
    Column("record_id", Id, ForeignKey("records.id"), primary_key=True, autoincrement=False),
    Column("field", Text, primary_key=True),
    Column("value", Json),
    Column("pinned_by", Text),
    Column("pinned_at", Moment, nullable=False),
)

images = Table(
    "images",
    metadata,
    key(),
    Column("record_id", Id, ForeignKey("records.id"), nullable=False),
    Column("url", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("type", Text),
    Column("alt", Text),
    Column("width", Integer),
    Column("height", Integer),
    Column("format", Text),
    Column("content_hash", Text, index=True),
    Column("fetched_at", Moment),
    Column("next_at", Moment),
    count("tries"),
    Column("error", Text),
    UniqueConstraint("record_id", "url"),
    partial_index("ix_images_due", "next_at", where="next_at IS NOT NULL"),
)  # fmt: skip

entities = Table(
    "entities",
    metadata,
    key(),
    Column("kind", Text, nullable=False),
    Column("title", Text),
    Column("created_at", Moment, nullable=False),
)

links = Table(
    "links",
    metadata,
    key(),
    Column("record_id", Id, ForeignKey("records.id"), nullable=False),
    Column("entity_id", Id, ForeignKey("entities.id"), nullable=False),
    Column("score", Float, nullable=False),
    Column("rule", Text, nullable=False),
    Column("explanation", Json),
    Column("linked_at", Moment, nullable=False),
    Column("undone_at", Moment),
    Column("undone_by", Text),
    Index("ix_links_entity", "entity_id"),
    Index("ix_links_record", "record_id"),
    partial_index("ix_links_current", "record_id", unique=True, where="undone_at IS NULL"),
)  # fmt: skip

entity_keys = Table(
    "entity_keys",
    metadata,
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("record_id", Id, ForeignKey("records.id"), primary_key=True, autoincrement=False),
    Index("ix_entity_keys_record", "record_id"),
    sqlite_with_rowid=False,
)

changes = Table(
    "changes",
    metadata,
    key(),
    Column("at", Moment, nullable=False),
    Column("transaction_id", BigInteger, nullable=False, server_default=text("0")),
    Column("record_id", BigInteger, nullable=False),
    Column("source_id", BigInteger, nullable=False),
    word("change"),
    Column("details", Json),
    yes_no("public", default=False),
    Index("ix_changes_feed", "transaction_id", "id"),
    Index("ix_changes_record", "record_id", "id"),
)

tombstones = Table(
    "tombstones",
    metadata,
    key(),
    Column("source_id", BigInteger),
    Column("identity_key", Text),
    Column("seller_hash", Text),
    Column("reason", Text),
    Column("erased_by", Text),
    Column("erased_at", Moment, nullable=False),
    UniqueConstraint("source_id", "identity_key"),
    Index("ix_tombstones_seller_hash", "seller_hash"),
)
