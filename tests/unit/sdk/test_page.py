"""A page and its readers."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.sdk import Page, text_of
from larder.sdk.page import MAX_BYTES


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        pytest.param("<p>Größe".encode(), None, "<p>Größe", id="valid UTF-8"),
        pytest.param("<p>Größe".encode(), "text/html; charset=iso-8859-1", "<p>Größe",
                     id="UTF-8 whatever is said"),
        pytest.param("<p>Größe".encode("cp1252"), "text/html; charset=iso-8859-1", "<p>Größe", id="header"),
        pytest.param(b"<meta charset=windows-1250><p>" + "Kč 5".encode("cp1250"), None,
                     "<meta charset=windows-1250><p>Kč 5", id="meta tag"),
        pytest.param(codecs.BOM_UTF16_LE + "<p>x".encode("utf-16-le"), None, "<p>x", id="UTF-16 by its mark"),
        pytest.param("<p>ä".encode()[:-1], None, "<p>\ufffd", id="cut inside a character"),
        pytest.param("<p>Größe".encode("cp1252"), "text/html; charset=no-such", "<p>Größe",
                     id="unknown charset"),
    ],
)  # fmt: skip
def test_bytes_become_text(body: bytes, content_type: str | None, text: str) -> None:
    assert Page("https://x.test/", body, content_type).text == text


def test_a_page_too_large_is_cut_and_says_so() -> None:
    page = Page("https://x.test/", b"x" * (MAX_BYTES + 1))
    assert page.cut
    assert len(page.text) == MAX_BYTES
    assert not Page("https://x.test/", b"x").cut


def test_text_of_an_element_is_what_a_reader_sees() -> None:
    page = Page("", "<div><h1>One<br>two</h1><script>var x</script><p>three</p></div>")
    assert text_of(page.first("div")) == "One two three"
    assert text_of(None) == ""


def test_meta_tags_by_name_and_the_canonical_link() -> None:
    page = Page(
        "",
        """<meta property="og:title" content=" A  b "><meta property="og:title" content="second">
        <meta name=Price content=5><meta name=empty content=""><link rel=Canonical href="/x">""",
    )
    assert page.meta() == {"og:title": "A b", "price": "5", "canonical": "/x"}


def test_meta_tags_of_microdata_that_differ_from_row_to_row_are_not_the_page_s() -> None:
    rows = "".join(f"<li itemscope><meta itemprop=price content={n}><meta itemprop=priceCurrency content=PLN>"
                   for n in (5, 6))  # fmt: skip
    assert Page("https://a.b", f"<ul>{rows}</ul>").meta() == {"pricecurrency": "PLN"}


def test_json_ld_opens_lists_and_graphs_and_survives_a_broken_block() -> None:
    page = Page(
        "",
        """<script type="application/ld+json">[{"@graph": [{"@type": "A"}, {"x": 1}]}]</script>
        <script type="application/ld+json">@#!</script>
        <script type="APPLICATION/LD+JSON">{"@type": "B",}</script>""",
    )
    assert [node["@type"] for node in page.json_ld()] == ["A", "B"]


def test_states_are_found_by_the_name_their_script_gives() -> None:
    page = Page(
        "",
        """<script id="__NEXT_DATA__" type="application/json">{"props": {"a": 1}}</script>
        <script>window.__STATE__ = {"b": {"c": [1, 2]}}; var list = [{d: 'js', }];</script>
        <script>dataLayer.push({"e": 1})</script><script>x = JSON.parse("{\\"f\\": 2}")</script>""",
    )
    states = {state.name: state.value for state in page.embedded()}
    assert states["__NEXT_DATA__"] == {"props": {"a": 1}}
    assert states["__STATE__"] == {"b": {"c": [1, 2]}}
    assert states["list"] == [{"d": "js"}]
    assert states["dataLayer"] == {"e": 1}
    assert {"f": 2} in states.values()


def test_a_body_that_is_json_is_read_as_such() -> None:
    assert Page("", '{"a": [1]}').json() == {"a": [1]}
    assert Page("", "<p>{").json() is None


def test_what_is_read_once_is_not_read_again() -> None:
    asked: list[Page] = []

    def read(page: Page) -> int:
        asked.append(page)
        return len(asked)

    page = Page("", "<p>")
    assert (page.cached(read), page.cached(read)) == (1, 1)


@given(st.binary(max_size=300))
def test_no_body_makes_a_reader_raise(body: bytes) -> None:
    page = Page("https://x.test/", body)
    assert isinstance(page.visible, str)
    assert (page.json_ld(), page.microdata(), page.embedded()) is not None
    assert isinstance(page.meta(), dict)


def test_what_stands_outside_of_scripts() -> None:
    page = Page("https://a.example/", "<p>a</p><script>b</script><h1>c</h1><script src=d></script>e")
    assert page.unscripted == b"<p>a</p><script></script><h1>c</h1><script src=d></script>e"


def test_what_a_shadow_root_holds_is_part_of_the_page_and_other_templates_are_not() -> None:
    page = Page(
        "",
        "<x-card><template shadowrootmode='open'><b>12,50</b><x-buy><template shadowrootmode=open>"
        "<button>Buy</button></template></x-buy><template><i>unseen</i></template></template><h3>Lamp</h3></x-card>",
    )
    assert [text_of(element) for element in page.css("x-card b, x-card button, x-card h3")] == [
        "12,50",
        "Buy",
        "Lamp",
    ]
    assert "unseen" not in page.visible


def test_state_inside_a_script_is_no_attribute_however_long_the_script_is() -> None:
    held = "[" + ",".join(['{"id": 1}'] * 30) + "]"
    page = Page(
        "https://a.nl/", f"<script>{'x ' * 150_000} f('a', b='{held}')</script><p data-rows='{held}'>"
    )
    assert [each.name for each in page.state_attributes] == ["data-rows"]
