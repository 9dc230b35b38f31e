"""A page with one or two rows is read by how earlier pages of the same index build theirs."""

import re
from collections.abc import Sequence

import pytest

from larder.core.model.item import Extracted, Failed, RowShape
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.cascade import STRATEGIES, run_cascade
from larder.stages.parse.extraction_task import ExtractionTask

SITE = "https://forum.test"
HOT = (
    '<ul class="hot">'
    + "".join(f'<li><a href="/topic/{n}">Topic of {n}</a></li>' for n in range(3))
    + "</ul>"
)


def topics(*numbers: int) -> str:
    rows = "".join(
        f'<tr class="row"><td><a href="/t/item-{n}000">Lamp number {n}</a><a href="/u/{n}">by</a></td></tr>'
        for n in numbers
    )
    return f"<html><body><h1>Market</h1><table>{rows}</table>{HOT}</body></html>"


def nights(*numbers: int, at: str = "20:00") -> str:
    days = "".join(
        f'<div class="night"><b>{at}</b> <a href="/night/{n}">Band number {n}</a></div>' for n in numbers
    )
    return f"<html><body><h1>Agenda</h1><h3>Saturday 12 December 2026</h3>{days}{HOT}</body></html>"


def reading(html: str, kind: Kind = Kind.LISTING, shapes: Sequence[RowShape] = ()) -> Extracted | Failed:
    page = Page(f"{SITE}/market?page=2", html)
    page.row_shapes = shapes
    return run_cascade(ExtractionTask(page=page, kind=kind, purpose=Purpose.INDEX), tuple(STRATEGIES), [])


def shapes_of(html: str, kind: Kind = Kind.LISTING) -> tuple[RowShape, ...]:
    many = reading(html, kind)
    assert isinstance(many, Extracted)
    assert many.row_shapes
    return many.row_shapes


def paths(found: Extracted | Failed) -> list[str]:
    assert isinstance(found, Extracted), found
    return [str(item.fields["url"]).removeprefix(SITE) for item in found.items]


@pytest.mark.parametrize("numbers", [(7,), (7, 8)], ids=["one row", "two rows"])
def test_few_rows_are_read_as_those_of_the_page_before(numbers: tuple[int, ...]) -> None:
    found = reading(topics(*numbers), shapes=shapes_of(topics(1, 2, 3, 4)))
    assert paths(found) == [f"/t/item-{n}000" for n in numbers]
    assert isinstance(found, Extracted)
    assert [item.fields["title"] for item in found.items] == [f"Lamp number {n}" for n in numbers]


def test_a_page_without_such_rows_stays_without() -> None:
    known = shapes_of(topics(1, 2, 3, 4))
    found = reading("<html><body><h1>Market</h1><p>Nothing here.</p></body></html>", shapes=known)
    assert isinstance(found, Failed) or not found.items


def test_an_event_whose_day_was_not_read_is_left_to_its_own_page() -> None:
    known = shapes_of(nights(1, 2, 3, 4), Kind.EVENT)
    found = reading(nights(7, 8).replace("Saturday 12 December 2026", "Later"), Kind.EVENT, known)
    assert paths(found) == ["/night/7", "/night/8"]
    assert isinstance(found, Extracted)
    assert all("date_text" not in item.fields for item in found.items)


def test_a_row_without_any_title_is_counted_as_not_read() -> None:
    known = shapes_of(topics(1, 2, 3, 4))
    found = reading(topics(7, 8).replace("Lamp number 8", "").replace(">by<", "><"), shapes=known)
    assert (paths(found), found.unread if isinstance(found, Extracted) else None) == (["/t/item-7000"], 1)


def test_the_names_of_a_shape_are_in_the_same_order_in_every_process() -> None:
    """A set of classes has another order in each process; the shape that is stored must not."""
    classes = "unit row tile item card box cell entry offer lot"
    known = shapes_of(topics(1, 2, 3, 4).replace('class="row"', f'class="{classes}"'))
    assert known[0].names == ("box", "card", "cell", "entry", "item", "lot", "offer", "row")


