"""`larder site …`"""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from larder.actions.sources import sites
from larder.actions.sources.sites import SiteView
from larder.actions.sources.spec import SiteSpec
from larder.cli.common.durations import duration
from larder.cli.common.groups import command_group
from larder.cli.common.output import JsonOption, ago, print_fields, print_result, print_table, print_text
from larder.cli.common.session import operator, run_action, run_query
from larder.core.errors import BadInput
from larder.core.model.site import Preset

app = command_group("Show and set the terms, limits and blocks of sites.")

DomainArgument = Annotated[str, typer.Argument(help="The site's domain.", metavar="SITE")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List all sites with their limits and terms."""
    print_result(run_query(sites.list_sites), as_json=as_json, draw=_draw_list)


@app.command()
def show(domain: DomainArgument, as_json: JsonOption = False) -> None:
    """Show one site."""
    print_result(run_query(sites.get_site, domain), as_json=as_json, draw=_draw_site)


@app.command()
def review(
    domain: DomainArgument,
    by: Annotated[str | None, typer.Option(help="Who read them. Default: your user name.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Record that the site's terms were read and allow what Larder does."""
    _order(sites.review, domain, who=by or operator(), as_json=as_json)


@app.command()
def block(
    domain: DomainArgument,
    reason: Annotated[str, typer.Option(help="The reason, shown beside the block.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Block a site: nothing is fetched and its runs are stopped."""
    _order(sites.block, domain, reason, as_json=as_json)


@app.command()
def unblock(domain: DomainArgument, as_json: JsonOption = False) -> None:
    """Unblock a site."""
    _order(sites.unblock, domain, as_json=as_json)


@app.command("set")
def set_(
    domain: DomainArgument,
    *,
    preset: Annotated[Preset | None, typer.Option(help="Rate limit preset.")] = None,
    spacing: Annotated[str | None, typer.Option(help="Time between two requests, e.g. 2s or 500ms.")] = None,
    spacing_max: Annotated[str | None, typer.Option(help="Upper bound of a random spacing.")] = None,
    at_once: Annotated[
        int | None, typer.Option(min=1, max=100, help="Maximum number of concurrent requests.")
    ] = None,
    local: Annotated[
        bool | None, typer.Option("--local/--not-local", help="Whether a private address is allowed.")
    ] = None,
    exempt_host: Annotated[
        list[str] | None,
        typer.Option(help="A host that has the site's limits for itself; may be repeated.", metavar="HOST"),
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Remove limits and exempt hosts set before; the preset applies.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Set a site's limits. A larger crawl-delay in robots.txt still applies."""
    limits = {
        "spacing": _seconds(spacing, "--spacing"),
        "spacing_max": _seconds(spacing_max, "--spacing-max"),
        "at_once": at_once,
        "exempt_hosts": exempt_host or None,
    }
    values = {"preset": preset, "local": local, **limits}
    changes = {
        name: value for name, value in values.items() if value is not None or (reset and name in limits)
    }
    if not changes:
        raise BadInput("nothing to set", hint="see: larder site set --help")
    _order(sites.change, domain, SiteSpec.model_validate(changes), as_json=as_json)


def _seconds(text: str | None, option: str) -> float | None:
    return None if text is None else duration(text, option).total_seconds()


def _order(action: Any, *args: Any, as_json: bool, **changes: str) -> None:
    print_result(run_action(action, *args, **changes), as_json=as_json, draw=_draw_site)


def _draw_list(views: list[SiteView]) -> None:
    now = datetime.now(UTC)
    print_table(
        ("site", "sources", "terms", "limit", "robots.txt", "state"),
        (
            (
                Text(v.domain, style="bold"),
                len(v.sources),
                _terms(v, now),
                _limit(v),
                v.robots,
                _state(v, now),
            )
            for v in views
        ),
        empty="No sites. A site comes with its first source: larder source add https://… --kind listing",
    )


def _draw_site(view: SiteView) -> None:
    now = datetime.now(UTC)
    print_text(Text.assemble((view.domain, "bold"), "  ", _state(view, now)))
    print_fields(
        [
            ("terms", _terms(view, now)),
            ("limit", _limit(view)),
            ("preset", view.preset),
            ("exempt hosts", view.exempt_hosts or None),
            ("crawl-delay", view.crawl_delay and f"{view.crawl_delay:g} s"),
            ("robots.txt", view.robots or "not fetched yet"),
            ("local", "private address allowed" if view.local else None),
            ("sources", view.sources),
            ("notes", view.notes),
        ]
    )


def _terms(view: SiteView, now: datetime) -> Text:
    if view.terms_reviewed_at is None:
        return Text("not reviewed", style="yellow")
    return Text(f"reviewed by {view.terms_reviewed_by} {ago(view.terms_reviewed_at, now)}", style="green")


def _limit(view: SiteView) -> str:
    gap = f"{view.spacing:g}" + (f"–{view.spacing_max:g}" if view.spacing_max > view.spacing else "")
    return f"{gap} s apart, {view.at_once} at a time"


def _state(view: SiteView, now: datetime) -> Text:
    if view.blocked:
        return Text("blocked" + (f" ({view.blocked_reason})" if view.blocked_reason else ""), style="red")
    if view.cooling_until is not None and view.cooling_until > now:
        return Text(f"paused ({view.cooling_reason}), {ago(view.cooling_until, now)}", style="yellow")
    return Text("open", style="green")
