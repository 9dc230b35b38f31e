"""An actor's dataset instead of a page: start a run, wait for it, read what it gathered.

Waiting takes no worker: between two looks the job lies in line like any other. A process that dies goes on
with the same run: its id is stored before the wait, and one whose id was not yet written down is found again
by the key in its input. A start that may still be on its way is waited for before another is made. So no run
is started twice for one job.
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
from larder.stages.fetch.actor.call import ActorCall, ActorJob, CallBook, CallStep, NotOursError
from larder.stages.fetch.actor.provider import API_TIMEOUT, ActorApi, ActorError, ActorRun, RunState
from larder.stages.fetch.terms import TermsGate

POLL = timedelta(seconds=10)
SEND_WITHIN = timedelta(seconds=30)
"""A start that is not sent within this of being written down is not sent at all."""
MAY_ARRIVE_FOR = SEND_WITHIN + 2 * API_TIMEOUT
"""So much later no start can be on its way any more."""
OVERTIME = timedelta(seconds=60)
"""What an actor gets beyond its timeout before we end it ourselves."""
CLOCKS_DIFFER_BY = timedelta(minutes=5)
LARGEST = 24 * 1024 * 1024
JSON = {"content-type": "application/json"}


class ActorFetcher:
    """Takes a job's call one step further each time it is asked."""

    def __init__(
        self,
        api: ActorApi,
        book: CallBook,
        clock: Clock,
        *,
        terms: TermsGate,
        actors: Mapping[str, str] | None = None,
        poll: timedelta = POLL,
    ) -> None:
        self._api = api
        self._book = book
        self._clock = clock
        self._terms = terms
        self._actors = actors or {}
        self._poll = poll

    async def fetch(self, job: ActorJob) -> Fetched:
        """One step; a dataset, a time to come back at, or the end."""
        objection = await self._terms.objection(job.url)
        if objection is not None:
            return self._end(job, objection.reason, outcome=objection.outcome)
        actor = str(job.source.params.get("actor") or self._actors.get(job.source.adapter) or "")
        if not actor:
            hint = "name one in the source's params (actor) or in LARDER_ACTORS"
            return self._end(job, f"no actor is known for the adapter {job.source.adapter}; {hint}")
        talk = CallStep(job=job, actor=actor, call=ActorCall.of(job.context.get("actor")), book=self._book)
        try:
            return await self._step(talk)
        except ActorError as error:
            return await self._failed(talk, error)
        except NotOursError:
            return self._wait(job, self._poll, "the job was given to another driver")

    async def _step(self, talk: CallStep) -> Fetched:
        if talk.call.run_id is None:
            return await self._begin(talk)
        run = await self._api.read_run(talk.call.run_id)
        await talk.went_well()
        match run.state:
            case RunState.UNDER_WAY:
                return await self._still_running(talk, run)
            case RunState.DONE:
                return await self._read(talk, run)
            case RunState.TIMED_OUT:
                await talk.count(run)
                raise ActorError(
                    f"the actor did not finish in time ({run.message})", fault=ActorFault.TIMEOUT
                )
            case RunState.BROKEN:
                await talk.count(run)
                return self._end(talk.job, f"the actor's run {run.id} ended as {run.message}")

    # -- beginning -------------------------------------------------------------------------------------

    async def _begin(self, talk: CallStep) -> Fetched:
        run = await self._found(talk) if talk.call.asked_at else None
        if run is None and talk.call.asked_at is not None:
            quiet_at = talk.call.asked_at + MAY_ARRIVE_FOR
            if self._clock.now() < quiet_at:
                return self._wait(talk.job, quiet_at - self._clock.now(), "the actor may already be starting")
        if run is None:
            run = await self._started(talk)
        await talk.keep(run_id=run.id)
        return self._wait(talk.job, self._poll, f"the actor's run {run.id} is in progress")

    async def _found(self, talk: CallStep) -> ActorRun | None:
        since = (talk.call.asked_at or self._clock.now()) - CLOCKS_DIFFER_BY
        return await self._api.find(talk.order(), since=since)

    async def _started(self, talk: CallStep) -> ActorRun:
        await self._check_budget(talk.job.source)
        await self._api.check_limits()
        asked_at = self._clock.now()
        await talk.keep(asked_at=asked_at)
        if self._clock.now() - asked_at > SEND_WITHIN:
            raise NotOursError
        return await self._api.start(talk.order())

    async def _check_budget(self, source: Source) -> None:
        quota = await self._book.quota()
        if not quota.serves(source.tier):
            left = f"{quota.used:.2f} of {quota.allowed or 0:.2f} USD used"
            raise ActorError(
                f"our monthly budget is {quota.state} ({left})",
                fault=None,
                status=HTTPStatus.PAYMENT_REQUIRED,
            )

    # -- waiting and reading ---------------------------------------------------------------------------

    async def _still_running(self, talk: CallStep, run: ActorRun) -> Fetched:
        if self._clock.now() > run.started_at + talk.call.timeout + OVERTIME:
            await self._api.abort(run.id)
            await talk.count(run)
            raise ActorError("the actor exceeded its timeout and was aborted", fault=ActorFault.TIMEOUT)
        return self._wait(talk.job, self._poll, f"the actor's run {run.id} is in progress")

    async def _read(self, talk: CallStep, run: ActorRun) -> Fetched:
        rows = await self._api.items(run.dataset, most=talk.most)
        await talk.count(run)
        body = orjson.dumps(rows)
        if len(body) > LARGEST:
            return self._end(talk.job, f"a dataset of {len(body)} bytes", outcome=FetchOutcome.TOO_LARGE)
        return replace(
            self._end(talk.job, "", outcome=FetchOutcome.OK, status=200),
            headers=JSON,
            body=body,
            content_hash=hashlib.sha256(body).hexdigest(),
            duration=(run.finished_at or self._clock.now()) - run.started_at,
            payload=rows,
        )

    # -- trouble ---------------------------------------------------------------------------------------

    async def _failed(self, talk: CallStep, error: ActorError) -> Fetched:
        if error.status == HTTPStatus.PAYMENT_REQUIRED:
            await self._book.quota_spent(talk.job.source, str(error))
        if error.fault is None:
            return self._end(talk.job, str(error), status=error.status)
        faults = talk.call.faults.get(error.fault, 0) + 1
        retry = actor_retry(error.fault, faults=faults, timeout=talk.call.timeout)
        if retry is None:
            outcome = FetchOutcome.TIMEOUT if error.fault is ActorFault.TIMEOUT else FetchOutcome.ERROR
            return self._end(talk.job, str(error), outcome=outcome, status=error.status)
        try:
            await talk.struck(error, faults, retry.timeout)
        except NotOursError:
            return self._wait(talk.job, self._poll, "the job was given to another driver")
        return self._wait(talk.job, retry.wait, str(error))

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
