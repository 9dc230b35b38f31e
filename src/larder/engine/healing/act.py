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
from larder.sdk.adapter import SiteAdapter
from larder.stages.parse.repair import Suggestion
from larder.stages.persist import void as voiding
from larder.store.database import Connection
from larder.store.operations import repairs
from larder.store.operations.notifications import alerts
from larder.store.operations.repairs import NewRepair, RepairStatus

HEALER = "healing"
"""Recorded as the author of automatic repairs."""

ALERTS = (AlertName.SELECTORS_BROKEN, AlertName.REPAIR_APPLIED, AlertName.REPAIR_TAKEN_BACK)

Adapters = Mapping[str, SiteAdapter]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealingResult:
    """What was done about one part of a source's declaration."""

    source: str
    part: str
    step: HealingAction
    stopped: Sequence[str] = ()
    doubts: Sequence[str] = ()
    repairs: Sequence[int] = ()


def apply_findings(
    conn: Connection,
    gathered: HealingPages,
    looked: Sequence[SelectorCheck],
    adapters: Adapters,
    *,
    applies: bool,
    now: datetime,
) -> list[HealingResult]:
    """Act on the findings, part by part."""
    done = [_conclude(conn, gathered, each, adapters, applies=applies, now=now) for each in looked]
    if applies and done and all(each.step is HealingAction.NOTHING for each in done):
        alerts.resolve_all(conn, ALERTS, gathered.source.slug, now=now)
    return done


def _conclude(
    conn: Connection,
    gathered: HealingPages,
    looked: SelectorCheck,
    adapters: Adapters,
    *,
    applies: bool,
    now: datetime,
) -> HealingResult:
    found, source = looked.suggestion, gathered.source
    step = healing_action(_findings(conn, gathered, looked), now)
    ids: Sequence[int] = ()
    if found.broken and not looked.old_layout:
        ids = repairs.suggest(conn, source.id, source.adapter, found.part, _new(gathered, found), now=now)
    if applies and step is HealingAction.NOTHING:
        repairs.supersede(conn, source.id, found.part)
    elif applies and step is HealingAction.APPLY:
        apply_repairs(conn, source.id, ids, adapters, by=HEALER, now=now)
        _alert(conn, AlertName.REPAIR_APPLIED, gathered, found, now=now)
        alerts.resolve(conn, AlertName.SELECTORS_BROKEN, source.slug, now=now)
    elif applies and step is HealingAction.TAKE_BACK:
        ids = [row.id for row in gathered.repaired[found.part]]
        revert_repairs(conn, source.id, ids, adapters, by=HEALER, now=now)
        if not looked.old_layout and not found.broken:
            voiding.void(conn, gathered.run.id, by=HEALER, now=now)
        _alert(conn, AlertName.REPAIR_TAKEN_BACK, gathered, found, now=now)
    elif applies:
        _alert(conn, AlertName.SELECTORS_BROKEN, gathered, found, now=now)
    return HealingResult(
        source=source.slug,
        part=found.part,
        step=step,
        stopped=found.stopped,
        doubts=found.doubts,
        repairs=ids,
    )


def _findings(conn: Connection, gathered: HealingPages, looked: SelectorCheck) -> SelectorFindings:
    found, part = looked.suggestion, looked.suggestion.part
    zero = (gathered.run.drift or {}).get("zero_prices", 0)
    return SelectorFindings(
        broken=found.broken,
        proven=found.proven,
        doubted=bool(found.doubts or zero),
        repaired_at=max((row.applied_at for row in gathered.repaired[part] if row.applied_at), default=None),
        old_layout=looked.old_layout,
        tried_before=_tried_before(conn, gathered, found),
    )


def _tried_before(conn: Connection, gathered: HealingPages, found: Suggestion) -> bool:
    back = repairs.list_by_source(conn, gathered.source.id, RepairStatus.TAKEN_BACK, part=found.part)
    tried = [(row.field, row.before, row.after) for row in back]
    return any((each.path, each.before, each.after) in tried for each in found.changes)


def _new(gathered: HealingPages, found: Suggestion) -> list[NewRepair]:
    """One row for each selector that stopped matching, with its replacement if there is one."""
    changes = {change.path: change for change in found.changes}
    made: list[NewRepair] = []
    for path in dict.fromkeys((*found.stopped, *changes)):
        change = changes.get(path)
        made.append(
            NewRepair(
                field=path,
                before=change.before if change else _declared(gathered.declared, path),
                after=change.after if change else None,
                proof=_proof(gathered, found, path),
            )
        )
    return made


def _declared(selectors: Mapping[str, Any], path: str) -> Any:
    at: Any = selectors
    for name in path.split("."):
        at = at.get(name) if isinstance(at, Mapping) else None
    return at


def _proof(gathered: HealingPages, found: Suggestion, path: str) -> dict[str, Any]:
    new, old = gathered.new[found.part], gathered.old[found.part]
    change = next((each for each in found.changes if each.path == path), None)
    return {
        "run": gathered.run.id,
        "since_page": gathered.before[found.part],
        "pages": [row.id for row in new],
        "archived": [row.id for row in old],
        "proven": found.proven and change is not None,
        "agreed": change.agreed if change else 0,
        "examples": [list(pair) for pair in change.examples] if change else [],
        "doubts": list(found.doubts),
        "figures": dict(found.figures),
    }


# -- alerts ------------------------------------------------------------------------------------------------

_SAYS = {
    AlertName.REPAIR_APPLIED: "{paths} stopped matching; {repairs} applied",
    AlertName.REPAIR_TAKEN_BACK: "a repair was reverted: {why}",
    AlertName.SELECTORS_BROKEN: "{paths} stopped matching, and no repair is proven: {why}",
}


def _alert(
    conn: Connection, name: AlertName, gathered: HealingPages, found: Suggestion, *, now: datetime
) -> None:
    slug = gathered.source.slug
    why = "; ".join(found.doubts) or "the old layout is back"
    repairs = plural(len(found.changes), "proven repair")
    text = _SAYS[name].format(paths=", ".join(found.stopped), repairs=repairs, why=why)
    message = f"{slug}: {text}"
    details = {"run": gathered.run.id, "part": found.part}
    alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details=details)
