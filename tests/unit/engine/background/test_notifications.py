"""The post in virtual time: dead channels, lost answers, floods, mornings."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, select

from larder.core.policy.alerting import Severity
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.engine.background.notifications import Notifier
from larder.engine.clock import VirtualClock
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.faults import Fault, FaultKind
from larder.sim.virtual import SimWeb, VirtualLarder, run_inline
from larder.stages.notify import render
from larder.stages.notify.summary import SummarySchedule
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from larder.store.operations.notifications import alerts
from larder.store.operations.notifications.outbox import LEASE, Message
from larder.store.tables import alerts as alerts_table
from larder.store.tables import outbox as outbox_table

START = datetime(2026, 3, 2, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
DOWN = Undelivered(error="it could not be reached")


class Killed(BaseException):
    """The process is gone."""


@dataclass(slots=True, kw_only=True)
class World:
    """The services behind all channels, as they are in virtual time."""

    clock: VirtualClock
    down: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    arrived: list[tuple[datetime, Message]] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)
    loses_answers: set[str] = field(default_factory=set)
    kills: bool = False

    async def send(self, message: Message) -> DeliveryResult:
        self.tried[message.channel] += 1
        since, until = self.down.get(message.channel, (START, START))
        if since <= self.clock.now() < until:
            return DOWN
        self.arrived.append((self.clock.now(), message))
        if self.kills:
            raise Killed
        if message.channel in self.loses_answers and message.attempt == 1:
            return Undelivered(error="it did not answer in time")
        return Delivered()

    def notes(self, channel: str) -> list[int]:
        """What a receiver has that knows a key it has seen: ids of alerts, in order of arrival."""
        seen: dict[str, Message] = {}
        for _, message in self.arrived:
            if message.channel == channel:
                seen.setdefault(message.key, message)
        notes = [note for message in seen.values() for note in message.notes]
        return [note.payload["alert"] for note in notes if note.topic == "alert"]

    def messages(self, channel: str) -> list[Message]:
        return [message for _, message in self.arrived if message.channel == channel]


@dataclass(slots=True, kw_only=True)
class Office:
    """A database with a post office and nothing else."""

    clock: VirtualClock = field(default_factory=lambda: VirtualClock(START))
    database: InlineDatabase = field(default_factory=inline_database)
    minimums: dict[str, Severity] = field(
        default_factory=lambda: {"chat": Severity.INFO, "mail": Severity.INFO, "pager": Severity.P1}
    )
    world: World = field(init=False)
    post: Notifier = field(init=False)

    def __post_init__(self) -> None:
        self.database.now(upgrade.create)
        self.world = World(clock=self.clock)
        self.open()

    def open(self) -> None:
        """A fresh process."""
        self.post = Notifier(
            database=self.database, clock=self.clock, minimums=self.minimums, send=self.world.send
        )

    def alert(self, subject: str, severity: str = "P3", name: str = "circuit_tripped") -> None:
        now = self.clock.now()
        self.database.now(alerts.raise_alert, name, severity, subject, f"{subject} fails", now=now)

    def until(self, moment: datetime, step: timedelta = 10 * SECOND) -> None:
        while self.clock.now() < moment:
            self.clock.advance(self.clock.now() + step)
            run_inline(self.post.round())

    def rows(self, table: Any) -> Sequence[Any]:
        def all_of(conn: Connection) -> Sequence[Any]:
            return conn.execute(select(table).order_by(table.c.id)).all()

        return self.database.now(all_of)


def test_a_channel_that_is_dead_for_two_days_gets_everything_later_in_order_and_once() -> None:
    office, chance = Office(), random.Random(5)
    office.world.down["chat"] = (START + HOUR, START + HOUR + 2 * DAY)
    raised, urgent = 0, 0
    while office.clock.now() < START + 3 * DAY:
        severity = chance.choice(["P1", "P2", "P3", "P3"])
        raised, urgent = raised + 1, urgent + (severity == "P1")
        office.alert(f"source-{raised}", severity)
        office.until(office.clock.now() + MINUTE * chance.randint(1, 20), step=MINUTE)
    office.until(office.clock.now() + 2 * HOUR, step=MINUTE)
    everything = list(range(1, raised + 1))
    assert raised > 300
    assert office.world.notes("mail") == everything
    assert office.world.notes("chat") == everything
    assert len(office.world.notes("pager")) == urgent
    assert office.world.notes("pager") == sorted(office.world.notes("pager"))
    assert {row.status for row in office.rows(outbox_table)} == {"sent", "routed"}


def test_a_dead_channel_is_tried_ever_more_rarely_and_holds_up_no_other() -> None:
    office = Office()
    office.world.down["chat"] = (START, START + 2 * DAY)
    office.alert("homes")
    office.until(START + 2 * DAY + 2 * HOUR, step=MINUTE)
    when = {message.channel: at for at, message in reversed(office.world.arrived)}
    assert when["mail"] == START + MINUTE
    assert START + 2 * DAY <= when["chat"] <= START + 2 * DAY + HOUR + MINUTE
    assert office.world.tried["chat"] <= 60


def test_after_a_dead_channel_is_back_its_backlog_is_a_few_messages() -> None:
    office = Office()
    office.world.down["chat"] = (START, START + 2 * DAY)
    for hour in range(48):
        for number in range(5):
            office.alert(f"source-{hour}-{number}")
        office.until(START + (hour + 1) * HOUR, step=10 * MINUTE)
    office.until(START + 2 * DAY + 2 * HOUR, step=MINUTE)
    assert len(office.world.notes("chat")) == 240
    assert len(office.world.messages("chat")) <= 4


def test_an_answer_that_is_lost_brings_the_same_message_with_the_same_key() -> None:
    office = Office()
    office.world.loses_answers.add("chat")
    for number in range(3):
        office.alert(f"source-{number}")
        office.until(office.clock.now() + 5 * MINUTE)
    chat = office.world.messages("chat")
    assert [len(message.notes) for message in chat] == [1] * 6
    assert [message.key for message in chat[::2]] == [message.key for message in chat[1::2]]
    assert office.world.notes("chat") == [1, 2, 3]


def test_what_a_killed_process_had_under_way_goes_out_again_under_the_same_key() -> None:
    office = Office()
    office.alert("homes", severity="P1")
    office.world.kills = True
    with pytest.raises(Killed):
        run_inline(office.post.round())
    office.world.kills = False
    office.open()
    office.until(START + LEASE + MINUTE)
    assert office.world.notes("chat") == office.world.notes("mail") == office.world.notes("pager") == [1]
    assert len({message.key for message in office.world.messages("chat")}) == 1


def test_ten_thousand_failures_in_a_minute_become_a_handful_of_messages() -> None:
    office = Office()
    for second in range(60):
        for number in range(0, 10_000, 60):
            office.alert(f"source-{(number + second) % 200}")
        if second % 10 == 9:
            office.until(START + (second + 1) * SECOND)
    office.until(START + HOUR, step=MINUTE)
    failures = sum(row.times for row in office.rows(alerts_table))
    assert failures == 60 * 167
    assert len(office.rows(alerts_table)) == 200
    assert len(office.world.messages("chat")) <= 5
    assert sorted(office.world.notes("chat")) == list(range(1, 201))
    assert office.world.messages("pager") == []


def test_a_message_that_cannot_be_put_into_words_does_not_stop_its_line() -> None:
    office = Office(minimums={"chat": Severity.INFO})

    async def clumsy(message: Message) -> DeliveryResult:
        if any(note.payload["subject"] == "source-1" for note in message.notes):
            raise KeyError("text")
        return await office.world.send(message)

    office.post.send = clumsy
    for number in range(3):
        office.alert(f"source-{number}")
    office.until(START + 2 * HOUR)
    assert office.world.notes("chat") == [1, 3]
    assert [row.status for row in office.rows(outbox_table) if row.channel] == ["sent", "dead", "sent"]


def test_flushing_sends_what_would_have_waited_for_company() -> None:
    office = Office(minimums={"chat": Severity.INFO})
    office.alert("homes")
    assert run_inline(office.post.round()) == 0
    assert run_inline(office.post.round(flush=True)) == 1
    assert office.world.notes("chat") == [1]


# -- with a whole Larder -----------------------------------------------------------------------------------


def larder_with_post(*faults: Fault, tz: str = "UTC") -> tuple[VirtualLarder, World]:
    site = ClassifiedsSite(
        name="homes.test",
        classifieds=ClassifiedsTruth(seed=3, start=START, stock=30),
        per_page=10,
        faults=[*faults],
    )
    larder = VirtualLarder(SimWeb.of([site]), start=START)
    larder.add_source(slug="homes", kind="listing", url="http://homes.test/listings", adapter="listing")
    world = World(clock=larder.clock)
    post = Notifier(
        database=larder.database,
        clock=larder.clock,
        minimums={"chat": Severity.INFO},
        send=world.send,
        summary_schedule=SummarySchedule(at=time(7), tz=tz),
    )
    larder.driver.on_tick = post.round
    return larder, world


def told(world: World, topic: str) -> list[tuple[datetime, dict[str, Any]]]:
    return [
        (at, dict(note.payload))
        for at, message in world.arrived
        for note in message.notes
        if note.topic == topic
    ]


def test_an_outage_is_told_once_and_taken_back_when_it_is_over() -> None:
    outage = Fault(kind=FaultKind.ERROR, since=START + 6 * HOUR, until=START + 9 * HOUR)
    larder, world = larder_with_post(outage)
    larder.run(START + DAY)
    names = Counter(payload["name"] for _, payload in told(world, "alert"))
    assert names["circuit_tripped"] == 1
    assert sum(names.values()) <= 3
    first = min(at for at, payload in told(world, "alert") if payload["name"] == "circuit_tripped")
    assert START + 6 * HOUR < first < START + 9 * HOUR

    def still_open(conn: Connection) -> list[str]:
        return list(conn.scalars(select(alerts_table.c.name).where(alerts_table.c.resolved_at.is_(None))))

    assert "circuit_tripped" not in larder.database.now(still_open)


def test_every_morning_at_seven_by_the_deployments_clock_there_is_one_summary() -> None:
    larder, world = larder_with_post(tz="Europe/Amsterdam")
    larder.run(START + DAY + 7 * HOUR)
    summaries = told(world, "summary")
    six = START + 6 * HOUR
    assert [at for at, _ in summaries] == [six + n * DAY + MINUTE for n in range(2)]
    first, second = summaries[0][1], summaries[1][1]
    assert first["until"] == second["since"] == "2026-03-02T07:00:00+01:00"
    assert second["runs"] > 40
    assert second["totals"]["inserted"] == sum(line["inserted"] for line in second["listed"])
    assert len(second["listed"]) == 40
    (message,) = [p for at, p in world.arrived if at == summaries[0][0]]
    assert render.text(message).startswith("Summary of 02 Mar 01:00 to 02 Mar 07:00")
