"""Reads a listing's status: before its title, or on a badge beside it."""

from larder.core.policy.trust.offer_status import MAX_BADGE, offer_status, status_before
from larder.sdk.page import Page
from larder.stages.parse.heuristic.headline import headline
from larder.stages.parse.heuristic.segments import segments

BESIDE = 8


def status(page: Page) -> str:
    """`sold`, `reserved`, `rented` or `removed`; empty where neither title nor badge says so."""
    title, _ = page.cached(headline)
    if before := status_before(title):
        return before
    shown = page.cached(segments)
    close = shown.texts[max(0, shown.head - BESIDE) : shown.head + BESIDE]
    badges = (segment.text for segment in close if len(segment.text) <= MAX_BADGE)
    return next((state for text in badges if (state := offer_status(text))), "")
