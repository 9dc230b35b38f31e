"""Which blocks are rows, and what does each say?"""

import pytest
from turbohtml import Element

from larder import extract
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.amounts import rough_amount
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.heuristic.page_position import MAX_CLIMB, lineage
from larder.stages.parse.heuristic.strategy import heuristic
from larder.stages.parse.index_rows.links import item_links
from larder.stages.parse.index_rows.visible import visible_rows
from tests.unit.stages.parse.index_rows.shapes import SHAPES, THINGS

SITE = "https://corner.test"


@pytest.mark.parametrize("name", SHAPES)
def test_rows_are_told_by_shape_and_link_not_by_having_a_price(name: str) -> None:
    shape = SHAPES[name]
    found = visible_rows(Page(f"{SITE}/offers", shape.html))
    assert [item.fields["url"].removeprefix(SITE) for item in found] == [shape.path(n) for n in range(6)]
    titles = [str(item.fields["title"]).removeprefix("[For sale] ") for item in found]
    assert titles == [title for title, _, _ in THINGS]
    prices = [rough_amount(item.fields["price"]) if "price" in item.fields else None for item in found]
    assert prices == [rough_amount(f"€ {THINGS[n][1]}") if n in shape.priced else None for n in range(6)]


def row(n: int, title: str = "") -> str:
    named = title or f"A thing called {n}"
    link = f'<a href="/t/{n}0001"><h3>{named}</h3></a>'
    return f'<li class="card">{link}<h2>07/0{n} 09:00 AM</h2><p>€ {n}9,00</p></li>'


def titles_of(html: str) -> list[str]:
    return [item.fields["title"] for item in visible_rows(Page(f"{SITE}/offers", html))]


def test_what_holds_the_heading_of_the_page_is_not_beside_its_list() -> None:
    rows = "".join(row(n) for n in range(1, 6))
    assert len(titles_of(f"<div class='sidebar-left'><h1>All</h1><ul>{rows}</ul></div>")) == 5
    assert titles_of(f"<h1>All</h1><div class='sidebar'><ul>{rows}</ul></div>") == []


def test_a_thing_that_is_offered_again_and_again_keeps_its_title() -> None:
    rows = "".join(row(n, "The same show" if n < 5 else "") for n in range(1, 9))
    assert titles_of(f"<ul>{rows}</ul>")[:6] == ["The same show"] * 4 + [
        "A thing called 5",
        "A thing called 6",
    ]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    "pager",
    [
        "<div class=pagination><a href='?p=1'>1</a> <b>2</b></div>",
        "<nav class=pagination><ul></ul></nav>",
        "<nav aria-label=Pagination><span>Next</span></nav>",
    ],
    ids=["numbers", "nothing further on", "next without a link"],
)
def test_a_last_page_of_few_rows_is_read_where_a_pager_shows_it(count: int, pager: str) -> None:
    rows = "".join(row(n) for n in range(1, count + 1))
    page = f"<h1>All</h1><ul class='cards'>{rows}</ul>"
    assert titles_of(page + pager) == [f"A thing called {n}" for n in range(1, count + 1)]
    assert titles_of(page) == []


def test_a_page_without_a_list_has_no_rows() -> None:
    prose = "<p>We sell things from € 5,00. <a href=/about>More</a></p><p>Or <a href=/jobs>work here</a>.</p>"
    assert titles_of(f"<h1>About us</h1>{prose}") == []


def test_many_links_are_read_in_bounds() -> None:
    many = "".join(f"<div><a href='/x/{n}'>{n}</a></div>" for n in range(30_000))
    assert len(visible_rows(Page(f"{SITE}/offers", f"<div>{many}</div>"))) <= 2_000


def test_an_address_that_ends_in_a_number_has_no_ending() -> None:
    rows = "".join(
        f"<div class=item><h3><a href=/threads/old-lamp-{n}.2012{n}/>Old lamp {n}</a></h3>"
        f"<p><a href=/threads/old-lamp-{n}.2012{n}/latest>yesterday</a></p></div>"
        for n in range(1, 7)
    )
    found = visible_rows(Page(f"{SITE}/forums/market.3/", f"<main>{rows}</main>"))
    assert [item.fields["url"] for item in found][:2] == [
        f"{SITE}/threads/old-lamp-1.20121/",
        f"{SITE}/threads/old-lamp-2.20122/",
    ]


