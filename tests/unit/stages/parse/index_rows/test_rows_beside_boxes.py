"""Lists beside menus and boxes that name their prices, rows in alternating classes and in nameless wrappers."""

# ruff: noqa: E501 - a row of a page is one line

from larder.extraction import extract
from larder.sdk import Page
from larder.stages.parse.index_rows.blocks import row_blocks

NAMES = ("Oak Lane", "Elm Road", "Ash Street", "Fir Close", "Yew Walk", "Box Hill", "Bay Court", "May Row", "Ivy End", "Fig Place")  # fmt: skip
HEAD = f"{'<div>' * 7}<h1>All</h1>{'</div>' * 7}"
BOX = "<table class=infoBox><tr><td><table><tr><td><div><a href='/p/rope-77'>Rope by the foot</a><br><span class=productSpecialPrice>CAD$1.40</span></div></td></tr></table></td></tr></table>"


def read(
    body: str, *, url: str = "https://shop.test/shackles", kind: str = "product"
) -> list[tuple[str, str, str]]:
    found = extract(f"<html><title>All</title>{HEAD}{body}</html>", url=url, kind=kind)
    return [(item["title"], str(item.get("price")), item["url"]) for item in found.items]


def table_row(name: str, at: int) -> str:
    link = f"/shackles/p{at}/{name.replace(' ', '-')}.html"
    return (
        f"<tr class=listing-{'odd' if at % 2 else 'even'}><td><a href='{link}'><img src=/i/{at}.jpg alt='{name}'></a></td><td><a href='{link}'>{name}</a> by Acme</td>"
        f"<td><b>Our Price:&nbsp;CAD${at + 5}7.95&nbsp;</b></td></tr>"
    )


def test_prices_of_rows_count_where_only_a_box_names_its_own() -> None:
    rows = "".join(table_row(name, at) for at, name in enumerate(NAMES))
    found = read(f"{BOX}<table>{rows}</table>")
    assert [(title, price) for title, price, _ in found] == [
        (n, f"{at + 5}7.95") for at, n in enumerate(NAMES)
    ]
    assert (
        extract(f"{HEAD}{BOX}<table>{rows}</table>", url="https://shop.test/a", kind="product").items[0][
            "currency"
        ]
        == "CAD"
    )


def test_a_long_menu_does_not_hide_a_short_list_of_things() -> None:
    menu = "".join(
        f"<table><tr><td><a href='/group-{at}/c{at}/index.html'>Category number {at}</a></td></tr></table>"
        for at in range(64)
    )
    rows = "".join(table_row(name, at) for at, name in enumerate(NAMES[:6]))
    found = read(f"<div>{menu}</div>{BOX}<table>{rows}</table>")
    assert [title for title, _, _ in found] == list(NAMES[:6])


def test_rows_of_two_classes_are_one_list_whatever_their_addresses() -> None:
    """Fractions in a title give two of the addresses more parts than the others have."""
    rows = "".join(
        table_row(name, at).replace(
            f"{name.replace(' ', '-')}.html",
            "J-(3/8in.-1/2in.).html" if at in (2, 4) else f"{name.replace(' ', '-')}.html",
        )
        for at, name in enumerate(NAMES)
    )
    assert [title for title, _, _ in read(f"<table>{rows}</table>")] == list(NAMES)


def test_rows_in_nameless_wrappers_are_read_where_some_have_one_wrapper_more() -> None:
    def card(name: str, at: int) -> str:
        inner = f"<div><article class='x31de--_416c6--container'><a href='/sale/flat/31792{at}88/?context=4.v'><img src=/i/{at}.jpg></a><h3><a href='/sale/flat/31792{at}88/?context=4.v'>{name}</a></h3><p>{at + 1}0 426 100 ₽</p></article></div>"
        return f"<div>{inner}</div>" if at % 4 == 3 else inner

    page = Page(
        "https://board.test/cat.php",
        f"<main><h1>Flats</h1><div class=list>{''.join(card(n, at) for at, n in enumerate(NAMES))}</div></main>",
    )
    assert len(row_blocks(page)) == len(NAMES)


def test_the_link_of_a_row_may_end_in_a_slash_and_parameters() -> None:
    """Its own address is no section of it; the complex it is in has a page on a host of its own."""
    rows = "".join(
        f"<article class=card><a href='/sale/flat/3179278{at}/?context=4.v'><img src=/i/{at}.jpg></a><a href='/sale/flat/3179278{at}/?context=4.v'>{name}</a>"
        f"<a href='https://{name.split()[0].lower()}.board.test/'>Complex {name}</a><p>{at + 1}0 426 100 ₽</p></article>"
        for at, name in enumerate(NAMES)
    )
    found = read(f"<main>{rows}</main>", url="https://www.board.test/cat.php?deal=sale", kind="listing")
    assert all("/sale/flat/" in url for _, _, url in found)
    assert len(found) == len(NAMES)


def test_gift_cards_between_priced_things_are_no_rows() -> None:
    rows = "".join(
        f"<div class=tile><a href='/care/serum/{name.replace(' ', '-').lower()}/S{at}.html'><img src=/i/{at}.jpg alt='{name}'></a><a href='/care/serum/{name.replace(' ', '-').lower()}/S{at}.html'>{name}</a><span class=price>${at + 5}5.00</span></div>"
        + (
            "<div class=tile><a href='/gift-guide.html'><img src=/g.jpg alt='Gift guide'></a><p>Give the gift of skincare</p></div>"
            if at in (2, 6)
            else ""
        )
        for at, name in enumerate(NAMES)
    )
    assert [title for title, _, _ in read(f"<main>{rows}</main>", url="https://shop.test/care")] == list(
        NAMES
    )


def test_a_price_far_from_the_headline_does_not_make_a_list_one_thing() -> None:
    rows = "".join(table_row(name, at) for at, name in enumerate(NAMES))
    also = "<table><tr><td><table><tr><td class=main>Customers also purchased<br><a href='/p/watermaker-9'>Water maker</a>CAD$3,694.95</td></tr></table></td></tr></table>"
    assert len(read(f"<div><table>{rows}</table></div>{also}")) == len(NAMES)


def test_buttons_of_a_carousel_do_not_make_a_list_one_thing() -> None:
    """What is below a list's address are other things, not parts of one."""
    rows = "".join(
        f"<div class=tile><a href='/care/{name.replace(' ', '-').lower()}/S{at}.html'><img src=/i/{at}.jpg></a><a href='/care/{name.replace(' ', '-').lower()}/S{at}.html'>{name}</a><span class=price>${at + 5}5.00</span></div>"
        for at, name in enumerate(NAMES)
    )
    slide = "<div class=item><a href='/care/ptiox/S123.html'><img src=/i/x.jpg alt='P-Tiox serum'></a><a href='/care/ptiox/S123.html'>P-Tiox serum</a><span class=price>$150.00</span><form><button>Add to Bag</button></form></div>"
    assert len(
        read(
            f"<main><div class=c-carousel>{slide}</div><div>{rows}</div></main>", url="https://shop.test/care"
        )
    ) == len(NAMES)
