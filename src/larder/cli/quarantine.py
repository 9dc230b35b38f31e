"""`larder quarantine …`"""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from larder.actions.dataset import quarantine
from larder.actions.dataset.quarantine import ItemView, QuarantineStatus, Released
from larder.actions.formatting import value_text
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import (
    JsonOption,
    ago,
    print_fields,
    print_heading,
    print_result,
    print_table,
    print_text,
)
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.core.errors import BadInput
from larder.core.model.outcome import QuarantineReason
from larder.core.quoting import quoted

app = command_group("List, release and reject items that look wrong.")

IdArgument = Annotated[int, typer.Argument(help="The item's number.", metavar="ITEM")]


@app.command("list")
def list_(
    *,
    source: Annotated[str | None, typer.Option(help="Only of this source.")] = None,
    reason: Annotated[QuarantineReason | None, typer.Option(help="Only for this reason.")] = None,
    status: Annotated[
        QuarantineStatus, typer.Option(help="Only with this status.")
    ] = QuarantineStatus.PENDING,
    every: Annotated[bool, typer.Option("--all", help="Include decided items.")] = False,
    before: Annotated[int | None, typer.Option(help="Continue before this item number.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of rows.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List items in quarantine, newest first."""
    quarantine_status = None if every else status
    items = run_query(
        quarantine.list_items,
        source=source,
        status=quarantine_status,
        reason=reason,
        before=before,
        limit=limit,
    )
    print_result(items, as_json=as_json, draw=_draw_list)


@app.command()
def show(item: IdArgument, as_json: JsonOption = False) -> None:
    """Show one item: its page and its raw values."""
    print_result(run_query(quarantine.show, item), as_json=as_json, draw=_draw)


@app.command()
def release(
    item: IdArgument,
    *,
    put_right: Annotated[
        list[str] | None,
        typer.Option("--set", help="A corrected value, written as on a page: price=12.50."),
    ] = None,
    note: Annotated[str, typer.Option(help="A note.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Release an item; it is stored as of when it was seen."""
    values = dict(_pair(each) for each in put_right or ())

    async def work(app: App) -> Released:
        now = app.clock.now()
        return await app.run(quarantine.release, item, app.dispatcher, values, note, who=operator(), now=now)

    print_result(with_app(work), as_json=as_json, draw=_draw_released)


@app.command()
def reject(
    items: Annotated[list[int], typer.Argument(help="The items' numbers.", metavar="ITEM…")],
    *,
    note: Annotated[str, typer.Option(help="A note.")],
    as_json: JsonOption = False,
) -> None:
    """Reject items; they stay on record."""
    print_result(
        run_action(quarantine.reject, items, note),
        as_json=as_json,
        draw=lambda gone: print_text(f"{len(gone)} rejected"),
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise BadInput(f"--set {quoted(text)} is not NAME=VALUE", hint="write it like --set price=12.50")
    return name.strip(), value.strip()


def _draw_list(views: list[ItemView]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("item", "source", "reason", "seen", "status", "title", "value"),
        ((v.id, v.source, v.reason, ago(v.observed_at, now), v.status, _title(v), v.details) for v in views),
        empty="Quarantine is empty.",
    )


def _title(view: ItemView) -> str | None:
    title = view.item.get("title") or view.item.get("name")
    return None if title is None else str(title)[:80]


def _draw(view: ItemView) -> None:
    now = datetime.now(UTC)
    print_text(Text.assemble((f"item {view.id}", "bold"), f"  {view.status}"))
    print_fields(
        [
            ("source", view.source),
            ("reason", view.reason),
            ("details", view.details),
            ("page", view.url),
            ("seen", ago(view.observed_at, now)),
            ("run", view.run_id),
            ("decided", view.decided_by and f"by {view.decided_by} {ago(view.decided_at, now)}"),
            ("note", view.note),
        ]
    )
    print_heading("Raw values")
    print_fields((name, value_text(value)) for name, value in sorted(view.item.items()))


def _draw_released(done: Released) -> None:
    if done.record_id is None:
        print_text("released; its record was erased and is not stored again")
    else:
        print_text(f"released: {'new ' if done.new else ''}record {done.record_id}")