def homes(*numbers: int, stripes: bool = False) -> str:
    rows = "".join(
        f'<div class="{("odd", "even")[n % 2] if stripes else "home"}"><a href="/homes/{n}0001"><img></a>'
        f'<span class="what"><a href="/homes/{n}0001">Bright flat number {n}</a></span>'
        f'<span class="where">{n} Church Street, York YO1 7HH</span><b>£{n}50,000</b>'
        f'<a href="/homes/{n}0001">Bekijk nu snel</a></div>'
        for n in numbers
    )
    return f"<html><body><h1>Homes</h1><div>{rows}</div></body></html>"


@pytest.mark.parametrize("stripes", [False, True], ids=["of one class", "of two classes in turn"])
@pytest.mark.parametrize("numbers", [(7,), (8,), (7, 8)], ids=["odd", "even", "two"])
def test_the_title_of_a_row_stands_where_those_of_the_page_before_did(
    numbers: tuple[int, ...], stripes: bool
) -> None:
    found = reading(homes(*numbers, stripes=stripes), shapes=shapes_of(homes(1, 2, 3, 4, 5, stripes=stripes)))
    assert paths(found) == [f"/homes/{n}0001" for n in numbers]
    assert isinstance(found, Extracted)
    assert [item.fields["title"] for item in found.items] == [f"Bright flat number {n}" for n in numbers]


def test_titles_that_stand_in_no_place_of_their_own_teach_none() -> None:
    tags = ("h2", "h3", "b", "i", "em")
    rows = "".join(
        f'<li class="ad"><a href="/ads/{n}0001"><{tag}>Lamp number {n}</{tag}></a> £{n}5</li>'
        for n, tag in enumerate(tags, start=1)
    )
    assert {shape.title for shape in shapes_of(f"<html><body><ul>{rows}</ul></body></html>")} == {""}


def boxes(*names: str) -> str:
    rows = "".join(
        f'<div class="prod-box"><a href="/loja/cadeira-crian-as-{n}"><img src="/p.jpg" alt="{name}"></a>'
        f'<p class="prod-nome"><a href="/loja/cadeira-crian-as-{n}">{name}</a></p>'
        f'<p class="preco">7{n},15€</p>'
        f'<a class="ver" href="/loja/cadeira-crian-as-{n}">Ver artigo</a></div>'
        for n, name in enumerate(names, start=1)
    )
    return (
        '<html lang="pt"><body><nav><a href="/">Início</a></nav><h1>Loja</h1>'
        f'<div class="grelha">{rows}</div>'
        '<div class="paginacao"><a href="/loja">1</a> <b>2</b></div></body></html>'
    )


def test_what_the_button_of_a_single_row_says_is_not_its_title() -> None:
    many = boxes("Mesa velha", "Banco pequeno", "Estante bonita", "Chaleira grande", "Cama de pinho")
    found = reading(boxes("Óculos"), Kind.PRODUCT, shapes_of(many, Kind.PRODUCT))
    assert isinstance(found, Extracted)
    assert [item.fields["title"] for item in found.items] == ["Óculos"]


def lettings(*numbers: int) -> str:
    rows = "".join(
        f'<div class="result"><a class="cost" href="/properties/140{n:03}"><b>£1,{n}00 pcm</b></a><div><a '
        f'class="link" href="/properties/140{n:03}"><h2 class="title">{n % 3 + 1} bedroom flat to rent</h2>'
        f'<address class="address"><span>{n} Mill Lane, Leeds</span></address></a></div></div>'
        for n in numbers
    )
    return f'<html lang="en"><body><h1>To rent in Leeds</h1><div id="results">{rows}</div></body></html>'


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_a_title_that_others_have_is_not_replaced_by_the_address_on_a_short_page(rows: int) -> None:
    numbers = range(60, 60 + rows)
    found = reading(lettings(*numbers), shapes=shapes_of(lettings(*range(1, 25))))
    assert isinstance(found, Extracted)
    titles = [item.fields["title"] for item in found.items]
    assert titles == [f"{n % 3 + 1} bedroom flat to rent" for n in numbers]


def test_rows_may_each_be_in_a_folder_of_their_own() -> None:
    def market(*numbers: int) -> str:
        html = re.sub(r"/t/item-(\d)000", r"/lamp-\1/id-\g<1>000/", topics(*numbers))
        return re.sub(r"<a href=./u/\d.>by</a>", "<b>€ 12,00</b>", html)

    found = reading(market(7, 8), shapes=shapes_of(market(1, 2, 3, 4)))
    assert paths(found) == ["/lamp-7/id-7000/", "/lamp-8/id-8000/"]
