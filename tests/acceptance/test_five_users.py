"""The five users of Larder at the command line: from an empty folder to the figures that they came for.

Their work is done by processes, as cron starts them; other plans than theirs are tried in this process. One
user types the commands into processes of their own until the first figures are there; other commands run in
this one, through the same door. The sites are of shapes that nothing in Larder knows.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from larder.core.model.source import Plan
from tests.acceptance.five_users import (
    AGENDA,
    CLASSIFIEDS,
    CRAWLER,
    MARKETS,
    OTHER_PLANS,
    PRICES,
    News,
    Site,
    User,
    minor,
    pass_hours,
    sites,
    titles,
)
from tests.platform_sites import Thing
from tests.unit.cli.conftest import Said, Shell

HOST = "127.0.0.1"
AT_ONCE = {"LARDER_STAGGER_SECONDS": "0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal(Shell):
    """Each command is a process of its own."""

    def __call__(self, *args: str) -> Said:
        return self.process(*args)


@pytest.fixture
def larder(tmp_path: Path) -> Shell:
    shell = Shell(folder=tmp_path, env=dict(AT_ONCE))
    shell.begin()
    return shell


@pytest.fixture
def terminal(tmp_path: Path) -> Shell:
    shell = Terminal(folder=tmp_path, env=dict(AT_ONCE))
    done(shell, "init")
    return shell


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[list[Site]]:
    with sites(request.param) as found:
        yield found


def user(who: User) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("served", [who], ids=str, indirect=True)


def done(larder: Shell, *args: str) -> str:
    said = larder(*args)
    assert said.code == 0, said.err
    return said.out


def told(larder: Shell, *args: str) -> Any:
    said = larder(*args, "--json")
    assert said.code == 0, said.err
    return said.json


def work(larder: Shell) -> dict[str, Any]:
    """All that is due, by a process with its parse workers."""
    said = larder.process("tick", "--budget", "100s", "--json")
    assert said.code == 0, said.err
    tally: dict[str, Any] = said.json
    return tally


def allow(larder: Shell) -> None:
    """A person reads the terms; the test has no time to be gentle."""
    done(larder, "site", "review", HOST)
    done(larder, "site", "set", HOST, "--local", "--spacing", "1ms")


def add(larder: Shell, site: Site, plan: Plan, *options: str) -> None:
    kind = site.shape.kind
    done(larder, "source", "add", site.index, "--kind", kind, "--plan", plan, "--slug", site.name, *options)


def rows(larder: Shell, *options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = larder("records", "list", "--limit", "500", "--json", *options).json
    return found


def prices(found: Sequence[dict[str, Any]]) -> dict[str, int | None]:
    return {row["url"]: row["price_minor"] for row in found}


def truth(site: Site, things: Sequence[Thing] | None = None) -> dict[str, int | None]:
    return {site.address(thing): minor(thing) for thing in things or site.shape.things}


def why_not(larder: Shell, slug: str) -> list[str]:
    """The reasons that hold a source back."""
    found = told(larder, "why", slug)["kinds"]
    return [reason["gate"] for kind in found for reason in kind["reasons"]]


def until_gone(larder: Shell, many: int) -> list[dict[str, Any]]:
    """A day goes by, then a few hours at a time: two strikes lie three hours apart."""
    gone: list[dict[str, Any]] = []
    for hours in (30, 7, 7, 7):
        pass_hours(larder.data / "larder.db", hours)
        assert larder("tick", "--budget", "100s").code == 0
        gone = larder("records", "list", "--state", "gone", "--limit", "500", "--json").json
        if len(gone) >= many:
            return gone
    raise AssertionError(f"{len(gone)} of {many} are known to be gone")


def check_news(larder: Shell, site: Site, news: News) -> None:
    """What is there, what is new, what is cheaper, what is gone."""
    gone = until_gone(larder, len(news.gone))
    assert {row["title"] for row in gone} == titles(news.gone)
    assert prices(rows(larder, "--state", "active")) == truth(site)
    cheaper = next(row for row in rows(larder) if row["url"] == site.address(news.cheaper))
    assert cheaper["price_minor"] == minor(news.cheaper)


@user(CLASSIFIEDS)
def test_l10_five_users_classifieds(terminal: Shell, served: list[Site]) -> None:
    """Discovery, sweep and verification of an index: what is new, what is cheaper, what is gone."""
    larder, (site,) = terminal, served
    add(larder, site, Plan.INDEX, "--local")
    assert set(why_not(larder, site.name)) == {"terms"}
    allow(larder)
    assert work(larder)["inserted"] == len(site.shape.things)
    assert prices(rows(larder)) == truth(site)
    news = site.change()
    check_news(Shell(folder=larder.folder, env=larder.env), site, news)
    feed = told(larder, "changes", "--limit", "1000")
    new = [change["record"]["title"] for change in feed["changes"] if change["change"] == "new"]
    assert set(new[-len(news.new) :]) == titles(news.new)


@user(MARKETS)
def test_l10_five_users_markets(larder: Shell, served: list[Site]) -> None:
    """Cities from one catalogue, each with its tier: a hot one falls faster than a cool one."""
    entries = "\n".join(
        f"  - {{slug: {site.name}, kind: listing, url: '{site.index}', plan: market, tier: {tier}, "
        f"visibility: public, params: {{city: {site.name}}}}}"
        for site, tier in zip(served, ("hot", "cool"), strict=True)
    )
    (larder.folder / "cities.yaml").write_text(f"sources:\n{entries}\n")
    done(larder, "source", "import", "cities.yaml")
    allow(larder)
    work(larder)
    for site in served:
        assert prices(rows(larder, "--source", site.name)) == truth(site)
    pass_hours(larder.data / "larder.db", 5)
    hot, cool = ({row["confidence"] for row in rows(larder, "--source", site.name)} for site in served)
    assert (hot, cool) == ({85}, {95})
    news = {site.name: site.change() for site in served}
    gone = until_gone(larder, sum(len(each.gone) for each in news.values()))
    assert {row["title"] for row in gone} == {title for each in news.values() for title in titles(each.gone)}
    done(larder, "export", "homes.csv", "--kind", "listing")
    exported = list(csv.DictReader((larder.folder / "homes.csv").read_text().splitlines()))
    assert {row["url"] for row in exported} == {url for site in served for url in truth(site)}


@user(AGENDA)
def test_l10_five_users_agenda(larder: Shell, served: list[Site]) -> None:
    """All events with their hours, in the venue's time zone; what was taken off the agenda leaves it."""
    (site,) = served
    add(larder, site, Plan.AGENDA, "--local", "--public", "--tz", "Europe/Amsterdam")
    allow(larder)
    work(larder)
    assert starts(larder) == {thing.title: f"{thing.starts:%Y-%m-%dT%H:%M}" for thing in site.shape.things}
    news = site.change()
    gone = until_gone(larder, len(news.gone))
    assert {row["title"] for row in gone} == titles(news.gone)
    assert starts(larder) == {thing.title: f"{thing.starts:%Y-%m-%dT%H:%M}" for thing in site.shape.things}