def test_other_views_of_the_same_list_are_no_rows() -> None:
    views = "".join(
        f"<div><a href=?{view}>Show it so</a></div>" for view in ("limit=18", "limit=27", "sort=a")
    )
    things = "".join(
        f"<div class=card><a href=/p/lamp-{n}>Lamp {n}</a><b class=price>€ {n}0</b></div>" for n in (1, 2)
    )
    pager = "<div class=pagination><a href=?page=1>1</a></div>"
    found = visible_rows(Page(f"{SITE}/lamps?page=2", f"<main>{views}{things}{pager}</main>"))
    assert [item.fields["title"] for item in found] == ["Lamp 1", "Lamp 2"]


def test_a_last_page_of_two_rows_is_told_by_a_way_back_in_its_head() -> None:
    things = "".join(
        f"<div class=product-item><a href=/p/{n}1><span class=name>Lamp {n}</span>"
        f"<b class=price>from € {n}0</b></a></div>"
        for n in (1, 2)
    )
    page = Page(f"{SITE}/lamps?page=2", f'<link rel="prev" href="?page=1"><main>{things}</main>')
    assert [item.fields["title"] for item in visible_rows(page)] == ["Lamp 1", "Lamp 2"]


def test_a_link_knows_the_same_ancestors_however_deep_it_stands() -> None:
    deep = "<div>" * 100 + "<a href=/a>a</a><p><a href=/b>b</a></p>" + "</div>" * 100
    links = item_links(Page(f"{SITE}/offers", f"<a href=/c>c</a>{deep}"))
    assert [len(link.chain) for link in links] == [3, MAX_CLIMB + 1, MAX_CLIMB + 1]
    for link in links:
        assert link.chain == (
            link.element,
            *(each for each in lineage(link.element) if isinstance(each, Element)),
        )


def test_a_row_s_author_is_not_its_thing() -> None:
    rows = "".join(
        f"<div class=item><a href=/members/user{n}.{n}/>u</a><p>"
        f"<a href=/threads/old-lamp.2012{n}/>Old lamp {n}</a><a href=/members/user{n}.{n}/>user{n}</a>"
        f"<a href=/threads/old-lamp.2012{n}/>10 November</a></p></div>"
        for n in range(1, 7)
    )
    found = visible_rows(Page(f"{SITE}/forums/market.3/page-4", f"<main>{rows}</main>"))
    assert [item.fields["title"] for item in found] == [f"Old lamp {n}" for n in range(1, 7)]


def test_a_lease_is_no_price_of_a_car() -> None:
    rows = "".join(
        f"<div class=car><h3><a href=/stock/car-{n}001>Car {n}</a></h3><div class=price><span>Lease from "
        f"<b>€ {n}90,- p/m</b></span><span class=amount>"
        f"{f'€ {n}8.450,-' if n % 5 else 'Price on request'}</span></div></div>"
        for n in range(1, 7)
    )
    found = visible_rows(Page(f"{SITE}/stock", f"<main>{rows}</main>"))
    prices = [rough_amount(item.fields["price"]) if "price" in item.fields else None for item in found]
    assert prices == [18450.0, 28450.0, 38450.0, 48450.0, None, 68450.0]


def outside(count: int, *, priced: bool = True) -> str:
    """Rows of an aggregator: each leads to a shop of its own."""
    return "".join(
        f'<li class="offer"><a href="https://shop{n}.test/p/{n}0001"><h3>Lamp number {n}</h3></a>'
        f"<p>{f'€ {n}9,00' if priced else 'Our partner'}</p></li>"
        for n in range(1, count + 1)
    )


def read_by_heuristic(html: str) -> list[str]:
    task = ExtractionTask(page=Page(f"{SITE}/offers", html), kind=Kind.PRODUCT, purpose=Purpose.INDEX)
    return [item.fields["title"] for item in heuristic(task)]


def test_rows_that_lead_to_other_sites_count_where_a_page_has_none_of_its_own() -> None:
    own = "".join(row(n) for n in range(1, 6))
    assert read_by_heuristic(f"<ul>{outside(8)}</ul>") == [f"Lamp number {n}" for n in range(1, 9)]
    assert read_by_heuristic(f"<ul>{own}</ul><ul>{outside(8)}</ul>") == [
        f"A thing called {n}" for n in range(1, 6)
    ]


@pytest.mark.parametrize("html", [outside(4), outside(8, priced=False)], ids=["few", "without prices"])
def test_partners_and_advertising_are_no_rows(html: str) -> None:
    assert read_by_heuristic(f"<p>Nothing here.</p><ul>{html}</ul>") == []


def test_a_rent_and_what_only_a_number_tells_apart_are_no_titles() -> None:
    streets = ("Mill Lane", "Otley Road", "Kirkgate", "Wharf Street")
    rows = "".join(
        f"<div class=card><a href='/p/{n}0001'><b>£{n}50 pcm</b></a><a href='/p/{n}0001'>"
        f"<h2>{n} bedroom flat</h2><address>{street}, Leeds</address></a></div>"
        for n, street in enumerate(streets, start=1)
    )
    assert titles_of(rows) == [f"{street}, Leeds" for street in streets]


