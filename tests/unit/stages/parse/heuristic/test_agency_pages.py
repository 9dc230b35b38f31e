"""Pages of estate agents as themes build them: status, place, what a rent is for, and what is no price."""

# ruff: noqa: E501 - a page is one line

from typing import Any

import pytest

from larder import extract

HOME = "https://agency.test/homes/12-mill-lane"


def detail(body: str, language: str = "en") -> dict[str, Any]:
    page = f"<html lang={language}><title>Mill Lane 12</title><body>{body}</body></html>"
    return dict(extract(page, url=HOME, kind="listing").items[0])


def rows(*cards: str, around: str = "{}") -> list[dict[str, Any]]:
    listed = "".join(f'<div class="card">{card}</div>' for card in cards)
    page = f"<html><body><h1>Homes</h1>{around.format(listed)}</body></html>"
    return [dict(item) for item in extract(page, url="https://agency.test/homes", kind="listing").items]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("<ul><li><span>Availability:</span> Sold STC</li><li><span>Beds:</span> 3</li></ul>", "reserved"),
        ("<dl><dt>Status</dt><dd>Sold</dd></dl>", "sold"),
        ("<p>Objektstatus: vermietet</p>", "rented"),
        ("<dl><dt>Sold</dt><dd>Yes</dd></dl>", "sold"),
        ("<dl><dt>Status</dt><dd>Sold for £245,000</dd></dl>", "sold"),
        ("<dl><dt>Sold</dt><dd>No</dd></dl>", None),
        ("<table><tr><td>A<td>T1<td>Sold</tr><tr><td>B<td>T2<td>Free</tr></table>", None),
    ],
    ids=["in a list", "label and value", "in one text", "yes", "with its price", "no", "one flat of several"],
)  # fmt: skip
def test_a_status_is_told_by_its_label(body: str, status: str | None) -> None:
    found = detail(f'<h1>Mill Lane 12</h1><p class="price">£ 250,000</p>{"<p>Quiet.</p>" * 9}{body}')
    assert found.get("status") == status


def test_a_badge_may_stand_some_texts_before_the_headline() -> None:
    facts = "".join(f"<p><b>{n}</b> <i>{unit}</i></p>" for n, unit in ((3, "bd"), (2, "ba"), (90, "m²")))
    found = detail(
        f"<span>Pending</span><p>$ 410,000</p><p>Est. payment: $ 2,100/mo</p>{facts}<h1>Mill Lane 12</h1>"
    )
    assert (found["status"], found["price"]) == ("reserved", "410000.00")


def test_a_price_that_is_sold_is_no_amount_of_the_text_below() -> None:
    found = detail(
        "<h1>Contest 42</h1><table><tr><td>Vraagprijs</td><td>Verkocht</td></tr></table>"
        "<p>Zeilen van 2019 (€ 8.500).</p>",
        "nl",
    )
    assert (found["status"], found.get("price")) == ("sold", None)


@pytest.mark.parametrize(
    ("body", "language", "place"),
    [
        ("<h1>Church Road, Stroud, GL5</h1>", "en", "Stroud"),
        ('<h1>Storgatan 4</h1><p><i class="fas fa-map-marker"></i> Partille 412 11</p>', "sv", "Partille"),
        ("<h1>Ładne mieszkanie</h1><dl><dt>Miejscowość:</dt><dd>Sopot</dd></dl>", "pl", "Sopot"),
        ("<h1>Helle Wohnung</h1><table><tr><td>Ort</td><td>Zwickau</td></tr></table>", "de", "Zwickau"),
        ('<a class="brand" href="/">Mill Lane</a><h1>Skovvej 4, 5000 Odense C</h1>', "da", "Odense C"),
        ('<p class="loc">Cascais</p><h1>Torre de Belém</h1>', "pt", "Cascais"),
        ("<ol class=breadcrumb><li>Home<li>Flats<li>ASR-5000</ol><h1>Nice flat</h1>", "en", ""),
        ("<h1>Villa 5 pièces 131 m²</h1><ul><li>Pièces <span>5</span></li></ul>", "fr", ""),
    ],
    ids=["in its title", "behind a pin", "a label", "a cell", "not the site", "a name", "no code", "no fact"],
)  # fmt: skip
def test_where_a_home_is(body: str, language: str, place: str) -> None:
    found = detail(f"{body}<p class=price>€ 250.000</p>", language)
    assert place in found.get("address", "")
    assert bool(place) == bool(found.get("address"))


def test_an_address_does_not_end_in_the_sites_name() -> None:
    page = "<title>9 Mount, Leeds LS6 - LetsLive</title><h1>9 Mount, Leeds LS6</h1><p class=price>£ 90</p>"
    assert extract(page, url=HOME, kind="listing").items[0]["address"] == "9 Mount, Leeds LS6"


def test_reception_rooms_are_not_all_rooms() -> None:
    found = detail(
        "<h1>Mill Lane 12</h1><p class=price>£ 250,000</p><ul><li class=bedrooms>Bedrooms: 3</li>"
        "<li class=reception-rooms><span>Reception Rooms:</span> 2</li></ul>"
    )
    assert (found["beds"], found.get("rooms")) == (3, None)


