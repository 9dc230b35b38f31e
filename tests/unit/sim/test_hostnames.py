"""Simulated names lead to the simulator and nowhere else."""

import socket

import pytest

from larder.sim.hostnames import SimResolver


@pytest.mark.parametrize(
    ("host", "port"),
    [
        pytest.param("homes.test", 8001, id="by pattern"),
        pytest.param("www.homes.test", 8001, id="deeper"),
        pytest.param("HOMES.test.", 8001, id="as DNS spells it"),
        pytest.param("cars.test", 8002, id="by name before pattern"),
    ],
)
async def test_our_names(host: str, port: int) -> None:
    [found] = await SimResolver({"*.test": 8001, "cars.test": 8002}).resolve(host, 80)
    assert (found["host"], found["port"]) == ("127.0.0.1", port)


@pytest.mark.parametrize("host", ["example.org", "test", "nottest", "homes.test.example.org"])
async def test_other_names_lead_nowhere(host: str) -> None:
    with pytest.raises(OSError, match="simulated host"):
        await SimResolver({"*.test": 8001}).resolve(host, 80)


async def test_there_is_no_other_family() -> None:
    with pytest.raises(OSError, match="simulated host"):
        await SimResolver({"*.test": 8001}).resolve("homes.test", 80, socket.AF_INET6)
