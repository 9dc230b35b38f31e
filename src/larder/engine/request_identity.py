"""The identity of requests to a site: honest by default, otherwise as set by the operator.

A source's `params` may name `user_agents` (used in turn), `headers` and `cookies`. A value `secret:NAME` is
read from the secret store for each request, so that no secret is stored in the params.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from typing import Any

from larder.core.errors import Category, Terminal
from larder.core.model.source import Source
from larder.core.quoting import quoted

SECRET = "secret:"  # noqa: S105 - a prefix, not a secret

Reveal = Callable[[str], Awaitable[str | None]]
"""Reads a secret by its name."""


async def no_secrets(_: str) -> None:
    """The `Reveal` of a deployment without a secret store."""


class Identity:
    """User agent, headers and cookies of requests."""

    def __init__(self, *, user_agents: Sequence[str] = (), reveal: Reveal = no_secrets) -> None:
        self._user_agents = tuple(user_agents)
        self._reveal = reveal
        self._turn = count()

    def user_agent(self, source: Source) -> str | None:
        """The next one of the source's list, or of the deployment's; None: Larder's own."""
        own = source.params.get("user_agents")
        agents = [str(agent) for agent in own] if isinstance(own, list) else self._user_agents
        return agents[next(self._turn) % len(agents)] if agents else None

    async def headers(self, source: Source) -> dict[str, str]:
        """The source's own headers and cookies; raises Terminal where a secret is missing."""
        headers = await self._revealed(source.params.get("headers"))
        cookies = await self._revealed(source.params.get("cookies"))
        if cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return headers

    async def _revealed(self, names: Any) -> dict[str, str]:
        if not isinstance(names, Mapping):
            return {}
        return {str(name): await self._value(str(value)) for name, value in names.items()}

    async def _value(self, value: str) -> str:
        if not value.startswith(SECRET):
            return value
        name = value.removeprefix(SECRET)
        secret = await self._reveal(name)
        if secret is None:
            raise Terminal(f"the secret {quoted(name)} is not stored", category=Category.VALIDATION)
        return secret
