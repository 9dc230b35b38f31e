"""Onboarding: a new source from an address. Fetch, preview, adjust, save.

The page is fetched once, within the site's rate limit, and stored; further previews read the stored page.
One form holds all fields of the preview and of the saved source. Only a button (POST) causes a fetch.
"""

from datetime import datetime
from functools import partial
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import fetch
from larder.actions.sources import known_sites, sources, targets
from larder.actions.sources.site_profiles import view_profile
from larder.actions.sources.sources import SavedSource
from larder.actions.sources.spec import PLANS, SiteSpec, SourceSpec
from larder.actions.sources.targets import TargetSpec
from larder.app import App
from larder.app.fetch_advice import fetch_error
from larder.core.errors import BadInput, Unusable, UsageError
from larder.core.model.outcome import FetchOutcome
from larder.core.model.source import Kind, Plan, Tier
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.extraction import draft
from larder.extraction.draft import (
    FIELDS,
    DraftFields,
    Preview,
    draft_fields,
    has_selectors,
)
from larder.extraction.proposals import sitemaps_in
from larder.sdk.urls import is_http, origin, registrable_domain
from larder.stages.fetch import FetchRequest
from larder.store.database import Connection
from larder.store.operations import robots
from larder.store.queue.sources import by_slug
from larder.store.reads.operators.sites import terms_of
from larder.store.reads.stored_bodies import body_location
from larder.web.admin.frame import admin_page
from larder.web.admin.sources import draft_profile
from larder.web.admin.sources.draft_source import site_spec, source_spec
from larder.web.context import AdminContext, PageContext, form_text, parse_choice

router = APIRouter(prefix="/sources/new")

PREVIEW_READS = 3
"""A preview reads its page several times; it has the time of so many pages."""
REFUSED = "refused"
"""Query parameter of a preview after a failed save."""


@router.get("")
async def paste(ctx: AdminContext) -> Response:
    """The form for the address; earlier fields are kept."""
    return await _paste_page(ctx, draft_fields(ctx.request.query_params))


@router.post("/look")
async def look(ctx: AdminContext) -> Response:
    """Fetches the page once, subject to guard, block, robots.txt and rate limit."""
    values = _with_scheme(draft_fields(await ctx.form()))
    try:
        values = await _fetch_page(ctx, values)
    except (BadInput, Unusable) as error:
        return _redirect_to_paste(ctx, values, error)
    return _redirect_to_preview(ctx, values)


@router.get("/preview")
async def preview(ctx: AdminContext) -> Response:
    """The preview: items found, by strategy, and what would be stored."""
    values = draft_fields(ctx.request.query_params)
    body = await _stored_body(ctx.app, values)
    if body is None:
        return await _paste_page(ctx, values, gone=True)
    return await _preview_page(ctx, values, await _read_preview(ctx, body, values))


@router.post("/preview")
async def update_preview(ctx: AdminContext) -> Response:
    """The preview again with the current fields, or as another kind."""
    form = await ctx.form()
    values = draft_fields(form) | ({"kind": form_text(form, "as")} if form_text(form, "as") else {})
    values |= {"reading": form_text(form, "choose")} if form_text(form, "choose") else {}
    values |= {"profile": ""} if form_text(form, "as") else {}  # of one kind, it does not apply to another
    if values.get("plan") == form_text(
        form, "suggested"
    ):  # not chosen by the user: another reading may suggest another
        values.pop("plan", None)
    try:
        return _redirect_to_preview(ctx, await _ensure_stored(ctx, values))
    except (BadInput, Unusable) as error:
        return _redirect_to_paste(ctx, values, error)


@router.post("/learn")
async def learn(ctx: AdminContext) -> Response:
    """Fetches up to five detail pages and learns the site profile."""
    values: DraftFields = draft_fields(await ctx.form())
    try:
        values = await _ensure_stored(ctx, values)
        body = await _stored_body(ctx.app, values)
        if body is not None:
            seen = await _read_preview(ctx, body, values)
            values = await draft_profile.learn(ctx.app, values, body, seen)
    except (BadInput, Unusable) as error:
        return _redirect_to_preview(ctx, values, error)
    return _redirect_to_preview(ctx, values)


