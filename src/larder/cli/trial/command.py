"""`larder try`: what would be read from a page, strategy by strategy. Nothing is stored."""

import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from larder.actions.sources.site_profiles import LearnedSource, view_profile
from larder.app import App, open_app
from larder.app.parse_runner import parse_runner
from larder.app.site_profiles import learn_site_profile
from larder.cli.common.output import JsonOption, print_result
from larder.cli.common.session import load_adapters, opened_app, run_async
from larder.cli.profile.command import LearnOption
from larder.cli.profile.view import draw_learned
from larder.cli.trial.view import draw
from larder.core.errors import BadInput, Unusable
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Kind, Source
from larder.core.quoting import quoted
from larder.extraction import Trial, try_page
from larder.sdk import Page
from larder.sdk.declarations.declaration import read_declaration
from larder.sdk.urls import is_http, registrable_domain
from larder.settings import load
from larder.stages.fetch import FetchRequest
from larder.stages.parse.repair import Sample
from larder.store.database import sqlite_path


def try_(
    place: Annotated[str, typer.Argument(help="A web address, or a saved page.", metavar="URL-or-FILE")],
    *,
    kind: Annotated[Kind | None, typer.Option(help="Read it as this kind. Default: detected.")] = None,
    adapter: Annotated[
        str | None, typer.Option(help="The adapter. Default: that of the site, else of the kind.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="The URL of a saved page.")] = None,
    selectors: Annotated[
        Path | None, typer.Option(help="A YAML file with selectors, as a source would declare them.")
    ] = None,
    local: Annotated[bool, typer.Option("--local", help="Allow a private address.")] = False,
    learns: LearnOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what each strategy reads from a page, which one is used, and what validation decides.

    With `--learn`, up to five detail pages of an index page are fetched too, and its site profile is shown.
    """
    load_adapters()
    params = read_declaration(selectors) if selectors else {}
    found, address = _page(place, local=local)
    task = partial(try_page, found, url=url or address, kind=kind, adapter=adapter, params=params)
    trial = run_async(_read(task))
    if learns:
        learned = LearnedTrial(trial=trial, learned=_learned(trial, found, address, params, local=local))
        print_result(learned, as_json=as_json, draw=_draw_both)
    else:
        print_result(trial, as_json=as_json, draw=draw)
    if not _is_usable(trial):
        raise typer.Exit(1)


async def _read(task: Callable[[], Trial]) -> Trial:
    """Read a page with every strategy, in a parse worker like a run."""
    runner = parse_runner(load())
    try:
        return await runner.run(task, pages=2)
    finally:
        await runner.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedTrial:
    """A trial of an index page, and the profile of its site."""

    trial: Trial
    learned: LearnedSource


def _draw_both(both: LearnedTrial) -> None:
    draw(both.trial)
    draw_learned(both.learned)


def _learned(
    trial: Trial, body: bytes, address: str | None, params: Mapping[str, Any], *, local: bool
) -> LearnedSource:
    if address is None:
        raise BadInput("--learn fetches detail pages: it needs a web address", hint="larder try URL --learn")
    page = Page(address, body)
    source = Source(
        id=0, slug="page", name="page", kind=Kind(trial.kind), site_id=0, adapter=trial.adapter, url=address,
        params=params, language=page.language or "en",
    )  # fmt: skip
    return run_async(_learn(source, page, local=local))


async def _learn(source: Source, page: Page, *, local: bool) -> LearnedSource:
    async with _any_app() as app:
        index = Sample(page=page, at=app.clock.now())
        site = registrable_domain(page.url) if local else None
        result = await learn_site_profile(app, source, local_site=site, index=index)
    view = view_profile("", result.profile) if result.profile else None
    return LearnedSource(
        source="", profile=view, details=result.details, requests=result.requests, stopped=result.stopped
    )


def _is_usable(trial: Trial) -> bool:
    """Whether any of it would be stored; an empty agenda is a result, too."""
    return trial.ok and (not trial.items or any(item.verdict == "stored" for item in trial.items))


def _page(place: str, *, local: bool) -> tuple[bytes, str | None]:
    if "://" not in place:
        return _saved(Path(place)), None
    if not is_http(place):
        raise BadInput(f"{quoted(place)} is not a web address", hint="write it as https://example.com/page")
    page = run_async(_fetched(place, local=local))
    if page.outcome is not FetchOutcome.OK:
        cause = f" ({page.error})" if page.error else ""
        status = f" with status {page.status}" if page.status else ""
        raise Unusable(f"{place}: {page.outcome}{status}{cause}", hint=_advice(page))
    return page.body, page.final_url


def _saved(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise BadInput(f"there is no file {path}", hint="give a file, or an address with https://") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror})", hint="check the path") from error


_ADVICE: dict[FetchOutcome, str] = {
    FetchOutcome.ROBOTS_BLOCKED: "the site's robots.txt does not allow it; save the page and try the file",
    FetchOutcome.TERMS: "an operator blocked the site: larder site unblock SITE",
    FetchOutcome.BLOCKED: "the site refused the request; try a browser: see LARDER_BROWSER",
    FetchOutcome.DNS_ERROR: "check the address",
}


def _advice(page: Fetched) -> str:
    if "guard" in page.error:
        return "it is a private address; add --local to allow it"
    return _ADVICE.get(page.outcome, "save the page in your browser and try the file")


async def _fetched(url: str, *, local: bool) -> Fetched:
    """Fetch through the same gate as all requests: guard, block, robots.txt, rate limit."""
    async with _any_app() as app, app.previewing() as fetchers:
        site = registrable_domain(url) if local else None
        return await fetchers.fetcher.fetch(FetchRequest(url=url, local_site=site))


@asynccontextmanager
async def _any_app() -> AsyncIterator[App]:
    """The Larder of this folder, whose rate limits apply; without one, a temporary one."""
    settings = load()
    path = sqlite_path(settings.database_url)
    if path is None or path.is_file():
        async with opened_app(settings) as app:
            yield app
        return
    with tempfile.TemporaryDirectory(prefix="larder-try-") as folder:
        update: dict[str, Any] = {"data": Path(folder), "database": ""}
        async with open_app(settings.replaced(**update), upgrade=True) as app:
            yield app
