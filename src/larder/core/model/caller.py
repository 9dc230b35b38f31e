"""Who is calling, and what they may do: one value for API keys and browser sessions."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a key allows. Admin includes the others."""

    READ = "read"
    METRICS = "metrics"
    """Figures of the deployment at `/metrics`, with the names of its sources."""
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A signed-in person or a key, with its scopes."""

    name: str
    scopes: frozenset[Scope] = frozenset()
    key: str | None = None
    """The prefix of their key, if they used one."""

    def may(self, scope: Scope) -> bool:
        """Whether the caller has this scope."""
        return scope in self.scopes or Scope.ADMIN in self.scopes

    @property
    def known(self) -> bool:
        """Whether the caller has a key or a session."""
        return bool(self.scopes)


ANYONE = Caller(name="anyone")
"""A caller without a key or session: sees what is public."""
