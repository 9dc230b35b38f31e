"""Run kinds as folds: a small state, a step for each page, no IO.

A step runs inside the transaction that stored the page's data, on what persisting found out; so a run can be
cut at any moment and goes on as if it had not been.
"""

from larder.core.model.run import RunKind
from larder.runs.collect import COLLECT
from larder.runs.discovery import DISCOVERY
from larder.runs.fold import Fold, FoldStep, RunEnd, RunStart
from larder.runs.monitor import MONITOR
from larder.runs.sweep import SWEEP
from larder.runs.verification import VERIFICATION

FOLDS: dict[RunKind, Fold] = {
    RunKind.COLLECT: COLLECT,
    RunKind.DISCOVERY: DISCOVERY,
    RunKind.SWEEP: SWEEP,
    RunKind.VERIFICATION: VERIFICATION,
    RunKind.MONITOR: MONITOR,
}
"""The run kinds there are."""

__all__ = ["FOLDS", "Fold", "FoldStep", "RunEnd", "RunStart"]
