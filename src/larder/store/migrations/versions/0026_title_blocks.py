"""PostgreSQL: a word of a title and its block of record ids are one term: common words are found fast."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_WITH_BLOCKS = """
    UPDATE search SET terms = terms || array_to_tsvector(ARRAY(
      SELECT DISTINCT '#' || (record_id >> 15) || '=' || word
      FROM unnest(string_to_array(title, ' ')) AS word WHERE word <> ''
    ))
"""
_WITHOUT = """
    UPDATE search SET terms = ts_delete(
      terms, ARRAY(SELECT lexeme FROM unnest(terms) WHERE lexeme ~ '^#[0-9]+=')
    )
"""


def upgrade() -> None:
    _rewrite(_WITH_BLOCKS)


def downgrade() -> None:
    _rewrite(_WITHOUT)


def _rewrite(update: str) -> None:
    """Without the index, which is made faster all at once."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("DROP INDEX ix_search_terms")
    op.execute(update)
    op.execute("CREATE INDEX ix_search_terms ON search USING gin (terms)")
