"""A table that is wider than its window cuts other columns, not the title."""

import pytest

from larder.cli.common.output import print_table
from tests.unit.cli.conftest import Shell


def test_l10_17_a_wide_table_keeps_its_titles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    names = ("id", "title", "source", "first seen", "last seen", "state")
    print_table(names, [(1, "Copper kettle", "x" * 30, "3 days ago", "2 days ago", "y" * 30)], empty="")
    assert "Copper kettle" in capsys.readouterr().out


@pytest.mark.parametrize("state", ["active", "inactive", "faded", "lapsed", "gone", "hidden"])
def test_l10_17_records_are_listed_by_state(larder: Shell, state: str) -> None:
    assert larder("records", "list", "--state", state, "--json").json == []


def test_l10_17_a_state_of_public_records_is_refused(larder: Shell) -> None:
    assert "exclude each other" in larder("records", "list", "--state", "gone", "--public").complaint[0]
