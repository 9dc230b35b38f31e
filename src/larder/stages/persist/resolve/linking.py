"""Links changed records to entities, in one unit of work; idempotent.

A record joins the entity of its best match, unless one of that entity's records is surely another thing, or
of the same source, or a person has taken them apart before. A link that no longer holds is taken back; one
that was made by hand stays.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from larder.core.model.item import BY_HAND
from larder.core.model.source import Kind
from larder.stages.persist.resolve import BAR, Facts, Judgement, judge, keys
from larder.store.database import Connection, moment_or_none
from larder.store.database.statement import json_value
from larder.store.dataset import entities
from larder.store.dataset.entities import RESOLVER, EntityLink, LinkState, RecordFacts

SLACK = 0.1
"""A link stays until its score falls so far below the bar: no flicker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The counts of one round."""

    looked_at: int = 0
    compared: int = 0
    """Pairs that shared a key."""
    linked: int = 0
    withdrawn: int = 0

    def __add__(self, other: "Resolved") -> "Resolved":
        return Resolved(
            looked_at=self.looked_at + other.looked_at,
            compared=self.compared + other.compared,
            linked=self.linked + other.linked,
            withdrawn=self.withdrawn + other.withdrawn,
        )


def link_records(conn: Connection, record_ids: Iterable[int], *, now: datetime) -> Resolved:
    """Link or unlink these records by their present values."""
    rows = entities.load_facts(conn, record_ids)
    active = {row.id: _facts(row) for row in rows if row.active}
    found = {i: keys(facts) for i, facts in active.items()}
    entities.set_keys(conn, {row.id: found.get(row.id, []) for row in rows})
    pairs = entities.find_sharing_keys(
        conn, [entities.EntityKey(key, i, active[i].source_id) for i, own in found.items() for key in own]
    )
    table = _LinkTable.load(conn, active, pairs)
    for record_id in sorted(active):
        table.relink(record_id)
    return table.write(conn, looked_at=len(rows), now=now)


def _facts(row: RecordFacts) -> Facts:
    return Facts(
        source_id=row.source_id,
        kind=Kind(row.kind),
        title=row.title,
        trusted=bool(row.upc_trusted),
        brand=row.brand,
        price=row.price_minor,
        currency=row.currency,
        latitude=row.latitude,
        longitude=row.longitude,
        starts_at=moment_or_none(row.starts_at),
        content=json_value(row.content) or {},
    )


@dataclass(slots=True, kw_only=True)
class _LinkTable:
    """All that a round looks at, and what it decides."""

    facts: dict[int, Facts]
    active: set[int]
    entity_of: dict[int, int]
    """Entities that do not exist yet have negative numbers."""
    members: dict[int, set[int]]
    near: Mapping[int, Sequence[int]]
    by_hand: set[int]
    unlinked_by_hand: Mapping[int, set[int]]
    """The entities that a person took a record from."""
    ever: Mapping[int, set[int]]
    """The entities that a record belongs to or once belonged to."""
    linked: dict[int, tuple[Judgement, int]] = field(default_factory=dict)
    """Why each belongs where it now does: what was said of it, and of whom beside it."""
    withdrawn: set[int] = field(default_factory=set)
    judged: dict[tuple[int, int], Judgement] = field(default_factory=dict)

    @classmethod
    def load(
        cls, conn: Connection, facts: Mapping[int, Facts], pairs: Sequence[tuple[int, int]]
    ) -> "_LinkTable":
        """Load the records, those that share a key with them, and the members of their entities."""
        near: dict[int, list[int]] = {}
        for record_id, other in pairs:
            near.setdefault(record_id, []).append(other)
        rows = list(entities.load_facts(conn, {*facts, *(other for _, other in pairs)}))
        belonging = entities.list_members(conn, {row.entity_id for row in rows if row.entity_id is not None})
        rows += entities.load_facts(conn, {row.id for row in belonging} - {row.id for row in rows})
        members: dict[int, set[int]] = {}
        for row in belonging:
            members.setdefault(row.entity_id, set()).add(row.id)
        links = entities.list_links(conn, (row.id for row in rows))
        return cls(
            facts={row.id: facts.get(row.id) or _facts(row) for row in rows},
            active={row.id for row in rows if row.active},
            entity_of={row.id: row.entity_id for row in rows if row.entity_id is not None},
            members=members,
            near=near,
            by_hand={link.record_id for link in links if link.undone_at is None and link.rule == BY_HAND},
            unlinked_by_hand=_entities(
                link for link in _latest(links) if link.undone_by not in (None, RESOLVER)
            ),
            ever=_entities(links),
        )

    def relink(self, record_id: int) -> None:
        """Keep, remove or add the link of one record; its other matches follow."""
        matches = self._matches(record_id)
        if record_id in self.entity_of and not self._holds(record_id):
            self._withdraw(record_id)
        if record_id not in self.entity_of:
            self._join(record_id, matches)
        for _, other in matches:
            self._merge_entity(other, record_id)

    def _holds(self, record_id: int) -> bool:
        if record_id in self.by_hand:
            return True
        others = self.members[self.entity_of[record_id]] - {record_id}
        return not others or any(self._judge(record_id, other).score >= BAR - SLACK for other in others)

    def _withdraw(self, record_id: int) -> None:
        self.members[self.entity_of.pop(record_id)].discard(record_id)
        if record_id in self.linked:
            del self.linked[record_id]
        else:
            self.withdrawn.add(record_id)

    def _join(self, record_id: int, matches: Sequence[tuple[Judgement, int]]) -> None:
        """The best match's entity that has room for it; a match that has none founds one."""
        for judgement, other in matches:
            if other not in self.entity_of:
                self._add(other, -len(self.members) - 1, judgement, record_id)
            if self._may_join(record_id, self.entity_of[other]):
                self._add(record_id, self.entity_of[other], judgement, other)
                return

    def _merge_entity(self, other: int, record_id: int) -> None:
        """Merge another entity's members, if each of them may join."""
        entity, other_entity = self.entity_of.get(record_id), self.entity_of.get(other)
        if entity is None or other_entity == entity:
            return
        group = sorted(self.members[other_entity]) if other_entity is not None else [other]
        if any(each in self.by_hand or not self._may_join(each, entity) for each in group):
            return
        for each in group:
            judgement, beside = self._nearest(each, entity)
            if other_entity is not None:
                self._withdraw(each)
            self._add(each, entity, judgement, beside)

    def _nearest(self, record_id: int, entity: int) -> tuple[Judgement, int]:
        judged = ((self._judge(record_id, other), other) for other in sorted(self.members[entity]))
        return max(judged, key=lambda pair: pair[0].score)

    def _add(self, record_id: int, entity: int, judgement: Judgement, beside: int) -> None:
        self.members.setdefault(entity, set()).add(record_id)
        self.entity_of[record_id] = entity
        self.linked[record_id] = judgement, beside

    def _matches(self, record_id: int) -> list[tuple[Judgement, int]]:
        """The best first; of equals the oldest record."""
        judged = ((self._judge(record_id, other), other) for other in self.near.get(record_id, ()))
        found = [
            (judgement, o)
            for judgement, o in judged
            if judgement.same and not self._was_separated(record_id, o)
        ]
        return sorted(found, key=lambda pair: (-pair[0].score, pair[1]))

    def _may_join(self, record_id: int, entity: int) -> bool:
        """Nobody there is of the same source and still there, or surely another thing, or was taken apart.

        Whom a person put there may look like another thing: they knew better.
        """
        source = self.facts[record_id].source_id
        return all(
            (self.facts[other].source_id != source or other not in self.active)
            and (other in self.by_hand or not self._judge(record_id, other).ruled_out)
            and not self._was_separated(record_id, other)
            for other in self.members[entity]
        )

    def _was_separated(self, one: int, two: int) -> bool:
        """Did a person take one of them from an entity that the other belongs or belonged to?"""
        nothing: set[int] = set()
        return any(
            self.unlinked_by_hand.get(a, nothing) & self.ever.get(b, nothing)
            for a, b in ((one, two), (two, one))
        )

    def _judge(self, one: int, two: int) -> Judgement:
        """Judge each pair once."""
        pair = (min(one, two), max(one, two))
        if pair not in self.judged:
            self.judged[pair] = judge(self.facts[pair[0]], self.facts[pair[1]])
        return self.judged[pair]

    def write(self, conn: Connection, *, looked_at: int, now: datetime) -> Resolved:
        """Write the decisions."""
        withdrawn = entities.unlink(conn, sorted(self.withdrawn), who=RESOLVER, now=now)
        named: dict[int, int] = {}
        links: list[EntityLink] = []
        for record_id in sorted(self.linked):
            entity, (judgement, beside) = self.entity_of[record_id], self.linked[record_id]
            if entity < 0 and entity not in named:
                facts = self.facts[min(self.members[entity])]
                named[entity] = entities.create(conn, kind=facts.kind, title=facts.title, now=now)
            links.append(
                EntityLink(
                    record_id=record_id,
                    source_id=self.facts[record_id].source_id,
                    entity_id=named.get(entity, entity),
                    score=judgement.score,
                    rule=judgement.rule,
                    explanation={"beside": beside, "because": judgement.explanation()},
                )
            )
        entities.link(conn, links, now=now)
        compared = sum(map(len, self.near.values()))
        return Resolved(looked_at=looked_at, compared=compared, linked=len(links), withdrawn=withdrawn)


def _latest(links: Iterable[LinkState]) -> Iterable[LinkState]:
    """The latest decision on each record and entity."""
    return {(link.record_id, link.entity_id): link for link in links}.values()


def _entities(links: Iterable[LinkState]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for link in links:
        found.setdefault(link.record_id, set()).add(link.entity_id)
    return found
