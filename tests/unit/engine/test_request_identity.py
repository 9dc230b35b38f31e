"""What we say about ourselves, source by source."""

from typing import Any

import pytest

from larder.core.errors import Terminal
from larder.core.model.source import Kind, Source
from larder.engine.request_identity import Identity


def source(**params: Any) -> Source:
    return Source(
        id=1, slug="s", name="S", kind=Kind.PRODUCT, site_id=1, adapter="product", url="", params=params
    )


async def reveal(name: str) -> str | None:
    return {"token": "t0ken", "session": "s3ssion"}.get(name)


def test_honest_unless_told_otherwise() -> None:
    assert Identity().user_agent(source()) is None


def test_a_list_is_taken_in_turn() -> None:
    identity = Identity(user_agents=["a", "b"])
    assert [identity.user_agent(source()) for _ in range(3)] == ["a", "b", "a"]


def test_a_sources_own_list_comes_first() -> None:
    assert Identity(user_agents=["a"]).user_agent(source(user_agents=["own"])) == "own"


async def test_headers_and_cookies_are_the_sources_own() -> None:
    said = await Identity().headers(source(headers={"X-Shop": "1"}, cookies={"a": "1", "b": "2"}))
    assert said == {"X-Shop": "1", "Cookie": "a=1; b=2"}


async def test_secrets_are_looked_up_by_name() -> None:
    asked = source(headers={"Authorization": "secret:token"}, cookies={"sid": "secret:session"})
    said = await Identity(reveal=reveal).headers(asked)
    assert said == {"Authorization": "t0ken", "Cookie": "sid=s3ssion"}


@pytest.mark.parametrize("identity", [Identity(), Identity(reveal=reveal)], ids=["no store", "not stored"])
async def test_a_missing_secret_is_named_and_nothing_is_said(identity: Identity) -> None:
    with pytest.raises(Terminal, match="'lost' is not stored"):
        await identity.headers(source(headers={"Authorization": "secret:lost"}))


@pytest.mark.parametrize("nonsense", [None, [], "x", 1])
async def test_nonsense_says_nothing(nonsense: Any) -> None:
    assert await Identity().headers(source(headers=nonsense, cookies=nonsense)) == {}
