"""A declaration in a file: what is wrong is told with its line and with what to write instead."""

from pathlib import Path

import pytest

from larder.core.errors import BadInput
from larder.sdk.declarations.declaration import parse_declaration, read_declaration

WHOLE = """\
strategies: [selectors]
selectors:
  detail:
    fields:
      title: h1
      price: [.now, .price]
"""


def test_the_whole_form_and_the_bare_one_declare_the_same() -> None:
    bare = "detail:\n  fields:\n    title: h1\n    price: [.now, .price]\n"
    assert parse_declaration(bare)["selectors"] == parse_declaration(WHOLE)["selectors"]


def test_the_only_source_of_a_catalogue_is_taken_as_it_would_be() -> None:
    source = "sources:\n  - slug: s\n    url: https://s.example/\n    params:\n"
    indented = "".join(f"      {line}\n" for line in WHOLE.splitlines())
    assert parse_declaration(source + indented) == parse_declaration(WHOLE)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param("", 1, "begins with `selectors:`", id="nothing"),
        pytest.param("- a\n- b\n", 1, "begins with `selectors:`", id="a list"),
        pytest.param("selectors: {\n", 2, "not YAML", id="broken YAML"),
        pytest.param("strategies: [selectors]\n", 1, "`selectors` is missing", id="no selectors"),
        pytest.param(WHOLE + "colour: red\n", 7, "no field `colour`", id="unknown field"),
        pytest.param(WHOLE.replace("[selectors]", "[xpath]"), 1, "`strategies` is a list", id="strategy"),
        pytest.param(WHOLE.replace("h1", '"h1[["'), 5, "invalid CSS selector", id="bad CSS"),
        pytest.param(WHOLE.replace(".price", "'..'"), 6, "invalid CSS selector", id="bad alternative"),
        pytest.param(WHOLE.replace("h1", "{css: h1, regex: '('}"), 5, "regex", id="bad pattern"),
        pytest.param(WHOLE.replace("h1", "3"), 5, "got a number", id="a number"),
        pytest.param(WHOLE.replace("detail", "details"), 3, "no such key", id="misspelt part"),
        pytest.param("detail:\n  field:\n    title: h1\n", 2, "no such key", id="misspelt fields"),
        pytest.param("index:\n  fields: {title: h2}\n", 1, "`row` is missing", id="no row"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(BadInput, match=says.replace("[", r"\[")) as wrong:
        parse_declaration(text, name="corner.yaml")
    assert str(wrong.value).startswith(f"corner.yaml:{line}: ")
    assert wrong.value.hint


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        read_declaration(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"title: caf\xe9")
    with pytest.raises(BadInput, match="not UTF-8"):
        read_declaration(tmp_path / "latin.yaml")
    with pytest.raises(BadInput, match="cannot be read"):
        read_declaration(tmp_path)
