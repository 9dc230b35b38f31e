"""Rules that flats on platforms nobody had tried asked for: each on the smallest page that needs it."""

# ruff: noqa: E501 - a row of a page is one line

import json

import pytest

from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.heuristic.listing.facts import facts
from larder.stages.parse.heuristic.listing.locality import locality
from larder.stages.parse.index_rows.visible import visible_rows
from larder.stages.parse.pagination.words import LinkMeaning, link_meaning

AT = "https://homes.test/list"


@pytest.mark.parametrize(
    ("said", "fees"),
    [
        ("Цена не указана", "<h2>О квартире</h2><p>Залог 30 000 ₽</p>"),
        ("Price on call", "<h2>Mortgage</h2><p>Monthly payment $3,115</p>"),
        ("Prijs op aanvraag", "<dl><dt>Waarborgsom</dt><dd>€ 3.000</dd></dl>"),
        ("Info v RK", "<table><tr><th>Poplatky</th><td>3 860 Kč</td></tr></table>"),
        ("A convenir", "<h2>Más anuncios</h2><p class=price>338€</p>"),
        ("VB", "<h2>Beschreibung</h2><p>Neupreis 350 Euro. Versand 5,49 €.</p>"),
        ("Pris saknas", "<dl><dt>Avgift</dt><dd>1 573 kr/mån</dd></dl>"),
    ],
)
def test_fees_behind_on_request_are_no_price(said: str, fees: str) -> None:
    page = f"<h1>Flat in Mill Lane</h1><p>{said}</p><ul><li>3 rooms</li><li>80 m²</li></ul>{fees}"
    (item,) = extract(page, url="https://homes.test/flat/12345", kind="listing").items
    assert "price" not in item


@pytest.mark.parametrize(
    ("title", "price"), [("Oak table : 892 €", "892.00"), ("Oak table - faire offre", None)]
)
def test_the_amount_of_a_title_beats_those_of_prose(title: str, price: str | None) -> None:
    prose = "Bonjour, je vends suite double emploi. Acheté 990 € en 2022. Port en sus (8 €). A Lyon."
    page = f"<title>{title}</title><h1>{title}</h1><blockquote>{prose}</blockquote>"
    (item,) = extract(page, url="https://forum.test/show.php?135-oak-table", kind="listing").items
    assert item.get("price") == price


def test_badges_of_a_script_that_nobody_sees_are_no_status() -> None:
    badges = "<span class=is-hidden>Reserviert • </span><span class=is-hidden>Gelöscht • </span>"
    page = f"<h1>{badges}Old chair, oak</h1><h2>950 €</h2><p>24184 Kiel</p>"
    (item,) = extract(page, url="https://homes.test/old-chair-oak/12345", kind="listing").items
    assert (item["title"], item.get("status")) == ("Old chair, oak", None)


def test_an_amount_before_on_request_is_the_price() -> None:
    page = "<h1>Flat in Mill Lane</h1><p class=price>€ 950</p><p>Parking: prijs op aanvraag</p><p>80 m²</p><p>3 rooms</p>"
    (item,) = extract(page, url="https://homes.test/flat/12345", kind="listing").items
    assert item["price"] == "950.00"


def test_an_amount_that_may_be_haggled_over_is_the_price() -> None:
    page = "<h1>Flat in Mill Lane</h1><p>950 € Verhandlungsbasis</p><p>80 m²</p><p>3 rooms</p>"
    (item,) = extract(page, url="https://homes.test/flat/12345", kind="listing").items
    assert item["price"] == "950.00"


def test_an_advert_without_a_price_may_have_its_number_in_the_query() -> None:
    page = "<title>Old chair, oak</title><h1>Old chair, oak</h1><p>Please write to me.</p>"
    (item,) = extract(page, url="https://forum.test/index.php?topic=50240.0", kind="listing").items
    assert (item["title"], item.get("price")) == ("Old chair, oak", None)


def card(n: int, price: str) -> str:
    return (
        f"<li class=card><a href='/flat/{n}'><h2>Storgatan {n}</h2><div>{price}</div><div>62 m²</div>"
        f"<div class='card__attribute--fee'>{n} 573 kr/mån</div></a></li>"
    )


def test_the_fee_of_a_row_without_a_price_is_none() -> None:
    rows = [card(n, f"{n} 495 000 kr" if n != 4 else "Pris saknas") for n in range(1, 8)]
    found = extract(f"<html lang=sv><h1>Till salu</h1><ul>{''.join(rows)}</ul>", url=AT, kind="listing").items
    assert [item.get("price") for item in found][2:5] == ["3495000.00", None, "5495000.00"]


