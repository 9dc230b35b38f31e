"""Rows of boards as they were saved: partners' things, sellers' links, one script for all things."""

# ruff: noqa: E501 - a row of a page is one line

from larder import adapters
from larder.core.model.item import Extracted
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.cascade import parse
from larder.stages.parse.index_rows.row_prices import RowPrices

NAMES = ("Oak Lane", "Elm Road", "Ash Street", "Fir Close", "Yew Walk", "Box Hill", "Bay Court", "May Row", "Ivy End", "Fig Place")  # fmt: skip


def read(body: str, *, url: str = "https://board.test/homes") -> list[tuple[str, str, str]]:
    page = f"<html><title>Homes</title><h1>Homes for sale</h1>{body}</html>"
    found = extract(page, url=url, kind="listing")
    return [(item["title"], str(item.get("price")), item["url"]) for item in found.items]


def test_rows_that_lead_to_a_partners_site_are_rows() -> None:
    own, partner = "https://board.test/offer", "https://partner.test/offer"
    rows = "".join(
        f"<tr class=wrap><td><img src=/i/{at}.jpg></td><td><h3><a href='{own if at % 2 else partner}/{name.lower().replace(' ', '-')}-{at}5678.html'>{name} {at}0</a></h3></td><td>{at + 1}00 000 zł</td></tr>"
        for at, name in enumerate(NAMES)
    )
    found = read(f"<table>{rows}</table>")
    assert [title for title, _, _ in found] == [f"{name} {at}0" for at, name in enumerate(NAMES)]
    assert sum(url.startswith(partner) for _, _, url in found) == 5


def test_few_rows_that_lead_elsewhere_are_advertising() -> None:
    rows = "".join(
        f"<tr class=wrap><td><h3><a href='https://{'board' if at > 1 else 'bank'}.test/offer/{name.lower().replace(' ', '-')}-{at}5678.html'>{name} {at}0</a></h3></td><td>{at + 1}00 000 zł</td></tr>"
        for at, name in enumerate(NAMES)
    )
    assert len(read(f"<table>{rows}</table>")) == 8


def test_one_script_may_show_all_things_while_sellers_have_addresses_of_their_own() -> None:
    rows = "".join(
        f"<li><div><div class=title>{at}. <h3><a href='/search.asp?id={at}4711'>{name}, Dublin {at} - House</a></h3></div><a href='/search.asp?id={at}4711'><img src=/i/{at}.jpg></a>"
        f"<a href='/firm{name[:3].lower()}/'><img src=/l/{at}.png></a><div><h4><span class=price>Asking Price €{at + 1}65,000</span>, <span>4 Bedrooms</span></h4></div></div></li>"
        for at, name in enumerate(NAMES)
    )
    found = read(f"<ul>{rows}</ul>", url="https://board.test/search.asp")
    assert found[2] == ("Ash Street, Dublin 2 - House", "365000.00", "https://board.test/search.asp?id=24711")
    assert len(found) == len(NAMES)


def test_what_all_rows_are_called_is_their_title_where_their_address_says_it() -> None:
    parts = ("", "north/", "", "east/", "", "west/", "", "old/", "", "new/")
    rows = "".join(
        f"<article><a href='/offers/apartment/town-75/{part}11864{at}.htm'><img src=/i/{at}.jpg></a><h2><a href='/offers/apartment/town-75/{part}11864{at}.htm'>Apartment</a></h2><ul><li>1 p</li><li>{at + 11} m²</li><li>{at} asc</li></ul>"
        f"<a href='/offers/apartment/town-75/{part}11864{at}.htm'>{at + 1}55 000 €</a><p>Town</p><div class=contact><p class=contact-name>{name} Homes</p><a href='/agencies/town-75/agency-5{at}.htm'>Site</a></div></article>"
        for at, (name, part) in enumerate(zip(NAMES, parts, strict=True))
    )
    found = read(rows)
    assert {title for title, _, _ in found} == {"Apartment"}
    assert [url for _, _, url in found] == [
        f"https://board.test/offers/apartment/town-75/{part}11864{at}.htm" for at, part in enumerate(parts)
    ]


def test_a_home_with_its_rent_below_its_name_is_no_list_of_the_others_beside_it() -> None:
    others = "".join(
        f"<li><a href='/rent.asp?id={at}4711'><img src=/i/{at}.jpg></a><a href='/rent.asp?id={at}4711'>{name}</a><strong>€{at + 7}00 Monthly</strong></li>"
        for at, name in enumerate(NAMES)
    )
    page = f"<html><title>Bel Park, Dublin 13 - Apartment to let</title><div><h2>Bel Park, Dublin 13</h2><div><div>€850 Monthly</div>Apartment to let|2 Bedrooms|1 Bathroom</div></div><h2>Other properties from us</h2><ul>{others}</ul></html>"
    found = extract(page, url="https://board.test/rent.asp?id=1102145", kind="listing").items
    assert [(item["title"], str(item["price"])) for item in found] == [("Bel Park, Dublin 13", "850.00")]


