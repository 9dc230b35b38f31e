"""No query that runs all the time reads a growing table from end to end; these are the documented ones."""

import pytest
from sqlalchemy import Connection

from larder.store.database import Database
from larder.store.statement import Statement
from tests.contract.query_plans import HEAD, PAGE, QUERIES, RECORDS, SOURCES, Query, populate, scans


async def test_none_reads_a_growing_table_from_end_to_end(database: Database) -> None:
    def found(conn: Connection) -> dict[str, list[str]]:
        populate(conn)
        return {query.title: wrong for query in QUERIES if (wrong := scans(conn, query))}

    assert await database.run(found) == {}


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("SELECT count(*) FROM records WHERE title = :word", id="no index helps"),
        pytest.param("SELECT url FROM records ORDER BY source_id, identity_key", id="a whole index is read"),
    ],
)
async def test_such_a_query_would_be_found(database: Database, sql: str) -> None:
    args = {"word": "x"} if ":word" in sql else {}
    slow = Query(title="slow", statement=Statement(sql, args=dict.fromkeys(args, "text")), args=args)

    def found(conn: Connection) -> list[str]:
        populate(conn)
        return scans(conn, slow)

    assert len(await database.run(found)) == 1


def test_the_page_shows_the_plans_of_both_databases_for_each_query() -> None:
    page = PAGE.read_text()
    assert page.startswith(HEAD.format(rows=RECORDS, sources=SOURCES))
    sections = dict(part.split("\n", 1) for part in page.split("\n## ")[1:])
    assert list(sections) == [query.title for query in QUERIES]
    for title, said in sections.items():
        assert said.count("```text") == 2, title
        assert "SQLite:" in said
        assert "PostgreSQL:" in said
