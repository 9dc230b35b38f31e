"""Verification: which checks were made, what they answered, and what that was taken for."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import Response
from sqlalchemy import Connection

from larder.actions.operations import runs
from larder.actions.operations import verifications as checks
from larder.actions.operations.runs import RunView
from larder.actions.operations.verifications import CheckLine
from larder.core.model.run import CheckResult, RunKind
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place
from larder.web.context import Operator

router = APIRouter(prefix="/verification")

OUTCOMES = tuple(str(verdict) for verdict in CheckResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Runs that verified, and the checks they made."""

    runs: Sequence[RunView]
    checks: Sequence[CheckLine]


@router.get("")
async def every(visit: Operator) -> Response:
    """The latest."""
    asked = {"outcome": visit.request.query_params.get("outcome") or None}
    outcome = asked["outcome"] if asked["outcome"] in OUTCOMES else None
    found = await visit.look(_verified, outcome, before=place(visit))
    shown, more = leaf(visit, found.checks)
    return await answer(
        visit, "verification.html", "verification", runs=found.runs, checks=shown, more=more,
        asked=asked, outcomes=OUTCOMES,
    )  # fmt: skip


def _verified(conn: Connection, outcome: str | None, *, before: int | None) -> Verified:
    return Verified(
        runs=runs.list_runs(conn, kind=RunKind.VERIFICATION, limit=10),
        checks=checks.list_checks(conn, outcome=outcome, before=before, limit=PAGE + 1),
    )
