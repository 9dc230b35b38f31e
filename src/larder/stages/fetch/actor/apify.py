"""The Apify API through Apify's own client, without its retries: the engine decides when to retry.

Every failure becomes an ActorError that names its row of the retry table.
"""

from collections.abc import Awaitable, Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, TypeVar

import impit
from apify_client import ApifyClientAsync
from apify_client.errors import ApifyApiError

from larder.core.policy.retry import ActorFault
from larder.stages.fetch.actor.provider import API_TIMEOUT, ActorError, ActorRun, RunInput, RunState

DATASET_TIMEOUT = timedelta(seconds=120)
LOOKED_THROUGH = 100
"""Maximum runs of an actor that are searched for one of ours."""
_STATES = {
    "READY": RunState.UNDER_WAY,
    "RUNNING": RunState.UNDER_WAY,
    "TIMING-OUT": RunState.UNDER_WAY,
    "ABORTING": RunState.UNDER_WAY,
    "SUCCEEDED": RunState.DONE,
    "TIMED-OUT": RunState.TIMED_OUT,
}

T = TypeVar("T")


class Apify:
    """Client of the Apify API."""

    def __init__(self, token: str, *, url: str, max_wait: timedelta = API_TIMEOUT) -> None:
        self._client = ApifyClientAsync(
            token,
            api_url=url,
            max_retries=0,
            timeout_short=max_wait,
            timeout_medium=max_wait,
            timeout_long=DATASET_TIMEOUT,
        )

    async def check_limits(self) -> None:
        """The account's monthly budget, and how many runs it may have at once."""
        account = await _translated(self._client.user("me").limits())
        limits, current = account.limits, account.current
        if current.monthly_usage_usd >= limits.max_monthly_usage_usd:
            usage = f"{current.monthly_usage_usd:.2f} of {limits.max_monthly_usage_usd:.2f} USD"
            raise ActorError(
                f"the provider's monthly budget is spent ({usage})",
                fault=None,
                status=HTTPStatus.PAYMENT_REQUIRED,
            )
        if current.active_actor_job_count >= limits.max_concurrent_actor_jobs:
            busy = f"{current.active_actor_job_count} runs at once"
            raise ActorError(
                f"the provider's limit is reached ({busy})", fault=ActorFault.LIMITED, status=429
            )

    async def start(self, order: RunInput) -> ActorRun:
        """Send one POST; without an answer, `find` tells whether it arrived."""
        started = self._client.actor(order.actor).start(
            run_input=dict(order.input), run_timeout=order.timeout, max_items=order.most
        )
        return _run(await _translated(started))

    async def find(self, order: RunInput, *, since: datetime) -> ActorRun | None:
        """The run with this input, newest first; the provider may have added defaults to our input."""
        runs = self._client.actor(order.actor).runs()
        listed = await _translated(runs.list(desc=True, limit=LOOKED_THROUGH, started_after=since))
        for short in listed.items:
            store = self._client.key_value_store(short.default_key_value_store_id)
            stored = await _translated(store.get_record("INPUT"))
            if stored is not None and _holds(stored["value"], order.input):
                return await self.read_run(short.id)
        return None

    async def read_run(self, run_id: str) -> ActorRun:
        """The state of a run."""
        run = await _translated(self._client.run(run_id).get())
        if run is None:
            raise ActorError(f"the provider has no run {run_id}", fault=None, status=404)
        return _run(run)

    async def abort(self, run_id: str) -> None:
        """Abort a run."""
        await _translated(self._client.run(run_id).abort())

    async def items(self, dataset: str, *, most: int) -> list[Any]:
        """The items of a dataset, unchanged."""
        page = await _translated(self._client.dataset(dataset).list_items(limit=most))
        return list(page.items)


async def _translated(call: Awaitable[T]) -> T:
    """Await a call; its errors become an ActorError without a token in it."""
    try:
        return await call
    except ApifyApiError as error:
        raise ActorError(
            _message_of(error), fault=_fault(error.status_code), status=error.status_code
        ) from None
    except (impit.HTTPError, TimeoutError, OSError) as error:
        raise ActorError(
            f"{type(error).__name__}: the provider cannot be reached", fault=ActorFault.NETWORK
        ) from None
    except Exception as error:  # noqa: BLE001 - the client trusts the shape of answers; we do not
        text = f"{type(error).__name__}: the provider's answer has an unknown shape"
        raise ActorError(text, fault=ActorFault.SERVER) from None


def _fault(status: int) -> ActorFault | None:
    if status == 429:
        return ActorFault.LIMITED
    return ActorFault.SERVER if status >= 500 else None


def _message_of(error: ApifyApiError) -> str:
    return f"the provider answered {error.status_code}: {error.message or error.type or ''}"[:300]


def _holds(stored: Any, sent: Mapping[str, Any]) -> bool:
    return isinstance(stored, Mapping) and all(stored.get(name) == value for name, value in sent.items())


def _run(run: Any) -> ActorRun:
    return ActorRun(
        id=run.id,
        state=_STATES.get(str(run.status), RunState.BROKEN),
        dataset=run.default_dataset_id,
        started_at=run.started_at,
        finished_at=run.finished_at,
        cost=run.usage_total_usd or 0,
        message=f"{run.status}: {run.status_message or 'no reason given'}"[:300],
    )
