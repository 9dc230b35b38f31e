"""A made-up agenda: its truth is a function of time, and reading its pages gives that truth."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from larder.core.model.item import Extracted, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.sdk.adapter import SiteAdapter
from larder.sdk.page import Page
from larder.sim.agenda import AgendaTruth, Announcement
from larder.sim.agenda_site import AgendaSite
from larder.sim.event_catalogue import SERIES, date_in_words, random_event
from larder.sim.layouts import Layout, agenda_pages
from larder.sim.site import SimRequest
from larder.stages.normalize import Context, normalize
from larder.stages.parse import parse

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
AT = START + 9 * DAY


class Plain(SiteAdapter):
    id, version, kind = "plain", "1.0.0", Kind.EVENT


def truth(**rules: Any) -> AgendaTruth:
    return AgendaTruth(**{"seed": 3, "start": START, **rules})


def site(layout: Layout = Layout.JSONLD, **rules: Any) -> AgendaSite:
    return AgendaSite(name="stad.test", agenda=truth(**rules), layout=layout, per_page=20)


def read(board: AgendaSite, path: str, purpose: Purpose, *, declared: bool) -> list[Staged]:
    source = Source(
        id=1, slug="stad", name="Stad", kind=Kind.EVENT, site_id=1, adapter="plain",
        url="http://stad.test/agenda", params={"selectors": agenda_pages.SELECTORS} if declared else {},
        currency="EUR", tz="Europe/Amsterdam", language="nl", latitude=52.09, longitude=5.12,
    )  # fmt: skip
    url = f"http://stad.test{path}"
    page = Page(url, board.respond(SimRequest.of(url), AT).body, "text/html")
    reading = parse(page, source=source, adapter=Plain(), purpose=purpose)
    assert isinstance(reading, Extracted), reading
    context = Context.of(source, base_url=url, observed_at=AT, index=purpose is Purpose.INDEX)
    staged = [normalize(item, context) for item in reading.items]
    assert all(isinstance(each, Staged) for each in staged), staged
    return [each for each in staged if isinstance(each, Staged)]


WAYS = pytest.mark.parametrize(
    ("layout", "declared"), [(Layout.JSONLD, False), (Layout.CARDS, True)], ids=["json-ld", "selectors"]
)


@WAYS
def test_the_index_tells_title_day_and_place(layout: Layout, declared: bool) -> None:
    board = site(layout)
    live = board.agenda.live(AT)
    pages = range(1, -(-len(live) // 20) + 1)
    rows = [r for n in pages for r in read(board, f"/agenda?page={n}", Purpose.INDEX, declared=declared)]
    told = {r.fields["platform_id"]: (r.fields["title"], _day(r), r.fields["venue"]) for r in rows}
    assert told == {key: (a.title, a.of.starts_at.date().isoformat(), a.venue) for key, a in live.items()}


@WAYS
def test_an_evenings_page_tells_the_hour_and_the_price(layout: Layout, declared: bool) -> None:
    board = site(layout)
    for told in board.agenda.live(AT).values():
        (staged,) = read(board, f"/event/{told.platform_id}", Purpose.DETAIL, declared=declared)
        assert staged.fields["title"] == told.title
        assert staged.fields.get("price_minor", 0) == told.of.price
        if told.of.days == 1:
            assert datetime.fromisoformat(staged.fields["starts_at"]) == told.of.starts_at


def _day(row: Staged) -> str:
    return str(row.fields["starts_at"])[:10]


def test_days_are_in_words() -> None:
    evenings = [random_event(1, number, START) for number in range(200)]
    single = [date_in_words(each) for each in evenings if each.days == 1]
    lasting = [date_in_words(each) for each in evenings if each.days > 1]
    assert all(re.fullmatch(r"(ma|di|wo|do|vr|za|zo) \d+ [a-z]{3} \d\d:\d\d uur", words) for words in single)
    assert all(re.fullmatch(r"\d+ ([a-z]{3} )?t/m \d+ [a-z]{3}", words) for words in lasting)


def test_what_is_over_vanishes_and_what_was_called_off_goes_before() -> None:
    agenda = truth(called_off=0.3)
    ever: dict[str, Announcement] = {}
    for day in range(60):
        ever |= agenda.live(START + DAY * day)
    end = START + 60 * DAY
    gone = [each for key, each in ever.items() if agenda.announcement(key, end) is None]
    assert all(each.until <= end for each in gone)
    assert any(each.until < each.of.ends_at for each in gone)
    assert any(each.until == each.of.ends_at for each in gone)
    assert all(agenda.last_known(each.platform_id, end) == each for each in gone)


def test_the_truth_is_the_same_however_it_is_asked() -> None:
    forward, backward = truth(), truth()
    moments = [START + DAY * day for day in range(0, 40, 4)]
    seen = {at: dict(forward.live(at)) for at in moments}
    assert {at: dict(backward.live(at)) for at in reversed(moments)} == seen


def test_two_agendas_of_one_calendar_share_events() -> None:
    first, second = (
        {each.entity: each for each in agenda.live(AT).values()}
        for agenda in (truth(), truth(seed=4, title_style=1))
    )
    both = first.keys() & second.keys()
    assert both
    assert first.keys() - both
    assert second.keys() - both
    assert any(first[thing].title != second[thing].title for thing in both)
    assert all(first[thing].of.starts_at == second[thing].of.starts_at for thing in both)


def test_a_series_has_one_title_and_other_days() -> None:
    whole = [random_event(1, number, START + DAY * number / 4) for number in range(SERIES * 80)]
    for at in range(0, len(whole), SERIES):
        series = whole[at : at + SERIES]
        assert len({each.title for each in series}) == 1
        assert len({each.starts_at.date() for each in series}) == SERIES
    assert len({(each.title, each.starts_at.date()) for each in whole}) == len(whole)
