"""Rows of homes: what is their title, where are they, and is the page a list of them at all?"""

# ruff: noqa: E501 - a row of a page is one line

import pytest

from larder.extraction import extract
from larder.sdk.page import Page
from larder.stages.parse.index_rows.non_title_texts import is_fact
from larder.stages.parse.pagination.total import _counts


def read(body: str, *, language: str = "en") -> list[dict[str, object]]:
    page = f"<html lang={language}><head><title>Homes</title></head><body>{body}</body></html>"
    return [dict(item) for item in extract(page, url="https://homes.test/list", kind="listing").items]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("35 m² tot.1 amb.1 baño", True),
        ("78 m² tot.3 amb.2 dorm.1 baño1 coch.", True),
        ("25 m² tot.", True),
        ("3 Zimmer, 72,5 m²", True),
        ("2 rooms on the harbour", False),
        ("3 szobás ház a parkban", False),
    ],
)
def test_several_numbers_with_their_units_are_facts(text: str, fact: bool) -> None:
    assert is_fact(text) is fact


ROW = (
    "<div class=item><a href='/home/{0}/elado-haz-borsod-{1}'><img></a><h2>Eladó ház, Borsod, {2}</h2>"
    "<div class=agentBox><h4><a href='/agent/{3}'>{4}</a></h4></div><span class=price>{5} 900 000 Ft</span>"
    "<a class=btn href='/home/{0}/elado-haz-borsod-{1}'>Részletek</a></div>"
)


def test_a_heading_that_leads_to_the_agent_is_no_title() -> None:
    agents = ("Kasler Béla", "Kovács Ildikó", "Demeter Anita", "Varga Péter", "Nagy Éva", "Tóth Pál")
    rows = "".join(
        ROW.format(f"H{n}01", "miskolc", "Miskolc", n, name, 20 + n) for n, name in enumerate(agents)
    )
    found = read(f"<h1>Házak</h1><div>{rows}</div>", language="hu")
    assert [item["title"] for item in found] == ["Eladó ház, Borsod, Miskolc"] * 6


def test_a_list_whose_filters_offer_to_buy_is_a_list() -> None:
    card = "<div class=card><h2><a href='/p/depto-en-calle-{0}'>Departamento en calle {0}</a></h2><img><b class=price>$ {0}50.000</b></div>"
    rows = "".join(card.format(n) for n in (2, 3, 4, 5, 6, 7))
    head = "<h1>3.468 Departamentos de $200.000 a $400.000 en alquiler</h1><div class=price>$200 - $400</div><button>Comprar</button>"
    assert len(read(head + f"<div>{rows}</div>", language="es")) == 6


def test_a_headline_that_counts_the_rows_heads_a_list() -> None:
    card = "<div class=card><h2><a href='/p/depto-{0}'>Casa en calle {0}</a></h2><img><b class=price>$ {0}50.000</b></div>"
    rows = "".join(card.format(n) for n in (2, 3, 4, 5))
    head = "<h1>4 Departamentos en Salta</h1><div class=price>$20K - $200K</div>"
    assert len(read(head + f"<div>{rows}</div>", language="es")) == 4


def test_a_row_is_where_its_street_and_its_town_say() -> None:
    card = (
        "<li><a href='/huis-{0}'><h3 class=street-address>Bergweg {0}</h3><span><span class=postal-code>3511 AB</span>"
        " <span class=locality>Utrecht</span></span><span class=prijs>€ {0}25.000 k.k.</span></a></li>"
    )
    found = read(f"<h1>Aanbod</h1><ul>{''.join(card.format(n) for n in (2, 3, 4, 5, 6))}</ul>", language="nl")
    assert [item["address"] for item in found][:2] == ["Bergweg 2, Utrecht", "Bergweg 3, Utrecht"]


@pytest.mark.parametrize(
    ("place", "address"),
    [
        (
            "<h1 class=street-address>Bergweg 5</h1><span class=postal-code>3511 AB</span> <span class=locality>Utrecht</span>",
            "Bergweg 5, 3511 AB Utrecht",
        ),
        (
            "<h1>Piso en Calle de Goya, 106</h1><span>Ruzafa, Valencia</span>",
            "Calle de Goya, 106, Ruzafa, Valencia",
        ),
        (
            "<h1>Penthouse mit Weitblick</h1><div><b>PLZ</b> <span>20095</span></div><div><b>Ort</b> <span>Hamburg / Altstadt</span></div>",
            "Hamburg / Altstadt",
        ),
    ],
)
def test_a_street_is_completed_by_the_town_beside_it(place: str, address: str) -> None:
    page = f"<main>{place}<p class=price>€ 1.250</p><ul><li>74 m²</li><li>3 kamers</li></ul></main>"
    assert read(page)[0].get("address") == address


