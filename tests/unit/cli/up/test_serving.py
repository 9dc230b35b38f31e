"""`larder up` says where it serves, and what to do where it cannot."""

import json
import socket
from urllib.request import urlopen

import pytest

from larder.core.errors import BadInput
from larder.settings import load
from tests.unit.cli.conftest import PATIENCE, Shell


def test_a_port_that_is_taken(larder: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answered = larder.process("up", "--port", str(port))
    assert answered.code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in answered.complaint[0]
    assert "--port" in answered.complaint[1]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        pytest.param([], {"/api/health": 200, "/": 200}, id="all of it"),
        pytest.param(["--no-web"], {"/api/health": 200, "/": 404}, id="the API alone"),
    ],
)
def test_l10_17_what_is_served_and_linked(larder: Shell, options: list[str], paths: dict[str, int]) -> None:
    up = larder.start("up", "--json", *options)
    try:
        assert up.stdout is not None
        address = json.loads(up.stdout.readline())["address"]
        assert {path: _status(address + path) for path in paths} == paths
        assert larder("key", "link").out.startswith(f"{address}/enter?ticket=")
    finally:
        up.terminate()
        up.communicate(timeout=PATIENCE)
    assert up.returncode == 0


def test_nothing_is_served_where_nobody_wants_it(larder: Shell) -> None:
    up = larder.start("up", "--json", "--no-serve")
    try:
        assert up.stdout is not None
        assert "address" not in json.loads(up.stdout.readline())
    finally:
        up.terminate()
        up.communicate(timeout=PATIENCE)
    assert up.returncode == 0


@pytest.mark.parametrize("value", ["8321", "here", "127.0.0.1:99999", "::1:80", "a b:80"])
def test_an_address_that_is_none(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("LARDER_LISTEN", value)
    with pytest.raises(BadInput, match=r"^LARDER_LISTEN: "):
        load()


def test_an_address_in_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_LISTEN", "[::1]:80")
    settings = load()
    assert (settings.host, settings.port, settings.address) == ("::1", 80, "http://[::1]:80")
    monkeypatch.setenv("LARDER_PUBLIC_URL", "https://larder.example/")
    assert load().address == "https://larder.example"


def _status(url: str) -> int:
    try:
        with urlopen(url, timeout=PATIENCE) as answered:
            code: int = answered.status
            return code
    except OSError as error:
        return int(getattr(error, "code", 0))