def test_a_badge_in_a_picture_s_link_is_no_title() -> None:
    def card(n: int, name: str) -> str:
        link = f"<a href='/p/{name.lower()}'>"
        badge = "<span>Best Seller</span>" if n == 1 else ""
        price = f"<span>Regular Price</span><span>${n}9</span><span>Sale Price</span><span>${n}5</span>"
        return f"<li>{link}{badge}<button>Quick View</button></a>{link}<p>{name}</p>{price}</a></li>"

    names = [
        "Oak-Bench-Aldo",
        "Linen-Mirror-Bree",
        "Brass-Planter-Coda",
        "Slate-Footstool-Elm",
        "Walnut-Lamp-Dune",
    ]
    assert titles_of("<ul>" + "".join(card(n, name) for n, name in enumerate(names)) + "</ul>") == names


def test_a_member_s_profile_is_not_a_row_s_thing() -> None:
    member = "<a href='/index.php?action=profile;u={0}'>user{0}</a>"
    topic = "<a href='/index.php?topic={0}1.0'>Selling lens {1}</a>"
    row = f"<tr><td>{topic} by {{2}}</td><td>{{0}} replies, last {{2}}</td></tr>"
    names = ("Sigma fifty", "Canon wide", "Tamron long", "Nikon macro")
    rows = "".join(row.format(n, name, member.format(n)) for n, name in enumerate(names, start=31))
    assert titles_of(f"<table>{rows}</table>") == [f"Selling lens {name}" for name in names]


def test_an_address_that_a_script_fills_in_leads_to_no_thing() -> None:
    rows = "".join(row(n) for n in range(1, 6))
    hidden = "<li class=card hidden><a href='/t/{{ id }}0001'><h3>{{ name }}</h3></a></li>"
    assert titles_of(f"<ul>{hidden}{rows}</ul>") == [f"A thing called {n}" for n in range(1, 6)]


def board(name: str, title: str, rows: str) -> str:
    notice = f"<li class='card {name}'><a href='/t/90001'><h3>{title}</h3></a></li>"
    return f"<ul>{notice}{rows}</ul>"


def test_what_a_board_tells_its_readers_is_no_advert() -> None:
    rows = "".join(row(n) for n in range(1, 6))
    assert len(titles_of(board("global-announce", "Welcome to the market", rows))) == 5
    assert len(titles_of(board("is-sticky", "Regels van de markt", rows))) == 5
    assert len(titles_of(board("is-sticky", "Oak table, as new", rows))) == 6, "adverts can be pinned, too"
    named = "".join(row(n).replace("class=card", "class='card announcement'") for n in range(1, 6))
    assert len(titles_of(f"<ul>{named}</ul>")) == 5, "where all are called so, they are the adverts"


@pytest.mark.parametrize(
    ("before", "title", "shown"),
    [
        pytest.param("Sticky: ", "Marketplace rules - read before posting", 5, id="a word before the title"),
        pytest.param("Belangrijk: ", "Marktregels", 5, id="in Dutch"),
        pytest.param("Announcement: ", "The board moves", 5, id="an announcement"),
        pytest.param("<img src=/p.gif alt='Sticky Thread'>", "Forum rules", 5, id="an icon's name"),
        pytest.param("<svg aria-label=Pinned></svg>", "Welcome to the market", 5, id="an icon's label"),
        pytest.param("", "About the Marketplace category", 5, id="what a category is for"),
        pytest.param(
            "", "About the Marketplace category</h3><b>For Sale</b><h3>", 5, id="with no space behind it"
        ),
        pytest.param("Sticky: ", "Oak table, as new", 6, id="an advert that is pinned"),
        pytest.param("", "Slide rules, a box full", 6, id="the word in a title"),
    ],
)
def test_a_board_s_rules_are_pinned_by_words_or_icons(before: str, title: str, shown: int) -> None:
    rows = "".join(row(n) for n in range(1, 6))
    notice = f"<li class=card>{before}<a href='/t/90001'><h3>{title}</h3></a></li>"
    assert len(titles_of(f"<ul>{notice}{rows}</ul>")) == shown


def test_what_was_viewed_before_is_no_row_of_the_list() -> None:
    rows = "".join(row(n) for n in range(1, 6))
    viewed = f"<section><h2>Recently viewed</h2><ul>{row(9)}</ul></section>"
    assert len(titles_of(f"<section><h1>All</h1><ul>{rows}</ul></section>{viewed}")) == 5


