"""Sites that nobody tuned Larder for: added by their address alone, read once, held against their truth."""

from pathlib import Path

import pytest

from larder.sim.shapes import SHAPES
from tests.acceptance.any_site import read_once


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", sorted(SHAPES))
def test_a_site_is_read_by_its_address_alone(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    found = read_once(shape, tmp_path)
    assert (found.recall, found.titles, found.prices, found.dates) >= (0.97, 0.97, 0.97, 0.97), found
    assert min(found.recall, found.titles, found.prices, found.dates) >= 0.97, found
    assert (found.doubled, found.invented, found.asked_twice) == (0, 0, []), found
    assert found.requests <= 1.3, found
    assert found.status == "completed", found.run
