"""Discovery as a fold: when it stops, what it remembers, and that it leaves no gap."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larder.core.model.job import Purpose
from larder.core.model.run import NewRecord, PageSeen, RunStatus
from larder.core.model.source import Kind, Source
from larder.runs.discovery import DISCOVERY
from larder.runs.fold import DetailPage, FoldStep, IndexPage, RunEnd, RunStart

NOW = datetime(2026, 1, 5, tzinfo=UTC)
OLD = NOW - timedelta(days=1)
SOURCE = Source(
    id=1, slug="homes", name="Homes", kind=Kind.LISTING, site_id=1, adapter="listing", url="http://h"
)


def source(**values: Any) -> Source:
    return replace(SOURCE, **values)


def start(memory: dict[str, Any] | None = None, **values: Any) -> FoldStep:
    return DISCOVERY.start(RunStart(source=source(**values), memory=memory or {}, now=NOW))


def page(
    number: int,
    *,
    new: int = 0,
    known: list[datetime | None] | int = 0,
    last: bool | None = False,
    **more: Any,
) -> PageSeen:
    """An index page; `known` rows were discovered long ago unless told otherwise."""
    arrivals = [NewRecord(identity_key=f"PID:{number}-{i}", url=f"http://h/{number}-{i}") for i in range(new)]
    rows = [OLD] * known if isinstance(known, int) else known
    more = {"shows": f"page {number}", **more}
    return PageSeen(purpose=Purpose.INDEX, at=NOW, number=number, new=arrivals, known=rows, last=last, **more)


def lost(number: int, *, missing: bool = False) -> PageSeen:
    return PageSeen(purpose=Purpose.INDEX, at=NOW, number=number, read=False, missing=missing)


def walk(first: FoldStep, seen: list[PageSeen]) -> FoldStep:
    """Every step but the last asks for the next index page."""
    step = first
    for i, each in enumerate(seen):
        assert not step.done, f"it had ended before page {i + 1}"
        assert [ask for ask in step.ask if isinstance(ask, IndexPage)] == [IndexPage(number=each.number or 0)]
        step = DISCOVERY.step(step.state, each)
    return step


def end(step: FoldStep, *, failed: int = 0) -> RunEnd:
    assert step.done
    return DISCOVERY.end(step.state, failed=failed, now=NOW)


WATERMARK = {"watermark": OLD.isoformat()}
YOUNG = NOW - timedelta(minutes=5)


@pytest.mark.parametrize(
    ("memory", "seen", "ended"),
    [
        pytest.param({}, [page(1, new=3, last=True)], "end", id="a single page"),
        pytest.param({}, [page(1, new=3), page(2, new=1, last=True)], "end", id="the first reads to the end"),
        pytest.param(
            {},
            [page(n, known=3) for n in range(1, 9)] + [page(9, known=1, last=True)],
            "end",
            id="without a watermark nothing is familiar",
        ),
        pytest.param(
            WATERMARK, [page(n, known=3) for n in range(1, 6)], "familiar", id="five familiar pages"
        ),
        pytest.param(
            WATERMARK,
            [page(1, known=3), page(2, new=1, known=2), *[page(n, known=3) for n in range(3, 8)]],
            "familiar",
            id="a new row begins the count again",
        ),
        pytest.param(
            WATERMARK,
            [page(1, known=[YOUNG, OLD]), *[page(n, known=3) for n in range(2, 7)]],
            "familiar",
            id="a row from an interrupted discovery is not familiar",
        ),
        pytest.param(
            WATERMARK,
            [page(1, known=[None, OLD]), *[page(n, known=3) for n in range(2, 7)]],
            "familiar",
            id="nor one that other runs brought in",
        ),
        pytest.param(WATERMARK, [page(1, new=1), lost(2)], "broken", id="a page that cannot be read"),
        pytest.param({}, [lost(1)], "broken", id="not even the first"),
        pytest.param({}, [lost(1, missing=True)], "broken", id="an index that is not there"),
        pytest.param({}, [page(1, new=2, last=None), lost(2, missing=True)], "end", id="404 beyond the end"),
        pytest.param({}, [page(1, new=2), lost(2, missing=True)], "end", id="404 behind a dangling link"),
        pytest.param(
            {"pages": 3}, [page(1, new=2), lost(2, missing=True)], "broken", id="404 where pages were before"
        ),
        pytest.param(
            {},
            [page(1, new=2, advertised=9), lost(2, missing=True)],
            "broken",
            id="404 where rows are advertised",
        ),
        pytest.param({}, [page(1, new=2, last=None), page(2, last=None)], "end", id="nothing beyond the end"),
        pytest.param({}, [page(1, new=2), page(2, last=None)], "end", id="nothing behind a dangling link"),
        pytest.param(
            {"pages": 3}, [page(1, new=2), page(2, last=None)], "broken", id="nothing where rows were before"
        ),
        pytest.param({}, [page(1)], "end", id="an empty index"),
        pytest.param(
            {},
            [page(1, new=2, last=None), page(2, left_out=9, last=None), page(3, last=None)],
            "end",
            id="a page of unusable rows is not the end",
        ),
    ],
)
def test_it_ends(memory: dict[str, Any], seen: list[PageSeen], ended: str) -> None:
    step = walk(start(memory), seen)
    assert step.done
    assert step.state["ended"] == ended


@pytest.mark.parametrize(
    ("memory", "seen", "left"),
    [
        pytest.param(
            {},
            [page(1, new=3, last=True)],
            {"watermark": NOW.isoformat(), "pages": 1},
            id="complete: it moves",
        ),
        pytest.param(
            WATERMARK,
            [page(n, known=3) for n in range(1, 6)],
            {"watermark": NOW.isoformat()},
            id="familiar: too",
        ),
        pytest.param(WATERMARK, [page(1, new=1), lost(2)], WATERMARK, id="interrupted: it stays"),
        pytest.param(
            {**WATERMARK, "pages": 4},
            [page(1, new=1), page(2)],
            {**WATERMARK, "pages": 4},
            id="an outage in the middle: it stays",
        ),
        pytest.param(WATERMARK, [page(1)], WATERMARK, id="an outage on page one: it stays"),
        pytest.param(
            {}, [page(1, new=1), page(2, new=1), lost(3)], {"resume": 3}, id="the first goes on there"
        ),
        pytest.param({}, [lost(1)], {"resume": 1}, id="or begins again"),
    ],
)
def test_it_remembers(memory: dict[str, Any], seen: list[PageSeen], left: dict[str, Any]) -> None:
    kept = {name: value for name, value in end(walk(start(memory), seen)).memory.items() if name != "walk"}
    assert kept == left


@pytest.mark.parametrize(
    ("seen", "failed", "status"),
    [
        pytest.param([page(1, new=1, last=True)], 0, RunStatus.COMPLETED, id="all is well"),
        pytest.param([page(1, new=1, last=True)], 1, RunStatus.PARTIAL, id="a detail page failed"),
        pytest.param([page(1, new=1), lost(2)], 1, RunStatus.PARTIAL, id="the index broke off"),
        pytest.param([lost(1)], 1, RunStatus.FAILED, id="nothing at all"),
    ],
)
def test_it_is_judged(seen: list[PageSeen], failed: int, status: RunStatus) -> None:
    ended = end(walk(start(), seen), failed=failed)
    assert ended.status is status
    assert (ended.error_code == "index_unreadable") == (seen[-1].read is False)


@pytest.mark.parametrize(
    ("seen", "status", "code"),
    [
        pytest.param(page(1, new=3), RunStatus.PARTIAL, "next_page_unknown", id="more by a script alone"),
        pytest.param(page(1, new=3, advertised=3), RunStatus.COMPLETED, None, id="all were shown"),
        pytest.param(page(1, new=3, last=None), RunStatus.COMPLETED, None, id="no word of more"),
    ],
)
def test_rows_that_no_link_leads_to_are_told(seen: PageSeen, status: RunStatus, code: str | None) -> None:
    begun = DISCOVERY.start(RunStart(source=source(), memory={}, now=NOW, numbered=False))
    ended = end(DISCOVERY.step(begun.state, seen))
    assert (ended.status, ended.error_code) == (status, code)


def test_each_new_row_is_looked_at_at_once_and_known_ones_are_not() -> None:
    step = walk(start(), [page(1, new=2, known=3)])
    assert [ask for ask in step.ask if isinstance(ask, DetailPage)] == [
        DetailPage(url=f"http://h/1-{i}", identity_key=f"PID:1-{i}") for i in range(2)
    ]


def test_rows_without_an_address_have_no_page_to_look_at() -> None:
    nowhere = replace(page(1, last=True), new=[NewRecord(identity_key="PID:1", url=None)])
    assert walk(start(), [nowhere]).ask == ()


def test_a_source_can_do_without_detail_pages() -> None:
    assert walk(start(params={"details": False}), [page(1, new=2, last=True)]).ask == ()


def test_detail_pages_do_not_step_the_walk() -> None:
    first = start()
    step = DISCOVERY.step(first.state, PageSeen(purpose=Purpose.DETAIL, at=NOW))
    assert (step.ask, step.done, step.state) == ((), False, first.state)
    over = walk(start(), [page(1, new=1, last=True)])
    assert DISCOVERY.step(over.state, PageSeen(purpose=Purpose.DETAIL, at=NOW)).done


@pytest.mark.parametrize("tells", [None, False], ids=["an index that never tells", "an index that lies"])
def test_an_endless_last_page_comes_to_an_end(tells: bool | None) -> None:
    """Page 2 is shown again for 3, 4, 5 …: by the second run, too, if the first was stopped on the way."""
    step = walk(start(), [page(1, new=2, last=tells), page(2, new=2, last=tells)])
    repeats = 0
    while not step.done:
        repeats += 1
        assert repeats < 10
        step = DISCOVERY.step(step.state, page(2 + repeats, known=2, last=tells, shows="page 2"))
    assert end(step).memory == {"watermark": NOW.isoformat(), "pages": 2}
    again = start()
    for n in range(1, 40):
        again = DISCOVERY.step(again.state, page(n, known=2, last=tells, shows=f"page {min(n, 2)}"))
        if again.done:
            break
    assert again.done
    assert n < 10


def test_a_first_discovery_that_was_stopped_reads_on_past_what_it_knows() -> None:
    """Its memory was lost, so it begins again: known pages must not be taken for the end."""
    known = [page(n, known=[OLD + n * timedelta(minutes=1)] * 3, last=None) for n in range(1, 12)]
    step = walk(start(), known)
    assert not step.done


@pytest.mark.parametrize("most", [1, 2, 3])
def test_slices_by_pages_reach_the_end(most: int) -> None:
    memory: dict[str, Any] = {}
    read: list[int] = []
    for _ in range(30):
        step = start(memory, max_pages=most)
        while not step.done:
            (ask,) = [each for each in step.ask if isinstance(each, IndexPage)]
            known = NOW - timedelta(minutes=ask.number)
            seen = page(ask.number, known=[known], last=ask.number == 8)
            fresh = page(ask.number, new=1, last=ask.number == 8)
            step = DISCOVERY.step(step.state, seen if ask.number in read else fresh)
            read.append(ask.number)
        memory = dict(end(step).memory)
        if "watermark" in memory:
            break
    assert set(read) == set(range(1, 9))
    assert memory == {"watermark": NOW.isoformat(), "pages": 8}


# -- over random histories ---------------------------------------------------------------------------------


class Toy:
    """An index, newest first, that lives while it is read."""

    def __init__(self, seed: int, *, per_page: int, tells: bool) -> None:
        self.chance = Random(seed)
        self.per_page = per_page
        self.tells = tells
        self.rows = list(range(self.chance.randint(0, 30)))
        self.next = len(self.rows)
        self.known: dict[int, datetime] = {}
        self.now = NOW
        self.hidden = 0
        """Rows that a removal or a bump may have carried past the reader."""

    def arrive(self, most: int = 20) -> None:
        for _ in range(self.chance.choice((0, 0, 1, self.chance.randint(0, most)))):
            self.rows.insert(0, self.next)
            self.next += 1

    def bump(self) -> None:
        if self.rows:
            self.rows.insert(0, self.rows.pop(self.chance.randrange(len(self.rows))))

    def remove(self) -> None:
        if self.rows:
            self.rows.pop(self.chance.randrange(len(self.rows)))

    def read(self, number: int) -> PageSeen:
        self.now += timedelta(seconds=2)
        shown = self.rows[(number - 1) * self.per_page : number * self.per_page]
        new = [NewRecord(identity_key=str(row), url=None) for row in shown if row not in self.known]
        known = [self.known[row] for row in shown if row in self.known]
        self.known |= {row: self.now for row in shown if row not in self.known}
        last = number * self.per_page >= len(self.rows) if self.tells else None
        return PageSeen(
            purpose=Purpose.INDEX,
            at=self.now,
            number=number,
            new=new,
            known=known,
            last=last,
            shows=str(shown) if shown else "",
        )

    def discover(
        self, memory: dict[str, Any], *, lively: bool, moving: bool, breaks: bool, **limits: Any
    ) -> RunEnd:
        step = start(memory, **limits)
        while not step.done:
            (ask,) = [each for each in step.ask if isinstance(each, IndexPage)]
            if lively:
                self.arrive(most=1)  # not whole pages at once: then nobody could ever read on
            if moving and self.chance.random() < 0.2:
                self.hidden += 1
                self.chance.choice((self.bump, self.remove))()
            if breaks and self.chance.random() < 0.15:
                seen = PageSeen(purpose=Purpose.INDEX, at=self.now, number=ask.number, read=False)
            else:
                seen = self.read(ask.number)
            step = DISCOVERY.step(step.state, seen)
        return DISCOVERY.end(step.state, failed=0, now=self.now)

    def live(self, *, moving: bool, **limits: Any) -> set[int]:
        """Let it live for a while, then be read in peace; what is there and was never found."""
        memory: dict[str, Any] = {}
        for _ in range(self.chance.randint(1, 8)):
            ended = self.discover(memory, lively=True, moving=moving, breaks=True, **limits)
            memory = dict(ended.memory)
            for event in self.chance.sample((self.bump, self.remove, self.arrive), k=2):
                event()
        complete = 0
        self.arrive()
        self.rows = self.rows or [-1]
        for _ in range(300):
            ended = self.discover(memory, lively=False, moving=False, breaks=False, **limits)
            moved = ended.memory.get("watermark") not in (None, memory.get("watermark"))
            memory, complete = dict(ended.memory), complete + moved
            if complete == 2:
                break
        assert complete == 2, "it never comes to an end"
        return set(self.rows) - set(self.known)


LIMITS = st.fixed_dictionaries(
    {"max_items_per_run": st.sampled_from([None, 1, 4]), "max_pages": st.sampled_from([None, 1, 3])}
)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), per_page=st.integers(2, 5), tells=st.booleans(), limits=LIMITS)
def test_no_interruption_leaves_a_gap(seed: int, per_page: int, tells: bool, limits: dict[str, Any]) -> None:
    """Arrivals at any time, removals and bumps between runs, broken walks, slices: all is found."""
    assert Toy(seed, per_page=per_page, tells=tells).live(moving=False, **limits) == set()


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), per_page=st.integers(3, 5), limits=LIMITS)
def test_what_moves_while_it_is_read_can_hide_no_more_than_itself(
    seed: int, per_page: int, limits: dict[str, Any]
) -> None:
    """A removal pulls one row up past the reader; the sweep will find it.

    An arrival and a bump move the whole of a page of two rows: twice in a row, that looks like the end.
    """
    toy = Toy(seed, per_page=per_page, tells=True)
    assert len(toy.live(moving=True, **limits)) <= toy.hidden
