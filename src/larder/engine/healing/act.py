"""Acts on checked selectors: suggests, applies or reverts repairs, and alerts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from larder.core.plurals import plural
from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.healing import HealingAction, SelectorFindings, healing_action
from larder.engine.healing.apply_repairs import apply_repairs, revert_repairs
from larder.engine.healing.check_selectors import SelectorCheck
from larder.engine.healing.pages import HealingPages
from larder.sdk.adapter import Adapters
from larder.stages.parse.repair import Suggestion
from larder.stages.persist import void as voiding
from larder.store.database import Connection
from larder.store.operations import repairs
from larder.store.operations.notifications import alerts
from larder.store.operations.repairs import NewRepair, RepairStatus

HEALER = "healing"
"""Recorded as the author of automatic repairs."""

ALERTS = (AlertName.SELECTORS_BROKEN, AlertName.REPAIR_APPLIED, AlertName.REPAIR_TAKEN_BACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class HealingResult:
    """The action on one part of a source's declaration."""

    source: str
    part: str
    step: HealingAction
    stopped: Sequence[str] = ()
    doubts: Sequence[str] = ()
    repairs: Sequence[int] = ()


def apply_findings(
    conn: Connection,
    gathered: HealingPages,
    checks: Sequence[SelectorCheck],
    adapters: Adapters,
    *,
    applies: bool,
    now: datetime,
) -> list[HealingResult]:
    """Act on the findings about each part."""
    done = [_conclude(conn, gathered, check, adapters, applies=applies, now=now) for check in checks]
    if applies and done and all(result.step is HealingAction.NOTHING for result in done):
        alerts.resolve_all(conn, ALERTS, gathered.source.slug, now=now)
    return done


def _conclude(
    conn: Connection,
    gathered: HealingPages,
    check: SelectorCheck,
    adapters: Adapters,
    *,
    applies: bool,
    now: datetime,
) -> HealingResult:
    suggestion, source = check.suggestion, gathered.source
    step = healing_action(_findings(conn, gathered, check), now)
    ids: Sequence[int] = ()
    if suggestion.broken and not check.old_layout:
        ids = repairs.suggest(
            conn, source.id, source.adapter, suggestion.part, _new(gathered, suggestion), now=now
        )
    if applies and step is HealingAction.NOTHING:
        repairs.supersede(conn, source.id, suggestion.part)
    elif applies and step is HealingAction.APPLY:
        apply_repairs(conn, source.id, ids, adapters, by=HEALER, now=now)
        _alert(conn, AlertName.REPAIR_APPLIED, gathered, suggestion, now=now)
        alerts.resolve(conn, AlertName.SELECTORS_BROKEN, source.slug, now=now)
    elif applies and step is HealingAction.TAKE_BACK:
        ids = [row.id for row in gathered.repaired[suggestion.part]]
        revert_repairs(conn, source.id, ids, adapters, by=HEALER, now=now)
        if not check.old_layout and not suggestion.broken:
            voiding.void(conn, gathered.run.id, by=HEALER, now=now)
        _alert(conn, AlertName.REPAIR_TAKEN_BACK, gathered, suggestion, now=now)
    elif applies:
        _alert(conn, AlertName.SELECTORS_BROKEN, gathered, suggestion, now=now)
    return HealingResult(
        source=source.slug,
        part=suggestion.part,
        step=step,
        stopped=suggestion.stopped,
        doubts=suggestion.doubts,
        repairs=ids,
    )


def _findings(conn: Connection, gathered: HealingPages, check: SelectorCheck) -> SelectorFindings:
    suggestion, part = check.suggestion, check.suggestion.part
    zero = (gathered.run.drift or {}).get("zero_prices", 0)
    return SelectorFindings(
        broken=suggestion.broken,
        proven=suggestion.proven,
        doubted=bool(suggestion.doubts or zero),
        repaired_at=max((row.applied_at for row in gathered.repaired[part] if row.applied_at), default=None),
        old_layout=check.old_layout,
        tried_before=_tried_before(conn, gathered, suggestion),
    )


def _tried_before(conn: Connection, gathered: HealingPages, suggestion: Suggestion) -> bool:
    reverted = repairs.list_by_source(conn, gathered.source.id, RepairStatus.TAKEN_BACK, part=suggestion.part)
    tried = [(row.field, row.before, row.after) for row in reverted]
    return any((change.path, change.before, change.after) in tried for change in suggestion.changes)


def _new(gathered: HealingPages, suggestion: Suggestion) -> list[NewRepair]:
    """One row for each selector that stopped matching, with its replacement if there is one."""
    changes = {change.path: change for change in suggestion.changes}
    repairs_made: list[NewRepair] = []
    for path in dict.fromkeys((*suggestion.stopped, *changes)):
        change = changes.get(path)
        repairs_made.append(
            NewRepair(
                field=path,
                before=change.before if change else _declared(gathered.declared, path),
                after=change.after if change else None,
                proof=_proof(gathered, suggestion, path),
            )
        )
    return repairs_made


def _declared(selectors: Mapping[str, Any], path: str) -> Any:
    at: Any = selectors
    for name in path.split("."):
        at = at.get(name) if isinstance(at, Mapping) else None
    return at


def _proof(gathered: HealingPages, suggestion: Suggestion, path: str) -> dict[str, Any]:
    new, old = gathered.new[suggestion.part], gathered.old[suggestion.part]
    change = next(
        (selector_change for selector_change in suggestion.changes if selector_change.path == path), None
    )
    return {
        "run": gathered.run.id,
        "since_page": gathered.before[suggestion.part],
        "pages": [row.id for row in new],
        "archived": [row.id for row in old],
        "proven": suggestion.proven and change is not None,
        "agreed": change.agreed if change else 0,
        "examples": [list(pair) for pair in change.examples] if change else [],
        "doubts": list(suggestion.doubts),
        "figures": dict(suggestion.figures),
        "proposed": change is not None and change.proposed,
    }


# -- alerts ------------------------------------------------------------------------------------------------

_SAYS = {
    AlertName.REPAIR_APPLIED: "{paths} stopped matching; {repairs} applied",
    AlertName.REPAIR_TAKEN_BACK: "a repair was reverted: {why}",
    AlertName.SELECTORS_BROKEN: "{paths} stopped matching, and no repair is proven: {why}",
}


def _alert(
    conn: Connection, name: AlertName, gathered: HealingPages, suggestion: Suggestion, *, now: datetime
) -> None:
    slug = gathered.source.slug
    reason = "; ".join(suggestion.doubts) or "the old layout is back"
    repairs = plural(len(suggestion.changes), "proven repair")
    text = _SAYS[name].format(paths=", ".join(suggestion.stopped), repairs=repairs, why=reason)
    message = f"{slug}: {text}"
    details = {"run": gathered.run.id, "part": suggestion.part}
    alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details=details)
