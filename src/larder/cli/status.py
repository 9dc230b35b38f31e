"""`larder status`: the state of the deployment."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from larder.app import App
from larder.app.data_folder import is_full
from larder.cli.common.output import (
    BADGE_COLOURS,
    JsonOption,
    print_fields,
    print_nothing,
    print_result,
    print_text,
)
from larder.cli.common.session import with_app
from larder.store.database import Connection
from larder.store.reads.counts import count_stored
from larder.store.reads.operators.overview import LossCounts, LossyRun, Overview, overview
from larder.store.reads.rows import view_of

if TYPE_CHECKING:
    from rich.text import Text

    from larder.actions.operations.enrichment import EnrichmentUsage


def status(as_json: JsonOption = False) -> None:
    """Show sources, records, freshness, runs and open problems."""

    async def work(app: App) -> DeploymentStatus:
        seen, inactive = await app.run(_counts, now=app.clock.now())
        return view_of(
            DeploymentStatus,
            seen,
            inactive=inactive,
            language_model=await _model_usage(app),
            disk_full=is_full(app.settings.data),
        )

    print_result(with_app(work), as_json=as_json, draw=_draw_overview)


def _counts(conn: Connection, *, now: datetime) -> tuple[Overview, int]:
    """The overview, and the number of inactive records."""
    seen = overview(conn, now=now)
    return seen, count_stored(conn) - seen.records


async def _model_usage(app: App) -> "EnrichmentUsage | None":
    if not app.settings.llm_url:
        return None
    from larder.app.model_usage import read_usage  # noqa: PLC0415 - loaded where there is a model

    return await read_usage(app)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentStatus(Overview):
    """The overview with inactive records, the language model's budget of the month and the disk's state."""

    inactive: int
    language_model: "EnrichmentUsage | None"
    """None: no model is configured."""
    disk_full: bool
    """Nothing can be written: runs wait for space, reads continue."""


def _draw_overview(seen: DeploymentStatus) -> None:
    if seen.disk_full:
        typer.secho("The disk is full: runs wait for free space, reads continue.", fg="red")
    if seen.sources:
        _draw_figures(seen)
    else:
        print_nothing("No sources yet. Add one: larder source add https://… --kind listing")


def _draw_figures(seen: DeploymentStatus) -> None:
    from rich.text import Text  # noqa: PLC0415 - loaded where something is drawn

    badges = Text("  ").join(
        Text(f"● {many:,} {word}", style=BADGE_COLOURS.get(word, "bright_black"))
        for word, many in asdict(seen.badges).items()
    )
    print_fields(
        [
            ("sources", f"{seen.sources}" + _parts(off=seen.sources_off, to_review=seen.sources_to_review)),
            ("records", f"{seen.records:,} active, {seen.public:,} public" + _parts(inactive=seen.inactive)),
            ("freshness", badges),
            ("open runs", f"{seen.runs_open}" + _parts(paused=seen.runs_paused)),
            ("pages queued", f"{seen.jobs_pending:,}"),
            ("last 24 hours", f"{seen.fetched_24h:,} pages fetched" + _parts(failed=seen.failed_24h)),
            ("latest runs", losses_text(seen.latest_runs)),
            ("open alerts", f"{seen.alerts} (larder alert list)" if seen.alerts else None),
            ("dead letters", seen.dead_letters or None),
            ("quarantine", seen.quarantined or None),
            *_model_fields(seen.language_model),
        ]
    )
    for run in seen.lossy_runs:
        print_text(_lossy_line(run))


def _model_fields(used: "EnrichmentUsage | None") -> list[tuple[str, str | None]]:
    if used is None:
        return []
    budget = f"{used.model}, budget {used.state}: {used.tokens_text}, {used.usd_text}"
    waits = f"not asked before {used.not_before} ({used.trouble})" if used.not_before else None
    return [("language model", budget), ("", waits)]


def _lossy_line(run: LossyRun) -> "Text":
    from rich.text import Text  # noqa: PLC0415

    text = f" {run.kind}, run {run.run}: {run.error or run.status}"
    step = (("\n    → ", "bright_black"), (f"larder why {run.source}", "bold"))
    return Text.assemble(("  ✗ ", "red"), (run.source, "bold"), text, *step)


def losses_text(counts: LossCounts) -> str:
    """What the latest run of each source and kind showed and lost."""
    parts = [_many(many, name.split("_")) for name, many in asdict(counts).items() if many]
    return ", ".join(parts) or "nothing read yet"


def _many(count: int, words: Sequence[str]) -> str:
    """A number with its noun: 1 page not read, 2 pages not read."""
    counted = words[0].removesuffix("s") if count == 1 else words[0]
    return " ".join([f"{count:,}", counted, *words[1:]])


def _parts(**counts: int) -> str:
    parts = [f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count]
    return f" ({', '.join(parts)})" if parts else ""
