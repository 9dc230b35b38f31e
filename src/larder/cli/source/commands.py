"""`larder source …`"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.text import Text

from larder.actions.sources import catalogue, single_file, sources
from larder.actions.sources.catalogue import ImportedCatalogue
from larder.actions.sources.gate_reasons import SourceStatus
from larder.actions.sources.sources import SavedSource, SourceLine, SourceView
from larder.actions.sources.spec import SourceSpec
from larder.app import App
from larder.cli.common.gate_reasons import print_blockers
from larder.cli.common.output import Json, print_result, print_text
from larder.cli.common.session import operator, with_app
from larder.cli.profile.command import LearnOption, ReadingOption, learn, learn_now
from larder.cli.profile.view import draw_learned
from larder.cli.source_view import draw_list, draw_source
from larder.core.errors import BadInput
from larder.core.model.site import Preset
from larder.core.model.source import Kind, Plan, Tier, Visibility
from larder.rendering.hints import sentence

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Add, list, change, enable and disable sources.",
)

Slug = Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")]


def _plan(text: str) -> Plan:
    try:
        return Plan(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(Plan)}") from error


@app.command()
def add(
    url: Annotated[str | None, typer.Argument(help="Where its records are listed.")] = None,
    *,
    file: Annotated[
        Path | None, typer.Option(help="A YAML file with its selectors, or with the whole source.")
    ] = None,
    slug: Annotated[str, typer.Option(help="Its id in commands. Default: derived from the URL.")] = "",
    kind: Annotated[Kind | None, typer.Option(help="What its records are.")] = None,
    adapter: Annotated[
        str,
        typer.Option(help="The adapter that reads its pages. Default: that of the site, else of the kind."),
    ] = "",
    name: Annotated[str | None, typer.Option(help="Its display name.")] = None,
    plan: Annotated[
        Plan | None,
        typer.Option(parser=_plan, metavar="PLAN", help=f"Its run kinds: {', '.join(Plan)}. Default: index."),
    ] = None,
    tier: Annotated[
        Tier | None, typer.Option(help="How fast confidence in its records falls. Default: standard.")
    ] = None,
    currency: Annotated[str | None, typer.Option(help="Currency of prices without one, such as EUR.")] = None,
    language: Annotated[str | None, typer.Option(help="Language code of two letters. Default: en.")] = None,
    tz: Annotated[
        str | None, typer.Option(help="IANA time zone, such as Europe/Vienna. Default: UTC.")
    ] = None,
    place: Annotated[
        str | None, typer.Option(help="Where it is, such as 'Utrecht, NL', for records that do not say.")
    ] = None,
    max_pages: Annotated[int | None, typer.Option(help="Maximum number of index pages a run reads.")] = None,
    max_items: Annotated[int | None, typer.Option(help="Maximum number of new records of a run.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Show its records to the public.")] = False,
    reviewed: Annotated[
        bool,
        typer.Option("--terms-reviewed", help="Confirms that the site's terms were read and allow this."),
    ] = False,
    preset: Annotated[Preset | None, typer.Option(help="The site's rate limit preset.")] = None,
    local: Annotated[bool, typer.Option("--local", help="Allow a private address.")] = False,
    learns: LearnOption = False,
    reading: ReadingOption = None,
    as_json: Json = False,
) -> None:
    """Add a source. It is picked up at the next tick, without a restart."""
    given = {
        "slug": slug, "kind": kind, "adapter": adapter, "name": name, "plan": plan, "tier": tier,
        "currency": currency, "language": language, "tz": tz, "place": place, "max_pages": max_pages,
        "max_items_per_run": max_items, "visibility": Visibility.PUBLIC if public else None,
    }  # fmt: skip
    who = operator()
    declared = single_file.read(file) if file else single_file.SingleSource()
    spec = _checked({**declared.source, **_said(given), **({} if url is None else {"url": url})})
    site_values = {"preset": preset, "local": local or None, "terms_reviewed_by": who if reviewed else None}
    site = declared.site.model_copy(update=_said(site_values))

    async def work(app: App) -> SavedSource:
        now = app.clock.now()
        return await app.do(sources.add, spec, app.dispatcher, site=site, who=who, now=now)

    added = with_app(work)
    print_result(added, as_json=as_json, draw=_draw_added)
    if learns or reading:
        learned = learn_now(added.slug, reading)
        if not as_json:
            draw_learned(learned)


app.command("learn")(learn)


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List all sources with their state."""

    async def work(app: App) -> list[SourceLine]:
        return await app.do(sources.list_sources, app.dispatcher, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=draw_list)


