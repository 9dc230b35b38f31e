"""Prints one record: its values with times and origin, and why it is shown or not."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from rich.text import Text

from larder.actions.dataset.records import RecordView
from larder.actions.formatting import value_text
from larder.cli.common.output import (
    ago,
    freshness_text,
    money,
    print_fields,
    print_heading,
    print_table,
    print_text,
)
from larder.core.plurals import plural
from larder.core.policy.freshness import missing_words
from larder.store.reads.evidence import Check, IndexPass, RecordEvidence, RecordImage
from larder.store.reads.record_history import Origin

OUTCOMES = {"alive": "green", "strike": "yellow", "gone": "red", "undecided": "bright_black"}


def draw_record(view: RecordView) -> None:
    """Print a record, the most important fields first."""
    now = datetime.now(UTC)
    _draw_standing(view, now)
    _draw_history(view, now)
    _draw_origins(view, now)
    _draw_versions(view)
    _draw_proof(view.proof, now)


def _draw_standing(view: RecordView, now: datetime) -> None:
    line, seen = view.record, view.evidence
    print_text(
        Text.assemble((line.title, "bold"), "  ", money(line.price_minor, line.currency) or ""),
        Text.assemble(
            freshness_text(line.confidence, line.badge), f"  {line.badge_text or 'not shown to the public'}"
        ),
    )
    print_fields(
        [
            ("url", line.url),
            ("source", line.source),
            ("first seen", ago(seen["first_seen_at"], now)),
            ("last seen", f"{ago(seen['last_seen_at'], now)}, {plural(seen['times_seen'], 'time')} in all"),
            ("page read", ago(seen["last_scraped_at"], now)),
            ("checked", ago(seen["verified_at"], now)),
            ("page missing", _missing(seen, now)),
            ("found missing", seen["strikes"] or None),
            ("state", seen["verification"] if line.active else f"{seen['verification'] or 'inactive'}"),
            ("gone since", ago(seen["deactivated_at"], now)),
            ("archived", "yes: only its last versions are kept" if seen["archived_at"] else None),
            ("falls by", f"{seen['rate']} points an hour; hidden {ago(seen['shown_until'], now)}"),
        ]
    )


def _missing(seen: Mapping[str, Any], now: datetime) -> str | None:
    """How the record's own page said that it is not there."""
    if seen["missing_at"] is None:
        return None
    return f"{missing_words(seen['missing_status'])} {ago(seen['missing_at'], now)}, being checked"


def _draw_history(view: RecordView, now: datetime) -> None:
    print_heading("Prices")
    print_table(
        ("price", "from", "last confirmed", "run"),
        (
            (money(p.amount, p.currency), _stamp(p.observed_at), ago(p.confirmed_at, now), p.run)
            for p in view.prices
        ),
        empty="None.",
    )
    if view.words:
        print_heading("Availability and sellers")
        print_table(
            ("field", "value", "from", "last confirmed", "run"),
            (
                (w.field, _short(w.word), _stamp(w.observed_at), ago(w.confirmed_at, now), w.run)
                for w in view.words
            ),
            empty="",
        )


def _draw_origins(view: RecordView, now: datetime) -> None:
    print_heading("Where each value comes from")
    print_table(
        ("field", "value", "read by", "sure", "from the", "run", "seen"),
        (
            (
                o.field,
                _short(o.value),
                _reader(o),
                _sure(o),
                o.purpose and f"{o.purpose} page",
                o.run,
                _seen(o, now),
            )
            for o in view.origins
        ),
        empty="None.",
    )


def _reader(origin: Origin) -> Text | str | None:
    if origin.pinned_by:
        return Text(f"pinned by {origin.pinned_by}", style="magenta")
    return origin.strategy


def _sure(origin: Origin) -> Text | None:
    if origin.sureness is None:
        return None
    return Text(origin.sureness, style="yellow" if origin.sureness.doubtful else "bright_black")


def _seen(origin: Origin, now: datetime) -> str | None:
    return ago(origin.observed_at, now)


def _draw_versions(view: RecordView) -> None:
    print_heading("Versions")
    print_table(
        ("version", "seen", "adapter", "run", "page"),
        (
            (v.id, _stamp(v.observed_at), f"{v.adapter} {v.adapter_version}", v.run, v.page_url)
            for v in view.versions
        ),
        empty="None.",
    )


def _draw_proof(proof: RecordEvidence, now: datetime) -> None:
    print_heading("Checks of its page")
    print_table(
        ("when", "asked with", "status", "outcome", "reason", "run"),
        ((_stamp(c.at), c.method, c.status, _outcome(c), _reason(c), c.run) for c in proof.checks),
        empty="None.",
    )
    if proof.full_pass:
        print_heading("Last full pass of its index")
        _draw_pass(proof.full_pass, now)
    if proof.pins:
        print_heading("Pinned fields")
        print_table(
            ("field", "value", "by", "when"),
            ((p.field, _short(p.value), p.by, _stamp(p.at)) for p in proof.pins),
            empty="",
        )
    if proof.images:
        print_heading("Images")
        print_table(
            ("page", "format", "size", "fetched", "message"),
            ((i.url, i.format, _size(i), ago(i.fetched_at, now), i.error) for i in proof.images),
            empty="",
        )
    print_heading("Changes")
    print_table(
        ("when", "what", "value"),
        ((_stamp(h.at), h.change, _short(h.details) if h.details else None) for h in proof.happened),
        empty="Nothing.",
    )


def _size(image: RecordImage) -> str | None:
    return f"{image.width} × {image.height}" if image.width and image.height else None


def _outcome(check: Check) -> Text:
    return Text(check.outcome, style=OUTCOMES.get(check.outcome, ""))


def _reason(check: Check) -> str | None:
    if check.control:
        return "control check of the site"
    return check.reason if check.settled else f"{check.reason or ''} (verification window is open)".strip()


def _draw_pass(walked: IndexPass, now: datetime) -> None:
    verdict = "on the index" if walked.showed_it else "not on the index"
    print_fields([("", verdict), ("ended", f"{ago(walked.ended_at, now)}, run {walked.run}")])
    draw_certificate(walked.certificate)


def draw_certificate(certificate: Mapping[str, Any]) -> None:
    """Print what a full pass proves about the rows it did not see."""
    missed = certificate["missed"]
    overlap = certificate.get("overlap_rows")
    print_fields(
        [
            ("pages walked", certificate["pages"]),
            ("rows shown", certificate["rows"]),
            ("rows advertised", certificate.get("advertised")),
            ("overlap matched", f"{certificate['overlap_known']} of {overlap}" if overlap else None),
            ("records seen", certificate["seen"]),
            ("known, not shown", certificate["unseen"]),
            ("probably missed", f"{missed['estimate']} (90 %: {missed['low']} to {missed['high']})"),
        ]
    )


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _short(value: object) -> str:
    text = value_text(value)
    return text if len(text) <= 60 else text[:59] + "…"
