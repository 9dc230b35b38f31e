from dataclasses import asdict, dataclass

from larder.core.model.item import RowShape
from larder.runs.fold_state import as_state
from larder.runs.index_walk import Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    walk: Walk
    pages: int = 3


def test_a_state_is_stored_as_asdict_gives_it() -> None:
    shape = RowShape(path="/ul/li/a/", address="/x", height=1, names=("row",))
    state = State(walk=Walk(trail=[(2, "https://homes.test/?p=2")], row_shapes=(shape,)))
    assert as_state(state) == asdict(state)
