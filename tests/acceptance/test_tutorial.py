"""The first lesson, followed to the letter: every line after a `$` is given to a shell as it stands.

Only the port is another one, as 8080 may be taken, and `larder up` listens where there is room.
"""

from pathlib import Path

import pytest

from tests.acceptance.terminal import DOCS, Terminal, steps

LESSON = (DOCS / "tutorial" / "first-source.md").read_text()
SITE, UP = "python -m larder.sim.server", "larder up"
"""What runs until it is stopped: the site, in a terminal of its own, and Larder, until Ctrl-C."""


@pytest.mark.timeout(300)
async def test_every_step_shows_what_the_lesson_says(tmp_path: Path) -> None:
    terminal, (first, *others) = Terminal(tmp_path), steps(LESSON)
    assert first[0].startswith(SITE)
    done = 1
    async with terminal.running(first[0], b'"port"'):
        for command, shown in others:
            if command == UP:
                async with terminal.running(command, b"event=up"):
                    lines: list[str] = []
            else:
                lines = await terminal(command)
            assert [line for line in shown if line not in lines] == [], command
            done += 1
    assert done == len(steps(LESSON))


def test_the_lesson_has_its_steps() -> None:
    commands = [command for command, _ in steps(LESSON)]
    assert commands[1] == "larder init"
    assert {"larder up", "larder run start homes", "larder why homes", "larder status"} <= set(commands)
    assert len(commands) == LESSON.count("\n$ "), "none is left out"
