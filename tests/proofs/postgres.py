"""Empty PostgreSQL databases for proofs, each gone when its proof is over."""

import asyncio
import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

from tests.administer import administer
from tests.proofs.proof import ROOT

VARIABLE = "LARDER_TEST_POSTGRES"
SERVICES = ROOT / "scripts" / "services"


def server() -> str:
    """The server that the environment names; else our own, started where it does not run yet."""
    if named := os.environ.get(VARIABLE):
        return named
    subprocess.run([SERVICES, "start", "postgres"], check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([SERVICES, "env", "postgres"], check=True, capture_output=True, text=True).stdout
    words = dict(word.split("=", 1) for word in shlex.split(said) if "=" in word)
    return words[VARIABLE]


@contextmanager
def empty_database(url: str | None = None) -> Iterator[str]:
    """The URL of a database of one's own, on this server or on that of the tests."""
    url, name = url or server(), f"larder_{uuid4().hex}"
    asyncio.run(administer(url, f"CREATE DATABASE {name}"))
    try:
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    finally:
        asyncio.run(administer(url, f"DROP DATABASE {name} WITH (FORCE)"))
