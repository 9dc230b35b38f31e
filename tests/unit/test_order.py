"""The order of tests: by seed, repeatable, groups together."""

from itertools import groupby

import pytest

from tests.order import shuffled

ITEMS = [f"{group}{n}" for group in "abcdef" for n in range(5)]


def _group(item: str) -> str:
    return item[0]


def _short(item: str) -> bool:
    return False


def test_l10_18_a_seed_gives_one_order_and_another_seed_another() -> None:
    first = shuffled(ITEMS, _group, "1", _short)
    assert first == shuffled(ITEMS, _group, "1", _short)
    assert sorted(first) == ITEMS
    assert first not in (ITEMS, shuffled(ITEMS, _group, "2", _short))


def test_l10_18_tests_of_one_group_stay_together_in_their_order() -> None:
    found = shuffled(ITEMS, _group, "3", _short)
    runs = {name: list(group) for name, group in groupby(found, key=_group)}
    assert sorted(found) == ITEMS
    assert list(runs) != list("abcdef")
    assert all(group == sorted(group) and len(group) == 5 for group in runs.values())


def test_those_that_take_long_begin_first() -> None:
    found = shuffled(ITEMS, _group, "3", lambda item: item[0] in "cf")
    assert sorted(found) == ITEMS
    assert {_group(item) for item in found[:10]} == {"c", "f"}
    assert [item for item in found if item[0] == "c"] == ITEMS[10:15]


@pytest.fixture(scope="module")
def made() -> list[str]:
    """What the tests of this module share."""
    return []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_tests_that_share_what_their_module_makes_run_in_one_worker(
    made: list[str], number: int, request: pytest.FixtureRequest
) -> None:
    made.append("seen")
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@test_order")
        assert len(made) == number
