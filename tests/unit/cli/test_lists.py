"""Long lists at the command line: each goes on from the last number it showed, to its last row."""

import sqlite3

import pytest

from tests.unit.cli.conftest import Shell

SOURCE = (
    "INSERT INTO sources (id, slug, kind, url, adapter) VALUES (1, 'a', 'listing', 'https://a.test/', 'x')"
)
LETTER = (
    "INSERT INTO dead_letters (stage, category, type, created_at) VALUES ('parse', 'parse', 'NoItems', 1)"
)
ITEM = """INSERT INTO quarantine (source_id, reason, item, observed_at, created_at)
          VALUES (1, 'zero_price', '{}', 1, 1)"""
TARGET = (
    "INSERT INTO targets (source_id, url, canonical_url) VALUES (1, 'https://a.test/', hex(randomblob(8)))"
)


def test_l10_13_a_target_that_is_not_checked_has_no_next_check(larder: Shell) -> None:
    with sqlite3.connect(larder.data / "larder.db") as database:
        database.execute(SOURCE)
        database.execute("UPDATE sources SET plan = 'monitor'")
        database.execute(TARGET)
    assert "now" in larder("target", "list").out
    blocked = larder("target", "block", "1").out
    assert "blocked" in blocked
    assert "now" not in blocked


@pytest.mark.parametrize(
    ("command", "on", "row", "numbers"),
    [
        ("quarantine", "--before", ITEM, [5, 4, 3, 2, 1]),
        ("dead", "--before", LETTER, [5, 4, 3, 2, 1]),
        ("target", "--after", TARGET, [1, 2, 3, 4, 5]),
    ],
)
def test_the_last_row_can_be_reached(
    larder: Shell, command: str, on: str, row: str, numbers: list[int]
) -> None:
    with sqlite3.connect(larder.data / "larder.db") as database:
        database.execute(SOURCE)
        for _ in numbers:
            database.execute(row)
    seen: list[int] = []
    while found := _numbers(larder, command, *([on, str(seen[-1])] if seen else [])):
        seen += found
    assert seen == numbers


def _numbers(larder: Shell, command: str, *on: str) -> list[int]:
    told = larder(command, "list", "--limit", "2", "--json", *on).json
    return [each["id"] for each in (told["letters"] if command == "dead" else told)]
