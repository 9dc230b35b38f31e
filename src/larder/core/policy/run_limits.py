"""How far does a run go?

Each limit has a default, a range, and two places that set it: the deployment (`LARDER_…`), and a source's
`params` for itself alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from larder.core.errors import BadInput
from larder.core.quoting import quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimit:
    """A limit of runs that can be set."""

    default: float
    least: float
    most: float
    says: str
    whole: bool = True
    deployment: bool = False
    """Can be set for the whole deployment, too."""


LIMITS: Mapping[str, RunLimit] = {
    "sweep_pages": RunLimit(
        default=50, least=1, most=100_000, deployment=True, says="Index pages that a sweep reads."
    ),
    "sweep_overlap": RunLimit(
        default=5,
        least=0,
        most=1_000,
        deployment=True,
        says="Index pages before its checkpoint that a sweep reads again.",
    ),
    "sweep_details": RunLimit(
        default=100, least=0, most=100_000, deployment=True, says="Detail pages that a sweep reads again."
    ),
    "detail_refresh_hours": RunLimit(
        default=24,
        least=0.1,
        most=8_784,
        whole=False,
        deployment=True,
        says="Hours after which a sweep reads a detail page again.",
    ),
    "stop_after": RunLimit(
        default=5,
        least=1,
        most=100_000,
        deployment=True,
        says="Pages in a row without a new record after which a discovery ends.",
    ),
    "request_price": RunLimit(
        default=5,
        least=0.001,
        most=100_000,
        whole=False,
        says="Plan adaptive: how many hours of one outdated listing a request is worth.",
    ),
    "requests_per_day": RunLimit(
        default=0,
        least=0,
        most=1_000_000,
        whole=False,
        says="Plan adaptive: requests a day that it aims at; sets the price of one. 0: no budget.",
    ),
    "verified_within_hours": RunLimit(
        default=0,
        least=0,
        most=8_784,
        whole=False,
        says="Plan adaptive: hours in which each record is checked; sets that price. 0: no goal.",
    ),
    "verified_percent": RunLimit(
        default=100,
        least=1,
        most=100,
        whole=False,
        says="Plan adaptive: the share of records, in per cent, for which that goal holds.",
    ),
    "strikes_to_gone": RunLimit(
        default=2, least=1, most=100, says="Strikes in a row after which a record is gone."
    ),
    "strikes_apart_hours": RunLimit(
        default=3, least=0, most=8_784, whole=False, says="Hours between two strikes."
    ),
    "unseen_for_hours": RunLimit(
        default=24, least=0.1, most=8_784, whole=False, says="Hours unseen after which a record is checked."
    ),
    "alive_for_hours": RunLimit(
        default=24, least=0, most=8_784, whole=False, says="Hours for which an alive check is enough."
    ),
    "failure_rate_max": RunLimit(
        default=0.5,
        least=0.01,
        most=1,
        whole=False,
        says="Share of pages that may fail in a batch before drift alerts.",
    ),
}


def check_limits(values: Mapping[str, Any]) -> None:
    """Refuse a limit outside its range; `BadInput` names it."""
    for name in sorted(LIMITS.keys() & values.keys()):
        rule = LIMITS[name]
        if not _usable(rule, values[name]):
            kind = "a whole number" if rule.whole else "a number"
            hint = f"set {name} to {kind} from {rule.least} to {rule.most}"
            raise BadInput(f"{name} is {quoted(str(values[name]), 40)}", hint=hint)


def limit_of(name: str, params: Mapping[str, Any], deployment: Mapping[str, float] | None = None) -> float:
    """The limit of a source: its own where it can be used, else the deployment's, else the default."""
    own: Any = params.get(name)
    usual = (deployment or {}).get(name, LIMITS[name].default)
    return own if _usable(LIMITS[name], own) else usual


def _usable(rule: RunLimit, value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return rule.least <= value <= rule.most and (not rule.whole or value == int(value))
