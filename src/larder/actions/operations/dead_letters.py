"""Dead letters: list, show, retry, discard, annotate; one by one or by group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from larder.core.errors import BadInput, Conflict, NotFound
from larder.core.model.hint import Hint
from larder.engine.scheduling import dead_letter_retries as retrying
from larder.engine.scheduling.dead_letter_retries import Retried
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.database import Connection
from larder.store.operations import audit
from larder.store.queue import dead_letters as letters
from larder.store.queue.dead_letter_rows import DeadLetterRow, RetriableDeadLetter, UnsentMessage
from larder.store.queue.dead_letters import DeadLetterSelection, DeadLetterStatus
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import view_of

MAX_LETTERS = 1_000
"""Dead letters that one call handles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterFilter:
    """Dead letters by number, or by source, stage, type and status."""

    ids: Sequence[int] = ()
    source: str | None = None
    stage: str | None = None
    type: str | None = None
    status: DeadLetterStatus | None = None

    @property
    def everything(self) -> bool:
        """Whether no filter is set, so that all dead letters match."""
        return not (self.ids or self.source or self.stage or self.type)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterView:
    """A dead letter as the interfaces show it."""

    id: int
    source: str | None
    run_id: int | None
    stage: str
    category: str
    type: str
    message: str | None
    url: str | None
    status: str
    retries: int
    retry_at: datetime | None
    """When it is retried automatically; None: only by hand."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterDetails:
    """One letter, with all that is known of it."""

    letter: DeadLetterView
    job_id: int | None
    page_id: int | None
    """The stored page from which a retry continues; None: it is fetched again."""
    trace: str | None
    payload: Mapping[str, Any]
    notes: str | None
    resolved_at: datetime | None
    resolved_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterGroup:
    """Dead letters with the same stage, type and status."""

    stage: str
    type: str
    status: str
    many: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterList:
    """The groups, and the latest letters."""

    groups: Sequence[DeadLetterGroup]
    letters: Sequence[DeadLetterView]


def list_dead_letters(
    conn: Connection, filters: DeadLetterFilter, *, before: int | None = None, limit: int = 20
) -> DeadLetterList:
    """Letters by group, and the latest of them; `before`: of those with a smaller number."""
    selection = _which(conn, filters)
    return DeadLetterList(
        groups=[view_of(DeadLetterGroup, row) for row in letters.count_groups(conn, selection)],
        letters=[_view(row) for row in letters.list_newest(conn, selection, before=before, limit=limit)],
    )


def show(conn: Connection, letter_id: int) -> DeadLetterDetails:
    """A dead letter as the interfaces show it."""
    row = _must_be(conn, letter_id)
    return view_of(DeadLetterDetails, row, letter=_view(row), payload=row.payload or {})


def retry(
    conn: Connection, filters: DeadLetterFilter, settings: DispatchSettings, *, who: str, now: datetime
) -> Retried:
    """Queue failed work again at the stage where it failed; closed gates are respected."""
    rows, unsent = _chosen(conn, filters)
    if not rows and not unsent:
        raise Conflict("none of these can be retried", hint=_WHY_NOT)
    sent = retrying.resend_messages(conn, unsent, who=who, now=now)
    done = _retry_pages(conn, rows, settings, now=now) if rows else Retried()
    _note_audit(conn, "dead letters retried", [*sent, *done.in_line, *done.read_since], who=who, now=now)
    return replace(done, sent_again=sent)


def _retry_pages(
    conn: Connection, rows: Sequence[RetriableDeadLetter], settings: DispatchSettings, *, now: datetime
) -> Retried:
    closed = retrying.held_back(conn, rows, settings, now=now)
    free = [row for row in rows if row.source_id not in closed]
    if not free:
        reason = next(iter(closed.values()))[0]
        raise Conflict(reason.says, hint=reason.todo)
    done = retrying.retry(conn, free, counted=False, now=now)
    return replace(done, held_back=[row.id for row in rows if row.source_id in closed])


_WHY_NOT = Hint(
    text="a dead letter can be retried while it is pending, its run has ended and its job is stored",
    action="dead_letter.list",
)


def discard(
    conn: Connection, filters: DeadLetterFilter, text: str = "", *, who: str, now: datetime
) -> list[int]:
    """Discard dead letters; they stay on record. Returns their numbers."""
    _require_filter(filters)
    waits = replace(_which(conn, filters), status=DeadLetterStatus.PENDING)
    ids = [row.id for row in letters.list_newest(conn, waits, limit=MAX_LETTERS, ids=filters.ids or None)]
    discarded = letters.close(conn, ids, DeadLetterStatus.DISCARDED, who=who, now=now)
    if not discarded:
        pending = Hint(action="dead_letter.list", options=(("status", "pending"),))
        raise Conflict("none of these dead letters is pending", hint=pending)
    if text:
        letters.add_note(conn, discarded, _line(text, who, now))
    _note_audit(conn, "dead letters discarded", discarded, who=who, now=now)
    return discarded


def add_note(conn: Connection, letter_id: int, text: str, *, who: str, now: datetime) -> DeadLetterDetails:
    """Add a note to a dead letter."""
    _must_be(conn, letter_id)
    letters.add_note(conn, [letter_id], _line(text, who, now))
    audit.record(conn, "dead letter noted", str(letter_id), {"note": text}, who=who, now=now)
    return show(conn, letter_id)


def _chosen(
    conn: Connection, filters: DeadLetterFilter
) -> tuple[list[RetriableDeadLetter], list[UnsentMessage]]:
    """Letters about pages, and about messages."""
    _require_filter(filters)
    for letter_id in filters.ids:
        _must_be(conn, letter_id)
    selection, ids = _which(conn, filters), filters.ids or None
    return letters.list_retriable(conn, selection, limit=MAX_LETTERS, ids=ids), letters.list_unsent_messages(
        conn, selection, limit=MAX_LETTERS, ids=ids
    )


def _require_filter(filters: DeadLetterFilter) -> None:
    if filters.everything:
        raise BadInput("no dead letters were named", hint="give numbers, or a stage, type or source")


def _which(conn: Connection, filters: DeadLetterFilter) -> DeadLetterSelection:
    source_id = None if filters.source is None else source_row(conn, filters.source).id
    return DeadLetterSelection(
        source_id=source_id, status=filters.status, stage=filters.stage, type=filters.type
    )


def _must_be(conn: Connection, letter_id: int) -> DeadLetterRow:
    row = letters.by_id(conn, letter_id)
    if row is None:
        raise NotFound(f"there is no dead letter {letter_id}", hint=Hint(action="dead_letter.list"))
    return row


def _line(text: str, who: str, now: datetime) -> str:
    return f"{now:%Y-%m-%d %H:%M} {who}: {text}"


def _note_audit(conn: Connection, action: str, ids: Sequence[int], *, who: str, now: datetime) -> None:
    subject = str(ids[0]) if len(ids) == 1 else f"{len(ids)} dead letters"
    audit.record(conn, action, subject, {"letters": list(ids)}, who=who, now=now)


def _view(row: DeadLetterRow) -> DeadLetterView:
    return view_of(DeadLetterView, row, url=(row.payload or {}).get("url"))
