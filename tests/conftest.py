"""What every test may ask for, and the one thing none may do: talk to the world outside this machine."""

import gc
import ipaddress
import os
import socket
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from _pytest.nodeid import coerce_node_id
from hypothesis import HealthCheck, settings

from tests import order
from tests.administer import administer
from tests.services import ROOT, url_of

os.environ.setdefault("LARDER_PARSE_WORKERS", "0")
"""Pages are parsed in the test's process, unless a test opens a pool or starts `larder` as a user does."""

LONG = ("tests/acceptance/", "tests/browser/", "tests/faults/")
"""Tests of whole processes and days."""

settings.register_profile(
    "any speed", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any speed")
"""A busy machine may take its time over an example."""


def pytest_configure() -> None:
    """Draw the seed before workers start, so that all of them have the same."""
    order.seed()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays: garbage is looked for in it once, and not after every test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_report_header() -> str:
    return f"order of tests: {order.SEED}={order.seed()} repeats it"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle; tests that share what their module makes go to the same worker, so that it is made once."""
    groups = {item.nodeid: group for item in items if (group := _group(item))}
    items[:] = order.shuffled(
        items,
        lambda item: groups.get(item.nodeid, item.nodeid),
        order.seed(),
        lambda item: item.nodeid in groups or item.nodeid.startswith(LONG),
    )
    if getattr(config.option, "loadgroup", False):
        for item in items:
            _name_group(item, groups.get(item.nodeid))


def _name_group(item: pytest.Item, group: str | None) -> None:
    """Tell pytest-xdist by the name, which its `loadgroup` reads.

    Its own mark would say it by an attribute that pytest 9.2 no longer looks at.
    """
    if group:
        item._id = coerce_node_id(f"{item.nodeid}@{group}")


def _group(item: pytest.Item) -> str | None:
    if not isinstance(item, pytest.Function) or not (shared := _shared(item)):
        return None
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return " ".join([item.path.stem, *(str(given[name]) for name in shared if name in given)])


def _shared(item: pytest.Function) -> list[str]:
    made = item._fixtureinfo.name2fixturedefs
    return [name for name, chain in made.items() if any(each.scope == "module" for each in chain)]


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """The server's own database, as a user who may create others."""
    return url_of("postgres")


@pytest.fixture
async def fresh_postgres(postgres_url: str) -> AsyncIterator[str]:
    """An empty database for this test alone; gone afterwards, whoever is still connected."""
    name = f"larder_{uuid4().hex}"
    await administer(postgres_url, f"CREATE DATABASE {name}")
    yield urlunsplit(urlsplit(postgres_url)._replace(path=f"/{name}"))
    await administer(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def redis_url() -> str:
    return url_of("redis")


@pytest.fixture(scope="session")
def rabbitmq_url() -> str:
    return url_of("rabbitmq")


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser's executable."""
    return Path(url_of("chromium"))


@pytest.fixture(scope="session")
def shared_fixtures() -> Path:
    """Pages of real sites, kept beside the checkout; without them the tests that read them are skipped."""
    folder = ROOT.parent / "shared" / "fixtures"
    if not folder.is_dir():
        pytest.skip(f"no shared fixtures beside the checkout ({folder.name})")
    return folder


@pytest.fixture(autouse=True)
def _no_outside_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse connections that leave the machine, and fail the test even if it swallowed the refusal."""
    attempts: list[object] = []

    def guarded(connect: Callable[[socket.socket, Any], Any]) -> Callable[[socket.socket, Any], Any]:
        def connect_if_local(self: socket.socket, address: Any) -> Any:
            if is_local(address):
                return connect(self, address)
            attempts.append(address)
            raise ConnectionRefusedError(f"tests must not leave this machine: {address}")

        return connect_if_local

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
    yield
    if attempts:
        pytest.fail(f"connected to the outside: {attempts}", pytrace=False)


def is_local(address: Any) -> bool:
    """Unix sockets (a path) and loopback; any other name would have to be looked up outside."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in {"", "localhost"}
