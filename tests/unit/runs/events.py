"""Events for folds, with the least that each needs, and a source to start them with."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from larder.core.model.job import Purpose
from larder.core.model.run import CheckResult, NewRecord, PageSeen, Trigger
from larder.core.model.source import Kind, Source
from larder.runs.fold import IndexPage, Request, RunStart, State

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def source(**values: Any) -> Source:
    given = {"id": 1, "slug": "homes", "name": "Homes", "kind": Kind.LISTING, "site_id": 1}
    return Source(**{**given, "adapter": "listing", "url": "https://homes.test/listings", **values})


def start(
    memory: Mapping[str, Any] | None = None, *, trigger: Trigger = Trigger.SCHEDULED, **values: Any
) -> RunStart:
    return RunStart(source=source(**values), memory=memory or {}, trigger=trigger, now=NOW)


def page(
    *, new: int = 0, known: int = 0, last: bool | None = None, advertised: int | None = None, shows: str = ""
) -> PageSeen:
    """An index page that was read."""
    arrivals = [NewRecord(identity_key=f"PID:{n}", url=f"https://homes.test/{n}") for n in range(new)]
    return PageSeen(
        purpose=Purpose.INDEX,
        at=NOW,
        new=arrivals,
        known=[NOW] * known,
        last=last,
        advertised=advertised,
        shows=shows,
    )


def unread(*, missing: bool = False) -> PageSeen:
    """An index page that never came, or that the site says is none."""
    return PageSeen(purpose=Purpose.INDEX, at=NOW, read=False, missing=missing)


def detail(*, read: bool = True) -> PageSeen:
    return PageSeen(purpose=Purpose.DETAIL, at=NOW, read=read)


def check(check_result: CheckResult, *, control: bool = False) -> PageSeen:
    return PageSeen(purpose=Purpose.CHECK, at=NOW, read=False, check_result=check_result, control=control)


def target(*, read: bool = True) -> PageSeen:
    return PageSeen(purpose=Purpose.TARGET, at=NOW, read=read)


def pages_of(asked: Sequence[Request]) -> list[int]:
    """The index pages among what a step asks for."""
    return [ask.number for ask in asked if isinstance(ask, IndexPage)]


def size(state: State) -> int:
    """What a state weighs as JSON: it must be JSON, and stay small."""
    return len(orjson.dumps(dict(state)))
