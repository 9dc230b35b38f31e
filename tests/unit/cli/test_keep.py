"""Dead letters, quarantine, proxies and secrets by hand, on a new Larder."""

import io
import sys

import pytest

from tests.unit.cli.conftest import Shell

KEY = {"LARDER_SECRET_KEY": "a" * 43}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("dead", "No dead letters."),
        ("quarantine", "Quarantine is empty"),
        ("proxy", "No proxies"),
        ("secret", "No secrets."),
    ],
)
def test_nothing_yet(larder: Shell, command: str, says: str) -> None:
    assert says in larder(command, "list").out
    told = larder(command, "list", "--json").json
    assert told in ([], {"groups": [], "letters": []})


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("dead", "show", "9"), "there is no dead letter 9"),
        (("dead", "retry"), "no dead letters were named"),
        (("dead", "retry", "9"), "there is no dead letter 9"),
        (("dead", "discard", "--stage", "fetch"), "none of these dead letters is pending"),
        (("quarantine", "release", "9"), "there is no item 9 in quarantine"),
        (("quarantine", "release", "9", "--set", "price"), "--set 'price' is not NAME=VALUE"),
        (("quarantine", "reject", "9", "--note", "no"), "there is no item 9 in quarantine"),
        (("proxy", "enable", "9"), "there is no proxy 9"),
        (("secret", "remove", "x"), "there is no secret 'x'"),
    ],
)
def test_wrong_use_is_told_in_two_lines(larder: Shell, command: tuple[str, ...], says: str) -> None:
    said = larder(*command)
    assert (said.code, said.complaint[0]) == (2, says)


def test_a_secret_is_piped_in_and_never_shown(larder: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(folder=larder.folder, env=KEY)
    monkeypatch.setattr(sys, "stdin", io.StringIO("hush\n"))
    assert shell("secret", "set", "token", "--json").json == ["token"]
    assert "hush" not in shell("secret", "list").out


def test_a_proxy_is_added_without_its_password_in_sight(
    larder: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(folder=larder.folder, env=KEY)
    monkeypatch.setattr(sys, "stdin", io.StringIO("http://ada:hush@proxy.example:3128\n"))
    added = shell("proxy", "add")
    assert (added.code, "http://proxy.example:3128" in added.out, "hush" in added.out) == (0, True, False)


def test_maintenance_by_hand_and_by_the_tick(larder: Shell) -> None:
    told = larder("maintain", "--json").json
    assert (told["jobs"], told["audit"]["wrong"]) == (0, {})
    assert "No integrity errors" in larder("maintain").out
    assert larder("tick", "--budget", "1s").code == 0
