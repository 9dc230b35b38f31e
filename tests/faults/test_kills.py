"""The short form of the proof `kills`: a few kills, on both databases."""

from pathlib import Path

import pytest

from tests.proofs.kills import kill_it_anywhere

KILLS, LISTINGS = 5, 200


@pytest.mark.slow
def test_a_discovery_killed_anywhere_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    part = kill_it_anywhere(tmp_path, database="", kills=KILLS, listings=LISTINGS, seed=1)
    assert part.broken == []
    assert part.figures["records"] == LISTINGS


@pytest.mark.slow
def test_on_postgresql_too(tmp_path: Path, fresh_postgres: str) -> None:
    part = kill_it_anywhere(tmp_path, database=fresh_postgres, kills=KILLS, listings=LISTINGS, seed=2)
    assert part.broken == []
    assert part.figures["records"] == LISTINGS
