"""`larder maintain`"""

from larder.actions.formatting import percent
from larder.app import App
from larder.cli.common.output import JsonOption, print_fields, print_heading, print_result, print_table
from larder.cli.common.session import with_app
from larder.core.plurals import plural
from larder.engine.background.maintenance import MaintenanceResult


def maintain(as_json: JsonOption = False) -> None:
    """Run the nightly maintenance now: retention, database cleanup, integrity checks.

    `larder up` does this once a day.
    """

    async def work(app: App) -> MaintenanceResult:
        return await app.maintain()

    print_result(with_app(work), as_json=as_json, draw=_draw)


def _draw(done: MaintenanceResult) -> None:
    print_fields(
        [
            ("pages", f"{done.pages.pages} deleted, with {plural(done.pages.bodies, 'body', 'bodies')}"),
            ("jobs", f"{done.jobs} deleted"),
            ("errors", f"{done.errors} deleted"),
            ("dead letters", f"{done.dead_letters} deleted"),
            ("changes", f"{done.changes} deleted"),
            ("records", ", ".join(_records(done)) or None),
            ("messages", f"{done.messages} deleted"),
            ("places", f"{plural(done.placed, 'event')} geocoded" if done.placed else None),
            *((name.replace("_", " "), percent(share, 1)) for name, share in _known(done)),
        ]
    )
    print_heading("Integrity")
    print_table(
        ("rows", "wrong"),
        ((count, what) for what, count in done.audit.wrong.items()),
        empty="No integrity errors.",
    )


def _records(done: MaintenanceResult) -> list[str]:
    counts = {"lapsed": done.lapsed, "archived": done.archived}
    return [f"{count} {name}" for name, count in counts.items() if count]


def _known(done: MaintenanceResult) -> list[tuple[str, float]]:
    return [(name, share) for name, share in done.audit.rates.items() if share is not None]
