"""Scouts: start one by hand, report its results, import candidates from a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from larder.core.errors import BadInput, Conflict
from larder.core.model.hint import Hint
from larder.core.model.place import read_region
from larder.core.model.run import Trigger
from larder.runs.scout import ScoutState
from larder.store.database import Connection
from larder.store.operations import audit, candidates
from larder.store.operations.candidates import CandidateView, NewCandidate, found_by_run
from larder.store.operations.scout import places, runs
from larder.store.reads.operators.runs import RunView, get_run

MAX_PLACES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoutReport:
    """A scout and its results."""

    run: RunView
    places: dict[str, int]
    """The region's places by status."""
    candidates: list[CandidateView]
    """New ones, the surest first."""


def start(conn: Connection, region: str, limit: int, *, who: str, now: datetime) -> RunView:
    """Open a scout of a region; the driver, or the command that asked for it, drives it."""
    region_name = str(read_region(region))
    if not 1 <= limit <= MAX_PLACES:
        raise BadInput(f"places must be 1 to {MAX_PLACES}, not {limit}", hint="each place costs five queries")
    for running in runs.list_running(conn):
        if running.region == region_name:
            raise Conflict(
                f"run {running.id} scouts {region_name} already",
                hint=Hint(action="run.show", target=str(running.id)),
            )
    state = ScoutState(most=limit).to_json()
    run_id = runs.open_run(conn, region_name, state, trigger=Trigger.MANUAL, now=now)
    audit.record(conn, "scout started", region_name, {"run": run_id, "places": limit}, who=who, now=now)
    return get_run(conn, run_id)


def report(conn: Connection, run_id: int) -> ScoutReport:
    """The results of a scout so far."""
    run = get_run(conn, run_id)
    region = read_region(run.region or "")
    found = found_by_run(conn, run.region or "", since=run.started_at, until=run.finished_at)
    return ScoutReport(run=run, places=places.count_by_status(conn, region), candidates=found)


def import_candidates(
    conn: Connection, found: Sequence[NewCandidate], *, who: str, now: datetime
) -> list[str]:
    """Add candidates that a scout wrote into a file; returns the new ones."""
    added = candidates.add_candidates(conn, found, now=now)
    audit.record(conn, "candidates imported", str(len(added)), who=who, now=now)
    return added