@pytest.mark.parametrize(
    "price",
    [
        "<b>£169</b><small>pppw</small>",
        "<span class=price>£169</span> <span>/ Weekly</span>",
        "£169 per week",
    ],
    ids=["in a part", "beside it", "in its text"],
)
def test_what_a_rent_is_for_stands_beside_it(price: str) -> None:
    assert detail(f"<h1>Mill Lane 12</h1><p>{price}</p><p>Deposit £300</p>")["period"] == "week"
    cards = [f'<a href="/homes/{n}">Mill Lane {n}</a><p>{price}</p>' for n in range(6)]
    assert {row["period"] for row in rows(*cards)} == {"week"}


def test_a_sale_has_no_period_of_the_fee_below_it() -> None:
    found = detail("<h1>Mill Lane 12</h1><p class=price>£ 250,000</p><p>Service charge £120 per month</p>")
    assert "period" not in found


def test_a_badge_of_some_rows_is_not_their_title() -> None:
    badges = ["", "New 3 hrs ago", "", "Under application", "", ""]
    cards = [
        f'<a href="/homes/x{n}"><i>{badge}</i></a><p>$ {n}10,000</p>'
        f'<a href="/homes/x{n}"><address>{n} Pine St, Austin</address></a>'
        for n, badge in enumerate(badges, 1)
    ]
    assert [row["title"] for row in rows(*cards)] == [f"{n} Pine St, Austin" for n in range(1, 7)]


def test_the_fee_of_a_sold_row_is_not_its_price() -> None:
    cards = [
        f"<h2>{'SÅLD' if n == 2 else f'{n} 500 000 kr'}</h2><h4>Storgatan {n}</h4>"
        f'<p>Avgift: 4000 kr/mån</p><a href="/homes/{n}">Mer</a>'
        for n in range(1, 7)
    ]
    found = rows(*cards)
    assert [row.get("price") for row in found][:3] == ["1500000.00", None, "3500000.00"]
    assert found[1]["status"] == "sold"


def test_the_front_page_is_no_rows_address() -> None:
    cards = [f'<a href="/homes/x{n}"><h3>Mill Lane {n}</h3></a><p>€ {n}10.000</p>' for n in range(1, 7)]
    markers = [
        f'{{"title": "Mill Lane {n}", "url": "/", "price": "{n}10000", "id": {n}}}' for n in range(1, 7)
    ]
    script = f"<script>var markers = [{','.join(markers)}];</script>".replace("{", "{{").replace("}", "}}")
    found = rows(*cards, around=f"{{}}{script}")
    assert [row["url"] for row in found] == [f"https://agency.test/homes/x{n}" for n in range(1, 7)]


def test_the_label_of_the_next_amount_is_not_what_a_price_is_for() -> None:
    found = detail(
        "<h1>Mill Lane 12</h1><dl><dt>Kontantpris</dt><dd>2.495.000 kr.</dd>"
        "<dt>Ejerudgift/md.</dt><dd>3.200 kr.</dd></dl>"
    )
    assert (found["price"], found.get("period")) == ("2495000.00", None)


@pytest.mark.parametrize(
    ("title", "facts", "field", "value"),
    [
        ("Two bedroom flat", "", "beds", 2),
        ("Drei-Zimmer-Wohnung", "", "rooms", 3),
        ("Appartamento in centro", "<li>Superficie: mq 65</li>", "area_m2", 65.0),
        ("Zimmer mit Balkon", "<h2>18m²</h2><span>Zimmergröße</span>", "area_m2", 18.0),
    ],
    ids=["a number in words", "in German", "the unit before its number", "a title is no label"],
)
def test_facts_as_agents_write_them(title: str, facts: str, field: str, value: float) -> None:
    assert detail(f"<h1>{title}</h1>{facts}<p class=price>€ 450</p>")[field] == value


@pytest.mark.parametrize(
    "link",
    ["onclick=\"window.location.href='{}'\"", "onclick=\"location='{}'\"", 'data-href="{}"'],
    ids=["location.href", "location", "data-href"],
)
def test_rows_that_only_a_click_leads_from(link: str) -> None:
    cards = "".join(
        f'<div class="card" {link.format(f"/object/{8000 + n}/")}>'
        f"<h3>Brink {n}</h3><p>Deventer</p><p>€ {n}10.000 k.k.</p></div>"
        for n in range(1, 7)
    )
    found = extract(f"<h1>Aanbod</h1>{cards}", url="https://agency.test/aanbod", kind="listing").items
    assert [(row["title"], row["url"]) for row in found] == [
        (f"Brink {n}", f"https://agency.test/object/{8000 + n}/") for n in range(1, 7)
    ]


def test_the_instalment_of_a_row_on_request_is_not_its_price() -> None:
    cards = [
        f'<a href="/homes/x{n}">Nimbus {n}</a><b>{"Pris på förfrågan" if n == 2 else f"{n}5 000 kr"}</b>'
        '<span class="finans">eller 1 290 kr/mån</span>'
        for n in range(1, 7)
    ]
    assert [row.get("price") for row in rows(*cards)][:3] == ["15000.00", None, "35000.00"]


