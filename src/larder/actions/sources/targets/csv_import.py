"""Imports targets from CSV: valid lines are imported, invalid ones reported."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from operator import itemgetter
from urllib.parse import urlsplit

from larder.actions.sources.durations import parse_duration
from larder.actions.sources.sources import add
from larder.actions.sources.spec import SourceSpec
from larder.actions.sources.targets import MONITORED_PLANS, monitored_source
from larder.actions.sources.targets.save import Given, Saved, TargetSpec, save_all
from larder.core.errors import BadInput
from larder.core.model.source import Plan
from larder.core.policy.scheduling.targets import from_ten_scale
from larder.core.quoting import quoted
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.sdk.urls import registrable_domain
from larder.store import json_safe
from larder.store.database import Connection
from larder.store.database.statement import in_batches
from larder.store.operations import audit
from larder.store.queue.source_rows import SourceRow
from larder.store.queue.sources import list_sources

MAX_ROWS = 100_000
MAX_SOURCES = 200
"""Sources that one file may add."""
MAX_NOTES = 2_000
Line = Mapping[str, str | None]
COLUMNS = frozenset({"url", "interval", "cron", "priority", "notes", "enabled"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A line of an import that was refused, with the reason."""

    line: int
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTargets:
    """The result of an import."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    """Targets that the file does not change."""
    bad: Sequence[BadRow] = field(default_factory=tuple)


def decode_csv(body: bytes) -> str:
    """The text of a file as spreadsheets write it: UTF-8, UTF-16 with its mark, or a western code page."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", errors="replace")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", errors="replace")


def import_csv(
    conn: Connection,
    slug: str,
    text: str,
    *,
    ten_scale: bool = False,
    add_sources: DispatchSettings | None = None,
    who: str,
    now: datetime,
) -> ImportedTargets:
    """Import the valid lines of a CSV file; report each invalid one with line and reason.

    A page of another site goes to the source that checks pages of that site; `add_sources`: one is added
    where there is none.
    """
    of_site = _sources_of_sites(conn, monitored_source(conn, slug))

    def source_for(url: str) -> SourceRow:
        domain = registrable_domain(url) or ""
        if add_sources and domain and domain not in of_site and len(of_site) < MAX_SOURCES:
            of_site[domain] = _added_source(conn, of_site[""], url, add_sources, who=who, now=now)
        return of_site.get(domain, of_site[""])

    counts: Counter[str] = Counter(dict.fromkeys(Saved, 0))
    bad: list[BadRow] = []
    for batch in in_batches(_lines(text)):
        lines = [(line, row) for line, row in batch if line <= MAX_ROWS]
        for line, outcome in _save(conn, lines, source_for, ten_scale=ten_scale, who=who, now=now):
            if isinstance(outcome, Saved):
                counts[outcome] += 1
            else:
                bad.append(BadRow(line=line, says=str(outcome)))
        if len(lines) < len(batch):
            bad.append(BadRow(line=batch[len(lines)][0], says=f"more than {MAX_ROWS} lines; split the file"))
            break
    audit.record(conn, "targets imported", slug, {**counts, "bad": len(bad)}, who=who, now=now)
    return ImportedTargets(**counts, bad=tuple(bad))


def _save(
    conn: Connection,
    lines: Sequence[tuple[int, Line]],
    source_for: Callable[[str], SourceRow],
    *,
    ten_scale: bool,
    who: str,
    now: datetime,
) -> list[tuple[int, Saved | BadInput | ValueError]]:
    """Save the lines; returns the result of each, in their order."""
    refused: list[tuple[int, Saved | BadInput | ValueError]] = []
    given: list[tuple[int, Given]] = []
    for number, row in lines:
        try:
            spec = _spec(row, ten_scale=ten_scale)
            given.append((number, (source_for(spec.url), spec)))
        except (BadInput, ValueError) as error:
            refused.append((number, error))
    outcomes = save_all(conn, [each for _, each in given], who=who, now=now)
    saved = [(number, outcome) for (number, _), outcome in zip(given, outcomes, strict=True)]
    return sorted([*refused, *saved], key=itemgetter(0))


def unknown_sites(conn: Connection, slug: str, text: str) -> list[str]:
    """The sites in a file that no source checks pages of, at most `MAX_SOURCES`."""
    of_site = _sources_of_sites(conn, monitored_source(conn, slug))
    domains = (
        registrable_domain((row.get("url") or "").strip()) for _, row in islice(_lines(text), MAX_ROWS)
    )
    return sorted({domain for domain in domains if domain} - of_site.keys())[:MAX_SOURCES]


