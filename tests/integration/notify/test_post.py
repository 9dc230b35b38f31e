"""The way of an alert from the transaction that raised it to a service, with a whole Larder around it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import OperationalError

from larder.app import App, open_app
from larder.core.policy.alerting import Severity
from larder.engine.background.notifications import running
from larder.settings import Settings
from larder.settings.channels import ChannelSettings
from larder.store.operations.notifications import alerts, outbox
from larder.store.tables import facts
from larder.store.tables import outbox as table
from tests.integration.notify.services import Service, served


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with served() as service:
        yield service


def settings_for(folder: Path, service: Service) -> Settings:
    return Settings(
        data=folder,
        channels=(
            ChannelSettings(name="chat", url=SecretStr(service.url("/services/T0/B0/secret")), kind="slack"),
            ChannelSettings(name="hook", url=SecretStr(service.url("/hook"))),
            ChannelSettings(name="pager", url=SecretStr(service.url("/pager")), minimum=Severity.P1),
        ),
    )


@pytest.fixture
async def app(tmp_path: Path, service: Service) -> AsyncIterator[App]:
    async with open_app(settings_for(tmp_path, service), upgrade=True) as app:
        yield app


async def disable(app: App, severity: str = "P1") -> None:
    subject, said = "willhaben", "no item was read in 2 runs in a row"
    await app.run(alerts.raise_alert, "adapter_disabled", severity, subject, said, now=app.clock.now())


def lines(conn: Connection) -> list[tuple[str | None, str, str | None]]:
    found = conn.execute(select(table.c.channel, table.c.status, table.c.error).order_by(table.c.id))
    return [tuple(row) for row in found]


async def test_an_urgent_alert_leaves_while_a_driver_works(app: App, service: Service) -> None:
    await disable(app)
    async with app.driver(), asyncio.timeout(60):
        while len(service.taken) < 3:
            await service.came.wait()
            service.came.clear()
    titles = sorted(taken.get("title") or taken["text"] for taken in service.taken)
    assert titles == ["Larder P1: adapter_disabled willhaben"] * 3
    assert sorted(await app.run(lines), key=str) == sorted(
        [(None, "routed", None), ("chat", "sent", None), ("hook", "sent", None), ("pager", "sent", None)],
        key=str,
    )


async def test_what_could_wait_leaves_at_the_end_of_a_tick(app: App, service: Service) -> None:
    async with app.driver():
        await disable(app, severity="P3")
    assert len(service.taken) == 2
    async with app.driver():
        pass
    assert len(service.taken) == 2


async def test_a_service_that_is_down_loses_nothing_and_its_address_is_told_to_nobody(
    app: App, service: Service
) -> None:
    service.fault = "tells on us"
    await disable(app)
    async with app.notifier() as post:
        assert await post.round() == 0
    waiting = [row for row in await app.run(lines) if row[0]]
    assert [(channel, status) for channel, status, _ in waiting] == [
        ("chat", "pending"),
        ("hook", "pending"),
        ("pager", "pending"),
    ]
    assert waiting[0][2] == "it answered 404: no such hook: ***"
    service.fault = None
    later = app.clock.now() + timedelta(seconds=10)
    async with app.notifier() as post:
        for channel in ("chat", "hook", "pager"):
            message = await app.run(outbox.claim, channel, now=later)
            assert message is not None
            await app.run(outbox.record_answer, message, await post.send(message), now=later)
    assert {status for _, status, _ in await app.run(lines)} == {"routed", "sent"}
    assert len(service.taken) == 3


async def test_a_service_that_took_it_without_saying_so_gets_the_same_key_again(
    app: App, service: Service
) -> None:
    service.fault = "takes it and cuts"
    await disable(app)
    async with app.notifier() as post:
        await post.round()
        service.fault = None
        message = await app.run(outbox.claim, "hook", now=app.clock.now() + timedelta(seconds=10))
        assert message is not None
        await post.send(message)
    again = service.keys.pop()
    assert again in service.keys


async def test_a_channel_that_hangs_does_not_hold_up_another(app: App, service: Service) -> None:
    async with served() as hanging:
        hanging.fault = "hangs"
        stuck = ChannelSettings(name="stuck", url=SecretStr(hanging.url("/hook")))
        app.settings = app.settings.replaced(channels=(stuck, *app.settings.channels))
        await disable(app)
        async with app.notifier() as post, running(post), asyncio.timeout(60):
            while len(service.taken) < 3:
                await service.came.wait()
                service.came.clear()
            hanging.closing.set()
        assert hanging.asked >= 1
    assert ("stuck", "pending") in [(channel, status) for channel, status, _ in await app.run(lines)]


async def test_a_full_disk_is_cried_out_at_once_past_the_database(app: App, service: Service) -> None:
    def shrink(conn: Connection) -> None:
        pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
        conn.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    await app.run(shrink)
    fill = insert(facts).values(name="filler", value="x" * 100_000)
    with pytest.raises(OperationalError, match="full"):
        async with app.driver():
            await app.database.run(lambda conn: conn.execute(fill).rowcount)
    assert [taken.get("title") or taken["text"] for taken in service.taken] == [
        "Larder P1: disk_full deployment"
    ] * 3
    assert len(set(service.keys)) == 1


async def test_other_trouble_is_not_cried_out(app: App, service: Service) -> None:
    with pytest.raises(OSError, match="nobody there"):
        async with app.driver():
            raise OSError("nobody there")
    assert service.taken == []


def test_settings_show_no_address(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, Service(port=1))
    assert "B0" not in repr(settings)
    assert "B0" not in str(vars(settings))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('[{"name": "chat", "url": "https://x.test/c3cret"', "must be a JSON list of channels"),
        ('[{"name": "Chat!", "url": "https://x.test/c3cret"}]', "must match pattern"),
        ('[{"name": "chat", "adress": "https://x.test/c3cret"}]', "0.adress: there is no such field"),
        ('[{"name": "a", "url": "https://x.test/c3cret"}, {"name": "a"}]', "two channels have the same name"),
        ('[{"name": "a", "url": "https://x.test/c3cret", "minimum": "P9"}]', "must be"),
    ],
)
def test_settings_that_are_wrong_are_named_without_their_secret(
    given: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from larder.core.errors import BadInput
    from larder.settings import load

    monkeypatch.setenv("LARDER_CHANNELS", given)
    with pytest.raises(BadInput, match="LARDER_CHANNELS") as refused:
        load()
    assert said in str(refused.value)
    assert "c3cret" not in f"{refused.value}{refused.value.__cause__}"


def test_channels_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_CHANNELS", '[{"name": "pager", "url": "json://x.test/", "minimum": "P1"}]')
    (channel,) = Settings().channels
    assert (channel.name, channel.minimum) == ("pager", Severity.P1)
    assert channel.url.get_secret_value() == "json://x.test/"


def test_a_time_zone_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from larder.core.errors import BadInput
    from larder.settings import load

    monkeypatch.setenv("LARDER_TIMEZONE", "Mars/Olympus")
    with pytest.raises(BadInput, match="LARDER_TIMEZONE"):
        load()
