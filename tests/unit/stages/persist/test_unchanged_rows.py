"""Rows that say what they said before are not folded, and the dataset is the same as if they were."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text

from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.stages.persist import Persisted, batch
from larder.stages.persist.unchanged_rows import find_unchanged
from larder.store.database import inline_database
from larder.store.migrations import upgrade
from tests.contract.world import HOUR, NOW, Pages, dump, source, staged

DOUBTS = (
    "strikes = 1, struck_at = :at",
    "active = 0, verification = 'unseen', deactivated_at = :at",
    "missing_at = :at, missing_status = 404",
    "missing_at = :at",
    "pinned = 1",
    "row_hash = NULL",
)
"""What happens to records between two looks at their index."""


def fold_all(*_: Any) -> dict[Any, Any]:
    return {}


def row(rng: Random) -> Staged:
    number = rng.randint(1, 6)
    if rng.random() < 0.2:
        hour, minute = rng.choice(["19:00", "20:30"]).split(":")
        starts = f"2026-12-0{rng.randint(1, 2)}T{hour}:{minute}:00+00:00"
        url = f"https://homes.test/show/{rng.randint(1, 2)}"
        day = f"show {rng.randint(1, 2)} {starts[:10]}"
        shown = {"starts_at": starts, "time_known": rng.random() < 0.7, "fingerprint": day, "url": url}
        return staged(number, kind=Kind.EVENT, key=f"URL:{url}", **shown)
    said: dict[str, Any] = {
        "price_minor": rng.choice([None, 90_000, 91_000, 900_000]),
        "currency": rng.choice([None, "EUR", "EUR", "USD"]),
        "availability": rng.choice([None, "in_stock", "in_stock", "unknown"]),
        "seller": rng.choice([None, "Ann", "Ann", "Bob"]),
        "status": rng.choice([None, None, None, "sold"]),
        "currency_sign": rng.choice([None, None, None, "$"]),
    }
    shared: dict[str, Any] = {"url": "https://homes.test/listing/1"} if rng.random() < 0.1 else {}
    renamed: dict[str, Any] = {"key": f"PID:{number + 100}"} if rng.random() < 0.1 else {}
    return staged(
        number, **{name: rng.choice([value, None]) for name, value in said.items()}, **shared, **renamed
    )


def story(conn: Connection, seed: int) -> list[tuple[Persisted, ...]]:
    """Some runs over an index that hardly changes; what each page found out."""
    rng, told = Random(seed), []
    pages = Pages(conn, source(conn))
    rows = [row(rng) for _ in range(8)]
    for run_id in range(1, 9):
        at = NOW + run_id * HOUR
        shown = [each if rng.random() < 0.85 else row(rng) for each in rng.sample(rows, len(rows))]
        parts = [shown] if rng.random() < 0.5 else [shown[:4], shown[3:]]
        asked = [
            replace(pages.page(*part, at=at + timedelta(minutes=n), run_id=run_id), doubts_prices=True)
            for n, part in enumerate(parts)
        ]
        if rng.random() < 0.3:
            own = row(rng)
            asked.append(
                pages.page(own, at=at, run_id=run_id, purpose=Purpose.DETAIL, expects=own.identity_key)
            )
        told.append(tuple(pages.keep(*asked)))
        if rng.random() < 0.4:
            happened = f"UPDATE records SET {rng.choice(DOUBTS)} WHERE id = {rng.randint(1, 6)}"
            conn.execute(text(happened), {"at": int(at.timestamp()) * 1_000_000})
    return told


def dataset(seed: int) -> tuple[list[tuple[Persisted, ...]], Mapping[str, list[Any]]]:
    database = inline_database()
    database.now(upgrade.create)
    told = database.now(story, seed)
    found = database.now(dump)
    database.close_now()
    return told, found


@pytest.mark.parametrize("seed", range(40))
def test_the_dataset_is_as_if_every_row_had_been_folded(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = dataset(seed)
    monkeypatch.setattr(batch, "find_unchanged", fold_all)
    assert dataset(seed) == fast


def test_rows_of_the_stories_are_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    unchanged: list[int] = []

    def counted(*given: Any) -> dict[Any, Any]:
        found = find_unchanged(*given)
        unchanged.append(len(found))
        return found

    monkeypatch.setattr(batch, "find_unchanged", counted)
    dataset(seed=1)
    assert sum(unchanged) > 10
