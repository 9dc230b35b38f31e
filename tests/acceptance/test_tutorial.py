"""The first lesson, followed to the letter."""

import re
import shlex
from pathlib import Path

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.server import SimServer
from tests.acceptance.conftest import HOST, START, Shell

LESSON = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "first-source.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
STEP = re.compile(r"^\$ larder (?P<command>.*)\n(?P<shown>(?:(?!\$ ).+\n)*)", re.MULTILINE)
STOCK = 60


def steps() -> list[tuple[str, list[str]]]:
    """Each command with the lines that the lesson shows below it."""
    text = "".join(BLOCK.findall(LESSON.read_text()))
    return [(step["command"], step["shown"].splitlines()) for step in STEP.finditer(text)]


async def test_every_step_shows_what_the_lesson_says(tmp_path: Path) -> None:
    shell = Shell(folder=tmp_path, env={"COLUMNS": "100"})
    site = ClassifiedsSite(name=HOST, classifieds=ClassifiedsTruth(seed=7, start=START, stock=STOCK))
    async with SimServer([site], start=START) as web:
        for command, shown in steps():
            if command == "up":
                continue
            said = await shell(*shlex.split(command.replace(":8080", f":{web.port}")))
            lines = [line.rstrip() for line in said.splitlines()]
            assert [line for line in shown if line not in lines] == [], command


def test_the_lesson_has_its_steps() -> None:
    commands = [command for command, _ in steps()]
    assert commands[0] == "init"
    assert {"up", "run start homes", "why homes", "status"} <= set(commands)
