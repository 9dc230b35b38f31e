"""Where is the next page, and what shows it? Pagers as themes of shops and classifieds build them."""

import pytest

from larder.core.model.item import MAX_MONTHS, MAX_WEEKS, NextEvidence, NextPage
from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.sdk.selectors import read_selectors
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import find_next, is_last

SITE = "https://shop.test"


def next_of(
    html: str, at: str = "/shop/", kind: Kind = Kind.PRODUCT, declares: str | None = None
) -> NextPage | None:
    declared = None
    if declares is not None:
        index = {"row": "article", "fields": {"title": "h2"}, "next": declares}
        declared = read_selectors({"index": index}).index
    page = Page(SITE + at, html)
    return find_next(ExtractionTask(page=page, kind=kind, purpose=Purpose.INDEX, declared=declared))


def path_of(found: NextPage | None) -> str | None:
    return found.url.removeprefix(SITE) if found else None


WOOCOMMERCE = """<nav class="woocommerce-pagination"><ul class="page-numbers">
  <li><span aria-current="page" class="page-numbers current">1</span></li>
  <li><a class="page-numbers" href="/shop/page/2/">2</a></li>
  <li><a class="page-numbers" href="/shop/page/3/">3</a></li>
  <li><a class="next page-numbers" href="/shop/page/2/">&rarr;</a></li></ul></nav>"""
MAGENTO = """<div class="pages"><ul class="items pages-items"><li class="item current"><strong class="page">
  <span>2</span></strong></li><li><a href="/shop/?p=1" class="page"><span>1</span></a></li>
  <li><a href="/shop/?p=3" class="page"><span class="label">Page</span> <span>3</span></a></li></ul></div>"""
FORUM = """<table><tr><td class="smalltext">Pages: [<b>3</b>] <a class="navPages" href="/board/4.0.html">1</a>
  <a class="navPages" href="/board/4.20.html">2</a> <a class="navPages" href="/board/4.60.html">4</a>
  <a class="navPages" href="/board/4.80.html">5</a></td></tr></table>"""


