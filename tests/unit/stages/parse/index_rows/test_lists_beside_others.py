"""Which of a page's lists is its own, and which link and text of a row name its thing?"""

from typing import Any

from larder.sdk import Page
from larder.stages.parse.amounts import rough_amount
from larder.stages.parse.index_rows.visible import visible_rows

SITE = "https://shop.test"


def fields_of(html: str) -> list[dict[str, Any]]:
    return [dict(item.fields) for item in visible_rows(Page(f"{SITE}/beads/", html))]


def titles_of(html: str) -> list[str]:
    return [fields["title"] for fields in fields_of(html)]


def card(n: int, tag: str = "li") -> str:
    return f"<{tag} class=card><a href='/p/bead-{n}0001'><h3>Bead called {n}</h3></a><p>€ {n},50</p></{tag}>"


CARDS = "".join(card(n) for n in range(1, 9))
WOODS = ("ahorn", "birke", "buche", "eiche", "fichte", "linde", "tanne", "ulme")
NAMES = [f"Bead called {n}" for n in range(1, 9)]


def test_a_menu_of_a_thousand_entries_is_not_the_list_beside_eight_priced_rows() -> None:
    entries = "".join(f"<li><a href='/c/kind-{n}/'>Kind of bead {n}</a></li>" for n in range(1_000))
    assert titles_of(f"<div><ul>{entries}</ul></div><div><ul>{CARDS}</ul></div>") == NAMES


def test_entries_that_hold_their_own_submenus_are_no_rows() -> None:
    entry = "<dd><a href='/c/{0}/'>Beads of sort {0}, in all sizes</a><ul>{1}</ul></dd>"
    menu = "".join(
        entry.format(
            n, "".join(f"<li><a href='/c/{n}/{k}/'>Sort {n} in size {k} mm</a></li>" for k in range(8))
        )
        for n in range(70)
    )
    cards = "".join(
        f"<li><a href='/p/bead-{n}0001'><img src={n}.jpg>{name}</a></li>" for n, name in enumerate(NAMES)
    )
    assert titles_of(f"<div><dl>{menu}</dl></div><div><ul>{cards}</ul></div>") == NAMES


def test_cells_side_by_side_are_rows_beside_fewer_cards() -> None:
    lines = "".join(f"<tr>{card(n, 'td')}{card(n + 1, 'td')}</tr>" for n in range(1, 9, 2))
    featured = "".join(
        f"<div class=featured><a href='/p/gift-{n}0001'>Gift number {n}</a> € {n}9,00</div>" for n in range(5)
    )
    found = titles_of(f"<div>{featured}</div><table>{lines}</table>")
    assert found == NAMES


def test_a_box_in_a_place_like_that_of_the_rows_takes_none_of_them() -> None:
    """A table beside a table: a thing that is new is in both."""
    row = (
        "<td><a href='item.php?id={0}'><img src={0}.jpg></a><br><a href='item.php?id={0}'>Bead called {0}</a>"
    )
    lines = "".join(
        f"<tr>{row.format(n)}<br>€ {n},50{row.format(n + 1)}<br>€ {n + 1},50" for n in range(1, 9, 2)
    )
    new = "<table><tr><td><a href='item.php?id=3'>Bead called 3</a></table>"
    found = fields_of(f"<table><tr><td>{new}<td><table>{lines}</table></table>")
    assert [(each["title"], rough_amount(each["price"])) for each in found] == [
        (name, n + 0.5) for n, name in enumerate(NAMES, 1)
    ]


def test_a_grid_that_facets_apply_to_is_no_facet() -> None:
    assert titles_of(f"<div class='ajax_facet_grid col-9'><ul>{CARDS}</ul></div>") == NAMES


def test_a_subtitle_is_no_title() -> None:
    row = (
        "<div class=item><a href='/p/{0}0001'></a><img src={0}.jpg><div class=text>Bead called {0}</div>"
        "<div class=item_subtitle>In a box of {0}0 ml</div><b>€ {0},50</b></div>"
    )
    assert titles_of("".join(row.format(n) for n in range(1, 9))) == NAMES


def test_a_subject_beside_its_price_is_the_title() -> None:
    row = (
        "<div class=item><a href='/p/bead-of-{1}-wood-{0}0001'><i>today</i><i>17:3{0}</i><img src={0}.jpg>"
        "<div class=ad_subject>Bead of {1} wood<div><b>€ {0},50</b></div></div></a>"
        "<a href='/p/bead-of-{1}-wood-{0}0001'>Sale of jewels<br>Town {0}</a></div>"
    )
    found = titles_of("".join(row.format(n, wood) for n, wood in enumerate(WOODS, 1)))
    assert found == [f"Bead of {wood} wood" for wood in WOODS]


