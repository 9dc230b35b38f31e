"""The whole document, thrown at the API by a machine with an admin key and no manners: nothing falls over.

Every request is made from the document, right and wrong ones; every answer must be one that the document
names, in the shape it says. Over real HTTP, on both databases, with the same requests each time; more of them
with LARDER_FUZZ_EXAMPLES=200.
"""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from larder.asgi import application, serving
from tests.contract.faces import opened, stocked

pytestmark = [pytest.mark.slow]

EXAMPLES = int(os.environ.get("LARDER_FUZZ_EXAMPLES", "2"))
SECRET_KEY = "c2VjcmV0LWtleS1vZi10aGlydHktdHdvLWJ5dGVzISE"
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


@contextmanager
def served(database_url: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The faces at an address of this machine, in a thread of their own; with an admin key."""
    told: SimpleQueue[tuple[str, str, asyncio.AbstractEventLoop, asyncio.Event]] = SimpleQueue()

    async def serve() -> None:
        over = asyncio.Event()
        async with opened(database_url, folder, requests_a_minute=0, secret_key=SECRET_KEY) as these:
            await these.app.run(stocked)
            async with serving(application(these.app, web=False), host="127.0.0.1", port=0) as address:
                told.put((address, these.admin_key, asyncio.get_running_loop(), over))
                await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    address, key, loop, over = told.get(timeout=60)
    try:
        yield address, key
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


def throw(operation: Any, mode: GenerationMode, address: str, key: str) -> str:
    """Some requests of this operation, the same ones each time; what was wrong with an answer."""

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def thrown(case: Any) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        case.call_and_validate(base_url=f"{address}/api", headers=headers, checks=CHECKS, timeout=120)

    try:
        thrown()
    except Unsatisfiable:
        return ""  # there is nothing to get wrong where nothing is asked for
    except FailureGroup as failures:
        return f"{operation.label}: {failures}"
    return ""


def test_nothing_falls_over(database_url: str, tmp_path: Path) -> None:
    import requests

    with served(database_url, tmp_path) as (address, key):
        described = requests.get(f"{address}/api/openapi.json", timeout=60).json()
        schema = schemathesis.openapi.from_dict(described)
        operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
        assert len(operations) == sum(len(each) for each in described["paths"].values())
        wrong = [throw(each, mode, address, key) for each in operations for mode in GenerationMode]
        assert "\n".join(filter(None, wrong)) == ""
        assert requests.get(f"{address}/api/ready", timeout=60).json()["status"] == "ok"
