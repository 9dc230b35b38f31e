"""What discovery and sweep do differently for sources with the plan `adaptive`: when they run and how far.

Both learn from their own pages (`spending`). When each is due depends on what both have learned, because they
share one price for a request. Discovery ends at the first page that reaches rows known before. A sweep reads
a tenth of the index, after a second look at the pages on which the last sweep missed a record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any, NamedTuple

from larder.core.model.run import PageSeen, PagesSelected, RunKind
from larder.core.model.source import Plan
from larder.core.policy.freshness import RATES
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.scheduling.learned import HOUR, MIN_LOOKS, REFRESH_SHARE, Arrivals, Changes
from larder.core.policy.scheduling.spending import (
    CHUNKS,
    DEEPER,
    MIN_DISTANCE,
    NOTHING_SPENT,
    SpendingPlan,
    Spent,
)
from larder.core.policy.trust.index_order import MIN_ROWS
from larder.runs.fold import LastRun, RunStart, State

REACHED_SHARE = 0.5
"""The share of known rows on a page that shows that a discovery has reached them."""
MAX_SECOND_LOOKS = 200
SLOW_PASS = timedelta(hours=13)
"""After a pass that takes longer, second looks are taken whatever they are worth."""
UNSEEN_PASSES = 4
"""Passes through an unstable order after which, by chance, all records but one in fifty were shown."""
LONG_OUTAGE = timedelta(hours=2.5)
"""After so long without a page that could be read, the next sweep also reads what those before could not."""
MAX_GAP = timedelta(hours=48)
"""After a longer time without a run, rates are not learned."""


class SecondLook(NamedTuple):
    """A page to read once more; stored as a JSON array of its fields."""

    number: int
    url: str | None
    missed_at: int = 0
    """When records were missed on it, in Unix time; 0 if an older version stored none."""
    missed: int = 1
    """How many records were missed on it; 0 if it follows the page on which they were."""


def spending_plan(
    cadence: Cadence, discovery: State, sweep: State, spent: Spent = NOTHING_SPENT
) -> SpendingPlan:
    """The spending plan of a source, from the memory of its runs and its recent requests."""
    return SpendingPlan(
        arrivals=Arrivals.load(discovery),
        changes=Changes.load(sweep),
        index_pages=sweep.get("pages") or discovery.get("pages") or 0,
        spending=cadence.spending,
        rate=RATES[cadence.tier],
        spent=spent,
    )


def discovery_every(cadence: Cadence, last: LastRun, now: datetime) -> timedelta | None:
    """How long after one discovery the next is due; None: as in the plan `index`."""
    if not _decides(cadence, RunKind.DISCOVERY):
        return None
    plan = spending_plan(cadence, last.memory, last.memory_of(RunKind.SWEEP), last.spent())
    return plan.discovery_every(now.hour)


def sweep_every(cadence: Cadence, last: LastRun) -> timedelta | None:
    """The time between two sweeps."""
    if not _decides(cadence, RunKind.SWEEP):
        return None
    plan = spending_plan(cadence, last.memory_of(RunKind.DISCOVERY), last.memory, last.spent())
    share = plan.sweep_pages / plan.index_pages if plan.index_pages else 1 / CHUNKS
    return max(plan.pass_every * share, MIN_DISTANCE)


def _decides(cadence: Cadence, kind: RunKind) -> bool:
    """False where an operator set the interval."""
    return cadence.plan is Plan.ADAPTIVE and f"{kind}_every" not in cadence.intervals


def reaches_watermark(seen: PageSeen, watermark: datetime) -> bool:
    """Whether the page, in a stable order, reaches rows that were known when the last discovery ended."""
    before = sum(discovered is not None and discovered <= watermark for discovered in seen.known)
    return seen.findings.stable and before >= REACHED_SHARE * seen.rows


def deeper_pages(start: RunStart) -> int:
    """How many pages a discovery reads below the first one with known rows: some new rows appear there."""
    if start.spending is None:
        return 0
    last = start.memory.get("deep_at")
    due = last is None or start.now - datetime.fromisoformat(last) >= start.spending.deep_every
    return DEEPER if due else 0


def top_read_at(memory: State) -> datetime | None:
    """When the last discovery that reached known rows began, from the memory of discoveries."""
    began = memory.get("top_read_at")
    return datetime.fromisoformat(began) if began else None


def arrivals_after(
    memory: State, *, since: str | None, until: datetime, new: int, pages: int
) -> Mapping[str, Any]:
    """The arrivals that a discovery remembers; the first one, and one after a long pause, add nothing.

    `pages`: those read until known rows were reached.
    """
    arrivals = Arrivals.load(memory)
    began = datetime.fromisoformat(since) if since else until
    if timedelta(0) < until - began <= MAX_GAP:
        arrivals = arrivals.after(since=began, until=until, new=new, pages=pages)
    return {"arrivals": asdict(arrivals)}


def late_after(memory: State, *, began_at: str, late: int) -> Mapping[str, Any]:
    """The late arrivals that a discovery remembers, if it also looked below known rows."""
    arrivals, last = Arrivals.load(memory), memory.get("deep_at")
    if last is not None:
        hours = datetime.fromisoformat(began_at) - datetime.fromisoformat(last)
        if timedelta(0) < hours <= MAX_GAP:
            arrivals = arrivals.after_deep(late=late, hours=hours / HOUR)
    return {"arrivals": asdict(arrivals), "deep_at": began_at}


def sweep_size(start: RunStart) -> tuple[int, int] | None:
    """How many index pages and detail pages a sweep reads; None: as in the plan `index`."""
    pages = start.memory.get("pages") or 0
    if start.source.plan is not Plan.ADAPTIVE or not pages or "sweep_pages" in start.source.params:
        return None
    size = start.spending.sweep_pages if start.spending else ceil(pages / CHUNKS)
    size = max(size, _left_over(start, pages, size))
    before = start.memory.get("last_page") or 0
    details = start.spending.details_per_page if start.spending else REFRESH_SHARE
    return size, int((before + size) * details) - int(before * details)


def _left_over(start: RunStart, pages: int, size: int) -> int:
    """Index pages that sweeps would have read since the last one that could: records fade in an outage."""
    last = start.memory.get("read_at")
    without = start.now - datetime.fromisoformat(last) if last else timedelta(0)
    if start.spending is None or without < LONG_OUTAGE:
        return 0
    missed = min(pages, round(pages * (without / start.spending.pass_every)))
    return missed if missed >= 2 * size else 0


def second_looks(start: RunStart) -> tuple[Sequence[SecondLook], Sequence[SecondLook]]:
    """Pages on which earlier sweeps missed records: those to read now, and those that wait.

    A page waits until a discovery has read the top of the index, where a missed record may be by now. If the
    look is not worth a request, or an operator set the sweep's size, the next pass is the second look.
    """
    if sweep_size(start) is None:
        return (), ()
    stored = load_looks(start.memory)["second_looks"]
    looks = [look for look in stored if _is_worth(look, start)]
    until = start.top_read_at.timestamp() if start.top_read_at else 0
    due = [look for look in looks if look.missed_at <= until]
    return due, [look for look in looks if look not in due]


def load_looks(stored: State) -> Mapping[str, Sequence[SecondLook]]:
    """The fields of a stored sweep that hold second looks, by name."""
    return {
        name: [SecondLook(*look) for look in stored.get(name) or ()] for name in ("second_looks", "waiting")
    }


def _is_worth(look: SecondLook, start: RunStart) -> bool:
    """Whether removed records would be shown for longer, until the next pass, than a request is worth.

    After a slow pass they would fade first, and be checked at their own addresses for a request each.
    """
    plan = start.spending
    if plan is None or not look.missed_at or plan.pass_every > SLOW_PASS:
        return True
    left = plan.pass_every / HOUR - (start.now.timestamp() - look.missed_at) / HOUR.total_seconds()
    return look.missed * plan.changes.removed_share * left >= plan.price


def looks_left(looks: Sequence[SecondLook], seen: PageSeen, *, numbered: bool) -> Sequence[SecondLook]:
    """The second looks after the first of them, which read `seen`.

    New rows push others down: a record that is neither there nor missed again may be on the next page by now.
    """
    first, *rest = looks
    url, findings = seen.next_page.url if seen.next_page else None, seen.findings
    decided = findings.again + findings.unseen + findings.pending
    follows = seen.read and not seen.last and (url is not None or numbered)
    number = first.number + 1
    if decided >= first.missed or not follows or any(look.number == number for look in rest):
        return rest
    return [first._replace(number=number, url=url, missed=0), *rest]


def learned_by_sweeps(start: RunStart) -> Mapping[str, Any]:
    """The memory of earlier sweeps that a sweep keeps until it ends, with the looks that its plan takes."""
    kept = ("changes", "ended_at", "pages", "pass_began_at", "read_at", "looks")
    memory = {name: start.memory[name] for name in kept if name in start.memory}
    return {**memory, "looks": start.spending.looks} if start.spending else memory


def looks_needed(memory: State) -> int:
    """How many looks in a row must miss a record before it is hidden, from the memory of sweeps."""
    return memory.get("looks") or MIN_LOOKS


def last_pass(memory: State) -> timedelta:
    """How long a pass through the index took lately, from the memory of sweeps; 0: not known yet."""
    return HOUR * Changes.load(memory).pass_hours(memory.get("pages") or 0)


def whole_pass(memory: State, began_at: str | None) -> Mapping[str, str]:
    """When the last pass that reached the end of the index began; `began_at`: this pass has reached it."""
    began_at = began_at or memory.get("pass_began_at")
    return {"pass_began_at": began_at} if began_at else {}


def unseen_since(sweep: State, now: datetime, *, unseen_for: timedelta) -> datetime:
    """Records not seen since this time may be gone: unseen for so long, and not shown by a whole pass.

    Checks of single addresses cost a request each; an index page shows all of its rows. So records that the
    present pass has not reached yet are left to it. In an unstable order, a pass shows most records but never
    proves one absent: after several passes an unseen record is checked, even before `unseen_for` is over.
    """
    began, changes = sweep.get("pass_began_at"), Changes.load(sweep)
    if changes.rows >= MIN_ROWS * changes.pages:
        return min(now - unseen_for, datetime.fromisoformat(began)) if began else now - unseen_for
    vain = UNSEEN_PASSES * last_pass(sweep)
    return now - (min(vain, unseen_for) if vain else unseen_for)


def found_with(found: Changes | None, seen: PageSeen) -> Changes:
    """The changes found by a sweep, with those on one more page."""
    findings, before = seen.findings, found or Changes()
    return replace(
        before,
        found=before.found + max(0, findings.missed - findings.again) + seen.changed + len(seen.new),
        pages=before.pages + 1,
        missed=before.missed + findings.missed,
        again=before.again + findings.again,
        rows=before.rows + (findings.rows if findings.stable else 0),
        listed=before.listed + seen.rows,
    )


def details_asked(found: Changes | None, answer: PagesSelected) -> Changes:
    """The changes with the detail pages that are read again."""
    found = found or Changes()
    return replace(found, detail_hours=found.detail_hours + answer.hours)


def detail_read(found: Changes | None) -> Changes:
    """The changes with one more detail page that showed another price."""
    found = found or Changes()
    return replace(found, repriced=found.repriced + 1)


def looked_again(found: Changes | None) -> Changes:
    """The changes with the last page counted as a second look."""
    found = found or Changes()
    return replace(found, second_looks=found.second_looks + 1, pages=max(0, found.pages - 1))


def changes_after(memory: State, found: Changes | None, *, began_at: str, now: datetime) -> Mapping[str, Any]:
    """The changes that a sweep remembers; rates are learned once the first pass is complete.

    A sweep that read no page found nothing.
    """
    changes = Changes.load(memory)
    since = datetime.fromisoformat(memory.get("ended_at") or began_at)
    if memory.get("pages") and timedelta(0) < now - since <= MAX_GAP:
        changes = changes.after(replace(found or Changes(), hours=(now - since) / HOUR))
    read_at = now.isoformat() if found else memory.get("read_at")
    return {"changes": asdict(changes), "ended_at": now.isoformat(), "read_at": read_at}
