"""`larder entity …`"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from larder.actions.dataset import entities
from larder.actions.dataset.entities import EntityLine, EntityView, LinkView
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import (
    JsonOption,
    ago,
    money,
    print_heading,
    print_result,
    print_table,
    print_text,
)
from larder.cli.common.session import run_action, run_query, with_app
from larder.core.model.source import Kind
from larder.core.plurals import plural
from larder.engine.background.resolver import resolve_all_batch, resolve_batch
from larder.stages.persist.resolve.linking import Resolved

app = command_group("List, link and unlink records of several sources that are one entity.")

RecordArgument = Annotated[int, typer.Argument(help="A record's number.", metavar="RECORD")]


@app.command("list")
def list_(
    *,
    kind: Annotated[Kind | None, typer.Option(help="Only listings, events or products.")] = None,
    after: Annotated[int | None, typer.Option(help="Continue after this entity number.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number of rows.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List entities that several records belong to, newest first."""
    print_result(
        run_query(entities.list_entities, kind=kind, after=after, limit=limit),
        as_json=as_json,
        draw=_draw_list,
    )


@app.command()
def show(
    entity: Annotated[int, typer.Argument(help="The entity's number.", metavar="ENTITY")],
    as_json: JsonOption = False,
) -> None:
    """Show one entity: its records, the score of each link, and removed links."""
    print_result(run_query(entities.show, entity), as_json=as_json, draw=_draw)


@app.command()
def link(
    record: RecordArgument,
    other: Annotated[int, typer.Argument(help="The other record's number.", metavar="OTHER")],
    as_json: JsonOption = False,
) -> None:
    """Link two records as one entity; the resolver does not undo it."""
    print_result(run_action(entities.link, record, other), as_json=as_json, draw=_draw)


@app.command()
def undo(record: RecordArgument, as_json: JsonOption = False) -> None:
    """Unlink a record from its entity; the resolver does not link it again."""
    print_result(run_action(entities.undo, record), as_json=as_json, draw=_draw)


@app.command()
def resolve(
    *,
    all_records: Annotated[bool, typer.Option("--all", help="All records, not only changed ones.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find records that are one entity now; `up` and `tick` do it as records change."""
    print_result(with_app(_resolve_all if all_records else _resolve), as_json=as_json, draw=_draw_resolved)


async def _resolve(app: App) -> Resolved:
    done = Resolved()
    while (step := await app.run(resolve_batch, now=app.clock.now())) is not None:
        done += step
    return done


async def _resolve_all(app: App) -> Resolved:
    done, reached = Resolved(), 0
    while True:
        place, step = await app.run(resolve_all_batch, reached, now=app.clock.now())
        done += step
        if place is None:
            return done
        reached = place


def _draw_list(found: Sequence[EntityLine]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("entity", "kind", "title", "records", "since"),
        ((e.id, e.kind, e.title, e.records, ago(e.created_at, now)) for e in found),
        empty="No records are linked. Link them: larder entity resolve",
    )


def _draw(view: EntityView) -> None:
    print_heading(f"Entity {view.entity.id}, {view.entity.kind}: {view.entity.title}")
    print_table(
        ("record", "source", "title", "price", "score", "rule"),
        (_row(each) for each in view.links),
        empty="No records belong to it.",
    )
    for each in view.links:
        if because := (each.explanation or {}).get("because"):
            print_text(
                f"  {each.record_id} beside {(each.explanation or {})['beside']}: {_row_text(because)}"
            )
    if view.undone:
        print_heading("Removed links")
        print_table(
            ("record", "source", "title", "score", "by"),
            ((v.record_id, v.source, v.title, f"{v.score:.2f}", v.undone_by) for v in view.undone),
            empty="",
        )


def _row(each: LinkView) -> tuple[Any, ...]:
    price = money(each.price_minor, each.currency)
    return each.record_id, each.source, each.title, price, f"{each.score:.2f}", each.rule


def _row_text(because: Sequence[dict[str, Any]]) -> str:
    return ", ".join(f"{each['feature']} {each['points']:+.2f} ({each['says']})" for each in because)


def _draw_resolved(done: Resolved) -> None:
    print_text(
        f"{plural(done.looked_at, 'record')} compared: {done.linked} linked, "
        f"{plural(done.withdrawn, 'link')} removed"
    )
