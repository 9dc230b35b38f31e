"""A price monitor whose targets come from a feed: the feed is read again, and its targets follow it."""

from pathlib import Path
from typing import Any

from tests.acceptance.served import Site, add_source, serving, shell
from tests.acceptance.test_feeds import FIRST, Thing, details, google_xml, sitemaps

LATER = [*FIRST[2:], Thing(7, 107)]
"""The first two left the feed, one is new."""


def states(larder: Any, site: Site) -> dict[str, str]:
    """The state of each target, by its path."""
    listed = larder("target", "list", "--json").json
    return {each["url"].removeprefix(site.url("")): each["state"] for each in listed}


def active(things: list[Thing]) -> dict[str, str]:
    return {thing.path: "active" for thing in things}


def test_l10_13_targets_follow_the_feed_and_an_outage_removes_none(tmp_path: Path) -> None:
    larder = shell(tmp_path)
    with serving() as site:
        google_xml(site, FIRST)
        details(site, [*FIRST, *LATER])
        options = ("--kind", "product", "--plan", "monitor", "--currency", "EUR")
        add_source(larder, site.url("/"), *options, "--feed-url", site.url("/feed"))
        first = larder("run", "start", "it")
        assert states(larder, site) == active(FIRST), first.out
        larder("target", "add", "it", site.url(FIRST[0].path))
        sitemaps(site, LATER)
        second = larder("run", "start", "it")
        expected = active([FIRST[0], *LATER]) | {FIRST[1].path: "left_feed"}
        assert states(larder, site) == expected, second.out
        assert (site.asked[FIRST[1].path], site.asked[LATER[-1].path]) == (1, 1)
        del site.answers["/feed"]
        larder("run", "start", "it")
        assert states(larder, site) == expected
        runs = larder("run", "list", "--json").json
    assert [run["status"] for run in runs] == ["partial", "completed", "completed"]
    assert "no target was taken out" in runs[0]["error"]
    found = {each["title"] for each in larder("records", "list", "--json").json}
    assert found == {thing.title for thing in [*FIRST, *LATER]}
