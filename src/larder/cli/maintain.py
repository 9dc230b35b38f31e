"""`larder maintain`"""

from larder.actions.formatting import percent
from larder.app import App
from larder.cli.common.output import Json, print_fields, print_heading, print_result, print_table
from larder.cli.common.session import with_app
from larder.engine.background.maintenance import MaintenanceResult


def maintain(as_json: Json = False) -> None:
    """Run the nightly maintenance now: retention, database upkeep, integrity checks.

    `larder up` does this once a day.
    """

    async def work(app: App) -> MaintenanceResult:
        return await app.maintain()

    print_result(with_app(work), as_json=as_json, draw=_draw)


def _draw(done: MaintenanceResult) -> None:
    print_fields(
        [
            ("pages", f"{done.pages.pages} went, with {done.pages.bodies} bodies"),
            ("jobs", f"{done.jobs} went"),
            ("errors", f"{done.errors} went"),
            ("dead letters", f"{done.dead_letters} decided ones went"),
            ("changes", f"{done.changes} went"),
            ("records", f"{done.archived} inactive ones archived" if done.archived else None),
            ("messages", f"{done.messages} went"),
            ("places", f"{done.placed} events geocoded" if done.placed else None),
            *((name.replace("_", " "), percent(share, 1)) for name, share in _known(done)),
        ]
    )
    print_heading("The data")
    print_table(
        ("rows", "wrong"),
        ((many, what) for what, many in done.audit.wrong.items()),
        empty="No integrity errors.",
    )


def _known(done: MaintenanceResult) -> list[tuple[str, float]]:
    return [(name, share) for name, share in done.audit.rates.items() if share is not None]
