"""Fetches an actor's dataset instead of a page: starts a run, waits for it, reads its items.

Waiting occupies no worker: between two polls the job is queued like any other. After a crash the same run is
continued: its id is stored before the wait, and a run whose id was not stored yet is found by the key in its
input. Before another start is sent, Larder waits until an earlier one can no longer arrive. So no run is
started twice for one job.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus

import orjson

from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import FetcherName, Source
from larder.core.policy.retry import ActorFault, actor_retry
from larder.core.ports import Clock
from larder.stages.fetch.actor.call import ActorCall, ActorJob, CallStep, CallStore, JobTakenError
from larder.stages.fetch.actor.provider import API_TIMEOUT, ActorApi, ActorError, ActorRun, RunState
from larder.stages.fetch.terms import TermsGate

POLL = timedelta(seconds=10)
SEND_WITHIN = timedelta(seconds=30)
"""A start that is not sent this soon after it was stored is not sent at all."""
MAY_ARRIVE_FOR = SEND_WITHIN + 2 * API_TIMEOUT
"""After this time a sent start can no longer arrive."""
OVERTIME = timedelta(seconds=60)
"""How long a run may exceed its timeout before it is aborted."""
CLOCKS_DIFFER_BY = timedelta(minutes=5)
LARGEST = 24 * 1024 * 1024
JSON = {"content-type": "application/json"}


class ActorFetcher:
    """Takes one step of a job's call with each fetch."""

    def __init__(
        self,
        api: ActorApi,
        calls: CallStore,
        clock: Clock,
        *,
        terms: TermsGate,
        actors: Mapping[str, str] | None = None,
        poll: timedelta = POLL,
    ) -> None:
        self._api = api
        self._calls = calls
        self._clock = clock
        self._terms = terms
        self._actors = actors or {}
        self._poll = poll

    async def fetch(self, job: ActorJob) -> Fetched:
        """One step: a dataset, a time for the next step, or the end."""
        objection = await self._terms.objection(job.url)
        if objection is not None:
            return self._end(job, objection.reason, outcome=objection.outcome)
        actor = str(job.source.params.get("actor") or self._actors.get(job.source.adapter) or "")
        if not actor:
            hint = "name one in the source's params (actor) or in LARDER_ACTORS"
            return self._end(job, f"no actor is known for the adapter {job.source.adapter}; {hint}")
        step = CallStep(job=job, actor=actor, call=ActorCall.of(job.context.get("actor")), calls=self._calls)
        try:
            return await self._step(step)
        except ActorError as error:
            return await self._failed(step, error)
        except JobTakenError:
            return self._wait(job, self._poll, "the job was given to another driver")

    async def _step(self, step: CallStep) -> Fetched:
        if step.call.run_id is None:
            return await self._begin(step)
        run = await self._api.read_run(step.call.run_id)
        await step.provider_answered()
        match run.state:
            case RunState.UNDER_WAY:
                return await self._still_running(step, run)
            case RunState.DONE:
                return await self._read(step, run)
            case RunState.TIMED_OUT:
                await step.count(run)
                raise ActorError(
                    f"the actor did not finish in time ({run.message})", fault=ActorFault.TIMEOUT
                )
            case RunState.BROKEN:
                await step.count(run)
                return self._end(step.job, f"the actor's run {run.id} ended as {run.message}")

    # -- beginning -------------------------------------------------------------------------------------

    async def _begin(self, step: CallStep) -> Fetched:
        run = await self._found(step) if step.call.asked_at else None
        if run is None and step.call.asked_at is not None:
            quiet_at = step.call.asked_at + MAY_ARRIVE_FOR
            if self._clock.now() < quiet_at:
                return self._wait(step.job, quiet_at - self._clock.now(), "the actor may already be starting")
        if run is None:
            run = await self._started(step)
        await step.keep(run_id=run.id)
        return self._wait(step.job, self._poll, f"the actor's run {run.id} is in progress")

    async def _found(self, step: CallStep) -> ActorRun | None:
        since = (step.call.asked_at or self._clock.now()) - CLOCKS_DIFFER_BY
        return await self._api.find(step.run_input(), since=since)

    async def _started(self, step: CallStep) -> ActorRun:
        await self._check_budget(step.job.source)
        await self._api.check_limits()
        asked_at = self._clock.now()
        await step.keep(asked_at=asked_at)
        if self._clock.now() - asked_at > SEND_WITHIN:
            raise JobTakenError
        return await self._api.start(step.run_input())

    async def _check_budget(self, source: Source) -> None:
        quota = await self._calls.quota()
        if not quota.serves(source.tier):
            left = f"{quota.used:.2f} of {quota.allowed or 0:.2f} USD used"
            raise ActorError(
                f"the monthly budget for actors (LARDER_APIFY_BUDGET_USD) is {quota.state}: {left}",
                fault=None,
                status=HTTPStatus.PAYMENT_REQUIRED,
            )

    # -- waiting and reading ---------------------------------------------------------------------------

    async def _still_running(self, step: CallStep, run: ActorRun) -> Fetched:
        if self._clock.now() > run.started_at + step.call.timeout + OVERTIME:
            await self._api.abort(run.id)
            await step.count(run)
            raise ActorError("the actor exceeded its timeout and was aborted", fault=ActorFault.TIMEOUT)
        return self._wait(step.job, self._poll, f"the actor's run {run.id} is in progress")

    async def _read(self, step: CallStep, run: ActorRun) -> Fetched:
        rows = await self._api.items(run.dataset, most=step.most)
        await step.count(run)
        body = orjson.dumps(rows)
        if len(body) > LARGEST:
            return self._end(step.job, f"a dataset of {len(body)} bytes", outcome=FetchOutcome.TOO_LARGE)
        return replace(
            self._end(step.job, "", outcome=FetchOutcome.OK, status=200),
            headers=JSON,
            body=body,
            content_hash=hashlib.sha256(body).hexdigest(),
            duration=(run.finished_at or self._clock.now()) - run.started_at,
            payload=rows,
        )

    # -- failures --------------------------------------------------------------------------------------

    async def _failed(self, step: CallStep, error: ActorError) -> Fetched:
        if error.status == HTTPStatus.PAYMENT_REQUIRED:
            await self._calls.quota_spent(step.job.source, str(error))
        if error.fault is None:
            return self._end(step.job, str(error), status=error.status)
        faults = step.call.faults.get(error.fault, 0) + 1
        retry = actor_retry(error.fault, faults=faults, timeout=step.call.timeout)
        if retry is None:
            outcome = FetchOutcome.TIMEOUT if error.fault is ActorFault.TIMEOUT else FetchOutcome.ERROR
            return self._end(step.job, str(error), outcome=outcome, status=error.status)
        try:
            await step.failed(error, faults, retry.timeout)
        except JobTakenError:
            return self._wait(step.job, self._poll, "the job was given to another driver")
        return self._wait(step.job, retry.wait, str(error))

    def _wait(self, job: ActorJob, wait: timedelta, why: str) -> Fetched:
        later = self._end(job, why)
        return replace(later, waiting=True, retry_at=later.fetched_at + wait)

    def _end(
        self,
        job: ActorJob,
        error: str,
        *,
        outcome: FetchOutcome = FetchOutcome.ERROR,
        status: int | None = None,
    ) -> Fetched:
        return Fetched(
            outcome=outcome,
            url=job.url,
            final_url=job.url,
            fetched_at=self._clock.now(),
            status=status,
            fetcher=FetcherName.ACTOR,
            error=error,
        )
