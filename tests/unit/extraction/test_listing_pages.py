"""Pages of listings, written after how portals of many countries are built: what `extract` reads of them."""

from typing import Any

import pytest

from larder.extraction import extract

ENGLISH_PORTAL = """<html lang=en-GB><title>2 bed flat for sale in Mill Lane, Cambridge CB1 - Homes</title>
<nav><a href=/>Homes</a><a>For sale</a></nav>
<main><div><p>£325,000</p><a>Mortgage: £1,540 pcm</a><h1>2 bed flat for sale</h1>
<address>Mill Lane, Cambridge CB1</address>
<div><p>2 beds</p><p>1 bath</p><p>1 reception</p><p>700 sq. ft</p></div></div></main>
<div class=similar-listings><p>£300,000</p><p>3 beds</p></div><footer>Homes Limited, London</footer>"""

ENGLISH_FACT_LIST = """<html lang=en><title>3 bedroom house for sale in Oak Road, Leeds, LS6</title>
<main><h1>Oak Road, Leeds, LS6</h1><div><span>£280,000</span><span>Guide Price</span></div>
<dl><dt>PROPERTY TYPE</dt><dd>Semi-Detached</dd><dt>BEDROOMS</dt><dd>×3</dd><dt>BATHROOMS</dt><dd>×1</dd>
<dt>SIZE</dt><dd>1,033 sq ft</dd><dd>96 sq m</dd></dl></main>"""

DUTCH_PORTAL = """<html lang=nl><title>Appartement te koop: Dorpsstraat 5 3511 AB Utrecht [homes]</title>
<main><h1><span>Dorpsstraat 5</span> <span>3511 AB Utrecht</span></h1><div>€ 450.000 k.k.</div>
<ul><li><span>86 m²</span><span>wonen</span></li><li><span>2</span><span>slaapkamers</span></li></ul>
<dl><dt>Vraagprijs</dt><dd>€ 450.000 kosten koper</dd><dt>Vraagprijs per m²</dt><dd>€ 5.233</dd><dt>Wonen</dt>
<dd>86 m²</dd><dt>Externe bergruimte</dt><dd>6 m²</dd><dt>Inhoud</dt><dd>260 m³</dd><dt>Aantal kamers</dt>
<dd>3 kamers (2 slaapkamers)</dd><dt>Aantal badkamers</dt><dd>1 badkamer</dd></dl></main>"""

GERMAN_RENT = """<html lang=de><title>Helle 3-Zimmer-Wohnung mit Balkon</title>
<h1>Helle 3-Zimmer-Wohnung mit Balkon</h1>
<div class=address-block><span>Musterstraße 3, </span><span>10437 Berlin, Prenzlauer Berg</span></div>
<div><div>1.250 €</div><div>Kaltmiete</div><div>3</div><div>Zi.</div><div>82,5 m²</div><div>Fläche</div></div>
<dl><dt>Wohnfläche ca.</dt><dd>82,5 m²</dd><dt>Zimmer</dt><dd>3</dd><dt>Schlafzimmer</dt><dd>2</dd>
<dt>Badezimmer</dt><dd>1</dd><dt>Nebenkosten</dt><dd>+ 250 €</dd><dt>Kaution</dt><dd>3.750 €</dd></dl>"""

GERMAN_CLASSIFIED = """<html lang=de><title>Billy Regal weiß in Köln | Kleinmarkt</title>
<h1><span class=is-hidden>Reserviert • </span><span class=is-hidden>Gelöscht • </span>Billy Regal weiß</h1>
<h2 id=price>35 € VB</h2><span id=ad-locality>50823 Köln - Ehrenfeld</span>"""

FRENCH_PORTAL = """<html lang=fr><title>Appartement 3 pièces 62 m² à vendre à Lyon 3e</title>
<main><h1>Appartement à vendre</h1><div><span>3 pièces</span><span>2 chambres</span><span>62 m²</span></div>
<span>Lyon 3ème (69003)</span>
<span>289 000 €</span><span>soit 1 350 €/mois*</span><span>4 661 €/m²</span></main>"""

