"""Run kinds as folds: a small state, a step for each page, no IO.

A step runs in the transaction that stores the page's data, so a run can be interrupted at any moment.
"""

from collections.abc import Mapping

from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.runs.collect import COLLECT
from larder.runs.discovery import DISCOVERY
from larder.runs.fold import Fold, FoldStep, LastRun, RunEnd, RunStart
from larder.runs.monitor import MONITOR
from larder.runs.sweep import SWEEP
from larder.runs.verification import VERIFICATION

FOLDS: Mapping[RunKind, Fold] = {
    fold.kind: fold for fold in (COLLECT, DISCOVERY, SWEEP, VERIFICATION, MONITOR)
}
"""All run kinds."""
EXTRACTING = tuple(kind for kind, fold in FOLDS.items() if fold.extracts)
"""The kinds that read items from pages."""
INTERVALS = tuple(f"{kind}_every" for kind, fold in FOLDS.items() if fold.adjustable)
"""The names under which a source or a deployment sets intervals of its own."""


def run_kinds(plan: Plan) -> tuple[RunKind, ...]:
    """The run kinds that a source with this plan has."""
    return tuple(kind for kind, fold in FOLDS.items() if plan in fold.plans)


__all__ = [
    "EXTRACTING",
    "FOLDS",
    "INTERVALS",
    "Fold",
    "FoldStep",
    "LastRun",
    "RunEnd",
    "RunStart",
    "run_kinds",
]
