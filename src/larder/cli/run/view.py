"""Prints runs: a summary line, the list, and one run with its pages and errors."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from larder.actions.operations.run_losses import loss_figures, loss_lines
from larder.cli.common.output import (
    ago,
    print_fields,
    print_heading,
    print_table,
    print_text,
    span,
    status_text,
)
from larder.cli.records.view import draw_certificate
from larder.core.plurals import plural
from larder.rendering.hints import sentence
from larder.store.reads.operators.runs import RunView

if TYPE_CHECKING:  # `larder status` needs no code of runs
    from larder.actions.operations.runs import RunDetails

COUNTED = ("pages", "new", "changed", "failed")
INNER = frozenset({"passing", "history", "walk", "vouched"})
"""States of a run that mean nothing to people."""


def draw_line(view: RunView) -> None:
    """Print a run in one line."""
    void = "  void: its values do not count" if view.voided_at else ""
    print_text(
        Text.assemble(
            (f"Run {view.id}", "bold"), f"  {view.kind} of {view.source}  ", status_text(view.status),
            f"  {_result_text(view)}, {view.failed} failed",
            _rows(view) if _is_short(view) else "", _left_out(view), _not_read(view),
            f", {view.stock_summary}" if view.stock_summary else "",
            (f"  {view.error or ''}", "red"), (void, "magenta"),
        )
    )  # fmt: skip


def _result_text(view: RunView) -> str:
    """What a run read; a verification reads no pages, it checks records."""
    return view.checks_summary or f"{plural(view.pages, 'page')}, {view.inserted} new, {view.updated} changed"


def _rows(view: RunView) -> str:
    """Rows seen on index pages, and the number that the site advertises."""
    if not view.rows_shown:
        return ""
    advertised = f" of {view.advertised} advertised" if view.advertised else ""
    return f", {plural(view.rows_shown, 'row')} seen{advertised}"


def _is_short(view: RunView) -> bool:
    """Whether its pages showed fewer rows than the site advertises."""
    return view.advertised is not None and view.rows_shown < view.advertised


def _left_out(view: RunView) -> str:
    reasons = _by_reason(view.left_out)
    return f", left out: {reasons}" if reasons else ""


def _not_read(view: RunView) -> str:
    reasons = _by_reason(view.not_read)
    return f", {plural(view.pages_not_read, 'page')} not read: {reasons}" if reasons else ""


def _by_reason(counted: Mapping[str, Any] | None) -> str:
    return ", ".join(
        f"{each['items']} {reason.replace('_', ' ')}" for reason, each in (counted or {}).items()
    )


def draw_losses(view: RunView) -> None:
    """Print the counts of a run, and each reason for a loss with its next step."""
    figures = loss_figures(view)
    if figures:
        print_text(Text(f"  last {view.kind}, run {view.id}: {figures}", style="bright_black"))
    for line in loss_lines(view):
        todo = sentence(line.todo)
        step = (("\n    → ", "bright_black"), (todo, "bold")) if todo else ()
        print_text(Text.assemble(("  ✗ ", "red"), line.says, *step))


def draw_runs(views: list[RunView]) -> None:
    """List the latest runs."""
    now = datetime.now(UTC)
    print_table(
        ("run", "source", "kind", "status", "started", "took", *COUNTED, "remarks"),
        (
            (
                v.id,
                v.source,
                v.kind,
                status_text(v.status),
                ago(v.started_at, now),
                _took(v, now),
                *_counts(v),
                _remarks(v),
            )
            for v in views
        ),
        empty="No runs yet. Start one: larder run start SOURCE, or let all run: larder up",
    )


def _remarks(view: RunView) -> str:
    """Results of checks, left-out items and unread pages, by reason, and unknown stock."""
    remarks = (view.checks_summary, _left_out(view), _not_read(view), view.stock_summary)
    return ", ".join(filter(None, (each.removeprefix(", ") for each in remarks)))


def draw_run(details: "RunDetails") -> None:
    """Print all details of a run."""
    run, now = details.run, datetime.now(UTC)
    draw_line(run)
    print_fields(
        [
            ("trigger", run.trigger),
            ("adapter", f"{run.adapter} {run.adapter_version}"),
            ("actor run", details.actor_run),
            ("started", ago(run.started_at, now)),
            ("took", _took(run, now)),
            ("pages queued", run.open_jobs or None),
            ("items read", run.extracted),
            ("unchanged", run.unchanged),
            ("rows seen", _rows(run).removeprefix(", ") or None),
            ("stored", run.stored),
            ("left out", _left_out(run).removeprefix(", left out: ") or None),
            ("pages not read", _by_reason(run.not_read) or None),
            ("error", run.error_code),
            ("void since", ago(run.voided_at, now)),
        ]
    )
    draw_losses(run)
    _draw_state("Progress", details.state)
    _draw_state("Next run starts at", details.checkpoint)
    if details.certificate:
        print_heading("Coverage certificate")
        draw_certificate(details.certificate)
    _draw_pages(details, now)
    _draw_errors(details, now)


def _draw_state(title: str, reasons: Mapping[str, Any]) -> None:
    values = {name: value for name, value in reasons.items() if name not in INNER and value not in (None, "")}
    if values:
        print_heading(title)
        print_fields((name.replace("_", " "), _flat(value)) for name, value in values.items())


def _flat(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return ", ".join(f"{name.replace('_', ' ')} {each}" for name, each in value.items() if each is not None)


def _draw_pages(details: "RunDetails", now: datetime) -> None:
    print_heading("Pages, the latest first")
    print_table(
        ("job", "page", "for", "status", "answer", "rows", "took ms", "fetched"),
        (
            (p.job, p.url, p.purpose, p.status, _answer(p.outcome, p.code), p.yielded, p.duration_ms,
             ago(p.fetched_at, now))
            for p in details.pages
        ),
        empty="No pages: none requested, or deleted by retention.",
    )  # fmt: skip


def _answer(outcome: str | None, code: int | None) -> str | None:
    return f"{outcome} {code}" if outcome and code else outcome


def _draw_errors(details: "RunDetails", now: datetime) -> None:
    if details.errors:
        print_heading("Errors")
        print_table(
            ("when", "stage", "type", "message"),
            ((ago(e["at"], now), e["stage"], e["type"], e["message"]) for e in details.errors),
            empty="",
        )


def _took(view: RunView, now: datetime) -> str:
    return span((view.finished_at or now) - view.started_at)


def _counts(view: RunView) -> tuple[int, int, int, int]:
    return view.attempted if view.checks else view.pages, view.inserted, view.updated, view.failed
