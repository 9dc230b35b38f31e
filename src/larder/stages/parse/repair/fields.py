"""Finds the selectors that read a field now.

A selector is proven if it gives the right value in every row of every page, and never another value.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from larder.sdk.selectors import Field, Pick
from larder.stages.parse.repair.candidates import candidate_selectors
from larder.stages.parse.repair.evidence import Evidence, read_field


def find_selectors(
    old: Field, evidence: Evidence, *, least: int, proposed: Sequence[Pick] = ()
) -> tuple[Pick, ...]:
    """The alternatives that read a field now; none if nothing is proven.

    `proposed`: further candidates, which are tried last and judged like all others.
    """
    best: tuple[int, Pick] | None = None
    more = [replace(pick, many=any(each.many for each in old.picks)) for pick in proposed]
    for pick in chain(candidate_selectors(old, evidence.scopes, evidence.places), more):
        judged = evidence.tally(old.name, [pick])
        if not judged.harmless or evidence.contradicts(old.name, [pick]):
            continue
        if judged.sound(least):
            return (pick,)
        if judged.agreed >= least and (best is None or judged.agreed > best[0]):
            best = (judged.agreed, pick)
    return _with_another(old, best[1], evidence, more, least=least) if best else ()


def _with_another(
    old: Field, first: Pick, evidence: Evidence, more: Sequence[Pick], *, least: int
) -> tuple[Pick, ...]:
    """A second alternative for rows of another structure, in which the first finds nothing."""
    left = [
        scope
        for scope in evidence.scopes
        if read_field(old.name, [first], scope) is None and evidence.places.shows(scope, old.name)
    ]
    for pick in chain(candidate_selectors(old, left, evidence.places), more):
        both = (first, pick)
        if evidence.tally(old.name, both).sound(least) and not evidence.contradicts(old.name, both):
            return both
    return ()
