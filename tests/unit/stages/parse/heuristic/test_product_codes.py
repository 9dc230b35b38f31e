"""The shop's own number for a thing."""

import pytest

from larder.sdk import Page
from larder.stages.parse.heuristic.address import addressed_code
from larder.stages.parse.heuristic.product_codes import (
    address_code,
    attribute_code,
    labelled_code,
    marked_code,
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SKU: KE-100", "KE-100"),
        ("Artikelnummer 79961", "79961"),
        ("Art.-Nr.: 12.345-6", "12.345-6"),
        ("Réf. VE900", "VE900"),
        ("Cod produs: DR2401", "DR2401"),
        ("Код: 73556", "73556"),
        ("Product Code - 39139301", "39139301"),
        ("Reference desk open", ""),
        ("Preferences: a1", ""),
    ],
)
def test_a_code_beside_its_label(text: str, code: str) -> None:
    assert labelled_code(Page("", f"<p>{text}</p>")) == code


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://x.test/itm/143863282131", "143863282131"),
        ("https://x.test/deal/3454863898?utm_source=a", "3454863898"),
        ("https://x.test/store/122725?pid=260591", "260591"),
        ("https://x.test/kettle-p400105394.html", "400105394"),
        ("https://x.test/black-c1852d02y-Q11.html", ""),
        ("https://x.test/boots-c5780a200532255/x.html", "200532255"),
        ("https://x.test/kettle", ""),
    ],
)
def test_a_code_in_the_address(url: str, code: str) -> None:
    assert address_code(Page(url, "")) == code


def test_a_year_in_the_address_is_no_code() -> None:
    assert address_code(Page("https://shop.test/affiche-uit-1960-1.html", "")) == ""
    assert address_code(Page("https://shop.test/2024/affiche-uit-1960-88412.html", "")) == "88412"


def test_a_code_that_its_author_marks() -> None:
    assert marked_code(Page("", "<p class=product-sku>SKU: KE-100</p>")) == "KE-100"
    assert attribute_code(Page("", "<form data-product-sku=KE-100></form>")) == "KE-100"
    assert attribute_code(Page("", "<i data-sku=A1></i><i data-sku=B2></i>")) == ""


@pytest.mark.parametrize(
    ("url", "code", "own"),
    [
        pytest.param("https://x.test/radio-MK6W1N4.html", "MK6W1N4-1", "MK6W1N4", id="a variant of it"),
        pytest.param("https://x.test/radio-mk6w1n4", "MK6W1N4-XL", "MK6W1N4", id="in small letters"),
        pytest.param("https://x.test/radio-MK6W1N4-1.html", "MK6W1N4-1", "", id="the variant's own address"),
        pytest.param("https://x.test/radio-MK6W1N42.html", "MK6W1N4-1", "", id="part of another code"),
        pytest.param("https://x.test/radio-mini-1", "mini-1", "", id="a word is no code"),
        pytest.param("https://x.test/radio", "MK6W1N4-1", "", id="an address without a code"),
    ],
)  # fmt: skip
def test_the_thing_that_an_address_names(url: str, code: str, own: str) -> None:
    assert addressed_code(url, code) == own
