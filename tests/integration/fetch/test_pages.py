"""The everyday: a page comes, with what there is to know about it."""

import hashlib

from tests.integration.fetch.hostile import Hostile, Stage, reply

from larder.core.model.outcome import FetchOutcome


async def test_a_page_comes_with_all_there_is_to_know(server: Hostile, stage: Stage) -> None:
    server.scripts["/a"] = reply(b"<p>hi", Content_Type="text/html", ETag='"1"', X_Powered_By="magic")
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.status, got.body, got.error) == (FetchOutcome.OK, 200, b"<p>hi", "")
    assert got.content_hash == hashlib.sha256(b"<p>hi").hexdigest()
    assert got.headers == {"content-type": "text/html", "etag": '"1"'}
    assert [(hop.url, hop.status) for hop in got.hops] == [(server.url("/a"), 200)]
    assert server.paths() == ["/robots.txt", "/a"]
    assert server.log[1].headers["user-agent"] == "Larder/0 (+https://larder.test)"
