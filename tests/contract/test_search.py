"""The index says what the records say, however these change; what was erased is gone from it."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from larder.stages.persist.refold import refold
from larder.store import search
from larder.store.database import open_database
from larder.store.dataset import erasure, pins
from larder.store.migrations import upgrade
from larder.store.reads import public
from larder.store.reads.public import Query, Sort
from larder.store.tables import words
from tests.contract.statements import overheard
from tests.contract.world import HOUR, NOW, Pages, rows, source, staged, unit_of_work

LATER = NOW + HOUR


def shop(conn: Connection, slug: str = "homes", visibility: str = "public") -> Pages:
    return Pages(conn, source(conn, slug, domain=f"{slug}.test", visibility=visibility))


def found(conn: Connection, text: str, *, now: datetime = LATER, **asked: Any) -> list[str]:
    return [row.title for row in public.find_records(conn, Query(text=text, **asked), now=now).rows]


@unit_of_work
def test_a_record_can_be_found_as_soon_as_it_is_there_and_by_its_new_words_when_it_changes(
    conn: Connection,
) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, title="Rood huis", description="met zolder")))
    assert (found(conn, "zolder"), found(conn, "kelder")) == (["Rood huis"], [])
    pages.keep(pages.page(staged(1, title="Rood huis", description="met kelder"), at=LATER, run_id=2))
    assert (found(conn, "zolder"), found(conn, "kelder")) == ([], ["Rood huis"])


@unit_of_work
def test_a_price_that_moves_leaves_the_index_alone(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, price_minor=100)))
    before = rows(conn, "SELECT digest FROM search")
    conn.exec_driver_sql("UPDATE search SET digest = digest || 'x'")
    search.index(conn, [(1, {"title": "Home 1"})])
    assert rows(conn, "SELECT digest FROM search") == before
    pages.keep(pages.page(staged(1, price_minor=90), at=LATER, run_id=2))
    assert rows(conn, "SELECT digest FROM search") == before


@unit_of_work
def test_what_an_operator_pins_can_be_found(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, title="Rood huis")))
    pins.pin(conn, 1, "title", "Blauw huis", by="me", now=NOW)
    refold(conn, [1], now=LATER)
    assert (found(conn, "blauw"), found(conn, "rood")) == (["Blauw huis"], [])


@unit_of_work
def test_an_erased_record_leaves_neither_document_nor_word(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, title="Huis van Popescu"), staged(2, title="Huis van niemand")))
    erasure.erase_record(conn, 1, by="me", reason="asked", now=LATER)
    assert rows(conn, "SELECT count(*) FROM search") == [(1,)]
    left = set(conn.scalars(select(words.c.word)))
    assert "popescu" not in left
    assert {"huis", "niemand"} <= left
    assert found(conn, "popescu") == []


@unit_of_work
def test_hidden_sources_are_never_found_by_any_sort(conn: Connection) -> None:
    hidden, shown = shop(conn, "hidden", "hidden"), shop(conn, "shown")
    hidden.keep(hidden.page(staged(1, title="Geheim huis", price_minor=5)))
    shown.keep(shown.page(staged(2, title="Open huis", price_minor=5)))
    for sort in (Sort.RELEVANCE, Sort.NEWEST, Sort.PRICE, Sort.FRESHNESS):
        assert found(conn, "huis", sort=sort) == ["Open huis"]
    assert found(conn, "geheim") == []


@unit_of_work
def test_an_index_that_was_lost_is_made_anew_in_batches(conn: Connection) -> None:
    pages = shop(conn)
    pages.keep(pages.page(*(staged(i, title=f"Villa nummer {i}") for i in range(7))))
    conn.exec_driver_sql("DELETE FROM search")
    conn.exec_driver_sql("DELETE FROM words")
    assert found(conn, "villa") == []
    after = 0
    sizes: list[int] = []
    while batch := search.reindex(conn, after, limit=3):
        after, sizes = batch[-1], [*sizes, len(batch)]
    assert (len(found(conn, "villa's")), sizes) == (7, [3, 3, 1])
    assert conn.scalar(select(func.count()).select_from(words))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"title": "Fiets te koop"}, {"title": "Bel", "description": "voor de fiets"}),
        ({"title": "Fiets"}, {"title": "Fiets met heel veel andere woorden erbij"}),
        ({"title": "Fiets"}, {"title": "Fietsen"}),
        ({"title": "Fietsen"}, {"title": "Bakfiets"}),
        ({"title": "Slot", "brand": "Fiets"}, {"title": "Slot", "description": "fiets"}),
    ],
    ids=[
        "title first",
        "short title first",
        "as asked first",
        "inflected before compound",
        "names before text",
    ],
)
@unit_of_work
def test_what_answers_best_comes_first(
    conn: Connection, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """Whichever was seen first: the newer one is not the better one."""
    for start in (0, 10):
        pages = shop(conn, f"s{start}")
        told = [first, second] if start else [second, first]
        pages.keep(*(pages.page(staged(start + i, **said)) for i, said in enumerate(told)))
        answer = public.find_records(conn, Query(text="fiets", source=f"s{start}"), now=LATER).rows
        assert [row.content.get("description") for row in answer] == [
            first.get("description"),
            second.get("description"),
        ]
        assert [row.title for row in answer] == [first["title"], second["title"]]
        first_rank, second_rank = (row.rank or 0.0 for row in answer)
        assert first_rank > second_rank


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.PRICE])
@unit_of_work
def test_words_narrow_every_sort(conn: Connection, sort: Sort) -> None:
    pages = shop(conn)
    titles = ["Groot huis" if i % 2 else "Klein schip" for i in range(12)]
    pages.keep(pages.page(*(staged(i, title=t, price_minor=i) for i, t in enumerate(titles))))
    answer = public.find_records(conn, Query(text="huis", sort=sort, limit=4), now=LATER)
    numbers = [row.price_minor or 0 for row in answer.rows]
    assert sorted(numbers, reverse=sort is Sort.NEWEST) == numbers
    assert all(number % 2 for number in numbers)
    rest = public.find_records(conn, Query(text="huis", sort=sort, limit=4, after=answer.next), now=LATER)
    assert sorted([*numbers, *(row.price_minor or 0 for row in rest.rows)]) == [1, 3, 5, 7, 9, 11]


@pytest.mark.parametrize(
    "text",
    ['"', "' OR 1=1 --", "AND OR NOT", "*", "a:b", "(", ":*", "\x00", "ﷺ ½ ŀ", "the", "😀", "NEAR(a b)"],
)
@unit_of_work
def test_no_text_is_taken_for_the_language_of_a_database(conn: Connection, text: str) -> None:
    pages = shop(conn)
    pages.keep(pages.page(staged(1, title=f"Huis {text}")))
    for sort in (Sort.RELEVANCE, Sort.NEWEST):
        assert len(found(conn, text, sort=sort)) <= 1


@pytest.mark.parametrize(
    "sizes",
    [
        {"FIRST_BLOCKS": 2, "MAX_BLOCKS": 32, "LISTED": 3},
        {"FIRST_BLOCKS": 2, "MAX_BLOCKS": 4, "LISTED": 30},
        {"FIRST_BLOCKS": 4, "MAX_BLOCKS": 2, "LISTED": 30},
        {"FIRST_BLOCKS": 30, "MAX_BLOCKS": 60, "LISTED": 6, "FEW_ALLOWED": 4},
        {"FIRST_BLOCKS": 100, "MAX_BLOCKS": 100, "LISTED": 100},
    ],
    ids=["by blocks", "some blocks, then all hits", "all hits", "joined", "at once"],
)
@unit_of_work
def test_the_newest_hits_are_the_same_however_they_are_found(
    conn: Connection, monkeypatch: pytest.MonkeyPatch, sizes: dict[str, int]
) -> None:
    for name, value in {"BLOCK": 1, "TITLE_BLOCK": 1, "FEW_ALLOWED": 1, **sizes}.items():
        monkeypatch.setattr(f"larder.store.search.postgres.{name}", value)
    hidden, shown = shop(conn, "hidden", "hidden"), shop(conn, "shown")
    for number in range(60):
        pages = hidden if number % 7 < 3 else shown
        title = f"huis {'rood' if number % 2 else 'blauw'} {number}"
        pages.keep(pages.page(staged(number, title=title), run_id=number + 1))
    expected = [f"huis rood {number}" for number in range(60) if number % 2 and number % 7 >= 3]
    for most in (1, 4, len(expected), 60):
        monkeypatch.setattr("larder.store.search.POOL", most)
        assert sorted(found(conn, "rood", limit=60)) == sorted(expected[-most:])


async def test_blocks_are_searched_by_the_index_of_words_whatever_is_asked(fresh_postgres: str) -> None:
    """PostgreSQL plans a statement that is asked often without its values: it then took the primary key."""
    database = open_database(fresh_postgres)
    await database.run(upgrade.upgrade)

    def plan(conn: Connection) -> str:
        pages = shop(conn)
        pages.keep(pages.page(*(staged(number, title=f"huis {number}") for number in range(60))))
        conn.exec_driver_sql("ANALYZE")
        conn.exec_driver_sql("SET LOCAL plan_cache_mode = force_generic_plan")
        conn.exec_driver_sql("SET LOCAL enable_seqscan = off")
        with overheard(conn) as sent:
            assert found(conn, "huis 7") == ["huis 7"]
        ((sql, values), *_) = [each for each in sent if "searched(block)" in each[0]]
        return "\n".join(conn.exec_driver_sql(f"EXPLAIN {sql}", values).scalars())

    told = await database.run(plan)
    await database.close()
    assert "Bitmap Index Scan on ix_search_terms" in told, told
    assert "Index Scan using pk_records" in told, told
