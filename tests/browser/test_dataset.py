"""The dataset in a person's hands: what is watched, waited for, found, pinned, unlinked, erased."""

from playwright.async_api import expect
from sqlalchemy import Connection, func, select, update

from larder.actions.dataset import entities
from larder.core.model.identity import url_key
from larder.store.tables import links, pins, records, sources, targets, tombstones, watches
from tests.browser.buttons import presses
from tests.browser.lists import ask, nothing_fits
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World

pytestmark = BOTH_WAYS


@presses(
    "/admin/targets/add",
    "/admin/targets/*/pause",
    "/admin/targets/*/resume",
    "/admin/targets/*/run",
    "/admin/targets/*/block",
    "/admin/targets/*/unblock",
    "/admin/targets/*/remove",
)
async def test_a_page_is_watched_held_asked_for_and_let_go(world: World) -> None:
    mine = targets.c.url.contains("brand-new")
    page = await world.operator()
    await page.goto("/admin/targets")
    adding = page.locator("form", has_text="Add a target")
    await adding.get_by_label("Address").fill("http://goods.test/product/brand-new")
    await adding.get_by_label("Source").fill("goods")
    await adding.get_by_label("Every").fill("2d")
    await adding.get_by_role("button", name="Add target").click()
    row = page.locator("tr", has_text="brand-new")
    await row.get_by_role("button", name="Pause").click()
    await expect(row.get_by_text("paused")).to_be_visible()
    await expect(row.get_by_role("button", name="Run now")).to_have_count(0)
    assert await world.one(select(targets.c.status).where(mine)) == "paused"
    await row.get_by_role("button", name="Resume").click()
    await expect(page.get_by_role("status")).to_contain_text("is resumed")
    assert await world.one(select(targets.c.status).where(mine)) == "active"
    await row.get_by_role("button", name="Run now").click()
    await expect(page.get_by_role("status")).to_contain_text("is due now")
    await row.get_by_role("button", name="Block").click()
    await expect(page.get_by_role("status")).to_contain_text("is blocked")
    await row.get_by_role("button", name="Unblock").click()
    await expect(page.get_by_role("status")).to_contain_text("is unblocked")
    await row.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("status")).to_contain_text("is removed")
    await expect(row).to_have_count(0)
    assert await world.one(select(targets.c.id).where(mine)) is None