def test_icons_named_after_rooms_count_although_an_area_follows() -> None:
    body = (
        "<h1>Home</h1><div><span title=Bedrooms class='icon beds'><span>3</span></span> <span title=Bathrooms class='icon bath'>"
        "<span>2</span></span></div><ul><li>Land is 250 m²</li><li>Floor area is 94 m²</li></ul>"
    )
    found = facts(Page("https://homes.test/1", f"<html><body>{body}"))
    assert (found["beds"], found["baths"], found["area"]) == ("3", "2", "94 m²")


def test_a_rent_by_the_month_does_not_make_an_area_another_things() -> None:
    body = "<h1>Kamer</h1><h4>€760,- /maand incl.</h4><div><p>13 m²</p><p>Gestoffeerd</p></div>"
    assert facts(Page("https://homes.test/1", f"<html lang=nl><body>{body}"))["area"] == "13 m²"


def test_a_link_to_the_map_names_the_place() -> None:
    body = "<h1>Nowe mieszkanie</h1><a href='#map'>ul. Polna, Centrum, Kraków</a>"
    assert locality(Page("https://homes.test/1", f"<html><body>{body}")) == "ul. Polna, Centrum, Kraków"


def test_titles_that_begin_alike_are_not_paired_by_their_beginning() -> None:
    names = {n: f"Apartamento T1 Avenida da República {n}" for n in range(101, 119)}
    markers = [{"id": 7000 + n, "title": name, "price": n * 10} for n, name in names.items()]
    shown = [n for n in names if n % 2]
    rows = "".join(
        f"<article class=offer><h3><a href='/anuncio/x-ID{7000 + n}.html'>{names[n]}</a></h3><p>{n * 10} €/mês</p></article>"
        for n in shown
    )
    page = f"<h1>Arrendar</h1>{rows}<script>window.__INITIAL_STATE__ = {json.dumps({'map': {'markers': markers}})};</script>"
    found = extract(page, url=AT, kind="listing").items
    assert [(item["title"], item["url"]) for item in found] == [
        (names[n], f"https://homes.test/anuncio/x-ID{7000 + n}.html") for n in shown
    ]


def test_two_linked_cards_on_a_last_page_are_rows() -> None:
    rows = "".join(
        f"<a class='Paper-root ListingCard_root' href='/huren/kamer-{n}'><span>Kamer Kerkstraat {n}</span><p>{n} m²</p><p>€{n}60,-</p></a>"
        for n in (17, 23)
    )
    pager = "<ul class=pagination><li><a href='/list?p=1'>1</a></li><li><span>2</span></li></ul>"
    found = visible_rows(Page(f"{AT}?p=2", f"<h1>Kamers te huur</h1><div>{rows}</div>{pager}"))
    assert [(row.fields["title"], row.fields["price"]) for row in found] == [
        ("Kamer Kerkstraat 17", "€1760,-"),
        ("Kamer Kerkstraat 23", "€2360,-"),
    ]


def test_a_last_page_is_told_by_its_address_and_its_row_without_a_price_by_its_sibling() -> None:
    row = "<div id=listing_{0} class=x><a href='/details/{0}'><p data-testid=listing-price>{1}</p><h2>House {0}</h2></a></div>"
    body = row.format(70071, "£120,000") + row.format(70072, "POA")
    page = f"<h1>Property for sale</h1><div>{body}</div>"
    found = visible_rows(Page(f"{AT}?pn=3", page))
    assert [(each.fields["title"], each.fields.get("price")) for each in found] == [
        ("House 70071", "£120,000"),
        ("House 70072", None),
    ]
    assert visible_rows(Page(f"{AT}/70071", page)) == []


@pytest.mark.parametrize(
    ("label", "claim"),
    [
        ("Voir plus d'annonces", LinkMeaning.MORE),
        ("další týden »", LinkMeaning.PERIOD),
        ("Następny tydzień", LinkMeaning.PERIOD),
        ("Nästa månad", LinkMeaning.PERIOD),
        ("Mois prochain", LinkMeaning.PERIOD),
    ],
)
def test_what_links_to_more_say(label: str, claim: LinkMeaning | None) -> None:
    assert link_meaning(label) is claim


def test_what_sending_can_be_done_for_is_no_price() -> None:
    prose = "<p>Mooi en degelijk. Nieuwprijs € 799. Verzenden kan voor € 12,50.</p>"
    page = f"<title>Oude stoel, eiken</title><h1>Oude stoel, eiken</h1>{prose}"
    (item,) = extract(page, url="https://markt.test/oude-stoel-eiken/", kind="listing").items
    assert "price" not in item


def test_an_advert_without_a_price_is_spelt_by_its_address_before_its_number() -> None:
    page = "<title>Black oak chair - Market</title><h1>Black oak chair</h1><p>Write to me.</p>"
    (item,) = extract(page, url="https://forum.test/t/black-oak-chair/128", kind="listing").items
    assert item["title"] == "Black oak chair"
