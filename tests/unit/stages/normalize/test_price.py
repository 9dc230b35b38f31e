"""What it costs: read right, chosen by the shop's own marks, never guessed."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.core.model.money import exponent, to_minor
from larder.core.model.source import Kind
from larder.stages.normalize.currency import CODES, currency_code
from larder.stages.normalize.money import HIGHEST, Money, read_money
from larder.stages.normalize.price import (
    Ambiguous,
    PriceCandidate,
    choose_price,
    parse_price,
    read_candidates,
)
from larder.stages.parse.amounts import rough_amount

FIXTURES = Path(__file__).resolve().parents[4].parent / "shared" / "fixtures"


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("€ 12⁹⁵", "12.95", "€"),
        ("12⁹⁵", "12.95", None),
        ("1.200,-", "1200", None),
        ("€ 450 p.m.", "450", "€"),
        ("450 € VB", "450", "€"),
        ("1.234.567", "1234567", None),
        ("1 234,50 €", "1234.50", "€"),
        ("CHF 1'049,95", "1049.95", "CHF"),
        ("35€99", "35.99", "€"),
        ("€ 250k", "250000", "€"),
        ("£1.2m", "1200000", "£"),
        ("CHF 3’540.–", "3540", "CHF"),
        ("24,9 M Ft", "24900000", "Ft"),
        ("35 millió Ft", "35000000", "Ft"),
        ("2,5 mil. Kč", "2500000", "Kč"),
        ("450 tis. Kč", "450000", "Kč"),
        ("Rs 85 Lakh", "8500000", "Rs"),
        ("₹1.2 Cr", "12000000", "₹"),
        ("€ 25 / m", "25", "€"),
        ("2 x €5", "5", "€"),
        ("3 for $10", "10", "$"),
        ("KD 12.500", "12.500", "KD"),
        ("Was $20 Now $15", "15", "$"),
        ("statt 99,00 € jetzt 79,00 €", "79.00", "€"),
        ("van € 20 voor € 15", "15", "€"),
        ("Gratis", "0", None),
        ("zu verschenken", "0", None),
    ],
)
def test_reading(text: str, amount: str, currency: str | None) -> None:
    price = parse_price(text)
    assert price is not None
    assert (price.amount, price.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize("text", [None, "", "VB", "auf Anfrage", "15.08.2017", "40% OFF", "call us"])
def test_what_shows_no_price(text: str | None) -> None:
    assert parse_price(text) is None


def cases() -> list[dict[str, Any]]:
    path = FIXTURES / "price" / "cases.jsonl"
    if not path.exists():
        pytest.skip("shared fixtures are absent")
    with path.open(encoding="utf-8") as lines:
        return [case for case in map(json.loads, lines) if not case["known_hard"]]


def test_price_strings_of_a_peer() -> None:
    wrong = []
    for case in cases():
        expected = case["expected"]
        price = parse_price(case["input"]["price"], currency_hint=case["input"]["currency_hint"])
        amount = Decimal(expected["amount"]) if expected["amount"] else None
        known = expected.get("currency", price and price.currency)
        if (price and price.amount) != amount or (price and price.currency != known):
            wrong.append((case["input"], price))
    assert wrong == []


@given(st.decimals(min_value=Decimal("0.01"), max_value=Decimal("9999999.99"), places=2))
def test_what_is_written_is_read_again(amount: Decimal) -> None:
    english, german = f"${amount:,.2f}", f"{amount:,.2f} €".translate(str.maketrans(".,", ",."))
    for text in (english, german):
        price = parse_price(text)
        assert price is not None
        assert price.amount == amount


@given(st.text(max_size=80), st.text(max_size=20) | st.none())
def test_no_text_raises(text: str, hint: str | None) -> None:
    price = parse_price(text, currency_hint=hint)
    assert price is None or price.amount.is_finite()


@pytest.mark.parametrize(
    ("written", "default", "code"),
    [
        ("€", None, "EUR"),
        ("eur", None, "EUR"),
        ("руб.", None, "RUB"),
        ("$", None, "USD"),
        ("$", "CAD", "CAD"),
        ("$", "EUR", "USD"),
        ("kr", "SEK", "SEK"),
        ("kr", "EUR", None),
        (None, "EUR", "EUR"),
        ("bananas", "EUR", None),
    ],
)
def test_currency_codes(written: str | None, default: str | None, code: str | None) -> None:
    assert currency_code(written, default=default) == code


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [
        ("12.95", "EUR", 1295),
        ("1200", "JPY", 1200),
        ("1.250", "KWD", 1250),
        ("0.005", "USD", 1),
        ("3", None, 300),
    ],
)
def test_minor_units(amount: str, currency: str | None, minor: int) -> None:
    assert to_minor(Decimal(amount), currency) == minor


def test_every_code_has_an_exponent() -> None:
    assert {exponent(code) for code in CODES} == {0, 2, 3}


def shown(text: str, **marks: Any) -> PriceCandidate:
    return PriceCandidate(text=text, **marks)


@pytest.mark.parametrize(
    ("candidates", "amount"),
    [
        pytest.param([shown("$20", struck=True), shown("$15")], "15", id="never the crossed-out one"),
        pytest.param([shown("$20", label="RRP"), shown("$15")], "15", id="nor the recommended one"),
        pytest.param([shown("$15"), shown("$ 15.00")], "15", id="the same twice"),
        pytest.param([shown("$289.50"), shown("$274.90", quantity=2)], "289.50", id="the tier of one"),
        pytest.param(
            [shown("$9", quantity=1), shown("$8", quantity=5), shown("$7")], "9", id="the tier called one"
        ),
        pytest.param(
            [shown("$30", quantity=10), shown("$60", quantity=20)], "30", id="tiers that agree per piece"
        ),
        pytest.param([shown("$26.95"), shown("$1.35 per round")], "26.95", id="per round is no price"),
        pytest.param([shown("€ 3,99"), shown("€ 7,98", per_unit=True)], "3.99", id="marked as per unit"),
        pytest.param([shown("€ 5,95 / kg")], "5.95", id="sold by weight: it has no other price"),
        pytest.param(
            [shown("€ 9", label="Jetzt"), shown("€ 12", label="Set")], "9", id="the one called current"
        ),
        pytest.param([shown("$ 9"), shown("€ 8")], "8", id="in the source's currency"),
    ],
)
def test_the_selling_price(candidates: list[PriceCandidate], amount: str) -> None:
    price = choose_price(candidates, currency="EUR")
    assert price is not None
    assert not isinstance(price, Ambiguous)
    assert price.amount == Decimal(amount)


def test_what_no_rule_decides_is_ambiguous() -> None:
    assert choose_price([shown("$1"), shown("$2")]) == Ambiguous(amounts=(Decimal(1), Decimal(2)))
    tiers = choose_price([shown("$9", quantity=2), shown("$8", quantity=5)])
    assert isinstance(tiers, Ambiguous)
    assert choose_price([shown("$1", struck=True), shown("sold")]) is None


def test_whatever_parse_delivers() -> None:
    assert [c.text for c in read_candidates([12, 1.5, "€ 3", {"text": "4"}, None, True])] == [
        "12",
        "1.5",
        "€ 3",
        "4",
    ]
    assert read_candidates({"text": "4", "quantity": 2, "struck": True})[0].quantity == 2
    assert read_candidates(object()) == []


@pytest.mark.parametrize(
    ("value", "kind", "state", "minor"),
    [
        ("$1,299.00", Kind.PRODUCT, Money.FOUND, 129900),
        (None, Kind.PRODUCT, Money.ABSENT, None),
        ("Preis auf Anfrage", Kind.LISTING, Money.ABSENT, None),
        ("15.08.2017", Kind.PRODUCT, Money.UNREADABLE, None),
        ("$0.00", Kind.PRODUCT, Money.ZERO, 0),
        ("Gratis", Kind.LISTING, Money.FREE, 0),
        ("$0.001", Kind.PRODUCT, Money.OUT_OF_RANGE, None),
        ("$999,999.99", Kind.PRODUCT, Money.FOUND, HIGHEST),
        ("$1,000,000.00", Kind.PRODUCT, Money.OUT_OF_RANGE, None),
        ("€ 1.250.000", Kind.LISTING, Money.FOUND, 125_000_000),
        ("1 299 990 Ft", Kind.PRODUCT, Money.FOUND, 129_999_000),
        ("Rp 4.500.000", Kind.PRODUCT, Money.FOUND, 450_000_000),
        ("180 427 800 ₽", Kind.LISTING, Money.FOUND, 18_042_780_000),
        ("128.000.000 Ft", Kind.LISTING, Money.FOUND, 12_800_000_000),
        ("€ 180.427.800", Kind.LISTING, Money.OUT_OF_RANGE, None),
        (["$1", "$2"], Kind.PRODUCT, Money.AMBIGUOUS, None),
    ],
)
def test_money(value: Any, kind: Kind, state: Money, minor: int | None) -> None:
    reading = read_money(value, currency=None, default="USD", kind=kind)
    assert reading.state is state
    assert reading.fields.get("price_minor") == minor


def test_money_is_written_with_the_currencys_places() -> None:
    def price(value: str, currency: str) -> str:
        return str(read_money(value, currency=currency, default=None, kind=Kind.PRODUCT).fields["price"])

    assert price("12.5", "EUR") == "12.50"
    assert price("1200", "JPY") == "1200"
    assert price("1.250", "KWD") == "1.250"


@pytest.mark.parametrize(
    "text",
    ["Auction Saturday 5 December 10:00am", "Auction 5 Dec", "Dec. 5", "Sold 12/11/2026", "ab 3. Mai"],
)
def test_a_day_is_no_price(text: str) -> None:
    assert parse_price(text) is None


def test_a_price_with_a_day_is_one() -> None:
    found = parse_price("€ 450 from 5 December")
    assert found is not None
    assert found.amount == 450


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [("85p", "0.85", "£"), ("9p each", "0.09", "£"), ("99 ct", "0.99", None), ("50¢", "0.50", None)],
)
def test_small_change_is_below_one(text: str, amount: str, currency: str | None) -> None:
    price = parse_price(text)
    assert price is not None
    assert (price.amount, price.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("3,880万円", "38800000"),
        ("18.5万円", "185000"),
        ("1億2,800万円", "128000000"),
        ("1.234.567万円", "12345670000"),
        ("2억 5,000만원", "250000000"),
    ],
)
def test_myriads_are_ten_thousands(text: str, amount: str) -> None:
    price = parse_price(text)
    assert price is not None
    assert price.amount == Decimal(amount)
    assert rough_amount(text) == float(amount)


@pytest.mark.parametrize(("text", "amount"), [("1.234.567万円", 12_345_670_000), ("5 ,-億円", 5)])
def test_no_way_of_writing_myriads_fails(text: str, amount: int) -> None:
    assert rough_amount(text) == amount
