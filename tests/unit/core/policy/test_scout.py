"""What a scout searches for and leaves out, how long it waits, and which regions there are."""

import pytest

from larder.core.errors import BadInput
from larder.core.model.place import read_region
from larder.core.policy.scout import MAX_WAIT, is_noise, queries, wait_after


def test_waits_double_up_to_a_bound() -> None:
    waits = [wait_after(limits, None) for limits in range(20)]
    assert waits == sorted(waits)
    assert waits[1] == 2 * waits[0]
    assert waits[-1] == MAX_WAIT


@pytest.mark.parametrize("country", ["NL", "DE", "US", "XX"])
def test_every_country_has_five_queries(country: str) -> None:
    assert len(set(queries("Town", country))) == 5


@pytest.mark.parametrize(
    ("domain", "path", "noise"),
    [
        pytest.param("tripadvisor.com", "/", True, id="a portal"),
        pytest.param("venue.nl", "/agenda.PDF", True, id="a file"),
        pytest.param("venue.nl", "/agenda", False, id="a page"),
    ],
)
def test_noise(domain: str, path: str, noise: bool) -> None:
    assert is_noise(domain, path) is noise


@pytest.mark.parametrize(
    ("given", "region"),
    [("nl", "NL"), ("Noord-Holland", "NL-07"), ("us-ny", "US-NY"), (" DE ", "DE")],
)
def test_regions(given: str, region: str) -> None:
    assert str(read_region(given)) == region


@pytest.mark.parametrize("given", ["", "Nederland", "NL-", "N1", "NL-07; DROP TABLE", "NL-" + "x" * 40])
def test_what_is_no_region_is_refused(given: str) -> None:
    if given == "NL-":
        assert str(read_region(given)) == "NL"
        return
    with pytest.raises(BadInput, match="not a region"):
        read_region(given)
