"""Whose fault is it when a request through a proxy fails?"""

import asyncio

import aiohttp
import pytest
from aiohttp_socks import ProxyConnectionError, ProxyError

from larder.stages.fetch.proxy.connections import proxy_failed
from larder.store.operations import proxies

PROXY = proxies.parse("socks5://127.0.0.1:1080")


@pytest.mark.parametrize(
    ("error", "failed"),
    [
        pytest.param(ProxyConnectionError(111, "refused"), True, id="nobody listens"),
        pytest.param(aiohttp.ServerDisconnectedError(), True, id="it hangs up"),
        pytest.param(ConnectionResetError(104, "reset"), True, id="it hangs up in the middle of a greeting"),
        pytest.param(asyncio.IncompleteReadError(b"\x05", 2), True, id="it says half of a greeting"),
        pytest.param(ProxyError("no", error_code=1), True, id="it refuses"),
        pytest.param(ProxyError("no", error_code=4), False, id="the site cannot be reached"),
        pytest.param(ValueError("odd"), False, id="something else"),
    ],
)
def test_the_proxy_failed(error: Exception, failed: bool) -> None:
    assert proxy_failed(error, PROXY) is failed
