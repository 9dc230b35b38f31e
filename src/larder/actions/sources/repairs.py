"""Repairs of declared selectors: suggested, applied and reverted ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.hint import Hint
from larder.core.model.site_profile import SELECTORS
from larder.core.ports import Clock, ParseRunner
from larder.core.quoting import quoted
from larder.engine.healing.apply_repairs import apply_repairs, revert_repairs
from larder.engine.healing.ask_for_selectors import BrokenPart, list_unproven
from larder.engine.healing.healer import Healer
from larder.runs import EXTRACTING
from larder.sdk.adapter import Adapters
from larder.store.database import Connection, Database
from larder.store.operations import audit, repairs, selector_questions
from larder.store.operations.repairs import RepairRow, RepairStatus
from larder.store.operations.selector_questions import SelectorQuestion
from larder.store.pages.blobs import Blobs
from larder.store.queue.source_rows import SourceRow
from larder.store.reads.lookup import source_row
from larder.store.reads.rows import view_of

MAX_REPAIRS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairView:
    """One selector that stopped matching, with the proof of its replacement."""

    id: int
    source: str
    field: str
    status: str
    before: Any
    after: Any
    """None: none is known, or (of `next`) none is needed."""
    proven: bool
    agreed: int
    """Known values that were found again on the new pages."""
    examples: Sequence[Sequence[str]]
    """Pairs: the known value, the value read now."""
    doubts: Sequence[str]
    figures: Mapping[str, int]
    run: int | None
    pages: Sequence[int]
    archived: Sequence[int]
    proposed: bool
    """A language model proposed the new selector; it needs the same proof as any other."""
    made_at: datetime
    applied_at: datetime | None
    taken_back_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRepairs:
    """The repairs of a source's selectors."""

    source: str
    run: int | None
    """The latest finished run; None: there is none."""
    suggested: Sequence[RepairView]
    applied: Sequence[RepairView]
    earlier: Sequence[RepairView]
    """Reverted or superseded ones, newest first."""
    asked: Sequence[SelectorQuestion] = ()
    """The last question to a language model about each part, and the outcome."""

    @property
    def proven(self) -> bool:
        """Whether at least one suggestion is proven and can be applied."""
        return any(repair.proven for repair in self.suggested)

    @property
    def waiting(self) -> bool:
        """Whether selectors stopped matching and rules prove no others."""
        return any(not repair.proven for repair in self.suggested)


def list_repairs(
    conn: Connection, status: str | None = None, *, limit: int = MAX_REPAIRS
) -> list[RepairView]:
    """The latest repairs of all sources."""
    repair_status = None if status is None else _status(status)
    return [_view(row, row.slug) for row in repairs.list_latest(conn, limit=limit, status=repair_status)]


def _status(word: str) -> RepairStatus:
    if word not in set(RepairStatus):
        raise BadInput(f"unknown repair status {quoted(word)}", hint=f"known: {', '.join(RepairStatus)}")
    return RepairStatus(word)


def show(conn: Connection, slug: str) -> SourceRepairs:
    """Suggested, applied and earlier repairs of one source."""
    source_id = _declaring(conn, slug).id
    views = [_view(row, slug) for row in repairs.list_by_source(conn, source_id)]
    now = (RepairStatus.SUGGESTED, RepairStatus.APPLIED)
    return SourceRepairs(
        source=slug,
        run=repairs.last_run(conn, source_id, EXTRACTING),
        suggested=[view for view in views if view.status == RepairStatus.SUGGESTED],
        applied=[view for view in views if view.status == RepairStatus.APPLIED],
        earlier=[view for view in reversed(views) if view.status not in now][:MAX_REPAIRS],
        asked=selector_questions.list_by_source(conn, source_id),
    )


async def examine(
    database: Database, blobs: Blobs, clock: Clock, adapters: Adapters, slug: str, *, runner: ParseRunner
) -> SourceRepairs:
    """Examine the pages of the last run for repairs; none is applied."""
    source = await database.run(_declaring, slug)
    run_id = await database.run(repairs.last_run, source.id, EXTRACTING)
    healer = Healer(database=database, blobs=blobs, clock=clock, adapters=adapters, runner=runner)
    seen = run_id is not None and await healer.examine(run_id, applies=False)
    view = await database.run(show, slug)
    return view if seen else replace(view, run=None)


def apply(conn: Connection, slug: str, adapters: Adapters, *, who: str, now: datetime) -> SourceRepairs:
    """Apply all proven suggestions."""
    source, view = _declaring(conn, slug), show(conn, slug)
    ids = [repair.id for repair in view.suggested if repair.proven]
    if not ids:
        doubts = "; ".join(dict.fromkeys(doubt for repair in view.suggested for doubt in repair.doubts))
        hint = Hint(text=f"unproven: {doubts}" if doubts else "", action="adapter.heal", target=slug)
        raise BadInput(f"nothing is proven for {slug}", hint=hint)
    apply_repairs(conn, source.id, ids, adapters, by=who, now=now)
    audit.record(conn, "repairs applied", slug, {"repairs": ids}, who=who, now=now)
    return show(conn, slug)


def list_broken_parts(conn: Connection, slug: str) -> list[BrokenPart]:
    """The parts of a source that wait for a selector; refuses if there are none."""
    source = _declaring(conn, slug)
    found = list_unproven(repairs.list_by_source(conn, source.id, RepairStatus.SUGGESTED))
    if not found:
        hint = Hint(text="see what stopped matching first", action="adapter.heal", target=slug)
        raise BadInput(f"no selector of {slug} waits for a proposal", hint=hint)
    return found


def revert(conn: Connection, slug: str, adapters: Adapters, *, who: str, now: datetime) -> SourceRepairs:
    """Revert all applied repairs."""
    source, view = _declaring(conn, slug), show(conn, slug)
    ids = [repair.id for repair in view.applied]
    if not ids:
        raise BadInput(f"no repair of {slug} is applied", hint=Hint(action="adapter.heal", target=slug))
    revert_repairs(conn, source.id, ids, adapters, by=who, now=now)
    audit.record(conn, "repairs taken back", slug, {"repairs": ids}, who=who, now=now)
    return show(conn, slug)


def _declaring(conn: Connection, slug: str) -> SourceRow:
    row = source_row(conn, slug)
    if not isinstance((row.params or {}).get(SELECTORS), Mapping):
        hint = "only what is read by declared selectors can be healed; see docs/reference/selectors.md"
        raise BadInput(f"{slug} declares no selectors", hint=hint)
    return row


def _view(row: RepairRow, slug: str) -> RepairView:
    proof = {name: (row.proof or {}).get(name, default) for name, default in _PROOF.items()}
    return view_of(RepairView, row, source=slug, **proof)


_PROOF: Mapping[str, Any] = {
    "proven": False, "agreed": 0, "examples": (), "doubts": (), "figures": {}, "run": None, "pages": (),
    "archived": (), "proposed": False,
}  # fmt: skip
"""The parts of a stored proof, with values for parts that it lacks."""
