"""Selectors proposed by others: candidates, beside those of the rules.

They are not trusted: they are tried after all others, and what they read needs the same proof.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from larder.core.errors import BadInput
from larder.sdk.selectors import Pick, read_pick
from larder.stages.parse.repair.evidence import PRICE

_NAME = re.compile(r"[.#\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Candidates for one part of a declaration."""

    rows: tuple[str, ...] = ()
    fields: Mapping[str, tuple[Pick, ...]] = field(default_factory=dict)

    def holds(self, name: str, picks: Sequence[Pick]) -> bool:
        """Whether one of these picks of a field was proposed."""
        known = {(pick.css, pick.attr) for pick in self.fields.get(name, ())}
        return any((pick.css, pick.attr) in known for pick in picks)


NOTHING = Proposed()


def read_proposed(part: str, selectors: Mapping[str, Sequence[str]]) -> Proposed:
    """The candidates for a part, from selectors by their path (`index.fields.price`)."""
    fields = {
        path.removeprefix(f"{part}.fields."): _picks(path, named)
        for path, named in selectors.items()
        if path.startswith(f"{part}.fields.")
    }
    return Proposed(rows=_rows(selectors.get(f"{part}.row", ())), fields=fields)


def _picks(path: str, named: Sequence[str]) -> tuple[Pick, ...]:
    """Usable picks; a price must have a name, as in the rules' own proposals, and no alternatives."""
    picks = [pick for pick in (_pick(path, each) for each in named) if pick is not None]
    if not path.endswith(f".{PRICE}"):
        return tuple(picks)
    weak = path.startswith("detail.")
    return tuple(replace(pick, only=True) for pick in picks if not weak or _NAME.search(pick.css))


def _rows(named: Sequence[str]) -> tuple[str, ...]:
    return tuple(pick.css for each in named if (pick := _pick("index.row", each)) and not pick.attr)


def _pick(path: str, named: str) -> Pick | None:
    try:
        return read_pick(named, path)
    except BadInput:
        return None