def test_a_price_of_zero_in_markup_is_the_one_that_is_shown() -> None:
    offer = '<td itemprop=offers itemscope itemtype="http://schema.org/Offer"><meta itemprop=price content=0>'
    table = f"<table><tr><td>Kaufpreis:</td>{offer}€ 120.000</td></tr></table>"
    body = f"<h1 itemprop=name>Bauplatz am Wald</h1>{table}"
    found = detail(f'<div itemscope itemtype="http://schema.org/Product">{body}</div>', "de")
    assert (found["title"], found["price"]) == ("Bauplatz am Wald", "120000.00")


def test_a_label_may_say_that_an_amount_is_by_the_square_metre() -> None:
    cards = [
        f'<a href="/homes/x{n}">Bauplatz {n}</a><p>Preis/m²: <b>{n}9,00 €</b></p>'
        f"<p>Kaufpreis: <b>{n}20.000,00 €</b></p>"
        for n in range(1, 7)
    ]
    assert [row.get("price") for row in rows(*cards)] == [f"{n}20000.00" for n in range(1, 7)]


def test_a_building_is_not_sold_because_one_of_its_flats_is() -> None:
    flats = "".join(
        f"<tr><td>{n}<td>T{n}<td>{n}93 000 €<td>{'Vendido' if n == 2 else 'Disponível'}</tr>"
        for n in range(1, 5)
    )
    head = "<h1>Torre do Tejo</h1><p class=price>A partir de 93 000 €</p>"
    found = detail(f"{head}<table>{flats}</table>", "pt")
    assert (found["price"], found.get("status"), found.get("availability")) == ("93000.00", None, None)


@pytest.mark.parametrize(
    "facts",
    [
        "<strong>650 000 zł</strong><p>Czynsz: 580 zł</p><p>54 m²</p><p>3 pokoje</p>",
        "<p>Czynsz: 580 zł</p><p>54 m²</p><p>3 pokoje</p><p>Cena: 650 000 zł</p>",
        "<p>650 000 zł</p><p>12 037 zł/m²</p><p>Czynsz</p><p>580 zł</p><p>54 m²</p>",
        "<p>Czynsz najmu: 650 000 zł</p><p>54 m²</p><p>3 pokoje</p>",
    ],
    ids=["price without a label", "fee before the price", "labels in front", "a rent is the price"],
)
def test_what_a_polish_home_costs_each_month_beside_its_price_is_a_fee(facts: str) -> None:
    page = f'<html lang="pl"><body><main><h1>Mieszkanie w Krakowie</h1>{facts}</main></body></html>'
    found = extract(page, url="https://dom.example/oferta/mieszkanie-1", kind="listing")
    assert found.items[0]["price_minor"] == 65_000_000


def test_what_is_told_on_request_behind_the_headline_costs_no_amount_above_it() -> None:
    offers = "<p>TOP advert: 1.04 лв. a day</p><p>+2 дни</p><p>4.80 лв.</p>"
    found = detail(
        f"{offers}<h1>Mill Lane 12</h1><p>Center, Burgas</p><p>Цената не е обявена.</p><p>35 m²</p>"
    )
    assert "price" not in found


def test_below_the_sites_name_the_next_heading_is_the_title() -> None:
    page = (
        "<title>North Homes</title><header><h1>North Homes</h1><h2>Your agent</h2></header><main>"
        "<h2>Description</h2><h2>Bright flat by the park</h2><p class=price>£ 900</p><p>76 m²</p></main>"
    )
    found = extract(page, url="https://north-homes.test/object/123", kind="listing").items[0]
    assert found["title"] == "Bright flat by the park"


@pytest.mark.parametrize("words", ["Contact Agent", "Auction", "Price on Application"])
def test_amounts_below_words_in_the_prices_place_are_no_price(words: str) -> None:
    """Neither the calculator's amounts, nor those of similar homes in the same section."""
    calculator = "<div class=mortgage><h2>Mortgage Calculator</h2><ul><li>Down Payment <span>A$120,000</span></li><li>Payment <span>A$2,594</span></li></ul></div>"
    similar = "<div id=similar><h2>Similar Listings</h2><div><a href=/homes/2>Two</a><span class=item-price>A$900,000</span></div></div>"
    found = detail(
        f"<section><div><div><h1>Mill Lane 12</h1></div><ul><li class=item-price>{words}</li></ul></div><p>3 Bedrooms</p><p>2 Bathrooms</p>{calculator}{similar}</section>"
    )
    assert "price" not in found


def test_the_breadcrumb_behind_a_region_is_the_town_in_it() -> None:
    trail = "".join(
        f"<li><a href=/{name}/>{name}</a></li>" for name in ("Cars", "Honda", "Ontario", "Markham")
    )
    found = detail(
        f"<ul class=breadcrumbs>{trail}</ul><h1>2014 Accord Touring - Markham</h1><p class=price>$21,990</p><meta name=description content='Accord in Ontario'>"
    )
    assert found["address"] == "Markham, Ontario"
