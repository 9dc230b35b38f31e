"""`larder source …`: add, list, change, enable, disable and remove sources."""

from pathlib import Path
from typing import Annotated, Any

import typer

from larder.actions.sources import catalogue, removal, single_file, sources
from larder.actions.sources.catalogue import ImportedCatalogue
from larder.actions.sources.fields import EDITABLE
from larder.actions.sources.gate_reasons import SourceGates
from larder.actions.sources.removal import FATES, RecordsFate
from larder.actions.sources.sources import SavedSource, SourceLine, SourceView
from larder.actions.sources.spec import SourceSpec
from larder.app import App
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, print_result
from larder.cli.common.session import operator, run_action, with_app
from larder.cli.profile.command import LearnOption, ReadingOption, learn, learn_now
from larder.cli.profile.view import draw_learned
from larder.cli.source.field_options import checked, given_fields, with_field_options
from larder.cli.source.view import (
    draw_added,
    draw_import,
    draw_removed,
    draw_switched,
    draw_taken_over,
    draw_zone,
)
from larder.cli.source_view import draw_source, draw_sources
from larder.core.errors import BadInput
from larder.core.model.site import Preset
from larder.core.model.source import Kind, Visibility
from larder.core.quoting import quoted

_FATES = (
    "What happens to its records. "
    + "; ".join(f"{fate}: {description}" for fate, description in FATES.items())
    + "."
)

app = command_group("Add, list, change, enable and remove sources.")

SlugArgument = Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")]


@app.command()
@with_field_options(without=("url",))
def add(
    url: Annotated[str | None, typer.Argument(help="Where its records are listed.")] = None,
    *,
    file: Annotated[
        Path | None, typer.Option(help="A YAML file with its selectors, or with the whole source.")
    ] = None,
    slug: Annotated[str, typer.Option(help="Its id in commands. Default: derived from the URL.")] = "",
    city: Annotated[str, typer.Option(help="A market's city; the adapter makes the URL of it.")] = "",
    state: Annotated[str, typer.Option(help="A market's state, such as TX.")] = "",
    public: Annotated[bool, typer.Option("--public", help="Show its records to the public.")] = False,
    reviewed: Annotated[
        bool,
        typer.Option("--terms-reviewed", help="Confirms that the site's terms were read and allow this."),
    ] = False,
    preset: Annotated[Preset | None, typer.Option(help="The site's rate limit preset.")] = None,
    local: Annotated[bool, typer.Option("--local", help="Allow a private address.")] = False,
    learns: LearnOption = False,
    reading: ReadingOption = None,
    as_json: JsonOption = False,
    **given: Any,
) -> None:
    """Add a source. It is picked up at the next tick, without a restart."""
    who = operator()
    declared = single_file.read(file) if file else single_file.SingleSource()
    visibility = {"visibility": Visibility.PUBLIC} if public else {}
    names = {"slug": slug} if slug else {}
    addressed = {} if url is None else {"url": url}
    fields = {**declared.source, **given_fields(given)}
    if city or state:
        fields["params"] = {**fields.get("params", {}), "city": city, "state": state}
    spec = checked({**fields, **visibility, **names, **addressed})
    site_values = {"preset": preset, "local": local or None, "terms_reviewed_by": who if reviewed else None}
    site = declared.site.model_copy(
        update={name: value for name, value in site_values.items() if value is not None}
    )

    async def work(app: App) -> SavedSource:
        now = app.clock.now()
        return await app.run(sources.add, spec, app.dispatcher, site=site, who=who, now=now)

    added = with_app(work)
    print_result(added, as_json=as_json, draw=draw_added)
    if not as_json and added.target is None and spec.kind is Kind.EVENT:
        draw_zone(added.slug, spec.with_zone().tz)
    if (learns or reading) and added.target is None:
        result = learn_now(added.slug, reading)
        filled = _take_over(added.slug, {**result.page_fields}, spec)
        if not as_json:
            draw_learned(result)
            draw_taken_over(filled)


async def _edit(app: App, slug: str, values: dict[str, str]) -> SavedSource:
    now = app.clock.now()
    return await app.run(sources.edit, slug, values, app.dispatcher, who=operator(), now=now)


