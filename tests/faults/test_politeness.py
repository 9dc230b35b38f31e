"""The short form of the proof `politeness`: two drivers, two sites, two freezes."""

from pathlib import Path

import pytest

from tests.proofs.politeness import SITES, drive_together

LONG = (5, 10)
"""Seconds. A busy machine bunches arrivals; over these windows that does not show."""


@pytest.mark.slow
def test_a_driver_that_slept_past_its_lease_does_not_speak_out_of_turn(
    tmp_path: Path, fresh_postgres: str
) -> None:
    part = drive_together(
        tmp_path, database=fresh_postgres, freezes=2, listings=60, sites=SITES[:2], lease=2, windows=LONG
    )
    assert part.broken == []
    assert part.figures["lanes_lost_to_the_other"] > 0