@pytest.mark.parametrize(
    ("html", "at", "expected", "evidence"),
    [
        pytest.param('<link rel="next" href="?p=2">', "/shop/", "/shop/?p=2", "rel", id="head"),
        pytest.param(
            '<a rel="next" href="/s?page=3">3</a>', "/s?page=2", "/s?page=3", "rel", id="a marked link"
        ),
        pytest.param(WOOCOMMERCE, "/shop/", "/shop/page/2/", "link", id="WooCommerce"),
        pytest.param(MAGENTO, "/shop/?p=2", "/shop/?p=3", "link", id="Magento"),
        pytest.param(
            "<div class=pager>Seite 1 von 3 <a href='?page=1'><svg><use href='#chev-right'></svg></a></div>",
            "/cars",
            "/cars?page=1",
            "link",
            id="an icon without a word",
        ),
        pytest.param(
            "<ul class=pagination><a href='/s?page=1'><i class='fa fa-angle-left'></i></a>"
            "<a href='/s?page=3'><i class='fa fa-angle-right'></i></a></ul>",
            "/s?page=2",
            "/s?page=3",
            "link",
            id="an icon beside the one that leads back",
        ),
        pytest.param(
            "<li><a href='/item/7'>A</a></li><a href='/stock/10'>more</a>",
            "/stock",
            "/stock/10",
            "link",
            id="more",
        ),
        pytest.param(
            "<li><a href='/item/7'>A</a></li><a href='/stock/20'>more »</a>",
            "/stock/10",
            "/stock/20",
            "link",
            id="more than that",
        ),
        pytest.param(
            "<p>(of <b>34</b>) Pages: <b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a></p>",
            "/s",
            "/s?page=2",
            "link",
            id="a total beside the numbers",
        ),
        pytest.param(
            '<ul class="pagination"><li class="active"><a href="/shop?c=3">1</a></li>'
            '<li><a href="/shop/page/2?c=3">2</a></li></ul>',
            "/shop",
            "/shop/page/2?c=3",
            "link",
            id="two pages, the first under another address",
        ),
        pytest.param(
            '<p>Pagine: <b>1</b> <a href="/catalogo-2.htm">2</a></p>',
            "/catalogo-1.htm",
            "/catalogo-2.htm",
            "link",
            id="two pages, one number",
        ),
        pytest.param(
            '<ul><li class="pagination-next"><a href="/elenco?limitstart=14">Succ</a></li></ul>',
            "/elenco",
            "/elenco?limitstart=14",
            "link",
            id="the entry of the pager is called next",
        ),
        pytest.param(FORUM, "/board/4.40.html", "/board/4.60.html", "link", id="a forum that counts topics"),
        pytest.param(
            '<div><b>1</b> | <a href="/flats/seite-2/">2</a> | <a href="/flats/seite-3/">3</a></div>',
            "/flats/",
            "/flats/seite-2/",
            "link",
            id="numbers without any name",
        ),
        pytest.param(
            '<p><a href="?o=1">1</a> <a href="?o=3">3</a> <a href="?o=4">4</a></p>',
            "/ads/?o=2",
            "/ads/?o=3",
            "link",
            id="the current number is not shown, the address has it",
        ),
        pytest.param(
            '<ul class="pager"><li class="active"><a href="/l?page=0">1</a><li><a href="/l?page=1">2</a>'
            '<li><a href="/l?page=2">3</a></ul>',
            "/l",
            "/l?page=1",
            "link",
            id="pages counted from zero",
        ),
        pytest.param(
            '<a href="/huur/pagina-2.htm">Volgende &raquo;</a>',
            "/huur/",
            "/huur/pagina-2.htm",
            "link",
            id="nl",
        ),
        pytest.param('<a href="/mieten/?s=2">Nächste Seite</a>', "/mieten/", "/mieten/?s=2", "link", id="de"),
        pytest.param(
            '<a href="/louer/?o=2">Page suivante</a>', "/louer/?o=1", "/louer/?o=2", "link", id="fr"
        ),
        pytest.param('<a href="/pisos/2">Siguiente</a>', "/pisos/", "/pisos/2", "link", id="es"),
        pytest.param('<a href="/case/?pag=2">Avanti »</a>', "/case/", "/case/?pag=2", "link", id="it"),
        pytest.param(
            '<a href="/case/?pag=2">Pagina successiva</a>', "/case/", "/case/?pag=2", "link", id="it, longer"
        ),
        pytest.param(
            '<a href="/x?s=120" aria-label="next page"><i></i></a>', "/x", "/x?s=120", "link", id="an icon"
        ),
        pytest.param('<a href="/x?s=120"><img alt="Next"></a>', "/x", "/x?s=120", "link", id="a picture"),
        pytest.param(
            '<a class="next" href="?offset=20"><svg></svg></a>', "/x", "/x?offset=20", "link", id="a class"
        ),
        pytest.param(
            '<div class="pagination"><a href="?p=2">›</a><a href="?p=9">»</a></div>',
            "/x",
            "/x?p=2",
            "link",
            id="the single arrow leads on, the double one to the end",
        ),
        pytest.param(
            '<a href="/agenda?p=2">Toon meer</a>', "/agenda", "/agenda?p=2", "link", id="more rows by link"
        ),
        pytest.param(
            '<a href="index100.html">next 100 postings</a>',
            "/cta/",
            "/cta/index100.html",
            "link",
            id="a count",
        ),
        pytest.param(
            '<div class="paging"><b>3</b> <a href="?start=10">2</a> <a href="?start=0">1</a> … '
            '<a href="?start=190">20</a></div>',
            "/x?start=20",
            "/x?start=30",
            "pattern",
            id="the next one is not linked",
        ),
        pytest.param("<p>Page 3 of 20</p>", "/x?page=3", "/x?page=4", "pattern", id="a place and an address"),
        pytest.param(
            '<script type="application/json">{"paging": {"nextUrl": "/x?cursor=ab"}}</script>',
            "/x",
            "/x?cursor=ab",
            "cursor",
            id="an address in the state",
        ),
        pytest.param(
            '<script type="application/json">{"pageInfo": {"hasNextPage": true, "endCursor": "cd"}}</script>',
            "/x?after=ab",
            "/x?after=cd",
            "cursor",
            id="a cursor in the state",
        ),
        pytest.param(
            '<script type="application/json">{"search": {"page": 1, "totalPages": 7}}</script>',
            "/x?q=a",
            "/x?q=a&page=2",
            "cursor",
            id="a page number in the state",
        ),
        pytest.param(
            "<ul class=pagination><li><a href='/shop?c=3'>1</a></li>"
            "<li class=active><a href='/shop/page/2?c=3'>2</a></li>"
            "<li><a href='/shop/page/3?c=3'>3</a></li></ul>",
            "/shop/page/2?c=3",
            "/shop/page/3?c=3",
            "link",
            id="the first page's address is made otherwise",
        ),
        pytest.param(
            "<p class=pagination><a href='/a?from=0'>0</a> | <b class=on>10</b> | "
            "<a href='/a?from=20'>20</a></p>",
            "/a?from=10",
            "/a?from=20",
            "link",
            id="offsets for numbers",
        ),
        pytest.param(
            "<div class=paginator><a href='/m/page-2.html'><i></i></a></div>",
            "/m/",
            "/m/page-2.html",
            "link",
            id="an icon that counts on",
        ),
        pytest.param(
            "<div class=paginator><a href='/m?q=a&page=2'>x</a> <a href='/m?q=a&page=4'>y</a></div>",
            "/m?q=a&page=3",
            "/m?q=a&page=4",
            "link",
            id="unknown words, one of which counts on",
        ),
        pytest.param(
            "<a href='/x?p=2' aria-label='Aller à la page suivante'><i></i></a>",
            "/x",
            "/x?p=2",
            "link",
            id="go to the next page",
        ),
        pytest.param(
            "<a href='/x?offset=9'>Laad meer programma</a>",
            "/x",
            "/x?offset=9",
            "link",
            id="load more of it",
        ),
        pytest.param("<a href='/x?p=2'>Later events →</a>", "/x", "/x?p=2", "link", id="later ones"),
    ],
)
def test_the_next_page_is_where_the_page_shows_it(html: str, at: str, expected: str, evidence: str) -> None:
    found = next_of(html, at)
    assert path_of(found) == expected
    assert found is not None
    assert found.evidence == evidence
    assert found.because