def test_a_house_number_before_the_label_of_the_next_cell_is_no_total() -> None:
    card = (
        "<div class=obj><a href='/o/{0}'>Foto</a><div class=title>Helle Wohnung, Dorfstraße {0}</div>"
        "<div>Immobilien-Nr.</div><div>IM{0}</div><div>{0}50 €</div></div>"
    )
    page = f"<h1>Angebote</h1>{''.join(card.format(n) for n in (42, 5, 6, 7, 8, 9))}"
    assert _counts(Page("https://homes.test/list", page)) == []


def test_a_unit_stands_behind_its_number() -> None:
    parts = "".join(f"<span>{text}</span>" for text in ("3", "beds", "2", "baths", "1,450", "sqft"))
    found = read(
        f"<main><h1>12 Oak Dr, Austin, TX 78701</h1><p class=price>$450,000</p><div>{parts}</div></main>"
    )
    assert (found[0]["beds"], found[0]["baths"]) == (3, 2)


def test_a_rent_before_an_area_is_no_label_of_it() -> None:
    page = (
        "<main><h1>Te huur: Appartement Dorpsstraat 14 in Amsterdam</h1><div class=location>1031 AB (Centrum)</div>"
        "<div class=price>€ 1.200 per maand</div><ul><li>52 m²</li><li>3 kamers</li></ul></main>"
    )
    found = read(page, language="nl")[0]
    assert (found["area_m2"], found["address"]) == (52.0, "1031 AB (Centrum), Amsterdam")


PLACES = (
    "Rectory Road, N16",
    "Church Street, E8",
    "Dalston Lane, E8",
    "Mare Street, E9",
    "Well Street, E9",
    "Graham Road, E8",
)
BADGES = ("Featured Property", "", "Premium Listing", "", "", "Featured Property")
SUMMARIES = (
    "A bright flat on the second floor of a period conversion.",
    "Offered chain free, this lovely home has a garden.",
    "Set within a gated development, the property comprises three rooms.",
    "Stunning top floor apartment with views.",
    "We are proud to present this house to the market.",
    "A rare opportunity to buy a mews house.",
)


@pytest.mark.parametrize(
    "card",
    [
        pytest.param("<a href='{u}'>{b}{p}<address>{a}</address><p>{s}</p></a>", id="one link around all"),
        pytest.param(
            "<a href='{u}'>{b}<h2>2 bedroom flat for sale</h2><address>{a}</address></a>{p}<a href='{u}'>{s}</a>",
            id="a heading that all rows have, and a summary that is a link",
        ),
        pytest.param(
            "<h3>{b}</h3><a href='{u}'><img></a>{p}<address>{a}</address><p>{s}</p>",
            id="a heading that is a badge",
        ),
        pytest.param(
            "<a href='{u}'>{b}</a><a href='{u}'><address>{a}</address></a>{p}<a href='{u}'>{s}</a>",
            id="links to the same",
        ),
    ],
)
def test_neither_a_badge_nor_a_summary_is_the_title_of_a_home(card: str) -> None:
    shown = "".join(
        f"<div class=card>{card.format(u=f'/homes/88{n}01', a=a, b=b, s=s, p=f'<b class=price>£{n + 3}50,000</b>')}</div>"
        for n, (a, b, s) in enumerate(zip(PLACES, BADGES, SUMMARIES, strict=True))
    )
    assert [item["title"] for item in read(f"<h1>Flats</h1><div>{shown}</div>")] == list(PLACES)


def test_the_address_of_a_row_is_its_place() -> None:
    card = "<div class=card><a href='/homes/88{n}01'><h2>{s}</h2></a><b>£{n}50,000</b><address>{a}</address></div>"
    titles = ("Corner flat", "Mews house", "Top floor studio", "Garden flat", "Terraced house", "Loft")
    shown = "".join(
        card.format(n=n, s=s, a=a) for n, (s, a) in enumerate(zip(titles, PLACES, strict=True), 3)
    )
    found = read(f"<h1>Flats</h1><div>{shown}</div>")
    assert [(item["title"], item.get("address")) for item in found] == list(zip(titles, PLACES, strict=True))
