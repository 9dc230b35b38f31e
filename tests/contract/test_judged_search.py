"""Sixty questions in three languages find what a reader would, among the first ten, on both databases."""

from statistics import mean

from sqlalchemy import Connection

from larder.store.reads import public
from larder.store.reads.public import Query
from tests.contract.judged import QUESTIONS, RECORDS, noise
from tests.contract.world import HOUR, NOW, Pages, source, staged, unit_of_work

ENOUGH = 0.9


def plant(conn: Connection) -> None:
    pages = Pages(conn, source(conn, visibility="public"))
    said = [*RECORDS.items(), *noise()]
    pages.keep(
        pages.page(
            *(staged(i, platform_id=key, title=t, description=d) for i, (key, (t, d)) in enumerate(said))
        )
    )


def recall(conn: Connection, question: str, wanted: set[str]) -> float:
    found = public.find_records(conn, Query(text=question, limit=10), now=NOW + HOUR)
    return len(wanted & {row.platform_id for row in found.rows}) / min(10, len(wanted))


def test_there_are_sixty_questions_about_records_that_exist() -> None:
    assert len({question for question, _ in QUESTIONS}) == 60
    assert {key for _, keys in QUESTIONS for key in keys.split()} <= set(RECORDS)


@unit_of_work
def test_recall_at_ten(conn: Connection) -> None:
    plant(conn)
    found = {question: recall(conn, question, set(keys.split())) for question, keys in QUESTIONS}
    missed = {question: round(share, 2) for question, share in found.items() if share < 1}
    assert mean(found.values()) >= ENOUGH, missed
