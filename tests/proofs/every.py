"""All proofs. To add one: a module that registers it, imported here."""

from tests.proofs import (
    browsers,
    engines,
    healing,
    kills,
    months,
    politeness,
    reading,
    resolver,
    truth,
    week,
    workers,
    year,
)
from tests.proofs.proof import PROOFS as ALL

__all__ = [
    "ALL",
    "browsers",
    "engines",
    "healing",
    "kills",
    "months",
    "politeness",
    "reading",
    "resolver",
    "truth",
    "week",
    "workers",
    "year",
]
