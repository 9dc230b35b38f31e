"""What is shown once is not there a second time."""

from starlette.requests import Request
from starlette.responses import Response

from larder.web.flash import MAX_WAITING, OneTimeValues


def test_a_second_look_finds_nothing() -> None:
    once = OneTimeValues[str]("/keys")
    ticket = once.put("a key")
    assert (once.take("another"), once.take(ticket), once.take(ticket)) == (None, "a key", None)


def test_only_whoever_got_the_answer_sees_what_it_keeps_and_only_on_its_page() -> None:
    once = OneTimeValues[str]("/keys")
    cookie = once.keep("a key", Response()).headers["set-cookie"]
    assert all(said in cookie for said in ("Path=/keys", "HttpOnly", "SameSite=strict"))
    stranger, visitor = (
        Request({"type": "http", "headers": [(b"cookie", sent)]}) for sent in (b"", cookie.encode())
    )
    assert (once.shown(stranger), once.shown(visitor), once.shown(visitor)) == (None, "a key", None)


def test_what_nobody_looks_at_makes_room() -> None:
    once = OneTimeValues[int]("/keys")
    tickets = [once.put(number) for number in range(MAX_WAITING + 1)]
    assert [once.take(each) for each in tickets] == [None, *range(1, MAX_WAITING + 1)]