@pytest.mark.parametrize(
    ("html", "at"),
    [
        pytest.param("<h1>Shoes</h1><a href=/a>A</a>", "/shop/", id="no pager"),
        pytest.param('<a href="https://other.test/?p=2">Next</a>', "/shop/", id="another site"),
        pytest.param(
            '<div class="carousel"><a class="next" href="/a?x=2">›</a></div>', "/shop/", id="a slide show"
        ),
        pytest.param(
            '<nav class="post-navigation"><a rel="next" href="/b-2">Next</a></nav>', "/a-1", id="an article"
        ),
        pytest.param(
            '<a href="/blog/spring-sale">Next »</a>', "/blog/winter", id="another article without a name"
        ),
        pytest.param(
            "".join(f'<a href="/p/{n}">Ver más</a>' for n in (10, 11, 12)), "/shop/", id="a link of each row"
        ),
        pytest.param(
            '<div class="pagination"><a href="?p=1">1</a><span class="current">2</span>'
            '<a class="disabled next" href="?p=3">Next</a></div>',
            "/x?p=2",
            id="the last page",
        ),
        pytest.param(
            '<p>Show <b>12</b> <a href="?limit=24">24</a> <a href="?limit=48">48</a></p>',
            "/x",
            id="rows a page",
        ),
        pytest.param(
            '<p>Rooms: <a href="/x/rooms-1">1</a> <a href="/x/rooms-2">2</a> <a href="/x/rooms-3">3</a></p>',
            "/x",
            id="a filter",
        ),
        pytest.param(
            "<table class=calendar>"
            + "".join(f"<td><a href=/d/{n}>{n}</a>" for n in range(1, 29))
            + "</table>",
            "/d/3",
            id="days of a calendar",
        ),
        pytest.param('<a class="next" href="#">Next</a><a href="javascript:go()">›</a>', "/x", id="nowhere"),
        pytest.param('<a rel="next" href="/x">Next</a>', "/x", id="this page"),
        pytest.param(
            "<p>A <a href='/news/7'>more</a></p><p>B <a href='/news/8'>more</a></p>",
            "/news",
            id="more of each thing",
        ),
        pytest.param("<p>A <a href='/stock/10'>more</a></p>", "/stock/20", id="more before this"),
    ],
)
def test_nothing_is_invented(html: str, at: str) -> None:
    assert next_of(html, at) is None


