"""The pool of proxies on both databases: turns, lanes of their own, records of how they do."""

import asyncio
import base64
from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import Connection, text

from larder.core.errors import BadInput, Unusable
from larder.core.model.job import Slot
from larder.store.database import Database
from larder.store.operations import proxies
from larder.store.operations.access.secrets import Secret, SecretCipher
from larder.store.operations.proxies import MAX_FAILURES, Proxy, Report
from larder.store.queue import lanes
from tests.contract import world
from tests.contract.world import MINUTE, NOW, SECOND, unit_of_work

BOX = SecretCipher(base64.urlsafe_b64encode(bytes(32)).decode())
LUCK = Random(1)


def add(conn: Connection, number: int, **parts: object) -> int:
    proxy = Proxy(id=0, scheme="http", host=f"10.0.0.{number}", port=8080, **parts)  # type: ignore[arg-type]
    return proxies.add(conn, proxy, BOX)


def pick(conn: Connection, site_id: int, now: object = NOW) -> tuple[int, Slot]:
    found = proxies.pick(conn, site_id, BOX, now=now, rng=LUCK)  # type: ignore[arg-type]
    assert found is not None
    return found[0].id, found[1]


def tell(conn: Connection, proxy_id: int, *answers: bool, ms: int = 100) -> None:
    took = timedelta(milliseconds=ms)
    reports = [Report(proxy_id=proxy_id, answered=answered, took=took) for answered in answers]
    proxies.record_results(conn, reports, now=NOW)


@unit_of_work
def test_the_least_recently_used_goes_first(conn: Connection) -> None:
    site, other = world.site(conn), world.site(conn, "other.test")
    one, two, three = (add(conn, n) for n in (1, 2, 3))
    assert pick(conn, site)[0] == one
    assert pick(conn, other, NOW + SECOND)[0] == two
    assert pick(conn, site, NOW + 2 * SECOND)[0] == three
    assert pick(conn, site, NOW + 9 * SECOND)[0] == one


@unit_of_work
def test_each_keeps_the_sites_manners_on_a_lane_of_its_own(conn: Connection) -> None:
    site = world.site(conn)  # gentle: 2 s apart
    one, two = add(conn, 1), add(conn, 2)
    given = [pick(conn, site) for _ in range(6)]
    opens = {i: [slot.opens_at - NOW for who, slot in given if who == i] for i in (one, two)}
    assert opens == {one: [0 * SECOND, 2 * SECOND, 4 * SECOND], two: [0 * SECOND, 2 * SECOND, 4 * SECOND]}


@unit_of_work
def test_sites_do_not_wait_for_each_other(conn: Connection) -> None:
    one = add(conn, 1)
    slots = [pick(conn, world.site(conn, f"{name}.test")) for name in ("a", "b", "c")]
    assert [(who, slot.opens_at) for who, slot in slots] == [(one, NOW)] * 3


@unit_of_work
def test_further_slots_of_a_proxy_come_after_its_first(conn: Connection) -> None:
    site = world.site(conn)
    one, first = pick_of_one(conn, site)
    second = proxies.reserve(conn, site, one, now=NOW, rng=LUCK)
    assert second.opens_at == first.opens_at + 2 * SECOND
    elsewhere = proxies.reserve(conn, world.site(conn, "other.test"), one, now=NOW, rng=LUCK)
    assert elsewhere.opens_at == NOW


def pick_of_one(conn: Connection, site: int) -> tuple[int, Slot]:
    add(conn, 1)
    return pick(conn, site)


@unit_of_work
def test_a_site_that_wants_to_be_left_alone_is_by_every_way(conn: Connection) -> None:
    site = world.site(conn)
    lanes.set_cooldown(conn, site, until=NOW + 5 * MINUTE, reason="answered 429")
    assert pick_of_one(conn, site)[1].opens_at == NOW + 5 * MINUTE


@unit_of_work
def test_the_sites_own_lane_is_as_wide_as_the_pool_that_serves_it(conn: Connection) -> None:
    site, source_id = world.site(conn), world.source(conn)
    world.enqueue(
        conn, world.run(conn, source_id), ["https://homes.test/a"], source_id=source_id, site_id=site
    )

    def lane() -> lanes.Lane:
        (taken,) = lanes.lease(conn, owner="me", now=NOW, ttl=MINUTE, limit=1)
        return taken

    assert (lane().proxies, lane().politeness.spacing, lane().politeness.at_once) == (0, 2 * SECOND, 1)
    pool = [add(conn, n) for n in range(4)]
    pick(conn, site)
    assert (lane().proxies, lane().politeness.spacing, lane().politeness.at_once) == (4, SECOND / 2, 4)
    proxies.set_enabled(conn, pool[0], enabled=False)
    tell(conn, pool[1], *[False] * (MAX_FAILURES + 1))
    assert (lane().proxies, lane().politeness.spacing, lane().politeness.at_once) == (2, SECOND, 2)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([True], (1, 0, 0, False)),
        ([False] * 10, (0, 10, 10, False)),
        ([False] * 11, (0, 11, 11, True)),
        ([False] * 11 + [True], (1, 11, 0, False)),
        ([True] + [False] * 3, (1, 3, 3, False)),
    ],
    ids=["well", "ten in a row", "more than ten", "came back", "a bad end"],
)
@unit_of_work
def test_more_than_ten_failures_in_a_row_and_it_is_out(
    conn: Connection, answers: list[bool], expected: tuple[object, ...]
) -> None:
    one = add(conn, 1)
    tell(conn, one, *answers)
    (row,) = proxies.list_proxies(conn)
    assert (row.successes, row.failures, row.failures_in_a_row, bool(row.out)) == expected
    assert (proxies.pick(conn, world.site(conn), BOX, now=NOW, rng=LUCK) is None) is expected[-1]