@app.command()
def show(slug: Slug, as_json: Json = False) -> None:
    """Show one source."""

    async def work(app: App) -> SourceView:
        return await app.do(sources.show, slug, app.dispatcher, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=draw_source)


@app.command()
def enable(slug: Slug, as_json: Json = False) -> None:
    """Enable a source."""
    _switch(sources.enable, slug, "enabled", as_json=as_json)


@app.command()
def disable(slug: Slug, as_json: Json = False) -> None:
    """Disable a source: no new runs are started."""
    _switch(sources.disable, slug, "disabled", as_json=as_json)


@app.command()
def review(slug: Slug, as_json: Json = False) -> None:
    """Confirm that a source reviewed and may run."""
    _switch(sources.review, slug, "reviewed", as_json=as_json)


@app.command("set")
def set_(
    slug: Slug,
    *,
    name: Annotated[str | None, typer.Option(help="Its display name.")] = None,
    tier: Annotated[Tier | None, typer.Option(help="How fast confidence in its records falls.")] = None,
    public: Annotated[
        bool | None, typer.Option("--public/--hidden", help="Whether the public sees its records.")
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of index pages a run reads.")
    ] = None,
    max_items: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of new records of a run.")
    ] = None,
    reenables_itself: Annotated[
        bool | None, typer.Option(help="Whether a disabled adapter is tried again every 6 hours.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Change a source."""
    shown = None if public is None else str(Visibility.PUBLIC if public else Visibility.HIDDEN)
    changes = {
        "name": name,
        "tier": tier,
        "visibility": shown,
        "max_pages": max_pages,
        "max_items_per_run": max_items,
        "reenables_itself": None if reenables_itself is None else int(reenables_itself),
    }
    values = {column: value for column, value in changes.items() if value is not None}
    if not values:
        raise BadInput("nothing to set", hint="see: larder source set --help")

    async def work(app: App) -> SourceStatus:
        return await app.do(
            sources.set_columns, slug, values, app.dispatcher, who=operator(), now=app.clock.now()
        )

    print_result(with_app(work), as_json=as_json, draw=lambda why: _draw_switched(why, "changed"))


@app.command("import")
def import_(
    file: Annotated[
        str, typer.Argument(help="A YAML file, or the name of a catalogue that Larder includes.")
    ],
    as_json: Json = False,
) -> None:
    """Add or update the sources of a catalogue, all or none."""
    read = catalogue.read(file)

    async def work(app: App) -> ImportedCatalogue:
        return await app.do(catalogue.import_all, read, app.dispatcher, who=operator(), now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=_draw_import)


def _switch(action: Any, slug: str, what: str, *, as_json: bool) -> None:
    async def work(app: App) -> SourceStatus:
        why: SourceStatus = await app.do(action, slug, app.dispatcher, who=operator(), now=app.clock.now())
        return why

    print_result(with_app(work), as_json=as_json, draw=lambda why: _draw_switched(why, what))


def _said(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value not in (None, "")}


def _checked(given: dict[str, Any]) -> SourceSpec:
    if "url" not in given:
        raise BadInput("missing argument URL: the index page of the source", hint="larder source add URL")
    try:
        return SourceSpec.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        values = first["msg"].removeprefix("Value error, ")
        place = "" if first["loc"][:1] == ("url",) else f"{first['loc'][0]}: "
        raise BadInput(f"{place}{values}", hint="see: larder source add --help") from error


def _draw_added(added: SavedSource) -> None:
    print_text(Text.assemble("Added ", (added.slug, "bold"), f" on {added.why.site}."))
    print_blockers(added.why, datetime.now(UTC))


def _draw_switched(why: SourceStatus, what: str) -> None:
    print_text(Text.assemble((why.source, "bold"), f" {what}."))
    print_blockers(why, datetime.now(UTC))


def _draw_import(done: ImportedCatalogue) -> None:
    counts = ", ".join(f"{done.count(change)} {change}" for change in ("added", "changed", "unchanged"))
    print_text(Text(f"{done.catalogue}: {counts}."))
    blocked = {reason.gate: reason for each in done.sources for reason in each.why.blocked_by}
    for reason in blocked.values():
        many = sum(reason.gate in [r.gate for r in each.why.blocked_by] for each in done.sources)
        print_text(
            Text.assemble(("  ✗ ", "red"), f"{many} held back: {reason.says}"),
            Text.assemble(("    → ", "bright_black"), (sentence(reason.todo), "bold")),
        )
    waiting = sorted({kind for each in done.sources for kind in each.why.waits_for})
    if waiting:
        print_text(Text(f"  Not scheduled here: {', '.join(waiting)}.", style="yellow"))
