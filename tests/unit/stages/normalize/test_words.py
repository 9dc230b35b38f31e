"""Availability, categories, identity and plain text: small readers, one table each."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from larder.core.model.identity import event_fingerprint, identity_key
from larder.core.model.record import Availability
from larder.stages.normalize.availability import parse_availability
from larder.stages.normalize.categories import EventCategory, categorize
from larder.stages.normalize.fields import gtin
from larder.stages.normalize.text import clean

FIXTURES = Path(__file__).resolve().parents[4].parent / "shared" / "fixtures"

IN, OUT, LATER, UNKNOWN = (
    Availability.IN_STOCK,
    Availability.OUT_OF_STOCK,
    Availability.BACKORDER,
    Availability.UNKNOWN,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://schema.org/InStock", IN),
        ("http://schema.org/OutOfStock/", OUT),
        ("schema:PreOrder", LATER),
        ("in_stock", IN),
        ("Discontinued", OUT),
        ("LimitedAvailability", IN),
        (True, IN),
        (False, OUT),
        (17, IN),
        (0, OUT),
        ("17+ in stock", IN),
        ("0 in stock", OUT),
        ("Only 3 left in stock", IN),
        ("Not in stock", OUT),
        ("Currently unavailable.", OUT),
        ("Available on backorder", LATER),
        ("Disponible bajo pedido", LATER),
        ("Op bestelling leverbaar", LATER),
        ("Auf Lager", IN),
        ("Sofort lieferbar", IN),
        ("Nicht auf Lager", OUT),
        ("Derzeit nicht verfügbar", OUT),
        ("Ausverkauft", OUT),
        ("Op voorraad", IN),
        ("Niet op voorraad", OUT),
        ("Uitverkocht", OUT),
        ("En stock", IN),
        ("Rupture de stock", OUT),
        ("Agotado", OUT),
        ("Disponibile", IN),
        ("Non disponibile", OUT),
        ("Dostępny", IN),
        ("Niedostępny", OUT),
        ("Skladem", IN),
        ("Нет в наличии", OUT),
        ("В наличии", IN),
        ("在庫あり", IN),
        ("Dieser Artikel steht derzeit nicht zur Verfügung!", OUT),
        ("Niet in voorraad", OUT),
        ("Ce produit n'est plus en stock", OUT),
        ("Il n'y a pas assez de produits en stock.", OUT),
        ("No hay suficientes productos en stock", OUT),
        ("Este producto no está disponible", OUT),
        ("Questo prodotto non è più disponibile", OUT),
        ("Questo articolo non è al momento disponibile", OUT),
        ("Este producto no está actualmente disponible", OUT),
        ("Brak na stanie", OUT),
        ("Produto não disponível", OUT),
        ("Tillfälligt slut", OUT),
        ("There are not enough products in stock", OUT),
        ("In voorraad", IN),
        ("Disponibilità: Disponibile", IN),
        ("Dostępność: dostępny", IN),
        ("Beschikbaarheid: niet leverbaar", OUT),
        ("Verkocht", OUT),
        ("Status: Vendido", OUT),
        ("Hinweis: Lieferung in drei Tagen", UNKNOWN),
        ("Add to cart", UNKNOWN),
        ("12 disponibles", IN),
        ("Disponible para reserva", LATER),
        ("Verfügbar bei Nachbestellung", LATER),
        ("3 in stock (can be backordered)", IN),
        ("Nicht auf Lager (kann nachbestellt werden)", LATER),
        ("", UNKNOWN),
        (None, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_availability_is_what_is_said_outright(value: Any, expected: Availability) -> None:
    assert parse_availability(value) is expected


@pytest.mark.parametrize(
    ("title", "given", "expected"),
    [
        ("Jazz in de kelder", None, EventCategory.MUSIC),
        ("Kamermuziek op zondag", None, EventCategory.MUSIC),
        ("Bert Visscher", "cabaret", EventCategory.THEATRE),
        ("Filmavond", "Film", EventCategory.FILM),
        ("Expositie: licht", None, EventCategory.ART),
        ("Wijnproeverij", None, EventCategory.FOOD),
        ("Halve marathon", None, EventCategory.SPORT),
        ("Kerstmarkt", None, EventCategory.MARKET),
        ("Kindermiddag", None, EventCategory.FAMILY),
        ("Lezing over sterren", None, EventCategory.LEARNING),
        ("Inloop", None, EventCategory.COMMUNITY),
        ("Whatever", "sport", EventCategory.SPORT),
        ("Whatever", "ChildrensEvent", EventCategory.FAMILY),
    ],
)
def test_categories(title: str, given: str | None, expected: EventCategory) -> None:
    assert categorize(title, value=given) is expected


def test_the_description_speaks_last() -> None:
    assert categorize("Anna", description="Een concert met strijkers") is EventCategory.MUSIC
    assert categorize("Film: Anna", description="concert concert concert") is EventCategory.FILM


def test_identity_prefers_the_sites_own_id() -> None:
    url = "https://example.com/a"
    assert identity_key(platform_id="7", sku="k", canonical_url=url) == "PID:7"
    assert identity_key(platform_id="", sku="k", canonical_url=url) == "SKU:k"
    assert (
        identity_key(platform_id="a:b", sku="x" * 256, canonical_url=url)
        == f"URL:{sha256(url.encode()).hexdigest()[:16]}"
    )
    assert identity_key(platform_id="x" * 255) == "PID:" + "x" * 255
    assert identity_key() is None


def test_fingerprint_is_of_title_day_and_source() -> None:
    print_ = event_fingerprint(title="Jazz", date="2026-10-17T20:00:00+02:00", source="club")
    assert print_ == event_fingerprint(title="JAZZ", date="2026-10-17", source="club")
    assert print_ != event_fingerprint(title="Jazz", date="2026-10-18", source="club")
    assert print_ != event_fingerprint(title="Jazz", date="2026-10-17", source="pub")
    assert len(print_) == 64


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("4006381333931", "4006381333931"),
        ("4 006381 333931", "4006381333931"),
        (4006381333931, "4006381333931"),
        ("4006381333932", None),
        ("036000291452", "036000291452"),
        ("00000000", None),
        ("123", None),
        (None, None),
    ],
)
def test_gtin_by_its_check_digit(value: Any, expected: str | None) -> None:
    assert gtin(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("  a\n\tb\u00a0c ", "a b c"),
        ("A &amp; B", "A & B"),
        ("<b>bold</b><br>x", "bold x"),
        ("1 < 2", "1 < 2"),
        ("zero\u200bwidth\u202e", "zerowidth"),
        ("bell\x07", "bell"),
        ("lone\ud800", "lone"),
        ("", None),
        (" \u200b ", None),
        (7, "7"),
        (True, None),
        ([], None),
    ],
)
def test_text_is_cleaned(value: Any, expected: str | None) -> None:
    assert clean(value) == expected


def test_text_is_bounded() -> None:
    assert len(clean("x" * 10_000_000) or "") == 255
