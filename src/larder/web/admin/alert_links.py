"""Links from alerts to the page of their subject, and descriptions of severities."""

from urllib.parse import quote

from larder.core.policy.alerting import AlertName, Severity

URGENCY = {
    Severity.P1: "sent at once: needs action now",
    Severity.P2: "needs action today",
    Severity.P3: "can wait",
    Severity.INFO: "for information",
}
_OF_A_SOURCE = frozenset(
    {AlertName.CIRCUIT_TRIPPED, AlertName.RUN_FAILED, AlertName.RUN_SUSPECT, AlertName.DOMAIN_MOVED}
)
_OF_SELECTORS = frozenset({AlertName.SELECTORS_BROKEN, AlertName.REPAIR_APPLIED, AlertName.REPAIR_TAKEN_BACK})
_ELSEWHERE = {
    AlertName.DEAD_LETTERS: "/admin/dead",
    AlertName.STALE_JOBS: "/admin/runs?status=running",
    AlertName.REJECTIONS_SPIKE: "/admin/sources?state=held+back",
    AlertName.SCHEDULER_BACKING_OFF: "/admin/runs?status=running",
}


def alert_link(name: str, subject: str) -> str:
    """The page of an alert's subject; empty if it has none."""
    whose = quote(subject.removesuffix(" (checks)"), safe="")
    if name in _OF_A_SOURCE:
        return f"/admin/sources/{whose}"
    if name in _OF_SELECTORS:
        return f"/admin/sources/{whose}/healing"
    adapter, on, _ = subject.partition(" on ")
    if on:
        return f"/admin/adapters/{quote(adapter, safe='')}"
    return next((path for alert, path in _ELSEWHERE.items() if alert == name), "")