@unit_of_work
def test_failures_in_a_row_add_up_over_batches_and_operators_forgive(conn: Connection) -> None:
    one = add(conn, 1)
    for _ in range(6):
        tell(conn, one, False, False)
    assert proxies.list_proxies(conn)[0].failures_in_a_row == 12
    assert proxies.set_enabled(conn, one, enabled=True)
    assert pick(conn, world.site(conn))[0] == one
    assert not proxies.set_enabled(conn, 99, enabled=True)


@unit_of_work
def test_the_average_is_of_the_answers_alone(conn: Connection) -> None:
    one = add(conn, 1)
    tell(conn, one, True, True, ms=100)
    tell(conn, one, False, ms=30_000)
    tell(conn, one, True, ms=400)
    (row,) = proxies.list_proxies(conn)
    assert row.average_ms == pytest.approx(200)


@unit_of_work
def test_passwords_are_stored_closed_and_shown_to_nobody(conn: Connection) -> None:
    add(conn, 1, username="larder", password=Secret("s3cret"))
    found = proxies.pick(conn, world.site(conn), BOX, now=NOW, rng=LUCK)
    assert found is not None
    assert found[0].password is not None
    assert found[0].password.reveal() == "s3cret"
    stored = world.one(conn, "SELECT password FROM proxies")
    assert "s3cret" not in stored
    assert "password" not in proxies.list_proxies(conn)[0]._fields
    with pytest.raises(Unusable, match="LARDER_SECRET_KEY"):
        proxies.pick(conn, world.site(conn), SecretCipher(""), now=NOW, rng=LUCK)


@unit_of_work
def test_without_a_key_no_password_is_stored(conn: Connection) -> None:
    with pytest.raises(Unusable, match="LARDER_SECRET_KEY is not set"):
        proxies.add(conn, proxies.parse("http://a:b@10.0.0.1:8080"), SecretCipher(""))
    assert proxies.add(conn, proxies.parse("http://10.0.0.1:8080"), SecretCipher(""))


@unit_of_work
def test_the_same_proxy_again_is_the_same_row(conn: Connection) -> None:
    first = add(conn, 1, username="a", password=Secret("old"))
    tell(conn, first, *[False] * 20)
    assert add(conn, 1, username="a", password=Secret("new")) == first
    assert add(conn, 1, username="b") != first
    found = proxies.pick(conn, world.site(conn), BOX, now=NOW, rng=LUCK)
    assert found is not None
    assert found[0].password == Secret("new")


@unit_of_work
def test_a_removed_proxy_leaves_nothing_behind(conn: Connection) -> None:
    one, _ = pick_of_one(conn, world.site(conn))
    assert proxies.remove(conn, one)
    assert not proxies.remove(conn, one)
    assert world.one(conn, "SELECT count(*) FROM proxy_lanes") == 0


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("10.0.0.1:3128", ("http", "10.0.0.1", 3128, "")),
        ("https://proxy.example", ("https", "proxy.example", 443, "")),
        ("socks5://u%40x:p%3Aw@proxy.example", ("socks5", "proxy.example", 1080, "u@x")),
        ("http://[2001:db8::1]:8080/", ("http", "2001:db8::1", 8080, "")),
    ],
)
def test_proxies_are_written_as_urls(url: str, parts: tuple[object, ...]) -> None:
    proxy = proxies.parse(url)
    assert (proxy.scheme, proxy.host, proxy.port, proxy.username) == parts


@pytest.mark.parametrize(
    "url", ["ftp://u:hunter2@h:1", "http://", "http://u:hunter2@h:99999", "http://h/path"]
)
def test_what_is_no_proxy_is_told_without_its_password(url: str) -> None:
    with pytest.raises(BadInput) as refused:
        proxies.parse(url)
    assert "hunter2" not in str(refused.value)
    assert "socks5://" in refused.value.hint.text


async def test_many_workers_share_the_pool_without_a_collision(database: Database) -> None:
    """No two requests of one proxy to one site are closer than the site's rate limit, whoever asked."""
    site, pool = await database.run(lambda conn: (world.site(conn), [add(conn, n) for n in range(3)]))
    chosen = await asyncio.gather(*(database.run(pick, site) for _ in range(30)))
    assert {who for who, _ in chosen} == set(pool)
    taken = Counter((who, slot.opens_at) for who, slot in chosen)
    assert max(taken.values()) == 1
    assert max(slot.opens_at for _, slot in chosen) >= NOW + 9 * 2 * SECOND
    counted = await database.run(
        lambda conn: conn.execute(text("SELECT count(*) FROM proxy_lanes")).scalar_one()
    )
    assert counted == 3


@unit_of_work
def test_l10_13_a_proxy_shows_its_last_success_and_failure(conn: Connection) -> None:
    one = add(conn, 1)
    took = timedelta(milliseconds=5)
    proxies.record_results(conn, [Report(proxy_id=one, answered=True, took=took)], now=NOW)
    proxies.record_results(conn, [Report(proxy_id=one, answered=False, took=took)], now=NOW + MINUTE)
    (row,) = proxies.list_proxies(conn)
    assert (row.last_success_at, row.last_failure_at) == (NOW, NOW + MINUTE)
