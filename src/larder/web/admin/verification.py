"""Verification: the latest runs and checks."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import Response

from larder.actions.operations import runs
from larder.actions.operations.runs import RunView
from larder.core.model.run import CheckResult, RunKind
from larder.store.database import Connection
from larder.store.reads.operators import verification_checks as checks
from larder.store.reads.operators.verification_checks import CheckLine
from larder.web.admin.frame import admin_page
from larder.web.admin.paging import PAGE, cursor, paginate
from larder.web.context import AdminContext

router = APIRouter(prefix="/verification")

OUTCOMES = tuple(str(verdict) for verdict in CheckResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationPage:
    """Verification runs and their checks."""

    runs: Sequence[RunView]
    checks: Sequence[CheckLine]


@router.get("")
async def list_checks(ctx: AdminContext) -> Response:
    """The latest."""
    filters = {"outcome": ctx.request.query_params.get("outcome") or None}
    outcome = filters["outcome"] if filters["outcome"] in OUTCOMES else None
    data = await ctx.read(_load, outcome, before=cursor(ctx))
    rows, more = paginate(ctx, data.checks)
    return await admin_page(
        ctx, "verification.html", "verification", runs=data.runs, checks=rows, more=more,
        filters=filters, outcomes=OUTCOMES,
    )  # fmt: skip


def _load(conn: Connection, outcome: str | None, *, before: int | None) -> VerificationPage:
    return VerificationPage(
        runs=runs.list_runs(conn, kind=RunKind.VERIFICATION, limit=10),
        checks=checks.list_checks(conn, outcome=outcome, before=before, limit=PAGE + 1),
    )
