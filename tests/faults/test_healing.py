"""The short form of the proof `healing`: a few redesigns of each kind of site, traps among them."""

import pytest

from tests.proofs.healing import judged, undergo
from tests.proofs.redrawn import ALL

FEW = [
    "classes that a build tool made",
    "split price",
    "a price called old before some",
    "sponsored rows",
    "facts told by their labels",
    "a table becomes boxes",
    "split prices of a shop",
    "the old price first",
    "renamed classes of an agenda",
    "two amounts and no word which",
]


def test_a_few_redesigns_heal_and_none_wrongly() -> None:
    part = judged([undergo(how, 5) for how in ALL if how.name in FEW])
    assert part.broken == []
    assert part.figures["redesigns"] == len(FEW)
    assert part.figures["healed"] == len(FEW) - 1
    assert part.figures["left to a person"] == ["two amounts and no word which"]


@pytest.mark.parametrize("name", ["columns in another order", "no price is what it was"])
def test_what_cannot_be_proven_is_left_alone(name: str) -> None:
    outcome = undergo(next(how for how in ALL if how.name == name), 7)
    index = outcome.suggestions[0]
    assert index.broken
    assert not index.proven
    assert index.doubts
    assert outcome.wrong == []


def test_a_wrong_repair_breaks_the_proof() -> None:
    outcome = undergo(next(how for how in ALL if how.name == "renamed classes"), 7)
    assert judged([outcome]).broken == []
    outcome.wrong.append("price: 1 is 2")
    assert judged([outcome]).broken[0] == "renamed classes: price: 1 is 2"


def test_names_are_told_apart() -> None:
    assert len({how.name for how in ALL}) == len(ALL) >= 30
