"""robots.txt as Google reads it: the peers' cases, our own readings, and what hostile files cost."""

import base64
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder.stages.fetch.robots.policy import MAX_BYTES, Robots, robots_allows, robots_crawl_delay

SITE = "https://shop.test"


@pytest.fixture(scope="module")
def cases(shared_fixtures: Path) -> list[dict[str, Any]]:
    lines = (shared_fixtures / "robots" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _answer(case: dict[str, Any]) -> object:
    asked = case["input"]
    coded = asked.get("robotstxt_base64")
    text = base64.b64decode(coded) if coded else asked["robotstxt"]
    if case["kind"] == "crawl_delay":
        return robots_crawl_delay(text, agent=asked["user_agent"])
    return robots_allows(text, agent=asked["user_agent"], url=asked["url"])


def test_the_peers_cases_are_read_as_google_reads_them(cases: list[dict[str, Any]]) -> None:
    judged = [case for case in cases if case["kind"] in ("can_fetch", "crawl_delay")]
    google_differs = {case["id"] for case in judged if case["origin"]["repo"] != "google/robotstxt"} & {
        case["id"] for case in judged if "conflicts_with" in case
    }
    wrong = {case["id"] for case in judged if _answer(case) != case["expected"]}
    assert len(judged) > 250
    assert wrong == google_differs


@pytest.mark.parametrize(
    ("text", "agent", "path", "allowed"),
    [
        pytest.param("", "Larder", "/", True, id="an empty file restricts nothing"),
        pytest.param(
            "<html><p>Not found", "Larder", "/", True, id="a page instead of a file restricts nothing"
        ),
        pytest.param("User-agent: *\nDisallow: /", "Larder", "/x", False, id="everyone"),
        pytest.param(
            "User-agent: *\nDisallow:", "Larder", "/x", True, id="an empty disallow disallows nothing"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /\nUser-agent: larder\nDisallow: /private",
            "Larder/1.0 (+https://larder.test)",
            "/x",
            True,
            id="our own group, found in the full user agent",
        ),
        pytest.param(
            "User-agent: lard\nDisallow: /",
            "Larder",
            "/x",
            True,
            id="a name that stops inside ours is not ours",
        ),
        pytest.param(
            "User-agent: larder-images\nDisallow: /",
            "Larder",
            "/x",
            True,
            id="a longer name is somebody else",
        ),
        pytest.param(
            "User-agent: a\nUser-agent: larder\nDisallow: /x\n\nUser-agent: larder\nDisallow: /y",
            "Larder",
            "/x",
            False,
            id="groups of one name are merged",
        ),
        pytest.param("User-agent: *\nDisallow: /a\nAllow: /a", "Larder", "/a", True, id="allow wins a tie"),
        pytest.param(
            "User-agent: *\nAllow: /a\nDisallow: /a/b",
            "Larder",
            "/a/b/c",
            False,
            id="the longer pattern wins",
        ),
        pytest.param("User-agent: *\nDisallow: /*.pdf$", "Larder", "/a.pdf", False, id="anchored"),
        pytest.param(
            "User-agent: *\nDisallow: /*.pdf$", "Larder", "/a.pdf?x", True, id="anchored, and more follows"
        ),
        pytest.param("User-agent: *\nDisallow: /a*a$", "Larder", "/a", True, id="pieces may not overlap"),
        pytest.param("User-agent: *\nDisallow: /*/b*c", "Larder", "/a/bxc", False, id="two wildcards"),
        pytest.param(
            "User-agent: *\nDisallow: /caf\u00e9", "Larder", "/caf%C3%A9", False, id="escaped as sent"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /%7euser", "Larder", "/~user", False, id="an old encoder's tilde"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /a b", "Larder", "/a%20b", False, id="a blank inside a pattern"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /a%2fb", "Larder", "/a/b", True, id="an escaped slash is no slash"
        ),
        pytest.param("\ufeffUser-agent: *\nDisallow: /", "Larder", "/", False, id="byte order mark"),
        pytest.param("User-agent: *\rDisallow: /", "Larder", "/", False, id="CR"),
        pytest.param("User-agent: *\r\nDisallow: /", "Larder", "/", False, id="CRLF"),
        pytest.param("User-agent *\nDisallow /", "Larder", "/", False, id="no colons"),
        pytest.param("User agent: *\nDissallow: /", "Larder", "/", False, id="misspelt"),
        pytest.param("Disallow: /", "Larder", "/", True, id="a rule before any agent"),
        pytest.param(
            "User-agent: *\nNoindex: /x\nUser-agent: bad\nDisallow: /",
            "Larder",
            "/",
            True,
            id="a rule of an unknown name ends its list of agents",
        ),
        pytest.param(
            "User-agent: *\nCrawl-delay: 3\nUser-agent: bad\nDisallow: /",
            "Larder",
            "/",
            False,
            id="a crawl-delay does not",
        ),
    ],
)
def test_readings(text: str, agent: str, path: str, allowed: bool) -> None:
    assert robots_allows(text, agent=agent, url=SITE + path) is allowed


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        pytest.param("User-agent: *\nCrawl-delay: 3.5", 3.5, id="everyone's"),
        pytest.param(
            "User-agent: *\nCrawl-delay: 3\nUser-agent: larder\nDisallow: /x", None, id="not our group's"
        ),
        pytest.param(
            "User-agent: larder\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 9", 1.0, id="ours alone"
        ),
        pytest.param("User-agent: *\nCrawl-delay: soon", None, id="no number"),
        pytest.param("User-agent: *\nCrawl-delay: nan", None, id="not a number"),
        pytest.param("User-agent: *\nCrawl-delay: -1", None, id="negative"),
        pytest.param("User-agent: *\nCrawl-delay: 1e999", None, id="infinite"),
    ],
)
def test_crawl_delays(text: str, delay: float | None) -> None:
    assert robots_crawl_delay(text, agent="Larder") == delay


