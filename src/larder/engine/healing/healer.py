"""Checks declared selectors after each run, and repairs what stopped matching.

Checking reads a few stored pages a run; proposing repairs costs more and happens only if something stopped
matching. It runs beside the driver and can be interrupted: the next run shows the same.
"""

from dataclasses import dataclass
from functools import partial

from larder.engine.healing.act import HealingResult, apply_findings
from larder.engine.healing.check_selectors import OpenedPages, check_selectors
from larder.engine.healing.ended_run_task import EndedRunTask
from larder.engine.healing.pages import PARTS, gather_pages
from larder.engine.healing.stored_samples import open_samples
from larder.runs import EXTRACTING
from larder.sdk.adapter import SiteAdapter
from larder.store.operations import repairs

MAX_ENDED_RUNS = 20


@dataclass(slots=True, kw_only=True)
class Healer(EndedRunTask):
    """Checks finished runs in a background task."""

    async def round(self) -> list[HealingResult]:
        """Check runs that ended since the last call; apply repairs that are proven."""
        ended = await self.database.run(
            repairs.claim_ended_runs, EXTRACTING, limit=MAX_ENDED_RUNS, now=self.clock.now()
        )
        return [result for run_id in ended for result in await self.examine(run_id, applies=True)]

    async def examine(self, run_id: int, *, applies: bool) -> list[HealingResult]:
        """Check one run; `applies`: proven repairs are applied, else only suggested."""
        gathered = await self.database.run(gather_pages, run_id)
        if gathered is None or reads_itself(self.adapters.get(gathered.source.adapter)):
            return []
        opened = OpenedPages(
            new={part: await open_samples(self.blobs, gathered.new[part]) for part in PARTS},
            old={part: await open_samples(self.blobs, gathered.old[part]) for part in PARTS},
        )
        pages = sum(len(opened.new[part]) + len(opened.old[part]) for part in PARTS)
        checks = await self.runner.run(partial(check_selectors, gathered, opened), pages=max(pages, 1))
        now = self.clock.now()
        return await self.database.run(
            apply_findings, gathered, checks, self.adapters, applies=applies, now=now
        )


def reads_itself(adapter: SiteAdapter | None) -> bool:
    """Whether an adapter has its own code, which ignores declared selectors."""
    if adapter is None:
        return True
    kind = type(adapter)
    return kind.read_index is not SiteAdapter.read_index or kind.read_detail is not SiteAdapter.read_detail
