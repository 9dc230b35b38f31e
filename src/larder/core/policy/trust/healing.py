"""What is to be done about declared selectors after one more run?

Only what is proven is applied without a person. A repair is on probation for a week: in that time anything
that speaks against it takes it back, for wrong data is worse than none. Later it is as good as what the
author wrote, and only taken back where it finds nothing any more and nothing better is known. What was
taken back once is not tried again by itself.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

PROBATION = timedelta(days=7)


class HealingAction(StrEnum):
    """What to do."""

    NOTHING = "nothing"
    """All is well: what was suggested before is of no interest any more."""
    APPLY = "apply"
    SUGGEST = "suggest"
    """Tell a person."""
    TAKE_BACK = "take_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorFindings:
    """What a look at a run's pages found about one part of a declaration."""

    broken: bool
    """Selectors stopped matching."""
    proven: bool = False
    """There are others, and they are proven."""
    doubted: bool = False
    """What is read contradicts what was known, or makes no sense."""
    repaired_at: datetime | None = None
    """When it was last repaired."""
    old_layout: bool = False
    """What was declared at first reads these pages."""
    tried_before: bool = False
    """What is proposed was taken back once."""


def healing_action(found: SelectorFindings, now: datetime) -> HealingAction:
    """The next step."""
    repaired = found.repaired_at is not None
    if not found.broken:
        return (
            HealingAction.TAKE_BACK if found.doubted and _on_probation(found, now) else HealingAction.NOTHING
        )
    if repaired and found.old_layout:
        return HealingAction.TAKE_BACK
    if found.proven and not found.tried_before:
        return HealingAction.APPLY
    return HealingAction.TAKE_BACK if repaired else HealingAction.SUGGEST


def _on_probation(found: SelectorFindings, now: datetime) -> bool:
    return found.repaired_at is not None and now - found.repaired_at < PROBATION
