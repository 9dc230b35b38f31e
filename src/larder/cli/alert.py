"""`larder alert …`"""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from larder.actions.operations import alerts
from larder.actions.operations.alerts import AlertView
from larder.cli.common.groups import command_group
from larder.cli.common.output import (
    JsonOption,
    ago,
    print_fields,
    print_result,
    print_table,
    print_text,
    shortened,
)
from larder.cli.common.session import run_action, run_query
from larder.core.plurals import plural

app = command_group("List and resolve alerts.")

SEVERITY_COLOURS = {"P1": "bold red", "P2": "dark_orange", "P3": "yellow"}
LimitOption = Annotated[int, typer.Option(min=1, max=1_000, help="Maximum number of rows.")]


@app.command("list")
def list_(
    *,
    everything: Annotated[bool, typer.Option("--all", help="Include resolved alerts.")] = False,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
) -> None:
    """List open alerts, newest first."""
    found = run_query(alerts.list_alerts, open_only=not everything, limit=limit)
    print_result(found, as_json=as_json, draw=_draw_list)


@app.command()
def resolve(
    alert: Annotated[int, typer.Argument(help="The alert's number.", metavar="ALERT")],
    as_json: JsonOption = False,
) -> None:
    """Resolve an alert; it reopens if the condition returns."""
    print_result(run_action(alerts.resolve, alert), as_json=as_json, draw=_draw)


def _draw_list(found: list[AlertView]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("alert", "severity", "name", "subject", "times", "since", "last", "message"),
        (
            (
                view.id,
                _severity(view),
                view.name,
                view.subject,
                view.times,
                ago(view.first_at, now),
                ago(view.last_at, now),
                shortened(view.message),
            )
            for view in found
        ),
        empty="No open alerts.",
    )


def _severity(view: AlertView) -> Text:
    return Text(
        view.severity, style="bright_black" if view.resolved_at else SEVERITY_COLOURS.get(view.severity, "")
    )


def _draw(view: AlertView) -> None:
    now = datetime.now(UTC)
    print_text(
        Text.assemble((f"alert {view.id}", "bold"), "  ", _severity(view), f"  {view.name} {view.subject}")
    )
    print_fields(
        [
            ("message", view.message),
            ("seen", f"{plural(view.times, 'time')}, last {ago(view.last_at, now)}"),
            ("since", ago(view.first_at, now)),
            ("sent", ago(view.sent_at, now)),
            ("resolved", ago(view.resolved_at, now)),
        ]
    )
