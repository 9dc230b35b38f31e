"""Pagers whose address is in an attribute, a click or a list to choose from; and such that have none."""
# ruff: noqa: E501 - a pager is one line

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import find_next, is_last

AT = "https://s.test/lamps"


def look(pager: str, *, at: str = AT, language: str = "en") -> ExtractionTask:
    rows = "".join(
        f"<li><a href=/p/oak-lamp-{n}>Oak lamp {n}</a> <b>€ {n + 5},95</b></li>" for n in range(12)
    )
    page = (
        f"<html lang={language}><title>Lamps</title><main><h1>Lamps</h1><ul>{rows}</ul>{pager}</main></html>"
    )
    return ExtractionTask(page=Page(at, page), kind=Kind.PRODUCT, purpose=Purpose.INDEX)


@pytest.mark.parametrize(
    "pager",
    [
        '<button hx-get="/lamps?side=2" hx-target="#varer" hx-swap=beforeend>Vis flere</button>',
        '<select onchange="location=this.value"><option value=/lamps>1</option><option value="/lamps?side=2">2</option></select>',
        '<form><select name=side onchange="this.form.submit()"><option value=1 selected>1</option><option value=2>2</option></select></form>',
        '<span class=next data-href="/lamps?side=2">Next</span>',
        "<input type=button value=Next onclick=\"location.href='/lamps?side=2'\">",
        "<button onclick=\"window.location='/lamps?side=2'\">Weiter</button>",
        '<div class=infinite-scroll data-infinite-scroll-url="/lamps?side=2"></div>',
        '<load-more next="/lamps?side=2"></load-more>',
        '<script>window.pagination={"current":1,"total":3,"next":"/lamps?side=2"}</script>',
    ],
    ids=["htmx", "options with addresses", "a list by its name", "data-href", "a click", "a click on a button",
         "an attribute of any name", "an element of any name", "state"],
)  # fmt: skip
def test_the_address_that_a_control_holds_leads_on(pager: str) -> None:
    following = find_next(look(pager))
    assert following is not None
    assert following.url == f"{AT}?side=2"


def test_the_option_behind_the_selected_one_is_the_next_page() -> None:
    pager = "<p>Strona <select onchange='location=this.value'><option value='?s=1'>1</option><option value='?s=2' selected>2</option><option value='?s=3'>3</option></select> z 3</p>"
    following = find_next(look(pager, at=f"{AT}?s=2"))
    assert following is not None
    assert following.url == f"{AT}?s=3"
    assert find_next(look(pager.replace("<option value='?s=3'>3</option>", ""), at=f"{AT}?s=2")) is None


@pytest.mark.parametrize(
    "pager",
    [
        "<button data-page=2>Mehr Produkte laden</button>",
        "<ul class=pagination><li class=active><a href='#'>1</a></li><li><a href='#' data-page=2>2</a></li></ul>",
        "<nav class=pager><ul><li class=active data-page=1>1</li><li data-page=2>2</li></ul></nav>",
        "<select class=page-select><option>1</option><option>2</option><option>3</option></select>",
        "<div class=pager>1 / 3 <button>›</button></div>",
        "<button aria-label='Next page'><svg></svg></button>",
        "<a class=btn href='javascript:;'>Zobrazit dalších 12</a>",
        "<div><a class=ajax-load data-paged=2>Load More</a></div>",
    ],
    ids=["products to load", "numbers without addresses", "entries of a list", "options without addresses",
         "1 / 3", "an arrow", "twelve more", "a link without an address"],
)  # fmt: skip
def test_a_control_without_an_address_says_that_rows_are_missing(pager: str) -> None:
    task = look(pager)
    assert find_next(task) is None
    assert is_last(task) is False


@pytest.mark.parametrize(
    "pager",
    [
        "<p>All lamps are made by hand.</p>",
        "<select name=size><option>1</option><option>2</option></select>",
        "<select name=per_page><option value=12>12</option><option value=24>24</option></select>",
        "<div class=gallery-pager>1 / 4</div>",
        "<div data-image-url='/img/page/2.jpg'></div>",
        "<div class=filters><button data-url='/lamps?brand=2'>Show more</button></div>",
        "<a class=fav>Save</a>",
    ],
    ids=["no control", "sizes", "rows a page", "pictures", "a picture's address", "a filter", "another link"],
)
def test_what_is_no_pager(pager: str) -> None:
    assert find_next(look(pager)) is None
    assert is_last(look(pager)) is None
