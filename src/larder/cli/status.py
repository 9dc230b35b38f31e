"""`larder status` and `larder why`: the state of the deployment, and why a source runs or not."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from larder.actions.operations.enrichment import EnrichmentUsage
from larder.actions.sources import gate_reasons
from larder.actions.sources.disputes import dispute_line
from larder.actions.sources.gate_reasons import KindState, SourceGates
from larder.app import App
from larder.app.enriching import read_usage
from larder.cli.common.gate_reasons import reason_lines
from larder.cli.common.output import (
    BADGE_COLOURS,
    Json,
    ago,
    print_fields,
    print_heading,
    print_result,
    print_text,
    status_text,
)
from larder.cli.common.session import with_app
from larder.cli.run.view import draw_losses
from larder.store.reads.operators.overview import LossCounts, LossyRun, Overview, overview
from larder.store.reads.rows import view_of


def status(as_json: Json = False) -> None:
    """Show sources, records, freshness, runs and open problems."""

    async def work(app: App) -> DeploymentStatus:
        seen = await app.run(overview, now=app.clock.now())
        model = await read_usage(app) if app.settings.llm_url else None
        return view_of(DeploymentStatus, seen, language_model=model)

    print_result(with_app(work), as_json=as_json, draw=_draw_overview)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentStatus(Overview):
    """The overview with the month's budget of the language model."""

    language_model: EnrichmentUsage | None
    """None: no model is configured."""


def why(
    source: Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")], as_json: Json = False
) -> None:
    """Show why a source runs, or every reason that it does not."""

    async def work(app: App) -> SourceGates:
        return await app.run(gate_reasons.why, source, app.dispatcher, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=_draw_why)


def _draw_overview(seen: DeploymentStatus) -> None:
    if not seen.sources:
        print_text(
            Text("No sources yet. Add one: larder source add https://… --kind listing", style="italic")
        )
        return
    fresh = Text("  ").join(
        Text(f"● {many:,} {word}", style=BADGE_COLOURS.get(word, "bright_black"))
        for word, many in asdict(seen.badges).items()
    )
    print_fields(
        [
            ("sources", f"{seen.sources}" + _parts(off=seen.sources_off, to_review=seen.sources_to_review)),
            ("records", f"{seen.records:,} active, {seen.public:,} public" + _parts(inactive=seen.inactive)),
            ("freshness", fresh),
            ("open runs", f"{seen.runs_open}" + _parts(paused=seen.runs_paused)),
            ("pages queued", f"{seen.jobs_pending:,}"),
            ("last 24 hours", f"{seen.fetched_24h:,} pages fetched" + _parts(failed=seen.failed_24h)),
            ("latest runs", losses_text(seen.latest_runs)),
            ("dead letters", seen.dead_letters or None),
            ("quarantine", seen.quarantined or None),
            *_model_fields(seen.language_model),
        ]
    )
    for run in seen.lossy_runs:
        print_text(_lossy_line(run))


def _model_fields(used: EnrichmentUsage | None) -> list[tuple[str, str | None]]:
    if used is None:
        return []
    budget = f"{used.model}, budget {used.state}: {used.tokens_text}, {used.usd_text}"
    waits = f"not asked before {used.not_before} ({used.trouble})" if used.not_before else None
    return [("language model", budget), ("", waits)]


def _lossy_line(run: LossyRun) -> Text:
    lost = f" {run.kind}, run {run.run}: {run.error or run.status}"
    step = (("\n    → ", "bright_black"), (f"larder why {run.source}", "bold"))
    return Text.assemble(("  ✗ ", "red"), (run.source, "bold"), lost, *step)


def losses_text(counts: LossCounts) -> str:
    """What the latest run of each source and kind showed and lost."""
    parts = [_many(many, name.split("_")) for name, many in asdict(counts).items() if many]
    return ", ".join(parts) or "nothing read yet"


def _many(count: int, words: Sequence[str]) -> str:
    """The number with what it counts: 1 page not read, 2 pages not read."""
    counted = words[0].removesuffix("s") if count == 1 else words[0]
    return " ".join([f"{count:,}", counted, *words[1:]])


def _parts(**counts: int) -> str:
    parts = [f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count]
    return f" ({', '.join(parts)})" if parts else ""


def _draw_why(why: SourceGates) -> None:
    now = datetime.now(UTC)
    print_text(
        Text.assemble((why.source, "bold"), f" on {why.site or 'no site yet'}  ", status_text(why.state))
    )
    for kind in why.kinds:
        print_text(Text.assemble((kind.kind, "bold"), "  ", _when(kind, now)))
        if kind.reasons:
            print_text(reason_lines(kind.reasons, now))
    for run in why.latest_runs:
        draw_losses(run)
    if why.spending is not None:
        print_heading("Requests")
        print_text(*why.spending.sentences)
    for field in why.disputed:
        step = (("\n    → ", "bright_black"), (f"larder source learn {why.source}", "bold"))
        print_text(Text.assemble(("  ≠ ", "yellow"), dispute_line(field), *step))
    if why.review_reason:
        print_text(Text(f"Held for review: {why.review_reason}", style="red"))
    if why.waits_for:
        print_text(
            Text(
                f"Its plan also has {', '.join(why.waits_for)}, which this process does not schedule.",
                style="bright_black",
            )
        )
    if why.hidden:
        todo = f"larder source set {why.source} --public"
        print_text(Text(f"Its records are hidden from public reads: {todo}", style="bright_black"))


def _when(kind: KindState, now: datetime) -> Text:
    if kind.open_run:
        return Text(f"running as run {kind.open_run}", style="cyan")
    if kind.next_at is None:
        return Text("not scheduled", style="bright_black")
    due = "due now" if kind.next_at <= now else f"due {ago(kind.next_at, now)}"
    return Text(due, style="yellow" if kind.reasons else "green")