def test_a_folder_that_holds_the_row_s_thing_is_its_brand() -> None:
    row = (
        "<div class=item><a href='/{1}/bead-called-{0}-p-{0}0001.html'><img src={0}.jpg></a>"
        "<a href='/{1}/bead-called-{0}-p-{0}0001.html'>Bead called {0}</a>"
        "<p>Maker: <a href='/{1}/?sid=4ra492h8'>{1}</a></p><b>€ {0},50</b></div>"
    )
    found = fields_of("".join(row.format(n, maker) for n, maker in enumerate(WOODS, 1)))
    assert [fields["url"].rpartition("-")[2] for fields in found] == [f"{n}0001.html" for n in range(1, 9)]
    assert [fields["title"] for fields in found] == NAMES


def test_a_page_about_the_row_s_thing_below_it_makes_it_no_folder() -> None:
    row = (
        "<li><a href='/item/{0}0001'><h3>Bead called {0}</h3></a>"
        "<a href='/item/{0}0001/contact'>Contact the seller</a><b>€ {0},50</b></li>"
    )
    found = fields_of("<ul>" + "".join(row.format(n) for n in range(1, 9)) + "</ul>")
    assert [fields["url"] for fields in found] == [f"{SITE}/item/{n}0001" for n in range(1, 9)]


def test_what_is_called_a_former_price_hides_no_selling_price_far_behind_the_link() -> None:
    colours = "<p>" + "<a href='javascript:x()'><i></i></a>" * 60 + "</p>"
    row = (
        "<li><a href='/p/bead-{0}0001'><h3>Bead called {0}</h3></a>{1}<ul><li><b>US $8.79</b> / 1 Bag</li>"
        "{2}</ul></li>"
    )
    old = "<li class=OldPrice>US $12.56 / 1 Bag</li>"
    found = fields_of("".join(row.format(n, colours, old if n % 2 else "") for n in range(1, 9)))
    assert [rough_amount(fields["price"]) for fields in found] == [8.79] * 8


def test_an_amount_in_a_link_of_its_own_is_no_title() -> None:
    row = (
        "<tr><td><a href='/bead-{0}/id-10000{0}/'><img src={0}.jpg></a></td><td>{0} left</td>"
        "<td><a href='/bead-{0}/id-10000{0}/'><span class=price>{0}.650 kr.</span></a></td></tr>"
    )
    assert titles_of("<table>" + "".join(row.format(n) for n in range(1, 9)) + "</table>") == []


def test_numbers_that_a_list_gives_its_rows_are_no_part_of_their_titles() -> None:
    row = "<li><h2><span>{0}.</span> <a href='/home/{1}0001'>{2}</a></h2><b>€ {1}50.000</b></li>"
    numbered = "".join(row.format(n + 20, n, name) for n, name in enumerate(NAMES, 1))
    assert titles_of(f"<ul>{numbered}</ul>") == NAMES
    years = "".join(row.format(1980 + 7 * n % 30, n, name) for n, name in enumerate(NAMES, 1))
    assert titles_of(f"<ul>{years}</ul>")[0] == "1987. Bead called 1"


def test_the_link_in_the_heading_and_the_picture_is_the_thing_s_not_that_of_its_agent() -> None:
    row = (
        "<div class=box><h2><a href='/{1}/houses-for-sale/town/house-{0}0001/'>Bead called {0}</a></h2>"
        "<a href='/{1}/houses-for-sale/town/house-{0}0001/'><img src={0}.jpg></a><b>€ {0}50.000</b>"
        "<ul><li>{2}</li></ul></div>"
    )
    agent = "Agent: <a href='/agent{0}/'>Agents of town {0}</a>"
    found = fields_of(
        "".join(row.format(n, wood, agent.format(n) if n % 3 else "") for n, wood in enumerate(WOODS, 1))
    )
    assert [fields["title"] for fields in found] == NAMES


def test_a_thing_that_a_parameter_names_is_the_rows_and_not_its_makers_page() -> None:
    makers = ["anna", "bert", "cleo", "dirk", "emma", "frank"]
    rows = "".join(
        f"<div class=row><a href='/?p={n}'><img src='{n}.jpg'></a>"
        f"<h2><a href='/?p={n}'>Oak table number {n}</a></h2>"
        f"<a href='/maker/{name}/'>{name} works</a><span>€ {n + 5},00</span></div>"
        for n, name in enumerate(makers)
    )
    found = fields_of(f"<main>{rows}</main>")
    assert [fields["url"] for fields in found] == [f"{SITE}/?p={n}" for n in range(6)]


def test_columns_whose_links_lead_to_people_and_answers_are_no_rows_beside_threads() -> None:
    lines = "".join(
        f"<tr><td><a href='/thread/{n}0001/'>{name}</a></td>"
        f"<td><a href='/members/jo.{n}/'>Jo number {n}</a></td>"
        f"<td><a href='/thread/{n}0001/latest'>Today</a></td></tr>"
        for n, name in enumerate(NAMES)
    )
    assert titles_of(f"<table>{lines}</table>") == NAMES