def test_a_declared_link_is_followed_whatever_else_the_page_shows() -> None:
    html = '<link rel=next href="?wrong=1"><p class=on><a href="../list;2">go</a></p>'
    found = next_of(html, "/a/b", declares="p.on a@href")
    assert found == NextPage(
        url=f"{SITE}/list;2", evidence=NextEvidence.DECLARED, because="the declared selector `next`"
    )
    assert path_of(next_of(html, "/a/b", declares="p.on")) == "/list;2", "of an element, its link"
    assert next_of("<link rel=next href=?p=2>", "/a/b", declares="p.on a@href") is None


def test_links_are_relative_to_the_base_of_the_page() -> None:
    html = '<base href="/app/"><div class=pagination><b>1</b><a href="list?start=10">2</a></div>'
    assert path_of(next_of(html, "/app/list")) == "/app/list?start=10"


@pytest.mark.parametrize(
    ("here", "there", "pages"),
    [
        pytest.param("/agenda/2026-11", "/agenda/2026-12", MAX_MONTHS, id="a month"),
        pytest.param("/agenda/2026-11-23", "/agenda/2026-11-30", MAX_WEEKS, id="a week"),
        pytest.param("/agenda?week=48", "/agenda?week=49", MAX_WEEKS, id="a week's number"),
    ],
)
def test_more_weeks_than_months_of_a_calendar_are_read(here: str, there: str, pages: int) -> None:
    nav = f'<div class="calendar-nav"><a href="{there}">Volgende</a></div>'
    found = next_of(nav, here, Kind.EVENT)
    assert found is not None
    assert (found.evidence, found.max_calendar_pages) == (NextEvidence.CALENDAR, pages)


def test_an_agenda_goes_on_in_the_next_month_only_where_nothing_else_leads_on() -> None:
    month = '<div class="calendar-nav"><a href="/agenda/2026-12">Volgende maand</a></div>'
    found = next_of(month, "/agenda/2026-11", Kind.EVENT)
    assert found is not None
    assert found.evidence is NextEvidence.CALENDAR
    assert next_of(month, "/agenda/2026-11", Kind.LISTING) is None
    both = next_of(month + '<a rel="next" href="?p=2">2</a>', "/agenda/2026-11", Kind.EVENT)
    assert both is not None
    assert both.evidence is NextEvidence.REL


MONTHS = "<p><a href='{0}'>« november</a> <b>december 2026</b> <a href='{1}'>januari »</a></p>"


