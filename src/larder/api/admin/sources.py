"""Sources: list, add, change, review, run now. The same routes stand under `/markets`, for city markets."""

import asyncio

from fastapi import APIRouter
from pydantic import Field

from larder.actions.operations import runs
from larder.actions.operations.runs import RunView
from larder.actions.sources import catalogue, gate_reasons, sources
from larder.actions.sources.catalogue import ImportedCatalogue
from larder.actions.sources.gate_reasons import SourceStatus
from larder.actions.sources.sources import SavedSource, SourceLine, SourceView
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody, Slug, example
from larder.api.schemas import Items
from larder.core.model.run import RunKind
from larder.core.model.source import FetcherName, Kind, Plan, Tier, Visibility

router = APIRouter()


class NewSource(RequestBody, SourceSpec):
    """A source to add, and what is said of its site on the way."""

    model_config = example(
        url="https://homes.example/rent",
        slug="homes",
        kind="listing",
        visibility="public",
        site={"terms_reviewed_by": "ada", "preset": "gentle"},
    )

    site: SiteSpec | None = Field(default=None, description="What is said of its site on the way.")

    def spec(self) -> SourceSpec:
        """The source alone."""
        return SourceSpec.model_validate(self.model_dump(exclude={"site"}, exclude_unset=True))


class SourceChange(RequestBody):
    """What is to be set of a source; what is left out stays as it is."""

    url: str | None = Field(default=None, max_length=2_000, description="Where its records are listed.")
    name: str | None = Field(default=None, max_length=200, description="Its name for people.")
    kind: Kind | None = Field(default=None, description="listing, event or product.")
    adapter: str | None = Field(default=None, max_length=64, description="Who reads its pages.")
    params: dict[str, object] | None = Field(default=None, description="What the adapter needs.")
    plan: Plan | None = Field(default=None, description="Which run kinds it has, and when.")
    tier: Tier | None = Field(default=None, description="How fast confidence falls.")
    cadence_hours: float | None = Field(default=None, gt=0, le=87_600, description="Between two collects.")
    policy: dict[str, float] | None = Field(default=None, description="Beats of its own, in seconds.")
    enabled: bool | None = Field(default=None, description="May it run?")
    needs_review: bool | None = Field(default=None, description="Should a person look it over first?")
    max_items_per_run: int | None = Field(
        default=None, ge=1, le=2**31 - 1, description="New records of a run."
    )
    max_pages: int | None = Field(default=None, ge=1, le=2**31 - 1, description="Index pages of a run.")
    fetcher: FetcherName | None = Field(default=None, description="How its pages come.")
    latitude: float | None = Field(default=None, ge=-90, le=90, description="Default coordinates.")
    longitude: float | None = Field(default=None, ge=-180, le=180, description="Default coordinates.")
    tz: str | None = Field(default=None, max_length=64, description="Its time zone.")
    language: str | None = Field(default=None, pattern=r"^[a-z]{2}$", description="Its language.")
    currency: str | None = Field(default=None, pattern=r"^[A-Z]{3}$", description="Of prices that name none.")
    visibility: Visibility | None = Field(default=None, description="Do public reads show it?")
    upc_trusted: bool | None = Field(default=None, description="May its product codes link records?")


class CatalogueText(RequestBody):
    """A catalogue, as the text of a YAML file."""

    yaml: str = Field(max_length=catalogue.MAX_CHARACTERS, description="The file's text.")


class RunRequest(RequestBody):
    """Which run kind; left out: discovery, or the only one there is."""

    kind: RunKind | None = Field(default=None, description="discovery, sweep, verification …")


@router.get("", summary="All sources")
async def every(ctx: AdminContext) -> Items[SourceLine]:
    """Each with its state, and the gates that keep it from running."""
    return Items(items=await ctx.look(sources.list_sources, ctx.dispatcher, now=ctx.now))


@router.post("", summary="Add a source", status_code=201)
async def add(ctx: AdminContext, body: NewSource) -> SavedSource:
    """The next dispatch picks it up; the answer says what still keeps it from running or being seen."""
    return await ctx.do(sources.add, body.spec(), ctx.dispatcher, site=body.site, **ctx.actor)


@router.post("/import", summary="Import a catalogue")
async def import_(ctx: AdminContext, body: CatalogueText) -> ImportedCatalogue:
    """All of its sources, or none; importing it again changes what differs."""
    read = await asyncio.to_thread(catalogue.parse, body.yaml)
    return await ctx.do(catalogue.import_all, read, ctx.dispatcher, **ctx.actor)


@router.get("/{slug}", summary="One source")
async def show(ctx: AdminContext, slug: Slug) -> SourceView:
    """All that is known of it, and whether it runs."""
    return await ctx.look(sources.show, slug, ctx.dispatcher, now=ctx.now)


@router.patch("/{slug}", summary="Change a source")
async def change(ctx: AdminContext, slug: Slug, body: SourceChange) -> SavedSource:
    """Sets what is given; what hangs on it (schedules, crossings, who sees it) follows."""
    said = body.model_dump(exclude_unset=True)
    return await ctx.do(sources.edit, slug, said, ctx.dispatcher, **ctx.actor)


@router.get("/{slug}/why", summary="Why does it run, or not?")
async def why(ctx: AdminContext, slug: Slug) -> SourceStatus:
    """Every gate that is shut, with what can be done about it."""
    return await ctx.look(gate_reasons.why, slug, ctx.dispatcher, now=ctx.now)


@router.post("/{slug}/enable", summary="Let it run")
async def enable(ctx: AdminContext, slug: Slug) -> SourceStatus:
    """Switched on."""
    return await ctx.do(sources.enable, slug, ctx.dispatcher, **ctx.actor)


@router.post("/{slug}/disable", summary="Start no more runs of it")
async def disable(ctx: AdminContext, slug: Slug) -> SourceStatus:
    """Switched off; a run under way is not touched."""
    return await ctx.do(sources.disable, slug, ctx.dispatcher, **ctx.actor)


@router.post("/{slug}/review", summary="It was looked over")
async def review(ctx: AdminContext, slug: Slug) -> SourceStatus:
    """A person looked it over; it is refused again if nothing was mended."""
    return await ctx.do(sources.review, slug, ctx.dispatcher, **ctx.actor)


@router.post("/{slug}/run", summary="Run it now", status_code=201)
@router.post("/{slug}/scrape", summary="Run it now (the same as `run`)", status_code=201)
async def run(ctx: AdminContext, slug: Slug, body: RunRequest | None = None) -> RunView:
    """Opens a run; a worker fetches its pages at once. A closed gate is an error that names the gate."""
    kind = body.kind if body else None
    return await ctx.do(runs.start, slug, kind, ctx.dispatcher, **ctx.actor)
