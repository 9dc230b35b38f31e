"""The real command line, in an empty folder."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from larder.cli import exit_code

PATIENCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its one document."""
        return json.loads(self.out)

    @property
    def complaint(self) -> tuple[str, str]:
        """The two lines of an error, and nothing else."""
        error, hint = self.err.splitlines()
        assert error.startswith("error: ")
        assert hint.startswith("hint: ")
        assert self.out == ""
        return error.removeprefix("error: "), hint.removeprefix("hint: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """Runs `larder …` in a folder."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.folder / "larder-data"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LARDER_")}
        return {**kept, "COLUMNS": "120", "LARDER_LISTEN": "127.0.0.1:0", **self.env}

    def __call__(self, *args: str) -> Said:
        """In this process, pages parsed in it as well, through the same door as `larder`."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            patch.setattr(os, "environ", {"LARDER_PARSE_WORKERS": "0", **self.environment()})
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = exit_code(args)
        for stream in (out, err):
            stream.flush()
        return Said(
            code=code,
            out=out.buffer.getvalue().decode(),
            err=err.buffer.getvalue().decode(),
        )

    def begin(self) -> None:
        """As `larder init` on SQLite leaves the folder; the migrations run once for all tests."""
        self.data.mkdir(mode=0o700)
        for name, content in _initialized().items():
            file = self.data / name
            file.write_bytes(content)
            file.chmod(0o600)

    def process(self, *args: str) -> Said:
        """As a process of its own."""
        started = self.start(*args)
        out, err = started.communicate(timeout=PATIENCE)
        assert "Traceback" not in err, err
        return Said(code=started.returncode, out=out, err=err)

    def start(self, *args: str) -> subprocess.Popen[str]:
        """A command that goes on; its lines can be read as they come."""
        return subprocess.Popen(
            [sys.executable, "-m", "larder", *args],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@cache
def _initialized() -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        shell = Shell(folder=Path(folder))
        assert shell("init").code == 0
        return {file.name: file.read_bytes() for file in shell.data.iterdir() if file.is_file()}


@pytest.fixture
def empty(tmp_path: Path) -> Shell:
    """A folder without a Larder."""
    return Shell(folder=tmp_path)


@pytest.fixture
def larder(empty: Shell) -> Shell:
    """A new Larder."""
    empty.begin()
    return empty
