"""What is asked of every page, however one came to it: it fits its window, and everybody can use it."""

from typing import Any

from axe_playwright_python.async_playwright import Axe

SERIOUS = ("serious", "critical")


async def wrong_with(page: Any) -> list[str]:
    """All that is wrong with a page as it stands now."""
    return [*await _overflow(page), *await _violations(page)]


async def sound(page: Any) -> None:
    """Nothing is wrong with it, in the state that a test brought it to."""
    assert await wrong_with(page) == [], page.url


async def fits(page: Any) -> None:
    """It is no wider than its window."""
    assert await _overflow(page) == [], page.url


async def _overflow(page: Any) -> list[str]:
    wide, room = await page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return [f"wider than the window: {wide} > {room}"] if wide > room else []


async def _violations(page: Any) -> list[str]:
    result = await Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:160]}"
        for each in result.response["violations"]
        if each["impact"] in SERIOUS
    ]
