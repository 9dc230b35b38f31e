"""Run kinds as folds: a small state, a step for each page, no IO.

A step runs inside the transaction that stored the page's data, on what persisting found out; so a run can be
cut at any moment and goes on as if it had not been.
"""

from larder.core.model.run import RunKind
from larder.runs.discovery import DISCOVERY
from larder.runs.fold import End, Fold, Start, Step

FOLDS: dict[RunKind, Fold] = {RunKind.DISCOVERY: DISCOVERY}
"""The run kinds there are."""

__all__ = ["FOLDS", "End", "Fold", "Start", "Step"]
