"""`larder scout`: candidates for sources, found by searching the places of a region."""

from pathlib import Path
from typing import Annotated

import typer

from larder.actions.sources import scout as scouts
from larder.actions.sources.scout import ScoutReport
from larder.app import App
from larder.app.scouting import scouting
from larder.cli.common.output import JsonOption, print_fields, print_result, print_table, print_text
from larder.cli.common.session import operator, run_action, with_app
from larder.core.errors import BadInput
from larder.core.model.run import RunStatus
from larder.core.plurals import plural
from larder.engine.background.scout.candidate_file import read_candidates
from larder.store.operations.candidates import NewCandidate


def scout(
    region: Annotated[
        str | None,
        typer.Argument(
            help="A country (NL), a part of one (NL-07, US-NY) or a Dutch province; by default the first of "
            "LARDER_SCOUT_REGIONS.",
            metavar="REGION",
        ),
    ] = None,
    places: Annotated[
        int | None, typer.Option(help="Places to search; by default LARDER_SCOUT_PLACES.", min=1, max=1_000)
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--import", help="Add the candidates of a file that a scout wrote.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Search the largest places of a region for agendas of events, and list what was found.

    Each place costs five queries of the search provider, whose API key is the secret `serper`. Nothing that
    is found runs before a person accepts it: see the candidates page, or GET /api/admin/candidates.
    """
    if file is not None:
        added = run_action(scouts.import_candidates, _read(file))
        print_result(added, as_json=as_json, draw=lambda urls: print_text(plural(len(urls), "new candidate")))
        return
    report = with_app(lambda app: _scout(app, region, places))
    print_result(report, as_json=as_json, draw=_draw)
    if report.run.status == RunStatus.FAILED:
        raise typer.Exit(1)


def _read(file: Path) -> list[NewCandidate]:
    if not file.is_file():
        raise BadInput(f"there is no file {file}", hint="give a file that `larder scout` wrote")
    return read_candidates(file)


async def _scout(app: App, region: str | None, limit: int | None) -> ScoutReport:
    """Drive a scout to its end; wait if the provider's rate limit is reached."""
    settings = app.settings
    region_name = region or next(iter(settings.scout_regions), "NL")
    async with scouting(app) as opened:
        run = await app.run(
            scouts.start, region_name, limit or settings.scout_places, who=operator(), now=app.clock.now()
        )
        while (wait_until := await opened.drive(run.id)) is not None:
            await app.clock.sleep_until(wait_until)
    return await app.run(scouts.report, run.id)


def _draw(report: ScoutReport) -> None:
    run = report.run
    print_fields(
        [
            ("run", f"{run.id} {run.status}"),
            ("region", run.region),
            ("places", ", ".join(f"{count} {status}" for status, count in sorted(report.places.items()))),
            ("pages", f"{run.pages} judged, {run.dropped} no agenda, {run.failed} not reached"),
            ("problem", run.error),
        ]
    )
    print_table(
        ("candidate", "place", "title", "confidence", "judged by"),
        (
            (
                candidate.url,
                candidate.place,
                (candidate.title or "")[:60],
                f"{candidate.confidence or 0:.0%}",
                candidate.judged_by,
            )
            for candidate in report.candidates
        ),
        empty="No new candidates.",
    )