@pytest.mark.parametrize(
    ("html", "at", "expected"),
    [
        (MONTHS.format("?mes=2026-11", "?mes=2027-01"), "/agenda", "/agenda?mes=2027-01"),
        (MONTHS.format("?mes=2026-11", "?mes=2027-01"), "/agenda?mes=2026-12", "/agenda?mes=2027-01"),
        (MONTHS.format("/agenda/2026/11", "/agenda/2027/01"), "/agenda/2026/12", "/agenda/2027/01"),
        (MONTHS.format("?m=11&y=2026", "?m=1&y=2027"), "/agenda", "/agenda?m=1&y=2027"),
        ("<a href='?date=2027-01-01'>Januar 2027</a>", "/agenda?date=2026-12-01", "/agenda?date=2027-01-01"),
        ("<a href='?date=2027-01-01'>Januar 2027 ›</a>", "/agenda", "/agenda?date=2027-01-01"),
        pytest.param("<a href='?m=2026-11'>november</a>", "/agenda", None, id="an earlier month"),
        pytest.param(
            "<h2>December 2026</h2><a href='?yr=2026&month=11'>Previous</a>"
            "<a href='?yr=2027&month=1'>Next <i>January</i></a>",
            "/agenda",
            "/agenda?yr=2027&month=1",
            id="a word before the month",
        ),
        pytest.param(
            "".join(f"<a href='/agenda/2026-{n:02}'>{n}</a>" for n in range(1, 13)),
            "/agenda",
            None,
            id="an archive",
        ),
        pytest.param("<a href='/agenda/2027-01-05'>January</a>", "/agenda/2026-12-05", None, id="a day"),
    ],
)
def test_an_agendas_pager_may_name_months_only(html: str, at: str, expected: str | None) -> None:
    found = next_of(html, at, Kind.EVENT)
    assert path_of(found) == expected
    assert found is None or found.evidence is NextEvidence.CALENDAR


def test_a_huge_pager_is_read_in_bounds() -> None:
    html = "<div>" + "".join(f'<a href="/x/{n}/?p={n}">{n}</a>' for n in range(1, 20_000)) + "</div>"
    assert next_of(html, "/x") is None
    page = ExtractionTask(page=Page(f"{SITE}/x", html), kind=Kind.PRODUCT, purpose=Purpose.INDEX)
    assert is_last(page) is None


def test_a_hidden_link_leads_nowhere() -> None:
    assert next_of('<div class=pagination><a href="/shop/?p=3" hidden>Next</a></div>', "/shop/?p=2") is None


def radios(checked: int, name: str = "p") -> str:
    buttons = "".join(
        f"<li><input type=radio name={name} value={n}{' checked' * (n == checked)}><label>{n}</label></li>"
        for n in (1, 2, 3)
    )
    return f"<nav class=pagination-nav><ul class=pagination>{buttons}</ul></nav>"


