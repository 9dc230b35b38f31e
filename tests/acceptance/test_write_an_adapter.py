"""`docs/how-to/write-an-adapter.md`, followed to the letter."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "write-an-adapter.md"
BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w+)\n(?P<text>.*?)```", re.DOTALL)
STEP = re.compile(r"^\$ (?P<command>.*)\n(?P<shown>(?:(?!\$ ).+\n)*)", re.MULTILINE)
NAMED = re.compile(r"`([^`\s]+\.\w+)`:$")


INSTALL = """
import shutil, sys, tomllib
from pathlib import Path

place, command, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
assert command == "install"
project = tomllib.loads((folder / "pyproject.toml").read_text())
name, version = project["project"]["name"], project["project"]["version"]
for package in project["tool"]["setuptools"]["packages"]:
    kept = {folder / package / "manifest.yaml", *(folder / package).glob("*.py")}
    for pattern in project["tool"]["setuptools"]["package-data"][package]:
        kept |= {path for path in (folder / package).glob(pattern) if path.is_file()}
    for path in kept:
        target = place / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
about = place / f"{name.replace('-', '_')}-{version}.dist-info"
about.mkdir()
(about / "METADATA").write_text(f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
points = [
    f"[{group}]\\n" + "".join(f"{key} = {value}\\n" for key, value in named.items())
    for group, named in project["project"]["entry-points"].items()
]
(about / "entry_points.txt").write_text("".join(points))
"""
"""What pip does with a project of pure Python; pip itself would download the project's build backend."""


class Reader:
    """A person with a shell who does what the page says."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.exports = folder, "set -e"
        programs, packages = folder / ".bin", folder / ".packages"
        for path in (programs, packages):
            path.mkdir()
        (programs / "install.py").write_text(INSTALL)
        calls = {"larder": "-m larder", "pip": f"{programs}/install.py {packages}"}
        for name, call in calls.items():
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
            (programs / name).chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
        self.environment = {
            **kept,
            "COLUMNS": "100",
            "LARDER_PARSE_WORKERS": "0",
            "PATH": f"{programs}:{kept['PATH']}",
            "PYTHONPATH": str(packages),
        }

    def write(self, path: str, text: str) -> None:
        (self.folder / path).write_text(text)

    def run(self, command: str) -> str:
        if command.startswith("export "):
            self.exports += f"\n{command}"
        script = f"{self.exports}\n{command}"
        ran = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stderr == ""
        return ran.stdout


def shown_in(line: str, output: str) -> bool:
    """`…` stands for anything."""
    pattern = ".*".join(re.escape(part.rstrip()) for part in line.split("…"))
    return re.search(rf"^{pattern}\s*$", output, re.MULTILINE) is not None


def test_every_command_shows_what_the_page_says(tmp_path: Path) -> None:
    reader, done = Reader(tmp_path), 0
    for block in BLOCK.finditer(PAGE.read_text()):
        if block["language"] != "console":
            named = NAMED.search(block["before"])
            assert named, f"no file is named before: {block['text'][:60]}"
            reader.write(named[1], block["text"])
            continue
        for step in STEP.finditer(block["text"]):
            output = reader.run(step["command"])
            missing = [line for line in step["shown"].splitlines() if not shown_in(line, output)]
            assert missing == [], f"{step['command']}\n{output}"
            done += 1
    assert done >= 11