@router.post("/save")
async def save(ctx: AdminContext) -> Response:
    """Saves the source; a single page becomes its target. Errors are shown beside their fields."""
    values: DraftFields = draft_fields(await ctx.form())
    try:
        values = await _ensure_stored(ctx, values)
    except (BadInput, Unusable) as error:
        return _redirect_to_paste(ctx, values, error)
    body = await _stored_body(ctx.app, values)
    if body is None:
        return _redirect_to_preview(ctx, values)
    seen = await _read_preview(ctx, body, values)
    spec, wrong = await _checked(ctx, values, seen)
    if spec is None or wrong:
        return _redirect_to_preview(ctx, {**values, REFUSED: "1"})
    site, how = site_spec(values, ctx.who), ctx.app.dispatcher
    try:
        added = await ctx.run(_add_source, spec, site, values["url"], how, **ctx.actor)
    except BadInput as error:
        return _redirect_to_preview(ctx, {**values, REFUSED: "1"}, error)
    reasons = "; ".join(reason.says for reason in added.why.blocked_by)
    if added.target is not None:
        message = f"The page is now target {added.target} of {added.slug}, which checks pages of its site."
        return ctx.redirect(f"/admin/targets?{urlencode({'source': added.slug})}", message)
    message = f"{added.slug} is added" + (f", but does not run yet: {reasons}" if reasons else ".")
    return ctx.redirect(f"/admin/sources/{added.slug}", message, tone="warn" if reasons else "good")


def _redirect_to_preview(ctx: PageContext, values: DraftFields, error: UsageError | None = None) -> Response:
    to = f"/admin/sources/new/preview?{urlencode(values)}"
    return ctx.redirect(to, str(error), tone="bad", hint=error.hint) if error else ctx.redirect(to)


def _redirect_to_paste(ctx: PageContext, values: DraftFields, error: UsageError) -> Response:
    """Back to the form with the error; all fields are kept."""
    return ctx.redirect(f"/admin/sources/new?{urlencode(values)}", str(error), tone="bad", hint=error.hint)


async def _paste_page(ctx: PageContext, values: DraftFields, *, gone: bool = False) -> Response:
    form_values = {name: value for name, value in values.items() if name not in ("url", "local", "page")}
    return await admin_page(ctx, "paste.html", "sources", values=values, form_values=form_values, gone=gone)


async def _preview_page(ctx: PageContext, values: DraftFields, seen: Preview) -> Response:
    refused = REFUSED in ctx.request.query_params
    wrong = (await _checked(ctx, values, seen))[1] if refused else seen.wrong
    domain = registrable_domain(values["url"]) or ""
    slug, reviewed, robots_txt = await ctx.read(_site_facts, values["url"], domain)
    profile = await draft_profile.load(ctx.app, values)
    return await admin_page(
        ctx, "preview.html", "sources",
        values={"slug": slug, "name": seen.title, **seen.proposed, **values},
        proposals=[*seen.trial.proposals, *sitemaps_in(robots_txt)],
        seen=seen, trial=seen.trial, wrong=wrong, fields=FIELDS[seen.kind],
        kinds=sorted(Kind, key=lambda each: each is not seen.kind), plans=PLANS, tiers=list(Tier),
        domain=domain, reviewed=reviewed, refused=refused, adjusted=has_selectors(values),
        profile=view_profile("", profile) if profile else None,
    )  # fmt: skip


# -- the page ----------------------------------------------------------------------------------------------


def _with_scheme(values: DraftFields) -> dict[str, str]:
    url = values.get("url", "")
    return {**values, "url": url if "://" in url else f"https://{url}"}


