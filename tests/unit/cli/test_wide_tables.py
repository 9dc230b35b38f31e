"""A table that is wider than its window cuts other columns, not the title."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from larder.actions.dataset.records import RecordLine
from larder.cli.common.output import print_table
from larder.cli.records import commands
from tests.unit.cli.conftest import Shell


def test_l10_17_a_wide_table_keeps_its_titles(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    names = ("id", "title", "source", "first seen", "last seen", "state")
    print_table(names, [(1, "Copper kettle", "x" * 30, "3 days ago", "2 days ago", "y" * 30)], empty="")
    assert "Copper kettle" in capsys.readouterr().out


@pytest.mark.parametrize("width", [40, 60, 80])
def test_l10_17_records_keep_id_and_title_in_a_narrow_window(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    at = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
    commands._draw_list(
        [line(id=204, starts_at=at, source="a-long-source", price_minor=9900, currency="EUR")]
    )
    head, row = capsys.readouterr().out.splitlines()
    assert head.split()[0] == "id"
    assert row.split()[0] == "204"
    assert "Concert" in row


@pytest.mark.parametrize("width", [80, 100, 120])
def test_l10_17_runs_keep_number_status_counts_and_remarks(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = ["run", "source", "kind", "status", "started", "took", "pages", "new", "changed", "failed"]
    remark = "none checked: no active record is in doubt, all were seen or verified lately"
    rows = [
        (1204, "boston-ma", "verification", "completed", "12 h ago", "5 s", 0, 1, 2, 3, remark),
        (1203, "boston-ma", "collect", "partial", "1 d ago", "5 s", 10, 41, 52, 63, ""),
    ]
    print_table([*shown, "remarks"], rows, empty="")
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split()[:10] == shown
    words = printed.split()
    assert {"1204", "1203", "completed", "partial", "41", "52", "63"} <= set(words)
    assert [word for word in words if word in remark.split()] == remark.split()
    assert max(map(len, printed.splitlines())) <= width


def test_l10_17_in_a_very_narrow_window_the_last_columns_are_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    print_table(
        ("error", "when", "stage", "type", "message"),
        [(7, "3 days ago", "fetch", "x" * 30, "Bad.")],
        empty="",
    )
    head, row, note = capsys.readouterr().out.splitlines()
    assert head.split() == ["error", "when", "stage"]
    assert row.split() == ["7", "3", "days", "ago", "fetch"]
    assert note.split() == ["Bad."]


@pytest.mark.parametrize("state", ["active", "inactive", "faded", "lapsed", "unseen", "gone", "hidden"])
def test_l10_17_records_are_listed_by_state(larder: Shell, state: str) -> None:
    assert larder("records", "list", "--state", state, "--json").json == []


def test_l10_17_a_state_of_public_records_is_refused(larder: Shell) -> None:
    assert "exclude each other" in larder("records", "list", "--state", "gone", "--public").complaint[0]


def line(**values: Any) -> RecordLine:
    at = datetime(2026, 3, 2, 12, tzinfo=UTC)
    given: dict[str, Any] = {
        "id": 1, "source": "stage", "kind": "event", "title": "Concert", "price_minor": None,
        "currency": None, "url": None, "active": True, "confidence": 90, "badge": "green",
        "badge_text": "seen", "first_seen_at": at, "last_seen_at": at, "starts_at": None, "time_known": True,
    }  # fmt: skip
    return RecordLine(**{**given, **values})


def test_l10_15_events_are_listed_with_their_start_as_at_the_venue(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    at = datetime(2026, 11, 20, 20, 30, tzinfo=timezone(timedelta(hours=1)))
    commands._draw_list([line(starts_at=at), line(id=2, starts_at=at, time_known=False), line(id=3)])
    head, *rows = capsys.readouterr().out.splitlines()
    assert "starts" in head
    assert ["20:30" in row for row in rows[-3:]] == [True, False, False]
    assert ["Fri 20 Nov 2026" in row for row in rows[-3:]] == [True, True, False]
    commands._draw_list([line(kind="product")])
    assert "starts" not in capsys.readouterr().out


def test_a_list_that_filters_emptied_does_not_ask_for_a_run(larder: Shell) -> None:
    assert "larder up" in larder("records", "list").out
    for narrowed in (("--state", "gone"), ("--public",), ("--price-min", "20.00")):
        said = larder("records", "list", *narrowed).out
        assert said.startswith("No records match."), said
