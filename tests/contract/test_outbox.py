"""The outbox: nothing lost, nothing out of order, nothing twice, one channel's trouble its own."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from larder.core.policy.alerting import Severity
from larder.core.policy.delivery import Delivered, Undelivered
from larder.store.database import Database
from larder.store.operations.notifications import outbox, outbox_cleanup
from larder.store.operations.notifications.outbox import Message
from larder.store.tables import dead_letters
from larder.store.tables import outbox as table
from tests.contract.world import DAY, HOUR, MINUTE, NOW, SECOND, unit_of_work

EVERYBODY = {"ops": Severity.INFO, "urgent": Severity.P1}
DOWN = Undelivered(error="it could not be reached")
REFUSED = Undelivered(error="it answered 400", refused=True)
LATER = NOW + 30 * SECOND


def say(
    conn: Connection,
    *words: str,
    channel: str | None = "ops",
    severity: str = "P3",
    now: datetime = NOW,
    key: str | None = None,
) -> bool:
    added = [
        outbox.add(
            conn,
            topic="alert",
            channel=channel,
            payload={"message": word},
            dedupe_key=key,
            severity=severity,
            now=now,
        )
        for word in words
    ]
    return all(added)


def words(message: Message | None) -> list[str]:
    return [] if message is None else [note.payload["message"] for note in message.notes]


def take(conn: Connection, now: datetime = LATER, channel: str = "ops", **how: Any) -> Message:
    message = outbox.claim(conn, channel, now=now, **how)
    assert message is not None
    return message


def statuses(conn: Connection) -> list[tuple[str | None, str]]:
    return [(row.channel, row.status) for row in conn.execute(select(table).order_by(table.c.id))]


# -- writing and routing -----------------------------------------------------------------------------------


@unit_of_work
def test_what_is_said_to_nobody_in_particular_goes_to_all_who_want_to_hear_it(conn: Connection) -> None:
    say(conn, "a page failed", channel=None, severity="P3")
    say(conn, "an adapter is off", channel=None, severity="P1")
    assert outbox.route(conn, EVERYBODY, now=NOW) == 2
    assert words(take(conn, channel="ops")) == ["a page failed", "an adapter is off"]
    assert words(take(conn, channel="urgent")) == ["an adapter is off"]
    assert outbox.route(conn, EVERYBODY, now=NOW) == 0


@unit_of_work
def test_what_nobody_wants_to_hear_waits_for_nobody(conn: Connection) -> None:
    say(conn, "good morning", channel=None, severity="info")
    outbox.route(conn, {"urgent": Severity.P1}, now=NOW)
    assert statuses(conn) == [(None, "routed")]


@unit_of_work
def test_a_key_is_used_once(conn: Connection) -> None:
    assert say(conn, "the price fell", key="watch:7:2026-01-05")
    assert not say(conn, "the price fell", key="watch:7:2026-01-05")
    assert words(take(conn)) == ["the price fell"]


@unit_of_work
def test_without_a_key_everything_is_said(conn: Connection) -> None:
    assert say(conn, "once", "once")
    assert words(take(conn)) == ["once", "once"]


# -- messages -----------------------------------------------------------------------------------------------


@unit_of_work
def test_what_comes_within_half_a_minute_goes_together(conn: Connection) -> None:
    say(conn, "first")
    say(conn, "second", now=NOW + 29 * SECOND)
    assert outbox.claim(conn, "ops", now=NOW + 29 * SECOND) is None
    assert words(take(conn)) == ["first", "second"]


@unit_of_work
def test_the_most_urgent_goes_at_once_and_takes_along_what_is_before_it(conn: Connection) -> None:
    say(conn, "first")
    say(conn, "an adapter is off", severity="P1", now=NOW + SECOND)
    assert words(take(conn, NOW + SECOND)) == ["first", "an adapter is off"]


@unit_of_work
def test_flushing_does_not_wait_for_company(conn: Connection) -> None:
    say(conn, "first")
    assert words(take(conn, NOW, flush=True)) == ["first"]


@unit_of_work
def test_a_parcel_holds_a_hundred_notes(conn: Connection) -> None:
    say(conn, *(str(n) for n in range(205)))
    sizes = []
    for _ in range(3):
        message = take(conn)
        sizes.append(len(message.notes))
        outbox.record_answer(conn, message, Delivered(), now=LATER)
    assert sizes == [100, 100, 5]
    assert outbox.claim(conn, "ops", now=LATER) is None


@unit_of_work
def test_while_a_parcel_is_under_way_its_line_waits(conn: Connection) -> None:
    say(conn, "first")
    message = take(conn)
    say(conn, "second", severity="P1")
    assert outbox.claim(conn, "ops", now=LATER + MINUTE) is None
    assert outbox.record_answer(conn, message, Delivered(), now=LATER + MINUTE)
    assert words(take(conn, LATER + MINUTE)) == ["second"]


@unit_of_work
def test_one_channels_trouble_is_its_own(conn: Connection) -> None:
    say(conn, "first", channel="ops")
    say(conn, "first", channel="chat")
    outbox.record_answer(conn, take(conn, channel="ops"), DOWN, now=LATER)
    assert outbox.claim(conn, "ops", now=LATER) is None
    assert words(take(conn, channel="chat")) == ["first"]


# -- failing -----------------------------------------------------------------------------------------------


@unit_of_work
def test_a_parcel_is_tried_again_as_it_was_with_the_same_key(conn: Connection) -> None:
    say(conn, "first", "second")
    message = take(conn)
    outbox.record_answer(conn, message, DOWN, now=LATER)
    say(conn, "third", severity="P1", now=LATER)
    assert outbox.claim(conn, "ops", now=LATER + 9 * SECOND) is None
    again = take(conn, LATER + 10 * SECOND)
    assert (words(again), again.key, again.attempt) == (["first", "second"], message.key, 2)
    outbox.record_answer(conn, again, Delivered(), now=LATER + 10 * SECOND)
    third = take(conn, LATER + 10 * SECOND)
    assert words(third) == ["third"]
    assert third.key != message.key


@unit_of_work
def test_what_a_dead_sender_had_is_sent_when_its_lease_is_over_and_its_late_answer_changes_nothing(
    conn: Connection,
) -> None:
    say(conn, "first")
    lost = take(conn)
    assert outbox.claim(conn, "ops", now=LATER + outbox.LEASE - SECOND) is None
    found = take(conn, LATER + outbox.LEASE)
    assert found.key == lost.key
    assert not outbox.record_answer(conn, lost, DOWN, now=LATER + outbox.LEASE)
    assert outbox.record_answer(conn, found, Delivered(), now=LATER + outbox.LEASE)
    assert not outbox.record_answer(conn, found, Delivered(), now=LATER + outbox.LEASE)
    assert statuses(conn) == [("ops", "sent")]


@unit_of_work
def test_after_a_week_it_is_a_dead_letter_that_can_be_sent_again(conn: Connection) -> None:
    say(conn, "first", "second")
    now = LATER
    while message := outbox.claim(conn, "ops", now=now):
        assert now < NOW + 7 * DAY + HOUR
        outbox.record_answer(conn, message, DOWN, now=now)
        waiting = conn.execute(select(table.c.next_at).where(table.c.status == "pending")).scalars().all()
        assert all(at - now <= HOUR for at in waiting)
        now = min(waiting, default=now)
    assert now >= NOW + 7 * DAY
    (letter,) = conn.execute(select(dead_letters)).all()
    assert (letter.stage, letter.type, letter.retry_at) == ("notify", "undelivered", None)
    assert letter.message == "2 messages to ops: it could not be reached"
    assert outbox_cleanup.resend(conn, letter.payload["outbox"], now=now) == 2
    assert words(take(conn, now)) == ["first", "second"]


@unit_of_work
def test_a_note_that_is_refused_costs_no_other(conn: Connection) -> None:
    say(conn, *(str(n) for n in range(20)))
    now, arrived = LATER, list[str]()
    while any(status == "pending" for _, status in statuses(conn)):
        message = outbox.claim(conn, "ops", now=now)
        if message is None:
            now += 10 * SECOND
            assert now < NOW + 3 * HOUR
            continue
        fits = "7" not in words(message)
        arrived += words(message) if fits else []
        outbox.record_answer(conn, message, Delivered() if fits else REFUSED, now=now)
    assert arrived == [str(n) for n in range(20) if n != 7]
    (letter,) = conn.execute(select(dead_letters)).all()
    assert (letter.type, letter.category, letter.payload["outbox"]) == ("refused", "validation", [8])


@unit_of_work
def test_what_waits_for_a_channel_that_nobody_configures_becomes_a_dead_letter(conn: Connection) -> None:
    say(conn, "first", channel="old")
    say(conn, "first", channel="ops")
    assert outbox_cleanup.dead_letter_unknown_channels(conn, ["ops"], now=NOW + 7 * DAY) == 0
    assert outbox_cleanup.dead_letter_unknown_channels(conn, ["ops"], now=NOW + 7 * DAY + SECOND) == 1
    assert statuses(conn) == [("old", "dead"), ("ops", "pending")]
    assert conn.execute(select(dead_letters.c.message)).scalars().all() == [
        "1 message to old: there is no such channel any more"
    ]


@unit_of_work
def test_what_was_sent_long_ago_is_forgotten_and_nothing_else(conn: Connection) -> None:
    say(conn, "sent")
    outbox.record_answer(conn, take(conn), Delivered(), now=LATER)
    say(conn, "waits")
    assert outbox_cleanup.delete_sent(conn, now=NOW + 30 * DAY) == 0
    assert outbox_cleanup.delete_sent(conn, now=NOW + 30 * DAY + SECOND) == 1
    assert statuses(conn) == [("ops", "pending")]


# -- several senders ---------------------------------------------------------------------------------------


async def test_several_senders_send_nothing_twice_and_nothing_out_of_order(database: Database) -> None:
    arrived: list[str] = []

    def write(conn: Connection) -> None:
        say(conn, *(str(n) for n in range(60)))

    async def carry() -> None:
        while len(arrived) < 60:
            message = await database.run(outbox.claim, "ops", now=LATER, limit=3)
            if message is None:
                await asyncio.sleep(0)
                continue
            arrived.extend(words(message))
            await asyncio.sleep(0)
            assert await database.run(outbox.record_answer, message, Delivered(), now=LATER)

    await database.run(write)
    await asyncio.gather(*(carry() for _ in range(5)))
    assert arrived == [str(n) for n in range(60)]


async def test_two_claims_at_once_give_one_parcel(postgres: Database) -> None:
    def write(conn: Connection) -> None:
        say(conn, *(str(n) for n in range(150)))

    await postgres.run(write)
    claims = await asyncio.gather(*(postgres.run(outbox.claim, "ops", now=LATER) for _ in range(8)))
    assert sorted(len(words(message)) for message in claims) == [0] * 7 + [100]


async def test_a_channel_that_is_being_claimed_is_left_to_whoever_claims_it(postgres: Database) -> None:
    entered, leave = asyncio.Event(), asyncio.Event()

    def write(conn: Connection) -> None:
        say(conn, "first", channel="ops")
        say(conn, "first", channel="chat")

    await postgres.run(write)
    held = postgres._engine  # type: ignore[attr-defined]

    async def hold() -> None:
        async with held.begin() as conn:
            assert await conn.run_sync(outbox.try_lock, "ops")
            entered.set()
            await leave.wait()

    holding = asyncio.create_task(hold())
    await entered.wait()
    assert await postgres.run(outbox.claim, "ops", now=LATER) is None
    assert words(await postgres.run(outbox.claim, "chat", now=LATER)) == ["first"]
    leave.set()
    await holding
    assert words(await postgres.run(outbox.claim, "ops", now=LATER)) == ["first"]


def test_a_lease_outlives_every_channels_patience() -> None:
    from larder.stages.notify.channels import APPRISE_TIMEOUT
    from larder.stages.notify.http_post import POST_TIMEOUT

    assert max(POST_TIMEOUT, APPRISE_TIMEOUT) + timedelta(seconds=30) <= outbox.LEASE
