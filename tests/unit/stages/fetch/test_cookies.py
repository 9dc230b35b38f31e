"""Cookies stay with their source and within bounds."""

from larder.stages.fetch.cookies import MAX_COOKIES, MAX_HEADER, MAX_JARS, MAX_PER_ANSWER, Cookies

URL = "https://www.shop.test/a"


async def test_a_cookie_comes_back_to_its_source_and_its_host_only() -> None:
    cookies = Cookies()
    cookies.keep("one", URL, ["sid=1; Path=/", "theme=dark"])
    assert cookies.header("one", URL) == "sid=1; theme=dark"
    assert cookies.header("one", "https://other.test/a") == ""
    assert cookies.header("two", URL) == ""
    assert cookies.header(None, URL) == ""


async def test_without_a_jar_nothing_is_kept() -> None:
    cookies = Cookies()
    cookies.keep(None, URL, ["sid=1"])
    assert cookies.header(None, URL) == ""


async def test_thousands_of_cookies_leave_a_few() -> None:
    cookies = Cookies()
    for answer in range(50):
        cookies.keep("one", URL, [f"c{answer}x{i}={'v' * 100}; Path=/" for i in range(1_000)])
    kept = cookies.header("one", URL)
    assert MAX_PER_ANSWER <= len(kept.split("; ")) <= MAX_COOKIES
    assert len(kept) <= MAX_HEADER


async def test_a_monstrous_cookie_is_left_out() -> None:
    cookies = Cookies()
    cookies.keep("one", URL, ["big=" + "x" * 10_000, "small=1"])
    assert cookies.header("one", URL) == "small=1"


async def test_the_least_recently_used_jar_goes_first() -> None:
    cookies = Cookies()
    for source in range(MAX_JARS + 1):
        cookies.keep(str(source), URL, ["sid=1"])
        cookies.keep("0", URL, ["sid=1"])
    assert cookies.header("0", URL) == "sid=1"
    assert cookies.header("1", URL) == ""
