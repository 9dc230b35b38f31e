"""`larder db …`"""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer
from alembic.util import CommandError
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.text import Text

from larder.app import App
from larder.app.data_folder import only_driver
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, print_result, print_text
from larder.cli.common.session import require_database, run_async, with_app
from larder.core.errors import BadInput
from larder.core.plurals import plural
from larder.engine.clock import SystemClock
from larder.settings import Settings, load
from larder.store import search
from larder.store.database import Connection, open_database
from larder.store.migrations import upgrade as schema
from larder.store.migrations.backup import copy_before_upgrade

if TYPE_CHECKING:
    from pathlib import Path

    from larder.app.copy_database import CopiedDatabase

app = command_group("Show, upgrade, downgrade and copy the database.")


@app.command()
def status(as_json: JsonOption = False) -> None:
    """Show the database's revision and the one this version needs."""
    _report(load(), _nothing, as_json=as_json)


@app.command()
def upgrade(as_json: JsonOption = False) -> None:
    """Upgrade the database to this version's schema.

    A SQLite database is copied before, beside itself. Back up PostgreSQL yourself: pg_dump --format=custom.
    """
    settings = load()
    with _exclusive(settings):
        copied = copy_before_upgrade(settings.database_url)
        _report(settings, schema.upgrade, as_json=as_json, backup=copied)


@app.command()
def downgrade(
    revision: Annotated[str, typer.Argument(help="The target revision; `base` drops all tables.")],
    yes: Annotated[
        bool, typer.Option("--yes", help="Confirms that you have a backup: a downgrade can lose data.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Downgrade the database to an earlier schema."""
    if not yes:
        raise BadInput("a downgrade can lose data", hint="back up the database, then add --yes")
    settings = load()
    with _exclusive(settings):
        _report(settings, schema.downgrade, revision, as_json=as_json)


@app.command()
def reindex(as_json: JsonOption = False) -> None:
    """Rebuild the full-text index record by record; it can be interrupted and continued."""

    async def work(app: App) -> dict[str, int]:
        done, after = 0, 0
        with Console(stderr=True, quiet=as_json).status("indexing") as status:
            while batch := await app.run(search.reindex, after):
                done, after = done + len(batch), batch[-1]
                status.update(f"indexing: {plural(done, 'record')}")
        return {"records": done}

    print_result(
        with_app(work),
        as_json=as_json,
        draw=lambda state: print_text(f"{plural(state['records'], 'record')} indexed."),
    )


@app.command()
def copy(
    target: Annotated[str, typer.Argument(help="The target: postgresql://…, created and empty.")],
    as_json: JsonOption = False,
) -> None:
    """Copy all data to another database, such as from SQLite to PostgreSQL.

    It can be interrupted and continued; at the end the rows of both are counted. Page bodies stay in place.
    """
    settings = load()
    with _exclusive(settings), _progress(quiet=as_json) as progress:
        copied = run_async(_copy(settings, target, progress))
    state = {"target": target.rsplit("@", 1)[-1], "rows": copied.rows, "tables": copied.tables}
    print_result(state, as_json=as_json, draw=_draw_copied)


async def _copy(settings: Settings, target: str, progress: Progress) -> "CopiedDatabase":
    from larder.app.copy_database import copy_database  # noqa: PLC0415 - loaded when it is asked for

    if target == settings.database_url:
        raise BadInput("the target is the database itself", hint="name another database")
    database, target_database = open_database(settings.database_url), open_database(target)
    tasks: dict[str, TaskID] = {}

    def tell(name: str, done: int, total: int) -> None:
        task = tasks.get(name) or tasks.setdefault(name, progress.add_task(name, total=total))
        progress.update(task, completed=done)

    try:
        await database.run(schema.check)
        await target_database.run(schema.upgrade)
        return await copy_database(database, target_database, now=SystemClock().now(), tell=tell)
    finally:
        await database.close()
        await target_database.close()


def _progress(*, quiet: bool) -> Progress:
    return Progress(console=Console(stderr=True, quiet=quiet), transient=True, disable=quiet)


def _draw_copied(state: dict[str, Any]) -> None:
    print_text(
        Text(f"{plural(state['rows'], 'row')} copied to {state['target']}, as many as here.", style="green"),
        "→ set LARDER_DATABASE to the target on every machine; page bodies stay where they are.",
    )


def _nothing(_: Connection) -> None:
    """Does nothing: the report only reads the revision."""


def _exclusive(settings: Settings) -> Any:
    require_database(settings)
    return only_driver(settings.data) if settings.embedded else nullcontext()


def _report(settings: Settings, work: Any, *args: Any, as_json: bool, backup: "Path | None" = None) -> None:
    """Run `work`, then report the database and its revision."""
    require_database(settings)
    found = run_async(_revision_after(settings, work, *args))
    state = {"database": settings.database_url.rsplit("@", 1)[-1], "revision": found, "needs": schema.HEAD}
    state |= {"backup": str(backup)} if backup else {}
    embedded = settings.embedded
    print_result(
        {**state, "ready": found == schema.HEAD},
        as_json=as_json,
        draw=lambda shown: _draw(shown, embedded=embedded),
    )


async def _revision_after(settings: Settings, work: Any, *args: Any) -> str | None:
    database = open_database(settings.database_url)
    try:
        await database.run(work, *args)
        return await database.run(schema.revision)
    except CommandError as error:
        raise BadInput(f"{error}", hint="see: larder db status") from error
    finally:
        await database.close()


def _draw(state: dict[str, Any], *, embedded: bool) -> None:
    if "backup" in state:
        print_text(f"The database as it was before is in {state['backup']}; delete it once everything works.")
    if state["ready"]:
        print_text(
            Text(f"{state['database']} is at revision {state['revision']}: up to date.", style="green")
        )
        return
    print_text(
        Text(
            f"{state['database']} is at {state['revision'] or 'no revision'}; required: {state['needs']}.",
            style="yellow",
        ),
        *([] if embedded else ["→ back it up first: pg_dump --format=custom --file=larder.dump DATABASE"]),
        Text.assemble("→ ", ("larder db upgrade", "bold")),
    )
