"""The first schema."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "adapter_states",
        sa.Column("adapter", sa.Text(), nullable=False),
        sa.Column("site_id", ID, server_default=sa.text("0"), autoincrement=False, nullable=False),
        sa.Column("enabled", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("health", JSON, nullable=True),
        sa.Column("last_rate", sa.Float(), nullable=True),
        sa.Column("first_run_flagged", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("probe_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("adapter", "site_id", name=op.f("pk_adapter_states")),
    )
    op.create_table(
        "alerts",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("details", JSON, nullable=True),
        sa.Column("times", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("first_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("resolved_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alerts")),
    )
    op.create_index(
        "ix_alerts_open",
        "alerts",
        ["name", "subject"],
        unique=True,
        sqlite_where=sa.text("resolved_at IS NULL"),
        postgresql_where=sa.text("resolved_at IS NULL"),
    )
    op.create_index("ix_alerts_told", "alerts", ["name", "subject", "sent_at"], unique=False)

    op.create_table(
        "audit",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("details", JSON, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)

    op.create_table(
        "blobs",
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("location", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("stored_size", sa.BigInteger(), nullable=False),
        sa.Column("stored_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name=op.f("pk_blobs")),
    )
    op.create_index("ix_blobs_stored_at", "blobs", ["stored_at"], unique=False)

    op.create_table(
        "cached_answers",
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", JSON, nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("service", "question", name=op.f("pk_cached_answers")),
    )
    op.create_table(
        "candidates",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("region", sa.Text(), nullable=True),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("judged_by", sa.Text(), nullable=True),
        sa.Column("evidence", JSON, nullable=True),
        sa.Column("status", sa.Text(), server_default="new", nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=True),
        sa.Column("found_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_candidates")),
        sa.UniqueConstraint("url", name=op.f("uq_candidates_url")),
    )
    op.create_table(
        "changes",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("transaction_id", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("record_id", sa.BigInteger(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("change", sa.Text(), nullable=False),
        sa.Column("details", JSON, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
    )
    op.create_index("ix_changes_feed", "changes", ["transaction_id", "id"], unique=False)
    op.create_index("ix_changes_record", "changes", ["record_id", "id"], unique=False)

    op.create_table(
        "dead_letters",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("job_id", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("source_id", sa.BigInteger(), nullable=True),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("trace", sa.Text(), nullable=True),
        sa.Column("payload", JSON, nullable=True),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("retries", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("resolved_at", sa.BigInteger(), nullable=True),
        sa.Column("resolved_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dead_letters")),
    )
    op.create_index("ix_dead_letters_due", "dead_letters", ["status", "retry_at"], unique=False)
    op.create_index("ix_dead_letters_group", "dead_letters", ["stage", "type", "id"], unique=False)
    op.create_index("ix_dead_letters_source", "dead_letters", ["source_id", "id"], unique=False)
    op.create_index("ix_dead_letters_status", "dead_letters", ["status", "id"], unique=False)

    op.create_table(
        "drift_batches",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("adapter", sa.Text(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("adapter_version", sa.Text(), nullable=True),
        sa.Column("attempted", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("failed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("extracted", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("dropped", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("valid", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("zero_prices", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("index_pages", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("listed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drift_batches")),
    )
    op.create_index("ix_drift_batches_recent", "drift_batches", ["adapter", "site_id", "at"], unique=False)

    op.create_table(
        "entities",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entities")),
    )
    op.create_table(
        "errors",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("job_id", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("source_id", sa.BigInteger(), nullable=True),
        sa.Column("stage", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("trace", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_errors")),
    )
    op.create_index("ix_errors_at", "errors", ["at"], unique=False)
    op.create_index("ix_errors_run_id", "errors", ["run_id"], unique=False)

    op.create_table(
        "facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", JSON, nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_facts")),
    )
    op.create_table(
        "items",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("job_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("fields", JSON, nullable=False),
        sa.Column("block", sa.Text(), nullable=True),
        sa.Column("strategy", sa.Text(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("observed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
    )
    op.create_index("ix_items_job_id", "items", ["job_id"], unique=False)
    op.create_index("ix_items_run_id", "items", ["run_id"], unique=False)

    op.create_table(
        "keys",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keys")),
        sa.UniqueConstraint("prefix", name=op.f("uq_keys_prefix")),
    )
    op.create_index(
        "ix_keys_name",
        "keys",
        ["name"],
        unique=True,
        sqlite_where=sa.text("revoked_at IS NULL"),
        postgresql_where=sa.text("revoked_at IS NULL"),
    )

    op.create_table(
        "outbox",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("dedupe_key", sa.Text(), nullable=True),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_dedupe_key", "outbox", ["dedupe_key"], unique=True)
    op.create_index(
        "ix_outbox_line",
        "outbox",
        ["channel", "attempts", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )

    op.create_table(
        "pages",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("job_id", sa.BigInteger(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("final_url", sa.Text(), nullable=True),
        sa.Column("fetcher", sa.Text(), server_default="http", nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", JSON, nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=True),
        sa.Column("hops", JSON, nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.Column("adapter_version", sa.Text(), nullable=True),
        sa.Column("last", sa.Integer(), nullable=True),
        sa.Column("advertised", sa.Integer(), nullable=True),
        sa.Column("yielded", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pages")),
    )
    op.create_index("ix_pages_content_hash", "pages", ["content_hash"], unique=False)
    op.create_index("ix_pages_fetched_at", "pages", ["fetched_at"], unique=False)
    op.create_index("ix_pages_job_id", "pages", ["job_id"], unique=False)
    op.create_index("ix_pages_url", "pages", ["source_id", "url", "id"], unique=False)

    op.create_table(
        "places",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("region", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("population", sa.Integer(), nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("searched_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_places")),
        sa.UniqueConstraint("country", "region", "name", name=op.f("uq_places_country_region_name")),
    )
    op.create_index("ix_places_next", "places", ["status", "searched_at", "population"], unique=False)

    op.create_table(
        "proxies",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("port", sa.Integer(), nullable=False),
        sa.Column("username", sa.Text(), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("enabled", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("successes", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("failures_in_a_row", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("average_ms", sa.Float(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proxies")),
        sa.UniqueConstraint(
            "scheme", "host", "port", "username", name=op.f("uq_proxies_scheme_host_port_username")
        ),
    )
    op.create_table(
        "proxy_lanes",
        sa.Column("site_id", ID, autoincrement=False, nullable=False),
        sa.Column("proxy_id", ID, autoincrement=False, nullable=False),
        sa.Column("open_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("site_id", "proxy_id", name=op.f("pk_proxy_lanes")),
    )
    op.create_table(
        "quarantine",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("job_id", sa.BigInteger(), nullable=True),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=True),
        sa.Column("item", JSON, nullable=False),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("observed_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quarantine")),
    )
    op.create_index("ix_quarantine_source", "quarantine", ["source_id", "id"], unique=False)
    op.create_index("ix_quarantine_status", "quarantine", ["status", "id"], unique=False)

    op.create_table(
        "quotas",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("used", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("allowed", sa.Float(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("provider", "period", name=op.f("pk_quotas")),
    )
    op.create_table(
        "repairs",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("adapter", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("before", JSON, nullable=True),
        sa.Column("after", JSON, nullable=True),
        sa.Column("proof", JSON, nullable=True),
        sa.Column("status", sa.Text(), server_default="suggested", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("applied_at", sa.BigInteger(), nullable=True),
        sa.Column("taken_back_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_repairs")),
    )
    op.create_index("ix_repairs_source_id", "repairs", ["source_id"], unique=False)

    op.create_table(
        "robots",
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("tries", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name=op.f("pk_robots")),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ciphertext", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.create_table(
        "sightings",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("records", JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sightings")),
    )
    op.create_index("ix_sightings_page_id", "sightings", ["page_id"], unique=False)
    op.create_index("ix_sightings_run_id", "sightings", ["run_id"], unique=False)
    op.create_index("ix_sightings_seen_at", "sightings", ["seen_at"], unique=False)

    op.create_table(
        "sites",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("preset", sa.Text(), server_default="gentle", nullable=False),
        sa.Column("spacing_ms", sa.Integer(), nullable=True),
        sa.Column("spacing_max_ms", sa.Integer(), nullable=True),
        sa.Column("at_once", sa.Integer(), nullable=True),
        sa.Column("crawl_delay_ms", sa.Integer(), nullable=True),
        sa.Column("exempt_hosts", JSON, nullable=True),
        sa.Column("local", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("blocked", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("blocked_reason", sa.Text(), nullable=True),
        sa.Column("robots_compliance", sa.Text(), server_default="strict", nullable=False),
        sa.Column("terms_reviewed_at", sa.BigInteger(), nullable=True),
        sa.Column("terms_reviewed_by", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("preset IN ('gentle', 'classifieds', 'crawler')", name=op.f("ck_sites_preset")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sites")),
        sa.UniqueConstraint("domain", name=op.f("uq_sites_domain")),
    )
    op.create_table(
        "tombstones",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=True),
        sa.Column("identity_key", sa.Text(), nullable=True),
        sa.Column("seller_hash", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("erased_by", sa.Text(), nullable=True),
        sa.Column("erased_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tombstones")),
        sa.UniqueConstraint("source_id", "identity_key", name=op.f("uq_tombstones_source_id_identity_key")),
    )
    op.create_index("ix_tombstones_seller_hash", "tombstones", ["seller_hash"], unique=False)

    op.create_table(
        "verifications",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("record_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("window_number", sa.Integer(), nullable=True),
        sa.Column("control", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("settled", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verifications")),
    )
    op.create_index("ix_verifications_record", "verifications", ["record_id", "at"], unique=False)
    op.create_index("ix_verifications_window", "verifications", ["run_id", "window_number"], unique=False)

    op.create_table(
        "watches",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", JSON, nullable=False),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("enabled", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("hidden", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_watches")),
    )
    op.create_table(
        "words",
        sa.Column("form", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("word", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("form", "word", name=op.f("pk_words")),
    )
    op.create_table(
        "lanes",
        sa.Column("site_id", ID, autoincrement=False, nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("open_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("cooling_until", sa.BigInteger(), nullable=True),
        sa.Column("cooling_reason", sa.Text(), nullable=True),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("lease_token", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_lanes_site_id")),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_lanes")),
    )
    op.create_index(
        "ix_lanes_next_at",
        "lanes",
        ["next_at"],
        unique=False,
        sqlite_where=sa.text("next_at IS NOT NULL"),
        postgresql_where=sa.text("next_at IS NOT NULL"),
    )

    op.create_table(
        "sessions",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("key_id", ID, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"], name=op.f("fk_sessions_key_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"], unique=False)
    op.create_index("ix_sessions_key_id", "sessions", ["key_id"], unique=False)

    op.create_table(
        "sources",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("site_id", ID, nullable=True),
        sa.Column("adapter", sa.Text(), nullable=False),
        sa.Column("params", JSON, nullable=True),
        sa.Column("repaired", JSON, nullable=True),
        sa.Column("plan", sa.Text(), server_default="index", nullable=False),
        sa.Column("tier", sa.Text(), server_default="standard", nullable=False),
        sa.Column("cadence_hours", sa.Float(), nullable=True),
        sa.Column("enabled", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("needs_review", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("review_reason", sa.Text(), nullable=True),
        sa.Column("max_items_per_run", sa.Integer(), nullable=True),
        sa.Column("max_pages", sa.Integer(), nullable=True),
        sa.Column("fetcher", sa.Text(), server_default="http", nullable=False),
        sa.Column("suggested_fetcher", sa.Text(), nullable=True),
        sa.Column("policy", JSON, nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("tz", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("language", sa.Text(), server_default="en", nullable=False),
        sa.Column("currency", sa.Text(), nullable=True),
        sa.Column("visibility", sa.Text(), server_default="hidden", nullable=False),
        sa.Column("upc_trusted", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("reenables_itself", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("adopted_at", sa.BigInteger(), nullable=True),
        sa.Column("broken_reason", sa.Text(), nullable=True),
        sa.Column("last_run_at", sa.BigInteger(), nullable=True),
        sa.Column("last_run_status", sa.Text(), nullable=True),
        sa.Column("consecutive_failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("reliability", sa.Float(), server_default=sa.text("1"), nullable=False),
        sa.Column("fetch_days", JSON, nullable=True),
        sa.Column("items_seen", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("head_checks", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("head_compared", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("head_agreed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "fetcher IN ('http', 'browser', 'relay', 'actor')", name=op.f("ck_sources_fetcher")
        ),
        sa.CheckConstraint("kind IN ('listing', 'event', 'product')", name=op.f("ck_sources_kind")),
        sa.CheckConstraint(
            "plan IN ('market', 'index', 'agenda', 'watch', 'adaptive')", name=op.f("ck_sources_plan")
        ),
        sa.CheckConstraint("tier IN ('hot', 'standard', 'cool')", name=op.f("ck_sources_tier")),
        sa.CheckConstraint("visibility IN ('hidden', 'public')", name=op.f("ck_sources_visibility")),
        sa.ForeignKeyConstraint(["site_id"], ["sites.id"], name=op.f("fk_sources_site_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sources")),
        sa.UniqueConstraint("slug", name=op.f("uq_sources_slug")),
    )
    op.create_index("ix_sources_adapter", "sources", ["adapter"], unique=False)
    op.create_index(
        "ix_sources_new",
        "sources",
        ["id"],
        unique=False,
        sqlite_where=sa.text("adopted_at IS NULL"),
        postgresql_where=sa.text("adopted_at IS NULL"),
    )
    op.create_index("ix_sources_site_id", "sources", ["site_id"], unique=False)

    op.create_table(
        "watch_matches",
        sa.Column("watch_id", ID, autoincrement=False, nullable=False),
        sa.Column("record_id", ID, autoincrement=False, nullable=False),
        sa.Column("price_minor", sa.BigInteger(), nullable=True),
        sa.Column("told_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["watch_id"], ["watches.id"], name=op.f("fk_watch_matches_watch_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("watch_id", "record_id", name=op.f("pk_watch_matches")),
    )
    op.create_index("ix_watch_matches_record_id", "watch_matches", ["record_id"], unique=False)

    op.create_table(
        "canaries",
        sa.Column("source_id", ID, autoincrement=False, nullable=False),
        sa.Column("active", sa.Text(), nullable=False),
        sa.Column("active_since", sa.BigInteger(), nullable=False),
        sa.Column("candidate", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), server_default="proven", nullable=False),
        sa.Column("comparison", JSON, nullable=True),
        sa.Column("judged_at", sa.BigInteger(), nullable=True),
        sa.Column("accepted_by", sa.Text(), nullable=True),
        sa.Column("accepted_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_canaries_source_id")),
        sa.PrimaryKeyConstraint("source_id", name=op.f("pk_canaries")),
    )
    op.create_index("ix_canaries_status", "canaries", ["status", "source_id"], unique=False)

    op.create_table(
        "circuits",
        sa.Column("source_id", ID, autoincrement=False, nullable=False),
        sa.Column("state", sa.Text(), server_default="closed", nullable=False),
        sa.Column("failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("trips", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_circuits_source_id")),
        sa.PrimaryKeyConstraint("source_id", name=op.f("pk_circuits")),
    )
    op.create_table(
        "records",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("identity_key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=True),
        sa.Column("platform_id", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("canonical_url", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("price_minor", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.Text(), nullable=True),
        sa.Column("availability", sa.Text(), nullable=True),
        sa.Column("seller", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("brand", sa.Text(), nullable=True),
        sa.Column("rating", sa.Float(), nullable=True),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("content", JSON, nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("row_hash", sa.Text(), nullable=True),
        sa.Column("version_id", sa.BigInteger(), nullable=True),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("entity_id", sa.BigInteger(), nullable=True),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("rate", sa.Integer(), nullable=False),
        sa.Column("anchored_at", sa.BigInteger(), nullable=False),
        sa.Column("shown_until", sa.BigInteger(), nullable=False),
        sa.Column("dead_at", sa.BigInteger(), nullable=False),
        sa.Column("active", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("pinned", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("verification", sa.Text(), nullable=True),
        sa.Column("strikes", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("struck_at", sa.BigInteger(), nullable=True),
        sa.Column("first_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("discovered_at", sa.BigInteger(), nullable=True),
        sa.Column("last_scraped_at", sa.BigInteger(), nullable=True),
        sa.Column("verified_at", sa.BigInteger(), nullable=True),
        sa.Column("checked_at", sa.BigInteger(), nullable=True),
        sa.Column("deactivated_at", sa.BigInteger(), nullable=True),
        sa.Column("times_seen", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("seen_by_run", sa.BigInteger(), nullable=True),
        sa.Column("detail_asked_by", sa.BigInteger(), nullable=True),
        sa.Column("missed_by_pass", sa.BigInteger(), nullable=True),
        sa.Column("saved", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_records_source_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_records")),
        sa.UniqueConstraint("source_id", "identity_key", name=op.f("uq_records_source_id_identity_key")),
    )
    op.create_index("ix_records_canonical_url", "records", ["source_id", "canonical_url"], unique=False)
    op.create_index(
        "ix_records_dead",
        "records",
        ["source_id", "dead_at"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index("ix_records_entity_id", "records", ["entity_id"], unique=False)
    op.create_index(
        "ix_records_fingerprint",
        "records",
        ["source_id", "fingerprint"],
        unique=True,
        sqlite_where=sa.text("fingerprint IS NOT NULL"),
        postgresql_where=sa.text("fingerprint IS NOT NULL"),
    )
    op.create_index(
        "ix_records_lapsed",
        "records",
        ["source_id", "id"],
        unique=False,
        sqlite_where=sa.text("verification = 'lapsed'"),
        postgresql_where=sa.text("verification = 'lapsed'"),
    )
    op.create_index(
        "ix_records_missed",
        "records",
        ["source_id", "missed_by_pass"],
        unique=False,
        sqlite_where=sa.text("missed_by_pass IS NOT NULL"),
        postgresql_where=sa.text("missed_by_pass IS NOT NULL"),
    )
    op.create_index(
        "ix_records_newest",
        "records",
        ["first_seen_at", "id"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index("ix_records_page_id", "records", ["page_id"], unique=False)
    op.create_index(
        "ix_records_place",
        "records",
        ["latitude", "longitude"],
        unique=False,
        sqlite_where=sa.text("active = 1 AND latitude IS NOT NULL"),
        postgresql_where=sa.text("active = 1 AND latitude IS NOT NULL"),
    )
    op.create_index(
        "ix_records_price",
        "records",
        ["price_minor", "id"],
        unique=False,
        sqlite_where=sa.text("active = 1 AND price_minor IS NOT NULL"),
        postgresql_where=sa.text("active = 1 AND price_minor IS NOT NULL"),
    )
    op.create_index(
        "ix_records_shown",
        "records",
        ["shown_until", "id"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index(
        "ix_records_source_newest",
        "records",
        ["source_id", "first_seen_at", "id"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index(
        "ix_records_starts_at",
        "records",
        ["starts_at", "id"],
        unique=False,
        sqlite_where=sa.text("active = 1 AND starts_at IS NOT NULL"),
        postgresql_where=sa.text("active = 1 AND starts_at IS NOT NULL"),
    )
    op.create_index(
        "ix_records_to_verify",
        "records",
        ["source_id", "shown_until"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index(
        "ix_records_unseen",
        "records",
        ["source_id", "last_seen_at"],
        unique=False,
        sqlite_where=sa.text("active = 1"),
        postgresql_where=sa.text("active = 1"),
    )
    op.create_index(
        "ix_records_verified",
        "records",
        ["source_id", "verified_at"],
        unique=False,
        sqlite_where=sa.text("active = 1 AND verified_at IS NOT NULL"),
        postgresql_where=sa.text("active = 1 AND verified_at IS NOT NULL"),
    )

    op.create_table(
        "runs",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", ID, nullable=True),
        sa.Column("region", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="running", nullable=False),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("adapter", sa.Text(), nullable=True),
        sa.Column("adapter_version", sa.Text(), nullable=True),
        sa.Column("state", JSON, nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("heartbeat_at", sa.BigInteger(), nullable=False),
        sa.Column("parked_until", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("open_jobs", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("settled", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("pages", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("attempted", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("failed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("extracted", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("inserted", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("updated", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("unchanged", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("dropped", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("quarantined", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("failure_rate", sa.Float(), nullable=True),
        sa.Column("drop_rate", sa.Float(), nullable=True),
        sa.Column("yield_rate", sa.Float(), nullable=True),
        sa.Column("certificate", JSON, nullable=True),
        sa.Column("drift", JSON, nullable=True),
        sa.Column("flagged", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("voided_at", sa.BigInteger(), nullable=True),
        sa.Column("voided_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_runs_source_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_index("ix_runs_finished_at", "runs", ["finished_at"], unique=False)
    op.create_index(
        "ix_runs_heartbeat",
        "runs",
        ["heartbeat_at"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "ix_runs_open",
        "runs",
        ["source_id", "kind"],
        unique=True,
        sqlite_where=sa.text("status IN ('running', 'paused') AND source_id IS NOT NULL"),
        postgresql_where=sa.text("status IN ('running', 'paused') AND source_id IS NOT NULL"),
    )
    op.create_index("ix_runs_source", "runs", ["source_id", "kind", "id"], unique=False)

    op.create_table(
        "schedules",
        sa.Column("source_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("memory", JSON, nullable=True),
        sa.Column("last_run_id", sa.BigInteger(), nullable=True),
        sa.Column("last_run_at", sa.BigInteger(), nullable=True),
        sa.Column("gates", JSON, nullable=True),
        sa.Column("gated_since", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_schedules_source_id")),
        sa.PrimaryKeyConstraint("source_id", "kind", name=op.f("pk_schedules")),
    )
    op.create_index("ix_schedules_next_at", "schedules", ["next_at"], unique=False)

    op.create_table(
        "targets",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("source_id", ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("canonical_url", sa.Text(), nullable=False),
        sa.Column("adapter", sa.Text(), nullable=True),
        sa.Column("record_id", sa.BigInteger(), nullable=True),
        sa.Column("cron", sa.Text(), nullable=True),
        sa.Column("interval_s", sa.Integer(), server_default=sa.text("(86400)"), nullable=False),
        sa.Column("priority", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("enabled", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("blocked", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("haste", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("next_due_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_status", sa.Text(), nullable=True),
        sa.Column("last_at", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["source_id"], ["sources.id"], name=op.f("fk_targets_source_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_targets")),
        sa.UniqueConstraint("source_id", "canonical_url", name=op.f("uq_targets_source_id_canonical_url")),
    )
    op.create_index(
        "ix_targets_due",
        "targets",
        ["source_id", "priority", "next_due_at"],
        unique=False,
        sqlite_where=sa.text("enabled = 1 AND blocked = 0 AND status <> 'paused'"),
        postgresql_where=sa.text("enabled = 1 AND blocked = 0 AND status <> 'paused'"),
    )
    op.create_index("ix_targets_source", "targets", ["source_id", "id"], unique=False)

    op.create_table(
        "entity_keys",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("record_id", ID, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name=op.f("fk_entity_keys_record_id")),
        sa.PrimaryKeyConstraint("key", "record_id", name=op.f("pk_entity_keys")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entity_keys_record", "entity_keys", ["record_id"], unique=False)

    op.create_table(
        "images",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("record_id", ID, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=True),
        sa.Column("alt", sa.Text(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("format", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("fetched_at", sa.BigInteger(), nullable=True),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name=op.f("fk_images_record_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_images")),
        sa.UniqueConstraint("record_id", "url", name=op.f("uq_images_record_id_url")),
    )
    op.create_index("ix_images_content_hash", "images", ["content_hash"], unique=False)
    op.create_index(
        "ix_images_due",
        "images",
        ["next_at"],
        unique=False,
        sqlite_where=sa.text("next_at IS NOT NULL"),
        postgresql_where=sa.text("next_at IS NOT NULL"),
    )

    op.create_table(
        "jobs",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("run_id", ID, nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("adapter", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("context", JSON, nullable=True),
        sa.Column("stage", sa.Text(), server_default="fetch", nullable=False),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("interruptions", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("claim_order", sa.BigInteger(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=True),
        sa.Column("slot_opens_at", sa.BigInteger(), nullable=True),
        sa.Column("slot_closes_at", sa.BigInteger(), nullable=True),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("record_id", sa.BigInteger(), nullable=True),
        sa.Column("target_id", sa.BigInteger(), nullable=True),
        sa.Column("error_category", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_jobs_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(
        "ix_jobs_age",
        "jobs",
        ["created_at"],
        unique=False,
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index("ix_jobs_finished_at", "jobs", ["finished_at"], unique=False)
    op.create_index(
        "ix_jobs_lane",
        "jobs",
        ["site_id", "claim_order", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index(
        "ix_jobs_queue",
        "jobs",
        ["adapter"],
        unique=False,
        sqlite_where=sa.text("status = 'pending'"),
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index("ix_jobs_run", "jobs", ["run_id", "status"], unique=False)
    op.create_index(
        "ix_jobs_running",
        "jobs",
        ["site_id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )

    op.create_table(
        "links",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("record_id", ID, nullable=False),
        sa.Column("entity_id", ID, nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("explanation", JSON, nullable=True),
        sa.Column("linked_at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.Column("undone_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["entity_id"], ["entities.id"], name=op.f("fk_links_entity_id")),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name=op.f("fk_links_record_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_links")),
    )
    op.create_index(
        "ix_links_current",
        "links",
        ["record_id"],
        unique=True,
        sqlite_where=sa.text("undone_at IS NULL"),
        postgresql_where=sa.text("undone_at IS NULL"),
    )
    op.create_index("ix_links_entity", "links", ["entity_id"], unique=False)
    op.create_index("ix_links_record", "links", ["record_id"], unique=False)

    op.create_table(
        "observations",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("record_id", ID, nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=True),
        sa.Column("word", sa.Text(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("adapter_version", sa.Text(), nullable=False),
        sa.Column("observed_at", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger(), nullable=False),
        sa.Column("superseded_at", sa.BigInteger(), nullable=True),
        sa.Column("voided_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name=op.f("fk_observations_record_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_observations")),
    )
    op.create_index(
        "ix_observations_current",
        "observations",
        ["record_id", "field"],
        unique=True,
        sqlite_where=sa.text("superseded_at IS NULL AND voided_at IS NULL"),
        postgresql_where=sa.text("superseded_at IS NULL AND voided_at IS NULL"),
    )
    op.create_index(
        "ix_observations_history", "observations", ["record_id", "field", "observed_at"], unique=False
    )
    op.create_index("ix_observations_run_id", "observations", ["run_id"], unique=False)

    op.create_table(
        "pins",
        sa.Column("record_id", ID, autoincrement=False, nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("value", JSON, nullable=True),
        sa.Column("pinned_by", sa.Text(), nullable=True),
        sa.Column("pinned_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name=op.f("fk_pins_record_id")),
        sa.PrimaryKeyConstraint("record_id", "field", name=op.f("pk_pins")),
    )
    op.create_table(
        "versions",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("record_id", ID, nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("adapter", sa.Text(), nullable=False),
        sa.Column("adapter_version", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("content", JSON, nullable=False),
        sa.Column("strategies", JSON, nullable=True),
        sa.Column("observed_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("voided_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name=op.f("fk_versions_record_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
    )
    op.create_index("ix_versions_record", "versions", ["record_id", "observed_at"], unique=False)
    op.create_index("ix_versions_run_id", "versions", ["run_id"], unique=False)


def downgrade() -> None:
    op.drop_table("versions")
    op.drop_table("pins")
    op.drop_table("observations")
    op.drop_table("links")
    op.drop_table("jobs")
    op.drop_table("images")
    op.drop_table("entity_keys")
    op.drop_table("targets")
    op.drop_table("schedules")
    op.drop_table("runs")
    op.drop_table("records")
    op.drop_table("circuits")
    op.drop_table("canaries")
    op.drop_table("watch_matches")
    op.drop_table("sources")
    op.drop_table("sessions")
    op.drop_table("lanes")
    op.drop_table("words")
    op.drop_table("watches")
    op.drop_table("verifications")
    op.drop_table("tombstones")
    op.drop_table("sites")
    op.drop_table("sightings")
    op.drop_table("secrets")
    op.drop_table("robots")
    op.drop_table("repairs")
    op.drop_table("quotas")
    op.drop_table("quarantine")
    op.drop_table("proxy_lanes")
    op.drop_table("proxies")
    op.drop_table("places")
    op.drop_table("pages")
    op.drop_table("outbox")
    op.drop_table("keys")
    op.drop_table("items")
    op.drop_table("facts")
    op.drop_table("errors")
    op.drop_table("entities")
    op.drop_table("drift_batches")
    op.drop_table("dead_letters")
    op.drop_table("changes")
    op.drop_table("candidates")
    op.drop_table("cached_answers")
    op.drop_table("blobs")
    op.drop_table("audit")
    op.drop_table("alerts")
    op.drop_table("adapter_states")
