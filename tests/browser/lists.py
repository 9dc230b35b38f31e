"""Lists, narrowed as a person narrows them."""

from collections.abc import Mapping

from playwright.async_api import Locator, Page, expect


async def ask(page: Page, said: Mapping[str, str]) -> Locator:
    """Fill in or choose what is said by its label, ask, and get the rows that come."""
    form = page.locator("main form[method=get]")
    for label, value in said.items():
        field = form.get_by_label(label)
        if await field.evaluate("field => field.tagName") == "SELECT":
            await field.select_option(value)
        else:
            await field.fill(value)
    await form.get_by_role("button").click()
    return page.locator("tbody tr")


async def nothing_fits(page: Page) -> None:
    """No entry matches these filters."""
    await expect(page.get_by_role("heading", name="No results")).to_be_visible()
