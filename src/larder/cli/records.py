"""`larder records …`"""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from larder.actions import records
from larder.actions.records import RecordLine, RecordView
from larder.app import App
from larder.cli.session import with_app
from larder.cli.show import Json, ago, answer, facts, freshness, heading, money, table, tell
from larder.core.model.source import Kind

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="The dataset: records, their prices, where each value is from.",
)


@app.command("list")
def list_(
    *,
    source: Annotated[str | None, typer.Option(help="Only of this source.")] = None,
    kind: Annotated[Kind | None, typer.Option(help="Only of this kind.")] = None,
    text: Annotated[str | None, typer.Option(help="Only with this in the title.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Only what public reads show.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 20,
    as_json: Json = False,
) -> None:
    """The newest records."""

    async def work(app: App) -> list[RecordLine]:
        return await app.do(
            records.find,
            source=source,
            kind=kind,
            text=text,
            public_only=public,
            limit=limit,
            now=app.clock.now(),
        )

    answer(with_app(work), as_json=as_json, draw=_draw_list)


@app.command()
def show(
    record: Annotated[int, typer.Argument(help="The record's number.", metavar="RECORD")],
    as_json: Json = False,
) -> None:
    """One record: its prices over time, its versions, and where each value comes from."""

    async def work(app: App) -> RecordView:
        return await app.do(records.show, record, now=app.clock.now())

    answer(with_app(work), as_json=as_json, draw=_draw_record)


def _draw_list(lines: list[RecordLine]) -> None:
    now = datetime.now(UTC)
    table(
        ("id", "title", "price", "freshness", "source", "first seen", "last seen"),
        (
            (
                line.id,
                line.title,
                money(line.price_minor, line.currency),
                freshness(line.confidence, line.badge),
                line.source,
                ago(line.first_seen_at, now),
                ago(line.last_seen_at, now),
            )
            for line in lines
        ),
        empty="No records. They come with the first run: larder up, or larder run start SOURCE",
    )


def _draw_record(view: RecordView) -> None:
    now, line = datetime.now(UTC), view.record
    tell(
        Text.assemble((line.title, "bold"), "  ", money(line.price_minor, line.currency) or ""),
        Text.assemble(
            freshness(line.confidence, line.badge), f"  {line.badge_text or 'not shown to the public'}"
        ),
    )
    seen = view.evidence
    facts(
        [
            ("url", line.url),
            ("source", line.source),
            ("first seen", ago(seen["first_seen_at"], now)),
            ("last seen", f"{ago(seen['last_seen_at'], now)}, {seen['times_seen']} times in all"),
            ("page read", ago(seen["last_scraped_at"], now)),
            ("checked", ago(seen["verified_at"], now)),
            ("found missing", seen["strikes"] or None),
            ("state", seen["verification"] if line.active else f"{seen['verification'] or 'inactive'}"),
            ("gone since", ago(seen["deactivated_at"], now)),
            ("fades", f"{seen['rate']} points an hour; below the line {ago(seen['shown_until'], now)}"),
        ]
    )
    heading("Prices")
    table(
        ("price", "from", "last confirmed", "run"),
        (
            (money(p.amount, p.currency), _stamp(p.observed_at), ago(p.confirmed_at, now), p.run)
            for p in view.prices
        ),
        empty="None was seen.",
    )
    heading("Where each value comes from")
    table(
        ("field", "value", "read by", "from the", "seen"),
        (
            (o.field, _short(o.value), o.strategy, o.purpose and f"{o.purpose} page", ago(o.observed_at, now))
            for o in view.origins
        ),
        empty="Nothing is known of it.",
    )
    heading("Versions")
    table(
        ("version", "seen", "adapter", "run", "page"),
        (
            (v.id, _stamp(v.observed_at), f"{v.adapter} {v.adapter_version}", v.run, v.page_url)
            for v in view.versions
        ),
        empty="None.",
    )


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else text[:59] + "…"
