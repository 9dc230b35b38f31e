"""What follows from a look: repairs are suggested, applied or taken back, and whoever should know is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from larder.core.policy.alerting import AlertName
from larder.core.policy.trust.healing import Findings, Step, decide
from larder.engine.healing.apply_repairs import put_on, take_off
from larder.engine.healing.check_selectors import Looked
from larder.engine.healing.pages import Gathered
from larder.sdk.adapter import SiteAdapter
from larder.stages.parse.repair import Suggestion
from larder.stages.persist import void as voiding
from larder.store.operations import alerts, repairs
from larder.store.operations.repairs import NewRepair, RepairStatus

HEALING = "healing"
"""Who applies and takes back where no person does."""

TOLD = (AlertName.SELECTORS_BROKEN, AlertName.REPAIR_APPLIED, AlertName.REPAIR_TAKEN_BACK)

Adapters = Mapping[str, SiteAdapter]


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded:
    """What became of one part of a source's declaration."""

    source: str
    part: str
    step: Step
    stopped: Sequence[str] = ()
    doubts: Sequence[str] = ()
    repairs: Sequence[int] = ()


def conclude(
    conn: Connection,
    gathered: Gathered,
    looked: Sequence[Looked],
    adapters: Adapters,
    *,
    applies: bool,
    now: datetime,
) -> list[Concluded]:
    """Act on what was found, part by part."""
    done = [_conclude(conn, gathered, each, adapters, applies=applies, now=now) for each in looked]
    if applies and done and all(each.step is Step.NOTHING for each in done):
        alerts.resolve_all(conn, TOLD, gathered.source.slug, now=now)
    return done


def _conclude(
    conn: Connection, gathered: Gathered, looked: Looked, adapters: Adapters, *, applies: bool, now: datetime
) -> Concluded:
    found, source = looked.suggestion, gathered.source
    step = decide(_findings(conn, gathered, looked), now)
    ids: Sequence[int] = ()
    if found.broken and not looked.old_layout:
        ids = repairs.suggest(conn, source.id, source.adapter, found.part, _new(gathered, found), now=now)
    if applies and step is Step.NOTHING:
        repairs.supersede(conn, source.id, found.part)
    elif applies and step is Step.APPLY:
        put_on(conn, source.id, ids, adapters, by=HEALING, now=now)
        _tell(conn, AlertName.REPAIR_APPLIED, gathered, found, now=now)
        alerts.resolve(conn, AlertName.SELECTORS_BROKEN, source.slug, now=now)
    elif applies and step is Step.TAKE_BACK:
        ids = [row.id for row in gathered.repaired[found.part]]
        take_off(conn, source.id, ids, adapters, by=HEALING, now=now)
        if not looked.old_layout and not found.broken:
            voiding.void(conn, gathered.run.id, by=HEALING, now=now)
        _tell(conn, AlertName.REPAIR_TAKEN_BACK, gathered, found, now=now)
    elif applies:
        _tell(conn, AlertName.SELECTORS_BROKEN, gathered, found, now=now)
    return Concluded(
        source=source.slug,
        part=found.part,
        step=step,
        stopped=found.stopped,
        doubts=found.doubts,
        repairs=ids,
    )


def _findings(conn: Connection, gathered: Gathered, looked: Looked) -> Findings:
    found, part = looked.suggestion, looked.suggestion.part
    zero = (gathered.run.drift or {}).get("zero_prices", 0)
    return Findings(
        broken=found.broken,
        proven=found.proven,
        doubted=bool(found.doubts or zero),
        repaired_at=max((row.applied_at for row in gathered.repaired[part]), default=None),
        old_layout=looked.old_layout,
        tried_before=_tried_before(conn, gathered, found),
    )


def _tried_before(conn: Connection, gathered: Gathered, found: Suggestion) -> bool:
    back = repairs.of_source(conn, gathered.source.id, RepairStatus.TAKEN_BACK, part=found.part)
    tried = [(row.field, row.before, row.after) for row in back]
    return any((each.path, each.before, each.after) in tried for each in found.changes)


def _new(gathered: Gathered, found: Suggestion) -> list[NewRepair]:
    """A row for each selector that stopped matching, with the one that is proposed if there is any."""
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


def _proof(gathered: Gathered, found: Suggestion, path: str) -> dict[str, Any]:
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


# -- telling -----------------------------------------------------------------------------------------------

_SAYS = {
    AlertName.REPAIR_APPLIED: "{paths} stopped matching; {many} proven repairs were applied",
    AlertName.REPAIR_TAKEN_BACK: "a repair was taken back: {why}",
    AlertName.SELECTORS_BROKEN: "{paths} stopped matching, and no repair is proven: {why}",
}


def _tell(conn: Connection, name: AlertName, gathered: Gathered, found: Suggestion, *, now: datetime) -> None:
    slug = gathered.source.slug
    why = "; ".join(found.doubts) or "the old layout is back"
    said = _SAYS[name].format(paths=", ".join(found.stopped), many=len(found.changes), why=why)
    message = f"{slug}: {said}. See: larder adapter heal {slug}"
    details = {"run": gathered.run.id, "part": found.part}
    alerts.raise_alert(conn, name, name.severity, slug, message, now=now, details=details)
