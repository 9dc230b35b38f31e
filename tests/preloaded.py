"""Runs `larder` commands to their end, in processes that need not import anything.

Most of a command's time is imports. A fork server has done them, and each command is a fork of it: a process
with a folder, an environment, output and an exit code of its own. Commands that a test holds on to or sends
signals to are started as users start them.
"""

import multiprocessing
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

MODULES = ["tests.preloaded", "tests.preloaded_modules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What a command left."""

    code: int | None
    out: str
    err: str


def run(*args: str, folder: Path, env: dict[str, str], max_wait: float) -> Ended:
    """Run `larder …` in a folder with that environment; without a code it took longer than `max_wait`."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(MODULES)
    with TemporaryDirectory() as kept:
        out, err = Path(kept, "out"), Path(kept, "err")
        process = context.Process(target=_main, args=(args, folder, env, out, err))
        process.start()
        process.join(max_wait)
        code = process.exitcode
        if code is None:
            process.kill()
            process.join()
        process.close()
        return Ended(code=code, out=out.read_text(), err=err.read_text())


def _main(args: tuple[str, ...], folder: Path, env: dict[str, str], out: Path, err: Path) -> None:
    """In the forked process: make it one that was started for this command."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    for number, (name, path) in enumerate({"stdout": out, "stderr": err}.items(), start=1):
        with path.open("w") as file:
            os.dup2(file.fileno(), number)
        setattr(sys, name, os.fdopen(number, "w", closefd=False))
    sys.argv = ["larder", *args]
    random.seed()
    from larder.cli import main

    main(args)
