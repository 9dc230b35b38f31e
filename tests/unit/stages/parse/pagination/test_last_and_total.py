"""Is there a next page, and how many rows are claimed?"""

import pytest

from larder.core.model.job import Purpose
from larder.core.model.source import Kind
from larder.sdk import Page
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.pagination import advertised_total, is_last


def look(html: str) -> ExtractionTask:
    return ExtractionTask(page=Page("https://x.test/", html), kind=Kind.LISTING, purpose=Purpose.INDEX)


@pytest.mark.parametrize(
    ("html", "last"),
    [
        pytest.param("<link rel=next href=?page=2>", False, id="a link in the head"),
        pytest.param("<a rel='nofollow next' href=?page=2>2</a>", False, id="a link marked next"),
        pytest.param("<nav><a href=?p=2>Volgende</a></nav>", False, id="a word in Dutch"),
        pytest.param("<div class=pagination><a href=?p=2>›</a></div>", False, id="an arrow"),
        pytest.param("<a class='next page' href=?p=2>go on</a>", False, id="a class"),
        pytest.param(
            "<div class=pagination><a href=?p=1>1</a><a class='next disabled' href=#>Next</a></div>",
            True,
            id="switched off",
        ),
        pytest.param("<p>Page 3 of 7</p>", False, id="three of seven"),
        pytest.param("<p>Seite 7 von 7</p>", True, id="seven of seven"),
        pytest.param("<a rel=prev href=?page=1>1</a>", True, id="only a way back"),
        pytest.param(
            "<div><b>1-15</b> | <a href=?s=15>16-30</a> | <a href=?s=30>31-32</a></div>",
            False,
            id="the next rows",
        ),
        pytest.param(
            "<div><a href=?s=0>1-15</a> | <a href=?s=15>16-30</a> | <b>31-32</b></div>",
            None,
            id="the last rows",
        ),
        pytest.param("<p>Flats</p>", None, id="no word about it"),
        pytest.param("<button>Mehr laden</button>", False, id="more rows by script"),
        pytest.param("<ul class=pager><li><a href=#>Next</a></ul>", False, id="a pager that is a script"),
        pytest.param("<ul class=pager><li class=disabled><a href=#>Next</a></ul>", True, id="its end"),
        pytest.param(
            "<div class=pagination><button disabled>1</button><button>2</button></div>",
            False,
            id="numbered buttons",
        ),
        pytest.param(
            "<div class=pagination><button>1</button><button disabled>2</button></div>",
            None,
            id="the last of them",
        ),
        pytest.param(
            """<tr class=GridPager><td><b>1</b> <a href="javascript:__doPostBack('g','Page$2')">2</a>""",
            False,
            id="a form that is sent again turns the pages",
        ),
        pytest.param(
            """<p><a href="javascript:goToPage(1)">1</a> <a href="javascript:goToPage(2)">2</a> <b>3</b>""",
            None,
            id="the last page of such a form",
        ),
        pytest.param(
            "<form method=post class=pager><input type=submit value='Weiter'></form>",
            False,
            id="a form's button in a pager",
        ),
        pytest.param(
            "<form method=post><input type=hidden name=page value=2><button>Volgende</button></form>",
            False,
            id="a form that has no address",
        ),
        pytest.param("<button>Show more</button>", None, id="a text or a filter unfolds"),
        pytest.param("<p>Page 4 sur 4</p>", True, id="four of four in French"),
    ],
)
def test_the_last_page_is_known_by_what_it_shows(html: str, last: bool | None) -> None:
    assert is_last(look(html)) is last


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Showing 1-30 of 1,204 results", 1204),
        ("Prezzo da €50.000 €100.000 Immobili in vendita 24 immobili trovati", 24),
        ("12.345 Treffer", 12345),
        ("31 advertenties", 31),
        ("No number here", None),
        ("Page 2 of 7", None),
        ("1–24 of 317", 317),
        ("1 - 24 von 317", 317),
        ("1 234 annonces", 1234),
        ("1\u202f234 résultats", 1234),
        ("317 Ergebnisse", 317),
        ("25 t/m 48 van 1.204", 1204),
        ("next 100 postings", None),
        ("12/37 annonces", None),
        ("40 produkter", 40),
        ("84 položek celkem", 84),
        ("Vous avez vu 18 produits sur 27", 27),
        ("18 Produkte von 27", 27),
    ],
)
def test_the_claimed_number_of_rows(text: str, rows: int | None) -> None:
    assert advertised_total(look(f"<p>{text}</p>")) == rows


def test_a_count_below_the_rows_shown_counts_something_else() -> None:
    page = look("<p>Basket: 0 items</p><p>2 products compared</p><h1>48 products</h1>")
    assert advertised_total(page, 24) == 48
    assert advertised_total(look("<p>Basket: 0 items</p>"), 24) is None