def _sources_of_sites(conn: Connection, source: SourceRow) -> dict[str, SourceRow]:
    """The first source with targets of each site; the named source for its own site and for unknown ones."""
    rows = (row for row in reversed(list_sources(conn)) if row.domain and row.plan in MONITORED_PLANS)
    return {row.domain or "": row for row in rows} | {source.domain or "": source, "": source}


def _added_source(
    conn: Connection, like: SourceRow, url: str, settings: DispatchSettings, *, who: str, now: datetime
) -> SourceRow:
    """A source for the site of a page, of the same kind and currency."""
    parts = urlsplit(url)
    fields = {"url": f"{parts.scheme}://{parts.netloc}/", "kind": like.kind, "plan": Plan.MONITOR}
    spec = SourceSpec.model_validate({**fields, "currency": like.currency, "language": like.language})
    return monitored_source(conn, add(conn, spec, settings, who=who, now=now).slug)


def _lines(text: str) -> Iterator[tuple[int, Mapping[str, str | None]]]:
    """The lines of a file with their numbers, without characters that a database cannot store."""
    clean = json_safe.safe_text(text).lstrip("\ufeff")
    separator = _SEPARATOR_LINE.match(clean)
    delimiter = separator[1] if separator else _delimiter(clean)
    clean = clean[separator.end() :] if separator else clean
    skipped = 1 if separator else 0
    reader = csv.DictReader(io.StringIO(clean, newline=None), delimiter=delimiter)
    reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
    try:
        _check_header(reader.fieldnames or [])
        for row in reader:
            yield reader.line_num + skipped, row
    except csv.Error as error:
        raise BadInput(f"after line {reader.line_num}: {error}", hint="nothing was imported") from error


_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])[ ,;]*\r?\n", re.IGNORECASE)
"""The line that some spreadsheets write above the names of the columns."""


def _delimiter(text: str) -> str:
    """The separator in the first line: a comma, or that of spreadsheets of other countries."""
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def _check_header(names: Sequence[str]) -> None:
    if "url" not in names:
        raise BadInput(
            "the first line of the file is wrong: there is no column `url`",
            hint=f"known: {', '.join(sorted(COLUMNS))}; others become notes",
        )


def _notes(row: Mapping[str, str | None]) -> str | None:
    """The notes, with the columns that are not known here."""
    notes = [f"{name}: {value.strip()}" for name, value in row.items()
              if name and name not in COLUMNS and isinstance(value, str) and value.strip()]  # fmt: skip
    return "; ".join(filter(None, ((row.get("notes") or "").strip(), *notes)))[:MAX_NOTES] or None


def _spec(row: Mapping[str, str | None], *, ten_scale: bool) -> TargetSpec:
    def cell(name: str) -> str | None:
        return (row.get(name) or "").strip() or None

    priority = None if cell("priority") is None else _whole(cell("priority") or "")
    interval, enabled = cell("interval"), cell("enabled")
    return TargetSpec(
        url=cell("url") or "",
        interval=None if interval is None else parse_duration(interval),
        cron=cell("cron"),
        priority=from_ten_scale(priority) if ten_scale and priority is not None else priority,
        notes=_notes(row),
        enabled=None if enabled is None else _yes(enabled),
    )


_WHOLE = re.compile(r"([+-]?\d{1,9})(?:[.,]0{1,3})?")


def _whole(text: str) -> int:
    """A whole number, also as spreadsheets write it: 5,0 or 5.00."""
    match = _WHOLE.fullmatch(text)
    if match is None:
        raise BadInput(f"priority {quoted(text)} is not a whole number")
    return int(match[1])


_YES = frozenset(
    {"1", "true", "yes", "y", "on", "x", "ja", "wahr", "waar", "oui", "vrai", "sí", "si", "verdadero"}
    | {"sì", "vero", "sim", "verdadeiro"}
)
_NO = frozenset(
    {"0", "false", "no", "n", "off", "nein", "falsch", "nee", "onwaar", "non", "faux", "falso", "não"}
)


def _yes(text: str) -> bool:
    """Yes or no, as spreadsheets and people of several countries write it."""
    word = text.lower()
    if word not in _YES | _NO:
        raise BadInput(f"enabled {quoted(text, 40)} is neither yes nor no")
    return word in _YES
