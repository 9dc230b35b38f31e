"""What is asked of every page, however one came to it: it fits its window, and everybody can use it."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT

COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that a theme can break."""
LAYOUT = (*COLOURS, "scrollable-region-focusable")
"""The rules that a width can break: the elements are the same at any width."""
_SERIOUS = """async (rules) => {
    const asked = rules ? { runOnly: { type: "rule", values: rules } } : {};
    const { violations } = await axe.run({ ...asked, resultTypes: ["violations"] });
    return violations
        .filter((each) => ["serious", "critical"].includes(each.impact))
        .map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 160)}`);
}"""


async def wrong_with(page: Any, rules: tuple[str, ...] = ()) -> list[str]:
    """All that is wrong with a page once all of it is there, or by some rules alone."""
    await page.wait_for_load_state()
    return [*await _overflow(page), *await _violations(page, rules)]


async def sound(page: Any) -> None:
    """Nothing is wrong with it, in the state that a test brought it to."""
    assert await wrong_with(page) == [], page.url


async def _overflow(page: Any) -> list[str]:
    wide, room = await page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return [f"wider than the window: {wide} > {room}"] if wide > room else []


async def _violations(page: Any, rules: tuple[str, ...]) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    found: list[str] = await page.evaluate(_SERIOUS, list(rules) or None)
    return found