def _take_over(slug: str, page_fields: dict[str, str], spec: SourceSpec) -> dict[str, str]:
    """Fill options that were not given with values from the page."""
    filled = {
        name: value
        for name, value in page_fields.items()
        if name not in spec.model_fields_set and value != getattr(spec, name)
    }
    if filled:
        with_app(lambda app: _edit(app, slug, filled))
    return filled


app.command("learn")(learn)


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List all sources with their state."""

    async def work(app: App) -> list[SourceLine]:
        return await app.run(sources.list_sources, app.dispatcher, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=draw_sources)


@app.command()
def show(slug: SlugArgument, as_json: JsonOption = False) -> None:
    """Show one source."""

    async def work(app: App) -> SourceView:
        return await app.run(sources.show, slug, app.dispatcher, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=draw_source)


@app.command()
def enable(slug: SlugArgument, as_json: JsonOption = False) -> None:
    """Enable a source."""
    _switch(sources.enable, slug, "enabled", as_json=as_json)


@app.command()
def disable(slug: SlugArgument, as_json: JsonOption = False) -> None:
    """Disable a source: no new runs are started."""
    _switch(sources.disable, slug, "disabled", as_json=as_json)


@app.command()
def review(slug: SlugArgument, as_json: JsonOption = False) -> None:
    """Confirm that a source was reviewed and may run."""
    _switch(sources.review, slug, "reviewed", as_json=as_json)


@app.command("set")
@with_field_options()
def set_(
    slug: SlugArgument,
    *,
    file: Annotated[Path | None, typer.Option(help="A YAML file with its selectors, or its fields.")] = None,
    public: Annotated[
        bool | None, typer.Option("--public/--hidden", help="Whether the public sees its records.")
    ] = None,
    reset: Annotated[
        list[str] | None, typer.Option(help="Remove a value: the field gets its default.", metavar="FIELD")
    ] = None,
    as_json: JsonOption = False,
    **given: Any,
) -> None:
    """Change a source; what is not named stays."""
    declared = dict(single_file.read(file).source) if file else {}
    visibility = {} if public is None else {"visibility": Visibility.PUBLIC if public else Visibility.HIDDEN}
    removed = {_removable(name): None for name in reset or ()}
    values = {**declared, **removed, **given_fields(given), **visibility}
    values.pop("slug", None)
    if not values:
        raise BadInput("nothing to set", hint="see: larder source set --help")

    async def work(app: App) -> SourceGates:
        now = app.clock.now()
        return (await app.run(sources.edit, slug, values, app.dispatcher, who=operator(), now=now)).why

    print_result(with_app(work), as_json=as_json, draw=lambda why: draw_switched(why, "changed"))


def _removable(text: str) -> str:
    name = text.replace("-", "_")
    if name not in EDITABLE:
        raise BadInput(f"a source has no field {quoted(text)}", hint=f"fields: {', '.join(EDITABLE)}")
    return name


@app.command()
def remove(
    slug: SlugArgument,
    records: Annotated[RecordsFate, typer.Option(help=_FATES)] = RecordsFate.KEPT,
    yes: Annotated[bool, typer.Option("--yes", help="Erase without asking.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove a source; adding it again under its slug continues it."""
    if records is RecordsFate.ERASED and not (yes or as_json):
        typer.confirm(f"Erase all records, prices and stored pages of {slug}?", abort=True)
    print_result(run_action(removal.remove, slug, records), as_json=as_json, draw=draw_removed)


@app.command("import")
def import_(
    file: Annotated[
        str, typer.Argument(help="A YAML file, or the name of a catalogue that Larder includes.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Add or update the sources of a catalogue, all or none."""
    parsed = catalogue.read(file)

    async def work(app: App) -> ImportedCatalogue:
        return await app.run(
            catalogue.import_all, parsed, app.dispatcher, who=operator(), now=app.clock.now()
        )

    print_result(with_app(work), as_json=as_json, draw=draw_import)


def _switch(action: Any, slug: str, verb: str, *, as_json: bool) -> None:
    async def work(app: App) -> SourceGates:
        why: SourceGates = await app.run(action, slug, app.dispatcher, who=operator(), now=app.clock.now())
        return why

    print_result(with_app(work), as_json=as_json, draw=lambda why: draw_switched(why, verb))