def starts(larder: Shell) -> dict[str, str]:
    """When each exported event begins, on its own wall clock."""
    out = done(larder, "export", "--kind", "event")
    return {row["title"]: row["starts_at"][:16] for row in csv.DictReader(out.splitlines())}


@user(CRAWLER)
def test_l10_five_users_crawler(larder: Shell, served: list[Site]) -> None:
    """A whole shop from its index; the price history of what became cheaper."""
    (site,) = served
    add(larder, site, Plan.INDEX, "--terms-reviewed", "--local", "--public")
    allow(larder)
    run = told(larder, "run", "start", site.name)
    assert (run["status"], run["inserted"]) == ("completed", len(site.shape.things))
    assert prices(rows(larder)) == truth(site)
    before = next(t for t in site.shape.things if t.price is not None)
    check_news(larder, site, site.change())
    out = done(larder, "export", "--kind", "product", "--prices")
    history = [row["price"] for row in csv.DictReader(out.splitlines()) if row["title"] != before.title]
    assert len(history) == len(site.shape.things) + 1


@user(PRICES)
def test_l10_five_users_price_monitor(larder: Shell, served: list[Site]) -> None:
    """Named pages of two shops from a spreadsheet: each morning their prices, and the pages not found."""
    watched = [site.address(thing) for site in served for thing in site.shape.things[:6]]
    sheet = "url;interval;Artikel\r\n" + "".join(f"{url};1d;Größe {n}\r\n" for n, url in enumerate(watched))
    (larder.folder / "pages.csv").write_bytes(sheet.encode("cp1252"))
    options = ("--kind", "product", "--plan", "monitor", "--slug", "shops", "--local", "--public")
    done(larder, "source", "add", watched[0], *options)
    counts = told(larder, "target", "import", "shops", "pages.csv")
    assert counts == {"added": 12, "changed": 0, "unchanged": 0, "bad": []}
    assert set(why_not(larder, "shops")) == {"terms"}
    allow(larder)
    assert work(larder)["inserted"] == len(watched)
    expected = {url: price for site in served for url, price in truth(site, site.shape.things[:6]).items()}
    assert prices(rows(larder)) == expected
    news = [site.change() for site in served]
    pass_hours(larder.data / "larder.db", 25)
    work(larder)
    cheaper = {
        site.address(each.cheaper): minor(each.cheaper) for site, each in zip(served, news, strict=True)
    }
    assert prices(rows(larder)) == expected | cheaper
    lost = {site.address(thing) for site, each in zip(served, news, strict=True) for thing in each.gone}
    targets = told(larder, "target", "list")
    assert {row["url"] for row in targets if row["last_status"] == "not_found"} == lost
    assert {row["notes"] for row in targets} == {f"artikel: Größe {n}" for n in range(12)}


@pytest.mark.parametrize(
    ("served", "plan"),
    [(who, who.plan) for who in OTHER_PLANS],
    ids=map(str, OTHER_PLANS),
    indirect=["served"],
)
def test_l10_five_users_under_every_plan_of_a_kind(larder: Shell, served: list[Site], plan: Plan) -> None:
    """The same figures and the next day's, whichever plan reads them; a monitor reads the named pages."""
    (site,) = served
    named = site.shape.things[:5] if plan is Plan.MONITOR else site.shape.things
    assert larder(
        *("source", "add", site.index, "--kind", site.shape.kind, "--plan", plan, "--slug", site.name),
        *("--terms-reviewed", "--local"),
    ).code == 0  # fmt: skip
    assert larder("site", "set", HOST, "--spacing", "1ms").code == 0
    for thing in named if plan is Plan.MONITOR else ():
        assert larder("target", "add", site.name, site.address(thing)).code == 0
    assert told(larder, "tick", "--budget", "100s")["inserted"] == len(named)
    assert prices(rows(larder)) == truth(site, named)
    assert {row["title"] for row in rows(larder)} == titles(list(named))
    news = site.change()
    pass_hours(larder.data / "larder.db", 26)
    assert larder("tick", "--budget", "100s").code == 0
    expected = truth(site, [news.cheaper] if plan is Plan.MONITOR else site.shape.things)
    assert expected.items() <= prices(rows(larder)).items(), "what is new and what is cheaper"
