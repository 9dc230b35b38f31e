"""PostgreSQL: titles and blocks of record ids are terms of the search index: common words are found fast.

Weights are not in a GIN index; a marked word is. The downgrade gives the words their weights back. Databases
that were upgraded earlier also have blocks of 65,536 ids, which no search uses any more.
"""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_MARKED = """
    UPDATE search SET terms = strip(terms)
      || array_to_tsvector(ARRAY(SELECT DISTINCT '=' || word FROM unnest(string_to_array(title, ' ')) AS word
                                 WHERE word <> ''))
      || array_to_tsvector(ARRAY['#13.' || (record_id >> 13)])
"""
_WEIGHTED = """
    UPDATE search SET terms = (
      SELECT COALESCE(string_agg(quote_literal(lexeme) || ':' || '1' || CASE
        WHEN lexeme = ANY (string_to_array(title, ' ')) THEN 'A'
        WHEN lexeme = ANY (string_to_array(names, ' ')) THEN 'B' ELSE 'D' END, ' '), '')::tsvector
      FROM unnest(terms) WHERE lexeme !~ '^[=#]'
    )
"""


def upgrade() -> None:
    _rewrite(_MARKED)


def downgrade() -> None:
    _rewrite(_WEIGHTED)


def _rewrite(update: str) -> None:
    """Without the index, which is made faster all at once."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("DROP INDEX ix_search_terms")
    op.execute(update)
    op.execute("CREATE INDEX ix_search_terms ON search USING gin (terms)")