@presses("/admin/targets/import")
async def test_pages_are_imported_and_bad_lines_named(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/targets")
    importing = page.locator("form", has_text="Import targets")
    await importing.get_by_label("Source", exact=True).fill("goods")
    body = b"url,interval\nhttp://goods.test/product/one,2d\nnot an address,1d\n"
    await importing.get_by_label("File", exact=True).set_input_files(
        {"name": "targets.csv", "mimeType": "text/csv", "buffer": body}
    )
    await importing.get_by_role("button", name="Import").click()
    counts = "1 added, 0 changed, 0 unchanged, 1 invalid line."
    await expect(page.get_by_role("status")).to_contain_text(counts)
    await expect(page.get_by_text("line 3")).to_be_visible()
    rows = await ask(page, {"Status": "active"})
    await expect(rows.filter(has_text="/product/one")).to_be_visible()
    assert await world.one(select(targets.c.id).where(targets.c.url.endswith("/product/one"))) is not None


@presses("/admin/targets/run")
async def test_l10_10_all_targets_of_a_source_are_made_due_by_one_button(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/targets?source=goods")
    await page.get_by_role("button", name="Check all of goods now").click()
    await expect(page.get_by_role("status")).to_contain_text("of 1 source due now")


async def test_targets_are_filtered_by_source_and_status(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/targets")
    rows = await ask(page, {"Status": "active", "Source": "goods"})
    await expect(rows.filter(has_text="goods").first).to_be_visible()
    await ask(page, {"Status": "paused"})
    await nothing_fits(page)


@presses(
    "/admin/watches/add",
    "/admin/watches/*/change",
    "/admin/watches/*/test",
    "/admin/watches/*/pause",
    "/admin/watches/*/resume",
    "/admin/watches/*/remove",
)
async def test_watches_are_set_held_and_removed(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/watches")
    wanted = page.locator("form", has_text="New records that match a search")
    await wanted.get_by_label("Name").fill("Cheap flats")
    await wanted.get_by_label("Kind").select_option("listing")
    await wanted.get_by_label("Maximum price").fill("1,200")
    await wanted.get_by_role("button", name="Add watch").click()
    row = page.locator("tr", has_text="Cheap flats")
    await expect(row).to_contain_text("price max 1,200.00")
    await row.get_by_role("link", name="Cheap flats").click()
    await page.get_by_label("When").select_option("target_price")
    await page.get_by_label("% or amount").fill("1,000")
    await page.get_by_role("button", name="Change watch").click()
    await expect(row).to_contain_text("price is at most 1,000.00")
    await row.get_by_role("button", name="Test").click()
    await expect(page.get_by_role("status")).to_contain_text("sends a test message")
    await row.get_by_role("button", name="Pause").click()
    await expect(row.get_by_text("paused")).to_be_visible()
    assert await world.one(select(watches.c.enabled)) == 0
    await row.get_by_role("button", name="Resume").click()
    await expect(row.get_by_text("active")).to_be_visible()
    assert await world.one(select(watches.c.enabled)) == 1
    await row.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("status")).to_contain_text("Cheap flats is removed")
    await expect(row).to_have_count(0)
    falling = page.locator("form", has_text="of one record")
    await falling.get_by_label("Name").fill("The kettle")
    await falling.get_by_label("Record").fill("1")
    await falling.get_by_role("button", name="Add watch").click()
    await expect(page.locator("tr", has_text="The kettle")).to_contain_text("price falls by 10 %")
    assert await world.one(select(func.group_concat(watches.c.name))) == "The kettle"


@presses("/admin/watches/add", "/admin/watches/*/make-feed", "/admin/watches/*/remove-feed")
async def test_a_watch_gets_a_private_feed_a_new_address_and_none(world: World) -> None:
    token = select(watches.c.feed_token).where(watches.c.name == "Cheap flats")
    page = await world.operator()
    await page.goto("/admin/watches")
    wanted = page.locator("form", has_text="New records that match a search")
    await wanted.get_by_label("Name").fill("Cheap flats")
    await wanted.get_by_label("Maximum price").fill("1,200")
    await wanted.get_by_role("button", name="Add watch").click()
    await page.locator("tr", has_text="Cheap flats").get_by_role("link", name="Feed").click()
    await page.get_by_role("button", name="Make a private feed").click()
    await expect(page.get_by_role("link", name="RSS feed")).to_be_visible()
    first = await world.one(token)
    await page.get_by_role("button", name="New address").click()
    await expect(page.get_by_role("status")).to_contain_text("with a new address")
    assert await world.one(token) not in (None, first)
    await page.get_by_role("button", name="Remove feed").click()
    await expect(page.get_by_role("button", name="Make a private feed")).to_be_visible()
    assert await world.one(token) is None


async def test_an_operator_finds_records_by_words_kind_and_source(world: World) -> None:
    title = await world.one(select(records.c.title).where(records.c.kind == "product").limit(1))
    page = await world.operator()
    await page.goto("/admin/records")
    rows = await ask(page, {"Words": title, "Kind": "product", "Source": "goods"})
    await expect(rows.first).to_contain_text(title)
    await expect(rows.filter(has_not_text="goods")).to_have_count(0)
    await ask(page, {"Kind": "event"})
    await nothing_fits(page)


@presses("/admin/records/*/pin", "/admin/records/*/unpin", "/admin/records/*/erase")
async def test_a_value_is_pinned_unpinned_and_a_record_erased(world: World) -> None:
    record = await world.one(select(func.max(records.c.id)).where(records.c.kind == "listing"))
    pinned = select(pins.c.pinned_by).where(pins.c.record_id == record)
    named = select(records.c.identity_key, records.c.canonical_url).where(records.c.id == record)
    key, url = await world.app.read(lambda conn: tuple(conn.execute(named).one()))
    page = await world.operator()
    await page.goto(f"/records/{record}")
    title = page.locator("#why-title")
    await title.locator("summary").click()
    await sound(page)
    await title.get_by_label("Pin a different value").fill("A title by hand")
    await title.get_by_role("button", name="Pin").click()
    await expect(page.locator("h1")).to_have_text("A title by hand")
    assert await world.one(pinned) == "ada"
    await page.get_by_role("button", name="Unpin").click()
    await expect(page.get_by_role("status")).to_contain_text("is unpinned")
    await expect(page.locator("h1")).not_to_have_text("A title by hand")
    assert await world.one(pinned) is None
    await page.get_by_label("Erase on request").fill("its owner asked")
    await page.get_by_role("button", name="Erase").click()
    await expect(page.get_by_role("status")).to_contain_text("erased")
    assert await world.one(select(records.c.id).where(records.c.id == record)) is None
    erased = await world.app.read(lambda conn: conn.scalars(select(tombstones.c.identity_key)).all())
    assert sorted(erased) == sorted((key, url_key(url)))
    gone = await page.goto(f"/records/{record}")
    assert gone is not None
    assert gone.status == 404


@presses("/admin/records/*/unlink")
async def test_the_same_thing_elsewhere_is_shown_and_told_apart(world: World) -> None:
    def linked(conn: Connection) -> tuple[int, int]:
        two = select(records.c.id).where(records.c.kind == "product").order_by(records.c.id).limit(2)
        first, other = conn.scalars(two)
        homes = select(sources.c.id).where(sources.c.slug == "homes").scalar_subquery()
        conn.execute(update(records).where(records.c.id == other).values(source_id=homes))
        entities.link(conn, first, other, who="test", now=world.app.clock.now())
        return first, other

    first, other = await world.app.run(linked)
    visitor = await world.visitor()
    await visitor.goto(f"/records/{first}")
    elsewhere = visitor.locator("section", has_text="Also offered by")
    await expect(elsewhere.locator(f'a[href="/records/{other}"]')).to_be_visible()
    page = await world.operator()
    await page.goto(f"/records/{first}")
    await expect(page.get_by_role("heading", name="Why these records are linked")).to_be_visible()
    await page.get_by_role("button", name="Unlink this record").click()
    await expect(page.get_by_role("status")).to_contain_text("was unlinked")
    assert await world.one(select(links.c.undone_by).where(links.c.record_id == first)) == "ada"
    await visitor.reload()
    await expect(elsewhere).to_have_count(0)
