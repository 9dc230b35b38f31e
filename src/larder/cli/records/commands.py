"""`larder records …`"""

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Unpack

import typer

from larder.actions.dataset import corrections, records
from larder.actions.dataset.records import RecordLine, RecordView
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import (
    JsonOption,
    ago,
    freshness_text,
    money,
    print_result,
    print_table,
    print_text,
)
from larder.cli.common.query_options import QueryOptions, build_query, with_query_options
from larder.cli.common.session import run_action, with_app
from larder.cli.records.view import draw_record
from larder.core.errors import UsageError
from larder.core.quoting import quoted
from larder.store.reads.query import Sort
from larder.store.reads.records import StateFilter

app = command_group("List records; show their history and where each value comes from.")

NumberArgument = Annotated[int, typer.Argument(help="The record's number.", metavar="RECORD")]
FieldArgument = Annotated[str, typer.Argument(help="The field's name: title, price, area …", metavar="FIELD")]


_NONE = "No records. Start a run: larder up, or larder run start SOURCE"


@app.command("list")
@with_query_options
def list_(
    *,
    sort: Annotated[Sort | None, typer.Option(help="Sort order. Default: best match, else newest.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Only public records.")] = False,
    state: Annotated[StateFilter | None, typer.Option(help="Only in this state.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of rows.")] = 20,
    as_json: JsonOption = False,
    **options: Unpack[QueryOptions],
) -> None:
    """List records, newest or best match first."""
    query = build_query(options, sort)
    if public and state:
        raise UsageError("--public and --state exclude each other", hint="leave out one of them")

    async def work(app: App) -> list[RecordLine]:
        return await app.run(
            records.list_records, query, public_only=public, state=state, limit=limit, now=app.clock.now()
        )

    narrowed = public or state is not None or any(value is not None for value in options.values())
    empty = "No records match. All of them: larder records list" if narrowed else _NONE
    print_result(with_app(work), as_json=as_json, draw=partial(_draw_list, empty=empty))


@app.command()
def show(record: NumberArgument, as_json: JsonOption = False) -> None:
    """Show one record: its history, the origin of each value, and the evidence for its state."""

    async def work(app: App) -> RecordView:
        return await app.run(records.show, record, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=draw_record)


@app.command()
def pin(
    record: NumberArgument,
    field: FieldArgument,
    value: Annotated[str, typer.Argument(help="Its value, written as on a page.", metavar="VALUE")],
    as_json: JsonOption = False,
) -> None:
    """Set a field by hand; pages no longer change it."""
    _correct(corrections.pin, record, field, value, as_json=as_json)


@app.command()
def unpin(record: NumberArgument, field: FieldArgument, as_json: JsonOption = False) -> None:
    """Unpin a field: pages change it again."""
    _correct(corrections.unpin, record, field, as_json=as_json)


@app.command()
def erase(
    record: Annotated[int | None, typer.Argument(help="The record's number.", metavar="[RECORD]")] = None,
    *,
    seller: Annotated[
        str | None, typer.Option(help="Erase this seller and all their records instead.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Who requested it and why, for the audit log.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Erase a record or a seller permanently. This cannot be undone."""
    if (record is None) is (seller is None):
        raise UsageError(
            "nothing to erase: RECORD and --seller are missing",
            hint="give a record's number, or --seller NAME",
        )
    subject = f"record {record}" if seller is None else f"{quoted(seller)} and all their records"
    if not yes:
        typer.confirm(f"Erase {subject} permanently?", abort=True, err=True)
    if seller is None:
        _correct(corrections.erase, record, as_json=as_json, reason=reason)
    else:
        _correct(corrections.erase_seller, seller, as_json=as_json, reason=reason)


def _correct(action: Any, *args: Any, as_json: bool, **answer: str) -> None:
    print_result(
        run_action(action, *args, **answer), as_json=as_json, draw=lambda done: print_text(done.says)
    )


def _draw_list(lines: list[RecordLine], empty: str = _NONE) -> None:
    now = datetime.now(UTC)
    events = any(line.starts_at for line in lines)
    print_table(
        (
            "id",
            "title",
            *(("starts",) if events else ()),
            "price",
            "freshness",
            "source",
            "first seen",
            "last seen",
        ),
        (
            (
                line.id,
                line.title,
                *((_starts(line),) if events else ()),
                money(line.price_minor, line.currency),
                freshness_text(line.confidence, line.badge),
                line.source,
                ago(line.first_seen_at, now),
                ago(line.last_seen_at, now),
            )
            for line in lines
        ),
        empty=empty,
    )


def _starts(line: RecordLine) -> str | None:
    """When an event starts, in its venue's time zone; only the day if the time is not known."""
    if line.starts_at is None:
        return None
    return f"{line.starts_at:%a %d %b %Y %H:%M}" if line.time_known else f"{line.starts_at:%a %d %b %Y}"
