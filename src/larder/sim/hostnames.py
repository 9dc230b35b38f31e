"""Resolves the host names of simulated sites to the simulator's port; every other name fails."""

import socket
from collections.abc import Mapping

from aiohttp.abc import AbstractResolver, ResolveResult

LOOPBACK = "127.0.0.1"


class SimResolver(AbstractResolver):
    """Resolves simulated hosts to ports on loopback, whatever port the URL names.

    `ports` maps a name, or a pattern such as `*.test`, to a port; the name itself goes first.
    """

    def __init__(self, ports: Mapping[str, int]) -> None:
        self._ports = dict(ports)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The simulator's address; `OSError` for any other name."""
        ours = self._port(host.lower().rstrip("."))
        if ours is None or family is socket.AF_INET6:
            raise OSError(None, f"{host}:{port} is not a simulated host")
        return [
            ResolveResult(
                hostname=host,
                host=LOOPBACK,
                port=ours,
                family=socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Does nothing: no connection is held."""

    def _port(self, host: str) -> int | None:
        labels = host.split(".")
        patterns = (".".join(("*", *labels[cut:])) for cut in range(1, len(labels)))
        return next((self._ports[name] for name in (host, *patterns) if name in self._ports), None)
