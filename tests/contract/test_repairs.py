"""Repairs in the store, and what operators do with them, on both databases."""

import pytest
from sqlalchemy import Connection

from larder import adapters
from larder.actions.sources import repairs as actions
from larder.core.errors import BadInput
from larder.core.model.run import RunStatus
from larder.runs import EXTRACTING
from larder.sdk.revision import version_of
from larder.store.operations import canaries, repairs
from larder.store.operations.repairs import NewRepair, RepairStatus
from larder.store.queue import runs, sources
from tests.contract.world import DAY, NOW, one, run, source, unit_of_work

DECLARED = {
    "selectors": {
        "index": {"row": "article", "fields": {"title": "h2", "price": ".price"}, "next": "a.next@href"},
        "detail": {"fields": {"title": "h1"}},
    }
}
KNOWN = {adapter.id: adapter for adapter in adapters.known()}


def declaring(conn: Connection) -> int:
    return source(conn, params=DECLARED)


def repair(field: str, before: object, after: object, *, proven: bool = True) -> NewRepair:
    proof = {"proven": proven, "since_page": 7, "doubts": [] if proven else ["two amounts"]}
    return NewRepair(field=field, before=before, after=after, proof=proof)


def suggest(conn: Connection, source_id: int, *found: NewRepair, part: str = "index") -> list[int]:
    return repairs.suggest(conn, source_id, "listing", part, found, now=NOW)


def selectors(conn: Connection, source_id: int) -> dict[str, object]:
    read: dict[str, object] = sources.load(conn, [source_id])[source_id].params["selectors"]["index"]
    return read


@unit_of_work
def test_what_is_applied_lies_over_the_declaration_and_comes_off_again(conn: Connection) -> None:
    homes = declaring(conn)
    ids = suggest(
        conn,
        homes,
        repair("index.row", "article", "li.tile"),
        repair("index.fields.price", ".price", {"css": ".whole, .cents", "join": "."}),
        repair("index.next", "a.next@href", None),
    )
    assert selectors(conn, homes) == DECLARED["selectors"]["index"]
    assert repairs.apply(conn, homes, ids, now=NOW) == ids
    assert selectors(conn, homes) == {
        "row": "li.tile",
        "fields": {"title": "h2", "price": {"css": ".whole, .cents", "join": "."}},
    }
    found = sources.by_slug(conn, "homes")
    assert found is not None
    params = sources.effective_params(found.params, found.repaired)
    assert params["selectors"]["index"]["row"] == "li.tile"
    assert repairs.apply(conn, homes, ids, now=NOW) == []
    assert repairs.revert(conn, homes, ids, now=NOW) == ids
    assert selectors(conn, homes) == DECLARED["selectors"]["index"]
    assert one(conn, "SELECT count(*) FROM repairs WHERE status = 'taken_back' AND taken_back_at > 0") == 3


@unit_of_work
def test_a_repair_of_a_repair_holds_and_the_authors_new_word_wins(conn: Connection) -> None:
    homes = declaring(conn)
    repairs.apply(conn, homes, suggest(conn, homes, repair("index.row", "article", "li")), now=NOW)
    repairs.apply(conn, homes, suggest(conn, homes, repair("index.row", "li", "section")), now=NOW)
    assert selectors(conn, homes)["row"] == "section"
    mine = {"selectors": {**DECLARED["selectors"], "index": {"row": "div.mine", "fields": {"title": "h2"}}}}
    sources.update_source(conn, homes, {"params": mine}, now=NOW)
    assert selectors(conn, homes)["row"] == "div.mine"


@unit_of_work
def test_a_later_look_takes_the_place_of_an_earlier_one_part_by_part(conn: Connection) -> None:
    homes = declaring(conn)
    suggest(conn, homes, repair("index.row", "article", "li"))
    suggest(conn, homes, repair("detail.fields.title", "h1", "h2"), part="detail")
    suggest(conn, homes, repair("index.row", "article", "tr"))
    waiting = repairs.list_by_source(conn, homes, RepairStatus.SUGGESTED)
    assert [(row.field, row.after) for row in waiting] == [("detail.fields.title", "h2"), ("index.row", "tr")]
    assert repairs.supersede(conn, homes, "index") == 1
    assert len(repairs.list_by_source(conn, homes, RepairStatus.SUPERSEDED, part="index")) == 2


@unit_of_work
def test_the_same_look_twice_leaves_one_suggestion_with_the_later_proof(conn: Connection) -> None:
    homes = declaring(conn)
    css = {"css": ".a, .b", "join": "."}
    first = suggest(conn, homes, repair("index.fields.price", ".price", css, proven=False))
    assert suggest(conn, homes, repair("index.fields.price", ".price", css)) == first
    (row,) = repairs.list_by_source(conn, homes)
    assert row.proof["proven"]


@unit_of_work
def test_an_operator_applies_only_what_is_proven(conn: Connection) -> None:
    homes = declaring(conn)
    before = version_of(KNOWN["listing"], DECLARED)
    canaries.record_run(conn, homes, before, now=NOW)
    suggest(conn, homes, repair("index.fields.price", ".price", ".amount", proven=False))
    with pytest.raises(BadInput, match="nothing is proven"):
        actions.apply(conn, "homes", KNOWN, who="ann", now=NOW)
    suggest(conn, homes, repair("index.row", "article", "li"))
    view = actions.apply(conn, "homes", KNOWN, who="ann", now=NOW)
    assert [(each.field, each.status) for each in view.applied] == [("index.row", "applied")]
    after = version_of(KNOWN["listing"], sources.load(conn, [homes])[homes].params)
    assert after != before
    assert canaries.active_versions(conn, [homes]) == {homes: after}
    back = actions.revert(conn, "homes", KNOWN, who="ann", now=NOW + DAY)
    assert (back.applied, back.earlier[0].status) == ([], "taken_back")
    assert canaries.active_versions(conn, [homes]) == {homes: before}
    with pytest.raises(BadInput, match="no repair of homes is applied"):
        actions.revert(conn, "homes", KNOWN, who="ann", now=NOW + DAY)
    assert one(conn, "SELECT count(*) FROM audit WHERE subject = 'homes'") == 2
    assert [each.source for each in actions.list_repairs(conn, "taken_back")] == ["homes"]


@unit_of_work
def test_only_what_declares_selectors_can_be_healed(conn: Connection) -> None:
    source(conn)
    with pytest.raises(BadInput, match="declares no selectors"):
        actions.show(conn, "homes")
    with pytest.raises(BadInput, match="unknown repair status"):
        actions.list_repairs(conn, "mended")


@unit_of_work
def test_each_ended_run_is_looked_at_once(conn: Connection) -> None:
    homes = declaring(conn)
    assert repairs.claim_ended_runs(conn, EXTRACTING, limit=10, now=NOW) == []
    ended = [_ended(conn, homes, number) for number in range(3)]
    assert repairs.claim_ended_runs(conn, EXTRACTING, limit=2, now=NOW + DAY) == ended[:2]
    assert repairs.claim_ended_runs(conn, EXTRACTING, limit=2, now=NOW + DAY) == ended[2:]
    assert repairs.claim_ended_runs(conn, EXTRACTING, limit=2, now=NOW + DAY) == []
    assert repairs.last_run(conn, homes, EXTRACTING) == ended[-1]


def _ended(conn: Connection, source_id: int, number: int) -> int:
    opened = run(conn, source_id, now=NOW)
    runs.close(conn, opened, RunStatus.COMPLETED, now=NOW + DAY / 2 + number // 2 * DAY / 4)
    return opened
