"""Channels over real HTTP, and every way in which the other side can fail."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta

import aiohttp
import pytest

from larder.core.errors import BadInput
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.engine.clock import SystemClock
from larder.stages.notify import http_post as posting
from larder.stages.notify.channels import AppriseChannel, ChannelKind, ChannelSpec, open_channels
from larder.store.operations.notifications.outbox import Message
from tests.integration.notify.services import Service, served
from tests.unit.stages.notify.messages import alert, message

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # Apprise's

SECRET = "T0AAAAAA1/B0BBBBBB2/c3cretTOKENvalue"
SLACK_PATH = f"/services/{SECRET}"


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with served() as service:
        yield service


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with posting.session() as client:
        yield client


@pytest.fixture
async def impatient() -> AsyncIterator[aiohttp.ClientSession]:
    async with posting.session(timeout=timedelta(seconds=0.2)) as client:
        yield client


async def send(spec: ChannelSpec, client: aiohttp.ClientSession, message: Message) -> DeliveryResult:
    return await open_channels([spec], client, SystemClock())[spec.name].send(message)


def slack(service: Service) -> ChannelSpec:
    return ChannelSpec(name="ops", url=service.url(SLACK_PATH), kind=ChannelKind.SLACK)


async def test_slack_takes_what_we_send(service: Service, client: aiohttp.ClientSession) -> None:
    full = message(*(alert(n, subject=f"source-{n}", message="<&>" * 200) for n in range(100)))
    assert await send(slack(service), client, full) == Delivered()
    (taken,) = service.taken
    assert taken["text"] == "Larder: 100 alerts (100 P3)"


async def test_a_webhook_gets_everything_with_a_key(service: Service, client: aiohttp.ClientSession) -> None:
    hook = ChannelSpec(name="ops", url=service.url("/hook"))
    assert await send(hook, client, message(alert(7))) == Delivered()
    assert service.taken[0]["notes"][0]["alert"] == 7
    assert service.keys == [service.taken[0]["id"]]


async def test_apprise_reaches_a_service_it_knows(service: Service, client: aiohttp.ClientSession) -> None:
    spec = ChannelSpec(name="ops", url=service.url("/notify", scheme="json"))
    assert spec.resolved_kind is ChannelKind.APPRISE
    assert await send(spec, client, message(alert(subject="homes"))) == Delivered()
    (taken,) = service.taken
    assert taken["title"] == "Larder P3: circuit_tripped homes"
    assert "homes: 5 fetches in a row failed" in taken["message"]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("cuts", Undelivered(error="the connection failed (ServerDisconnectedError)")),
        (
            "is limited",
            Undelivered(error="it answered 429: rate_limited", retry_after=timedelta(seconds=77)),
        ),
        ("is broken", Undelivered(error="it answered 500: internal error")),
        ("talks without end", Undelivered(error="it answered 500: " + "x" * 120)),
        ("tells on us", Undelivered(error="it answered 404: no such hook: ***")),
        ("moved", Undelivered(error="it answered 302: 302: Found")),
        ("refuses", Undelivered(error="it answered 400: invalid_payload", refused=True)),
    ],
)
async def test_every_failure_is_an_answer_without_our_secret(
    service: Service, client: aiohttp.ClientSession, fault: str, expected: Undelivered
) -> None:
    service.fault = fault
    answer = await send(slack(service), client, message(alert()))
    assert answer == expected
    assert service.taken == []
    assert service.asked == 1


async def test_who_never_answers_is_not_waited_for(
    service: Service, impatient: aiohttp.ClientSession
) -> None:
    service.fault = "hangs"
    answer = await send(slack(service), impatient, message(alert()))
    assert answer == Undelivered(error="it did not answer in time")


async def test_nobody_listening_is_an_answer_too(client: aiohttp.ClientSession) -> None:
    async with served() as gone:
        nowhere = slack(gone)
    assert await send(nowhere, client, message(alert())) == Undelivered(error="it could not be reached")


@pytest.mark.parametrize("fault", ["is broken", "cuts", "refuses"])
async def test_apprise_says_when_it_failed(
    service: Service, client: aiohttp.ClientSession, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.fault = fault
    spec = ChannelSpec(name="ops", url=service.url(f"/{SECRET}", scheme="json"))
    assert await send(spec, client, message(alert())) == Undelivered(error="the service rejected it")
    assert service.asked == 1
    assert "c3cretTOKENvalue" not in caplog.text


async def test_a_service_that_raises_is_an_answer() -> None:
    class Broken:
        def notify(self, *, title: str, body: str) -> object:
            raise RuntimeError(f"secret {title} {body}")

    answer = await AppriseChannel(announcer=Broken()).send(message(alert()))
    assert answer == Undelivered(error="the service failed (RuntimeError)")


async def test_apprise_does_not_hold_up_the_loop() -> None:
    """Its thread waits until the loop has moved on."""
    moved_on = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Slow:
        def notify(self, *, title: str, body: str) -> object:
            asyncio.run_coroutine_threadsafe(moved_on.wait(), loop).result(timeout=60)
            return title and body

    sending = asyncio.create_task(AppriseChannel(announcer=Slow()).send(message(alert())))
    await asyncio.sleep(0)
    moved_on.set()
    assert await sending == Delivered()


@pytest.mark.parametrize(
    "spec",
    [
        ChannelSpec(name="ops", url="nonsense://c3cretTOKENvalue"),
        ChannelSpec(name="ops", url="mailto:c3cretTOKENvalue", kind=ChannelKind.SLACK),
        ChannelSpec(name="ops", url="http:///c3cretTOKENvalue"),
    ],
    ids=["unknown to Apprise", "no web address", "no host"],
)
async def test_a_channel_that_cannot_work_is_refused_by_name(
    spec: ChannelSpec, client: aiohttp.ClientSession
) -> None:
    with pytest.raises(BadInput, match="'ops'") as refused:
        open_channels([spec], client, SystemClock())
    assert "c3cret" not in f"{refused.value} {refused.value.hint.text} {refused.value!r}"


async def test_the_log_is_a_channel(client: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    both = message(alert(severity="P1", name="adapter_disabled"), alert(2))
    assert await send(ChannelSpec(name="log"), client, both) == Delivered()
    (record,) = caplog.records
    assert (record.levelname, record.name) == ("ERROR", "larder.notify")
    assert record.getMessage().splitlines()[0] == "Larder: 2 alerts (1 P1, 1 P3)"
