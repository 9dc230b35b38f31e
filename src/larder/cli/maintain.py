"""`larder maintain`"""

from larder.actions.formatting import percent
from larder.app import App
from larder.cli.common.output import Json, print_fields, print_heading, print_result, print_table
from larder.cli.common.session import with_app
from larder.engine.background.maintenance import MaintenanceResult


def maintain(as_json: Json = False) -> None:
    """Do now what is done at 3:00: let go of what is old, keep the database quick, look the data over.

    A running Larder does this by itself once a day.
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
            ("messages", f"{done.messages} went"),
            ("places", f"{done.placed} events were found one" if done.placed else None),
            *((name.replace("_", " "), percent(share, 1)) for name, share in _known(done)),
        ]
    )
    print_heading("The data")
    print_table(
        ("rows", "wrong"),
        ((many, what) for what, many in done.audit.wrong.items()),
        empty="Nothing is there that must not be.",
    )


def _known(done: MaintenanceResult) -> list[tuple[str, float]]:
    return [(name, share) for name, share in done.audit.rates.items() if share is not None]
