"""`larder backup` and `larder restore`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from larder.app.backup import backup as save
from larder.app.backup import restore as load_backup
from larder.app.backup.archive import as_json as manifest_json
from larder.cli.common.output import JsonOption, print_result, print_text
from larder.cli.common.session import require_database, run_async
from larder.core.plurals import noun, plural
from larder.engine.clock import SystemClock
from larder.rendering.hints import sentence
from larder.settings import load


def backup(
    to: Annotated[Path, typer.Argument(help="The file to write, such as larder.tar; it must not exist.")],
    as_json: JsonOption = False,
) -> None:
    """Write the database and the stored pages into one file, while Larder runs.

    The key that encrypts secrets (LARDER_SECRET_KEY) is not in it: keep it elsewhere.
    """
    settings = load()
    require_database(settings)
    saved = run_async(save(settings, to, now=SystemClock().now()))
    state = {"file": str(saved.path), "bytes": saved.size, **manifest_json(saved.manifest)}
    print_result(state, as_json=as_json, draw=_draw_saved)


def restore(
    backup: Annotated[Path, typer.Argument(help="A file that `larder backup` wrote.")],
    as_json: JsonOption = False,
) -> None:
    """Restore a backup into an empty data folder and database; nothing is overwritten."""
    restored = run_async(load_backup(load(), backup))
    state = {
        **manifest_json(restored.manifest),
        "rows": sum(restored.tables.values()),
        "remarks": restored.remarks,
    }
    print_result(state, as_json=as_json, draw=_draw_restored)


def _draw_saved(state: dict[str, Any]) -> None:
    rows = sum(state["tables"].values())
    print_text(Text(f"{state['file']}: {plural(rows, 'row')}, {state['bytes'] / 1e6:.1f} MB", style="green"))
    if state["secrets"]:
        inside = (
            f"{plural(state['secrets'], 'secret')} {noun(state['secrets'], 'is', 'are')} in it, encrypted"
        )
        print_text(f"{inside}; keep LARDER_SECRET_KEY elsewhere.")
    if state["pages"]:
        print_text(f"Page bodies are in {state['pages']}; they are not part of the backup.")
    if state["bodies_missing"]:
        missing = plural(state["bodies_missing"], "file")
        print_text(Text(f"{missing} of page bodies missing: larder doctor", style="yellow"))


def _draw_restored(state: dict[str, Any]) -> None:
    print_text(
        Text(f"{plural(state['rows'], 'row')} restored, as of {state['made_at']}.", style="green"),
        *(Text(sentence(remark), style="yellow") for remark in state["remarks"]),
        "→ larder doctor, then larder up",
    )
