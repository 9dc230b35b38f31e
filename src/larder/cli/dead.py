"""`larder dead …`"""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from larder.actions.operations import dead_letters
from larder.actions.operations.dead_letters import (
    DeadLetterDetails,
    DeadLetterFilter,
    DeadLetterList,
    DeadLetterView,
)
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
    shortened,
)
from larder.cli.common.session import operator, run_action, run_query, with_app
from larder.engine.scheduling.dead_letter_retries import Retried
from larder.store.queue.dead_letters import DeadLetterStatus

app = command_group("List, retry and discard work that failed for good.")

IdArgument = Annotated[int, typer.Argument(help="The dead letter's number.", metavar="LETTER")]
IdsArgument = Annotated[
    list[int] | None, typer.Argument(help="Numbers of dead letters; or select a group.", metavar="LETTER…")
]
SourceOption = Annotated[str | None, typer.Option(help="Only of this source.")]
StageOption = Annotated[str | None, typer.Option(help="Only this stage: fetch, parse or persist.")]
TypeOption = Annotated[str | None, typer.Option("--type", help="Only this error type, such as timeout.")]
LimitOption = Annotated[int, typer.Option(min=1, max=1_000, help="Number of dead letters below the groups.")]


@app.command("list")
def list_(
    *,
    source: SourceOption = None,
    status: Annotated[DeadLetterStatus | None, typer.Option(help="Only with this status.")] = None,
    stage: StageOption = None,
    kind: TypeOption = None,
    before: Annotated[int | None, typer.Option(help="Continue before this dead letter.")] = None,
    limit: LimitOption = 20,
    as_json: JsonOption = False,
) -> None:
    """List dead letters by group, and the latest ones."""
    filters = DeadLetterFilter(source=source, status=status, stage=stage, type=kind)
    print_result(
        run_query(dead_letters.list_dead_letters, filters, before=before, limit=limit),
        as_json=as_json,
        draw=_draw_list,
    )


@app.command()
def show(letter: IdArgument, as_json: JsonOption = False) -> None:
    """Show one dead letter: what failed, at which stage, and what a retry starts from."""
    print_result(run_query(dead_letters.show, letter), as_json=as_json, draw=_draw)


@app.command()
def retry(
    letters: IdsArgument = None,
    *,
    source: SourceOption = None,
    stage: StageOption = None,
    kind: TypeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Retry work from the stage that failed; a stored page is not fetched again."""
    filters = DeadLetterFilter(ids=letters or (), source=source, stage=stage, type=kind)

    async def work(app: App) -> Retried:
        now = app.clock.now()
        return await app.run(dead_letters.retry, filters, app.dispatcher, who=operator(), now=now)

    print_result(with_app(work), as_json=as_json, draw=_draw_retried)


@app.command()
def discard(
    letters: IdsArgument = None,
    *,
    source: SourceOption = None,
    stage: StageOption = None,
    kind: TypeOption = None,
    note: Annotated[str, typer.Option(help="A note.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Discard dead letters; they stay on record."""
    filters = DeadLetterFilter(ids=letters or (), source=source, stage=stage, type=kind)
    print_result(
        run_action(dead_letters.discard, filters, note),
        as_json=as_json,
        draw=lambda gone: print_text(f"{len(gone)} discarded"),
    )


@app.command()
def note(
    letter: IdArgument,
    text: Annotated[str, typer.Argument(help="The note.", metavar="TEXT")],
    as_json: JsonOption = False,
) -> None:
    """Add a note to a dead letter."""
    print_result(run_action(dead_letters.add_note, letter, text), as_json=as_json, draw=_draw)


def _draw_list(listed: DeadLetterList) -> None:
    now = datetime.now(UTC)
    print_table(
        ("stage", "type", "status", "letters", "latest"),
        ((g.stage, g.type, g.status, g.many, ago(g.last_at, now)) for g in listed.groups),
        empty="No dead letters.",
    )
    if listed.letters:
        print_heading("The latest")
        print_table(
            ("letter", "source", "stage", "type", "status", "again", "message"),
            (
                (v.id, v.source, v.stage, v.type, v.status, _again(v, now), shortened(v.message))
                for v in listed.letters
            ),
            empty="",
        )


def _again(view: DeadLetterView, now: datetime) -> str | None:
    if view.status != DeadLetterStatus.PENDING:
        return None
    return ago(view.retry_at, now) or "by hand"


def _draw(details: DeadLetterDetails) -> None:
    now, letter = datetime.now(UTC), details.letter
    print_text(Text.assemble((f"dead letter {letter.id}", "bold"), f"  {letter.status}"))
    print_fields(
        [
            ("source", letter.source),
            ("url", letter.url),
            ("failed at", f"{letter.stage}: {letter.type} ({letter.category})"),
            ("message", letter.message),
            ("written", ago(letter.created_at, now)),
            ("retries", letter.retries),
            ("again", _again(letter, now)),
            ("retries from", f"stored page {details.page_id}" if details.page_id else "a new fetch"),
            ("run", letter.run_id),
            ("ended", details.resolved_by and f"by {details.resolved_by} {ago(details.resolved_at, now)}"),
            ("notes", details.notes),
            ("trace", details.trace),
        ]
    )


def _draw_retried(done: Retried) -> None:
    print_text(f"{len(done.in_line) + len(done.sent_again)} queued again")
    if done.read_since:
        print_text(f"{len(done.read_since)} resolved: their pages have been read since")
    if done.held_back:
        print_text(
            f"{len(done.held_back)} not retried: their sources do not run now (see: larder why SOURCE)"
        )
