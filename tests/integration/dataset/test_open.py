"""`larder.open` gives the same from a data folder and over HTTP, and only what the caller may see."""

import asyncio
from collections.abc import AsyncIterator, Callable
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar, TypeVar

import pytest
from sqlalchemy import Connection

import larder
from larder.actions.access import keys
from larder.app import open_app
from larder.asgi import application, serving
from larder.core.errors import LarderError
from larder.core.model.caller import Scope
from larder.dataset import Dataset
from larder.dataset.readers import FolderReader, HttpReader
from larder.settings import Settings
from tests.contract.faces import HIDDEN, stocked
from tests.contract.world import HOUR, NOW, Pages, staged

T = TypeVar("T")
MANY = 450
"""More than two pages."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("dataset") / "data"
    asyncio.run(_fill(data))
    return data


async def _fill(data: Path) -> None:
    async with open_app(Settings(data=data), upgrade=True) as app:
        await app.run(_filled)


def _filled(conn: Connection) -> None:
    stocked(conn)
    homes = Pages(conn, 1)
    homes.keep(homes.page(*(_home(number, 200_000) for number in range(100, 100 + MANY))))
    homes.keep(homes.page(_home(100, 190_000), at=NOW + HOUR))


def _home(number: int, price: int) -> Any:
    return staged(number, title=f"Flat {number}", price_minor=price, currency="EUR", beds=2)


class Served:
    def __init__(self, url: str, admin: str) -> None:
        self.url, self.admin = url, admin


@pytest.fixture
async def served(folder: Path) -> AsyncIterator[Served]:
    settings = Settings(data=folder, requests_a_minute=0, status_public=True)
    async with open_app(settings) as app:
        app.clock = app.wall = _Standing()
        key = f"k{id(app)}"
        issued = await app.run(keys.add, key, Scope.ADMIN, who="test", now=NOW)
        async with serving(application(app), host="127.0.0.1", port=0) as url:
            yield Served(url, issued.key)


class _Standing:
    def now(self) -> Any:
        return NOW + 2 * HOUR

    async def sleep_until(self, _: Any) -> None:
        raise AssertionError("nothing waits")


def here(folder: Path, **asked: Any) -> Dataset:
    return larder.open(folder, clock=_Standing().now, **asked)


async def there(work: Callable[[], T]) -> T:
    """In a thread: the server answers from this loop."""
    return await asyncio.to_thread(work)


def everything(dataset: Any) -> dict[str, Any]:
    return {
        "records": sorted(dataset.records(), key=lambda record: record["id"]),
        "listings": len(list(dataset.records(kind="listing", price_max=1950))),
        "history": list(dataset.history(11)),
        "record": dataset.record(11),
        "changes": list(dataset.changes()),
        "status": dataset.status(),
    }


async def test_a_folder_and_a_url_give_the_same(folder: Path, served: Served) -> None:
    ours = everything(here(folder))
    theirs = await there(lambda: everything(larder.open(served.url)))
    assert len(ours["records"]) == MANY + 5
    assert [point["value"] for point in ours["history"] if point["field"] == "price"] == [
        "2000.00",
        "1900.00",
    ]
    assert HIDDEN not in str(ours)
    for name, found in ours.items():
        assert found == theirs[name], name


async def test_hidden_sources_are_for_those_who_may(folder: Path, served: Served) -> None:
    ours = [record for record in here(folder, hidden=True).records() if record["source"] == HIDDEN]
    assert len(ours) == 5
    opened = larder.open(served.url, key=served.admin, hidden=True)
    assert len([r for r in await there(lambda: list(opened.records())) if r["source"] == HIDDEN]) == 5
    with pytest.raises(LarderError, match="need a key"):
        larder.open(served.url, hidden=True)
    wrong = larder.open(served.url, key="larder_wrong", hidden=True)
    with pytest.raises(LarderError, match="invalid or revoked API key"):
        await there(lambda: list(wrong.records()))


def test_the_folder_cannot_be_written(folder: Path) -> None:
    with here(folder) as dataset:
        assert isinstance(dataset.reader, FolderReader)
        with pytest.raises(Exception, match=r"readonly|read-only"):
            dataset.reader.database.now(lambda conn: conn.exec_driver_sql("DELETE FROM records"))


def test_changes_go_on_after_a_cursor(folder: Path) -> None:
    told = list(here(folder).changes())
    half = len(told) // 2
    assert list(here(folder).changes(since=told[half - 1]["cursor"])) == told[half:]
    assert list(here(folder).changes(since="latest")) == []


def test_arrow_pandas_and_polars_hold_the_same(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    dataset = here(folder)
    table = dataset.arrow(kind="listing")
    assert table.num_rows == MANY + 5
    assert (
        table.column("price").to_pylist()[0] == Decimal("1000.05") or table.column("beds")[0].as_py() == 2.0
    )
    assert sum(batch.num_rows for batch in dataset.batches(kind="listing")) == MANY + 5
    assert "venue" not in table.column_names
    pytest.importorskip("pandas")
    assert sorted(dataset.pandas(kind="listing")["id"]) == sorted(table.column("id").to_pylist())
    pytest.importorskip("polars")
    frame = dataset.polars(text="Flat 101")
    assert frame["title"].to_list()[0] == "Flat 101"
    assert dataset.arrow(kind="event").num_rows == 0


@pytest.mark.parametrize(
    ("place", "said"),
    [
        pytest.param("nowhere", "there is no Larder", id="no folder"),
        pytest.param("http://", "not a web address", id="no address"),
        pytest.param("http://127.0.0.1:9", "does not answer", id="nobody there"),
    ],
)
def test_a_place_without_a_dataset_is_told(place: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(LarderError, match=said):
        list(larder.open(place if "://" in place else tmp_path / place).records())


def test_a_filter_that_does_not_exist_is_refused(folder: Path) -> None:
    with pytest.raises(LarderError, match="unknown filter 'colour'"):
        list(here(folder).records(colour="red"))


class _Limited(BaseHTTPRequestHandler):
    """Answers 429 twice, then; a redirect to elsewhere; no Larder."""

    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("authorization")))
        if self.path.startswith("/api/changes"):
            return self._answer(200, b"<html>no larder</html>")
        if self.path.startswith("/api/status"):
            return self._answer(302, b"", location="/elsewhere")
        if len(self.asked) < 3:
            return self._answer(429, b"{}", **{"retry-after": "7"})
        return self._answer(200, b'{"items": [], "next": null}')

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def limited() -> Any:
    _Limited.asked = []
    server = HTTPServer(("127.0.0.1", 0), _Limited)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_limit_is_waited_for_and_a_redirect_is_not_followed(limited: str) -> None:
    waited: list[float] = []
    reader = HttpReader(url=limited, key="k", hidden=False, sleep=waited.append)
    assert list(Dataset(reader).records()) == []
    assert waited == [7.0, 7.0]
    with pytest.raises(LarderError, match="status 302"):
        reader.status()
    with pytest.raises(LarderError, match="is not a Larder server"):
        reader.changes(None)
    assert not [path for path, _ in _Limited.asked if path.startswith("/elsewhere")]
