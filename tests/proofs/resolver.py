"""The resolver on labelled records: what it links is one thing, and most of what is one thing it links."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations

from sqlalchemy import Connection, select

from larder.core.model.item import Staged
from larder.core.model.job import Purpose
from larder.engine.background.resolver import resolve_batch
from larder.stages.persist import PageItems, persist
from larder.stages.persist.resolve.linking import link_records
from larder.store.database import inline_database
from larder.store.migrations import upgrade
from larder.store.queue import sources
from larder.store.tables import records
from larder.store.tables import sources as _sources
from tests.proofs.labels import AT, OUTLETS, START, Labelled, labelled
from tests.proofs.proof import Part, Stage, proof

PRECISION, RECALL = 0.98, 0.7
CLAIM = (
    "On records of made-up shops, agendas and boards with spoilt titles, missing codes and near-twins, at "
    "least 98 of 100 pairs that the resolver links are one thing, and it links at least 70 of 100 that are."
)

Place = tuple[str, str]
"""A source's slug and its own number of a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Pairs of records of two sources: the same by truth, linked, and both."""

    true: int
    linked: int
    right: int

    @property
    def precision(self) -> float:
        """Of what was linked, the share that is one thing."""
        return self.right / self.linked if self.linked else 1.0

    @property
    def recall(self) -> float:
        """Of what is one thing, the share that was linked."""
        return self.right / self.true if self.true else 1.0


def fill(conn: Connection, labels: Sequence[Labelled]) -> None:
    """Persist the records as pages would, a page for each."""
    slugs = {outlet.slug: _source(conn, outlet.slug) for outlet in OUTLETS}
    loaded = sources.load(conn, list(slugs.values()))
    pages = [
        PageItems(
            job_id=number,
            run_id=1,
            page_id=number,
            source=loaded[slugs[label.source]],
            purpose=Purpose.DETAIL,
            adapter_version="1.0.0",
            fetched_at=AT,
            staged=(_staged(label),),
            number=None,
            discovers=False,
            expects=None,
        )
        for number, label in enumerate(labels, start=1)
    ]
    for at in range(0, len(pages), 200):
        persist(conn, pages[at : at + 200], now=AT)


def _source(conn: Connection, slug: str) -> int:
    outlet = next(each for each in OUTLETS if each.slug == slug)
    row = {
        "slug": slug,
        "kind": outlet.kind,
        "url": f"http://{slug}.test/",
        "adapter": outlet.kind,
        "currency": "EUR",
        "upc_trusted": int(outlet.trusted),
        "visibility": "public",
    }
    added = sources.add(conn, row, now=START)
    sources.adopt(conn, added, sources.ensure_site(conn, f"{slug}.test", {}, now=START), {}, now=START)
    return added


def _staged(label: Labelled) -> Staged:
    url = f"http://{label.source}.test/{label.number}"
    return Staged(
        kind=label.kind,
        identity_key=f"PID:{label.number}",
        url=url,
        canonical_url=url,
        fields={"platform_id": label.number, "url": url, **label.fields},
        strategies={},
    )


def resolve_all(conn: Connection) -> None:
    """Follow the feed to its end."""
    while resolve_batch(conn, now=AT + timedelta(hours=1)) is not None:
        pass


def tally(conn: Connection, labels: Sequence[Labelled]) -> dict[str, Tally]:
    """By kind: what was linked, against what is the same."""
    places = {each.number_of: each for each in _stored(conn)}
    found: dict[str, Tally] = {}
    for kind in sorted({label.kind for label in labels}):
        mine = [label for label in labels if label.kind is kind]
        true = _pairs({(label.source, label.number): label.thing for label in mine})
        linked = _pairs(
            {
                (label.source, label.number): str(entity)
                for label in mine
                if (entity := places[label.source, label.number].entity_id) is not None
            }
        )
        found[kind] = Tally(true=len(true), linked=len(linked), right=len(true & linked))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    number_of: Place
    entity_id: int | None


def _stored(conn: Connection) -> Iterable[_Stored]:
    slugs = {row.id: row.slug for row in conn.execute(select(_sources.c.id, _sources.c.slug))}
    asked = select(records.c.source_id, records.c.platform_id, records.c.entity_id)
    for row in conn.execute(asked):
        yield _Stored(number_of=(slugs[row.source_id], row.platform_id), entity_id=row.entity_id)


def _pairs(groups: Mapping[Place, str]) -> set[frozenset[Place]]:
    """All pairs of two sources that are in one group."""
    together: dict[str, list[Place]] = {}
    for place, group in groups.items():
        together.setdefault(group, []).append(place)
    return {
        frozenset(pair)
        for group in together.values()
        for pair in combinations(group, 2)
        if pair[0][0] != pair[1][0]
    }


def measured(conn: Connection, /, seed: int, **sizes: float) -> dict[str, Tally]:
    """A whole round: label, fill, resolve, count."""
    labels = labelled(
        seed, goods=int(sizes["goods"]), evenings_a_day=sizes["evenings"], flats=int(sizes["flats"])
    )
    fill(conn, labels)
    resolve_all(conn)
    return tally(conn, labels)


def judged(found: Mapping[str, Tally]) -> list[str]:
    """A sentence for each kind that is not as claimed."""
    return [
        f"{kind}: precision {each.precision:.3f}, recall {each.recall:.3f} ({each.true} true pairs)"
        for kind, each in found.items()
        if each.precision < PRECISION or each.recall < RECALL
    ]


def figures(found: Mapping[str, Tally]) -> dict[str, float]:
    """What is written down."""
    told: dict[str, float] = {}
    for kind, each in found.items():
        told |= {
            f"{kind}_pairs": each.true,
            f"{kind}_linked": each.linked,
            f"{kind}_precision": round(each.precision, 4),
            f"{kind}_recall": round(each.recall, 4),
        }
    return told


@proof("resolver", CLAIM, seed=5, part="four times the records")
def growth(stage: Stage) -> Part:
    """The same hundred changes among few records and among many cost the same comparisons."""
    few, many = (_compared(stage.seed, goods) for goods in (300, 1_200))
    figures = {"compared_among_few": few, "compared_among_many": many}
    broken = [] if many <= 1.5 * few else [f"{many:.1f} comparisons a record among many, {few:.1f} among few"]
    return Part(figures=figures, broken=broken)


def _compared(seed: int, goods: int) -> float:
    """Comparisons a record when the first hundred are looked at again."""
    database = inline_database()
    database.now(upgrade.create)
    database.now(measured, seed, goods=goods, evenings=4, flats=goods / 4)
    again = database.now(link_records, range(1, 101), now=AT + timedelta(days=1))
    return again.compared / again.looked_at


@proof("resolver", CLAIM, seed=5, part="labelled pairs")
def labelled_pairs(stage: Stage) -> Part:
    """Several worlds, counted together."""
    summed: dict[str, Counter[str]] = {}
    for seed in range(stage.seed, stage.seed + 4):
        database = inline_database()
        database.now(upgrade.create)
        found = database.now(measured, seed, goods=900, evenings=14, flats=700)
        for kind, each in found.items():
            summed.setdefault(kind, Counter()).update(true=each.true, linked=each.linked, right=each.right)
    whole = {kind: Tally(**counted) for kind, counted in summed.items()}
    return Part(figures=figures(whole), broken=judged(whole))
