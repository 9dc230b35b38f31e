"""The shapes of sites as a set."""

from collections import Counter

from tests.platform_sites import ALL_SHAPES


def test_every_shape_has_a_name_of_its_own() -> None:
    """The second of two would hide the first, and nobody would read it any more."""
    assert {
        name: count for name, count in Counter(shape.name for shape in ALL_SHAPES).items() if count > 1
    } == {}
