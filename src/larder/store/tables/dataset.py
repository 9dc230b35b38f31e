"""The dataset: records, where each value came from, and the evidence that they are still there."""

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, text

from larder.store.tables.columns import Id, Json, Moment, count, key, metadata, word, yes_no

_ACTIVE = text("active = 1")

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
    Column("version_id", BigInteger),
    Column("page_id", BigInteger),
    Column("entity_id", BigInteger),
    # freshness: what is stored is when a line will be crossed, never the confidence itself
    Column("base", Integer, nullable=False),
    Column("rate", Integer, nullable=False),
    Column("anchored_at", Moment, nullable=False),
    Column("shown_until", Moment, nullable=False),
    Column("dead_at", Moment, nullable=False),
    yes_no("active", default=True),
    Column("verification", Text),
    count("strikes"),
    Column("struck_at", Moment),
    Column("first_seen_at", Moment, nullable=False),
    Column("last_seen_at", Moment, nullable=False),
    Column("discovered_at", Moment),
    Column("last_scraped_at", Moment),
    Column("verified_at", Moment),
    Column("deactivated_at", Moment),
    count("times_seen"),
    Column("seen_by_run", BigInteger),
    count("saved"),
    Column("created_at", Moment, nullable=False),
    Column("updated_at", Moment, nullable=False),
    UniqueConstraint("source_id", "identity_key"),
    Index("ix_records_fingerprint", "source_id", "fingerprint", unique=True,
          sqlite_where=text("fingerprint IS NOT NULL"), postgresql_where=text("fingerprint IS NOT NULL")),
    Index("ix_records_canonical_url", "source_id", "canonical_url"),
    Index("ix_records_shown", "kind", "shown_until", sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
    Index("ix_records_newest", "first_seen_at", "id", sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
    Index("ix_records_to_verify", "source_id", "shown_until", sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
    Index("ix_records_unseen", "source_id", "last_seen_at", sqlite_where=_ACTIVE, postgresql_where=_ACTIVE),
    Index("ix_records_stalest", "source_id", "last_scraped_at"),
    Index("ix_records_entity_id", "entity_id"),
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

_CURRENT = text("superseded_at IS NULL AND voided_at IS NULL")

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
    Index("ix_observations_current", "record_id", "field", unique=True,
          sqlite_where=_CURRENT, postgresql_where=_CURRENT),
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
    Column("run_id", BigInteger, nullable=False, index=True),
    Column("page_id", BigInteger),
    Column("at", Moment, nullable=False),
    Column("method", Text, nullable=False),
    Column("status", Integer),
    Column("outcome", Text, nullable=False),
    Column("reason", Text),
    Column("window", Integer),
    yes_no("control", default=False),
    yes_no("settled", default=False),
    Index("ix_verifications_record", "record_id", "at"),
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
    Column("content_hash", Text),
    Column("fetched_at", Moment),
    UniqueConstraint("record_id", "url"),
)

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
    Index("ix_links_current", "record_id", unique=True,
          sqlite_where=text("undone_at IS NULL"), postgresql_where=text("undone_at IS NULL")),
)  # fmt: skip

changes = Table(
    "changes",
    metadata,
    key(),
    Column("at", Moment, nullable=False),
    Column("record_id", BigInteger, nullable=False),
    Column("source_id", BigInteger, nullable=False),
    word("change"),
    Column("details", Json),
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
