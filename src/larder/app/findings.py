"""Findings of `larder doctor`, each with the next step if something is wrong."""

from dataclasses import dataclass
from enum import StrEnum

from larder.core.model.hint import NO_HINT, Hint, as_hint


class CheckStatus(StrEnum):
    """The result of a check."""

    OK = "ok"
    OFF = "off"
    """Not configured, and not needed."""
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check: its result, and the next step if something is wrong."""

    check: str
    health: CheckStatus
    message: str
    hint: Hint = NO_HINT


def passed(check: str, message: str) -> Finding:
    """A finding: it works."""
    return Finding(check=check, health=CheckStatus.OK, message=message)


def unused(check: str, message: str) -> Finding:
    """A finding: it is not configured, and not needed."""
    return Finding(check=check, health=CheckStatus.OFF, message=message)


def failed(check: str, message: str, hint: Hint | str) -> Finding:
    """A finding: it does not work."""
    return Finding(check=check, health=CheckStatus.FAILED, message=message, hint=as_hint(hint))


def warned(check: str, message: str, hint: Hint | str) -> Finding:
    """A finding: it works, with a flaw."""
    return Finding(check=check, health=CheckStatus.WARNING, message=message, hint=as_hint(hint))
