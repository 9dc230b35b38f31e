"""Tables of operations: circuits, adapter health, alerts, keys, audit, limits."""

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

circuits = Table(
    "circuits",
    metadata,
    Column("source_id", Id, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("way", Text, primary_key=True, server_default="pages"),
    word("state", "closed"),
    count("failures"),
    count("trips"),
    Column("until", Moment),
)

adapter_states = Table(
    "adapter_states",
    metadata,
    Column("adapter", Text, primary_key=True),
    Column("site_id", Id, primary_key=True, autoincrement=False, server_default=text("0")),
    yes_no("enabled", default=True),
    Column("since", Moment),
    Column("by", Text),
    Column("why", Text),
    Column("health", Json),
    Column("last_rate", Float),
    yes_no("first_run_flagged", default=False),
    Column("probe_at", Moment),
)

canaries = Table(
    "canaries",
    metadata,
    Column("source_id", Id, ForeignKey("sources.id"), primary_key=True, autoincrement=False),
    Column("active", Text, nullable=False),
    Column("active_since", Moment, nullable=False),
    Column("candidate", Text),
    word("status", "proven"),
    Column("comparison", Json),
    Column("judged_at", Moment),
    Column("accepted_by", Text),
    Column("accepted_at", Moment),
    Index("ix_canaries_status", "status", "source_id"),
)

drift_batches = Table(
    "drift_batches",
    metadata,
    key(),
    Column("adapter", Text, nullable=False),
    Column("site_id", BigInteger, nullable=False),
    Column("run_id", BigInteger),
    Column("adapter_version", Text),
    count("attempted"),
    count("failed"),
    count("extracted"),
    count("dropped"),
    count("valid"),
    count("zero_prices"),
    count("index_pages"),
    count("listed"),
    count("compared"),
    count("agreed"),
    Column("at", Moment, nullable=False),
    Index("ix_drift_batches_recent", "adapter", "site_id", "at"),
)

repairs = Table(
    "repairs",
    metadata,
    key(),
    Column("source_id", BigInteger, nullable=False, index=True),
    Column("adapter", Text, nullable=False),
    Column("field", Text, nullable=False),
    Column("before", Json),
    Column("after", Json),
    Column("proof", Json),
    word("status", "suggested"),
    Column("made_at", Moment, nullable=False),
    Column("applied_at", Moment),
    Column("taken_back_at", Moment),
)

alerts = Table(
    "alerts",
    metadata,
    key(),
    Column("name", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("details", Json),
    count("times"),
    Column("first_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("sent_at", Moment),
    Column("resolved_at", Moment),
    partial_index("ix_alerts_open", "name", "subject", unique=True, where="resolved_at IS NULL"),
    Index("ix_alerts_told", "name", "subject", "sent_at"),
)  # fmt: skip

outbox = Table(
    "outbox",
    metadata,
    key(),
    Column("topic", Text, nullable=False),
    Column("channel", Text),
    Column("severity", Text),
    Column("dedupe_key", Text),
    Column("payload", Json, nullable=False),
    word("status", "pending"),
    count("attempts"),
    Column("next_at", Moment, nullable=False),
    Column("error", Text),
    Column("created_at", Moment, nullable=False),
    Column("sent_at", Moment),
    partial_index("ix_outbox_line", "channel", "attempts", "id", where="status = 'pending'"),
    Index("ix_outbox_dedupe_key", "dedupe_key", unique=True),
)  # fmt: skip

watches = Table(
    "watches",
    metadata,
    key(),
    Column("name", Text, nullable=False),
    Column("query", Json, nullable=False),
    Column("channel", Text),
    yes_no("enabled", default=True),
    yes_no("hidden", default=False),
    Column("created_by", Text),
    Column("created_at", Moment, nullable=False),
    Column("feed_token", Text),
    Index("uq_watches_feed_token", "feed_token", unique=True),
)

watch_matches = Table(
    "watch_matches",
    metadata,
    Column(
        "watch_id", Id, ForeignKey("watches.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("record_id", Id, primary_key=True, autoincrement=False),
    Column("price_minor", BigInteger),
    Column("availability", Text),
    Column("told_at", Moment),
    Index("ix_watch_matches_record_id", "record_id"),
)

keys = Table(
    "keys",
    metadata,
    key(),
    Column("name", Text, nullable=False),
    Column("prefix", Text, nullable=False, unique=True),
    Column("hash", Text, nullable=False),
    Column("scopes", Json, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    partial_index("ix_keys_name", "name", unique=True, where="revoked_at IS NULL"),
)  # fmt: skip

sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    word("kind"),
    Column("who", Text, nullable=False),
    Column("scopes", Json, nullable=False),
    Column("key_id", Id, ForeignKey("keys.id"), index=True),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False, index=True),
)

audit = Table(
    "audit",
    metadata,
    key(),
    Column("at", Moment, nullable=False, index=True),
    Column("who", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text),
    Column("details", Json),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("ciphertext", Text, nullable=False),
    Column("updated_at", Moment, nullable=False),
)

proxies = Table(
    "proxies",
    metadata,
    key(),
    Column("scheme", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("port", Integer, nullable=False),
    Column("username", Text),
    Column("password", Text),
    yes_no("enabled", default=True),
    count("successes"),
    count("failures"),
    count("failures_in_a_row"),
    Column("average_ms", Float),
    Column("last_used_at", Moment),
    Column("last_success_at", Moment),
    Column("last_failure_at", Moment),
    UniqueConstraint("scheme", "host", "port", "username"),
)

proxy_lanes = Table(
    "proxy_lanes",
    metadata,
    Column("site_id", Id, primary_key=True, autoincrement=False),
    Column("proxy_id", Id, primary_key=True, autoincrement=False),
    Column("open_at", Moment, nullable=False, server_default=text("0")),
)

quotas = Table(
    "quotas",
    metadata,
    Column("provider", Text, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("used", Float, nullable=False, server_default=text("0")),
    Column("allowed", Float),
    Column("updated_at", Moment),
)

cached_answers = Table(
    "cached_answers",
    metadata,
    Column("service", Text, primary_key=True),
    Column("question", Text, primary_key=True),
    Column("answer", Json),
    Column("answered_at", Moment, nullable=False),
)

facts = Table(
    "facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Json),
    Column("updated_at", Moment),
)
