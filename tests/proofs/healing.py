"""Redesigns heal: a declaration that a new layout broke is mended without a person, and never wrongly."""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from larder.core.model.item import Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.sdk.page import Page
from larder.sdk.selectors import read_selectors
from larder.sim.agenda import AgendaTruth
from larder.sim.agenda_site import AgendaSite
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.layouts import Layout, agenda_pages, selectors, shop_pages
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import SimRequest, SimSite
from larder.stages.normalize import Context, fields_without_validation, normalize
from larder.stages.parse.declared import selectors as read_declared
from larder.stages.parse.extraction_task import ExtractionTask
from larder.stages.parse.repair import (
    Sample,
    SelectorChange,
    Suggestion,
    known_rows_of_pages,
    suggest_detail,
    suggest_index,
)
from tests.proofs.proof import Part, Stage, proof
from tests.proofs.redrawn import ALL, Redrawing

START = datetime(2026, 3, 2, tzinfo=UTC)
LATER = START + timedelta(hours=20)
HEALED = 0.8
SITES = 3
PAGES = 3
THINGS = 6
CLAIM = "Four of five redesigns of the made-up sites are healed without a person, and none is healed wrongly."


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A made-up site and the source that reads it."""

    site: SimSite
    source: Source
    declared: Mapping[str, Any]


def subject(kind: str, seed: int) -> Subject:
    """A site of its own for each seed."""
    match kind:
        case "shop":
            shop = ShopTruth(seed=seed, start=START)
            site: SimSite = ShopSite(name="shop.test", assortment=shop, layout=Layout.CARDS, per_page=15)
            declared, kind_ = shop_pages.SELECTORS, Kind.PRODUCT
        case "agenda":
            site = AgendaSite(
                name="agenda.test",
                agenda=AgendaTruth(seed=seed, start=START),
                layout=Layout.CARDS,
                per_page=15,
            )
            declared, kind_ = agenda_pages.SELECTORS, Kind.EVENT
        case _:
            truth = ClassifiedsTruth(seed=seed, start=START, stock=60, price_changes_per_day=0.08)
            site = ClassifiedsSite(name="homes.test", classifieds=truth, layout=Layout(kind), per_page=15)
            declared, kind_ = selectors(Layout(kind)), Kind.LISTING
    source = Source(
        id=1, slug="it", name="It", kind=kind_, site_id=1, adapter="x", url=f"http://{site.name}{site.INDEX_PATH}",
        currency="EUR", tz="Europe/Amsterdam", latitude=52.0, longitude=5.0,
    )  # fmt: skip
    return Subject(site=site, source=source, declared=declared)


def fetched(of: Subject, url: str, at: datetime, how: Redrawing | None = None) -> Sample:
    """A page as it is, or as it is redrawn."""
    html = of.site.respond(SimRequest.of(url), at).body.decode()
    return Sample(page=Page(url, how.redraw(html) if how else html), at=at)


def understand(of: Subject, *, index: bool) -> Any:
    """What raw fields mean to a source."""

    def meaning(raw: Mapping[str, Any], sample: Sample) -> Mapping[str, Any]:
        return fields_without_validation(Item(fields=raw), context(of, sample, index=index))

    return meaning


def context(of: Subject, sample: Sample, *, index: bool) -> Context:
    """What surrounds an item of a page."""
    return Context.of(of.source, base_url=sample.page.url, observed_at=sample.at, index=index)


def read(
    of: Subject, declared: Mapping[str, Any], sample: Sample, purpose: Purpose
) -> dict[str, dict[str, Any]]:
    """What a declaration makes of a page: values by address."""
    both = read_selectors(declared)
    part = both.index if purpose is Purpose.INDEX else both.detail
    task = ExtractionTask(page=sample.page, kind=of.source.kind, purpose=purpose, declared=part)
    found: dict[str, dict[str, Any]] = {}
    for item in read_declared(task):
        verdict = normalize(item, context(of, sample, index=purpose is Purpose.INDEX))
        if isinstance(verdict, Staged):
            found[verdict.canonical_url or verdict.identity_key] = dict(verdict.fields)
    return found


def overlaid(declared: Mapping[str, Any], changes: Iterable[SelectorChange]) -> dict[str, Any]:
    """A declaration with changes in their places."""
    mended: dict[str, Any] = deepcopy(dict(declared))
    for change in changes:
        *way, last = change.path.split(".")
        at = mended
        for name in way:
            at = at[name]
        if change.after is None:
            at.pop(last, None)
        else:
            at[last] = change.after
    return mended


@proof("healing", CLAIM, seed=11)
def redesigns(stage: Stage) -> Part:
    """Every redesign, each on three sites of its own."""
    return judged([undergo(how, stage.seed + number) for number in range(SITES) for how in ALL])


def judged(outcomes: Sequence["Outcome"]) -> Part:
    """How many were healed, and what went wrong."""
    healed = [each for each in outcomes if each.healed]
    wrong = [each for each in outcomes if each.wrongly]
    share = len(healed) / max(1, len(outcomes))
    left = sorted({each.how.name for each in outcomes if not each.healed and not each.wrongly})
    figures = {
        "redesigns": len({each.how.name for each in outcomes}),
        "tried": len(outcomes),
        "healed": len(healed),
        "share": round(share, 3),
        "wrongly": len(wrong),
        "left to a person": left,
    }
    broken = [f"{each.how.name}: {each.wrong[0]}" for each in wrong]
    broken += [
        f"{each.how.name}: healed although nothing could be proven" for each in healed if each.how.trap
    ]
    if share < HEALED:
        broken.append(f"only {share:.0%} were healed")
    return Part(figures=figures, broken=broken)


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What became of one redesign."""

    how: Redrawing
    suggestions: list[Suggestion] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def healed(self) -> bool:
        """Everything is read as it is, without a person."""
        mended = all(each.proven or not each.broken for each in self.suggestions)
        return mended and not self.wrong and not self.missing

    @property
    def wrongly(self) -> bool:
        """A repair was applied that reads what is not so."""
        return bool(self.wrong)