@pytest.mark.parametrize(
    ("html", "at", "expected"),
    [
        pytest.param(
            "<button data-next='/shop/?page=2'>Toon meer producten</button>",
            "/shop/",
            "/shop/?page=2",
            id="a button that keeps an address",
        ),
        pytest.param(
            "<button data-url='/reviews?page=2'>Load more reviews</button>",
            "/shop/",
            None,
            id="of another list",
        ),
        pytest.param(
            "<section data-next-url='/shop/?page=3'></section>",
            "/shop/?page=2",
            "/shop/?page=3",
            id="a list that keeps an address",
        ),
        pytest.param(
            "<button hx-get='/tiles?page=2' hx-swap='outerHTML'>Load more</button>",
            "/shop/",
            "/tiles?page=2",
            id="a button that fetches a piece of the page",
        ),
        pytest.param(
            "<div hx-get='/shop/?page=2' hx-trigger='revealed'></div>",
            "/shop/",
            "/shop/?page=2",
            id="rows that are fetched when a reader comes to them",
        ),
        pytest.param(
            "<turbo-frame id=page_2 src='/shop/?page=2' loading=lazy></turbo-frame>",
            "/shop/",
            "/shop/?page=2",
            id="a frame that is fetched late",
        ),
        pytest.param(
            "<div hx-get='/basket' hx-trigger='revealed'></div>", "/shop/", None, id="a piece without rows"
        ),
        pytest.param(
            "<form action='/shop/'><input type=hidden name=cat value=7>"
            "<button name=pagina value=2>Seguinte</button></form>",
            "/shop/?cat=7",
            "/shop/?cat=7&pagina=2",
            id="a form's button that names the page",
        ),
        pytest.param(
            "<form method=post><input type=hidden name=page value=2><button>Next</button></form>",
            "/shop/",
            None,
            id="a form that is never sent",
        ),
        pytest.param(
            "<form action='/shop/'><input name=q><button>Next</button></form>",
            "/shop/",
            None,
            id="another form",
        ),
        pytest.param(radios(1), "/shop/", "/shop/?p=2", id="radio buttons"),
        pytest.param(radios(3), "/shop/?p=3", None, id="the last of them"),
        pytest.param(
            radios(2, "stars").replace("pagin", "rat"), "/shop/", None, id="radio buttons of a form"
        ),
        pytest.param(
            "<div class='ui pagination menu'><a class=item rel=next href='?page=2'>Next</a></div>",
            "/shop/",
            "/shop/?page=2",
            id="a pager that is called a menu, too",
        ),
    ],
)
def test_controls_that_are_no_links_are_followed_where_the_page_holds_the_address(
    html: str, at: str, expected: str | None
) -> None:
    assert path_of(next_of(html, at)) == expected


def day_tabs(*days: str) -> str:
    tabs = "".join(
        f'<a href="/programma{query}">{name}</a>'
        for query, name in (("", "vr 20 nov"), *((f"?dag=2026-11-{day}", f"{day} nov") for day in days))
    )
    return f'<div class="dagen">{tabs}</div>'


ONE_DAY = (
    '<h2>{}</h2><div class="film"><h3><a href="/film/a">Nachttrein</a></h3><a href="/t/1">20:30</a></div>'
)
SEVERAL_DAYS = (
    "<ul><li><a href='/e/1'>Lezing</a> 20 november</li><li><a href='/e/2'>Koor</a> 22 november</li></ul>"
)


@pytest.mark.parametrize(
    ("html", "at", "expected"),
    [
        pytest.param(
            day_tabs("21", "22") + ONE_DAY.format("Vrijdag 20 november"), "/programma",
            "/programma?dag=2026-11-21", id="from the first day",
        ),
        pytest.param(
            day_tabs("21", "22", "23") + ONE_DAY.format("Zondag 22 november"), "/programma?dag=2026-11-22",
            "/programma?dag=2026-11-23", id="from a later day",
        ),
        pytest.param(
            day_tabs("21", "22") + ONE_DAY.format("Zondag 22 november"), "/programma?dag=2026-11-22", None,
            id="from the last day",
        ),
        pytest.param(day_tabs("21", "22") + SEVERAL_DAYS, "/programma", None, id="a whole agenda's filter"),
        pytest.param(
            "".join(
                f"<div><a href=/programma/{name}/2026-11-{day}-18-00>{name} {day} nov</a></div>"
                for name, day in (("koor", 20), ("film", 24), ("lezing", 26))
            ),
            "/programma?p=2", None, id="pages of events, which differ in more than the day",
        ),
    ],
)  # fmt: skip
def test_a_programme_with_a_page_for_each_day_goes_on_day_by_day(
    html: str, at: str, expected: str | None
) -> None:
    assert (
        path_of(next_of(f"<html lang=nl><body><h1>Programma</h1>{html}</body></html>", at, Kind.EVENT))
        == expected
    )


def test_buttons_of_a_component_name_page_and_parameter() -> None:
    pager = "<nav aria-label='Pagination'><span aria-current=page>2</span>{}</nav>"
    turn = "<button wire:click=\"gotoPage({0}, 'page')\">{0}</button>"
    assert path_of(next_of(pager.format(turn.format(1) + turn.format(3)), "/shop?page=2")) == "/shop?page=3"
    assert path_of(next_of(pager.format(turn.format(1)), "/shop?page=2")) is None


