"""`larder enrich`: sends items that rules could not read to the language model now, or shows its usage."""

from dataclasses import dataclass
from typing import Annotated

import typer

from larder.actions.operations.enrichment import EnrichmentUsage
from larder.app import App
from larder.app.enriching import enriching
from larder.app.model_usage import read_usage
from larder.cli.common.output import JsonOption, print_fields, print_result
from larder.cli.common.session import with_app
from larder.core.plurals import plural
from larder.engine.background.enrichment.enrich import EnrichmentResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """The result of a round and the remaining budget."""

    done: EnrichmentResult
    usage: EnrichmentUsage


def enrich(
    usage: Annotated[bool, typer.Option("--usage", help="Only show the month's use and budget.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Ask the language model now about events without a day or category, and about broken selectors.

    Without LARDER_LLM_URL nothing is asked. `larder up` and workers do the same every five minutes.
    """
    print_result(with_app(lambda app: _enrich(app, ask=not usage)), as_json=as_json, draw=_draw)


async def _enrich(app: App, *, ask: bool) -> Enriched:
    done = EnrichmentResult()
    if ask:
        async with enriching(app) as enricher:
            done = await enricher.round()
    return Enriched(done=done, usage=await read_usage(app))


def _draw(enriched: Enriched) -> None:
    done, used = enriched.done, enriched.usage
    print_fields(
        [
            ("model", used.model if used.enabled else "none configured: items are read by rules only"),
            ("asked", f"{plural(done.asked, 'item')}: {done.dated} dated, {done.categorized} categorized"),
            ("without an answer", done.discarded or None),
            (
                "selectors",
                f"{plural(done.layouts, 'layout')}: {done.proven} proven" if done.layouts else None,
            ),
            ("tokens", used.tokens_text),
            ("cost", used.usd_text),
            ("budget", used.state),
            ("waits until", used.not_before),
            ("because", used.trouble),
        ]
    )
