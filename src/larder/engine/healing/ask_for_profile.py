"""Asks a language model where pages of a source show their fields, if rules cannot prove it.

It asks once for each version of a source's adapter, unless a person asks again. The answer's selectors are
candidates; the profile is learned again, and needs the same proof.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from larder.core.model.site_profile import ReadingChoice
from larder.engine.healing.ask_for_selectors import MAX_A_ROUND, MAX_LOOKED_AT, Asked, SelectorModel
from larder.engine.healing.learn_after_runs import LearningRun, asked_run, store_learned
from larder.engine.healing.profile_learner import ProfileLearner
from larder.engine.healing.stored_samples import LearningPages
from larder.engine.processing.learn_profile import fields_to_ask_for
from larder.sdk.adapter import Adapters
from larder.stages.enrich.page_skeleton import page_skeleton
from larder.stages.enrich.selectors import (
    MAX_PAGES,
    SelectorRequest,
    WantedSelector,
    kept_selectors,
    selector_chat,
)
from larder.store.database import Connection
from larder.store.operations import profile_learning, selector_questions
from larder.store.operations.selector_questions import PROFILE_PART, SelectorQuestion

SETTLED = (ReadingChoice.PROFILE.value, "failed")
"""Results of attempts that need no question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileAsker:
    """Asks about sources whose profile is missing or weak, and has each answer proven."""

    learner: ProfileLearner
    model: SelectorModel

    async def round(self) -> list[Asked]:
        """Ask about new sources until the model may not be asked."""
        runs = await self.learner.database.run(list_weak, self.learner.adapters)
        done: list[Asked] = []
        for run in runs[:MAX_A_ROUND]:
            result = await self._ask_and_learn(run)
            if result is None:
                break
            done.append(result)
        return done

    async def ask(self, run: LearningRun) -> SelectorQuestion | None:
        """Ask about one source, and keep the proposed selectors; None: the model did not answer."""
        request = await self._request(run)
        if request is None:
            return await self._save(run, outcome="not asked: rules prove every field of the rows")
        answer = await self.model.ask_chat(selector_chat(request)) if await self.model.batch_size() else None
        if answer is None:
            return None
        kept = kept_selectors(answer, request.wanted)
        return await self._save(
            run,
            fields=[wanted.path for wanted in request.wanted],
            selectors=kept.selectors,
            refused=kept.refused,
            outcome="no usable selector",
        )

    async def _ask_and_learn(self, run: LearningRun) -> Asked | None:
        question = await self.ask(run)
        if question is None:
            return None
        if not question.selectors:
            return Asked(question=question)
        database, now = self.learner.database, self.learner.clock.now()
        proposed = await database.run(selector_questions.load_candidates, run.source.id)
        profile = await self.learner.profile(replace(run, proposed=proposed))
        applied = await database.run(store_learned, run, profile, self.learner.adapters, now=now)
        if applied:
            await database.run(profile_learning.release_replay, run.run_id)
        proven = applied and bool(profile and profile.proposed)
        outcome = "proven" if proven else "not proven: no place is better than the general reading"
        return Asked(question=await self.note(run, question, outcome), proven=proven)

    async def note(self, run: LearningRun, question: SelectorQuestion, outcome: str) -> SelectorQuestion:
        """Store the outcome of the proof."""
        question = replace(question, outcome=outcome)
        now = self.learner.clock.now()
        await self.learner.database.run(selector_questions.save, run.source.id, question, now=now)
        return question

    async def _request(self, run: LearningRun) -> SelectorRequest | None:
        pages = await self.learner.pages(run)
        if pages is None:
            return None
        adapter = self.learner.adapters[run.source.adapter]
        task = partial(_profile_request, run, adapter, pages)
        return await self.learner.runner.run(task, pages=1 + len(pages.details))

    async def _save(self, run: LearningRun, **values: Any) -> SelectorQuestion:
        now = self.learner.clock.now()
        question = SelectorQuestion(
            part=PROFILE_PART,
            layout=layout_of(run.version),
            asked_at=now.isoformat(timespec="seconds"),
            model=self.model.name,
            **values,
        )
        await self.learner.database.run(selector_questions.save, run.source.id, question, now=now)
        return question


def _profile_request(run: LearningRun, adapter: Any, pages: LearningPages) -> SelectorRequest | None:
    missing = fields_to_ask_for(run.source, adapter, pages.index, pages.details)
    if not missing:
        return None
    return SelectorRequest(
        kind=str(run.source.kind),
        wanted=[
            WantedSelector(path=f"detail.fields.{name}", values=known_values)
            for name, known_values in missing.items()
        ],
        pages=[page_skeleton(sample.page) for sample in pages.details[:MAX_PAGES]],
    )


def layout_of(version: str) -> str:
    """The layout, which is asked about once."""
    return f"adapter {version}"


def list_weak(conn: Connection, adapters: Adapters) -> list[LearningRun]:
    """Runs of sources whose last attempt to learn was not applied, and for which the model was not asked."""
    found: list[LearningRun] = []
    for source_id, attempt in profile_learning.list_attempts(conn, limit=MAX_LOOKED_AT).items():
        if attempt.result.startswith(SETTLED) or len(found) >= MAX_A_ROUND:
            continue
        questions = selector_questions.list_by_source(conn, source_id)
        if any(each.part == PROFILE_PART and each.layout == layout_of(attempt.version) for each in questions):
            continue
        if run := asked_run(conn, source_id, adapters):
            found.append(run)
    return found
