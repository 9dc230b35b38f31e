"""What pages say of prices, homes, times and stock, in the languages that Larder reads."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from larder.core.model.source import Kind
from larder.extraction import extract

NOW = datetime(2026, 11, 16, 12, tzinfo=ZoneInfo("Europe/Amsterdam"))


def read(kind: Kind, language: str, body: str, title: str = "Elm Road") -> dict[str, Any]:
    """The one thing of a page whose body is that."""
    html = f"<html lang={language}><title>{title}</title><body><main><h1>{title}</h1>{body}</main>"
    found = extract(html, url="https://a.test/x/1", kind=kind, now=NOW).items
    return dict(found[0]) if found else {}


PRICES = [
    ("nl", "€ 1.250,-", "1250.00", "EUR"),
    ("fr", "1 250 €/mois", "1250.00", "EUR"),
    ("de-CH", "CHF 1'250.–", "1250.00", "CHF"),
    ("de", "1.250 € VB", "1250.00", "EUR"),
    ("nl", "€ 350.000 k.k.", "350000.00", "EUR"),
    ("nl", "€ 1.250 p.m.", "1250.00", "EUR"),
    ("fr", "1 250,50 € CC", "1250.50", "EUR"),
    ("it", "€ 1.250,00", "1250.00", "EUR"),
    ("it", "1.250 €/mese", "1250.00", "EUR"),
    ("es", "1.250 €/mes", "1250.00", "EUR"),
    ("de", "1.250,00 € zzgl. NK", "1250.00", "EUR"),
    ("de", "EUR 1.250,--", "1250.00", "EUR"),
    ("en", "£1,250 pcm", "1250.00", "GBP"),
    ("en", "$1,250/mo", "1250.00", "USD"),
    ("sv", "1 250 kr/mån", "1250.00", "SEK"),
    ("da", "1.250,00 kr.", "1250.00", "DKK"),
    ("pl", "1 250,00 zł", "1250.00", "PLN"),
    ("cs", "1 250 Kč", "1250.00", "CZK"),
    ("fr", "450 000 € FAI", "450000.00", "EUR"),
    ("fr", "1.250.000 €", "1250000.00", "EUR"),
    ("it", "Euro 95.000", "95000.00", "EUR"),
    ("es", "95.000€", "95000.00", "EUR"),
    ("nl", "€ 12,-", "12.00", "EUR"),
    ("en", "EUR 1,250", "1250.00", "EUR"),
    ("de", "Kaltmiete 650 €", "650.00", "EUR"),
    ("nl", "Vraagprijs: € 350.000,- k.k.", "350000.00", "EUR"),
    ("fr", "Loyer : 850 € charges comprises", "850.00", "EUR"),
    ("it", "Prezzo: € 120.000 trattabili", "120000.00", "EUR"),
    ("es", "Precio: 1.500 €", "1500.00", "EUR"),
    ("de", "5.000,- €", "5000.00", "EUR"),
    ("de", "VB 450 €", "450.00", "EUR"),
    ("de", "450 € VHB", "450.00", "EUR"),
    ("de", "Preis: 19,99€", "19.99", "EUR"),
    ("en", "Now only £19.99", "19.99", "GBP"),
    ("de-CH", "45.50 CHF", "45.50", "CHF"),
]
FACTS = [
    ("de", "3 Zimmer", "rooms=3"),
    ("de", "3,5 Zi.", "rooms=3.5"),
    ("de", "ca. 85 m² Wohnfläche", "area_m2=85.0"),
    ("de", "Wohnfläche: 85,5 qm", "area_m2=85.5"),
    ("nl", "4 kamers", "rooms=4"),
    ("nl", "2 slaapkamers", "beds=2"),
    ("nl", "Woonoppervlakte 102 m²", "area_m2=102.0"),
    ("nl", "1 badkamer", "baths=1"),
    ("fr", "4 pièces", "rooms=4"),
    ("fr", "3 chambres", "beds=3"),
    ("fr", "2 salles de bains", "baths=2"),
    ("fr", "1 salle d'eau", "baths=1"),
    ("fr", "Surface habitable : 72 m²", "area_m2=72.0"),
    ("fr", "T3 de 65 m²", "area_m2=65.0"),
    ("es", "3 habitaciones", "beds=3"),
    ("es", "2 baños", "baths=2"),
    ("es", "3 dormitorios", "beds=3"),
    ("es", "90 m² construidos", "area_m2=90.0"),
    ("es", "3 hab.", "beds=3"),
    ("it", "4 locali", "rooms=4"),
    ("it", "2 bagni", "baths=2"),
    ("it", "3 vani", "rooms=3"),
    ("it", "95 mq", "area_m2=95.0"),
    ("it", "Superficie: 110 m²", "area_m2=110.0"),
    ("it", "2 camere da letto", "beds=2"),
    ("en", "3 bed", "beds=3"),
    ("en", "2 baths", "baths=2"),
    ("en", "1,200 sq ft", "area_m2=111.48"),
    ("en", "1,200 sqft", "area_m2=111.48"),
    ("en", "3 bd", "beds=3"),
    ("en", "2.5 ba", "baths=2.5"),
    ("de", "2 Badezimmer", "baths=2"),
    ("de", "2 Schlafzimmer", "beds=2"),
    ("de", "Zimmer: 4", "rooms=4"),
    ("nl", "Aantal kamers 5", "rooms=5"),
    ("fr", "Nombre de pièces : 5", "rooms=5"),
    ("es", "Superficie 80 m2", "area_m2=80.0"),
    ("it", "Locali: 3", "rooms=3"),
    ("it", "Bagni 2", "baths=2"),
    ("fr", "Pièces 4", "rooms=4"),
    ("de", "85 Quadratmeter", "area_m2=85.0"),
    ("nl", "102 vierkante meter", "area_m2=102.0"),
    ("de", "2½ Zimmer", "rooms=2.5"),
    ("de-CH", "4.5-Zimmer-Wohnung", "rooms=4.5"),
    ("pt", "2 quartos", "beds=2"),
    ("pl", "3 pokoje", "rooms=3"),
    ("sv", "3 rum", "rooms=3"),
    ("sv", "68 kvm", "area_m2=68.0"),
    ("da", "4 værelser", "rooms=4"),
]
TIMES = [
    ("nl", "za 5 december 2026, 20u30", "20:30"),
    ("nl", "za 5 december 2026 20.30 uur", "20:30"),
    ("nl", "5 december 2026 - aanvang 20 uur", "20:00"),
    ("fr", "samedi 5 décembre 2026 à 20h30", "20:30"),
    ("fr", "5 décembre 2026 à 19 h", "19:00"),
    ("fr", "5 déc. 2026, 20h", "20:00"),
    ("de", "Sa, 5. Dezember 2026, 20.30 Uhr", "20:30"),
    ("de", "5.12.2026 um 20 Uhr", "20:00"),
    ("de", "05.12.26, 19:30", "19:30"),
    ("it", "sabato 5 dicembre 2026 ore 21", "21:00"),
    ("it", "5 dicembre 2026, ore 21.15", "21:15"),
    ("it", "5 dicembre 2026 alle ore 20,30", "20:30"),
    ("it", "sab 5 dic 2026 alle 21:00", "21:00"),
    ("es", "5 de diciembre de 2026 a las 20:00", "20:00"),
    ("es", "sábado 5 de diciembre de 2026, 20:00 h", "20:00"),
    ("es", "5 dic 2026 20.30h", "20:30"),
    ("en", "December 5, 2026, 8pm–10pm", "20:00"),
    ("en", "Sat 5 Dec 2026 7.30pm", "19:30"),
    ("en", "Saturday, December 5, 2026 at 8 p.m.", "20:00"),
    ("en", "5th December 2026 from 10am to 4pm", "10:00"),
    ("en", "Dec 5 2026 @ 7:00 pm", "19:00"),
    ("fr", "le 05/12/2026 à 20:30", "20:30"),
    ("nl", "05-12-2026 20:15", "20:15"),
    ("pt", "5 de dezembro de 2026 às 21h30", "21:30"),
    ("sv", "5 december 2026 kl. 19.00", "19:00"),
    ("da", "5. december 2026 kl. 20", "20:00"),
    ("pl", "5 grudnia 2026, godz. 19:00", "19:00"),
    ("pl", "5 grudnia 2026 o 19:00", "19:00"),
    ("cs", "5. prosince 2026 v 19:30", "19:30"),
    ("de", "Samstag, 5. Dez. 2026 | Beginn: 20:00 Uhr | Einlass: 19:00 Uhr", "20:00"),
    ("de", "Einlass 19 Uhr, Beginn 20 Uhr, 5.12.2026", "20:00"),
    ("fr", "Ouverture des portes 19h, concert 20h, 5 décembre 2026", "20:00"),
    ("es", "Apertura de puertas: 19:00. Inicio: 20:00. 5 de diciembre de 2026", "20:00"),
    ("it", "Apertura porte ore 20 inizio ore 21, 5 dicembre 2026", "21:00"),
    ("nl", "Deuren open 19:00, aanvang 20:00, 5 december 2026", "20:00"),
    ("en", "Doors 7pm, show 8pm, December 5 2026", "20:00"),
    ("es", "5 dic. 2026, 20:00", "20:00"),
]
STOCK = [
    ("en", "Out of stock", "out_of_stock"),
    ("en", "In stock", "in_stock"),
    ("en", "Only 2 left", "in_stock"),
    ("en", "Back in stock soon", "out_of_stock"),
    ("en", "Temporarily out of stock", "out_of_stock"),
    ("en", "Pre-order", "backorder"),
    ("de", "Nicht vorrätig", "out_of_stock"),
    ("de", "Vorrätig", "in_stock"),
    ("de", "Derzeit nicht verfügbar", "out_of_stock"),
    ("de", "Auf Lager", "in_stock"),
    ("de", "Ausverkauft", "out_of_stock"),
    ("de", "Sofort lieferbar", "in_stock"),
    ("de", "Lieferbar in 3-5 Tagen", "in_stock"),
    ("nl", "Op voorraad", "in_stock"),
    ("nl", "Uitverkocht", "out_of_stock"),
    ("nl", "Niet op voorraad", "out_of_stock"),
    ("nl", "Tijdelijk uitverkocht", "out_of_stock"),
    ("nl", "Niet leverbaar", "out_of_stock"),
    ("nl", "Voor 23:00 besteld, morgen in huis", "in_stock"),
    ("fr", "En stock", "in_stock"),
    ("fr", "Rupture de stock", "out_of_stock"),
    ("fr", "Épuisé", "out_of_stock"),
    ("fr", "Indisponible", "out_of_stock"),
    ("fr", "Disponible", "in_stock"),
    ("fr", "Hors stock", "out_of_stock"),
    ("fr", "Produit en rupture", "out_of_stock"),
    ("es", "En stock", "in_stock"),
    ("es", "Agotado", "out_of_stock"),
    ("es", "Sin existencias", "out_of_stock"),
    ("es", "Disponible", "in_stock"),
    ("es", "Fuera de stock", "out_of_stock"),
    ("it", "Disponibile", "in_stock"),
    ("it", "Esaurito", "out_of_stock"),
    ("it", "Non disponibile", "out_of_stock"),
    ("it", "Disponibilità immediata", "in_stock"),
    ("it", "Terminato", "out_of_stock"),
    ("it", "In magazzino", "in_stock"),
    ("pt", "Esgotado", "out_of_stock"),
    ("pt", "Em stock", "in_stock"),
    ("pl", "Dostępny", "in_stock"),
    ("pl", "Brak w magazynie", "out_of_stock"),
    ("sv", "I lager", "in_stock"),
    ("sv", "Slut i lager", "out_of_stock"),
    ("da", "Ikke på lager", "out_of_stock"),
    ("da", "På lager", "in_stock"),
    ("cs", "Skladem", "in_stock"),
    ("cs", "Není skladem", "out_of_stock"),
]
EVENT_STATUS = [
    ("nl", "Afgelast", "cancelled"),
    ("nl", "Geannuleerd", "cancelled"),
    ("nl", "Uitgesteld", "postponed"),
    ("nl", "Verplaatst", "moved"),
    ("nl", "Uitverkocht", "sold_out"),
    ("de", "Abgesagt", "cancelled"),
    ("de", "Entfällt", "cancelled"),
    ("de", "Fällt aus", "cancelled"),
    ("de", "Verschoben", "postponed"),
    ("de", "Verlegt", "moved"),
    ("de", "Ausverkauft", "sold_out"),
    ("fr", "Annulé", "cancelled"),
    ("fr", "Annulée", "cancelled"),
    ("fr", "Reporté", "postponed"),
    ("fr", "Complet", "sold_out"),
    ("es", "Cancelado", "cancelled"),
    ("es", "Suspendido", "cancelled"),
    ("es", "Aplazado", "postponed"),
    ("es", "Agotado", "sold_out"),
    ("es", "Entradas agotadas", "sold_out"),
    ("it", "Annullato", "cancelled"),
    ("it", "Rinviato", "postponed"),
    ("it", "Esaurito", "sold_out"),
    ("it", "Sold out", "sold_out"),
    ("en", "Cancelled", "cancelled"),
    ("en", "CANCELED", "cancelled"),
    ("en", "Postponed", "postponed"),
    ("en", "Sold Out", "sold_out"),
    ("en", "Rescheduled", "moved"),
]
LISTING_STATUS = [
    ("nl", "Verkocht", "sold"),
    ("nl", "Verkocht onder voorbehoud", "reserved"),
    ("nl", "Verhuurd", "rented"),
    ("nl", "Gereserveerd", "reserved"),
    ("nl", "Onder bod", "reserved"),
    ("nl", "Onder optie", "reserved"),
    ("de", "Verkauft", "sold"),
    ("de", "Vermietet", "rented"),
    ("de", "Reserviert", "reserved"),
    ("fr", "Vendu", "sold"),
    ("fr", "Loué", "rented"),
    ("fr", "Sous compromis", "reserved"),
    ("fr", "Réservé", "reserved"),
    ("fr", "Sous offre", "reserved"),
    ("es", "Vendido", "sold"),
    ("es", "Alquilado", "rented"),
    ("es", "Reservado", "reserved"),
    ("it", "Venduto", "sold"),
    ("it", "Affittato", "rented"),
    ("it", "Riservato", "reserved"),
    ("it", "In trattativa", "reserved"),
    ("en", "Sold", "sold"),
    ("en", "Under offer", "reserved"),
    ("en", "Sold STC", "reserved"),
    ("en", "Let agreed", "rented"),
    ("en", "Sale agreed", "reserved"),
    ("en", "Pending", "reserved"),
    ("en", "Rented", "rented"),
    ("en", "Under contract", "reserved"),
]


@pytest.mark.parametrize(("language", "text", "price", "currency"), PRICES)
@pytest.mark.parametrize("name", ["price", "x"])
def test_the_price_of_an_advert(language: str, text: str, price: str, currency: str, name: str) -> None:
    found = read(Kind.LISTING, language, f"<p class={name}>{text}</p><p>Text</p>")
    assert (found.get("price"), found.get("currency")) == (price, currency)


@pytest.mark.parametrize(("language", "text", "fact"), FACTS)
@pytest.mark.parametrize("body", ["<ul><li>{}</li><li>Top</li></ul>", "<dl><dt>A</dt><dd>{}</dd></dl>"])
def test_a_fact_of_a_home(language: str, text: str, fact: str, body: str) -> None:
    found = read(Kind.LISTING, language, "<p class=price>€ 900</p>" + body.format(text))
    field, _, value = fact.partition("=")
    assert float(found.get(field) or 0) == pytest.approx(float(value), abs=0.01)


@pytest.mark.parametrize(("language", "text", "clock"), TIMES)
def test_the_start_of_an_event(language: str, text: str, clock: str) -> None:
    found = read(Kind.EVENT, language, f"<p>{text}</p>", "Concert of Noord")
    assert found.get("starts_at", "")[:16] == f"2026-12-05T{clock}"


@pytest.mark.parametrize(("language", "text", "availability"), STOCK)
def test_stock(language: str, text: str, availability: str) -> None:
    found = read(Kind.PRODUCT, language, f"<p class=price>€ 12,00</p><p class=stock>{text}</p>")
    assert found.get("availability") == availability


@pytest.mark.parametrize(("language", "text", "status"), EVENT_STATUS)
def test_the_status_of_an_event(language: str, text: str, status: str) -> None:
    badge = f"<p>5 December 2026 20:00</p><span class=badge>{text}</span>"
    assert read(Kind.EVENT, language, badge, "Concert of Noord").get("status") == status


@pytest.mark.parametrize(("language", "text", "status"), LISTING_STATUS)
def test_the_status_of_a_listing(language: str, text: str, status: str) -> None:
    body = f"<p class=price>€ 250.000</p><span class=badge>{text}</span><ul><li>80 m²</li></ul>"
    assert read(Kind.LISTING, language, body).get("status") == status


BRANDS = {
    "a list": "<ul><li>Brand: <a href=/b>Norr Home</a></li><li>Product Code: KT-12</li></ul>",
    "a table": "<table><tr><th>Hersteller</th><td>Norr Home</td></tr><tr><th>Farbe</th></tr></table>",
    "a definition": "<dl><dt>Marque</dt><dd>Norr Home</dd><dt>Couleur</dt><dd>Rouge</dd></dl>",
    "one text": "<p>Marca: Norr Home</p><p>Codice: 12</p>",
}


@pytest.mark.parametrize("body", BRANDS.values(), ids=BRANDS)
def test_the_brand_behind_its_label(body: str) -> None:
    found = read(Kind.PRODUCT, "en", f"{body}<p class=price>€ 12,00</p>", "Alma Kettle")
    assert found.get("brand") == "Norr Home"


@pytest.mark.parametrize(
    "button", ["<button>Notify me when available</button>", "<button disabled>Add to cart</button>"]
)
def test_a_control_that_sells_nothing_says_that_nothing_is_in_stock(button: str) -> None:
    found = read(Kind.PRODUCT, "en", f"<p class=price>$12.00</p>{button}", "Alma Kettle")
    assert found.get("availability") == "out_of_stock"


def test_short_units_belong_to_the_number_before_them() -> None:
    body = "<div>$745,000</div><div><b>3</b> bd <b>2</b> ba <b>1,540</b> sqft</div>"
    found = read(Kind.LISTING, "en", body)
    assert (found["beds"], found["baths"]) == (3, 2)
