"""The order of tests: by seed, repeatable, groups together."""

from itertools import groupby

from tests.order import shuffled

ITEMS = [f"{group}{n}" for group in "abcdef" for n in range(5)]


def _group(item: str) -> str:
    return item[0]


def test_l10_18_a_seed_gives_one_order_and_another_seed_another() -> None:
    first = shuffled(ITEMS, _group, "1")
    assert first == shuffled(ITEMS, _group, "1")
    assert sorted(first) == ITEMS
    assert first not in (ITEMS, shuffled(ITEMS, _group, "2"))


def test_l10_18_tests_of_one_group_stay_together_in_their_order() -> None:
    found = shuffled(ITEMS, _group, "3")
    runs = {name: list(group) for name, group in groupby(found, key=_group)}
    assert sorted(found) == ITEMS
    assert list(runs) != list("abcdef")
    assert all(group == sorted(group) and len(group) == 5 for group in runs.values())
