"""Words for one meaning each, a sample of every language that shops and portals are read in."""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.record import Availability
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.normalize.availability import parse_availability
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.price_words import is_fee, is_other_amount
from larder.stages.parse.heuristic.related_items import related_items
from larder.stages.parse.heuristic.stock_labels import labelled_stock
from larder.stages.parse.heuristic.vocabulary.prices import FORMER_WORDS, ON_REQUEST
from larder.stages.parse.pagination.total import advertised_total


@pytest.mark.parametrize(
    "text",
    [
        "Zavolejte pro cenu", "Ár kérésre", "Pret la cerere", "Kysy hintaa", "Ring for pris", "Högstbjudande",
        "Fiyat alınız", "Κατόπιν συνεννόησης", "Уточняйте цену", "Cena po dogovoru", "Hind kokkuleppel",
        "Price by negotiation", "Expressions of Interest", "Pris etter avtale",
    ],
)  # fmt: skip
def test_no_price_but_words(text: str) -> None:
    assert ON_REQUEST.search(text)


@pytest.mark.parametrize(
    "lead",
    [
        "Běžná cena: ", "Eredeti ár ", "Preț vechi: ", "Ovh ", "Veil. pris ", "Eski fiyat ", "Αρχική τιμή ",
        "Старая цена: ", "Redovna cijena: ", "Vana hind ", "Sena kaina ",
    ],
)  # fmt: skip
def test_the_price_before(lead: str) -> None:
    assert FORMER_WORDS.search(lead)


@pytest.mark.parametrize(
    "lead",
    [
        "Depositum: ", "Rezsi ", "Garanție: ", "Vastike ", "Vratná kauce: ", "Aidat ",
        "Залог ", "Tagatisraha: ",        "Fellesgjeld ", "Månadsavgift: ", "Strata fees ",
    ],
)  # fmt: skip
def test_a_cost_beside_the_price(lead: str) -> None:
    assert is_fee(lead)


@pytest.mark.parametrize(
    "lead",
    [
        "Down payment ", "Anzahlung: ", "Kontantinsats ", "Önerő: ", "Sleva ", "Kedvezmény ", "Indirim ",
        "Splátka od ",
    ],
)  # fmt: skip
def test_an_amount_that_is_no_price(lead: str) -> None:
    assert is_other_amount(lead)


@pytest.mark.parametrize(
    ("body", "stock"),
    [
        ("<li>Disponibilitate: În stoc</li>", "InStock"),
        ("<li>Disponibilitate: Stoc epuizat</li>", "OutOfStock"),
        ("<li>Dostupnost: Skladem</li>", "InStock"),
        ("<li>Elérhetőség: Nincs készleten</li>", "OutOfStock"),
        ("<li>Наличие: нет в наличии</li>", "OutOfStock"),
        ("<li>Saatavuus: Ei varastossa</li>", "OutOfStock"),
        ("<li>Na zalihi: da</li>", "InStock"),
    ],
)
def test_a_label_of_stock(body: str, stock: str) -> None:
    page = Page("https://x.test/a", f"<main><h1>Lamp</h1><ul>{body}</ul></main>")
    assert labelled_stock(page, headline(page)[1]) == stock


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Nu este în stoc", Availability.OUT_OF_STOCK),
        ("Kifogyott", Availability.OUT_OF_STOCK),
        ("Ei varastossa", Availability.OUT_OF_STOCK),
        ("Nie je skladom", Availability.OUT_OF_STOCK),
        ("Ni na zalogi", Availability.OUT_OF_STOCK),
        ("Läbi müüdud", Availability.OUT_OF_STOCK),
        ("Na zalihi", Availability.IN_STOCK),
        ("В наличност", Availability.IN_STOCK),
    ],
)
def test_stock_in_words(words: str, expected: Availability) -> None:
    assert parse_availability(words) is expected


@pytest.mark.parametrize(
    "heading",
    [
        "Hasonló termékek", "Produse similare", "Samankaltaiset tuotteet", "Похожие товары", "Benzer ürünler",
        "Παρόμοια προϊόντα", "Slični proizvodi", "Doporučujeme", "Dette vil du kanskje like", "Vous aimerez",
    ],
)  # fmt: skip
def test_a_heading_of_other_things(heading: str) -> None:
    page = Page(
        "https://x.test/a", f"<main><h1>Lamp</h1><section><h2>{heading}</h2><p>€ 5</p></section></main>"
    )
    assert page.cached(related_items)


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Se afișează de la 1 la 12 din 34", 34), ("142 találat", 142), ("61 tulosta", 61),
        ("1 203 treff", 1203),
        ("Показано 1-20 из 87", 87), ("54 ilan", 54),
        ("Prikazano 1 do 12 od 48", 48), ("1 - 24 av 96", 96),
    ],
)  # fmt: skip
def test_how_many_there_are(text: str, total: int) -> None:
    page = Page("https://x.test/list", f"<h1>All</h1><p>{text}</p>")
    assert advertised_total(ExtractionTask(page=page, kind=Kind.PRODUCT, purpose=Purpose.INDEX)) == total


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Общая площадь</p><p>124,9 м²</p><p>Жилая площадь</p><p>97 м²</p>", {"area": "124,9 m²"}),
        ("<p>2-комн. квартира</p>", {"rooms": "2"}),
        ("<p>Εμβαδόν: 85 τ.μ.</p>", {"area": "85 m²"}),
        ("<p>Užitná plocha: 64 m²</p>", {"area": "64 m²"}),
        ("<p>3 huonetta</p><p>2 kylpyhuonetta</p>", {"rooms": "3", "baths": "2"}),
    ],
)
def test_facts_of_a_home(body: str, expected: dict[str, str]) -> None:
    page = Page("https://x.test/1", f"<main><h1>Home</h1>{body}</main>")
    assert page.cached(facts) == expected
