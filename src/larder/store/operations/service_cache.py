"""Caches answers of outside services without expiry."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from larder.store.database.statement import Statement
from larder.store.tables import cached_answers
from larder.store.tables.columns import micros

_KEEP = Statement(
    """
    INSERT INTO cached_answers (service, question, answer, answered_at)
    SELECT service, question, answer, :now FROM {rows} AS told WHERE true
    ON CONFLICT (service, question)
    DO UPDATE SET answer = excluded.answer, answered_at = excluded.answered_at
    """,
    rows={"service": "text", "question": "text", "answer": "json"},
    args={"now": "int"},
)


def find_answer(
    conn: Connection, service: str, questions: Collection[str], *, unknown_since: datetime
) -> dict[str, Any]:
    """Cached answers; "no answer" only if it was given after `unknown_since`."""
    query = select(cached_answers).where(
        cached_answers.c.service == service, cached_answers.c.question.in_(list(questions))
    )
    return {
        row.question: row.answer
        for row in conn.execute(query)
        if row.answer is not None or row.answered_at > unknown_since
    }


def store_answers(conn: Connection, service: str, answers: Mapping[str, Any], *, now: datetime) -> None:
    """Store answers, also that there was none."""
    _KEEP(conn, [(service, question, answer) for question, answer in answers.items()], now=micros(now))
