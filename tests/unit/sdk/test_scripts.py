"""Scripts are found in a page's text as a browser would find them, and in one pass however broken it is."""

import pytest

from larder.sdk.raw_markup import Markup
from larder.sdk.scripts import read_scripts


def texts(page: str) -> list[str]:
    return [script.text for script in read_scripts(Markup(page))]


def test_scripts_in_order_with_their_attributes() -> None:
    page = """<script>a</script><p><script type="x/y" id=z data-name='q'>b</script>"""
    first, second = read_scripts(Markup(page))
    assert (first.text, second.text) == ("a", "b")
    assert [second.attribute(name) for name in ("type", "id", "data-name", "src")] == ["x/y", "z", "q", ""]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param('<script data-x="a>b">c</script>', ["c"], id="a bracket in quotes"),
        pytest.param("<script>a", ["a"], id="never closed"),
        pytest.param("<scripted>a</scripted>", [], id="another tag"),
        pytest.param("<script", [""], id="cut in the tag"),
        pytest.param('<script>"<script>b"</script>', ['"<script>b"'], id="a tag in a string"),
    ],
)
def test_what_pages_do_to_their_scripts(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


def test_escapes_in_attributes_are_read() -> None:
    (script,) = read_scripts(Markup('<script type="application/ld&#x2B;json">{}</script>'))
    assert script.attribute("type") == "application/ld+json"
    assert script.is_json_ld


def test_a_script_in_a_comment_is_known_as_such() -> None:
    inside, outside = read_scripts(Markup("<!-- <script>a</script> --><script>b</script>"))
    assert inside.is_commented
    assert not outside.is_commented