def test_a_year_in_the_address_makes_no_other_row() -> None:
    """Rows without a class: nothing but their links says that they belong together."""
    names = [f"{n}-1960" if n % 4 == 1 else f"{n}-oak" for n in range(12)]
    rows = "".join(
        f"<tr><td><a href='/t/{n}/thing-{name}'>Thing {name}</a>"
        f"{'' if '1960' in name else ' with a lamp, a rack and a basket'}</td><td>€ {n}9,00</td></tr>"
        for n, name in enumerate(names)
    )
    assert titles_of(f"<table>{rows}</table>") == [f"Thing {name}" for name in names]


@pytest.mark.parametrize(
    ("title", "price"),
    [
        ("[Te koop] Moderne eettafel van massief eiken - € {}", "€ {}"),
        ("[Te koop] Moderne eettafel van massief eiken {} euro vb", "{} euro"),
        ("Met deze tip bespaart u op uw rekening tot wel € {} in een jaar", None),
        ("Nette bakfiets voor twee kinderen, nieuwprijs € {}", None),
    ],
    ids=["at the end", "with a word behind it", "inside a sentence", "what it was once bought for"],
)
def test_a_long_title_that_ends_with_an_amount_names_its_price(title: str, price: str | None) -> None:
    rows = "".join(
        f'<li><a href="/topic?t={n}">{title.format(n)}</a> <i>{n} reacties</i></li>' for n in range(41, 53)
    )
    page = Page(
        "https://forum.test/markt", f"<html lang=nl><body><h1>Markt</h1><ul>{rows}</ul></body></html>"
    )
    found = [row.fields.get("price") for row in visible_rows(page)]
    assert found == [price and price.format(n) for n in range(41, 53)]


def test_a_lazily_loaded_picture_is_not_its_placeholder() -> None:
    rows = "".join(
        f'<li class="card"><a href="/thing/{n}"><img src="/loading.gif" data-src="/pictures/{n}.jpg">'
        f"<h3>Thing number {n}</h3></a><span>€ {n}0,00</span></li>"
        for n in range(1, 6)
    )
    page = Page("https://shop.example/", f"<html><body><ul>{rows}</ul></body></html>")
    assert [item.fields["images"] for item in visible_rows(page)] == [
        [f"https://shop.example/pictures/{n}.jpg"] for n in range(1, 6)
    ]


def test_l10_26_a_long_page_is_read_to_its_end_and_leads_on() -> None:
    cards = "".join(
        f'<li class="card"><a href="/p/{n}"><img src="/{n}.jpg"></a><a href="/p/{n}"><h3>Kettle {n}</h3></a>'
        f"<span>€ {n % 90 + 1},50</span></li>"
        for n in range(4_000)
    )
    page = f'<body><h1>Kettles</h1><ul>{cards}</ul><a rel="next" href="/?page=2">Next</a></body>'
    read = extract(page, url="https://shop.test/", kind="product")
    assert [item["title"] for item in read.items] == [f"Kettle {n}" for n in range(4_000)]
    assert read.next_page is not None
    assert read.next_page.url == "https://shop.test/?page=2"


def test_rows_that_a_row_without_its_end_tag_holds_are_rows() -> None:
    row = "<div class='result item'><a href='/flat/{0}0001'><h3>Flat {0}</h3></a><p>{0}50 €</p>{1}"
    rows = "".join(row.format(n, "<div>" if n == 3 else "</div>") for n in range(1, 4))
    rows += "".join(row.format(n, "</div>") for n in range(4, 9)) + "</div></div>" + row.format(9, "</div>")
    found = visible_rows(Page("https://flats.test/rent", f"<main><div class=list>{rows}</div></main>"))
    assert [item.fields["url"][-5:] for item in found] == [f"{n}0001" for n in range(1, 10)]


def test_links_to_the_colours_of_a_thing_are_no_rows() -> None:
    swatch = (
        "<div class=swatch><a href='/cup/{0}//?attribute_colour={1}'><img src={1}.png>Colour {1}</a></div>"
    )
    row = "<li><a href='/cup/{0}/'><h2>Cup of {0}</h2></a>{1}<b>$ 29.95</b></li>"
    names = ("oak-glass", "elm-glass", "ash-glass", "fir-glass")
    rows = "".join(row.format(name, "".join(swatch.format(name, n) for n in range(20))) for name in names)
    found = visible_rows(Page("https://cups.test/shop/", f"<main><ul>{rows}</ul></main>"))
    assert [item.fields["title"] for item in found] == [f"Cup of {name}" for name in names]