def undergo(how: Redrawing, seed: int) -> Outcome:
    """Redraw a site, mend its declaration from a few pages, and read others with it."""
    of = subject(how.site, seed)
    outcome = Outcome(how=how)
    indexes = [f"{of.source.url}?page={number}" for number in range(1, PAGES + 1)]
    old = [fetched(of, url, START) for url in indexes]
    new = [fetched(of, indexes[0], LATER, how)]
    index = suggest_index(of.declared["index"], old, new, understand(of, index=True))
    outcome.suggestions.append(index)
    declared = overlaid(of.declared, index.changes) if index.proven else dict(of.declared)
    truth = [url for page in indexes for url in _truth(of, fetched(of, page, LATER), Purpose.INDEX)]
    before = [url for page in old for url in _truth(of, page, Purpose.INDEX)]
    there = [url.replace("https://", "http://") for url in truth if url in before]
    told = known_rows_of_pages(of.declared["index"], old, understand(of, index=True))
    detail = suggest_detail(
        of.declared["detail"],
        [fetched(of, url, START) for url in there[:THINGS]],
        [fetched(of, url, LATER, how) for url in there[:THINGS]],
        understand(of, index=False),
        known_before=told,
    )
    outcome.suggestions.append(detail)
    declared = overlaid(declared, detail.changes) if detail.proven else declared
    for url in indexes:
        if index.proven or not index.broken:
            _compare(of, declared, outcome, url, Purpose.INDEX)
    for url in there:
        if detail.proven or not detail.broken:
            _compare(of, declared, outcome, url, Purpose.DETAIL)
    return outcome


def _truth(of: Subject, sample: Sample, purpose: Purpose) -> dict[str, dict[str, Any]]:
    return read(of, of.declared, sample, purpose)


def _compare(of: Subject, declared: Mapping[str, Any], outcome: Outcome, url: str, purpose: Purpose) -> None:
    """A page as it is read now, beside what it would say in its old layout."""
    truth = _truth(of, fetched(of, url, LATER), purpose)
    now = read(of, declared, fetched(of, url, LATER, outcome.how), purpose)
    for key in now.keys() - truth.keys():
        outcome.wrong.append(f"{purpose} {key} is none")
    for key, fields in truth.items():
        said = now.get(key)
        if said is None:
            outcome.missing.append(f"{purpose} {key}")
            continue
        for name, value in fields.items():
            if name in outcome.how.gone:
                continue
            if name not in said:
                outcome.missing.append(f"{purpose} {key} {name}")
            elif said[name] != value:
                outcome.wrong.append(f"{purpose} {key} {name}: {said[name]!r} is {value!r}")
