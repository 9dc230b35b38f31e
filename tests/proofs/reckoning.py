"""What the books of a proof say, beside the truth: all figures of `months`, and what speaks against it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import ceil
from statistics import mean
from typing import Any

from larder.core.policy.trust.verification import STRIKES_APART, STRIKES_TO_GONE
from larder.runs import sweep
from larder.runs.sweep import OVERLAP, PAGES
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.faults import Fault, FaultKind
from larder.store.tables.columns import moment
from tests.proofs.proof import Part
from tests.proofs.truthbook import Stay, Truth, Uptime

START = datetime(2026, 1, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WALK = timedelta(minutes=20)
"""What a pass takes besides waiting for its next sweep."""
RECALL, SHOWN_GONE, CERTIFIED = 0.99, 0.06, 0.85


@dataclass(slots=True, kw_only=True)
class Story:
    """What was measured on the way, and the books at the end."""

    site: ClassifiedsSite
    until: datetime
    sweeps: int = 1
    """That a pass through the index takes."""
    recalls: list[float] = field(default_factory=list)
    shown_gone: list[float] = field(default_factory=list)
    requests: int = 0
    books: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def sweep_cycle(sweeps: int) -> timedelta:
    """After which every page of the index has been read again."""
    return sweep.EVERY * sweeps + WALK


def sweeps_of(rows: int, per_page: int) -> int:
    """How many sweeps a pass through so many rows takes; each goes back a little before it goes on."""
    pages = ceil(rows / per_page)
    return max(1, ceil((pages - OVERLAP) / (PAGES - OVERLAP)))


def judged(story: Story) -> Part:
    """What the books say, beside the truth."""
    truth = Truth.of(story.site, until=story.until)
    figures: dict[str, Any] = {"days": round((story.until - START) / DAY, 1), "requests": story.requests}
    figures["outages"] = len(story.site.faults)
    broken = [*_recalled(story, figures), *_gone(story, truth, figures)]
    broken += [*_priced(story, truth, figures), *_certified(story, truth, figures)]
    figures["runs"] = {f"{row.kind} {row.status}": row.runs for row in story.books["runs"]}
    figures["checks"] = {row.outcome: row.checks for row in story.books["checks"]}
    figures["alerts"] = {row.name: row.times for row in story.books["alerts"]}
    return Part(figures=figures, broken=broken)


def _recalled(story: Story, figures: dict[str, Any]) -> Iterator[str]:
    recall, gone = mean(story.recalls), mean(story.shown_gone)
    figures["recall"] = {"mean": round(recall, 5), "worst day": round(min(story.recalls), 5)}
    figures["shown although gone"] = {"mean": round(gone, 5), "worst day": round(max(story.shown_gone), 5)}
    if recall < RECALL:
        yield f"only {recall:.2%} of live records were shown"
    if gone > SHOWN_GONE:
        yield f"{gone:.2%} of what was shown was gone"


def _gone(story: Story, truth: Truth, figures: dict[str, Any]) -> Iterator[str]:
    """Every gone has its evidence, and none of it dates from a moment at which the record was there."""
    against: dict[int, list[Any]] = {}
    for row in story.books["against"]:
        against.setdefault(row.record_id, []).append(row)
    wrong, bare = [], []
    for row in story.books["gone"]:
        evidence = _evidence([each for each in against.get(row.record_id, ()) if each.at <= row.at])
        if not evidence:
            bare.append(row.platform_id)
        if any(truth.there(row.platform_id, moment(each.at)) for each in evidence):
            wrong.append(row.platform_id)
    figures["gone"] = {"all": len(story.books["gone"]), "wrongly": len(wrong), "without evidence": len(bare)}
    if wrong:
        yield f"{len(wrong)} records were called gone while they were there, such as {wrong[0]}"
    if bare:
        yield f"{len(bare)} records are gone without evidence, such as {bare[0]}"


def _evidence(against: Sequence[Any]) -> Sequence[Any]:
    """The checks that made a record gone: the site's word, or strikes that lie far enough apart."""
    if not against or against[-1].outcome == "gone":
        return against[-1:]
    strikes = against[-STRIKES_TO_GONE:]
    apart = all(moment(b.at) - moment(a.at) >= STRIKES_APART for a, b in pairwise(strikes))
    return strikes if len(strikes) == STRIKES_TO_GONE and apart else ()


def _priced(story: Story, truth: Truth, figures: dict[str, Any]) -> Iterator[str]:
    """Each change that stayed for a sweep cycle of a well site is among the observations."""
    known: dict[tuple[str, int], list[Any]] = {}
    for row in story.books["prices"]:
        known.setdefault((row.platform_id, row.amount), []).append(row)
    uptime = _recovered(story)
    cycle = sweep_cycle(story.sweeps)
    owed = [each for each in truth.changes if uptime_of(each.stay, uptime) >= cycle]
    lost = [
        each
        for each in owed
        if not any(
            moment(row.observed_at) <= each.stay.until and moment(row.confirmed_at) >= each.stay.since
            for row in known.get((each.platform_id, each.price), ())
        )
    ]
    figures["price changes"] = {"all": len(truth.changes), "owed": len(owed), "lost": len(lost)}
    if lost:
        yield f"{len(lost)} price changes were not captured, such as {lost[0]}"


def _recovered(story: Story) -> Uptime:
    """When the site was well and we had noticed: from the end of the first run that began in a stretch."""
    ended = [(moment(row.started_at), moment(row.finished_at)) for row in story.books["ended"]]
    faults = []
    for fault in sorted(story.site.faults, key=lambda each: each.since):
        if fault.kind is FaultKind.REDRAWN:
            continue
        again = next((end for start, end in ended if start >= fault.until), story.until)
        faults.append(Fault(kind=fault.kind, since=fault.since, until=again))
    return Uptime.of(faults, since=START, until=story.until)


def uptime_of(stay: Stay, uptime: Uptime) -> timedelta:
    """The longest stretch of a stay within which the site was well."""
    overlaps = (min(s.until, stay.until) - max(s.since, stay.since) for s in uptime.stretches)
    return max((each for each in overlaps if each > timedelta(0)), default=timedelta(0))


def _certified(story: Story, truth: Truth, figures: dict[str, Any]) -> Iterator[str]:
    """How often the truth lies within a certificate's interval."""
    names = {row.id: row.platform_id for row in story.books["names"]}
    seen = [(moment(row.seen_at), json.loads(row.records)) for row in story.books["sightings"]]
    right, missed = 0, 0
    certificates = [json.loads(row.certificate) for row in story.books["certificates"]]
    first = 0
    for each in certificates:
        began, ended = (datetime.fromisoformat(each[name]) for name in ("began_at", "ended_at"))
        while first < len(seen) and seen[first][0] < began:
            first += 1
        shown: set[str] = set()
        for at, ids in seen[first:]:
            if at > ended:
                break
            shown.update(names[i] for i in ids)
        unseen = len(truth.there_throughout(began, ended) - shown)
        missed += unseen
        right += each["missed"]["low"] <= unseen <= each["missed"]["high"]
    share = right / max(1, len(certificates))
    figures["certificates"] = {
        "all": len(certificates),
        "right": round(share, 4),
        "really missed": missed,
    }
    if share < CERTIFIED:
        yield f"only {share:.1%} of the certificates were right"