def test_what_lies_beyond_500_kib_is_not_read() -> None:
    text = b"User-agent: *\n" + b"#" * MAX_BYTES + b"\nDisallow: /"
    assert robots_allows(text, agent="Larder", url=SITE)


_WORDS = st.sampled_from(
    [
        "user-agent",
        "disallow",
        "allow",
        "crawl-delay",
        ":",
        "*",
        "/",
        "$",
        "%",
        "%2",
        "#",
        "\r",
        "\n",
        "\0",
        " ",
        "a",
        "é",
    ]
)


@given(st.lists(_WORDS).map("".join) | st.text() | st.binary(), st.text(), st.text())
def test_nothing_raises(text: str | bytes, agent: str, url: str) -> None:
    robots = Robots.parse(text)
    assert robots.allows(agent, url) in (True, False)
    delay = robots.crawl_delay(agent)
    assert delay is None or delay >= 0


def _calls(action: Callable[[], object]) -> int:
    """How many functions are called, builtin ones included: a cost that does not depend on the machine."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda n: "User-agent: *\n" + "Disallow: /a\n" * n, id="the same rule again and again"),
        pytest.param(
            lambda n: "".join(f"User-agent: b{i}\n" for i in range(n)) + "Disallow: /x\n" * n, id="all by all"
        ),
        pytest.param(lambda n: "User-agent: a\n" * n + "Crawl-delay: 1\n" * n, id="agents by delays"),
        pytest.param(lambda n: "User-agent: *\nDisallow: /" + "*a" * n, id="one pattern of many wildcards"),
        pytest.param(
            lambda n: "User-agent: *\n" + "".join(f"Disallow: /*{i}*b$\n" for i in range(n)),
            id="many of them",
        ),
    ],
)
def test_a_file_twice_as_long_costs_twice_as_much(make: Callable[[int], str]) -> None:
    def cost(lines: int) -> int:
        return _calls(lambda: robots_allows(make(lines), agent="Larder", url=SITE + "/" + "a" * 2_000))

    assert cost(2_000) < 2.2 * cost(1_000)
