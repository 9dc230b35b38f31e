"""Which pages show a record: its identity, its title or its price."""

from decimal import Decimal

import pytest

from larder.core.policy.trust.record_evidence import PageSigns, RecordSigns, identifier_of, shows

RECORD = RecordSigns(
    url="https://homes.example/a/4711",
    title="Bright flat by the canal",
    identifier="H-4711",
    price=Decimal("1250.00"),
)
LOGIN = PageSigns(headings=("Sign in",), text="Sign in to go on. Your visit 3 of 12.")


@pytest.mark.parametrize(
    "page",
    [
        PageSigns(addresses=(RECORD.url,)),
        PageSigns(identifiers=("H-4711",)),
        PageSigns(headings=("Bright flat by the canal | Homes",)),
        PageSigns(headings=("The bright flat by the old canal",)),
        PageSigns(text="Offer H-4711 of today"),
        PageSigns(data='{"name": "Bright flat by the canal"}'),
        PageSigns(text="for 1.250,00 a month"),
        PageSigns(text="for 1 250 a month"),
    ],
    ids=["address", "identifier", "heading", "reworded", "number in text", "data", "price", "whole price"],
)
def test_l10_25_a_page_that_shows_the_record_is_its_own(page: PageSigns) -> None:
    assert shows(RECORD, page)


@pytest.mark.parametrize(
    "page",
    [
        LOGIN,
        PageSigns(text="back to /a/H-4711?next=1"),
        PageSigns(headings=("Flats by the canal",)),
        PageSigns(text="12 flats from 950"),
    ],
    ids=["login", "identifier within an address", "another heading", "another price"],
)
def test_l10_25_a_page_that_shows_nothing_of_the_record_is_not(page: PageSigns) -> None:
    assert not shows(RECORD, page)


def test_l10_4_after_a_redirect_only_what_the_page_says_of_itself_counts() -> None:
    index = PageSigns(headings=("All homes",), text="Bright flat by the canal 1.250,00")
    assert shows(RECORD, index)
    assert not shows(RECORD, index, redirected=True)
    assert shows(RECORD, PageSigns(headings=("Bright flat by the canal",)), redirected=True)


def test_an_identifier_is_part_of_keys_that_are_made_of_one() -> None:
    assert identifier_of("PID:H-4711") == "H-4711"
    assert identifier_of("URL:https://homes.example/a/4711") == ""
