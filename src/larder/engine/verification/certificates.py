"""Certifies a full pass over an index: pages walked, rows seen, and an estimate of rows missed.

Capture and recapture: known rows that a pass did not show are marked. How many of the marked rows turned up
again since then gives the share of such rows that are still there.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from larder.core.policy.trust.coverage import at_least_unaccounted, missed
from larder.runs.fold import RunEnd
from larder.store.database import Connection
from larder.store.dataset import coverage

HISTORY_MAX = 2_000
"""Counts are halved above this number, so that recent passes weigh more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedPass:
    """A certificate, and the history for the next pass."""

    certificate: Mapping[str, Any]
    history: Mapping[str, int]


def certify(conn: Connection, source_id: int, run_id: int, end: RunEnd) -> CertifiedPass:
    """Complete a pass's certificate with what the store knows."""
    walked = dict(end.certificate or {})
    began = datetime.fromisoformat(walked["began_at"])
    history = _recapture_history(conn, source_id, end.memory.get("history") or {})
    unseen = coverage.mark_unseen(conn, source_id, pass_id=run_id, began=began)
    guess = missed(unseen=unseen, checked=history.get("checked", 0), alive=history.get("alive", 0))
    seen = coverage.count_seen_since(conn, source_id, began)
    missing = at_least_unaccounted(guess, advertised=walked.get("advertised"), seen=seen)
    certificate = {**walked, "seen": seen, "unseen": unseen, "missed": asdict(missing)}
    return CertifiedPass(certificate=certificate, history={**history, "pass": run_id, "unseen": unseen})


def _recapture_history(conn: Connection, source_id: int, history: Mapping[str, int]) -> dict[str, int]:
    """Add the outcome of the rows that the last pass did not show."""
    checked, alive = history.get("checked", 0), history.get("alive", 0)
    if "pass" in history:
        checked += history["unseen"]
        alive += coverage.count_seen_again(conn, source_id, pass_id=history["pass"])
    if checked > HISTORY_MAX:
        checked, alive = checked // 2, alive // 2
    return {"checked": checked, "alive": alive}
