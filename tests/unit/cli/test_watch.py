"""`larder watch` and `larder db reindex`, and searching by hand, on a new Larder."""

import pytest

from tests.unit.cli.conftest import Shell


def test_a_watch_is_added_listed_paused_and_removed(larder: Shell) -> None:
    made = larder(
        "watch", "add", "flat", "--text", "flat", "--rooms-min", "3", "--price-max", "1200", "--json"
    )
    asks = {"text": "flat", "rooms_min": 3.0, "price_max": "1200"}
    assert (made.json["id"], made.json["asks"], made.json["enabled"]) == (1, asks, True)
    assert "rooms_min=3" in larder("watch", "list").out
    assert "price_max=1,200.00" in larder("watch", "list").out
    changed = larder("watch", "set", "1", "--target", "1,000", "--channel", "log", "--json").json
    assert (changed["target_price"], changed["asks"], changed["channel"]) == ("1000", asks, "log")
    assert "is sent to log" in larder("watch", "test", "1").out
    assert larder("watch", "pause", "1", "--json").json["enabled"] is False
    assert larder("watch", "resume", "1", "--json").json["enabled"] is True
    links = larder("watch", "feed", "1", "--json").json
    assert [each.rpartition(".")[2] for each in links.values()] == ["atom", "rss", "ics"]
    assert "/feeds/" in larder("watch", "feed", "1").out
    assert "no longer works" in larder("watch", "feed", "1", "--remove").out
    assert larder("watch", "remove", "1").code == 0
    assert "No watches." in larder("watch", "list").out


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("watch", "add", "w"), "the watch has no filter"),
        (("watch", "add", "w", "--record", "9", "--falls", "10"), "there is no record 9"),
        (("watch", "add", "w", "--text", "x", "--channel", "pigeon"), "there is no channel 'pigeon'"),
        (("watch", "add", "w", "--near", "here"), "'here' is not a pair of coordinates"),
        (("watch", "pause", "9"), "there is no watch 9"),
        (("records", "list", "--sort", "distance"), "sort distance needs near"),
        (("records", "list", "--source", "nowhere"), "there is no source 'nowhere'"),
    ],
)
def test_wrong_use_is_told_in_two_lines(larder: Shell, command: tuple[str, ...], says: str) -> None:
    said = larder(*command)
    assert (said.code, said.complaint[0]) == (2, says)


def test_an_empty_larder_is_indexed_and_searched(larder: Shell) -> None:
    assert larder("db", "reindex", "--json").json == {"records": 0}
    assert larder("records", "list", "--text", "anything at all", "--json").json == []
