"""`larder records …`"""

from datetime import UTC, datetime
from typing import Annotated, Any, Unpack

import typer

from larder.actions.dataset import corrections, records
from larder.actions.dataset.records import RecordLine, RecordView
from larder.app import App
from larder.cli.common.output import Json, ago, freshness_text, money, print_result, print_table, print_text
from larder.cli.common.query_options import QueryOptions, build_query, with_query_options
from larder.cli.common.session import run_action, with_app
from larder.cli.records.view import draw_record
from larder.core.errors import UsageError
from larder.store.reads.query import Sort

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="The dataset: records, their prices, where each value is from.",
)

Number = Annotated[int, typer.Argument(help="The record's number.", metavar="RECORD")]
Field = Annotated[str, typer.Argument(help="The field: title, price, area …", metavar="FIELD")]


@app.command("list")
@with_query_options
def list_(
    *,
    sort: Annotated[Sort | None, typer.Option(help="Which come first; else the best, or newest.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Only what public reads show.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 20,
    as_json: Json = False,
    **asked: Unpack[QueryOptions],
) -> None:
    """Records: the newest, or those that fit best."""
    wanted = build_query(asked, sort)

    async def work(app: App) -> list[RecordLine]:
        return await app.do(
            records.list_records, wanted, public_only=public, limit=limit, now=app.clock.now()
        )

    print_result(with_app(work), as_json=as_json, draw=_draw_list)


@app.command()
def show(record: Number, as_json: Json = False) -> None:
    """One record: its history, where each value comes from, and the evidence that it is there or gone."""

    async def work(app: App) -> RecordView:
        return await app.do(records.show, record, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=draw_record)


@app.command()
def pin(
    record: Number,
    field: Field,
    value: Annotated[str, typer.Argument(help="Its value, as a page would show it.", metavar="VALUE")],
    as_json: Json = False,
) -> None:
    """Fix a field's value; it survives whatever pages say."""
    _correct(corrections.pin, record, field, value, as_json=as_json)


@app.command()
def unpin(record: Number, field: Field, as_json: Json = False) -> None:
    """Let pages speak for a field again."""
    _correct(corrections.unpin, record, field, as_json=as_json)


@app.command()
def erase(
    record: Annotated[int | None, typer.Argument(help="The record's number.", metavar="[RECORD]")] = None,
    *,
    seller: Annotated[str | None, typer.Option(help="A seller instead, with all records.")] = None,
    reason: Annotated[str, typer.Option(help="Who asked for it, and why.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a record or a seller for good; neither comes back. This cannot be undone."""
    if (record is None) is (seller is None):
        raise UsageError("say what to erase", hint="give a record's number, or --seller NAME")
    what = f"record {record}" if seller is None else f"{seller!r} and all their records"
    if not yes:
        typer.confirm(f"Erase {what} for good?", abort=True, err=True)
    if seller is None:
        _correct(corrections.erase, record, as_json=as_json, reason=reason)
    else:
        _correct(corrections.erase_seller, seller, as_json=as_json, reason=reason)


def _correct(action: Any, *args: Any, as_json: bool, **told: str) -> None:
    print_result(run_action(action, *args, **told), as_json=as_json, draw=lambda done: print_text(done.says))


def _draw_list(lines: list[RecordLine]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("id", "title", "price", "freshness", "source", "first seen", "last seen"),
        (
            (
                line.id,
                line.title,
                money(line.price_minor, line.currency),
                freshness_text(line.confidence, line.badge),
                line.source,
                ago(line.first_seen_at, now),
                ago(line.last_seen_at, now),
            )
            for line in lines
        ),
        empty="No records. They come with the first run: larder up, or larder run start SOURCE",
    )
