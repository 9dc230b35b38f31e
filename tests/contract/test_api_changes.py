"""Whoever follows the change feed ends with the dataset, whatever happens to it, however small the pages."""

from random import Random
from typing import Any

from sqlalchemy import Connection, delete, select, update

from larder.actions.dataset import corrections
from larder.actions.sources import sources
from larder.engine.scheduling.dispatch_settings import DispatchSettings
from larder.store.dataset import changes
from larder.store.tables import changes as changes_table
from larder.store.tables import records
from tests.contract.faces import Client, Faces
from tests.contract.world import NOW, Pages, run, source, staged
from tests.follower import Follower, told

PAGE = 7
STEPS = 40


def follower(faces: Faces, client: Client) -> Follower:
    async def ask(cursor: str | None) -> dict[str, Any]:
        since = {} if cursor is None else {"since": cursor}
        page: dict[str, Any] = await faces.get("/api/changes", client, limit=PAGE, **since)
        return page

    return Follower(ask)


async def caught_up(faces: Faces, *followers: Follower) -> None:
    """Up to the last change. PostgreSQL shows it once no older transaction of the whole server is open."""
    last = await faces.app.run(last_place)
    for each in followers:
        while each.cursor != last:
            await each.look()


def last_place(conn: Connection) -> str:
    newest = select(changes_table).order_by(changes_table.c.transaction_id.desc(), changes_table.c.id.desc())
    last = conn.execute(newest.limit(1)).one()
    return str(changes.Cursor(last.transaction_id, last.id))


async def everything(faces: Faces, path: str, client: Client) -> dict[int, tuple[Any, ...]]:
    """A dump: every page of a list."""
    found: dict[int, tuple[Any, ...]] = {}
    after: dict[str, Any] = {}
    while True:
        page = await faces.get(path, client, limit=200, **after)
        found |= {each["id"]: told(each) for each in page["items"]}
        if page["next"] is None:
            return found
        after = {"after": page["next"]}


class Happenings:
    """Things that happen to a dataset, at random but always the same."""

    def __init__(self, conn: Connection) -> None:
        self.chance = Random(7)
        self.pages = []
        for slug in ("homes", "flats"):
            source_id = source(conn, slug, domain=f"{slug}.test", visibility="public")
            run(conn, source_id)
            self.pages.append(Pages(conn, source_id))

    def happen(self, conn: Connection, how: DispatchSettings) -> None:
        """One thing."""
        pages = self.chance.choice(self.pages)
        do = self.chance.choice([self._seen, self._seen, self._seen, self._gone, self._erased, self._shown])
        do(conn, pages, how)

    def _seen(self, conn: Connection, pages: Pages, _: DispatchSettings) -> None:
        items = [
            staged(number, price_minor=self.chance.randint(1, 5) * 10_000, currency="EUR")
            for number in self.chance.sample(range(1, 20), 4)
        ]
        pages.conn = conn
        pages.keep(pages.page(*items))

    def _gone(self, conn: Connection, pages: Pages, _: DispatchSettings) -> None:
        one = self._one(conn, pages)
        if one is not None:
            conn.execute(update(records).where(records.c.id == one).values(active=0, verification="gone"))
            changes.add(conn, [changes.NewChange(one, pages.source.id, "gone", None)], now=NOW)

    def _erased(self, conn: Connection, pages: Pages, _: DispatchSettings) -> None:
        one = self._one(conn, pages)
        if one is not None:
            corrections.erase(conn, one, reason="asked to", who="ada", now=NOW)

    def _shown(self, conn: Connection, pages: Pages, how: DispatchSettings) -> None:
        seen = self.chance.choice(["public", "hidden"])
        sources.set_columns(conn, pages.source.slug, {"visibility": seen}, how, who="ada", now=NOW)

    def _one(self, conn: Connection, pages: Pages) -> int | None:
        mine = select(records.c.id).where(records.c.source_id == pages.source.id, records.c.active == 1)
        found = list(conn.scalars(mine.order_by(records.c.id)))
        return self.chance.choice(found) if found else None


async def test_it_ends_with_the_dataset(faces: Faces) -> None:
    happenings = await faces.app.run(Happenings)
    operator, visitor = follower(faces, faces.admin), follower(faces, faces.anyone)
    for step in range(STEPS):
        await faces.app.run(happenings.happen, faces.app.dispatcher)
        await operator.look()
        if step % 3 == 0:  # a visitor is behind at times, as anybody is whom nothing waits for
            await visitor.look()
    await caught_up(faces, operator, visitor)
    assert operator.facts() == await everything(faces, "/api/admin/records", faces.admin)
    assert visitor.facts() == await everything(faces, "/api/records", faces.anyone)
    assert len(operator.kept) > len(visitor.kept) > 0


