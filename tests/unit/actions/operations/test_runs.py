"""Runs are started, held and stopped by hand, on the real driver in virtual time."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from larder.actions.operations import runs
from larder.core.errors import BadInput
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.engine.work_items import Work
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.virtual import SimWeb, VirtualLarder
from tests.unit.actions.conftest import Office

START = datetime(2026, 1, 5, tzinfo=UTC)
STOCK = 100


class Larder:
    """A virtual Larder with one source, and the actions of an operator."""

    def __init__(self) -> None:
        site = ClassifiedsSite(
            name="homes.test", classifieds=ClassifiedsTruth(seed=1, start=START, stock=STOCK)
        )
        self.virtual = VirtualLarder(SimWeb.of([site]), start=START)
        self.virtual.add_source(
            slug="homes", kind="listing", url="http://homes.test/listings", adapter="listing", currency="EUR"
        )

    def ask(self, action: Any, *args: Any, **kwargs: Any) -> Any:
        return self.virtual.database.now(action, *args, **kwargs)

    def act(self, action: Any, *args: Any) -> Any:
        return self.ask(action, *args, who="ada", now=self.virtual.clock.now())

    def passes(self, **by: float) -> None:
        self.virtual.run(self.virtual.clock.now() + timedelta(**by))


@pytest.fixture
def larder() -> Iterator[Larder]:
    made = Larder()
    yield made
    made.virtual.database._conn.close()
    made.virtual.database._engine.dispose()


def test_a_run_by_hand_starts_at_once_and_finds_what_is_there(office: Office) -> None:
    office.add()
    office.tick()
    office.later(hours=1)
    with pytest.raises(BadInput, match="running as run 1") as caught:
        office.act(runs.start, "homes", None, office.how)
    assert (caught.value.hint.action, caught.value.hint.target) == ("run.stop", "1")
    office.act(runs.stop, 1)
    view = office.act(runs.start, "homes", RunKind.DISCOVERY, office.how)
    assert (view.id, view.trigger, view.status, view.open_jobs) == (2, "manual", "running", 1)


def test_a_source_that_was_just_added_by_hand_can_be_run(office: Office) -> None:
    office.add(reviewed=False)
    with pytest.raises(BadInput, match="are not reviewed yet") as caught:
        office.act(runs.start, "homes", None, office.how)
    assert (caught.value.hint.action, caught.value.hint.target) == ("site.review", "homes.example")


@pytest.mark.parametrize(
    ("plan", "kind", "complaint"),
    [
        ("index", RunKind.MONITOR, "homes has no run kind monitor"),
        ("index", RunKind.SCOUT, "homes has no run kind scout"),
    ],
)
def test_a_kind_that_is_not_in_the_plan(
    office: Office, plan: str, kind: RunKind | None, complaint: str
) -> None:
    office.add(plan=plan)
    with pytest.raises(BadInput, match=complaint):
        office.act(runs.start, "homes", kind, office.how)


def test_a_stopped_run_asks_for_nothing_more_and_the_next_goes_on(larder: Larder) -> None:
    larder.passes(minutes=2)
    view = larder.act(runs.stop, 1)
    assert (view.status, view.open_jobs, view.error) == ("stopped", 0, "stopped by ada")
    asked = larder.virtual.fetch_tasks.requests
    larder.passes(minutes=5)
    assert larder.virtual.fetch_tasks.requests == asked
    larder.passes(minutes=60)
    first, second, *_ = reversed(larder.ask(runs.list_runs, kind=RunKind.DISCOVERY))
    assert (first.status, second.status) == ("stopped", "completed")
    assert first.inserted + second.inserted >= STOCK


def test_a_paused_run_is_held_until_it_is_resumed(larder: Larder) -> None:
    larder.passes(minutes=1)
    assert larder.act(runs.pause, 1).status == "paused"
    larder.passes(seconds=10)
    asked = larder.virtual.fetch_tasks.requests
    larder.passes(minutes=10)
    assert larder.virtual.fetch_tasks.requests == asked
    larder.act(runs.resume, 1)
    larder.passes(minutes=10)
    assert larder.ask(runs.show, 1).run.status == "completed"


def test_a_page_that_comes_in_after_the_pause_asks_for_no_others(larder: Larder) -> None:
    """The first index page is under way when the operator pauses."""
    answer = larder.virtual.fetch_tasks.answer

    def paused_meanwhile(work: Work, at: datetime) -> Fetched:
        if larder.virtual.fetch_tasks.requests == 1:
            larder.act(runs.pause, 1)
        return answer(work, at)

    larder.virtual.fetch_tasks.answer = paused_meanwhile
    larder.passes(minutes=10)
    assert larder.virtual.fetch_tasks.requests == 1
    assert larder.ask(runs.show, 1).run.inserted > 0
    larder.act(runs.resume, 1)
    larder.passes(minutes=10)
    assert larder.ask(runs.show, 1).run.status == "completed"


@pytest.mark.parametrize("action", [runs.stop, runs.pause, runs.resume])
def test_what_is_over_stays_over(larder: Larder, action: Any) -> None:
    larder.passes(minutes=2)
    larder.act(runs.stop, 1)
    with pytest.raises(BadInput, match="run 1 is stopped"):
        larder.act(action, 1)


def test_runs_are_listed_and_filtered(larder: Larder) -> None:
    larder.passes(hours=2)
    latest = larder.ask(runs.list_runs, source="homes", kind=RunKind.DISCOVERY, limit=2)
    assert [view.kind for view in latest] == ["discovery", "discovery"]
    assert latest[0].id > latest[1].id
    assert larder.ask(runs.list_runs, kind=RunKind.SCOUT) == []
    with pytest.raises(BadInput, match="no run 999"):
        larder.ask(runs.show, 999)


def test_those_who_watch_are_told_of_new_runs_and_of_theirs(larder: Larder) -> None:
    larder.passes(hours=2)
    everything = larder.ask(runs.runs_since, 0, [])
    assert [view.id for view in larder.ask(runs.runs_since, everything[1].id, [1])] == [everything[0].id, 1]


def test_whoever_begins_to_watch_begins_with_what_is_open(larder: Larder) -> None:
    assert larder.ask(runs.latest_closed) == 0
    larder.passes(minutes=1)
    assert larder.ask(runs.latest_closed) == 0
    larder.act(runs.stop, 1)
    newest = larder.ask(runs.list_runs, limit=1)[0].id
    for view in larder.ask(runs.list_runs):
        if not view.over:
            larder.act(runs.stop, view.id)
    assert larder.ask(runs.latest_closed) == newest
