"""Discovery and sweep of sources with the plan `adaptive`: how far they go, and what they remember."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, cast

import pytest

from larder.core.model.run import IndexFindings, PageSeen, PagesSelected, RunKind
from larder.core.model.source import Plan
from larder.core.policy.scheduling.cadence import Cadence
from larder.core.policy.scheduling.learned import REFRESH_SHARE
from larder.core.policy.scheduling.spending import (
    CHUNKS,
    MIN_DISTANCE,
    NOTHING_SPENT,
    Spending,
    SpendingPlan,
    Spent,
)
from larder.runs.adaptive import spending_plan, unseen_since
from larder.runs.discovery import DISCOVERY
from larder.runs.fold import FoldStep, IndexPage, LastRun, SelectPages
from larder.runs.sweep import SWEEP
from tests.unit.runs.events import NOW, detail, page, pages_of, size, start, unread

ADAPTIVE: dict[str, Any] = {"plan": Plan.ADAPTIVE}
BEFORE = {"pages": 40, "ended_at": (NOW - timedelta(hours=1)).isoformat()}
"""What a sweep remembers that has read the index to its end."""
AT = int(NOW.timestamp())
CADENCE = Cadence(plan=Plan.ADAPTIVE)


def seen(number: int, *, missed: int = 0, changed: int = 0, **values: Any) -> PageSeen:
    findings = IndexFindings(stable=True, missed=missed)
    return replace(page(known=90, **values), number=number, changed=changed, findings=findings)


def asked(step: FoldStep) -> IndexPage:
    (ask,) = step.ask
    assert isinstance(ask, IndexPage)
    return ask


def sweep_on(
    memory: Mapping[str, Any],
    missed_on: Mapping[int, int],
    top_read_at: datetime | None = NOW,
    unseen_on: Mapping[int, int] = MappingProxyType({}),
) -> tuple[list[int], Mapping[str, Any]]:
    """A sweep over an index of 40 numbered pages; the pages it read and what it leaves to the next."""
    step, read = SWEEP.start(replace(start(memory, **ADAPTIVE), top_read_at=top_read_at)), list[int]()
    while not step.done:
        if isinstance(step.ask[0], SelectPages):
            step = SWEEP.step(step.state, PagesSelected(pages=0))
            continue
        number = asked(step).number
        read.append(number)
        event = seen(number, missed=missed_on.get(number, 0), last=number == 40, shows=f"{number:016x}")
        findings = replace(event.findings, unseen=unseen_on.get(number, 0))
        step = SWEEP.step(step.state, replace(event, findings=findings))
    return read, SWEEP.end(step.state, failed=0, now=NOW).memory


def test_a_sweep_reads_a_tenth_of_the_index_and_the_next_goes_on_after_it() -> None:
    read, memory = sweep_on(BEFORE, {})
    assert read == [1, 2, 3, 4]
    read, _ = sweep_on(memory, {})
    assert read == [5, 6, 7, 8]


def test_pages_on_which_records_were_missed_are_looked_at_again_first() -> None:
    read, memory = sweep_on(BEFORE, {2: 1, 4: 3})
    assert memory["second_looks"] == [(2, None, AT, 1), (4, None, AT, 3)]
    read, memory = sweep_on({**memory, "ended_at": BEFORE["ended_at"]}, {}, unseen_on={2: 1, 4: 3})
    assert read == [2, 4, 5, 6, 7, 8]
    assert memory["second_looks"] == []
    assert sweep_on({**BEFORE, "second_looks": [[7, None]]}, {7: 1})[1]["second_looks"] == []
    assert (memory["changes"]["second_looks"], memory["changes"]["pages"]) == (2, 8)


@pytest.mark.parametrize("top_read_at", [None, NOW - timedelta(minutes=1)], ids=["never", "before the miss"])
def test_a_second_look_waits_until_the_top_was_read_where_the_record_may_stand_by_now(
    top_read_at: datetime | None,
) -> None:
    _, memory = sweep_on(BEFORE, {2: 1})
    read, memory = sweep_on(memory, {6: 1}, top_read_at)
    assert read == [5, 6, 7, 8]
    assert memory["second_looks"] == [(2, None, AT, 1), (6, None, AT, 1)]


def test_what_new_rows_have_pushed_to_the_next_page_meanwhile_is_looked_for_there() -> None:
    _, memory = sweep_on(BEFORE, {2: 2})
    known = {**memory, "ended_at": BEFORE["ended_at"]}
    assert sweep_on(known, {}, unseen_on={2: 1})[0] == [2, 3, 5, 6, 7, 8]
    assert sweep_on(known, {}, unseen_on={2: 2})[0] == [2, 5, 6, 7, 8]
    _, memory = sweep_on(BEFORE, {2: 2, 3: 1})
    known = {**memory, "ended_at": BEFORE["ended_at"]}
    assert sweep_on(known, {}, unseen_on={2: 1, 3: 2})[0] == [2, 3, 5, 6, 7, 8]


def test_what_further_looks_must_still_confirm_is_looked_at_again() -> None:
    _, memory = sweep_on(BEFORE, {2: 1})
    step = SWEEP.start(replace(start(memory, **ADAPTIVE), top_read_at=NOW))
    pending = replace(seen(2), findings=IndexFindings(stable=True, pending=1))
    step = SWEEP.step(step.state, pending)
    assert SWEEP.end(step.state, failed=0, now=NOW).memory["second_looks"] == [(2, None, AT, 1)]


@pytest.mark.parametrize(("missed", "again"), [(1, [5]), (30, [2, 5])], ids=["too few", "worth a request"])
def test_a_second_look_is_taken_where_it_is_worth_a_request(missed: int, again: list[int]) -> None:
    spending = plan(replace(CADENCE, spending=Spending(verified_within_hours=9)))
    nearly_due = AT - 8 * 3600
    memory = {**BEFORE, "last_page": 4, "second_looks": [(2, None, nearly_due, missed)]}
    begins = replace(start(memory, **ADAPTIVE), top_read_at=NOW, spending=spending)
    step, read = SWEEP.start(begins), list[int]()
    for _ in again:
        read.append(asked(step).number)
        found = IndexFindings(stable=True, unseen=missed)
        step = SWEEP.step(step.state, replace(seen(read[-1]), findings=found))
    assert read == again


def test_a_second_look_that_cannot_be_read_is_given_up() -> None:
    _, memory = sweep_on(BEFORE, {2: 1})
    step = SWEEP.start(replace(start(memory, **ADAPTIVE), top_read_at=NOW))
    assert asked(step).number == 2
    step = SWEEP.step(step.state, unread())
    assert asked(step).number == 5


def test_a_third_look_at_a_followed_page_has_its_address_too() -> None:
    """A walk keeps the addresses of the pages that it read itself: nearly all third looks were lost."""
    url = "https://homes.test/?page=2"
    memory = {**BEFORE, "last_page": 4, "second_looks": [(2, url, AT, 1)]}
    step = SWEEP.start(replace(start(memory, **ADAPTIVE), top_read_at=NOW))
    step = SWEEP.step(step.state, replace(seen(2), findings=IndexFindings(stable=True, pending=1)))
    assert SWEEP.end(step.state, failed=0, now=NOW).memory["second_looks"] == [(2, url, AT, 1)]


def test_a_followed_page_is_looked_at_again_by_its_address() -> None:
    memory = {**BEFORE, "second_looks": [[7, "https://homes.test/?page=7"]], "last_page": 0}
    step = SWEEP.start(replace(start(memory, **ADAPTIVE), numbered=False))
    assert (asked(step).number, asked(step).url) == (7, "https://homes.test/?page=7")


def test_the_first_sweeps_have_the_usual_size_until_the_end_of_the_index_is_known() -> None:
    step = SWEEP.start(start({}, **ADAPTIVE))
    assert step.state["pages_left"] == 50


@pytest.mark.parametrize(
    ("hours", "pages"), [(0.2, 5), (2, 5), (6, 20), (30, 40)], ids=["usual", "short", "long", "a day"]
)
def test_what_an_outage_of_hours_kept_sweeps_from_reading_is_read_at_once(hours: float, pages: int) -> None:
    memory = {**BEFORE, "read_at": (NOW - timedelta(hours=hours)).isoformat()}
    plan = replace(spending_plan(CADENCE, {}, BEFORE), spending=Spending(verified_within_hours=12))
    step = SWEEP.start(replace(start(memory, **ADAPTIVE), spending=plan))
    assert step.state["pages_left"] == pages


def test_a_size_that_was_set_is_kept_and_the_next_sweep_is_the_second_look() -> None:
    memory = {**BEFORE, "second_looks": [[7, None]]}
    step = SWEEP.start(start(memory, **ADAPTIVE, params={"sweep_pages": 9, "sweep_overlap": 0}))
    assert (step.state["pages_left"], pages_of(step.ask)) == (9, [1])


def test_a_sweep_learns_what_it_found_in_the_hours_since_the_last() -> None:
    _, memory = sweep_on(BEFORE, {1: 2, 3: 1})
    learned = memory["changes"]
    assert (learned["found"], learned["hours"], learned["missed"]) == (3, 1, 3)


def test_the_plan_index_neither_looks_twice_nor_learns() -> None:
    step = SWEEP.start(start({**BEFORE, "second_looks": [[7, None]]}))
    assert pages_of(step.ask) == [1]
    memory = SWEEP.end(SWEEP.step(step.state, seen(1, missed=3, last=True)).state, failed=0, now=NOW).memory
    assert not {"changes", "second_looks", "ended_at"} & memory.keys()


def discovery(first: PageSeen) -> FoldStep:
    watermark = (NOW - timedelta(minutes=20)).isoformat()
    step = DISCOVERY.start(start({"watermark": watermark}, **ADAPTIVE))
    return DISCOVERY.step(step.state, first)


def reaches(known: int, new: int, *, stable: bool = True) -> PageSeen:
    before = NOW - timedelta(days=1)
    shown = replace(page(new=new), known=[before] * known, number=1)
    return replace(shown, findings=IndexFindings(stable=stable))


@pytest.mark.parametrize(
    ("first", "goes_on"),
    [
        pytest.param(reaches(80, 10), False, id="the watermark is on the page"),
        pytest.param(reaches(30, 60), True, id="most rows are new"),
        pytest.param(reaches(80, 10, stable=False), True, id="the order is not stable"),
        pytest.param(reaches(90, 0, stable=False), False, id="nothing new, and no stable order"),
    ],
)
def test_discovery_ends_at_the_watermark(first: PageSeen, goes_on: bool) -> None:
    assert bool(pages_of(discovery(first).ask)) is goes_on


def deep_discovery(memory: Mapping[str, Any]) -> FoldStep:
    watermark = (NOW - timedelta(minutes=20)).isoformat()
    begins = start({"watermark": watermark, **memory}, **ADAPTIVE)
    return DISCOVERY.start(replace(begins, spending=plan(CADENCE)))


def test_now_and_then_a_discovery_looks_below_the_rows_known_before_and_learns_how_many_appear_there() -> (
    None
):
    step = deep_discovery({"deep_at": (NOW - timedelta(hours=10)).isoformat()})
    for new in (10, 2, 1):
        assert not step.done
        step = DISCOVERY.step(step.state, replace(reaches(80, new), number=asked_index(step)))
    assert step.done
    memory = DISCOVERY.end(step.state, failed=0, now=NOW).memory
    assert (memory["arrivals"]["late"], memory["arrivals"]["late_hours"]) == (3, 10)
    assert (memory["arrivals"]["pages"], memory["deep_at"]) == (1, NOW.isoformat())
    assert deep_discovery(memory).state["deeper"] == 0


def asked_index(step: FoldStep) -> int:
    (page,) = [each for each in step.ask if isinstance(each, IndexPage)]
    return page.number


def test_discovery_learns_arrivals_by_the_hour() -> None:
    end = DISCOVERY.end(discovery(reaches(80, 10)).state, failed=0, now=NOW)
    learned = end.memory["arrivals"]
    assert (learned["new"][11], learned["hours"][11]) == (10, pytest.approx(1 / 3))
    assert (learned["runs"], learned["pages"]) == (1, 1)


def test_what_was_learned_outlives_a_discovery_that_fails() -> None:
    known = DISCOVERY.end(discovery(reaches(80, 10)).state, failed=0, now=NOW).memory
    step = DISCOVERY.start(start(known, **ADAPTIVE))
    failed = DISCOVERY.end(DISCOVERY.step(step.state, unread()).state, failed=1, now=NOW).memory
    assert failed["arrivals"] == known["arrivals"]
    _, swept = sweep_on(BEFORE, {1: 2})
    step = SWEEP.start(start(swept, **ADAPTIVE))
    failed = SWEEP.end(SWEEP.step(step.state, unread()).state, failed=1, now=NOW).memory
    assert failed["changes"]["found"] == swept["changes"]["found"]


def test_the_first_discovery_teaches_nothing_about_arrivals() -> None:
    step = DISCOVERY.start(start({}, **ADAPTIVE))
    step = DISCOVERY.step(step.state, page(new=90, last=True))
    assert sum(DISCOVERY.end(step.state, failed=0, now=NOW).memory["arrivals"]["new"]) == 0


def test_what_arrived_during_the_first_walk_counts_for_its_hours() -> None:
    """It took ten hours in two slices; what the next discovery finds at the top came since it began."""
    step = DISCOVERY.start(start({}, **ADAPTIVE, max_pages=3))
    for number in (1, 2, 3):
        step = DISCOVERY.step(step.state, replace(page(new=90), number=number))
    memory = DISCOVERY.end(step.state, failed=0, now=NOW).memory
    later = NOW + timedelta(hours=10)
    step = DISCOVERY.start(replace(start(memory, **ADAPTIVE), now=later))
    step = DISCOVERY.step(step.state, replace(page(new=90, last=True), number=3, at=later))
    walked = DISCOVERY.end(step.state, failed=0, now=later).memory
    assert (sum(walked["arrivals"]["new"]), walked["top_read_at"]) == (0, NOW.isoformat())
    step = DISCOVERY.start(replace(start(walked, **ADAPTIVE), now=later))
    seen_again = replace(reaches(80, 10), known=[NOW] * 80, at=later)
    learned = DISCOVERY.end(DISCOVERY.step(step.state, seen_again).state, failed=0, now=later).memory
    assert (sum(learned["arrivals"]["new"]), sum(learned["arrivals"]["hours"])) == (10, 10)


LEARNED: Mapping[RunKind, Mapping[str, Any]] = {
    RunKind.DISCOVERY: {"arrivals": {"new": [70.0] * 24, "hours": [7.0] * 24, "runs": 100, "pages": 100}},
    RunKind.SWEEP: {
        "pages": 200,
        "changes": {"found": 1_000, "hours": 100, "pages": 2_000, "second_looks": 500},
    },
}


def plan(cadence: Cadence) -> SpendingPlan:
    return spending_plan(cadence, LEARNED[RunKind.DISCOVERY], LEARNED[RunKind.SWEEP])


def next_run(kind: RunKind, cadence: Cadence, spent: Spent = NOTHING_SPENT) -> timedelta:
    fold = {RunKind.DISCOVERY: DISCOVERY, RunKind.SWEEP: SWEEP}[kind]
    last = LastRun(memory=LEARNED[kind], memory_of=LEARNED.__getitem__, spent=lambda: spent)
    return fold.next_at(cadence, NOW, last) - NOW


@pytest.mark.parametrize("kind", [RunKind.DISCOVERY, RunKind.SWEEP])
def test_a_larger_budget_shortens_both_intervals(kind: RunKind) -> None:
    small, large = (
        next_run(kind, replace(CADENCE, spending=Spending(requests_per_day=budget)))
        for budget in (600, 2_400)
    )
    assert large < small


def test_a_goal_is_met_by_many_sweeps() -> None:
    goal = replace(CADENCE, spending=Spending(verified_within_hours=10))
    sweeps = 200 / plan(goal).sweep_pages
    assert sweeps > 3 * CHUNKS
    assert next_run(RunKind.SWEEP, goal) * sweeps == pytest.approx(timedelta(hours=10), rel=1e-6)
    hurried = replace(CADENCE, spending=Spending(price=0.001))
    assert next_run(RunKind.SWEEP, hurried) == MIN_DISTANCE
    assert plan(hurried).sweep_pages == 200 / (timedelta(hours=1) // MIN_DISTANCE)


def test_a_sweep_reads_as_many_pages_as_the_plan_says() -> None:
    known = {**BEFORE, "last_page": 8}
    begins = replace(start(known, **ADAPTIVE), spending=plan(CADENCE))
    assert SWEEP.start(begins).state["pages_left"] == plan(CADENCE).sweep_pages


def test_one_detail_page_is_read_for_ten_index_pages_however_small_sweeps_are() -> None:
    details, memory = 0, cast("Mapping[str, Any]", BEFORE)
    for _ in range(10):
        details += SWEEP.start(start(memory, **ADAPTIVE)).state["details_left"]
        _, memory = sweep_on(memory, {})
    assert details == 40 * REFRESH_SHARE


def test_a_sweep_learns_which_prices_only_detail_pages_tell() -> None:
    step = SWEEP.start(start({**BEFORE, "last_page": 26}, **ADAPTIVE))
    for number in range(27, 31):
        step = SWEEP.step(step.state, replace(seen(number), shows=f"{number:016x}"))
    assert isinstance(step.ask[0], SelectPages)
    step = SWEEP.step(step.state, PagesSelected(pages=2, hours=75))
    for changed in (True, False):
        step = SWEEP.step(step.state, replace(detail(), price_changed=changed))
    changes = SWEEP.end(step.state, failed=0, now=NOW).memory["changes"]
    assert (changes["repriced"], changes["detail_hours"], changes["listed"]) == (1, 75, 4 * 90)


def test_where_rows_tell_no_price_sweeps_read_more_detail_pages() -> None:
    known = {**LEARNED[RunKind.SWEEP]["changes"], "listed": 180_000, "repriced": 101, "detail_hours": 120_000}
    unpriced = spending_plan(CADENCE, LEARNED[RunKind.DISCOVERY], {"pages": 200, "changes": known})
    assert unpriced.details_per_page > 10 * REFRESH_SHARE == 10 * plan(CADENCE).details_per_page
    begins = replace(start({**BEFORE, "last_page": 8}, **ADAPTIVE), spending=unpriced)
    details = SWEEP.start(begins).state["details_left"]
    assert details == pytest.approx(unpriced.details_per_page * unpriced.sweep_pages, abs=1)
    assert unpriced.wrong["prices"] > plan(CADENCE).wrong["prices"] == 0


def test_what_was_spent_lately_changes_what_is_spent_next() -> None:
    cadence = replace(CADENCE, spending=Spending(requests_per_day=2_000))
    spent = [Spent(hours=24, requests=many) for many in (2_200, 2_000, 1_800)]
    slower, steady, faster = (next_run(RunKind.DISCOVERY, cadence, spent=each) for each in spent)
    assert slower > steady > faster
    assert steady == next_run(RunKind.DISCOVERY, cadence)


def test_intervals_that_were_set_by_hand_are_obeyed() -> None:
    fixed = {"discovery_every": timedelta(minutes=7), "sweep_every": timedelta(hours=5)}
    cadence = replace(CADENCE, intervals=fixed)
    assert next_run(RunKind.DISCOVERY, cadence) == timedelta(minutes=7)
    assert next_run(RunKind.SWEEP, cadence) == timedelta(hours=5)


@pytest.mark.parametrize(
    ("memory", "hours"),
    [
        pytest.param({}, 24, id="no pass is complete yet"),
        pytest.param({"pass_began_at": -30, "rows": 20_000}, 30, id="a slow pass"),
        pytest.param({"pass_began_at": -6, "rows": 20_000}, 24, id="a pass of hours"),
        pytest.param({"pass_began_at": -30, "rows": 100}, 24, id="no stable order, slow passes"),
        pytest.param({"pass_began_at": -3, "rows": 100, "hours": 20}, 8, id="no stable order"),
    ],
)
def test_what_a_pass_has_not_reached_yet_may_be_unseen_for_longer(memory: dict[str, Any], hours: int) -> None:
    began = memory.get("pass_began_at")
    sweep = {
        "pages": 40,
        "changes": {"pages": 400, "rows": memory.get("rows", 0), "hours": memory.get("hours", 100)},
        **({"pass_began_at": (NOW + timedelta(hours=began)).isoformat()} if began else {}),
    }
    assert unseen_since(sweep, NOW, unseen_for=timedelta(hours=24)) == NOW - timedelta(hours=hours)


def test_the_memory_stays_small() -> None:
    memory: Mapping[str, Any] = BEFORE
    for _ in range(30):
        _, memory = sweep_on(memory, dict.fromkeys(range(1, 41), 1))
    assert size(memory) < 1_500
