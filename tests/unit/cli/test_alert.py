"""Alerts, errors and the summary at the command line."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, select

from larder.actions.operations.dead_letters import DeadLetterList, DeadLetterView
from larder.cli import alert, dead, errors
from larder.store.database import inline_database
from larder.store.operations.notifications import alerts
from larder.store.operations.notifications.alerts import AlertView
from larder.store.queue import failures, sources
from larder.store.reads.operators.errors import ErrorLine
from larder.store.tables import audit, outbox
from tests.unit.cli.conftest import Shell

T = TypeVar("T")
NOW = datetime.now(UTC).replace(microsecond=0)
HOUR = timedelta(hours=1)


def within(larder: Shell, work: Callable[[Connection], T]) -> T:
    database = inline_database(f"sqlite:///{larder.data / 'larder.db'}")
    try:
        return database.now(work)
    finally:
        database._conn.close()


def trouble(conn: Connection) -> None:
    alerts.raise_alert(conn, "circuit_tripped", "P3", "homes", "5 fetches failed", now=NOW - 2 * HOUR)
    alerts.raise_alert(conn, "adapter_disabled", "P1", "listing on homes", "nothing was read", now=NOW - HOUR)


def failed(conn: Connection) -> None:
    row = {"slug": "homes", "kind": "listing", "url": "http://homes.test/", "adapter": "listing"}
    source_id = sources.add(conn, row, now=NOW)
    said: list[dict[str, Any]] = [
        {
            "category": "network",
            "type": "timeout",
            "message": "no answer within 30 s",
            "source_id": source_id,
        },
        {
            "category": "parse",
            "type": "selector_not_found",
            "message": "no 100% price",
            "source_id": source_id,
        },
        {"category": "network", "type": "error", "message": "No answer at all", "run_id": 7},
    ]
    for each in said:
        failures.add_errors(conn, [{"stage": "fetch", **each}], now=NOW)


def test_the_status_counts_open_alerts(larder: Shell) -> None:
    within(larder, failed)
    assert "open alerts" not in larder("status").out
    within(larder, trouble)
    assert larder("status", "--json").json["alerts"] == 2
    assert "2 (larder alert list)" in larder("status").out


def test_open_alerts_are_listed_and_closed_by_hand(larder: Shell) -> None:
    assert "No open alerts" in larder("alert", "list").out
    within(larder, trouble)
    listed = larder("alert", "list", "--json").json
    assert [(each["name"], each["severity"]) for each in listed] == [
        ("adapter_disabled", "P1"),
        ("circuit_tripped", "P3"),
    ]
    assert "adapter_disabled" in larder("alert", "list").out
    closed = larder("alert", "resolve", str(listed[0]["id"]), "--json").json
    assert closed["resolved_at"] is not None
    assert [each["name"] for each in larder("alert", "list", "--json").json] == ["circuit_tripped"]
    assert len(larder("alert", "list", "--all", "--json").json) == 2
    assert within(larder, lambda conn: conn.scalars(select(audit.c.action)).all()) == ["alert resolved"]
    again = larder("alert", "resolve", str(listed[0]["id"]))
    assert (again.code, "resolved already" in again.complaint[0]) == (2, True)
    assert "there is no alert 99" in larder("alert", "resolve", "99").complaint[0]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param((), 3, id="all"),
        pytest.param(("--category", "network"), 2, id="category"),
        pytest.param(("--source", "homes"), 2, id="source"),
        pytest.param(("--type", "timeout"), 1, id="type"),
        pytest.param(("--run", "7"), 1, id="run"),
        pytest.param(("no answer",), 2, id="text, in any case"),
        pytest.param(("100%",), 1, id="text is no pattern"),
        pytest.param(("no answer", "--source", "homes", "--category", "network"), 1, id="together"),
        pytest.param(("--limit", "1"), 1, id="so many"),
    ],
)
def test_errors_are_searched_across_runs(larder: Shell, asked: tuple[str, ...], found: int) -> None:
    within(larder, failed)
    assert len(larder("errors", *asked, "--json").json) == found


def test_errors_are_drawn_and_none_is_said(larder: Shell) -> None:
    assert "No errors match" in larder("errors").out
    within(larder, failed)
    assert "selector_not_found" in larder("errors", "--category", "parse").out


def test_the_summary_is_shown_and_sent_on_demand(larder: Shell) -> None:
    within(larder, trouble)
    looked = larder("summary", "--json").json
    assert looked["alerts_open"] == ["P1 adapter_disabled listing on homes", "P3 circuit_tripped homes"]
    assert "alerts open: 2" in larder("summary").out

    def summaries(conn: Connection) -> list[tuple[str | None, str]]:
        rows = conn.execute(select(outbox).where(outbox.c.topic == "summary").order_by(outbox.c.id))
        return [(row.channel, row.status) for row in rows]

    assert within(larder, summaries) == [], "looking sends nothing"
    sent = larder("summary", "--send", "--json").json
    assert sent["circuits_tripped"] == ["homes"]
    assert within(larder, summaries) == [(None, "routed"), ("log", "sent")]
    assert larder("summary", "--json").json["since"] == sent["until"], "the next begins where it ended"


LONG = " ".join(f"sentence{number}" for number in range(30))


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("command", ["alert", "errors", "dead"])
def test_l10_17_lists_show_messages_in_whole_words(
    command: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    DRAWN[command]()
    printed = capsys.readouterr().out.split()
    assert [word for word in printed if word.startswith("sentence")] == LONG.split()


def draw_alerts() -> None:
    times: dict[str, Any] = {
        "times": 1,
        "first_at": NOW,
        "last_at": NOW,
        "sent_at": None,
        "resolved_at": None,
    }
    alert._draw_list(
        [
            AlertView(
                id=1,
                name="drift",
                severity="P1",
                subject="homes",
                message=LONG,
                details=None,
                **times,
            )
        ]
    )


def draw_errors() -> None:
    unknown: dict[str, Any] = dict.fromkeys(("run_id", "job_id", "stage", "trace"))
    errors._draw([ErrorLine(id=1, at=NOW, source="homes", category="x", type="y", message=LONG, **unknown)])


def draw_dead() -> None:
    unknown: dict[str, Any] = dict.fromkeys(("run_id", "url", "retry_at"))
    known: dict[str, Any] = {
        "id": 1,
        "source": "homes",
        "stage": "fetch",
        "category": "x",
        "type": "y",
        "status": "pending",
    }
    letter = DeadLetterView(**known, message=LONG, retries=0, created_at=NOW, **unknown)
    dead._draw_list(DeadLetterList(groups=[], letters=[letter]))


DRAWN = {"alert": draw_alerts, "errors": draw_errors, "dead": draw_dead}
