"""Rows are like siblings."""

from larder.sdk import Page
from larder.stages.parse.heuristic.sibling_rows import rows_of


def rows(html: str) -> list[str]:
    page = Page("", f"<body>{html}")
    found = rows_of(page.css(".mark"))
    return list(dict.fromkeys(row.attr("id") or row.tag for row in found.values()))


def test_a_list_gives_its_elements() -> None:
    items = "".join(f"<li id=r{n}><p><b class=mark>x</b></p></li>" for n in range(3))
    assert rows(f"<ul>{items}</ul>") == ["r0", "r1", "r2"]


def test_two_marks_in_a_row_are_one_row() -> None:
    items = "".join(f"<li id=r{n}><b class=mark>x</b><b class=mark>y</b></li>" for n in range(3))
    assert rows(f"<ul>{items}</ul>") == ["r0", "r1", "r2"]


def test_groups_of_rows_are_no_rows() -> None:
    group = "".join(f"<li id=r{n}><b class=mark>x</b></li>" for n in range(6))
    assert rows(f"<ul>{group}</ul><ul>{group}</ul>") == [f"r{n}" for n in range(6)]


def test_a_mark_alone_takes_what_stands_around_it() -> None:
    assert rows("<main><div id=a><p>title</p><b class=mark>x</b></div></main>") == ["a"]
