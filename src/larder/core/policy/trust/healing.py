"""What is done about declared selectors after a run?

Only proven repairs are applied without a person. A repair is on probation for a week, in which any doubt
reverts it, because wrong data is worse than none. Later it is reverted only where it matches nothing and no
better repair is known. A reverted repair is not applied again.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

PROBATION = timedelta(days=7)


class HealingAction(StrEnum):
    """What to do with a suggested repair."""

    NOTHING = "nothing"
    """Every selector works; earlier suggestions are dropped."""
    APPLY = "apply"
    SUGGEST = "suggest"
    """Tell a person."""
    TAKE_BACK = "take_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorFindings:
    """The findings of a check of one part of a declaration."""

    broken: bool
    """Selectors stopped matching."""
    proven: bool = False
    """There are replacements, and they are proven."""
    doubted: bool = False
    """Values contradict known ones or are implausible."""
    repaired_at: datetime | None = None
    """When it was last repaired."""
    old_layout: bool = False
    """The original declaration reads these pages again."""
    tried_before: bool = False
    """The proposed repair was reverted before."""


def healing_action(findings: SelectorFindings, now: datetime) -> HealingAction:
    """What to do with a suggested repair."""
    repaired = findings.repaired_at is not None
    if not findings.broken:
        return (
            HealingAction.TAKE_BACK
            if findings.doubted and _on_probation(findings, now)
            else HealingAction.NOTHING
        )
    if repaired and findings.old_layout:
        return HealingAction.TAKE_BACK
    if findings.proven and not findings.tried_before:
        return HealingAction.APPLY
    return HealingAction.TAKE_BACK if repaired else HealingAction.SUGGEST


def _on_probation(findings: SelectorFindings, now: datetime) -> bool:
    return findings.repaired_at is not None and now - findings.repaired_at < PROBATION
