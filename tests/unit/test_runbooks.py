"""Runbooks give commands that exist, and every alert leads to one of them."""

import re
import shlex
from typing import Any

import pytest
import typer

from larder.cli import COMMANDS, load_command
from larder.core.policy.alerting import AlertName
from tests.services import ROOT

FOLDER = ROOT / "docs" / "runbooks"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(larder [^`]+)`")


def commands(text: str) -> list[list[str]]:
    blocks = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    lines = [*blocks, *INLINE.findall(BLOCK.sub("", text))]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("larder ")]


GIVEN = [
    pytest.param(words, id=f"{page.stem}: {' '.join(words)}")
    for page in PAGES
    for words in commands(page.read_text())
]


@pytest.mark.parametrize("words", GIVEN)
def test_a_command_and_its_options_exist(words: list[str]) -> None:
    assert words[0] in COMMANDS
    command: Any = load_command(words[0])
    rest = words[1:]
    if isinstance(command, typer.core.TyperGroup) and rest:
        assert rest[0] in command.commands
        command, rest = command.commands[rest[0]], rest[1:]
    takes = {option: not each.is_flag for each in command.params for option in each.opts if option[0] == "-"}
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    given = 0
    while rest:
        word = rest.pop(0)
        if word.startswith("--"):
            assert word in takes
            rest = rest[int(takes[word]) :]
        else:
            given += 1
    assert given <= len(arguments) or any(each.nargs == -1 for each in arguments)
    assert given >= sum(each.required for each in arguments)


@pytest.mark.parametrize("name", AlertName)
def test_every_alert_leads_to_a_page(name: AlertName) -> None:
    daily = (FOLDER / "daily-check.md").read_text()
    said = [page.stem for page in PAGES if f"`{name}`" in page.read_text()]
    assert said, f"no runbook speaks of {name}"
    assert f"`{name}`" in daily
