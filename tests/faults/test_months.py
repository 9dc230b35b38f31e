"""The short form of the proof `months`: a week on a small site that falls ill again and again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from larder.sim.faults import Fault, FaultKind
from larder.sim.site import HeadSupport, RemovedItems
from larder.store.tables.columns import micros
from tests.proofs import months
from tests.proofs.months import Scene
from tests.proofs.reckoning import DAY, HOUR, START, judged

WEEK = Scene(stock=150, seed=7, days=7)


@pytest.mark.slow
def test_a_week_of_every_trouble_leaves_the_dataset_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = {
        FaultKind.CUT: 5,
        FaultKind.EMPTY: 6,
        FaultKind.LOST: 14,
        FaultKind.BLOCKED: 3,
        FaultKind.REDRAWN: 10,
    }
    begins = [START + (1.3 + 1.1 * n) * DAY for n in range(len(hours))]
    faults = [
        Fault(kind=kind, since=at, until=at + HOUR * lasts)
        for at, (kind, lasts) in zip(begins, hours.items(), strict=True)
    ]
    monkeypatch.setattr(months, "troubles", lambda *_, **__: faults)
    story = months.live_through(
        replace(WEEK, removed=RemovedItems.REDIRECT, head=HeadSupport.LYING), tmp_path
    )
    part = judged(story)
    assert part.broken == []
    assert part.figures["outages"] == len(hours)
    assert part.figures["gone"]["all"] >= 10
    assert part.figures["price changes"]["owed"] >= 5
    assert part.figures["certificates"]["all"] >= 40
    assert part.figures["checks"]["undecided"] > 0, "an outage met a verification"


def test_a_judgement_can_fail(tmp_path: Path) -> None:
    """What is wrong with the books is said: none of the criteria is a formality."""
    story = months.live_through(replace(WEEK, stock=60, days=2, every_days=100), tmp_path)
    story.recalls, story.shown_gone = [0.5], [0.5]
    told = [
        "only 50.00% of live records were shown",
        "50.00% of what was shown was gone",
        "1 records were called gone while they were there",
        "1 records are gone without evidence",
        "price changes were not captured",
        "of the certificates were right",
    ]
    books = dict(story.books)
    (name, *_) = [
        row for row in books["names"] if row.platform_id in story.site.classifieds.live(story.until)
    ]
    early = _Row(record_id=name.id, platform_id=name.platform_id, at=0, outcome="gone", status=410)
    books["gone"] = [early._with(at=_at(1.5)), early._with(at=_at(1.5), record_id=-1)]
    books["against"] = [early._with(at=_at(1.2))]
    books["prices"] = []
    books["certificates"] = [_Row(certificate=_certificate(low=5, high=9))]
    story.books = books
    wrong = judged(story).broken
    assert [any(each in said for said in wrong) for each in told] == [True] * len(told)
    assert len(wrong) == len(told)


class _Row:
    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    def _with(self, **values: object) -> "_Row":
        return _Row(**{**self.__dict__, **values})


def _at(days: float) -> int:
    return micros(START + days * DAY)


def _certificate(*, low: int, high: int) -> str:
    walked = {"began_at": (START + DAY).isoformat(), "ended_at": (START + 1.5 * DAY).isoformat()}
    return json.dumps({**walked, "missed": {"low": low, "high": high}})
