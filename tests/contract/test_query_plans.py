"""No query that runs all the time reads a growing table from end to end; these are the documented ones."""

from sqlalchemy import Connection

from larder.store.database import Database
from larder.store.database.statement import Statement
from tests.contract.query_plans import HEAD, PAGE, QUERIES, RECORDS, SOURCES, Query, populate, scans

SLOW = {
    "no index helps": "SELECT count(*) FROM records WHERE title = 'x'",
    "a whole index is read": "SELECT url FROM records ORDER BY source_id, identity_key",
}


async def test_none_reads_a_growing_table_from_end_to_end_and_one_that_did_would_be_found(
    database: Database,
) -> None:
    slow = [Query(title=title, statement=Statement(sql, args={})) for title, sql in SLOW.items()]

    def found(conn: Connection) -> set[str]:
        populate(conn)
        return {query.title for query in (*QUERIES, *slow) if scans(conn, query)}

    assert await database.run(found) == SLOW.keys()


def test_the_page_shows_the_plans_of_both_databases_for_each_query() -> None:
    page = PAGE.read_text()
    assert page.startswith(HEAD.format(rows=RECORDS, sources=SOURCES))
    sections = dict(part.split("\n", 1) for part in page.split("\n## ")[1:])
    assert list(sections) == [query.title for query in QUERIES]
    for title, said in sections.items():
        assert said.count("```text") == 2, title
        assert "SQLite:" in said
        assert "PostgreSQL:" in said
