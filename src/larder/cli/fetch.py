"""`larder fetch`: fetches one page now and prints each step."""

from typing import Annotated

import typer
from rich.text import Text

from larder.actions.operations.fetch import FetchReport, FetchStep, fetch_context, keep_body
from larder.app import App
from larder.app.fetching import Fetchers
from larder.cli.common.output import JsonOption, print_fields, print_result, print_text
from larder.cli.common.session import with_app
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName
from larder.stages.fetch.request import FetchRequest
from larder.store.pages.blobs import BodyLocation


def fetch(
    url: Annotated[str, typer.Argument(help="The page's address.", metavar="URL")],
    source: Annotated[str | None, typer.Option(help="Use this source's headers and fetcher.")] = None,
    fetcher: Annotated[FetcherName | None, typer.Option(help="The first fetcher to try.")] = None,
    store: Annotated[bool, typer.Option(help="Store the body and show where.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Fetch one page now and show each step.

    The request obeys address checks, robots.txt, the site's rate limit and fetcher escalation, as in a run.
    A blocked site is never fetched; one whose terms nobody has reviewed may be looked at.
    """
    report = with_app(lambda app: _fetch(app, url, source=source, fetcher=fetcher, store=store))
    print_result(report, as_json=as_json, draw=_draw)
    if report.outcome not in ("ok", "not_modified"):
        raise typer.Exit(1)


async def _fetch(
    app: App, url: str, *, source: str | None, fetcher: FetcherName | None, store: bool
) -> FetchReport:
    began, steps = app.clock.now(), list[FetchStep]()

    def note(name: str, text: str) -> None:
        after = (app.clock.now() - began).total_seconds()
        steps.append(FetchStep(name=name, said=text, after_s=round(after, 3)))

    who, local_site = await app.run(fetch_context, url, source)
    async with app.previewing(note) as fetchers:
        request = FetchRequest(
            url=url,
            source=who,
            fetcher=fetcher,
            local_site=local_site,
            jar=who.slug if who else None,
            user_agent=fetchers.identity.user_agent(who) if who else None,
            headers=await fetchers.identity.headers(who) if who else {},
        )
        fetched = await fetchers.fetcher.fetch(request)
        return FetchReport.of(fetched, steps, await _storage_text(app, fetchers, fetched) if store else None)


async def _storage_text(app: App, fetchers: Fetchers, fetched: Fetched) -> BodyLocation | None:
    if not fetched.body:
        return None
    (stored,) = await fetchers.blobs.put([fetched.body])
    await app.run(keep_body, stored, now=app.clock.now())
    return stored


def _draw(report: FetchReport) -> None:
    for step in report.steps:
        print_text(Text.assemble((f"{step.after_s:6.2f} s", "bright_black"), f"  {step.name:8} ", step.said))
    for url, status in report.hops:
        print_text(Text.assemble("          hop      ", (str(status or "–"), "bold"), f" {url}"))
    good = report.outcome in ("ok", "not_modified")
    print_text(
        Text(
            f"{report.outcome}" + (f": {report.error}" if report.error else ""),
            style="green" if good else "red",
        )
    )
    print_fields(
        [
            ("status", report.status),
            ("fetcher", report.fetcher),
            ("final URL", report.final_url if report.final_url != report.url else None),
            ("took", f"{report.took_s} s"),
            ("size", f"{report.size:,} bytes" if report.size else None),
            ("type", report.content_type),
            ("hash", report.content_hash),
            ("stored at", report.location),
        ]
    )
