"""Which Host headers are answered: a name that another site made point here is not."""

from typing import Any

import httpx2
import pytest
from starlette.responses import PlainTextResponse

from larder.asgi.allowed_hosts import AllowedHostsMiddleware
from larder.settings import Settings

LOCAL: dict[str, Any] = {}
EVERYWHERE: dict[str, Any] = {"listen": "0.0.0.0:8321"}
NAMED: dict[str, Any] = {"listen": "larder.lan:80", "public_url": "https://things.example/larder"}


async def answered(host: str, **settings: Any) -> httpx2.Response:
    served = AllowedHostsMiddleware(PlainTextResponse("here"), settings=Settings(**settings))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=served)) as client:
        return await client.get("http://127.0.0.1/", headers={"host": host})


@pytest.mark.parametrize(
    ("settings", "host", "status"),
    [
        (LOCAL, "127.0.0.1:8321", 200),
        (LOCAL, "localhost", 200),
        (LOCAL, "LOCALHOST.:8321", 200),
        (LOCAL, "shop.localhost:8321", 200),
        (LOCAL, "[::1]:8321", 200),
        (LOCAL, "evil.example:8321", 400),
        (LOCAL, "127.0.0.1.evil.example", 400),
        (LOCAL, "192.0.2.7", 400),
        (LOCAL, "", 400),
        (LOCAL, "[::1", 400),
        (LOCAL, "]:x[", 400),
        (LOCAL, "localhost:evil.example", 400),
        (LOCAL, "127.0.0.1:8321@evil.example", 400),
        (LOCAL, "127.0.0.1:8321, evil.example", 400),
        (EVERYWHERE, "192.0.2.7:8321", 200),
        (EVERYWHERE, "evil.example", 400),
        (NAMED, "larder.lan", 200),
        (NAMED, "things.example", 200),
        (NAMED, "localhost", 200),
        (NAMED, "evil.example", 400),
        ({"allowed_hosts": ["Box.lan"]}, "box.lan:8321", 200),
        ({"allowed_hosts": ["*"]}, "evil.example", 200),
    ],
)
async def test_l10_27_a_request_names_a_host_of_this_server(
    settings: dict[str, Any], host: str, status: int
) -> None:
    assert (await answered(host, **settings)).status_code == status


async def test_l10_27_the_refusal_says_what_to_do() -> None:
    refused = await answered("evil.example")
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["detail"] == "unknown host name 'evil.example'"
    assert "LARDER_ALLOWED_HOSTS" in refused.json()["hint"]