ITALIAN_PORTAL = """<html lang=it><title>Bilocale in vendita in Via Verdi, 3, Centro, Bologna — Case</title>
<main><h1>Bilocale in vendita in Via Verdi, 3</h1><span>Centro, Bologna</span>
<div><span>210.000 €</span></div>
<ul><li>55 m² commerciali</li><li>2 locali</li><li>1 bagno</li></ul></main>"""

AMERICAN_PORTAL = """<html lang=en><title>14 Elm St, Austin, TX 78701 | MLS #123 | Homes</title>
<main><span data-testid=price>$640,000</span><div><span><b>3</b> <span>beds</span></span>
<span><b>2</b> <span>baths</span></span><span><b>1,820</b> <span>sqft</span></span></div>
<h1>14 Elm St, Austin, TX 78701</h1><span>Est. payment: $4,120/mo</span>
<ul><li>Built in 1998</li><li>7,405 sqft lot</li><li>$352 price/sqft</li></ul></main>"""

POLISH_PORTAL = """<html lang=pl><title>Mieszkanie na sprzedaż</title><main><h1>Przestronne mieszkanie</h1>
<strong aria-label=Cena>650 000 zł</strong><div>10 156 zł/m²</div><a aria-label=Adres>ul. Długa, Gdańsk</a>
<div><div>Powierzchnia</div><div>64 m²</div><div>Liczba pokoi</div><div>3</div></div></main>"""

SWEDISH_PORTAL = """<html lang=sv><title>Storgatan 1 - Lägenhet i Malmö</title><main><h1>Storgatan 1</h1>
<p>2 495 000 kr</p><dl><dt>Antal rum</dt><dd>3 rum</dd><dt>Boarea</dt><dd>74 m²</dd></dl></main>"""

POSTING = """<html lang=en><title>Sunny flat near park</title><h1><span class=price>$1,200</span>
<span>/ 2br - 900ft<sup>2</sup> - </span><span>Sunny flat near park</span> <span>(Oakland)</span></h1>
<p><span><b>2BR</b> / <b>1Ba</b></span><span><b>900</b>ft<sup>2</sup></span></p>"""

DUTCH_CLASSIFIED = """<html lang=nl><title>Racefiets | Fietsen | Markt</title><main>
<h1 class=Listing-title>Racefiets</h1><div class=Listing-price>€ 250,00</div><div>12x bekeken</div>
<div class=SellerLocation><a class=SellerLocation-name>Zwolle</a></div></main>"""