async def _fetch_page(ctx: PageContext, values: DraftFields) -> dict[str, str]:
    """The fields with the content hash and the final URL of the page; private addresses are audited."""
    app, url = ctx.app, values.get("url", "")
    if not is_http(url):
        raise BadInput("not a web address", hint="use the form https://example.com/page")
    _, known = await app.run(fetch.fetch_context, url, None)
    if values.get("local"):
        await ctx.run(fetch.audit_private_fetch, url, **ctx.actor)
    async with app.previewing() as fetchers:
        site = known or (registrable_domain(url) if values.get("local") else None)
        page = await fetchers.fetcher.fetch(FetchRequest(url=url, local_site=site))
        if page.outcome is not FetchOutcome.OK or not page.body:
            raise fetch_error(page, allow="tick the box to allow it")
        (stored,) = await fetchers.blobs.put([page.body])
        await app.run(fetch.keep_body, stored, now=app.clock.now())
    return {**values, "page": stored.content_hash, "url": page.final_url}


async def _ensure_stored(ctx: PageContext, values: DraftFields) -> DraftFields:
    """Keeps the stored page; fetches it again if it has expired."""
    stored = await ctx.run(fetch.extend_body, values.get("page", ""), now=ctx.now)
    return values if stored else await _fetch_page(ctx, values)


async def _stored_body(app: App, values: DraftFields) -> bytes | None:
    content_hash = values.get("page", "")
    location = await app.read(body_location, content_hash) if "url" in values else None
    store = app.blobs()
    try:
        return await store.get(location, content_hash) if location else None
    finally:
        await store.close()


async def _read_preview(ctx: PageContext, body: bytes, values: DraftFields) -> Preview:
    if "kind" in values:
        parse_choice(values["kind"], Kind, "kind")
    task = partial(draft.preview, body, values, now=ctx.now)
    return await ctx.app.parse_runner.run(task, pages=PREVIEW_READS)


def _site_facts(conn: Connection, url: str, domain: str) -> tuple[str, bool, str]:
    """A free slug, whether the site's terms were reviewed, and its robots.txt as it was read last."""
    stored = robots.read(conn, origin(url))
    robots_txt = (stored.body or "") if stored is not None else ""
    return known_sites.free_slug(conn, url), terms_of(conn, domain).reviewed, robots_txt


# -- saving ------------------------------------------------------------------------------------------------


def _add_source(
    conn: Connection,
    spec: SourceSpec,
    site: SiteSpec | None,
    url: str,
    how: DispatchSettings,
    *,
    who: str,
    now: datetime,
) -> SavedSource:
    """Adds the source and, for a single page, its target, in one transaction.

    Where a source checks pages of the site and nobody chose a name or selectors, the page becomes its target.
    """
    page = SourceSpec(url=url, kind=spec.kind, plan=spec.plan)
    proposed = not spec.params and spec.slug == known_sites.free_slug(conn, spec.url)
    if proposed and known_sites.known_monitor(conn, page):
        return sources.add(conn, page, how, site=site, who=who, now=now)
    added = sources.add(conn, spec, how, site=site, who=who, now=now)
    if spec.plan is Plan.MONITOR:
        targets.add(conn, added.slug, TargetSpec(url=url), who=who, now=now)
    return added


async def _checked(
    ctx: PageContext, values: DraftFields, seen: Preview
) -> tuple[SourceSpec | None, dict[str, str]]:
    """The source, and the errors that prevent saving, by field."""
    spec, mistakes = source_spec(values, seen.kind, await draft_profile.load(ctx.app, values))
    taken = await ctx.read(_slug_taken, values.get("slug", ""))
    return spec, {**seen.wrong, **_nothing_stored(seen, values), **mistakes, **taken}


def _slug_taken(conn: Connection, slug: str) -> dict[str, str]:
    if by_slug(conn, slug) is None:
        return {}
    return {"slug": f"the name {slug} is taken: choose another one"}


def _nothing_stored(seen: Preview, values: DraftFields) -> dict[str, str]:
    """An error unless something would be stored or the user confirmed."""
    if seen.stored or values.get("anyway"):
        return {}
    return {"anyway": "nothing on this page would be stored: choose selectors above, or tick Save anyway"}
