"""Asks a language model for selectors if rules prove none: once for each layout, within its budget.

The proposed selectors are candidates, and the pages are checked again. Only what that check proves is
applied, as with every repair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from larder.core.policy.trust.healing import HealingAction
from larder.engine.healing.act import HealingResult
from larder.engine.healing.check_selectors import OpenedPages
from larder.engine.healing.healer import Healer
from larder.engine.healing.pages import PARTS, gather_pages
from larder.engine.healing.selector_request import selector_request
from larder.engine.healing.stored_samples import open_samples
from larder.stages.enrich.client import Chat
from larder.stages.enrich.selectors import SelectorRequest, kept_selectors, selector_chat
from larder.store.database import Connection
from larder.store.operations import repairs, selector_questions
from larder.store.operations.repairs import RepairRow, RepairStatus
from larder.store.operations.selector_questions import SelectorQuestion

MAX_LOOKED_AT = 200
MAX_A_ROUND = 5
"""Maximum layouts that are asked about in one round."""
PAGING = frozenset({"next", "total"})
"""Fields that only rules repair."""


class SelectorModel(Protocol):
    """A language model with a budget."""

    @property
    def name(self) -> str:
        """The name of the model."""
        ...

    async def batch_size(self) -> int:
        """How many items may be asked about now; 0: none."""
        ...

    async def ask_chat(self, messages: Chat) -> str | None:
        """The answer of the model; None if there was none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenPart:
    """A part of a source's declaration with selectors that no rule can repair."""

    source_id: int
    part: str
    run_id: int
    layout: str
    paths: Sequence[str]
    row: str
    """The selector of its rows that is proposed already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The result of one question."""

    question: SelectorQuestion
    proven: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorAsker:
    """Asks about broken parts, and has each answer proven."""

    healer: Healer
    model: SelectorModel

    async def round(self) -> list[Asked]:
        """Ask about new layouts until the model may not be asked."""
        waiting = await self.healer.database.run(list_broken)
        done: list[Asked] = []
        for broken in waiting[:MAX_A_ROUND]:
            result = await self.ask(broken, applies=True)
            if result is None:
                break
            done.append(result)
        return done

    async def ask(self, broken: BrokenPart, *, applies: bool) -> Asked | None:
        """Ask about one part, and check its pages again; None: the model did not answer."""
        request = await self._request(broken)
        if request is None:
            return Asked(
                question=await self._save(broken, outcome="not asked: no known value is on the new pages")
            )
        answer = await self.model.ask_chat(selector_chat(request)) if await self.model.batch_size() else None
        if answer is None:
            return None
        kept = kept_selectors(answer, request.wanted)
        question = await self._save(
            broken, selectors=kept.selectors, refused=kept.refused, outcome="no usable selector"
        )
        if not kept.selectors:
            return Asked(question=question)
        results = await self.healer.examine(broken.run_id, applies=applies)
        return await self._proven(broken, question, results)

    async def _request(self, broken: BrokenPart) -> SelectorRequest | None:
        healer = self.healer
        gathered = await healer.database.run(gather_pages, broken.run_id)
        if gathered is None:
            return None
        opened = OpenedPages(
            new={part: await open_samples(healer.blobs, gathered.new[part]) for part in PARTS},
            old={part: await open_samples(healer.blobs, gathered.old[part]) for part in PARTS},
        )
        task = partial(selector_request, gathered, opened, broken.part, broken.paths, broken.row)
        return await healer.runner.run(task, pages=max(1, len(opened.old[broken.part])))

    async def _save(self, broken: BrokenPart, **values: Any) -> SelectorQuestion:
        now = self.healer.clock.now()
        question = SelectorQuestion(
            part=broken.part,
            layout=broken.layout,
            asked_at=now.isoformat(timespec="seconds"),
            model=self.model.name,
            fields=list(broken.paths),
            **values,
        )
        await self.healer.database.run(selector_questions.save, broken.source_id, question, now=now)
        return question

    async def _proven(
        self, broken: BrokenPart, question: SelectorQuestion, results: Sequence[HealingResult]
    ) -> Asked:
        of_part = [result for result in results if result.part == broken.part]
        applied = any(result.step is HealingAction.APPLY for result in of_part)
        rows = await self.healer.database.run(_suggested, broken)
        proven = applied or any((row.proof or {}).get("proven") for row in rows)
        doubts = "; ".join(doubt for result in of_part for doubt in result.doubts)
        outcome = "proven" if proven else f"not proven: {doubts or 'no field is read right by them'}"
        question = replace(question, outcome=outcome)
        now = self.healer.clock.now()
        await self.healer.database.run(selector_questions.save, broken.source_id, question, now=now)
        return Asked(question=question, proven=proven)


def list_broken(conn: Connection) -> list[BrokenPart]:
    """Parts without a proven repair, of layouts that were not asked about."""
    found = list_unproven(repairs.list_latest(conn, limit=MAX_LOOKED_AT, status=RepairStatus.SUGGESTED))
    questions = {
        (source_id, question.part, question.layout)
        for source_id in {broken.source_id for broken in found}
        for question in selector_questions.list_by_source(conn, source_id)
    }
    return [each for each in found if (each.source_id, each.part, each.layout) not in questions]


def list_unproven(rows: Sequence[RepairRow]) -> list[BrokenPart]:
    """The parts of these suggestions of which no repair is proven."""
    parts: dict[tuple[int, str], list[RepairRow]] = {}
    for row in sorted(rows, key=lambda each: each.id):
        parts.setdefault((row.source_id, row.field.partition(".")[0]), []).append(row)
    found = [_broken(source_id, part, group) for (source_id, part), group in parts.items()]
    return [each for each in found if each is not None]


def _broken(source_id: int, part: str, rows: Sequence[RepairRow]) -> BrokenPart | None:
    proofs = [row.proof or {} for row in rows]
    paths = [row.field for row in rows if row.field.rpartition(".")[2] not in PAGING]
    run_id = proofs[0].get("run")
    if run_id is None or not paths or any(proof.get("proven") for proof in proofs):
        return None
    row_ = next((row.after for row in rows if row.field == f"{part}.row"), "")
    return BrokenPart(
        source_id=source_id,
        part=part,
        run_id=run_id,
        layout=f"since page {proofs[0].get('since_page', 0)}",
        paths=paths,
        row=row_ if isinstance(row_, str) else "",
    )


def _suggested(conn: Connection, broken: BrokenPart) -> list[RepairRow]:
    return repairs.list_by_source(conn, broken.source_id, RepairStatus.SUGGESTED, part=broken.part)
