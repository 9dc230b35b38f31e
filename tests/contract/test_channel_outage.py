"""A channel over real HTTP that is down for an hour, in virtual time: nothing is lost, nothing repeated.

And quiet hours, in which only P1 is sent.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from larder.core.policy.alerting import AlertName, Severity
from larder.core.policy.quiet_hours import QuietHours
from larder.engine.background.notifications import Notifier
from larder.engine.clock import VirtualClock
from larder.stages.notify.channels import ChannelSpec, open_channels
from larder.stages.notify.http_post import session
from larder.store.database import Connection, Database
from larder.store.operations.notifications import alerts, outbox
from tests.contract.world import NOW
from tests.integration.notify.services import Service, served

MINUTE = timedelta(minutes=1)


@asynccontextmanager
async def notified(
    database: Database, service: Service, clock: VirtualClock, **quiet: QuietHours
) -> AsyncIterator[Notifier]:
    spec = ChannelSpec(name="ops", url=service.url("/hook"))
    async with session(timeout=timedelta(seconds=0.5)) as client:
        channel = open_channels([spec], client, clock)["ops"]
        minimums = {"ops": Severity.INFO}
        yield Notifier(database=database, clock=clock, minimums=minimums, send=channel.send, quiet=quiet)


def say(conn: Connection, number: int, severity: str = "P3", *, now: datetime) -> None:
    outbox.add(
        conn,
        topic="alert",
        channel=None,
        payload={"name": "run_failed", "subject": f"source-{number}", "message": "it failed"},
        dedupe_key=f"note-{number}",
        severity=severity,
        now=now,
    )


def subjects(service: Service) -> list[str]:
    return [note["subject"] for taken in service.taken for note in taken["notes"] if note["topic"] == "alert"]


@pytest.mark.parametrize("fault", ["is down", "is limited", "cuts", "moved"])
async def test_down_for_an_hour_loses_none_and_repeats_none(database: Database, fault: str) -> None:
    clock = VirtualClock(NOW)
    async with served() as service, notified(database, service, clock) as post:
        for minute in range(100):
            service.fault = fault if 10 <= minute < 70 else None
            await database.run(say, minute, now=clock.now())
            await post.round()
            clock.advance(NOW + MINUTE * (minute + 1))
        clock.advance(NOW + MINUTE * 200)
        await post.round()
        assert subjects(service) == [f"source-{number}" for number in range(100)], "all, once, in order"
        assert len(set(service.keys)) == len(service.keys)
        assert service.asked - len(service.taken) < 20, "a channel that is down is not hammered"


async def test_an_answer_that_was_lost_is_sent_again_under_the_same_key(database: Database) -> None:
    clock = VirtualClock(NOW)
    async with served() as service, notified(database, service, clock) as post:
        await database.run(say, 1, now=NOW)
        service.fault = "takes it and cuts"
        clock.advance(NOW + MINUTE)
        await post.round()
        service.fault = None
        clock.advance(NOW + MINUTE * 10)
        await post.round()
        assert len(service.keys) == 2
        assert len(set(service.keys)) == 1, "so that the receiver can tell"


async def test_quiet_hours_hold_everything_but_p1(database: Database) -> None:
    clock = VirtualClock(NOW.replace(hour=21))
    night = QuietHours(begin=time(22), end=time(7))
    async with served() as service, notified(database, service, clock, ops=night) as post:

        async def at(hours: float) -> None:
            clock.advance(NOW.replace(hour=21) + timedelta(hours=hours))
            await post.round()

        await at(1.5)
        await database.run(say, 1, now=clock.now())
        await at(2)
        assert service.taken == []
        await database.run(say, 2, "P1", now=clock.now())
        await at(2.1)
        assert subjects(service) == ["source-2"], "a P1 passes, and takes nothing along"
        await at(9.9)
        assert subjects(service) == ["source-2"]
        await at(10.1)
        assert subjects(service) == ["source-2", "source-1"]


async def test_a_message_that_was_tried_before_the_night_does_not_hold_up_a_p1(database: Database) -> None:
    clock = VirtualClock(NOW.replace(hour=21, minute=59))
    night = QuietHours(begin=time(22), end=time(7))
    async with served() as service, notified(database, service, clock, ops=night) as post:
        service.fault = "is down"
        await database.run(say, 1, now=clock.now() - MINUTE)
        await post.round()
        service.fault = None
        clock.advance(clock.now() + MINUTE * 30)
        await post.round()
        assert service.taken == []
        await database.run(say, 2, "P1", now=clock.now())
        await post.round()
        assert subjects(service) == ["source-1", "source-2"]


async def test_an_alert_and_its_end_go_through_the_outbox_once(database: Database) -> None:
    clock = VirtualClock(NOW)
    name = AlertName.RUN_FAILED
    async with served() as service, notified(database, service, clock) as post:
        for _ in range(5):
            await database.run(alerts.raise_alert, name, name.severity, "homes", "failed", now=clock.now())
            clock.advance(clock.now() + MINUTE * 10)
            await post.round()
        assert subjects(service) == ["homes"]


def test_settings_name_a_channel_whose_quiet_hours_are_wrong() -> None:
    from larder.settings import Settings

    wrong: Any = [{"name": "ops", "url": "log:", "quiet": "at night"}]
    with pytest.raises(ValueError, match="two times of day"):
        Settings(channels=wrong)
