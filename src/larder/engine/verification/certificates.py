"""The certificate of a full pass: what was walked and seen, and how many rows it probably missed.

Capture and recapture: known rows that a pass did not show are marked; how many of the last pass's marked rows
turned up again since tells which share of such rows is there all the same.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.core.policy.trust.coverage import missed
from larder.runs.fold import RunEnd
from larder.store.dataset import coverage

HISTORY_MAX = 2_000
"""Older experience is halved when there is more than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedPass:
    """A certificate, and what the next pass will know."""

    certificate: Mapping[str, Any]
    history: Mapping[str, int]


def certify(conn: Connection, source_id: int, run_id: int, end: RunEnd) -> CertifiedPass:
    """Complete a pass's own account with what the store knows."""
    walked = dict(end.certificate or {})
    began = datetime.fromisoformat(walked["began_at"])
    history = _recapture_history(conn, source_id, end.memory.get("history") or {})
    unseen = coverage.mark_unseen(conn, source_id, pass_id=run_id, began=began)
    guess = missed(unseen=unseen, checked=history.get("checked", 0), alive=history.get("alive", 0))
    certificate = {
        **walked,
        "seen": coverage.count_seen_since(conn, source_id, began),
        "unseen": unseen,
        "missed": asdict(guess),
    }
    return CertifiedPass(certificate=certificate, history={**history, "pass": run_id, "unseen": unseen})


def _recapture_history(conn: Connection, source_id: int, history: Mapping[str, int]) -> dict[str, int]:
    """What became of the rows that the pass before did not show."""
    checked, alive = history.get("checked", 0), history.get("alive", 0)
    if "pass" in history:
        checked += history["unseen"]
        alive += coverage.count_seen_again(conn, source_id, pass_id=history["pass"])
    if checked > HISTORY_MAX:
        checked, alive = checked // 2, alive // 2
    return {"checked": checked, "alive": alive}
