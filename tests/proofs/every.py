"""All proofs. To add one: a module that registers it, imported here."""

from tests.proofs import browsers, kills, months, politeness, reading, week, year
from tests.proofs.proof import PROOFS as ALL

__all__ = ["ALL", "browsers", "kills", "months", "politeness", "reading", "week", "year"]