async def test_making_a_source_public_tells_of_its_records_and_hiding_it_takes_them_back(
    faces: Faces,
) -> None:
    await faces.app.run(one_hidden)
    visitor, how = follower(faces, faces.anyone), faces.app.dispatcher
    await caught_up(faces, visitor)
    assert visitor.kept == {}
    await faces.app.run(sources.set_columns, "homes", {"visibility": "public"}, how, who="ada", now=NOW)
    await caught_up(faces, visitor)
    assert [each["title"] for each in visitor.kept.values()] == ["Home 1"]
    before = visitor.cursor
    await faces.app.run(sources.set_columns, "homes", {"visibility": "hidden"}, how, who="ada", now=NOW)
    await caught_up(faces, visitor)
    assert visitor.kept == {}
    (line,) = (await faces.get("/api/changes", since=before))["changes"]
    assert (line["change"], line["record"], line["source"], line["details"]) == (
        "withdrawn",
        None,
        None,
        None,
    )


async def test_who_comes_late_is_told_to_let_go_of_what_went_before_its_source_was_hidden(
    faces: Faces,
) -> None:
    """Gone and erased while everybody could see it: hiding the source tells of active records alone."""
    how = faces.app.dispatcher
    await faces.app.run(one_hidden, many=3)
    await faces.app.run(sources.set_columns, "homes", {"visibility": "public"}, how, who="ada", now=NOW)
    visitor = follower(faces, faces.anyone)
    await caught_up(faces, visitor)
    assert len(visitor.kept) == 3
    before = visitor.cursor
    await faces.app.run(_gone, 1)
    await faces.app.run(corrections.erase, 2, reason="asked to", who="ada", now=NOW)
    await faces.app.run(sources.set_columns, "homes", {"visibility": "hidden"}, how, who="ada", now=NOW)
    await faces.app.run(_gone, 3)
    await caught_up(faces, visitor)
    assert visitor.kept == {}
    lines = (await faces.get("/api/changes", since=before))["changes"]
    assert [line["record_id"] for line in lines] == [1, 2, 3], "what happened to 3 while hidden is not told"
    assert {(line["change"], line["source"], line["record"], line["details"]) for line in lines} == {
        ("withdrawn", None, None, None)
    }


def _gone(conn: Connection, record: int) -> None:
    conn.execute(update(records).where(records.c.id == record).values(active=0, verification="gone"))
    changes.add(conn, [changes.NewChange(record, 1, "gone", None)], now=NOW)


async def test_a_stretch_that_nobody_may_see_is_passed_over(faces: Faces) -> None:
    await faces.app.run(one_hidden, many=PAGE * 3)
    await caught_up(faces, follower(faces, faces.anyone))
    page = await faces.get("/api/changes", limit=PAGE)
    assert (page["changes"], page["more"]) == ([], True)
    assert page["next"] != "0.0"


async def test_whoever_begins_at_the_end_is_told_of_what_comes(faces: Faces) -> None:
    await faces.app.run(one_hidden)
    operator = follower(faces, faces.admin)
    await caught_up(faces, operator)
    latest = await faces.get("/api/changes", faces.admin, since="latest")
    assert (latest["changes"], latest["more"], latest["next"]) == ([], False, operator.cursor)
    await faces.app.run(corrections.pin, 1, "title", "Home One", who="ada", now=NOW)
    await caught_up(faces, operator)
    (line,) = (await faces.get("/api/changes", faces.admin, since=latest["next"]))["changes"]
    assert (line["change"], line["record"]["title"]) == ("changed", "Home One")


async def test_a_cursor_that_is_no_longer_kept_is_told_and_not_passed_over(faces: Faces) -> None:
    """What lay behind it may be gone, too: to go on would be to miss it in silence."""
    await faces.app.run(one_hidden, many=3)
    await caught_up(faces, follower(faces, faces.admin))
    first = (await faces.get("/api/changes", faces.admin, limit=1))["next"]
    await faces.app.run(forget_until, 2)
    refused = await faces.admin.get("/api/changes", params={"since": first})
    assert refused.status_code == 404
    assert "latest" in refused.json()["hint"]
    for nonsense in ("1", "a.b", "1.2.3", "-1.0", "9" * 60, f"{'9' * 22}.{'9' * 20}", "².³"):
        assert (await faces.admin.get("/api/changes", params={"since": nonsense})).status_code == 422


def forget_until(conn: Connection, number: int) -> None:
    conn.execute(delete(changes_table).where(changes_table.c.id <= number))


def one_hidden(conn: Connection, many: int = 1) -> None:
    source_id = source(conn)
    run(conn, source_id)
    pages = Pages(conn, source_id)
    pages.keep(pages.page(*(staged(number) for number in range(1, many + 1))))
