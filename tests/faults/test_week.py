"""The short form of the proof `week`: a day of a small site, and the same read as values and as HTML."""

import pytest

from larder.sim.layouts import Layout
from tests.proofs.week import compare, discover


def test_discovery_finds_whatever_comes() -> None:
    part = discover(listings=300, days=1, seed=3)
    assert part.broken == []
    assert part.figures["recall"] > 0.98


@pytest.mark.parametrize("layout", [Layout.JSONLD, Layout.CARDS, Layout.TABLE])
def test_a_day_read_as_values_is_the_day_read_as_html(layout: Layout) -> None:
    part = compare(listings=120, days=0.5, seed=5, layout=layout)
    assert part.broken == []
    assert part.figures["records"] >= 120