def test_rows_of_links_to_a_thing_its_author_and_its_category_are_no_menu() -> None:
    rows = "".join(
        f"<li><a href='/thread/{n}0001/'>{name}</a> <a href='/members/jo.{n}/'>Jo number {n}</a>"
        f" <a href='/c/b'>Beads</a></li>"
        for n, name in enumerate(NAMES)
    )
    assert titles_of(f"<ul>{rows}</ul>") == NAMES


def test_what_stands_elsewhere_without_the_class_of_all_rows_is_none_and_rows_in_a_wrapper_are() -> None:
    rows = "".join(card(n, "div") for n in range(1, 7))
    wrapped = f"<div class=premium>{card(7, 'div')}{card(8, 'div')}</div>"
    panel = "<div class=panel><h3>New by mail</h3><a href='/p/mail-90001'>Get new beads by mail</a></div>"
    wide = "".join(card(n, "div") for n in range(11, 17))
    found = titles_of(f"<main><div>{panel}</div><div>{rows}{wide}{wrapped}</div></main>")
    assert sorted(found) == sorted([*NAMES, *(f"Bead called {n}" for n in range(11, 17))])


def test_a_class_of_the_layout_makes_no_row() -> None:
    rows = "".join(
        f"<div class='grid offer'><a href='/p/bead-{n}0001'><h3>{name}</h3></a><p>€ {n},50</p></div>"
        for n, name in enumerate(NAMES)
    )
    others = "".join(
        f"<div class='grid {name}'><a href='/beads/{name}-0001'>All of them</a></div>"
        for name in ("all", "more")
    )
    assert titles_of(f"<div>{rows}{others}</div>") == NAMES


def test_where_most_rows_are_headed_by_their_link_all_are() -> None:
    row = (
        "<div class=box><h2><a href='/{1}/for-sale/town/bead-{0}0001/'>Bead called {0}</a></h2><b>€ {0}50</b>"
        "<ul><li>Agent: <a href='/agent{0}/'>Agents of town {0}</a></li></ul></div>"
    )
    counties = ["dublin"] * 7 + ["meath"]
    found = fields_of("".join(row.format(*each) for each in enumerate(counties, 1)))
    assert [fields["url"] for fields in found][-1] == f"{SITE}/meath/for-sale/town/bead-80001/"


def test_a_title_that_a_picture_says_first_weighs_what_its_link_does() -> None:
    row = (
        "<div class=box><a href='/p/{0}0001'><img src={0}.jpg alt='Bead called {1}'></a>"
        "<a href='/p/{0}0001'>Bead called {1}</a><a href='/p/{0}0001'>{1} street | Town</a><b>€ {0}</b></div>"
    )
    found = titles_of("".join(row.format(n, wood) for n, wood in enumerate(WOODS, 1)))
    assert found == [f"Bead called {wood}" for wood in WOODS]


def test_a_promoted_row_before_the_list_and_rows_of_a_list_called_the_same_are_rows() -> None:
    grid = "<div class=tiles><p class=head>Found</p><ul class=list-b1>{}</ul></div>"
    rows = "".join(card(n) for n in range(3, 9))
    promoted = "".join(card(n) for n in range(1, 3))
    assert titles_of(f"<main><div>{grid.format(promoted)}</div>{grid.format(rows)}</main>") == NAMES
    first = f"<div>{card(1, 'div')}<div>{''.join(card(n, 'div') for n in range(2, 9))}</div></div>"
    assert titles_of(f"<section>{first}</section>") == NAMES


def test_of_two_rows_of_a_target_the_one_with_a_price_counts() -> None:
    short = "<div class='card hidden'><a href='/p/bead-{0}0001'><h3>Bead called {0}</h3></a></div>"
    found = fields_of("".join(short.format(n) + card(n, "div") for n in range(1, 9)))
    assert [fields["price"] for fields in found] == [f"€ {n},50" for n in range(1, 9)]


def test_an_address_in_the_link_names_a_home_and_not_what_stands_beside_its_price() -> None:
    notes = ("No chain", "Annexe", "Garden", "Near schools", "River view", "Reduced", "New roof", "Corner")
    row = (
        "<div class=card><a href='/homes/{0}0001'><i>{2}</i> <b>£{0}50,000</b> <u>Guide price</u></a>"
        "<a href='/homes/{0}0001'><address>{1} Road, Leeds</address><i>House</i><i>3</i></a></div>"
    )
    found = titles_of("".join(row.format(n, wood, notes[n - 1]) for n, wood in enumerate(WOODS, 1)))
    assert found == [f"{wood} Road, Leeds" for wood in WOODS]