def test_a_thread_is_what_its_row_links_to_not_its_author_or_its_latest_answer() -> None:
    rows = "".join(
        f"<div class=item><div class=cell><div><a class=avatar href='/members/user{at}.{at}/'><img src=/u/{at}.jpg></a></div></div>"
        f"<div class=cell><div class=title><a href='/threads/{name.lower().replace(' ', '-')}-{'1996' if at % 3 else 'mint'}.{at + 900}/'>{name}</a></div><div><ul><li><a href='/members/user{at}.{at}/'>user{at}</a></li>"
        f"<li><a href='/threads/{name.lower().replace(' ', '-')}-{'1996' if at % 3 else 'mint'}.{at + 900}/'><time>{at + 1} May 2026</time></a></li></ul></div></div>"
        f"<div class=cell><a href='/threads/{name.lower().replace(' ', '-')}-{'1996' if at % 3 else 'mint'}.{at + 900}/latest'>Today 09:0{at}</a><div><a href='/members/anna.3/'>Anna</a></div></div></div>"
        for at, name in enumerate(NAMES)
    )
    found = read(f"<div class=list>{rows}</div>", url="https://board.test/forums/market.7/")
    assert [title for title, _, _ in found] == list(NAMES)
    assert [url.count("/threads/") - url.count("latest") for _, _, url in found] == [1] * len(NAMES)


def test_prose_names_no_price_where_other_rows_have_one() -> None:
    rows = "".join(
        f"<li><a href='/ad/{at}0001'><h3>{name}</h3></a><span class=value>{'Ask the owner' if at % 4 == 1 else f'{at + 1}5 €'}</span><p>Moving house, bought for 990 € two years ago.</p></li>"
        for at, name in enumerate(NAMES)
    )
    prices = [price for _, price, _ in read(f"<ul>{rows}</ul>")]
    assert prices == ["None" if at % 4 == 1 else f"{at + 1}5.00" for at in range(len(NAMES))]


def test_a_script_may_name_its_things_without_a_parameter() -> None:
    rows = "".join(
        f"<li class=threadbit><h3><a href='show.php?{at + 100}-{name.lower().replace(' ', '-')}'>{name}</a></h3><a href='member.php?{at % 3}-anna'>Anna</a> <a href='misc.php?do=who&t={at}'>{at}</a></li>"
        for at, name in enumerate(NAMES)
    )
    found = read(f"<ol class=threads>{rows}</ol>", url="https://board.test/forumdisplay.php?12-Sales")
    assert [title for title, _, _ in found] == list(NAMES)
    assert found[0][2] == "https://board.test/show.php?100-oak-lane"


def test_a_fee_behind_other_facts_is_no_price_on_a_last_page_of_one_row() -> None:
    row = "<table class=box><tr><td><a href='/home-{0}.html'>{1}</a></td></tr><tr><td>Ref: {0} | 157 m2 | 5 rooms | Service charge 45 €</td><td class=price>{2}</td></tr></table>"
    first = extract(
        f"<h1>Homes</h1>{''.join(row.format(at + 300, name, f'{at + 1}00 000 €') for at, name in enumerate(NAMES))}",
        url="https://board.test/homes",
        kind="listing",
    )
    assert [item["price"] for item in first.items[:2]] == ["100000.00", "200000.00"]
    last = Page("https://board.test/homes/9", row.format(399, "Yew Walk 9", "Sold"))
    assert RowPrices(last).of(last.css("table")) == {}


def test_a_maker_in_a_folder_of_its_own_below_the_language_is_no_thing() -> None:
    rows = "".join(
        f"<div class=item><a href='/it/marca/{'alba' if at % 2 else 'brera'}'>{'Alba' if at % 2 else 'Brera'}</a><a href='/it/prodotto/{name.lower().replace(' ', '-')}-{at + 100}'><img src=/{at}.jpg></a><a href='/it/prodotto/{name.lower().replace(' ', '-')}-{at + 100}'>{name}</a><b>{at + 1}5 €</b></div>"
        for at, name in enumerate(NAMES)
    )
    found = read(f"<div>{rows}</div>", url="https://board.test/it/catalogo")
    assert [title for title, _, _ in found] == list(NAMES)
    assert all("/it/prodotto/" in url for _, _, url in found)


def test_a_price_where_earlier_rows_had_their_title_is_none() -> None:
    """Without classes a title is the second `p` of a row that has a badge before it, else the first."""
    row = "<li><a href='/for-sale/{1}/{0}'><div><p>€{2}00,000</p></div><div><p>{3}</p></div><p>3 Bed</p></a></li>"

    def rows(first: int, last: int) -> str:
        return "".join(row.format(at + 7000, name.lower().replace(" ", "-"), at + 1, name) for at, name in [*enumerate(NAMES)][first:last])  # fmt: skip

    source = Source(
        id=1,
        slug="it",
        name="it",
        kind=Kind.LISTING,
        site_id=1,
        adapter="listing",
        url="https://board.test/homes",
    )
    first = parse(
        Page("https://board.test/homes", f"<h1>Homes</h1><ul>{rows(0, 9)}</ul>"),
        source=source,
        adapter=adapters.find("listing"),
        purpose=Purpose.INDEX,
    )
    assert isinstance(first, Extracted)
    last = Page("https://board.test/homes?from=9", f"<h1>Homes</h1><ul>{rows(9, 10)}</ul>")
    last.row_shapes = first.row_shapes
    found = parse(last, source=source, adapter=adapters.find("listing"), purpose=Purpose.INDEX)
    assert isinstance(found, Extracted)
    assert [item.fields["title"] for item in found.items] == [NAMES[9]]
