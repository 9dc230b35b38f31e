"""`larder why`: why a source runs or does not run."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from larder.actions.sources import gate_reasons
from larder.actions.sources.disputes import dispute_line
from larder.actions.sources.gate_reasons import KindState, SourceGates
from larder.app import App
from larder.cli.common.gate_reasons import reason_lines
from larder.cli.common.output import JsonOption, ago, print_heading, print_result, print_text, status_text
from larder.cli.common.session import with_app
from larder.cli.run.view import draw_losses


def why(
    source: Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")],
    as_json: JsonOption = False,
) -> None:
    """Show why a source runs, or every reason that it does not."""

    async def work(app: App) -> SourceGates:
        return await app.run(gate_reasons.why, source, app.dispatcher, now=app.clock.now())

    print_result(with_app(work), as_json=as_json, draw=_draw_why)


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
