"""A page's bytes are read in place, whatever they are written in."""

import pytest

from larder.sdk.raw_markup import Markup, attribute_of


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("<p>Größe".encode(), "Größe", id="UTF-8"),
        pytest.param("<p>Größe".encode("cp1252"), "Größe", id="as the page is written"),
        pytest.param("<p>Größe".encode("utf-16"), "Größe", id="UTF-16 is written anew"),
        pytest.param("<p>Größe", "Größe", id="text"),
    ],
)
def test_a_piece_is_decoded_alone(source: bytes | str, text: str) -> None:
    markup = Markup(source, "text/html; charset=windows-1252")
    assert markup.piece(markup.body.find(b">") + 1, len(markup.body)) == text


@pytest.mark.parametrize(
    ("tag", "end"),
    [
        pytest.param("<a>", 2, id="plain"),
        pytest.param('<a b=">" c=\'>"\'>x>', 15, id="brackets and quotes in quotes"),
        pytest.param('<a b="it\'s">', 11, id="an apostrophe in quotes"),
        pytest.param('<a b="c>', 7, id="a quote that is never closed"),
        pytest.param("<a", -1, id="cut in the tag"),
    ],
)
def test_where_a_tag_ends(tag: str, end: int) -> None:
    assert Markup(tag).end_of_tag(0) == end


def test_what_is_text_and_not_markup() -> None:
    markup = Markup("<script>'<i>'</script><!-- <b> --><u>")
    inert = {tag: markup.is_inert(markup.body.find(tag)) for tag in (b"<i>", b"<b>", b"<u>")}
    assert inert == {b"<i>": True, b"<b>": True, b"<u>": False}


@pytest.mark.parametrize(
    ("page", "address"),
    [
        pytest.param(
            '<link rel="canonical" href="https://x.test/a?b&amp;c">', "https://x.test/a?b&c", id="own"
        ),
        pytest.param("<link href=/a rel=canonical>", "/a", id="without quotes"),
        pytest.param('<a class="canonical" href="/b"></a>', "", id="another tag"),
        pytest.param("<script>canonical</script><link rel=canonical href=/a>", "/a", id="a word before it"),
        pytest.param("<p>", "", id="none"),
    ],
)
def test_the_address_that_a_page_gives_itself(page: str, address: str) -> None:
    assert Markup(page).canonical == address


def test_attributes_are_read_in_any_writing() -> None:
    tag = """<x A="1" b='2' c=3 d="&lt;4">"""
    assert [attribute_of(tag, name) for name in "abcde"] == ["1", "2", "3", "<4", ""]
