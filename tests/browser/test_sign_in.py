"""Sign-in links, keys, proxies and the audit log."""

import re

from playwright.async_api import expect
from sqlalchemy import Connection, func, select

from larder.actions.access import keys
from larder.store.operations.audit import PAGE_SIZE, record
from larder.store.tables import audit, proxies, sessions
from larder.store.tables import keys as keys_table
from tests.browser.buttons import presses
from tests.browser.lists import ask, nothing_fits
from tests.browser.looks import sound
from tests.browser.world import BOTH_WAYS, World

pytestmark = BOTH_WAYS


@presses("/sign-in", "/leave")
async def test_signing_in_with_a_key_and_out_again(world: World) -> None:
    page = await world.visitor()
    await page.goto("/admin/audit")
    await page.get_by_label("Key").fill("not a key")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("invalid admin key")
    await sound(page)
    await page.get_by_label("Key").fill(world.key)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/admin/audit")
    await expect(page.get_by_text("signed in").first).to_be_visible()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("status").filter(has_text="Signed out")).to_be_visible()
    await page.goto("/admin/audit")
    await expect(page.get_by_label("Key")).to_be_visible()
    entered = select(audit.c.who).where(audit.c.action == "signed in").order_by(audit.c.id.desc())
    assert await world.one(entered) == "root"


async def test_a_link_opens_the_door_once(world: World) -> None:
    ticket = await world.app.run(keys.create_ticket, who="bea", now=world.app.clock.now())
    page = await world.visitor()
    await page.goto(f"/enter?ticket={ticket}")
    await page.wait_for_url(re.compile("/admin$"))
    await expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    assert await world.one(select(func.count()).where(sessions.c.who == "bea")) >= 1
    late = await world.visitor()
    refused = await late.request.get(f"/enter?ticket={ticket}")
    assert refused.status == 403
    await late.goto("/admin")
    await expect(late.get_by_label("Key")).to_be_visible()


@presses("/admin/keys/add", "/admin/keys/revoke")
async def test_a_key_is_shown_once_and_revoked(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/keys")
    await page.get_by_label("Name").fill("dashboard")
    await page.get_by_label("Days").fill("30")
    await page.get_by_role("button", name="Create key").click()
    shown = await page.locator(".notice pre").inner_text()
    await sound(page)
    await page.goto("/admin/keys")
    assert shown not in await page.content()
    row = page.locator("tr", has_text="dashboard")
    await row.get_by_role("button", name="Revoke").click()
    await expect(row.get_by_text("revoked")).to_be_visible()
    mine = keys_table.c.name == "dashboard"
    assert await world.one(select(keys_table.c.revoked_at).where(mine)) is not None
    answer = await page.request.get("/api/records", headers={"Authorization": f"Bearer {shown}"})
    assert answer.status == 401


@presses(
    "/admin/proxies/add",
    "/admin/proxies/*/disable",
    "/admin/proxies/*/enable",
    "/admin/proxies/*/remove",
)
async def test_a_proxy_is_added_switched_and_removed_and_its_password_never_shown(world: World) -> None:
    page = await world.operator()
    await page.goto("/admin/proxies")
    await page.get_by_label("Add a proxy").fill("socks5://ann:secret-word@127.0.0.1:9")
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("was added")
    assert "secret-word" not in await page.content()
    await page.get_by_role("button", name="Disable").click()
    await expect(page.locator("tbody .badge")).to_have_text("off")
    assert await world.one(select(proxies.c.enabled)) == 0
    await page.get_by_role("button", name="Enable").click()
    await expect(page.locator("tbody .badge")).to_have_text("in use")
    assert await world.one(select(proxies.c.enabled)) == 1
    await page.get_by_role("button", name="Remove").click()
    await expect(page.get_by_role("status")).to_contain_text("socks5://127.0.0.1:9 is removed")
    await expect(page.get_by_role("heading", name="No proxies")).to_be_visible()
    assert await world.one(select(func.count()).select_from(proxies)) == 0


async def test_the_audit_log_is_filtered_by_who_and_what(world: World) -> None:
    def busy(conn: Connection) -> None:
        for number in range(PAGE_SIZE + 1):
            record(conn, "looked", str(number), who="crowd", now=world.app.clock.now())

    await world.app.run(busy)
    page = await world.operator()
    await page.goto("/admin/audit")
    rows = await ask(page, {"Who": "test", "Subject": "homes"})
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("source added")
    await page.goto("/admin/audit?who=crowd")
    await page.get_by_role("link", name="More").click()
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("crowd")
    await ask(page, {"Who": "nobody"})
    await nothing_fits(page)
