"""Asks the language model for selectors of one source, or of all that wait, and tests its answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

from larder.actions.sources import repairs, site_profiles
from larder.actions.sources.repairs import SourceRepairs
from larder.actions.sources.site_profiles import LearnedSource
from larder.app.deployment import App
from larder.app.enriching import language_model
from larder.app.model_usage import read_usage
from larder.core.errors import Unusable
from larder.engine.background.enrichment.model import Model
from larder.engine.healing.ask_for_profile import ProfileAsker
from larder.engine.healing.ask_for_selectors import SelectorAsker
from larder.engine.healing.ended_run_task import EndedRunTask
from larder.engine.healing.healer import Healer
from larder.engine.healing.learn_after_runs import asked_run
from larder.engine.healing.profile_learner import ProfileLearner

Task = TypeVar("Task", bound=EndedRunTask)


@asynccontextmanager
async def selector_asker(app: App, model: Model) -> AsyncIterator[SelectorAsker]:
    """Open the task that asks for broken selectors, and tests the answers on stored pages."""
    async with _ended_run_task(app, Healer) as healer:
        yield SelectorAsker(healer=healer, model=model)


@asynccontextmanager
async def profile_asker(app: App, model: Model) -> AsyncIterator[ProfileAsker]:
    """Open the same for sites whose profile is missing or weak."""
    async with _ended_run_task(app, ProfileLearner) as learner:
        yield ProfileAsker(learner=learner, model=model)


@asynccontextmanager
async def _ended_run_task(app: App, task: type[Task]) -> AsyncIterator[Task]:
    blobs = app.blobs()
    try:
        yield task(
            database=app.database,
            blobs=blobs,
            clock=app.clock,
            adapters=app.dispatcher.adapters,
            runner=app.parse_runner,
        )
    finally:
        await blobs.close()


async def ask_for_selectors(app: App, slug: str) -> SourceRepairs:
    """Ask the model now about the broken selectors of a source; nothing is applied."""
    broken = await app.read(repairs.list_broken_parts, slug)
    async with language_model(app) as model, selector_asker(app, model) as asker:
        questions = [await asker.ask(part, applies=False) for part in broken]
    if None in questions:
        raise await _unanswered(app)
    return await app.read(repairs.show, slug)


async def ask_for_profile(app: App, slug: str, *, who: str) -> LearnedSource:
    """Ask the model now where a source's pages show their fields, and learn its profile with the answer."""
    adapters = app.dispatcher.adapters
    source, _ = await app.read(site_profiles.source_to_learn, slug)
    run = await app.read(asked_run, source.id, adapters)
    if run is None:
        hint = "its last run must have left four detail pages, and nobody may have chosen how they are read"
        raise Unusable(f"there is nothing to ask about {slug}", hint=hint)
    async with language_model(app) as model, profile_asker(app, model) as asker:
        question = await asker.ask(run)
        if question is None:
            raise await _unanswered(app)
        result = await app.learn_profile(slug, who=who)
        if question.selectors:
            named = result.profile is not None and any(each.proposed for each in result.profile.fields)
            outcome = "proven" if named else "not proven: the stored pages refute it"
            question = await asker.note(run, question, outcome)
    return replace(result, asked=question)


async def _unanswered(app: App) -> Unusable:
    usage = await read_usage(app)
    until = (
        f"; it is not asked before {usage.not_before[:16].replace('T', ' ')} UTC" if usage.not_before else ""
    )
    hint = f"{usage.trouble}{until}" if usage.trouble else "its budget of this month is spent"
    return Unusable("the language model did not answer", hint=hint)
