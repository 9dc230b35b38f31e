"""A page as its words: each with a selector that finds just them, and none of its markup."""

import pytest

from larder.extraction.page_outline import MAX_PIECES, MAX_ROWS, MAX_TEXT, OutlineBlock, outline
from larder.sdk import Page
from larder.sdk.selectors import read_selectors

ROW = (
    '<li class="card"><h2><a href="/p/{0}">Kettle {0}</a></h2><span>{0} EUR</span><span>in stock</span></li>'
)
SHOP = (
    '<header><h1 id="top">The shop</h1><nav><a href="/a">New</a><a href="/b">Old</a></nav></header>'
    f'<ul class="list">{"".join(ROW.format(each) for each in range(1, 31))}</ul><footer>Open daily</footer>'
)


def blocks(html: str) -> list[OutlineBlock]:
    return outline(Page("https://shop.test/", html))


def test_words_stand_in_the_rows_that_the_page_repeats() -> None:
    rows = [each for each in blocks(SHOP) if each.row]
    assert {each.row for each in rows} == {"li.card"}
    assert len(rows) == MAX_ROWS
    assert [piece.text for piece in rows[0].pieces] == ["Kettle 1", "1 EUR", "in stock"]


def test_what_stands_around_the_rows_is_shown_too() -> None:
    around = [piece.text for each in blocks(SHOP) if not each.row for piece in each.pieces]
    assert around == ["The shop", "New", "Old", "Open daily"]


def test_every_selector_finds_its_own_words_first() -> None:
    page = Page("https://shop.test/", SHOP)
    for block in {each.row: each for each in reversed(outline(page))}.values():
        scope = page.first(block.row) if block.row else page.tree
        assert scope is not None
        declared = read_selectors({"detail": {"fields": {each.text: each.path for each in block.pieces}}})
        assert declared.detail is not None
        assert declared.detail.read(scope) == {each.text: each.text for each in block.pieces}


def test_words_that_lead_somewhere_say_where() -> None:
    first = next(each for each in blocks(SHOP) if each.row).pieces[0]
    assert first.link == "a@href"
    assert not next(each for each in blocks(SHOP) if each.row).pieces[1].link


def test_a_row_may_be_the_link_itself() -> None:
    html = "".join(f'<a href="/p/{each}"><b>Kettle {each}</b><i>new</i></a>' for each in range(3))
    (first, *_) = blocks(f"<nav>{html}</nav>")
    assert first.row == "nav > a"
    assert [(piece.text, piece.path, piece.link) for piece in first.pieces] == [
        ("Kettle 0", "b", "@href"),
        ("new", "i", "@href"),
    ]


def test_boxes_that_only_look_alike_are_no_rows() -> None:
    html = "<div class=box><h1>Kettle</h1></div><div class=box><p>12 EUR</p><p>in stock</p></div>"
    assert {each.row for each in blocks(html)} == {""}


@pytest.mark.parametrize(
    "html",
    [
        "<p><o:p>odd</o:p></p>",
        '<x"y>odd</x"y>',
        "<div class='a:b \"c'><p class='1x'>odd</p></div>",
        "<p id='1 2'>odd</p>",
        f"{'<b>' * 300}odd",
    ],
    ids=["a prefix", "a quote in a tag", "classes nobody can name", "an id with a gap", "very deep"],
)
def test_odd_markup_is_words_all_the_same(html: str) -> None:
    assert [piece.text for each in blocks(html) for piece in each.pieces] == ["odd"]


def test_what_nobody_sees_is_left_out() -> None:
    unseen = "<script>a</script><style>b{}</style><template><p>c</p></template><noscript>d</noscript>"
    html = f"{unseen}<p>seen</p>"
    assert [piece.text for each in blocks(html) for piece in each.pieces] == ["seen"]


def test_it_is_bounded() -> None:
    many = "".join(f"<h{each % 6 + 1}>{'x' * 500} {each}</h{each % 6 + 1}>" for each in range(2_000))
    pieces = [piece for each in blocks(many) for piece in each.pieces]
    assert len(pieces) == MAX_PIECES
    assert max(len(piece.text) for piece in pieces) == MAX_TEXT
