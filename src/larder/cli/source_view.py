"""Prints sources: the list, and one in detail."""

from datetime import UTC, datetime

from rich.text import Text

from larder.actions.formatting import percent
from larder.actions.sources.sources import SourceLine, SourceView
from larder.cli.common.gate_reasons import print_blockers
from larder.cli.common.output import ago, print_fields, print_heading, print_table, print_text, status_text


def draw_sources(lines: list[SourceLine]) -> None:
    """Print all sources, one a line."""
    now = datetime.now(UTC)
    print_table(
        ("source", "site", "state", "records", "public", "last run", "next"),
        (
            (
                Text(line.slug, style="bold"),
                line.site,
                _state(line),
                line.records,
                line.shown if line.visibility == "public" else Text("hidden", style="bright_black"),
                ago(line.last_run_at, now),
                ago(line.next_at, now) if line.state == "ready" else None,
            )
            for line in lines
        ),
        empty="No sources yet. Add one: larder source add https://… --kind listing",
    )


def _state(line: SourceLine) -> Text:
    why = ", ".join(gate.replace("_", " ") for gate in line.blocked_by)
    return status_text(line.state).append(f": {why}" if why and line.state == "held back" else "")


def draw_source(view: SourceView) -> None:
    """Print one source with its state."""
    now, row = datetime.now(UTC), view.fields
    print_text(Text.assemble((row["slug"], "bold"), f"  {row['name'] or ''}  ", status_text(view.why.state)))
    names = ("url", "kind", "adapter", "plan", "tier", "visibility", "language", "currency", "tz", "fetcher")
    print_fields(
        [
            *((name, row[name]) for name in names),
            ("site", row["domain"]),
            ("params", row["params"]),
            ("policy", row["policy"]),
            ("records", f"{view.records} active, {view.shown} fresh enough to be public"),
            ("seen in total", row["items_seen"]),
            ("last run", row["last_run_at"] and f"{ago(row['last_run_at'], now)}: {row['last_run_status']}"),
            ("reliability", percent(row["reliability"])),
            ("failures in a row", row["consecutive_failures"]),
            ("next", ", ".join(f"{k.kind} {ago(k.next_at, now)}" for k in view.why.kinds if k.next_at)),
        ]
    )
    print_heading("State")
    print_blockers(view.why, now)
