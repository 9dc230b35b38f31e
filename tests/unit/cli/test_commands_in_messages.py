"""Commands that messages and pages name exist, with the options that they name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import larder
from larder.cli import COMMANDS, load_command

SOURCE = Path(larder.__file__).parent
OPTION = re.compile(r"larder [a-z][^\n]* --")
COMMAND = re.compile(r"\blarder ((?:[a-z]+ ?){1,2})([^\n`;,<]*)")


def texts() -> Iterator[str]:
    """The strings of the code, with X for what is filled in, and the templates."""
    for code in (path.read_text() for path in SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(code)) if OPTION.search(code) else ():
            if isinstance(node, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
                yield "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    yield from (path.read_text() for path in SOURCE.rglob("*.html"))


def named() -> list[str]:
    """Every command with options that a text names."""
    found = {match[0].strip() for text in texts() for match in COMMAND.finditer(text)}
    return sorted(each for each in found if each.split()[1] in COMMANDS and "--" in each)


NAMED = named()


def command_of(line: str) -> Any:
    """The command at the beginning of a line."""
    _, name, *rest = line.split()
    command = load_command(name)
    return getattr(command, "commands", {}).get(rest[0], command)


@pytest.mark.parametrize("line", NAMED)
def test_a_command_in_a_message_has_the_options_that_it_names(line: str) -> None:
    flags = {flag for each in command_of(line).params for flag in (*each.opts, *each.secondary_opts)}
    assert set(re.findall(r"--[a-z-]+", line)) <= flags | {"--help"}


def test_the_options_of_commands_are_found_in_messages() -> None:
    assert any(line.startswith("larder source set X --tz") for line in NAMED)
