"""Imports targets from CSV: valid lines are imported, invalid ones reported."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from larder.actions.sources.targets import TargetSpec, monitored_source, parse_duration, save
from larder.core.errors import BadInput
from larder.core.policy.scheduling.targets import from_ten_scale
from larder.store.database import Connection, json_safe
from larder.store.operations import audit

MAX_ROWS = 100_000
COLUMNS = frozenset({"url", "interval", "cron", "priority", "notes", "enabled"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A line of an import that was not taken, and why."""

    line: int
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTargets:
    """The result of an import."""

    added: int = 0
    changed: int = 0
    bad: Sequence[BadRow] = field(default_factory=tuple)


def import_csv(
    conn: Connection, slug: str, text: str, *, ten_scale: bool = False, who: str, now: datetime
) -> ImportedTargets:
    """Import the valid lines of a CSV file; report each invalid one with line and reason."""
    source = monitored_source(conn, slug)
    added = changed = 0
    bad: list[BadRow] = []
    for line, row in _lines(text):
        if line > MAX_ROWS:
            bad.append(BadRow(line=line, says=f"more than {MAX_ROWS} lines; split the file"))
            break
        try:
            _, new = save(conn, source, _spec(row, ten_scale=ten_scale), who=who, now=now)
        except (BadInput, ValueError) as error:
            bad.append(BadRow(line=line, says=str(error)))
            continue
        added, changed = added + new, changed + (not new)
    counts = {"added": added, "changed": changed, "bad": len(bad)}
    audit.record(conn, "targets imported", slug, counts, who=who, now=now)
    return ImportedTargets(added=added, changed=changed, bad=tuple(bad))


def _lines(text: str) -> Iterator[tuple[int, Mapping[str, str | None]]]:
    """The lines of a file with their numbers, without characters that a database cannot store."""
    reader = csv.DictReader(io.StringIO(json_safe.safe_text(text).lstrip("\ufeff"), newline=None))
    try:
        _check_header(reader.fieldnames or [])
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise BadInput(f"after line {reader.line_num}: {error}", hint="nothing was imported") from error


def _check_header(names: Sequence[str]) -> None:
    unknown = sorted(set(names) - COLUMNS)
    if "url" not in names or unknown:
        wrong = f"unknown columns: {', '.join(unknown)}" if unknown else "there is no column `url`"
        raise BadInput(
            f"the first line of the file is wrong: {wrong}", hint=f"known: {', '.join(sorted(COLUMNS))}"
        )


def _spec(row: Mapping[str, str | None], *, ten_scale: bool) -> TargetSpec:
    def cell(name: str) -> str | None:
        return (row.get(name) or "").strip() or None

    priority = cell("priority")
    if priority is not None and not priority.lstrip("-").isdigit():
        raise BadInput(f"priority {priority!r} is not a whole number")
    interval, enabled = cell("interval"), cell("enabled")
    return TargetSpec(
        url=cell("url") or "",
        interval=None if interval is None else parse_duration(interval),
        cron=cell("cron"),
        priority=None if priority is None else from_ten_scale(int(priority)) if ten_scale else int(priority),
        notes=cell("notes"),
        enabled=None if enabled is None else enabled.lower() in ("1", "true", "yes"),
    )
