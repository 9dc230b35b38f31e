"""Homes that several sites advertise: the truth knows which adverts are for one home."""

from datetime import UTC, datetime, timedelta

from larder.sim.classifieds.listing_words import NEIGHBOURS, shared_home
from larder.sim.classifieds.state import Listing
from larder.sim.classifieds.truth import ClassifiedsTruth

START = datetime(2026, 3, 1, tzinfo=UTC)
AT = START + timedelta(days=5)


def shared(seed: int) -> dict[str, Listing]:
    site = ClassifiedsTruth(seed=seed, start=START, stock=200, pool=9)
    return {each.entity: each for each in site.live(AT).values() if each.entity}


def test_two_sites_of_one_pool_advertise_the_same_homes_each_in_its_own_words() -> None:
    first, second = shared(1), shared(2)
    both = first.keys() & second.keys()
    assert len(both) > 20
    assert first.keys() - both
    for thing in both:
        one, two = first[thing].home, second[thing].home
        assert (one.city, one.postcode, one.rooms) == (two.city, two.postcode, two.rooms)
        assert abs(one.area - two.area) <= 2
    assert sum(first[t].home.title != second[t].home.title for t in both) > len(both) / 2


def test_no_advert_is_shared_without_a_pool() -> None:
    site = ClassifiedsTruth(seed=1, start=START, stock=200)
    assert {each.entity for each in site.live(AT).values()} == {""}


def test_some_shared_homes_have_a_neighbour_of_another_size_in_the_same_house() -> None:
    for number in range(NEIGHBOURS - 1, 200, NEIGHBOURS):
        one, two = shared_home(9, number - 1), shared_home(9, number)
        assert (one.street, one.postcode) == (two.street, two.postcode)
        assert abs(one.area - two.area) > 10
        assert one.entity != two.entity