def read(html: str, host: str = "homes.test") -> dict[str, Any]:
    return dict(extract(html, url=f"https://www.{host}/listing/1", kind="listing").items[0])


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            ENGLISH_PORTAL,
            {"title": "2 bed flat for sale", "price": "325000.00", "currency": "GBP", "beds": 2, "baths": 1}
            | {"area_m2": 65.03, "address": "Mill Lane, Cambridge CB1"},
            id="an English portal",
        ),
        pytest.param(
            ENGLISH_FACT_LIST,
            {
                "price": "280000.00",
                "beds": 3,
                "baths": 1,
                "area_m2": 95.97,
                "address": "Oak Road, Leeds, LS6",
            },
            id="an English list of facts",
        ),
        pytest.param(
            DUTCH_PORTAL,
            {"price": "450000.00", "currency": "EUR", "rooms": 3, "beds": 2, "baths": 1, "area_m2": 86.0},
            id="a Dutch portal",
        ),
        pytest.param(
            GERMAN_RENT,
            {"price": "1250.00", "rooms": 3, "beds": 2, "baths": 1, "area_m2": 82.5}
            | {"address": "Musterstraße 3, 10437 Berlin, Prenzlauer Berg"},
            id="a German rent with its deposit",
        ),
        pytest.param(
            GERMAN_CLASSIFIED,
            {"title": "Billy Regal weiß", "price": "35.00", "address": "50823 Köln - Ehrenfeld"},
            id="a German classified with hidden badges",
        ),
        pytest.param(
            FRENCH_PORTAL,
            {"price": "289000.00", "rooms": 3, "beds": 2, "area_m2": 62.0, "address": "Lyon 3e"},
            id="a French portal with an instalment",
        ),
        pytest.param(
            ITALIAN_PORTAL,
            {"price": "210000.00", "rooms": 2, "baths": 1, "area_m2": 55.0}
            | {"address": "Via Verdi, 3, Centro, Bologna"},
            id="an Italian portal",
        ),
        pytest.param(
            AMERICAN_PORTAL,
            {"price": "640000.00", "currency": "USD", "beds": 3, "baths": 2, "area_m2": 169.08},
            id="an American portal with a lot and a payment",
        ),
        pytest.param(
            POLISH_PORTAL,
            {
                "price": "650000.00",
                "currency": "PLN",
                "rooms": 3,
                "area_m2": 64.0,
                "address": "ul. Długa, Gdańsk",
            },
            id="a Polish portal",
        ),
        pytest.param(
            SWEDISH_PORTAL, {"rooms": 3, "area_m2": 74.0, "address": "Malmö"}, id="a Swedish portal"
        ),
        pytest.param(
            POSTING,
            {"title": "Sunny flat near park", "price": "1200.00", "beds": 2, "baths": 1, "area_m2": 83.61},
            id="a posting whose title begins with its price",
        ),
        pytest.param(
            DUTCH_CLASSIFIED,
            {"title": "Racefiets", "price": "250.00", "address": "Zwolle"},
            id="a Dutch classified",
        ),
    ],
)
def test_a_portal_s_page_is_read(html: str, expected: dict[str, Any]) -> None:
    item = read(html)
    assert {name: item.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param("<span>Sold</span><h1>Oak table</h1>", "sold", id="an English badge"),
        pytest.param("<h1>Oak table</h1><b>Verkocht onder voorbehoud</b>", "reserved", id="a Dutch badge"),
        pytest.param("<h1>Oak table</h1><b>Vermietet</b>", "rented", id="a German badge"),
        pytest.param("<h1>Oak table</h1><b>Vendu</b>", "sold", id="a French badge"),
        pytest.param("<h1>Oak table</h1><b>Reservado</b>", "reserved", id="a Spanish badge"),
        pytest.param("<h1>Oak table</h1><b>Affittato</b>", "rented", id="an Italian badge"),
        pytest.param("<h1>Reserviert • Oak table</h1>", "reserved", id="before the title"),
        pytest.param("<h1>Oak table</h1><p>We have sold many of these.</p>", None, id="a sentence"),
    ],
)
def test_a_badge_tells_the_status_and_is_no_title(body: str, status: str | None) -> None:
    item = read(f"<html><title>Oak table</title>{body}<p>€ 250</p>")
    assert (item.get("status"), item["title"]) == (status, "Oak table")


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<h1>Oak table</h1><p>Preis auf Anfrage</p>", 1, id="a price on request"),
        pytest.param("<h1>Flat</h1><p>3 rooms</p><p>80 m²</p>", 1, id="no price, but the facts of a home"),
        pytest.param("<h1>Impressum</h1><p>Stammkapital: 25.000 €</p>", 0, id="an imprint"),
        pytest.param("<h1>Privacy policy</h1><p>Fines of up to € 500</p>", 0, id="a privacy policy"),
        pytest.param("<h1>Our story</h1><p>Founded in 1984</p>", 0, id="prose"),
    ],
)
def test_what_is_a_listing_and_what_is_not(html: str, found: int) -> None:
    result = extract(f"<html lang=de><body>{html}", url="https://homes.test/x", kind="listing")
    assert len(result.items) == found