LETTERS = "".join(f'<a href="/herbs/{letter.lower()}">{letter}</a>' for letter in "ABDEFK")


@pytest.mark.parametrize(
    ("at", "expected"),
    [("/herbs/a", "/herbs/b"), ("/herbs/b", "/herbs/d"), ("/herbs/k", None), ("/herbs", None)],
    ids=["the first", "a gap", "the last", "all things: letters are a filter"],
)
def test_an_index_from_a_to_z_goes_on_letter_by_letter(at: str, expected: str | None) -> None:
    assert path_of(next_of(f"<h1>Herbs</h1><div>{LETTERS}</div>", at)) == expected


@pytest.mark.parametrize(
    "label", ["Meer laden ↓", "← Articoli meno recenti", "Entradas más antiguas", "← Starsze wpisy"]
)
def test_links_to_more_and_to_older_rows_lead_on(label: str) -> None:
    link = f'<nav class="pagination"><a href="/shop/?after=eyJ9">{label}</a></nav>'
    assert path_of(next_of(link)) == "/shop/?after=eyJ9"


def test_a_heading_tells_the_month_of_a_page_whose_address_names_none() -> None:
    tabs = "".join(f'<a href="/agenda{q}">{m}</a>' for q, m in (
        ("", "november"), ("?jaar=2026&maand=12", "december"), ("?jaar=2027&maand=1", "januari"),
    ))  # fmt: skip
    page = f"<html lang=nl><body><h1>Activiteiten november 2026</h1><p>{tabs}</p></body></html>"
    assert path_of(next_of(page, "/agenda", Kind.EVENT)) == "/agenda?jaar=2026&maand=12"


def test_more_events_may_be_asked_for_within_a_calendar() -> None:
    more = '<a class="calendar-view-more" href="/events/?start=8">View more events...</a>'
    html = f'<div id="event-calendar">{more}</div>'
    found = next_of(html, "/events/", Kind.EVENT)
    assert path_of(found) == "/events/?start=8"


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        pytest.param("/shop/", "/shop/?page=2", id="on the first page"),
        pytest.param("/shop/?page=2", "/shop/?page=3", id="on a later one"),
        pytest.param("/shop/?sort=price", None, id="an index that is sorted otherwise"),
    ],
)
def test_a_pager_whose_numbers_are_all_links_marks_none(at: str, expected: str | None) -> None:
    links = "".join(f"<a href='/shop/?page={n}'>{n}</a>" for n in (1, 2, 3))
    assert path_of(next_of(f"<div>{links}</div>", at)) == expected


def test_numbers_behind_a_stated_position_do_not_belong_to_it() -> None:
    links = "".join(f"<span><a href='?f=1&page={n}'>{n}</a></span>" for n in (1, 2))
    html = f"<span>Page 3 of 3</span>{links}<span>3</span>"
    assert next_of(html, "/forum?f=1&page=3", Kind.LISTING) is None


def test_older_things_of_any_kind_follow() -> None:
    html = (
        "<p><a href='/shop/?pg=1'>← Newer pieces</a> Page 2 of 3 <a href='/shop/?pg=3'>Older pieces →</a></p>"
    )
    assert path_of(next_of(html, "/shop/?pg=2")) == "/shop/?pg=3"


def test_an_address_with_the_number_of_the_next_page_leads_on_whatever_its_link_says() -> None:
    html = (
        "<div><a href='/meubles/3-lit.htm'>Lit</a></div><p><a href='/meubles/page-2.htm'>Et ensuite</a></p>"
    )
    assert path_of(next_of(html, "/meubles/")) == "/meubles/page-2.htm"
    several = "".join(f"<a href='/shop/page-2/{name}'>{name}</a>" for name in ("oak", "elm"))
    assert next_of(several, "/shop/") is None
