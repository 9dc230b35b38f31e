"""Templates, styles and scripts are read by people too: no line is longer than a window is wide."""

from pathlib import Path

import pytest

from larder.web.render import FOLDER, STATIC

WIDEST = 120
WRITTEN = sorted(
    [
        *(FOLDER / "templates").rglob("*.html"),
        *(each for each in STATIC.iterdir() if each.suffix in (".css", ".js")),
    ]
)


def test_there_is_something_to_read() -> None:
    assert {each.suffix for each in WRITTEN} == {".html", ".css", ".js"}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(FOLDER)))
def test_lines_fit_into_a_window(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert [(number, len(line)) for number, line in enumerate(lines, 1) if len(line) > WIDEST] == []
